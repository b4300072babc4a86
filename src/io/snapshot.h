/* snapshot.h -- a state as named arrays: what a checkpoint file holds. The world fills and reads it, io/snapshot.c
 * stores it; neither knows the other's insides. */
#ifndef MN_SNAPSHOT_H
#define MN_SNAPSHOT_H

#include "base/message.h"

typedef enum mn_type { MN_F32, MN_F64, MN_I32, MN_I64, MN_U8 } mn_type;
size_t mn_type_bytes(mn_type type);

typedef struct mn_array {
    char name[40];
    mn_type type;
    int width; /* numbers an entry */
    long count;
    void *data; /* malloc'd, owned by the snapshot */
} mn_array;

typedef struct mn_snapshot {
    mn_array *arrays;
    int count;
} mn_snapshot;

/* Adds an array of zeros and returns its data; NULL when out of memory, or if the name is taken, empty, longer than
 * 39 bytes or has a slash, or the width is not 1 to 4096. The pointer stays valid until the snapshot is freed. */
void *mn_snapshot_add(mn_snapshot *snap, const char *name, mn_type type, int width, long count);
/* The array of that name, or NULL. */
mn_array *mn_snapshot_find(const mn_snapshot *snap, const char *name);
/* The same, of that shape; NULL with a message: the checkpoint does not fit the scene. */
const mn_array *mn_snapshot_need(const mn_snapshot *snap, const char *name, mn_type type, int width, long count,
                                 mn_messages *say);
void mn_snapshot_free(mn_snapshot *snap);

/* HDF5, chunked with fletcher32, sealed with a length and checksum of the whole; written beside the target, synced
 * and renamed: whole or not at all. */
mn_status mn_snapshot_write(const mn_snapshot *snap, const char *path, mn_messages *say);
/* Refuses truncated, corrupt, foreign and oversized files with a message. HDF5 only ever sees files whose seal
 * holds. On failure the snapshot is empty. */
mn_status mn_snapshot_read(mn_snapshot *snap, const char *path, mn_messages *say);

#endif
