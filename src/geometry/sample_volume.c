/* sample_volume.c -- fills shapes with particles on cubic lattices, or hands them to the Poisson-disk sampler.
 *
 * A lattice lives in the frame of its shape, centred in its bounds. A box uses all its cells. Other shapes keep the
 * lattice points with a distance below zero: counting points inside is an unbiased measure of the volume, while
 * keeping only those half a spacing deep would lose a layer (14 % of a sphere with a radius of ten spacings).
 *
 * Union: a shape that shares space with an earlier one continues that one's lattice, so that there is no seam. Where
 * this cannot be (exact counts, or several earlier lattices) the earlier shape keeps its space.
 */
#include "geometry/near.h"
#include "geometry/shape.h"
#include "geometry/random.h"
#include "geometry/vectors.h"

#include <stdlib.h>

/* Point (i, j, k) is first + spacing * (i axis[0] + j axis[1] + k axis[2]). */
typedef struct lattice {
    double first[3], axis[3][3], spacing;
    long count[3];
    bool all; /* every point is kept; else those inside the shape */
} lattice;

typedef struct filling {
    mn_shape *const *shapes;
    const mn_shape_def *defs;
    int count;
    double spacing;
    mn_points *out;
    mn_messages *say;
    lattice *lattices; /* of the shapes done */
    near_grid near;    /* used only with several shapes */
} filling;

static bool has_grid(const mn_shape_def *shape)
{
    return shape->kind == MN_BOX && (shape->grid[0] || shape->grid[1] || shape->grid[2]);
}

/* Signed distance of the space that a shape fills; for exact counts that is the box of its cells. */
static double filled_distance(const filling *f, int shape, const double x[3], double limit)
{
    const mn_shape_def *s = &f->defs[shape];
    if (!has_grid(s)) return mn_shape_distance(f->shapes[shape], x, limit);
    double outside2 = 0, inside = -INFINITY;
    for (int k = 0; k < 3; k++) {
        double centre = s->origin[k] + 0.5 * (s->grid[k] - 1) * f->spacing,
               q = fabs(x[k] - centre) - 0.5 * s->grid[k] * f->spacing;
        outside2 += q > 0 ? q * q : 0;
        inside = fmax(inside, q);
    }
    return inside > 0 ? sqrt(outside2) : inside;
}

static void filled_bounds(const filling *f, int shape, double low[3], double high[3])
{
    const mn_shape_def *s = &f->defs[shape];
    mn_shape_bounds(f->shapes[shape], low, high);
    for (int k = 0; has_grid(s) && k < 3; k++) {
        low[k] = s->origin[k] - 0.5 * f->spacing;
        high[k] = s->origin[k] + (s->grid[k] - 0.5) * f->spacing;
    }
}

/* ------------------------------------------------------------ lattices */

static void lattice_point(const lattice *l, const long i[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = l->first[k] + l->spacing * ((double)i[0] * l->axis[0][k] + (double)i[1] * l->axis[1][k] +
                                             (double)i[2] * l->axis[2][k]);
}

/* Counts come as doubles: they are checked before they become integers. */
static mn_status set_counts(const filling *f, int shape, lattice *l, const double count[3])
{
    double cells = count[0] * count[1] * count[2];
    if (!(cells <= MN_MAX_SAMPLES)) {
        mn_say_error(f->say, f->defs[shape].at, "%s: %.3g particles at a spacing of %g m, more than the %.3g allowed",
                     mn_shape_name(f->defs[shape].kind), cells, f->spacing, MN_MAX_SAMPLES);
        return MN_BAD_INPUT;
    }
    for (int k = 0; k < 3; k++) l->count[k] = cells > 0 ? (long)count[k] : 0;
    return MN_OK;
}

static mn_status own_lattice(const filling *f, int shape, lattice *l)
{
    const mn_shape *one = f->shapes[shape];
    const mn_shape_def *s = &f->defs[shape];
    double count[3], first[3];
    *l = (lattice){.spacing = f->spacing, .all = s->kind == MN_BOX};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) l->axis[k][j] = has_grid(s) ? k == j : one->rotation[3 * j + k];
    if (has_grid(s)) {
        for (int k = 0; k < 3; k++) count[k] = s->grid[k], l->first[k] = s->origin[k];
        return set_counts(f, shape, l, count);
    }
    for (int k = 0; k < 3; k++) {
        double cells = (one->high[k] - one->low[k]) / f->spacing;
        if (l->all) { /* a side of k spacings may fall short of it by rounding */
            count[k] = floor(cells * (1 + 1e-6));
            first[k] = one->low[k] + 0.5 * f->spacing;
        } else { /* the parity follows the width: flat ends then lie half a spacing from the points */
            count[k] = fmax(1, floor(cells + 0.5));
            first[k] = 0.5 * (one->low[k] + one->high[k]) - 0.5 * (count[k] - 1) * f->spacing;
        }
    }
    mn_shape_place(one, first, l->first);
    return set_counts(f, shape, l, count);
}

