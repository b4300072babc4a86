/* field.c -- see field.h. */
#include "surface/field.h"

#include <math.h>
#include <string.h>

/* Nodes above the one value are inside, below the other outside, whatever part of the kernel a wall takes. */
#define SURE 0.4f
#define FAINT 0.95f
/* Mean density of the particles around a point of the surface: in a film, and of a flat surface. */
#define THIN 0.55f
#define THICK 0.72f
/* Liquid ends that far in front of its outermost particles. */
#define INSET 0.5f

float field_wall(const liquid_field *f, const float u[3], float limit, float *gap)
{
    const cloud *c = f->cloud;
    double x[3], g = 0;
    if (!f->wall) {
        if (gap) *gap = 0;
        return limit;
    }
    for (int k = 0; k < 3; k++) x[k] = c->origin[k] + c->spacing * (double)u[k];
    const double s = f->wall(f->walls, x, limit * c->spacing, &g);
    if (gap) *gap = (float)(g / c->spacing);
    return (float)(s / c->spacing);
}

void field_wall_normal(const liquid_field *f, const float u[3], float normal[3])
{
    const float step = 0.02f;
    float length = 0;
    for (int k = 0; k < 3; k++) {
        float p[3] = {u[0], u[1], u[2]};
        p[k] += step;
        normal[k] = field_wall(f, p, 4, NULL);
        p[k] -= 2 * step;
        normal[k] -= field_wall(f, p, 4, NULL);
        length += normal[k] * normal[k];
    }
    length = sqrtf(length);
    for (int k = 0; k < 3; k++) normal[k] = length > 0 ? normal[k] / length : 0;
}

/* Part of the kernel beyond a plane at that distance from its centre. */
static float beyond(float distance)
{
    const float q = distance / CLOUD_REACH, q2 = q * q;
    if (q >= 1) return 0;
    if (q <= -1) return 1;
    return 0.5f - 1.23046875f * q * (1 - q2 * (4.0f / 3 - q2 * (1.2f - q2 * (4.0f / 7 - q2 / 9))));
}

/* Two directions along a wall, along the axes where the wall is. */
static void along_wall(const float n[3], float a[3], float b[3])
{
    const int least =
        fabsf(n[0]) < fabsf(n[1]) ? (fabsf(n[0]) < fabsf(n[2]) ? 0 : 2) : (fabsf(n[1]) < fabsf(n[2]) ? 1 : 2);
    float length = 0;
    for (int k = 0; k < 3; k++) {
        a[k] = (k == least) - n[least] * n[k];
        length += a[k] * a[k];
    }
    length = sqrtf(length);
    for (int k = 0; k < 3; k++) a[k] /= length;
    for (int k = 0; k < 3; k++) b[k] = n[(k + 1) % 3] * a[(k + 2) % 3] - n[(k + 2) % 3] * a[(k + 1) % 3];
}

float field_share(const liquid_field *f, const float u[3], float s, float gap)
{
    const float step = 1.5f;
    float normal[3], side[2][3], share = 1 - beyond(s - gap + INSET);
    if (share >= 1) return 1;
    field_wall_normal(f, u, normal);
    along_wall(normal, side[0], side[1]);
    for (int turn = 0; turn < 4; turn++) { /* is there another wall to that side? */
        float p[3], other;
        for (int k = 0; k < 3; k++) p[k] = u[k] + (turn & 1 ? -step : step) * side[turn / 2][k];
        const float distance = field_wall(f, p, 4, &other);
        if (distance < s - 0.05f) share *= 1 - beyond(distance + step - other + INSET);
    }
    return fmaxf(share, 0.1f);
}

/* The sum over all particles, and over this liquid's. */
typedef struct sums {
    float all, mine;
} sums;

static float value_of(const liquid_field *f, sums s, float share) { return field_value(f, s.all, s.mine, share); }

/* The particles that may reach a point. */
static int runs_around(const cloud *c, const float u[3], cloud_run runs[64])
{
    float low[3], high[3];
    for (int k = 0; k < 3; k++) low[k] = u[k] - CLOUD_REACH, high[k] = u[k] + CLOUD_REACH;
    return cloud_runs(c, low, high, runs);
}

/* `touching`: of particles that touch a wall alone. */
static sums sums_at(const liquid_field *f, const float u[3], bool behind, bool touching)
{
    const cloud *c = f->cloud;
    cloud_run runs[64];
    const int count = runs_around(c, u, runs);
    sums s = {0, 0};
    for (int r = 0; r < count; r++)
        for (int32_t i = runs[r].begin; i < runs[r].end; i++) {
            const float dx = c->x[i] - u[0], dy = c->y[i] - u[1], dz = c->z[i] - u[2];
            if (f->behind && f->behind[i] != behind) continue;
            const float w = f->volume[i] * cloud_kernel(dx * dx + dy * dy + dz * dz) * (touching ? f->touch[i] : 1);
            s.all += w;
            if (f->mine && f->mine[i]) s.mine += w;
        }
    return s;
}

/* Moves a point that is nearer to a wall than the gap of particles there less `inset`, straight out from the wall to
 * that distance; in corners out from one wall after the other. False: it was not so near. */
static bool leave_gap(const liquid_field *f, float u[3], float *s, float *gap, float inset)
{
    int round = 0;
    for (; round < 6 && *s < *gap - inset; round++) {
        const float step = *gap - inset - *s + 1e-3f;
        float normal[3];
        field_wall_normal(f, u, normal);
        for (int k = 0; k < 3; k++) u[k] += step * normal[k];
        *s = field_wall(f, u, 4, gap);
    }
    return round > 0;
}

