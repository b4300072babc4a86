/* lock.c -- see lock.h. */
#include "base/lock.h"

#include <pthread.h>

static pthread_mutex_t locks[MN_LOCKS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                          PTHREAD_MUTEX_INITIALIZER};

void mn_lock_take(mn_lock lock) { pthread_mutex_lock(&locks[lock]); }
void mn_lock_give(mn_lock lock) { pthread_mutex_unlock(&locks[lock]); }