/* Coordinates of x in units of the lattice. */
static void lattice_coordinates(const lattice *l, const double x[3], double out[3])
{
    double from[3];
    sub3(x, l->first, from);
    for (int k = 0; k < 3; k++) out[k] = dot3(from, l->axis[k]) / l->spacing;
}

static bool same_lattice(const lattice *a, const lattice *b)
{
    double at[3];
    for (int k = 0; k < 3; k++)
        if (dot3(a->axis[k], b->axis[k]) < 1 - 1e-9) return false;
    lattice_coordinates(a, b->first, at);
    for (int k = 0; k < 3; k++)
        if (fabs(at[k] - floor(at[k] + 0.5)) > 1e-3) return false;
    return true;
}

/* The lattice of an earlier shape, extended over the bounds of this one. */
static mn_status borrowed_lattice(const filling *f, int shape, const lattice *from, lattice *l)
{
    double low[3], high[3], least[3], most[3], count[3];
    filled_bounds(f, shape, low, high);
    *l = *from;
    l->all = false;
    for (int k = 0; k < 3; k++) least[k] = INFINITY, most[k] = -INFINITY;
    for (int c = 0; c < 8; c++) {
        double corner[3] = {c & 1 ? high[0] : low[0], c & 2 ? high[1] : low[1], c & 4 ? high[2] : low[2]}, at[3];
        lattice_coordinates(from, corner, at);
        for (int k = 0; k < 3; k++) least[k] = fmin(least[k], at[k]), most[k] = fmax(most[k], at[k]);
    }
    for (int k = 0; k < 3; k++) {
        least[k] = floor(least[k]);
        count[k] = ceil(most[k]) - least[k] + 1;
        for (int j = 0; j < 3; j++) l->first[j] += l->spacing * least[k] * l->axis[k][j];
    }
    return set_counts(f, shape, l, count);
}

static bool bounds_overlap(const filling *f, int a, int b)
{
    double low[2][3], high[2][3], slack = 1e-6 * f->spacing;
    filled_bounds(f, a, low[0], high[0]);
    filled_bounds(f, b, low[1], high[1]);
    for (int k = 0; k < 3; k++)
        if (low[0][k] > high[1][k] - slack || low[1][k] > high[0][k] - slack) return false;
    return true;
}

/* Some particle that the shape would place takes space of the earlier one. */
static bool collides(const filling *f, int shape, const lattice *l, int earlier)
{
    double touch = (0.5 - 1e-6) * f->spacing, x[3];
    long i[3];
    for (i[2] = 0; i[2] < l->count[2]; i[2]++)
        for (i[1] = 0; i[1] < l->count[1]; i[1]++)
            for (i[0] = 0; i[0] < l->count[0]; i[0]++) {
                lattice_point(l, i, x);
                if (filled_distance(f, earlier, x, f->spacing) < touch &&
                    (l->all || filled_distance(f, shape, x, f->spacing) < 0))
                    return true;
            }
    return false;
}