/* Sums over the particles around a point, and their gradients. */
typedef struct slopes {
    float all, mine, of_all[3], of_mine[3];
} slopes;

static slopes slopes_at(const liquid_field *f, const float u[3], bool behind, bool touching)
{
    const cloud *c = f->cloud;
    slopes sum = {0};
    cloud_run runs[64];
    const int count = runs_around(c, u, runs);
    for (int r = 0; r < count; r++)
        for (int32_t i = runs[r].begin; i < runs[r].end; i++) {
            const float d[3] = {u[0] - c->x[i], u[1] - c->y[i], u[2] - c->z[i]};
            const float t = 1 - (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * (1 / (CLOUD_REACH * CLOUD_REACH));
            if (t <= 0 || (f->behind && f->behind[i] != behind)) continue;
            const float w = f->volume[i] * t * t * (touching ? f->touch[i] : 1);
            const float rate = -6 / (CLOUD_REACH * CLOUD_REACH) * w;
            const bool own = f->mine && f->mine[i];
            sum.all += w * t;
            sum.mine += own ? w * t : 0;
            for (int k = 0; k < 3; k++) {
                sum.of_all[k] += rate * d[k];
                sum.of_mine[k] += own ? rate * d[k] : 0;
            }
        }
    return sum;
}

/* The value at a point, moved out to `inset` before the edge of the gap, and its gradient. */
static float slope_from(const liquid_field *f, const float u[3], float inset, float slope[3], bool *border)
{
    float at[3] = {u[0], u[1], u[2]}, s = 4, gap = 0, share = 1;
    if (f->wall) s = field_wall(f, u, 4, &gap);
    const bool behind = f->behind && s < -WALL_BACK, moved = f->wall && !behind && leave_gap(f, at, &s, &gap, inset);
    if (f->wall && !behind) share = field_share(f, at, s, gap);
    const slopes sum = slopes_at(f, at, behind, moved);
    *border = f->mine && (2 * sum.mine - sum.all) / share < sum.all / share - f->level;
    for (int k = 0; k < 3; k++) slope[k] = (*border ? 2 * sum.of_mine[k] - sum.of_all[k] : sum.of_all[k]) / share;
    if (moved) { /* across the gap nothing changes */
        float normal[3], across = 0;
        field_wall_normal(f, u, normal);
        for (int k = 0; k < 3; k++) across += slope[k] * normal[k];
        for (int k = 0; k < 3; k++) slope[k] -= across * normal[k];
    }
    return *border ? (2 * sum.mine - sum.all) / share : sum.all / share - f->level;
}

float field_slope(const liquid_field *f, const float u[3], float slope[3], bool *border)
{
    const float value = slope_from(f, u, INSET, slope, border);
    float gap, other[3];
    bool other_border;
    if (!f->wall || value > 0) return value;
    const float s = field_wall(f, u, 4, &gap);
    if (s >= gap || s < -WALL_BACK) return value;
    const float above = slope_from(f, u, 0, other, &other_border);
    if (above <= value) return value;
    memcpy(slope, other, sizeof other);
    *border = other_border;
    return above;
}

float field_bulk(const liquid_field *f, const float u[3])
{
    const cloud *c = f->cloud;
    float sum = 0, weight = 0;
    cloud_run runs[64];
    const int count = runs_around(c, u, runs);
    for (int r = 0; r < count; r++)
        for (int32_t i = runs[r].begin; i < runs[r].end; i++) {
            const float dx = c->x[i] - u[0], dy = c->y[i] - u[1], dz = c->z[i] - u[2],
                        w = cloud_kernel(dx * dx + dy * dy + dz * dz);
            weight += w;
            sum += w * f->density[i];
        }
    const float t = fminf(fmaxf((weight > 0 ? sum / weight - THIN : 0) / (THICK - THIN), 0), 1);
    return t * t * (3 - 2 * t);
}

/* In the gap between particles and a wall the liquid is what it is at the edge of the gap. */
static float value_in_gap(const liquid_field *f, const float node[3], float s, float gap, float inset)
{
    float u[3] = {node[0], node[1], node[2]};
    leave_gap(f, u, &s, &gap, inset);
    return value_of(f, sums_at(f, u, false, true), field_share(f, u, s, gap));
}

/* Under particles that touch the wall there is no air, though they rest farther from it than others. */
float field_at_wall(const liquid_field *f, const float u[3], float s, float gap, float free, float cell)
{
    float value = free;
    if (s < gap - INSET && s > -2 * cell) value = value_in_gap(f, u, s, gap, INSET);
    else if (f->behind && s < 4) value = value_of(f, sums_at(f, u, false, false), field_share(f, u, s, gap));
    else if (s < gap - INSET + CLOUD_REACH && free > -FAINT * f->level && free < SURE)
        value = f->mine ? value_of(f, sums_at(f, u, false, false), field_share(f, u, s, gap))
                        : (free + f->level) / field_share(f, u, s, gap) - f->level;
    if (value > 0 || s >= gap || s < -2 * cell) return value;
    return fmaxf(value, value_in_gap(f, u, s, gap, 0));
}

float field_behind(const liquid_field *f, const float u[3]) { return value_of(f, sums_at(f, u, true, false), 1); }
