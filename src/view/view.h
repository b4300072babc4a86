/* view.h -- `meniscus view`: a page in the browser that shows a run, finished or running, and steers it.
 *
 * One process serves one show to any number of browsers over HTTP and WebSocket. A show is the folder of a run, read
 * frame by frame, or a session that steps in a thread of its own. What goes over the wire: docs/view.md.
 *
 * Invariants
 *  1. A client gets a frame only when it has asked for one, and then the newest: who is slow asks seldom. Each has a
 *     thread that sends; the run never waits for any of them.
 *  2. What clients do to a run happens between two steps, in the run's thread, as mn_world_change; run.yaml tells it.
 *  3. Without a token only this machine is served. Foreign pages (Origin) and names (Host) are refused, files are
 *     served from the program's own memory alone.
 */
#ifndef MN_VIEW_H
#define MN_VIEW_H

#include <signal.h>

#include "meniscus/meniscus.h"

/* A scene of the list that the page begins with. */
typedef struct mn_view_entry {
    const char *path;  /* of its file */
    const char *name;  /* suite/scene */
    const char *title; /* one line */
} mn_view_entry;

typedef struct mn_view_options {
    const char *source; /* a scene file, or the folder of a run; NULL: the page begins with the list */
    bool stored;        /* the source is the folder of a run */
    const char *dir;    /* of the run of a scene; NULL: below `out`, the first that is free */
    const char *const *sets;
    int set_count;
    mn_options world;
    const char *address; /* NULL: this machine only */
    int port;            /* 0: any that is free */
    const char *token;   /* NULL: none, which only a loopback address may have */
    bool paused;         /* a scene waits before its first step */
    const mn_view_entry *scenes;
    int scene_count;
    const volatile sig_atomic_t *stop; /* looked at several times a second */
    void (*ready)(void *user, const char *url);
    void *user;
} mn_view_options;

/* Whether an address is one of this machine alone; NULL is. */
bool mn_access_loopback(const char *address);

/* Serves until `stop` is set. MN_BAD_INPUT: the source cannot be read, the address cannot be used. */
mn_status mn_view_serve(const mn_view_options *opt, mn_messages *say);

#endif