static mn_status choose_lattice(filling *f, int shape)
{
    lattice *l = &f->lattices[shape];
    mn_status status = own_lattice(f, shape, l);
    for (int e = 0; e < shape && status == MN_OK && !has_grid(&f->defs[shape]); e++)
        if (bounds_overlap(f, shape, e) && !same_lattice(l, &f->lattices[e]) && collides(f, shape, l, e))
            return borrowed_lattice(f, shape, &f->lattices[e], l);
    return status;
}

/* ------------------------------------------------------------ filling */

static bool wanted(const filling *f, int shape, const double x[3])
{
    const lattice *l = &f->lattices[shape];
    if (!l->all && !(filled_distance(f, shape, x, f->spacing) < -1e-6 * f->spacing)) return false;
    for (int e = 0; e < shape; e++)
        if (!same_lattice(l, &f->lattices[e]) && filled_distance(f, e, x, f->spacing) < 0) return false;
    return true;
}

static mn_status fill_shape(filling *f, int shape)
{
    const lattice *l = &f->lattices[shape];
    long layer = l->count[0] * l->count[1], before = f->out->count;
    char *keep = malloc((size_t)layer + 1);
    mn_status status = keep ? MN_OK : MN_FAILED;
    for (long k = 0; k < l->count[2] && status == MN_OK; k++) {
#pragma omp parallel for schedule(dynamic, 256) if (layer > 2000)
        for (long c = 0; c < layer; c++) {
            double x[3];
            lattice_point(l, (long[3]){c % l->count[0], c / l->count[0], k}, x);
            keep[c] = wanted(f, shape, x);
        }
        for (long c = 0; c < layer && status == MN_OK; c++) {
            double x[3];
            if (!keep[c]) continue;
            lattice_point(l, (long[3]){c % l->count[0], c / l->count[0], k}, x);
            /* The grid holds earlier shapes only: points of one lattice are a spacing apart. */
            if (shape == 0 || !near_any(&f->near, x, 0.75 * f->spacing)) status = mn_points_add(f->out, x);
        }
    }
    free(keep);
    for (long p = before; p < f->out->count && status == MN_OK && f->count > 1; p++) status = near_add(&f->near, p);
    return status;
}

static double union_distance(const void *context, const double x[3], double limit)
{
    const filling *f = context;
    double d = INFINITY;
    for (int s = 0; s < f->count; s++) d = fmin(d, filled_distance(f, s, x, limit));
    return d;
}

/* Moves that would leave the shapes are halved until they do not. */
static void jitter_points(const filling *f, long first, double jitter, int seed)
{
#pragma omp parallel for schedule(static) if (f->out->count - first > 2000)
    for (long p = first; p < f->out->count; p++) {
        random_stream r = random_from(seed, (uint64_t)(p - first));
        double move[3], *x = f->out->x + 3 * p;
        random_in_ball(&r, move);
        for (double size = jitter * f->spacing; size > 1e-3 * f->spacing; size *= 0.5) {
            double moved[3] = {x[0] + size * move[0], x[1] + size * move[1], x[2] + size * move[2]};
            if (union_distance(f, moved, f->spacing) > 0) continue;
            for (int k = 0; k < 3; k++) x[k] = moved[k];
            break;
        }
    }
}

