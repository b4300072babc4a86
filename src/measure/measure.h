/* measure.h -- numbers that describe the shape of a liquid, from the positions of its particles: moments, drops,
 * contact angle, front, heights. `meniscus measure`, `meniscus validate` and the probes of a run use these functions.
 *
 * Nothing here knows a world or a file; measures.h gives names to what is asked of frames.
 */
#ifndef MN_MEASURE_H
#define MN_MEASURE_H

#include "meniscus/meniscus.h"

/* Particles, three floats each, and their spacing (m). Positions are the caller's. */
typedef struct mn_cloud {
    const float *position;
    int64_t count;
    double spacing;
} mn_cloud;

/* Centre of mass, and the eigenvalues of the covariance in rising order (m^2). A ball has three equal ones; the
 * semi-axes of an ellipsoid are sqrt(5 eigenvalue). */
void mn_measure_moments(const mn_cloud *c, double centre[3], double eigenvalue[3]);

/* Largest distance from the centre over the radius of a ball of the same volume: 1 for a ball, 1.4 for a cube. */
double mn_measure_reach(const mn_cloud *c);

/* Distances to the nearest other particle, over the spacing. */
typedef struct mn_nearest_summary {
    double mean;
    double below;  /* share of particles nearer than the limit asked for */
    double lonely; /* share without a neighbour within two spacings */
} mn_nearest_summary;
bool mn_measure_nearest(const mn_cloud *c, double limit, mn_nearest_summary *out);

/* Pieces of liquid: particles closer than 1.5 spacings are connected. Pieces of less than `least` particles are not
 * counted, but add up to *crumbs. False when out of memory. */
bool mn_measure_pieces(const mn_cloud *c, int least, int *pieces, int64_t *largest, int64_t *crumbs);

/* The same with their places and shapes, the largest first (of equal ones that of the lowest particle). malloc'd. */
bool mn_measure_drops(const mn_cloud *c, int least, mn_drop **drops, int *count, int64_t *crumbs);

/* The positions of the largest piece: room for three floats a particle. */
bool mn_measure_largest(const mn_cloud *c, float *position, int64_t *count);

/* Marks particles that are inside the liquid rather than spray: ten others or more within two spacings. */
bool mn_measure_inside(const mn_cloud *c, bool *inside);

/* Area (m^2) over which particles lie lower than `height` along `up` (a unit vector), seen along it in squares as wide
 * as the spacing. */
bool mn_measure_wetted(const mn_cloud *c, const double up[3], double height, double *area);

/* The angle (degrees) at which a drop with this centre of mass above its floor, over the cube root of its volume, is
 * a spherical cap. */
double mn_measure_contact_angle(double centre_over_size);

/* A drop on a floor. `floor`: its height along `up`; NAN: half a spacing below the lowest layer of
 * particles. False when out of memory or without particles. */
typedef struct mn_cap {
    double floor;       /* m */
    double angle;       /* degrees, of the spherical cap with its centre of mass */
    double height;      /* m, of its highest particle and half a spacing, above the floor */
    double base_radius; /* m, of a disc of its lowest layer, one spacing thick */
} mn_cap;
bool mn_measure_cap(const mn_cloud *c, const double up[3], double floor, mn_cap *out);

/* The furthest place of the liquid along an axis (sign 1) or against it (-1), half a spacing beyond its last particle;
 * only of particles that are `inside` (NULL: all). NAN without any. */
double mn_measure_front(const mn_cloud *c, const bool *inside, int axis, int sign);

/* Heights over a grid of columns; only of particles that are `inside` (NULL: all). */
void mn_measure_heights(const mn_cloud *c, const bool *inside, const mn_height_grid *grid, double *out);

/* How high liquid stands along a line: half a spacing above the furthest particle within `radius` of it, from `point`
 * along the unit vector `up`. NAN: there is none. */
double mn_measure_gauge(const mn_cloud *c, const double point[3], const double up[3], double radius);

/* Weights of the particles at a point, as many as there are: their sum is *filled, about 1 in liquid and 0 in air. */
void mn_measure_weights(const mn_cloud *c, const double point[3], float *weight, double *filled);

/* What flows through a plane with a unit normal. */
mn_flux mn_measure_flux(const mn_cloud *c, const float *velocity, const double point[3], const double normal[3],
                        const double size[2]);

/* Two unit vectors across a unit vector: x and z while it is y. */
void mn_measure_across(const double up[3], double first[3], double second[3]);

/* The value below which this share of the values lies; sorts them. */
double mn_measure_quantile(double *value, int64_t count, double share);

#endif
