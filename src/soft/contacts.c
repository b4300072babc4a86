/* contacts.c -- what soft solids touch.
 *
 * Walls: a penalty in every sub-step of the solid, against the plane that the wall's surface is near the particle
 * (elastic.c). Other solids, and distant parts of itself: once a step of the fluid, as equal and opposite impulses
 * between particles nearer than a spacing that take away the speed at which they close, and a part of the overlap;
 * shared by all contacts of a particle, so that they never push further than needed. Rigid bodies: the same, between
 * skin particles and the surface of the body.
 */
#include <math.h>
#include <stdlib.h>

#include "geometry/near.h"
#include "geometry/vectors.h"
#include "soft/soft_state.h"

enum { MOST_TOUCHED = 3, MOST_NEAR = 64 };

/* ----------------------------------------------------------------------------------------------------------- walls */

/* The wall as a plane near x, if it is within reach. */
static bool touches(const obstacle *wall, const double x[3], double radius, double reach, mn_contact *out)
{
    const mn_pose *p = &wall->pose;
    double arm[3], rest[3], normal[3];
    sub3(x, p->at, arm);
    mn_pose_rest(p, x, rest);
    const double distance = mn_shape_distance(wall->shape, rest, radius + reach);
    if (!(distance < radius + reach)) return false;
    mn_shape_normal(wall->shape, rest, 0.1 * radius, normal);
    double spin[3];
    cross3(p->spin, arm, spin);
    for (int a = 0; a < 3; a++) {
        out->normal[a] =
            p->rotation[3 * a] * normal[0] + p->rotation[3 * a + 1] * normal[1] + p->rotation[3 * a + 2] * normal[2];
        out->velocity[a] = p->velocity[a] + spin[a];
    }
    out->gap = distance - radius;
    return true;
}

int mn_soft_wall_contacts(const mn_soft *solids, const soft *s, double dt, mn_contact **out)
{
    *out = NULL;
    if (!s->what->contacts || !solids->wall_count || !s->skin_count) return 0;
    const mn_elastic *e = s->elastic;
    mn_contact *all = malloc((size_t)s->skin_count * MOST_TOUCHED * sizeof *all);
    int *found = calloc((size_t)s->skin_count, sizeof *found);
    if (!all || !found) {
        free(all), free(found);
        return -1;
    }
#pragma omp parallel for num_threads(solids->threads) schedule(dynamic, 64) if (s->skin_count > 256)
    for (int n = 0; n < s->skin_count; n++) {
        const int i = s->skin[n];
        const double reach = 0.5 * e->spacing + 2 * dt * length3(&e->v[3 * i]);
        for (int k = 0; k < solids->wall_count && found[n] < MOST_TOUCHED && !e->fixed[i]; k++) {
            mn_contact *c = &all[n * MOST_TOUCHED + found[n]];
            *c = (mn_contact){.particle = i, .friction = s->what->grip};
            found[n] += touches(&solids->walls[k], &e->x[3 * i], 0.5 * e->spacing, reach, c);
        }
    }
    int count = 0;
    for (int n = 0; n < s->skin_count; n++)
        for (int k = 0; k < found[n]; k++) all[count++] = all[n * MOST_TOUCHED + k];
    free(found);
    *out = all;
    return count;
}

/* ---------------------------------------------------------------------------------------------------- other solids */

/* Skin particles of all solids that take part. */
typedef struct skins {
    mn_points points;
    int *solid, *particle, *touching;
    near_grid grid;
    double reach;
} skins;

static void skins_free(skins *c)
{
    near_free(&c->grid);
    mn_points_free(&c->points);
    free(c->solid), free(c->particle), free(c->touching);
}