static mn_status fill_lattices(filling *f, double jitter, int seed)
{
    long first = f->out->count;
    double expected = 0;
    f->lattices = calloc((size_t)f->count + 1, sizeof *f->lattices);
    mn_status status = f->lattices ? MN_OK : MN_FAILED;
    for (int s = 0; s < f->count && status == MN_OK; s++) {
        status = choose_lattice(f, s);
        const long *n = f->lattices[s].count;
        expected += (double)n[0] * (double)n[1] * (double)n[2];
    }
    if (status == MN_OK && expected > MN_MAX_SAMPLES) {
        mn_say_error(f->say, f->defs[0].at,
                     "%.3g particles at a spacing of %g m in all shapes, more than the %.3g allowed", expected,
                     f->spacing, MN_MAX_SAMPLES);
        status = MN_BAD_INPUT;
    }
    if (status == MN_OK && f->count > 1)
        status = near_new(&f->near, f->out, 0.75 * f->spacing, (long)fmin(2 * expected, 1e9));
    for (int s = 0; s < f->count && status == MN_OK; s++) status = fill_shape(f, s);
    if (status == MN_OK && jitter > 0) jitter_points(f, first, jitter, seed);
    near_free(&f->near);
    free(f->lattices);
    return status;
}

static mn_status fill_poisson(filling *f, int seed)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, cells = 1;
    for (int s = 0; s < f->count; s++) {
        double l[3], h[3];
        filled_bounds(f, s, l, h);
        for (int k = 0; k < 3; k++) low[k] = fmin(low[k], l[k]), high[k] = fmax(high[k], h[k]);
    }
    for (int k = 0; k < 3; k++) cells *= (high[k] - low[k]) / f->spacing;
    if (cells <= MN_MAX_SAMPLES) return mn_sample_poisson(union_distance, f, low, high, f->spacing, seed, f->out);
    mn_say_error(f->say, f->defs[0].at,
                 "the bounds of the shapes hold %.3g particles at a spacing of %g m, more than the %.3g allowed", cells,
                 f->spacing, MN_MAX_SAMPLES);
    return MN_BAD_INPUT;
}

/* ------------------------------------------------------------ entry */

static mn_status check_shape(const filling *f, int shape)
{
    const mn_shape *one = f->shapes[shape];
    const mn_shape_def *s = &f->defs[shape];
    mn_status status = mn_spacing_check(one, f->spacing, s->at, f->say);
    if (status != MN_OK) return status;
    if (one->inside_out || one->kind == MN_PLANE) {
        mn_say_error(f->say, s->at, "%s cannot be filled with particles: %s",
                     one->inside_out ? "an inside-out shape" : "a plane",
                     one->inside_out ? "it has no outer end" : "it is a half space without end");
        return MN_BAD_INPUT;
    }
    for (int k = 0; k < 3 && has_grid(s); k++)
        if (s->grid[k] < 1 || !(fabs(s->origin[k]) < 1e12 * f->spacing)) {
            mn_say_error(f->say, s->at, "box: %d particles along %c from %g m, expected at least 1 and a finite place",
                         s->grid[k], "xyz"[k], s -> origin[k]);
            return MN_BAD_INPUT;
        }
    return MN_OK;
}

mn_status mn_sample_volume(mn_shape *const *shapes, const mn_shape_def *defs, int count, mn_sampling how,
                           double spacing, double jitter, int seed, mn_points *out, mn_messages *say)
{
    filling f = {.shapes = shapes, .defs = defs, .count = count, .spacing = spacing, .out = out, .say = say};
    mn_place at = count > 0 ? defs[0].at : MN_NOWHERE;
    mn_status status = MN_OK;
    long before = out->count;
    if (count < 1) return MN_OK;
    if (!(jitter >= 0 && jitter <= 1)) {
        mn_say_error(say, at, "jitter is %g, expected 0 to 1 (spacings)", jitter);
        return MN_BAD_INPUT;
    }
    for (int s = 0; s < count; s++) {
        mn_status found = check_shape(&f, s);
        if (found != MN_OK) status = found;
    }
    if (status == MN_OK) status = how == MN_POISSON ? fill_poisson(&f, seed) : fill_lattices(&f, jitter, seed);
    if (status == MN_FAILED) mn_say_failure(say, at, "out of memory after %ld particles", out->count - before);
    if (status != MN_OK) out->count = before;
    if (status == MN_OK && out->count == before)
        mn_say_warning(say, at, "the shapes are too small to hold a particle at a spacing of %g m", spacing);
    return status;
}
