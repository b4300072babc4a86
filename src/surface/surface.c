/* surface.c -- particles to mesh: cloud, densities, grid, skin, triangles; see surface.h. */
#include "base/exact.h"
#include "surface/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "surface/attributes.h"
#include "surface/faces.h"
#include "surface/spray.h"

/* Where the surface lies: the field is 1 inside the liquid, 0 outside. */
static const float LEVEL = 0.5f;
/* Particles of at least this density, whose neighbours surround them that evenly (spacings), have no surface near
 * them. */
static const float DEEP = 0.93f, EVEN = 0.15f;

/* Particles touch a wall up to so many spacings beyond the gap at rest, and not at all from there on. */
static const float TOUCHES = 0.5f, APART = 0.8f;

/* Everything that the meshes of a frame share. */
typedef struct work {
    const mn_frame *frame;
    const mn_surface_options *opt;
    mn_messages *say;
    cloud cloud;
    float *density, *volume, *touch;
    bool *deep, *mine, *behind;
    float cell;
    bool walls_seen;
} work;

static mn_status no_memory(mn_messages *say)
{
    mn_say_failure(say, MN_NOWHERE, "out of memory for a surface mesh");
    return MN_FAILED;
}

/* ----------------------------------------------------------------------------------------------- set-up */

static mn_status check_options(const mn_frame *frame, const mn_surface_options *opt, mn_messages *say)
{
    if (!(isfinite(opt->spacing) && opt->spacing > 0)) {
        mn_say_error(say, MN_NOWHERE, "the spacing of the particles is %g m; expected a number above 0", opt->spacing);
        return MN_BAD_INPUT;
    }
    if (opt->cell != 0 && !(isfinite(opt->cell) && opt->cell > 0 && opt->cell <= opt->spacing)) {
        mn_say_error(say, MN_NOWHERE,
                     "the cell of the surface mesh is %g m; expected a number above 0 and at most the spacing, %g m",
                     opt->cell, opt->spacing);
        return MN_BAD_INPUT;
    }
    if (!(opt->smoothing <= MN_SURFACE_MOST_SMOOTHING)) {
        mn_say_error(say, MN_NOWHERE, "the smoothing of the surface mesh is %g spacings; expected at most %g",
                     opt->smoothing, MN_SURFACE_MOST_SMOOTHING);
        return MN_BAD_INPUT;
    }
    return mn_frame_check("surface mesh", frame, say);
}

/* Positions in spacings from an origin that lies on a corner of the blocks, whatever the particles are: so the grid
 * stands still in the world. */
static mn_status set_cloud(work *w)
{
    const float *x = w->frame->fields[0].data;
    const int32_t count = (int32_t)w->frame->count;
    const double spacing = w->opt->spacing, edge = 8 * (double)w->cell * spacing;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, origin[3];
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const double p = (double)x[3 * (size_t)i + (size_t)k];
            if (!isfinite(p)) {
                mn_say_error(w->say, MN_NOWHERE, "the position of particle %d is not finite", i);
                return MN_BAD_INPUT;
            }
            low[k] = fmin(low[k], p);
            high[k] = fmax(high[k], p);
        }
    for (int k = 0; k < 3; k++) {
        const double margin = 6 * spacing + 2 * edge;
        origin[k] = count ? edge * floor((low[k] - margin) / edge) : 0;
        if (count && !((high[k] + margin - origin[k]) / fmin(edge, spacing) < 1 << 20)) {
            mn_say_error(
                w->say, MN_NOWHERE,
                "the particles are %g m apart, too far for a surface mesh of cells of %g m; expected cells not "
                "much smaller than the spacing of the particles, %g m",
                high[k] - low[k], w->cell * spacing, spacing);
            return MN_BAD_INPUT;
        }
    }
    float *u = malloc(3 * ((size_t)count + 1) * sizeof *u);
    if (!u) return no_memory(w->say);
    for (size_t i = 0; i < 3 * (size_t)count; i++) u[i] = (float)(((double)x[i] - origin[i % 3]) / spacing);
    const bool good = cloud_new(&w->cloud, u, NULL, count, origin, spacing);
    free(u);
    return good ? MN_OK : no_memory(w->say);
}

