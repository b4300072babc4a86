/* hub.h -- the server: the show, its clients, and how they are told. */
#ifndef MN_VIEW_HUB_H
#define MN_VIEW_HUB_H

#include <pthread.h>

#include "view/show.h"

enum { MN_VIEW_CLIENTS = 24, MN_VIEW_NOTES = 32, MN_VIEW_TABLES = 3, MN_VIEW_MESSAGE = 64 << 10, MN_VIEW_BLOCK = 64 };

/* What a client has, so that only what changed is sent. */
typedef struct mn_sent {
    int generation;
    long count;
    float low[3], span[3]; /* of the box that positions are parts of */
    uint16_t *position, *value;
    unsigned char *group;
    bool has_value;
} mn_sent;

typedef struct mn_client {
    mn_hub *hub;
    struct mg_connection *connection;
    int number; /* from 1 on; 0: free */
    pthread_t thread;
    bool closing, unreachable;
    /* the frame that it has asked for */
    bool wants;
    int frame; /* -1: of the running world */
    char field[MN_VIEW_NAME];
    /* what it has seen */
    int generation, values_version; /* version -1: not even what it began with */
    char *state;                    /* last text */
    int64_t seen_step;              /* of the running world */
    char seen_field[MN_VIEW_NAME];
    long offset[MN_VIEW_TABLES]; /* bytes of the tables */
    char *note[MN_VIEW_NOTES];   /* texts to be sent */
    int note_count;
    mn_sent sent;
    double table_wall, state_wall;
} mn_client;

struct mn_hub {
    const mn_view_options *opt;
    pthread_mutex_t lock;
    pthread_mutex_t opening; /* one show begins at a time; taken before `lock` */
    pthread_cond_t news;
    mn_show *show;
    int generations, numbers;
    char *list; /* JSON of the scenes */
    mn_client client[MN_VIEW_CLIENTS];
    bool closing;
};

double mn_view_clock(void);

/* client.c */
bool mn_client_room(mn_hub *hub); /* whether there is a free place */
bool mn_client_open(mn_hub *hub, struct mg_connection *connection);
/* False: it has no place, or takes nothing any more. */
bool mn_client_served(mn_hub *hub, const struct mg_connection *connection);
void mn_client_close(mn_hub *hub, const struct mg_connection *connection);
/* A message from it. False: it is malformed, and the connection is to be closed. */
bool mn_client_hear(mn_hub *hub, const struct mg_connection *connection, const char *text, size_t length);
/* Under the lock: a text for one client (0: for all). Takes it over. */
void mn_hub_note(mn_hub *hub, int number, char *text);

/* hub.c: puts another show in place of the one there is, whose run ends. */
void mn_hub_show(mn_hub *hub, mn_show *show);
mn_show *mn_hub_hold(mn_hub *hub); /* the show, to be let go with mn_hub_let_go */
void mn_hub_let_go(mn_show *show);

/* encode.c: what changed since the last frame as a message. malloc'd; NULL: no memory. */
unsigned char *mn_encode(mn_sent *sent, int generation, const mn_view_shot *shot, const char *field, size_t *size);
void mn_sent_free(mn_sent *sent);

/* server.c: the server itself. NULL, with a message, where it cannot listen. */
typedef struct mn_listener mn_listener;
mn_listener *mn_listen(mn_hub *hub, char url[256], mn_messages *say);
void mn_listener_close(mn_listener *listener);

/* access.c: whether a request may be answered. host and origin: its headers, NULL where there are none. */
bool mn_access_host(const char *host, bool loopback);
bool mn_access_origin(const char *origin, const char *host);
bool mn_access_token(const char *given, const char *expected);

#endif
