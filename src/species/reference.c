/* reference.c -- what the sums of diffusion make of D in configurations where the answer is known. */
#include <math.h>

#include "species/species.h"

/* |W'(r)|/r h^5 of the spline with support radius h at r = q h. */
static double slope(double q)
{
    const double a = fmax(1.0 - q, 0.0), b = fmax(0.5 - q, 0.0);
    return 8.0 / 3.14159265358979323846 * (6.0 * a * a - 24.0 * b * b) / q;
}

/* sum_j V |f| x^2 on a cubic lattice of spacing h/2. */
double mn_species_bulk_moment(void)
{
    double sum = 0.0;
    for (int x = -2; x <= 2; x++)
        for (int y = -2; y <= 2; y++)
            for (int z = -2; z <= 2; z++)
                if (x || y || z) sum += 0.125 * slope(0.5 * sqrt(x * x + y * y + z * z)) * 0.25 * x * x;
    return sum;
}

/* The area's mean of M (kernels/surface_diffusion.h) in the two layers that share the area of a flat surface of a
 * cubic lattice: the lower one has a part `under` - 1/2. */
double mn_species_film_moment(const params *par)
{
    const double part = (double)par->constants.orthmann2013.under / (double)par->spacing - 0.5,
                 area[2] = {1.0 - part, part};
    double sum = 0.0;
    for (int layer = 0; layer < 2; layer++)
        for (int other = 0; other < 2; other++)
            for (int x = -2; x <= 2; x++)
                for (int z = -2; z <= 2; z++) {
                    const int y = layer - other;
                    if (!x && !y && !z) continue;
                    const double link = 4.0 * area[layer] * area[other] / (area[layer] + area[other]);
                    sum += 0.125 * link * slope(0.5 * sqrt(x * x + y * y + z * z)) * 0.0625 * (x * x + z * z);
                }
    return sum;
}

/* The most that a particle can lose along a flat surface of a cubic lattice, over D/d^2: with a vanishing share of
 * the area, in the layer below the one that has the rest. A link to that layer counts 4, to its own kind 2 (the
 * harmonic mean of the areas over its own). */
double mn_species_film_rate(void)
{
    double moment = 0.0, rate = 0.0;
    for (int other = 0; other < 2; other++)
        for (int x = -2; x <= 2; x++)
            for (int z = -2; z <= 2; z++) {
                const double level = x || z ? slope(0.5 * sqrt(x * x + z * z)) : 0.0;
                if (other) rate += 4.0 / 32.0 * slope(0.5 * sqrt(x * x + 1 + z * z));
                else moment += 0.125 * 2.0 * level * 0.0625 * (x * x + z * z), rate += 2.0 / 32.0 * level;
            }
    return rate / moment;
}
