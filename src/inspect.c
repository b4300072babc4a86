/* inspect.c -- what is doubtful about a world before its first step: particles that overlap, start inside or too close to walls, and a fixed time step far beyond
 * what the CFL condition and the models bear. Warnings only: some scenes want exactly that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/geometry.h"
#include "geometry/near.h"
#include "methods/methods.h"
#include "bodies/rigid.h"
#include "world.h"

static bool points_of(const real4 *x, int n, mn_points *out)
{
    for (int i = 0; i < n; i++) {
        const double p[3] = {(double)x[i].x, (double)x[i].y, (double)x[i].z};
        if (mn_points_add(out, p) != MN_OK) return false;
    }
    return true;
}

/* How many of `a` have a point of `b` nearer than `near`; *example is one of them. a == b: other points only. */
static long too_near(const real4 *a, int n, const real4 *b, int m, double near, int *example)
{
    mn_points points = {0};
    near_grid grid = {0};
    long count = 0;
    if (m > 0 && points_of(b, m, &points) && near_new(&grid, &points, near, m) == MN_OK) {
        bool ok = true;
        for (long k = 0; k < m && ok; k++) ok = near_add(&grid, k) == MN_OK;
        for (int i = 0; i < n && ok; i++) {
            const double x[3] = {(double)a[i].x, (double)a[i].y, (double)a[i].z};
            int found[2];
            if (near_list(&grid, x, near, found, 2) > (a == b) && !count++) *example = i;
        }
    }
    near_free(&grid);
    mn_points_free(&points);
    return count;
}

static long inside_walls(const mn_world *w, const real4 *pos, int n, int *example, const char **name)
{
    long count = 0;
    for (int k = 0; k < w->scene->wall_count; k++)
        for (int s = 0; s < w->scene->walls[k].shape_count; s++) {
            const mn_shape *shape = &w->scene->walls[k].shapes[s];
            if (shape->kind == MN_PLANE) continue; /* a sheet encloses nothing */
            mn_solid *solid = mn_solid_new(shape, NULL);
            for (int i = 0; i < n && solid; i++) {
                const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
                if (mn_solid_distance(solid, x, w->scene->spacing) < -0.25 * w->scene->spacing && !count++)
                    *example = i, *name = w->scene->walls[k].name;
            }
            mn_solid_free(solid);
        }
    return count;
}

/* How many start so near to a volume map that it will push them out. */
static long near_maps(const mn_world *w, const real4 *pos, int n, double near, int *example)
{
    long count = 0;
    for (int i = 0; i < n && w->maps.count; i++) {
        const double x[3] = {(double)pos[i].x, (double)pos[i].y, (double)pos[i].z};
        if (mn_maps_distance(w, x) < near && !count++) *example = i;
    }
    return count;
}

/* The time step that speeds, gravity and models allow at the start. */
static double stable_step(const mn_world *w, const real4 *vel, int n)
{
    const mn_scene *s = w->scene;
    double speed = 0.0, g[3];
    for (int i = 0; i < n; i++) speed = fmax(speed, (double)(vel[i].x * vel[i].x + vel[i].y * vel[i].y + vel[i].z * vel[i].z));
    for (int k = 0; k < w->walls.bodies; k++) {
        const real4 v = w->walls.vel[w->walls.resting + k];
        speed = fmax(speed, (double)(v.x * v.x + v.y * v.y + v.z * v.z));
    }
    speed = fmax(sqrt(speed), w->maps.fastest);
    mn_curve_at(&s->gravity, 0.0, g);
    const double pull = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    double limit = INFINITY;
    if (speed > 0.0) limit = fmin(limit, s->spacing / speed);
    if (pull > 0.0) limit = fmin(limit, sqrt(s->spacing / pull));
    for (int a = 0; a < w->active_count; a++)
        if (w->active[a].code->method->limit) limit = fmin(limit, w->active[a].code->method->limit(w, &w->active[a]));
    return limit;
}

static void describe_air(const mn_world *w, mn_messages *say)
{
    const mn_air_field *a = &w->air;
    if (!a->nodes[0]) return;
    const int slices = w->scene->air.grid.slice_count;
    double high[3];
    for (int k = 0; k < 3; k++) high[k] = a->origin[k] + (a->nodes[k] - 1) * a->spacing[k];
    mn_say(say, MN_NOTE, w->scene->air.grid.at,
           "air grid of %d x %d x %d nodes, %g x %g x %g m apart, from (%g, %g, %g) to (%g, %g, %g), %d slice%s, speeds of %.4g to "
           "%.4g m/s",
           a->nodes[0], a->nodes[1], a->nodes[2], a->spacing[0], a->spacing[1], a->spacing[2], a->origin[0], a->origin[1],
           a->origin[2], high[0], high[1], high[2], slices ? slices : 1, slices > 1 ? "s" : "", a->slowest, a->fastest);
}

void mn_world_inspect(mn_world *w, mn_messages *say)
{
    describe_air(w, say);
    const int n = w->layout.fluid;
    const mn_place at = {w->scene->path, 0, 0};
    real4 *pos = malloc((size_t)n * sizeof *pos + 16), *vel = malloc((size_t)n * sizeof *vel + 16);
    if (!pos || !vel || !w->api->get(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos) ||
        !w->api->get(w->device, w->field[MN_FIELD_vel], 0, vel, (size_t)n * sizeof *vel)) {
        free(pos), free(vel);
        return;
    }
    const double d = w->scene->spacing;
    int example = 0;
    const char *name = "";
    long count = too_near(pos, n, pos, n, 0.5 * d, &example);
    if (count)
        mn_say_warning(say, at, "%ld particles start closer than half a spacing to another, for example one at (%g, %g, %g)", count,
                       (double)pos[example].x, (double)pos[example].y, (double)pos[example].z);
    count = inside_walls(w, pos, n, &example, &name);
    if (count)
        mn_say_warning(
            say, at,
            "%ld particles start inside a wall, for example one at (%g, %g, %g) inside '%s'; inside_out makes a shape a container",
            count, (double)pos[example].x, (double)pos[example].y, (double)pos[example].z, name);
    else if ((count = too_near(pos, n, w->walls.pos, w->walls.resting + w->walls.bodies + w->walls.images, 0.6 * d, &example)))
        mn_say_warning(say, at,
                       "%ld particles start closer than 0.6 spacings to a wall and will be pushed out, for example one at (%g, %g, "
                       "%g); they rest at 1.1 spacings",
                       count, (double)pos[example].x, (double)pos[example].y, (double)pos[example].z);
    else if ((count = near_maps(w, pos, n, 0.85 * d, &example)))
        mn_say_warning(
            say, at,
            "%ld particles start closer than 0.85 spacings to a volume map and will be pushed out, for example one at (%g, "
            "%g, %g); they rest at 1.15 spacings",
            count, (double)pos[example].x, (double)pos[example].y, (double)pos[example].z);
    const char *other = "";
    if (w->rigid && mn_rigid_overlap(w->rigid, 0.1 * d, &name, &other))
        mn_say_warning(say, at, "\"%s\" and \"%s\" overlap at the start and will be pushed apart", name, other);
    mn_world_parameters(w);
    const double limit = stable_step(w, vel, n);
    if (!w->scene->adaptive && w->scene->step > 2.0 * limit)
        mn_say_warning(
            say, at, "time.step of %g s is far beyond what the scene's speeds, gravity and models bear at the start (about %.3g s)",
            w->scene->step, limit);
    free(pos), free(vel);
}