static bool skins_make(const mn_soft *solids, skins *c)
{
    long most = 0;
    *c = (skins){0};
    for (int k = 0; k < solids->count; k++) {
        most += solids->at[k].skin_count;
        c->reach = fmax(c->reach, solids->at[k].elastic->spacing);
    }
    c->solid = malloc(((size_t)most + 1) * sizeof *c->solid);
    c->particle = malloc(((size_t)most + 1) * sizeof *c->particle);
    c->touching = calloc((size_t)most + 1, sizeof *c->touching);
    bool ok = c->solid && c->particle && c->touching && near_new(&c->grid, &c->points, c->reach, most) == MN_OK;
    for (int k = 0; k < solids->count && ok; k++)
        for (int n = 0; n < solids->at[k].skin_count && solids->at[k].what->contacts && ok; n++) {
            const long at = c->points.count;
            c->solid[at] = k, c->particle[at] = solids->at[k].skin[n];
            ok = mn_points_add(&c->points, &solids->at[k].elastic->x[3 * c->particle[at]]) == MN_OK &&
                 near_add(&c->grid, at) == MN_OK;
        }
    return ok;
}

static int ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Others that are nearer than the mean of the two spacings and were no neighbours at rest. */
static int partners(const mn_soft *solids, const skins *c, int at, int out[MOST_NEAR])
{
    const mn_elastic *a = solids->at[c->solid[at]].elastic;
    int found[MOST_NEAR], count = 0;
    const int near = near_list(&c->grid, &c->points.x[3 * at], c->reach, found, MOST_NEAR);
    qsort(found, (size_t)near, sizeof *found, ascending);
    for (int n = 0; n < near; n++) {
        const int other = found[n];
        const mn_elastic *b = solids->at[c->solid[other]].elastic;
        if (other == at || distance3(&c->points.x[3 * at], &c->points.x[3 * other]) >= 0.5 * (a->spacing + b->spacing))
            continue;
        if (a == b && distance3(&a->rest[3 * c->particle[at]], &a->rest[3 * c->particle[other]]) < 1.25 * a->h)
            continue;
        out[count++] = other;
    }
    return count;
}

/* The force on one particle by another: the mirror image, to the last bit, of that on the other. */
static void part(const mn_soft *solids, const skins *c, int at, int other, double dt, double out[3])
{
    const soft *s = &solids->at[c->solid[at]], *t = &solids->at[c->solid[other]];
    const mn_elastic *a = s->elastic, *b = t->elastic;
    const int i = c->particle[at], j = c->particle[other];
    double d[3], dv[3];
    sub3(&a->x[3 * i], &b->x[3 * j], d), sub3(&a->v[3 * i], &b->v[3 * j], dv);
    const double r = length3(d), inverse_mass = (a->fixed[i] ? 0 : 1 / a->mass) + (b->fixed[j] ? 0 : 1 / b->mass);
    if (!(r > 0) || !(inverse_mass > 0)) return;
    const double overlap = 0.5 * (a->spacing + b->spacing) - r, closing = -dot3(dv, d) / r;
    const double speed = fmin(mn_material_speed(&a->material), mn_material_speed(&b->material));
    const double away = closing + fmin(0.1 * overlap / dt, 0.1 * speed);
    if (!(away > 0)) return;
    const int shared = c->touching[at] > c->touching[other] ? c->touching[at] : c->touching[other];
    const double push = away / (inverse_mass * dt * shared), grip = fmin(s->what->grip, t->what->grip);
    double slide[3];
    for (int k = 0; k < 3; k++) slide[k] = dv[k] + closing * d[k] / r;
    const double slip = length3(slide),
                 friction = slip > 0 ? fmin(grip * push / slip, 0.5 / (inverse_mass * dt * shared)) : 0;
    for (int k = 0; k < 3; k++) out[k] += push * d[k] / r - friction * slide[k];
}

bool mn_soft_push_apart(mn_soft *solids, double dt)
{
    skins c;
    const bool ok = skins_make(solids, &c);
    const int count = ok ? (int)c.points.count : 0;
#pragma omp parallel for num_threads(solids->threads) schedule(dynamic, 64) if (count > 256)
    for (int at = 0; at < count; at++) {
        int near[MOST_NEAR];
        c.touching[at] = partners(solids, &c, at, near);
    }
#pragma omp parallel for num_threads(solids->threads) schedule(dynamic, 64) if (count > 256)
    for (int at = 0; at < count; at++) {
        int near[MOST_NEAR];
        const int touching = c.touching[at] ? partners(solids, &c, at, near) : 0;
        for (int n = 0; n < touching; n++)
            part(solids, &c, at, near[n], dt, &solids->at[c.solid[at]].load[3 * c.particle[at]]);
    }
    skins_free(&c);
    return ok;
}

