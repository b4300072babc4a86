/* threads.h -- how many threads the loops of the host take that follow, in the thread that calls. */
#ifndef MN_BASE_THREADS_H
#define MN_BASE_THREADS_H

#include <omp.h>

/* 0: as many as the program has set. Returns what to put back with omp_set_num_threads: the number is the program's
 * own. */
static inline int mn_threads_use(int threads)
{
    const int before = omp_get_max_threads();
    if (threads > 0) omp_set_num_threads(threads);
    return before;
}

#endif
