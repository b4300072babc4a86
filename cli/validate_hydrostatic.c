/* validate_hydrostatic.c -- still water: p = rho g depth.
 *
 * The slope of pressure over height is fitted to all particles of the middle of the column (the free surface and the floor
 * are left out, where the kernel's support is cut) and averaged over the last fifth of the run, since the pressure of a step
 * carries the noise of its solve.
 */
#include <math.h>
#include <stdlib.h>

#include "scene/scene.h"
#include "validate.h"

enum { SAMPLES = 40 };

typedef struct arrays {
    float *position, *pressure;
    int64_t count;
} arrays;

/* Least squares of p = a + b y between 20 % and 80 % of the height. Returns b in Pa/m. */
static double pressure_slope(const arrays *a)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < a->count; i++) {
        low = fmin(low, a->position[3 * i + 1]);
        high = fmax(high, a->position[3 * i + 1]);
    }
    double from = low + 0.2 * (high - low), to = low + 0.8 * (high - low);
    double n = 0, sum_y = 0, sum_p = 0, sum_yy = 0, sum_yp = 0;
    for (int64_t i = 0; i < a->count; i++) {
        double y = a->position[3 * i + 1], p = a->pressure[i];
        if (y < from || y > to) continue;
        n += 1;
        sum_y += y;
        sum_p += p;
        sum_yy += y * y;
        sum_yp += y * p;
    }
    return (n * sum_yp - sum_y * sum_p) / (n * sum_yy - sum_y * sum_y);
}

static mn_status measure(mn_world *world, double end, arrays *a, double *slope, mn_messages *say)
{
    double next = 0.8 * end, sum = 0;
    int samples = 0;
    while (mn_world_time(world) < end) {
        mn_status status = mn_step(world, say);
        if (status != MN_OK) return status;
        if (mn_world_time(world) < next) continue;
        next += 0.2 * end / SAMPLES;
        if (mn_world_particles(world) != a->count) {
            mn_say_error(say, MN_NOWHERE, "hydrostatic: particles were lost");
            return MN_FAILED;
        }
        status = mn_world_get(world, "position", a->position, say);
        if (status == MN_OK) status = mn_world_get(world, "pressure", a->pressure, say);
        if (status != MN_OK) return status;
        sum += pressure_slope(a);
        samples++;
    }
    *slope = sum / fmax(1, samples);
    return MN_OK;
}

mn_status validate_hydrostatic(const mn_options *options, validation_result *out, mn_messages *say)
{
    mn_scene *scene = NULL;
    mn_world *world = validation_world("basics/hydrostatic", options, &scene, say);
    mn_status status = MN_BAD_INPUT;
    if (world) {
        arrays a = {.count = mn_world_particles(world)};
        a.position = malloc((size_t)a.count * 3 * sizeof *a.position);
        a.pressure = malloc((size_t)a.count * sizeof *a.pressure);
        double slope = 0, gravity[3];
        status = a.position && a.pressure ? measure(world, scene->end, &a, &slope, say) : MN_FAILED;
        mn_curve_at(&scene->gravity, scene->end, gravity);
        *out = (validation_result){-slope, -gravity[1] * scene->fluids[0].density, 0.01, "pressure gradient", "Pa/m"};
        free(a.position);
        free(a.pressure);
    }
    mn_world_free(world);
    mn_scene_free(scene);
    return status;
}