/* ---------------------------------------------------------------------------------------------------- rigid bodies */

/* Whether the particle is nearer to the body than half a spacing; by how much, and the outward direction. */
static bool presses(const mn_rigid_shape *shape, const mn_pose *p, const double x[3], double radius, double *depth,
                    double normal[3])
{
    double rest[3], slope[3];
    mn_pose_rest(p, x, rest);
    const double distance = mn_rigid_shape_distance(shape, rest, radius);
    if (!(distance < radius)) return false;
    for (int a = 0; a < 3; a++) {
        double low[3] = {rest[0], rest[1], rest[2]}, high[3] = {rest[0], rest[1], rest[2]};
        low[a] -= 0.1 * radius, high[a] += 0.1 * radius;
        slope[a] = mn_rigid_shape_distance(shape, high, 4 * radius) - mn_rigid_shape_distance(shape, low, 4 * radius);
    }
    const double length = length3(slope);
    if (!(length > 0)) return false;
    for (int a = 0; a < 3; a++) normal[a] = dot3(&p->rotation[3 * a], slope) / length;
    *depth = radius - distance;
    return true;
}

/* How far the body reaches from the origin of its pose. */
static double reach_of(const mn_rigid_shape *shape, const mn_pose *p)
{
    double far = 0;
    for (int k = 0; k < shape->count; k++) {
        double low[3], high[3];
        mn_shape_bounds(shape->shapes[k], low, high);
        for (int corner = 0; corner < 8; corner++) {
            const double x[3] = {corner & 1 ? low[0] : high[0], corner & 2 ? low[1] : high[1],
                                 corner & 4 ? low[2] : high[2]};
            far = fmax(far, distance3(x, p->origin));
        }
    }
    return far;
}

typedef struct touch {
    int particle;
    double depth, normal[3];
} touch;

bool mn_soft_touch(mn_soft *solids, const mn_rigid_shape *shape, const mn_pose *pose, bool is_free, double grip,
                   double dt, double force[3], double torque[3])
{
    const double reach = reach_of(shape, pose);
    for (int k = 0; k < solids->count; k++) {
        soft *s = &solids->at[k];
        const mn_elastic *e = s->elastic;
        touch *list = s->what->contacts ? malloc(((size_t)s->skin_count + 1) * sizeof *list) : NULL;
        if (s->what->contacts && !list) return false;
        int count = 0;
        for (int n = 0; n < s->skin_count && list; n++) {
            touch *t = &list[count];
            t->particle = s->skin[n];
            const double *x = &e->x[3 * t->particle];
            if (distance3(x, pose->at) < reach + e->spacing)
                count += presses(shape, pose, x, 0.5 * e->spacing, &t->depth, t->normal);
        }
        for (int n = 0; n < count; n++) {
            const int i = list[n].particle;
            double arm[3], turn[3], rel[3], slide[3], push[3], moment[3];
            sub3(&e->x[3 * i], pose->at, arm);
            cross3(pose->spin, arm, turn);
            for (int a = 0; a < 3; a++) rel[a] = e->v[3 * i + a] - pose->velocity[a] - turn[a];
            /* all that touch stop the body together */
            const double inverse_mass = (e->fixed[i] ? 0 : 1 / e->mass) + (is_free ? count / shape->mass : 0);
            const double closing = -dot3(rel, list[n].normal);
            const double away = closing + fmin(0.1 * list[n].depth / dt, 0.1 * mn_material_speed(&e->material));
            if (!(away > 0) || !(inverse_mass > 0)) continue;
            for (int a = 0; a < 3; a++) slide[a] = rel[a] + closing * list[n].normal[a];
            const double normal = away / (inverse_mass * dt), slip = length3(slide);
            const double friction =
                slip > 0 ? fmin(fmin(grip, s->what->grip) * normal / slip, 0.5 / (inverse_mass * dt)) : 0;
            for (int a = 0; a < 3; a++) push[a] = normal * list[n].normal[a] - friction * slide[a];
            cross3(arm, push, moment);
            for (int a = 0; a < 3; a++) s->load[3 * i + a] += push[a], force[a] -= push[a], torque[a] -= moment[a];
        }
        free(list);
    }
    return true;
}
