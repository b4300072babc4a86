/* pour.c -- pours by adding particles, and removes what has fallen below a height. */
#include "common.h"
#include <stdlib.h>

enum { SIDE = 5 };

/* One layer, a spacing from the next as long as it falls 10 steps of 0.002 s at 1 m/s. */
static mn_status pour_layer(mn_world *world, mn_messages *say)
{
    float x[3 * SIDE * SIDE], v[3 * SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        x[3 * i] = 0.02f * (float)(i % SIDE - SIDE / 2), x[3 * i + 1] = 0.4f;
        x[3 * i + 2] = 0.02f * (float)(i / SIDE - SIDE / 2);
        v[3 * i] = v[3 * i + 2] = 0.0f, v[3 * i + 1] = -1.0f;
    }
    return mn_world_add(world, 0, SIDE * SIDE, x, v, NULL, say);
}

static mn_status remove_below(mn_world *world, float height, mn_messages *say)
{
    mn_mapped x;
    mn_status status = mn_field_map(world, "position", MN_READ, &x, say);
    if (status != MN_OK) return status;
    int32_t *gone = (int32_t *)malloc((size_t)x.count * sizeof *gone);
    int64_t count = 0;
    for (int64_t k = 0; gone && k < x.count; k++)
        if (x.data[k * x.stride + 1] < height) gone[count++] = x.id[k];
    mn_field_unmap(world, &x, say);
    status = gone ? mn_world_remove(world, gone, count, say) : MN_FAILED;
    free(gone);
    return status;
}

int main(void)
{
    mn_messages *say = mn_messages_new();
    mn_world *world = new_drop(say);
    mn_status status = world ? MN_OK : MN_FAILED;
    for (int k = 0; k < 100 && status == MN_OK; k++) {
        if (k % 10 == 0) status = pour_layer(world, say);
        if (status == MN_OK) status = mn_step(world, say);
        if (status == MN_OK) status = remove_below(world, -0.09f, say);
    }
    int64_t drained = 0, lost = 0;
    if (world) mn_world_deleted(world, &drained, &lost);
    if (status == MN_OK)
        printf("%lld particles, %lld removed\n", (long long)mn_world_particles(world), (long long)drained);
    mn_world_free(world);
    status = (mn_status)told(say, status);
    mn_messages_free(say);
    return status;
}
