/* watch.c -- a field while it runs: mapped without a copy, the lowest and the highest particle of each tenth step. */
#include "common.h"

static mn_status look(mn_world *world, void *user, mn_messages *say)
{
    (void)user;
    if (mn_world_steps(world) % 10 != 0) return MN_OK;
    mn_mapped x;
    const mn_status status = mn_field_map(world, "position", MN_READ, &x, say);
    if (status != MN_OK) return status;
    int64_t low = 0, high = 0;
    for (int64_t k = 0; k < x.count; k++) { /* in cell order: who it is, x.id tells */
        if (x.data[k * x.stride + 1] < x.data[low * x.stride + 1]) low = k;
        if (x.data[k * x.stride + 1] > x.data[high * x.stride + 1]) high = k;
    }
    printf("%.3f s: particle %d lies lowest, %d highest\n", mn_world_time(world), x.id[low], x.id[high]);
    return MN_OK;
}

int main(void)
{
    mn_messages *say = mn_messages_new();
    mn_world *world = new_drop(say);
    mn_status status = world ? mn_world_on(world, "end", look, NULL, say) : MN_FAILED;
    for (int k = 0; k < 50 && status == MN_OK; k++) {
        if (k == 25) status = mn_world_change(world, "gravity=[0, -9.81, 0]", say); /* from now on it falls */
        if (status == MN_OK) status = mn_step(world, say);
    }
    mn_world_free(world);
    status = (mn_status)told(say, status);
    mn_messages_free(say);
    return status;
}
