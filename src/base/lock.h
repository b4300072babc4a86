/* lock.h -- libraries below us that know one caller at a time: worlds of other threads wait here. */
#ifndef MN_BASE_LOCK_H
#define MN_BASE_LOCK_H

typedef enum mn_lock { MN_LOCK_HDF5, MN_LOCK_ODE, MN_LOCK_OPENCL, MN_LOCKS } mn_lock;

/* One thread at a time; not twice by the same. */
void mn_lock_take(mn_lock lock);
void mn_lock_give(mn_lock lock);

#endif
