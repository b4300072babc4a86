/* force.c -- your own force: every particle is drawn to an axis and turned about it. */
#include "common.h"

typedef struct swirl {
    float pull, turn; /* 1/s^2 */
} swirl;

/* Called in each step when all other forces are there: adds to the acceleration, in m/s^2. */
static mn_status add_swirl(mn_world *world, void *user, mn_messages *say)
{
    const swirl *s = (const swirl *)user;
    mn_mapped x, a;
    mn_status status = mn_field_map(world, "position", MN_READ, &x, say);
    if (status == MN_OK) status = mn_field_map(world, "acceleration", MN_WRITE, &a, say);
    if (status != MN_OK) return status;
    for (int64_t k = 0; k < a.count; k++) {
        const float *p = x.data + k * x.stride;
        float *f = a.data + k * a.stride;
        f[0] += -s->pull * p[0] - s->turn * p[2];
        f[2] += -s->pull * p[2] + s->turn * p[0];
    }
    return MN_OK; /* maps end with the call */
}

int main(void)
{
    mn_messages *say = mn_messages_new();
    mn_world *world = new_drop(say);
    swirl s = {20, 50};
    if (!world || mn_world_on(world, "forces", add_swirl, &s, say) != MN_OK) return told(say, 1);
    mn_status status = MN_OK;
    for (int k = 0; k < 50 && status == MN_OK; k++) status = mn_step(world, say);
    printf("after %.2f s the fastest particle has %.2f m/s\n", mn_world_time(world), mn_world_stats(world).max_speed);
    mn_world_free(world);
    status = (mn_status)told(say, status);
    mn_messages_free(say);
    return status;
}
