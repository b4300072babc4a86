/* backends.c -- finds a backend by name, and names the devices of this machine. */
#include <stdio.h>
#include <string.h>

#include "run/backend.h"
#include "run/device.h"

const mn_backend_api *mn_backend_find(const char *name, const char **device)
{
    static const mn_backend_api *const known[] = {
        &mn_backend_cpu,
        &mn_backend_scalar,
#ifdef MN_HAVE_OPENCL
        &mn_backend_opencl,
#endif
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const size_t length = strlen(known[k]->key);
        if (strncmp(name, known[k]->key, length) != 0) continue;
        if (name[length] == 0) return known[k];
        if (name[length] == ':' && known[k] != &mn_backend_scalar) {
            *device = name + length + 1;
            return known[k];
        }
    }
    return NULL;
}

#ifndef MN_HAVE_OPENCL
int mn_devices(char out[][128], int capacity)
{
    (void)out, (void)capacity;
    return 0;
}
#endif