/* The number density at a particle, and how far the middle of its neighbours lies from it. Eight sums side by side,
 * added up in order: so the bits are those of every compiler. */
static float density_at(const cloud *c, const cloud_run *runs, int run_count, int32_t i, float *lean)
{
    enum { SUMS = 8 };
    const float x = c->x[i], y = c->y[i], z = c->z[i];
    float sum[SUMS] = {0}, sx[SUMS] = {0}, sy[SUMS] = {0}, sz[SUMS] = {0};
    for (int r = 0; r < run_count; r++)
        for (int32_t from = runs[r].begin; from < runs[r].end; from += SUMS) {
            const int32_t left = runs[r].end - from, count = left < SUMS ? left : SUMS;
#pragma omp simd
            for (int32_t k = 0; k < count; k++) {
                const float dx = c->x[from + k] - x, dy = c->y[from + k] - y, dz = c->z[from + k] - z,
                            w = cloud_kernel(dx * dx + dy * dy + dz * dz);
                sum[k] += w;
                sx[k] += w * dx;
                sy[k] += w * dy;
                sz[k] += w * dz;
            }
        }
    for (int k = 1; k < SUMS; k++) sum[0] += sum[k], sx[0] += sx[k], sy[0] += sy[k], sz[0] += sz[k];
    *lean = sqrtf(sx[0] * sx[0] + sy[0] * sy[0] + sz[0] * sz[0]) / sum[0];
    return sum[0] * CLOUD_WEIGHT;
}

/* The volume of a particle by the density around it. At a flat surface (density 0.82 on a lattice) it makes up for
 * gaps between particles; in films, threads and drops it is what puts the level at the distance that encloses one
 * spacing cubed a particle. */
static float volume_of(float density)
{
    const float near_surface = fminf(0.82f / density, 1.17f), thin = 0.68f / density;
    return CLOUD_WEIGHT * fmaxf(1, fmaxf(near_surface, thin));
}

/* Whether a particle of another liquid is within reach: the border between them is a surface of both. */
static bool meets_another(const work *w, const cloud_run *runs, int run_count, int32_t i)
{
    const cloud *c = &w->cloud;
    const int32_t own = w->opt->liquid_count > 1 ? w->opt->liquid[c->index[i]] : 0;
    for (int r = 0; r < run_count && w->opt->liquid_count > 1; r++)
        for (int32_t j = runs[r].begin; j < runs[r].end; j++) {
            const float dx = c->x[j] - c->x[i], dy = c->y[j] - c->y[i], dz = c->z[j] - c->z[i];
            if (w->opt->liquid[c->index[j]] != own && dx * dx + dy * dy + dz * dz < CLOUD_REACH * CLOUD_REACH)
                return true;
        }
    return false;
}

static void set_densities(work *w)
{
    const cloud *c = &w->cloud;
#pragma omp parallel for schedule(dynamic, 64)
    for (int32_t bin = 0; bin < c->bin_count; bin++) {
        int place[3];
        float low[3], high[3];
        cloud_bin_place(c, bin, place);
        for (int k = 0; k < 3; k++) {
            low[k] = ((float)place[k] - 0.5f) * CLOUD_REACH;
            high[k] = ((float)place[k] + 1.5f) * CLOUD_REACH;
        }
        cloud_run runs[64];
        const int count = cloud_runs(c, low, high, runs);
        for (int32_t i = c->first[bin]; i < c->first[bin + 1]; i++) {
            float lean;
            w->density[i] = density_at(c, runs, count, i, &lean);
            w->volume[i] = volume_of(w->density[i]);
            w->deep[i] = w->density[i] > DEEP && lean < EVEN && !meets_another(w, runs, count, i);
        }
    }
}

