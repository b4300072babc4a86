/* fuzz_snapshot.c -- any bytes as a checkpoint: refused with a message, or read, and then its arrays can be used.
 * The file lives in memory; its name under /proc is what the reader opens. */
#include "io/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Touches every byte, so that the sanitizer sees an array shorter than it says. */
static void use(const mn_snapshot *snap)
{
    volatile unsigned char sum = 0;
    for (int a = 0; a < snap->count; a++) {
        const mn_array *array = &snap->arrays[a];
        size_t bytes =
            (size_t)array->count * (size_t)array->width * (array->type == MN_F32 || array->type == MN_I32 ? 4 : 8);
        for (size_t b = 0; b < bytes; b++) sum = (unsigned char)(sum + ((const unsigned char *)array->data)[b]);
        if (mn_snapshot_find(snap, array->name) != array) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = memfd_create("checkpoint", MFD_CLOEXEC);
    if (fd < 0) return 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (write(fd, data, size) == (ssize_t)size) {
        mn_messages *say = mn_messages_new();
        mn_snapshot snap;
        mn_status status = mn_snapshot_read(&snap, path, say);
        if (status == MN_OK) use(&snap);
        else if (mn_messages_errors(say) == 0 || snap.count != 0) abort();
        mn_snapshot_free(&snap);
        mn_messages_free(say);
    }
    close(fd);
    return 0;
}
