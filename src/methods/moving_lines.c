/* moving_lines.c -- see moving_lines.h. */
#include "methods/moving_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/exact.h"
#include "wetting/wetting.h"

/* Kinematic viscosity of a fluid by its own models, m^2/s. */
static double viscosity(const mn_world *w, int fluid)
{
    double nu = 0.0;
    for (int p = 0; p < w->part_count; p++) {
        const mn_model_info *model = w->parts[p].model;
        if (model && strcmp(model->kind, "viscosity") == 0)
            nu += (double)mn_model_param(w, w->parts[p].me, fluid, "viscosity");
    }
    return nu;
}

static bool send(mn_world *w, mn_moving_lines *l, const mn_model *a)
{
    const int objects = w->par.boundary.count;
    const size_t count = (size_t)w->par.fluids * (size_t)objects, bytes = count * sizeof *l->sent;
    real4 *next = calloc(count, sizeof *next);
    if (!next) return false;
    l->bends = false;
    for (int f = 0; f < w->par.fluids; f++) {
        const double tension = (double)mn_model_param(w, a, f, "tension");
        const double mu = (double)w->par.density[f] * viscosity(w, f);
        for (int k = 0; k < objects; k++) {
            const double slip = mn_wetting_slip(w, k);
            if (slip <= 0.0 || tension <= 0.0 || mu <= 0.0) continue;
            next[f * objects + k].x =
                (float)(9.0 * mu * mn_log((double)w->par.spacing / slip) / (tension * M_PI * M_PI * M_PI));
            l->bends = true;
        }
    }
    if (l->sent && memcmp(l->sent, next, bytes) == 0) {
        free(next);
        return true;
    }
    mn_buffer *there = w->field[MN_FIELD_wall_slip];
    free(l->sent);
    l->sent = next;
    return there ? w->api->put(w->device, there, 0, next, bytes) : mn_world_table(w, MN_FIELD_wall_slip, next, bytes);
}

void mn_moving_lines_run(mn_world *w, mn_moving_lines *l, const mn_model *a)
{
    if (!mn_wetting_slips(w)) return;
    if (!send(w, l, a)) w->failed = true;
    else if (l->bends) mn_run(w, MN_KERNEL_laplace_move, MN_NO_ARG);
}

void mn_moving_lines_free(mn_moving_lines *l) { free(l->sent); }
