/* queue.h -- work done during a run by another thread, in the order in which it was given: frames, meshes and
 * pictures.
 *
 * At most `room` pieces of work wait; whoever gives another one waits until there is room. A failure is kept, and what
 * comes after it is left undone: a run ends with it, as if the work had been done immediately. */
#ifndef MN_SESSION_QUEUE_H
#define MN_SESSION_QUEUE_H

#include <signal.h>

#include "base/message.h"

typedef struct mn_queue mn_queue;

/* `threads`: for OpenMP within the work. `patient`: where cores are short it yields to the steps and to frames.
 * NULL, with a message, if no thread can be started. */
mn_queue *mn_queue_new(int room, int threads, bool patient, mn_messages *say);
/* Does what waits, then ends the thread. */
void mn_queue_free(mn_queue *queue);

typedef struct mn_work {
    mn_status (*run)(void *job, mn_messages *say);
    void (*release)(void *job); /* after it was run or left undone */
    void *job;
} mn_work;

/* Takes the work over whatever happens. Brings what earlier work said, and its failure. */
mn_status mn_queue_add(mn_queue *queue, mn_work work, mn_messages *say);
/* Waits until everything is done. */
mn_status mn_queue_drain(mn_queue *queue, mn_messages *say);
/* How many pieces of work wait or are in hand. */
int mn_queue_undone(mn_queue *queue);
/* Waits until everything is done; once *stop is set only until what is in hand is done. What waits is then left undone:
 * *left says how many pieces. */
mn_status mn_queue_finish(mn_queue *queue, const volatile sig_atomic_t *stop, int *left, mn_messages *say);

#endif
