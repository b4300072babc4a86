/* validate_solids.c -- deformable solids against beam theory, and in the wind. */
#include <math.h>
#include <stdlib.h>

#include "scene/scene.h"
#include "validate.h"

static float *solid_field(const validation_run *run, const char *field)
{
    float *out = calloc(3 * (size_t)mn_world_solid_particles(run->world, 0) + 1, sizeof *out);
    if (out && mn_world_solid_get(run->world, 0, field, out, run->say) == MN_OK) return out;
    free(out);
    return NULL;
}

mn_status validate_cantilever(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    validation_run run;
    mn_status status = validation_open(&run, setup, "basics/cantilever", NULL, say) ? MN_OK : MN_BAD_INPUT;
    while (status == MN_OK && mn_world_time(run.world) < run.end * (1 - 1e-12)) status = validation_step(&run, run.end);
    float *x = status == MN_OK ? solid_field(&run, "position") : NULL, *u = x ? solid_field(&run, "displacement") : NULL;
    if (u) {
        const mn_deformable *beam = &run.scene->solids[0];
        const double l = 0.48, height = 0.08, width = 0.03, d = beam->spacing, area = height * width;
        const double inertia = width * pow(height, 3) / 12, shear = 5.0 / 6 * area * beam->mu, weight = beam->density * area * 9.81;
        const double theory = weight * (pow(l, 4) / (8 * beam->young * inertia) + l * l / (2 * shear));
        double sum[2] = {0}, speed = 0;
        int count[2] = {0};
        for (int64_t i = 0; i < mn_world_solid_particles(run.world, 0); i++) {
            const double rest = (double)x[3 * i] - (double)u[3 * i];
            const int layer = (int)floor((l - rest) / d);
            if (layer < 2) sum[layer] -= (double)u[3 * i + 1], count[layer]++;
        }
        const double last = sum[0] / count[0], before = sum[1] / count[1];
        const mn_solid_stats stats = mn_world_solid(run.world, 0);
        speed = sqrt(2 * stats.kinetic_energy / (beam->density * area * l));
        validation_add(out, 1000 * (last + 0.5 * (last - before)), 1000 * theory, 0.05, "deflection of the tip", "mm");
        validation_add(out, speed, 0, 0.01, "speed at the end", "m/s");
    } else if (status == MN_OK) status = MN_FAILED;
    free(x), free(u);
    validation_close(&run);
    return status;
}
