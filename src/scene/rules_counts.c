/* rules_counts.c -- how many particles and boundary points a scene makes, about, from its text alone: refused are those
 * that no machine holds. As in rules.c, every test asks "is it bad?", so that NaN passes. */
#include "base/exact.h"
#include "scene/read.h"

#include <math.h>
#include <stdio.h>

/* Volume in m^3 and surface in m^2 of a shape's bounding primitive; good to a factor of two, to refuse absurd scenes
 * early. */
static void measure(const mn_shape_def *s, double *volume, double *area)
{
    double r = s->radius, q = s->radius > s->radius2 ? s->radius : s->radius2, h = s->height, *a = (double *)s->size;
    *volume = *area = 0;
    switch (s->kind) {
    case MN_BOX: *volume = a[0] * a[1] * a[2], *area = 2 * (a[0] * a[1] + a[1] * a[2] + a[2] * a[0]); break;
    case MN_SPHERE: *volume = 4.19 * r * r * r, *area = 12.6 * r * r; break;
    case MN_CYLINDER: *volume = M_PI * r * r * h, *area = 2 * M_PI * r * (r + h); break;
    case MN_CAPSULE: *volume = M_PI * r * r * (h + 1.33 * r), *area = 2 * M_PI * r * (2 * r + h); break;
    case MN_CONE: *volume = M_PI * q * q * h, *area = 2 * M_PI * q * (q + h); break;
    case MN_TORUS: *volume = 19.7 * r * s->radius2 * s->radius2, *area = 39.5 * r * s->radius2; break;
    case MN_PLANE: *area = a[0] * a[2]; break;
    case MN_MESH: break;
    }
    const double f[3] = {mn_shape_factor(s, 0), mn_shape_factor(s, 1), mn_shape_factor(s, 2)};
    *volume *= f[0] * f[1] * f[2];
    *area *= fmax(f[0] * f[1], fmax(f[1] * f[2], f[2] * f[0]));
}

/* What an emitter lays down until it ends: ids are 31 bits, and an opening that fills the memory in one step is
 * an error. */
double mn_emitter_forecast(const mn_scene *scene, const mn_emitter *e)
{
    const double d = scene->spacing, area = e->disc ? M_PI * e->radius * e->radius : e->size[0] * e->size[1];
    const double stop = fmin(e->stop, scene->end);
    double length = 0, speed;                                                 /* m */
    for (int k = 0; k < 1000 && stop > e->start && e->speed.count > 0; k++) { /* no speed: said before */
        mn_curve_at(&e->speed, e->start + (stop - e->start) * (k + 0.5) / 1000, &speed);
        length += speed * (stop - e->start) / 1000;
    }
    const double particles = area / (d * d) * length / d;
    return e->limit > 0 ? fmin(particles, (double)e->limit) : particles;
}

static void check_emitter(mn_reader *reader, const mn_scene *scene, const mn_emitter *e)
{
    const double most = 2e9, particles = mn_emitter_forecast(scene, e);
    if (particles > most && !(e->limit > 0))
        mn_complain_place(reader, e->at,
                          "this emitter emits about %.2g particles until %g s; expected at most %g, or a limit",
                          particles, fmin(e->stop, scene->end), most);
}

/* Rows of points along a shape's edges or axis, in metres: what a thin one has instead of an area. */
static double rows_of(const mn_shape_def *s)
{
    const double *a = s->size, round = s->kind == MN_TORUS ? 6.28 * s->radius : s->height + 2 * s->radius;
    const double widest = fmax(mn_shape_factor(s, 0), fmax(mn_shape_factor(s, 1), mn_shape_factor(s, 2)));
    return widest * (s->kind == MN_BOX     ? 4 * (a[0] + a[1] + a[2])
                     : s->kind == MN_PLANE ? a[0] + a[2]
                     : s->kind == MN_MESH  ? 0
                                           : round);
}

/* How many points these shapes get, about. Each sums over all within its support: far finer than the fluid, that has
 * no end. */
static double boundary_points(mn_reader *reader, const mn_scene *scene, const char *list, int index,
                              const mn_shape_def *shapes, int count, double spacing)
{
    const double most = 2e9, support = scene->support * scene->spacing;
    double volume, area, points = 0;
    for (int k = 0; k < count; k++) {
        measure(&shapes[k], &volume, &area);
        points += area / (spacing * spacing) + rows_of(&shapes[k]) / spacing;
    }
    const double pairs = points * M_PI * support * support / (spacing * spacing);
    if (points <= MN_MOST_BOUNDARY_POINTS && pairs > most) {
        char path[64];
        snprintf(path, sizeof path, "%s.%d.spacing", list, index);
        mn_complain_at(
            reader, path,
            "%g m makes about %.2g boundary points with %.2g neighbours each, at a particle spacing of %g m; "
            "expected at least %.2g m",
            spacing, points, pairs / points, scene->spacing, spacing * sqrt(sqrt(pairs / most)) * 1.01);
    }
    return points;
}

void mn_check_counts(mn_reader *reader, mn_scene *scene)
{
    for (int i = 0; i < scene->fluid_count; i++)
        for (int k = 0; k < scene->fluids[i].emitter_count; k++)
            check_emitter(reader, scene, &scene->fluids[i].emitters[k]);
    double fluid = 0, wall = 0, solid = 0, volume, area;
    for (int i = 0; i < scene->fluid_count; i++)
        for (int k = 0; k < scene->fluids[i].shape_count; k++) {
            measure(&scene->fluids[i].shapes[k], &volume, &area);
            fluid += volume / (scene->spacing * scene->spacing * scene->spacing);
        }
    for (int i = 0; i < scene->wall_count; i++)
        if (scene->walls[i].method == MN_WALL_SAMPLED)
            wall += boundary_points(reader, scene, "walls", i, scene->walls[i].shapes, scene->walls[i].shape_count,
                                    scene->walls[i].spacing);
    for (int i = 0; i < scene->body_count; i++)
        wall += boundary_points(reader, scene, "bodies", i, scene->bodies[i].shapes, scene->bodies[i].shape_count,
                                scene->bodies[i].spacing);
    for (int i = 0; i < scene->solid_count; i++)
        for (int k = 0; k < scene->solids[i].shape_count && scene->solids[i].spacing > 0.0; k++) { /* 0: is missing */
            measure(&scene->solids[i].shapes[k], &volume, &area);
            solid += volume / mn_power(scene->solids[i].spacing, 3);
        }
    if (solid > 2e7)
        mn_complain_at(reader, "solids.0.spacing",
                       "this spacing makes about %.2g particles of solids; expected at most 2e7", solid);
    if (fluid > MN_MOST_PARTICLES)
        mn_complain_at(reader, "particles.spacing",
                       "this spacing makes about %.2g fluid particles; expected at most %g", fluid, MN_MOST_PARTICLES);
    scene->boundary_points = wall;
    scene->solid_particles = solid;
    if (wall > MN_MOST_BOUNDARY_POINTS)
        mn_complain_at(reader, "particles.spacing",
                       "this spacing makes about %.2g boundary points; expected at most %g", wall,
                       MN_MOST_BOUNDARY_POINTS);
}