static mn_status set_fields(work *w)
{
    const size_t count = (size_t)w->cloud.count + 8;
    w->density = malloc(count * sizeof *w->density);
    w->volume = calloc(count, sizeof *w->volume);
    w->deep = calloc(count, 1);
    if (w->opt->liquid_count > 1) w->mine = calloc(count, 1);
    if (!w->density || !w->volume || !w->deep || (w->opt->liquid_count > 1 && !w->mine)) return no_memory(w->say);
    set_densities(w);
    return MN_OK;
}

/* Which particles are behind a wall; of those in front of one the density without the wall. */
static mn_status look_at_walls(work *w, const liquid_field *field)
{
    const cloud *c = field->cloud;
    bool any = false;
    if (!field->wall || w->walls_seen) return MN_OK;
    w->walls_seen = true;
    w->behind = calloc((size_t)c->count + 1, 1);
    w->touch = calloc((size_t)c->count + 1, sizeof *w->touch);
    if (!w->behind || !w->touch) return no_memory(w->say);
#pragma omp parallel for schedule(dynamic, 1024) reduction(|| : any)
    for (int32_t i = 0; i < c->count; i++) {
        const float u[3] = {c->x[i], c->y[i], c->z[i]};
        if (w->deep[i]) continue;
        float gap;
        const float s = field_wall(field, u, 4, &gap);
        w->behind[i] = s < -0.75f;
        const float off = fminf(fmaxf((s - gap - TOUCHES) / (APART - TOUCHES), 0), 1);
        w->touch[i] = 1 - off * off * (3 - 2 * off);
        any = any || w->behind[i];
        if (!w->behind[i]) w->density[i] /= field_share(field, u, s, gap);
        w->volume[i] = volume_of(w->density[i]);
    }
    if (any) return MN_OK;
    free(w->behind);
    w->behind = NULL;
    return MN_OK;
}

/* ------------------------------------------------------------------------------------------------- output */

static float square(const skin *s, int32_t a, int32_t b)
{
    float sum = 0;
    for (size_t k = 0; k < 3; k++) {
        const float d = s->u[3 * (size_t)a + k] - s->u[3 * (size_t)b + k];
        sum += d * d;
    }
    return sum;
}

/* Each face is cut along its shorter diagonal. */
static void cut_faces(const skin *s, int32_t *out)
{
#pragma omp parallel for schedule(static)
    for (int32_t f = 0; f < s->face_count; f++) {
        const int32_t *v = s->face + 4 * (size_t)f;
        const int turn = square(s, v[1], v[3]) < square(s, v[0], v[2]);
        const int32_t six[6] = {v[turn], v[turn + 1], v[turn + 2], v[turn], v[turn + 2], v[(turn + 3) % 4]};
        memcpy(out + 6 * (size_t)f, six, sizeof six);
    }
}

static bool write_out(const work *w, const liquid_field *field, skin *s, mn_surface *out)
{
    out->time = w->frame->time;
    out->vertex_count = s->count;
    out->triangle_count = 2 * s->face_count;
    out->position = malloc(3 * ((size_t)s->count + 1) * sizeof(float));
    out->triangle = malloc(6 * ((size_t)s->face_count + 1) * sizeof(int32_t));
    if (!out->position || !out->triangle) return false;
    for (size_t i = 0; i < 3 * (size_t)s->count; i++)
        out->position[i] = (float)(w->cloud.origin[i % 3] + w->cloud.spacing * (double)s->u[i]);
    cut_faces(s, out->triangle);
    skin_normals(s);
    out->normal = s->normal;
    s->normal = NULL;
    return attributes_make(field, s, w->frame, out);
}

/* Bytes that may be taken without pushing others out: files in the cache can go, so free pages alone are too few. */
static double memory_left(void)
{
    double left = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/meminfo", "re");
    char line[128];
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "MemAvailable:", 13) == 0) left = 1024 * strtod(line + 13, NULL);
    if (file) fclose(file);
    return left;
}

