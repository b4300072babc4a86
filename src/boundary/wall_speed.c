/* wall_speed.c -- the largest speed |v + s x r| of the points of driven walls, to the very bits that a look at all of
 * them gives, but without that look in most steps:
 *
 *   |v + s x r| <= |v| + |s_x| R_x + |s_y| R_y + |s_z| R_z       R_a: of the point farthest from the line along a
 *
 * A wall that by this bound cannot be faster than another is left out; so is the jolt of a steady motion. Of the
 * fastest wall the points within SLACK of its greatest speed are kept. As long as v and s have changed by less than
 * half of that by the same bound, no other point can be faster. What rounding does to bounds and speeds, some ten
 * times 1e-16, is less than ROUNDING of the bound.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "boundary/wall_speed.h"
#include "geometry/vectors.h"

static const double ROUNDING = 1e-12, SLACK = 1e-6;

/* The square of the speed of a point at x. */
static inline double square_of(const double x[3], const double from[3], const mn_turning *t)
{
    const double *v = t->velocity, *s = t->spin;
    const double d = x[0] - from[0], e = x[1] - from[1], f = x[2] - from[2];
    const double a = v[0] + s[1] * f - s[2] * e, b = v[1] + s[2] * d - s[0] * f, c = v[2] + s[0] * e - s[1] * d;
    return a * a + b * b + c * c;
}

/* The largest speed of so many points. */
static double most_of(const double *x, long count, const double from[3], const mn_turning *t)
{
    const mn_turning now = *t;
    double most = 0.0;
#pragma omp parallel for simd schedule(static) reduction(max : most) if (count > 65536)
    for (long k = 0; k < count; k++) {
        const double square = square_of(&x[3 * k], from, &now);
        most = square > most ? square : most;
    }
    return sqrt(most);
}

static void look_at_all(mn_wall_speed *w, const double *rest, long count, const double origin[3])
{
    if (w->known && memcmp(w->origin, origin, sizeof w->origin) == 0) return;
    w->reach = w->from_axis[0] = w->from_axis[1] = w->from_axis[2] = 0.0;
    w->slack = 0.0; /* nothing is near enough for the points that were likely */
    memcpy(w->origin, origin, sizeof w->origin);
    for (long k = 0; k < count; k++) {
        double d[3];
        sub3(&rest[3 * k], origin, d);
        w->reach = fmax(w->reach, length3(d));
        for (int a = 0; a < 3; a++) {
            const double b = d[(a + 1) % 3], c = d[(a + 2) % 3];
            w->from_axis[a] = fmax(w->from_axis[a], sqrt(b * b + c * c));
        }
    }
    w->known = true;
}

double mn_wall_speed_reach(mn_wall_speed *w, const double *rest, long count, const double origin[3])
{
    look_at_all(w, rest, count, origin);
    return w->reach;
}

void mn_wall_speed_forget(mn_wall_speed *w)
{
    free(w->likely);
    *w = (mn_wall_speed){0};
}

static double bound_of(const mn_wall_speed *w, const mn_turning *t)
{
    double sum = length3(t->velocity);
    for (int a = 0; a < 3; a++) sum += fabs(t->spin[a]) * w->from_axis[a];
    return sum;
}

/* Whether the speeds of all points are by less than `slack` other than they were, twice, rounding and all. */
static bool is_near(const mn_wall_speed *w, const mn_turning *now, const mn_turning *then, double slack)
{
    mn_turning change;
    sub3(now->velocity, then->velocity, change.velocity);
    sub3(now->spin, then->spin, change.spin);
    return 2.0 * bound_of(w, &change) + 8.0 * ROUNDING * (bound_of(w, now) + bound_of(w, then)) < slack;
}

static bool is_likely(const mn_wall_speed *w, const double x[3], const mn_turning *t, double least)
{
    return sqrt(square_of(x, w->origin, t)) >= least;
}

/* Keeps the points within the slack of the greatest speed. Without memory they are all looked at again. */
static void keep_likely(mn_wall_speed *w, const mn_driven_wall *wall, const mn_turning *t, double most)
{
    const double slack = SLACK * most, least = most - slack;
    long count = 0;
    for (long k = 0; k < wall->count; k++) count += is_likely(w, &wall->rest[3 * k], t, least);
    double *likely = malloc((3 * (size_t)count + 1) * sizeof *likely);
    free(w->likely);
    w->likely = likely, w->likely_count = count, w->likely_at = *t, w->slack = slack;
    if (!likely) return;
    for (long k = 0, at = 0; k < wall->count && at < count; k++)
        if (is_likely(w, &wall->rest[3 * k], t, least)) sub3(&wall->rest[3 * k], w->origin, &likely[3 * at++]);
}

static double most_of_wall(const mn_driven_wall *wall, const mn_turning *t)
{
    static const double nowhere[3] = {0.0, 0.0, 0.0};
    mn_wall_speed *w = wall->speed;
    if (w->likely && is_near(w, t, &w->likely_at, w->slack)) return most_of(w->likely, w->likely_count, nowhere, t);
    const double most = most_of(wall->rest, wall->count, w->origin, t);
    if (is_near(w, t, &w->last, 0.25 * SLACK * most)) keep_likely(w, wall, t, most); /* it is steady: this will last */
    w->last = *t;
    return most;
}

static mn_turning turning_of(const mn_pose *pose)
{
    const double *r = pose->rotation;
    mn_turning t;
    for (int a = 0; a < 3; a++) {
        t.velocity[a] = r[a] * pose->velocity[0] + r[3 + a] * pose->velocity[1] + r[6 + a] * pose->velocity[2];
        t.spin[a] = r[a] * pose->spin[0] + r[3 + a] * pose->spin[1] + r[6 + a] * pose->spin[2];
    }
    return t;
}

double mn_wall_speed_most(const mn_driven_wall *wall, int count, double most)
{
    int first = 0; /* the one with the largest bound: it leaves the least to look at */
    double largest = 0.0;
    for (int k = 0; k < count; k++) {
        look_at_all(wall[k].speed, wall[k].rest, wall[k].count, wall[k].pose.origin);
        const mn_turning t = turning_of(&wall[k].pose);
        const double bound = bound_of(wall[k].speed, &t);
        if (bound > largest) largest = bound, first = k;
    }
    for (int k = 0; k < 2 * count; k++) { /* motions, then jolts */
        const mn_driven_wall *next = &wall[(first + k) % count];
        const mn_turning t = turning_of(k < count ? &next->pose : &next->jolt);
        if (bound_of(next->speed, &t) * (1.0 + ROUNDING) <= most) continue;
        most =
            fmax(most, k < count ? most_of_wall(next, &t) : most_of(next->rest, next->count, next->speed->origin, &t));
    }
    return most;
}
