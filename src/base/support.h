/* support.h -- what a support radius of s spacings makes of numbers that were found with two.
 *
 * All but `reach` are ratios to s = 2, where they are 1 to the last bit. They come from a cubic lattice, one layer of
 * boundary points of the same spacing and the half space that these stand for. */
#ifndef MN_BASE_SUPPORT_H
#define MN_BASE_SUPPORT_H

typedef struct mn_support {
    int reach;         /* spacings, rounded up: how far a lattice has to be looked through */
    double neighbours; /* number of neighbours: s^3 */
    double layer;      /* sum of W over a layer */
    double behind;     /* density that a particle next to a wall lacks */
    double wall;       /* volume of a boundary point: a flat wall holds liquid at the same distance */
    double near;       /* what such a wall adds to the density where no particle may come nearer */
    double along;      /* part of the gradient along a wall that lies behind it, over that density */
    double map;        /* volume of a volume map, as of boundary points */
    double gradients;  /* 1/sum |gradW|^2 */
    double sweep;      /* longest step of an iteration scaled by the diagonal: 1/largest eigenvalue of the pressures */
} mn_support;

mn_support mn_support_of(double spacings);
/* Density of a cubic lattice over the rest density, neighbours s spacings far. */
double mn_support_density(double spacings);

#endif