/* Nodes are counted in 32 bits. */
static const double MOST_MEMORY = 4e10;

static mn_status check_memory(const work *w, const liquid_field *field)
{
    const double limit = fmin(w->opt->memory > 0 ? w->opt->memory : memory_left(), MOST_MEMORY);
    const double needed = grid_estimate(field, w->cell), cell = (double)w->cell * w->opt->spacing;
    if (needed <= limit) return MN_OK;
    mn_say_error(w->say, MN_NOWHERE,
                 "a surface mesh with cells of %g m needs about %.3g GB of memory, and %.3g GB may be taken; expected "
                 "cells of %.2g m or "
                 "more",
                 cell, needed / 1e9, limit / 1e9, fmin(cell * mn_cbrt(1.2 * needed / limit), w->opt->spacing));
    return MN_BAD_INPUT;
}

static mn_status make_one(work *w, int number, mn_surface *out)
{
    liquid_field field = {.cloud = &w->cloud,
                          .volume = w->volume,
                          .density = w->density,
                          .deep = w->deep,
                          .mine = w->mine,
                          .level = LEVEL,
                          .wall = w->opt->wall,
                          .walls = w->opt->walls};
    for (int32_t i = 0; w->mine && i < w->cloud.count; i++) w->mine[i] = w->opt->liquid[w->cloud.index[i]] == number;
    mn_status status = look_at_walls(w, &field);
    field.behind = w->behind;
    field.touch = w->touch;
    if (status == MN_OK) status = check_memory(w, &field);
    if (status != MN_OK) return status;
    grid g;
    skin s;
    if (!grid_new(&g, &field, w->cell, w->opt->hollows < 0 ? MN_SURFACE_HOLLOWS : w->opt->hollows))
        return no_memory(w->say);
    bool good = grid_pieces(&g, &field) && skin_new(&s, &g, &field);
    if (good) {
        const double wave = w->opt->smoothing < 0 ? MN_SURFACE_SMOOTHING : w->opt->smoothing;
        good = skin_smooth(&s, &field, w->mine ? NULL : g.piece_volume, wave, (double)w->cell);
        good = good && write_out(w, &field, &s, out);
        if (good && w->opt->spray) good = spray_round(&s, &g, &w->cloud, out);
        skin_free(&s);
    }
    grid_free(&g);
    return good ? MN_OK : no_memory(w->say);
}

mn_status mn_surface_make(const mn_frame *frame, const mn_surface_options *opt, mn_surface *out, mn_messages *say)
{
    const int count = opt->liquid_count > 1 ? opt->liquid_count : 1;
    for (int k = 0; k < count; k++) out[k] = (mn_surface){.time = frame->time};
    mn_status status = check_options(frame, opt, say);
    if (status != MN_OK || frame->count == 0) return status;
    work w = {.frame = frame, .opt = opt, .say = say, .cell = (float)(opt->cell > 0 ? opt->cell / opt->spacing : 0.5)};
    status = set_cloud(&w);
    if (status == MN_OK) status = set_fields(&w);
    for (int k = 0; k < count && status == MN_OK; k++) status = make_one(&w, k, &out[k]);
    for (int k = 0; k < count && status != MN_OK; k++) mn_surface_free(&out[k]);
    cloud_free(&w.cloud);
    free(w.density);
    free(w.volume);
    free(w.deep);
    free(w.mine);
    free(w.behind);
    free(w.touch);
    return status;
}

void mn_surface_free(mn_surface *s)
{
    for (int f = 0; f < s->field_count; f++) free(s->fields[f].data);
    free(s->fields);
    free(s->position);
    free(s->normal);
    free(s->triangle);
    *s = (mn_surface){0};
}

const mn_surface_field *mn_surface_find(const mn_surface *s, const char *name)
{
    for (int f = 0; f < s->field_count; f++)
        if (strcmp(s->fields[f].name, name) == 0) return &s->fields[f];
    return NULL;
}
