/* support.c -- see support.h; lengths in spacings. */
#include "base/support.h"

#include <math.h>

#include "base/exact.h"
#include "base/host_spline.h"

/* Where liquid comes to rest, and no nearer than where it may come: from boundary points and from volume maps. */
static const double REST = 1.1, NEAREST = 0.592, MAP_REST = 1.15;

/* Sums over a cubic lattice, without the particle itself but for the density. */
typedef struct sums {
    double density, behind; /* of all; of what lies at z < 0 */
    double along, hidden;   /* second moment along x, of all; of what lies at z < 0 */
    double square;          /* of the gradient */
} sums;

static sums sums_of(double s, int reach)
{
    const double peak = mn_spline_peak(s);
    sums all = {.density = peak};
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                const double r = sqrt(x * x + y * y + z * z), q = r / s;
                if (r == 0.0 || q >= 1.0) continue;
                const double w = peak * mn_spline_shape(q), g = peak / s * mn_spline_slope(q), moment = -g / r * x * x;
                all.density += w, all.along += moment, all.square += g * g;
                if (z < 0) all.behind += w, all.hidden += moment;
            }
    return all;
}

/* sum of W over a layer at this distance */
static double layer_at(double s, int reach, double distance)
{
    double sum = 0.0;
    for (int y = -reach; y <= reach; y++)
        for (int x = -reach; x <= reach; x++) sum += mn_spline(sqrt(x * x + y * y + distance * distance), s);
    return sum;
}

/* What a flat volume map adds to the density of a particle at this distance (kernels/boundary/map_points.h). */
static double map_at(double s, double distance)
{
    const double q = distance / s;
    const double volume = s * s * s * (1.01041667 - q * (0.825 + q * (0.375 - 0.333333333 * q)));
    return volume * mn_spline(fmax(distance + 0.25, 1.0), s);
}

/* The largest eigenvalue of the pressure system over its diagonal, among waves on the lattice: a wave sin(t.x) of
 * pressure is met by |sum gradW sin(t.x)|^2. Twelve steps to the shortest wave miss it by 1 %. */
static double largest_wave(double s, int reach)
{
    enum { STEPS = 12 };
    const double pi = 3.14159265358979323846, peak = mn_spline_peak(s);
    double most = 0.0;
    for (int wave = 0; wave < (STEPS + 1) * (STEPS + 1) * (STEPS + 1); wave++) {
        const int t[3] = {wave / (STEPS + 1) / (STEPS + 1), wave / (STEPS + 1) % (STEPS + 1), wave % (STEPS + 1)};
        if (t[0] < t[1] || t[1] < t[2]) continue; /* as another with its axes exchanged */
        double met[3] = {0.0}, square = 0.0;
        for (int z = -reach; z <= reach; z++)
            for (int y = -reach; y <= reach; y++)
                for (int x = -reach; x <= reach; x++) {
                    const double r = sqrt(x * x + y * y + z * z);
                    if (r == 0.0 || r >= s) continue;
                    const double g = peak / s * mn_spline_slope(r / s) / r,
                                 height = mn_sin(pi / STEPS * (t[0] * x + t[1] * y + t[2] * z));
                    met[0] += g * x * height, met[1] += g * y * height, met[2] += g * z * height;
                    square += g * r * g * r;
                }
        most = fmax(most, (met[0] * met[0] + met[1] * met[1] + met[2] * met[2]) / square);
    }
    return most;
}

/* Not yet as ratios. */
static mn_support absolute(double s)
{
    const int reach = (int)ceil(s);
    const sums all = sums_of(s, reach);
    const double layer = layer_at(s, reach, 0.0), wall = all.behind * layer / layer_at(s, reach, REST);
    return (mn_support){.reach = reach,
                        .neighbours = s * s * s,
                        .layer = layer,
                        .behind = all.behind,
                        .wall = wall,
                        .near = wall * layer_at(s, reach, NEAREST) / layer,
                        .along = all.hidden / (all.along - all.hidden) / all.behind,
                        .map = all.behind / map_at(s, MAP_REST),
                        .gradients = 1.0 / all.square,
                        .sweep = 1.0 / largest_wave(s, reach)};
}

mn_support mn_support_of(double spacings)
{
    if (spacings == 2.0) return (mn_support){2, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const mn_support of = absolute(spacings), two = absolute(2.0);
    return (mn_support){of.reach,
                        of.neighbours / two.neighbours,
                        of.layer / two.layer,
                        of.behind / two.behind,
                        of.wall / two.wall,
                        of.near / two.near,
                        of.along / two.along,
                        of.map / two.map,
                        of.gradients / two.gradients,
                        of.sweep / two.sweep};
}

double mn_support_density(double spacings) { return sums_of(spacings, (int)ceil(spacings)).density; }
