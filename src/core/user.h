/* user.h -- what the program that uses the library does to a world: maps of fields, callbacks, particles that it takes
 * away. */
#ifndef MN_CORE_USER_H
#define MN_CORE_USER_H

#include "meniscus/meniscus.h"

enum { MN_MOST_MAPS = 16, MN_MOST_CALLS = 16 };

/* The moments at which programs are called; those within a step are moments of its parts (calls.c). */
typedef enum mn_calling {
    MN_CALL_NONE,
    MN_CALL_BEGIN,
    MN_CALL_DENSITY,
    MN_CALL_FORCES,
    MN_CALL_CONTACT,
    MN_CALL_END
} mn_calling;

typedef struct mn_open_map {
    mn_mapped map;
    int field; /* that is written when it ends, -1: none */
    float *copy;
    int32_t *ids; /* a copy too; NULL: the world's own */
    bool open;
} mn_open_map;

typedef struct mn_call {
    mn_calling at;
    mn_callback *call;
    void *user;
} mn_call;

typedef struct mn_user {
    mn_open_map maps[MN_MOST_MAPS];
    mn_call calls[MN_MOST_CALLS];
    int call_count;
    mn_calling calling; /* now */
    mn_status answer;   /* of the callbacks of this step */
    mn_messages *say;   /* of this step */
    int *going;         /* ids of the particles that the next sort drops, ascending; */
    int going_count;    /* each once */
    bool touched;       /* its state does not follow from the scene alone any more */
} mn_user;

/* calls.c: calls the program at that moment of the step. */
void mn_call_user(mn_world *w, mn_calling at);
/* MN_BAD_INPUT, with a message, where a call is made within a step, or (`resting` false) in any callback. */
mn_status mn_user_may(const mn_world *w, bool resting, const char *call, mn_messages *say);
/* field_maps.c: ends all maps. */
mn_status mn_field_maps_end(mn_world *w, mn_messages *say);
/* add_remove.c, before the sort: moves removed particles out of every domain. Returns how many; -1: failed. */
int mn_user_leave(mn_world *w);
void mn_user_free(mn_world *w);

#endif
