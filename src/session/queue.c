/* queue.c -- see queue.h. */
#include "session/queue.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct mn_queue {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t given, done;
    mn_work *ring;
    int room, first, count; /* waiting */
    bool busy, closed, patient;
    int threads;
    mn_status status; /* the first failure */
    mn_messages *say; /* of the work, until it is brought over; guarded by `lock` while nothing is busy */
};

static void *serve(void *user)
{
    mn_queue *q = user;
    omp_set_num_threads(q->threads);
    if (q->patient) setpriority(PRIO_PROCESS, (id_t)gettid(), 10); /* of this thread, and of those that it starts */
    pthread_mutex_lock(&q->lock);
    for (;;) {
        while (q->count == 0 && !q->closed) pthread_cond_wait(&q->given, &q->lock);
        if (q->count == 0) break;
        const mn_work work = q->ring[q->first];
        const bool wanted = q->status == MN_OK;
        q->first = (q->first + 1) % q->room;
        q->count--;
        q->busy = true;
        pthread_mutex_unlock(&q->lock);
        mn_messages *own = mn_messages_new();
        const mn_status status = wanted ? work.run(work.job, own) : MN_OK;
        work.release(work.job);
        pthread_mutex_lock(&q->lock);
        if (status != MN_OK && q->status == MN_OK) q->status = status;
        mn_messages_move(q->say, own);
        mn_messages_free(own);
        q->busy = false;
        pthread_cond_broadcast(&q->done);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* Signals are for the thread that steps. */
static int start(mn_queue *q)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&q->thread, NULL, serve, q);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

mn_queue *mn_queue_new(int room, int threads, bool patient, mn_messages *say)
{
    mn_queue *q = calloc(1, sizeof *q);
    if (q) {
        *q = (mn_queue){.ring = calloc((size_t)room, sizeof *q->ring),
                        .room = room,
                        .threads = threads,
                        .patient = patient,
                        .say = mn_messages_new()};
        pthread_mutex_init(&q->lock, NULL);
        pthread_cond_init(&q->given, NULL);
        pthread_cond_init(&q->done, NULL);
    }
    const int error = q && q->ring && q->say ? start(q) : ENOMEM;
    if (!error) return q;
    mn_say_failure(say, MN_NOWHERE, "cannot start a thread for the output: %s",
                   strerror(error)); // NOLINT(concurrency-mt-unsafe)
    if (q) {
        free(q->ring);
        mn_messages_free(q->say);
    }
    free(q);
    return NULL;
}

void mn_queue_free(mn_queue *q)
{
    if (!q) return;
    pthread_mutex_lock(&q->lock);
    q->closed = true;
    pthread_cond_broadcast(&q->given);
    pthread_mutex_unlock(&q->lock);
    pthread_join(q->thread, NULL);
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->given);
    pthread_cond_destroy(&q->done);
    mn_messages_free(q->say);
    free(q->ring);
    free(q);
}

mn_status mn_queue_add(mn_queue *q, mn_work work, mn_messages *say)
{
    pthread_mutex_lock(&q->lock);
    while (q->count == q->room) pthread_cond_wait(&q->done, &q->lock);
    q->ring[(q->first + q->count++) % q->room] = work;
    pthread_cond_signal(&q->given);
    mn_messages_move(say, q->say);
    const mn_status status = q->status;
    pthread_mutex_unlock(&q->lock);
    return status;
}

mn_status mn_queue_drain(mn_queue *q, mn_messages *say)
{
    if (!q) return MN_OK;
    pthread_mutex_lock(&q->lock);
    while (q->count > 0 || q->busy) pthread_cond_wait(&q->done, &q->lock);
    mn_messages_move(say, q->say);
    const mn_status status = q->status;
    pthread_mutex_unlock(&q->lock);
    return status;
}

int mn_queue_undone(mn_queue *q)
{
    if (!q) return 0;
    pthread_mutex_lock(&q->lock);
    const int count = q->count + q->busy;
    pthread_mutex_unlock(&q->lock);
    return count;
}

/* Takes away what waits; the lock is held. */
static int leave_undone(mn_queue *q)
{
    const int left = q->count;
    for (; q->count > 0; q->count--) {
        q->ring[q->first].release(q->ring[q->first].job);
        q->first = (q->first + 1) % q->room;
    }
    if (left) pthread_cond_broadcast(&q->done); /* there is room */
    return left;
}

mn_status mn_queue_finish(mn_queue *q, const volatile sig_atomic_t *stop, int *left, mn_messages *say)
{
    *left = 0;
    if (!q) return MN_OK;
    pthread_mutex_lock(&q->lock);
    while (q->count > 0 || q->busy) {
        if (stop && *stop) *left += leave_undone(q);
        struct timespec soon; /* a signal does not wake a waiting thread */
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec += 100000000;
        if (soon.tv_nsec >= 1000000000) soon.tv_sec++, soon.tv_nsec -= 1000000000;
        if (q->count > 0 || q->busy) pthread_cond_timedwait(&q->done, &q->lock, &soon);
    }
    mn_messages_move(say, q->say);
    const mn_status status = q->status;
    pthread_mutex_unlock(&q->lock);
    return status;
}
