/* measure.h -- numbers that describe the shape of a liquid, from the positions of its particles. */
#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

/* Particles, three floats each, and their spacing (m). Positions are the caller's. */
typedef struct cloud {
    const float *position;
    int64_t count;
    double spacing;
} cloud;

/* Centre of mass, and the eigenvalues of the covariance in rising order (m^2). A ball has three equal ones. */
void measure_moments(const cloud *c, double centre[3], double eigenvalue[3]);

/* Largest distance from the centre over the radius of a ball of the same volume: 1 for a ball, 1.4 for a cube. */
double measure_reach(const cloud *c);

/* Distances to the nearest other particle, over the spacing. */
typedef struct nearest_summary {
    double mean;
    double below;  /* share of particles nearer than the limit asked for */
    double lonely; /* share with nobody within two spacings */
} nearest_summary;
bool measure_nearest(const cloud *c, double limit, nearest_summary *out);

/* Pieces of liquid: particles closer than 1.5 spacings hang together. Pieces of less than `least` particles are not
 * counted, but add up to *crumbs. False when out of memory. */
bool measure_pieces(const cloud *c, int least, int *pieces, int64_t *largest, int64_t *crumbs);

/* Area (m^2) over which particles lie lower than `height`, seen from above in squares as wide as the spacing. */
bool measure_wetted(const cloud *c, double height, double *area);

/* The angle (degrees) at which a drop with this centre of mass above its floor, over the cube root of its volume, is
 * a spherical cap. */
double measure_contact_angle(double centre_over_size);

/* The value below which this share of the values lies; sorts them. */
double measure_quantile(double *value, int64_t count, double share);

#endif
