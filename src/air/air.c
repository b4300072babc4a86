/* air.c -- the air of the scene for the kernels (kernels/air/air_velocity.h): the imported grid, once, and the present
 * values, in each step. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "air/air.h"
#include "core/parts.h"
#include "core/world.h"
#include "io/vti.h"

/* -- the imported grid --------------------------------------------------------------------------------------------- */

static int slice_total(const mn_air_grid *g) { return g->file ? 1 : g->slice_count; }
static const char *slice_file(const mn_air_grid *g, int k) { return g->file ? g->file : g->slices[k].file; }

/* Reads slice k behind those in *all; the first says what the others must be like. */
static mn_status read_slice(mn_air_field *air, const mn_air_grid *g, int k, real4 **all, mn_messages *say)
{
    const int total = slice_total(g);
    mn_vti grid;
    if (mn_vti_read(slice_file(g, k), g->array, &grid, say) != MN_OK) {
        mn_say_error(say, g->file ? g->at : g->slices[k].at, "the air grid \"%s\" cannot be read", slice_file(g, k));
        return MN_BAD_INPUT;
    }
    const size_t nodes = (size_t)grid.dims[0] * (size_t)grid.dims[1] * (size_t)grid.dims[2];
    mn_status status = MN_OK;
    if (k == 0) {
        memcpy(air->nodes, grid.dims, sizeof air->nodes);
        memcpy(air->spacing, grid.spacing, sizeof air->spacing);
        memcpy(air->origin, grid.origin, sizeof air->origin);
        air->slowest = grid.slowest;
        if (nodes * (size_t)total > MN_VTI_MOST) {
            mn_say_error(say, g->at, "the slices have %.3g nodes in all; expected at most %d", (double)nodes * total,
                         MN_VTI_MOST);
            status = MN_BAD_INPUT;
        } else if (!(*all = malloc(nodes * (size_t)total * sizeof **all))) {
            mn_say_failure(say, g->at, "out of memory for the air grid");
            status = MN_FAILED;
        }
    }
    bool same = memcmp(air->nodes, grid.dims, sizeof air->nodes) == 0;
    for (int a = 0; a < 3; a++)
        same = same && fabs(grid.origin[a] - air->origin[a]) <= 1e-6 * grid.spacing[a] &&
               fabs(grid.spacing[a] - air->spacing[a]) <= 1e-9 * grid.spacing[a];
    if (!same && status == MN_OK) {
        mn_say_error(say, g->slices[k].at, "\"%s\" is not on the same grid as \"%s\"", slice_file(g, k),
                     slice_file(g, 0));
        status = MN_BAD_INPUT;
    }
    for (size_t i = 0; i < nodes && status == MN_OK; i++) {
        const float *v = grid.vector + 3 * i;
        (*all)[(size_t)k * nodes + i] = (real4){v[0], v[1], v[2], 0.0f};
    }
    air->slowest = fmin(air->slowest, grid.slowest), air->fastest = fmax(air->fastest, grid.fastest);
    mn_vti_free(&grid);
    return status;
}

static mn_status make(mn_world *w, void *me, mn_messages *say)
{
    mn_air_field *air = me;
    const mn_air_grid *g = &w->scene->air.grid;
    const int total = slice_total(g);
    real4 *all = NULL;
    mn_status status = MN_OK;
    for (int k = 0; k < total && status == MN_OK; k++) status = read_slice(air, g, k, &all, say);
    const size_t nodes = (size_t)air->nodes[0] * (size_t)air->nodes[1] * (size_t)air->nodes[2];
    if (status == MN_OK && total && !mn_world_table(w, MN_FIELD_air_grid, all, nodes * (size_t)total * sizeof *all)) {
        mn_say_failure(say, g->at, "not enough memory for the air grid on %s: %s", w->api->key, mn_why(w));
        status = MN_FAILED;
    }
    free(all);
    if (status == MN_OK && !mn_air_faces(w, air)) status = MN_FAILED;
    return status;
}

static void grid_parameters(mn_world *w, const mn_air_field *air)
{
    const mn_air_grid *g = &w->scene->air.grid;
    air_params *p = &w->par.air;
    double scale = 1.0;
    if (g->scale.count) mn_curve_at(&g->scale, w->time, &scale);
    p->scale = (float)scale;
    p->zero_outside = g->outside;
    for (int a = 0; a < 3; a++) {
        p->nodes[a] = air->nodes[a];
        p->origin[a] = (float)(air->origin[a] + g->translate[a]);
        p->inv_spacing[a] = air->nodes[a] ? (float)(1.0 / air->spacing[a]) : 0.0f;
    }
    p->before = p->after = 0;
    p->between = 0.0f;
    for (int k = 1; k < g->slice_count && w->time >= g->slices[k - 1].time; k++) {
        p->before = k - 1, p->after = k;
        p->between = (float)fmin((w->time - g->slices[k - 1].time) / (g->slices[k].time - g->slices[k - 1].time), 1.0);
    }
}

/* -- formulas ------------------------------------------------------------------------------------------------------ */

static void put3(float to[3], const double from[3])
{
    for (int a = 0; a < 3; a++) to[a] = (float)from[a];
}

static air_flow flow_at(const mn_flow *f, double time)
{
    air_flow out = {.kind = (int)f->kind, .radius = (float)f->radius, .spread = (float)f->spread};
    double rate = 0.0, velocity[3] = {0.0, 0.0, 0.0};
    if (f->speed.count) mn_curve_at(&f->speed, time, &rate);
    if (f->velocity.count) mn_curve_at(&f->velocity, time, velocity);
    out.rate = (float)rate;
    put3(out.point, f->point);
    put3(out.along, f->kind == MN_FLOW_UNIFORM ? velocity : f->direction);
    put3(out.across, f->normal);
    for (int a = 0; a < 3; a++) {
        out.low[a] = f->bounded ? (float)f->low[a] : -FLT_MAX;
        out.high[a] = f->bounded ? (float)f->high[a] : FLT_MAX;
    }
    return out;
}

static void parameters(mn_world *w, void *me)
{
    const mn_air *air = &w->scene->air;
    air_params *p = &w->par.air;
    double v[3];
    if (!mn_air_faces(w, me)) w->failed = true;
    mn_curve_at(&air->velocity, w->time, v);
    p->x = (float)v[0], p->y = (float)v[1], p->z = (float)v[2];
    p->density = (float)air->density;
    p->viscosity = (float)air->viscosity;
    grid_parameters(w, me);
    p->flows = air->flow_count;
    for (int k = 0; k < air->flow_count; k++) p->flow[k] = flow_at(&air->flows[k], w->time);
}

const mn_air_field *mn_air_field_of(const mn_world *w) { return mn_part_of(w, &mn_air_system); }

const mn_system mn_air_system = {.key = "air",
                                 .bytes = sizeof(mn_air_field),
                                 .stage = MN_STAGE_air,
                                 .make = make,
                                 .at = {[MN_AT_parameters] = parameters, [MN_AT_forces] = mn_air_on_bodies}};
