/* diffusion_reference.c -- what the sums of diffusion make of D in configurations where the answer is known. */
#include <math.h>

#include "base/host_spline.h"
#include "methods/methods.h"
#include "species/species.h"

/* |W'(r)|/r h^5 of the spline with support radius h at r = q h. */
static double slope(double q) { return mn_spline_peak(1.0) * -mn_spline_slope(q) / q; }

/* 1/s with a support of s spacings, and how far a lattice has to be looked through. */
static double inverse(const params *par) { return 1.0 / mn_support_in(par); }
static int reach_of(const params *par) { return (int)ceil(mn_support_in(par)); }

/* sum_j V |f| x^2 on a cubic lattice. */
double mn_species_bulk_moment(const params *par)
{
    const double inv = inverse(par), volume = inv * inv * inv;
    const int far = reach_of(par);
    double sum = 0.0;
    for (int x = -far; x <= far; x++)
        for (int y = -far; y <= far; y++)
            for (int z = -far; z <= far; z++)
                if (x || y || z) sum += volume * slope(inv * sqrt(x * x + y * y + z * z)) * inv * inv * x * x;
    return sum;
}

/* The area's mean of M (kernels/film/surface_diffusion.h) in the two layers that share the area of a flat surface of a
 * cubic lattice: the lower one has a part `under` - 1/2. */
double mn_species_film_moment(const params *par)
{
    const double part = (double)par->constants.orthmann2013.under / (double)par->spacing - 0.5,
                 area[2] = {1.0 - part, part}, inv = inverse(par), volume = inv * inv * inv;
    const int far = reach_of(par);
    double sum = 0.0;
    for (int layer = 0; layer < 2; layer++)
        for (int other = 0; other < 2; other++)
            for (int x = -far; x <= far; x++)
                for (int z = -far; z <= far; z++) {
                    const int y = layer - other;
                    if (!x && !y && !z) continue;
                    const double link = 4.0 * area[layer] * area[other] / (area[layer] + area[other]);
                    sum +=
                        volume * link * slope(inv * sqrt(x * x + y * y + z * z)) * 0.25 * inv * inv * (x * x + z * z);
                }
    return sum;
}

/* The most that a particle can lose along a flat surface of a cubic lattice, over D/d^2: with a vanishing share of
 * the area, in the layer below the one that has the rest. A link to that layer counts 4, to its own kind 2 (the
 * harmonic mean of the areas over its own). */
double mn_species_film_rate(const params *par)
{
    const double inv = inverse(par), volume = inv * inv * inv, unit = volume * inv * inv;
    const int far = reach_of(par);
    double moment = 0.0, rate = 0.0;
    for (int other = 0; other < 2; other++)
        for (int x = -far; x <= far; x++)
            for (int z = -far; z <= far; z++) {
                const double level = x || z ? slope(inv * sqrt(x * x + z * z)) : 0.0;
                if (other) rate += 4.0 * unit * slope(inv * sqrt(x * x + 1 + z * z));
                else moment += volume * 2.0 * level * 0.25 * inv * inv * (x * x + z * z), rate += 2.0 * unit * level;
            }
    return rate / moment;
}
