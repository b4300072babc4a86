/* validate_drop.h -- drops of water without weight for cases of tension: at rest, and swinging after a kick. */
#ifndef CLI_VALIDATE_DROP_H
#define CLI_VALIDATE_DROP_H

#include "validate_moment.h"

#define DROP_SIGMA 0.0728 /* N/m */
#define DROP_WATER "    viscosity: {model: standard, viscosity: 1e-6}\n    surface_tension: 0.0728\n"
/* The same, brought to rest with twenty times its viscosity: a ball cut from a lattice is not round, and water would
   swing for 0.1 s. One cut from Poisson disks needs twice as long. */
#define DROP_STILL_VISCOSITY "    viscosity: {model: standard, viscosity: {0: 2e-5, 0.016: 2e-5, 0.017: 1e-6}}\n"
#define DROP_STILL DROP_STILL_VISCOSITY "    surface_tension: 0.0728\n"
#define DROP_ROUND                                                                                                     \
    "    viscosity: {model: standard, viscosity: {0: 2e-5, 0.032: 2e-5, 0.033: 1e-6}}\n"                               \
    "    surface_tension: 0.0728\n"

typedef struct drop_setup {
    double radius, spacing, dt; /* m, m, s */
    double tolerance;           /* of the pressure, % */
    const char *lines;          /* of the fluid */
} drop_setup;

typedef struct drop_rest {
    double pressure; /* Pa, mean in the middle, of three moments */
    double radius;   /* m, of a ball of as many particles */
    double speed;    /* root mean square over U = sqrt(sigma/(rho R)) */
    double round;    /* longest over shortest axis */
    double drift;    /* speed of the centre over U */
} drop_rest;

mn_status drop_open(moment *m, const validation_setup *setup, const drop_setup *drop, mn_messages *say);
/* Looks at three moments 1.2 ms apart, the last `until`. */
mn_status drop_look(moment *m, double until, drop_rest *out);

double drop_radius(const moment *m);
double drop_capillary_speed(double radius);
double drop_lamb(int l, double radius); /* 1/s, for l = 2 or 3 */

/* Adds the velocity that makes it swing as l = 2 or 3 about y, largest at the poles: `speed`. */
mn_status drop_kick(moment *m, int l, double speed);
/* The amplitude of r = R (1 + a P_l(cos)) that has the moment of the particles. */
double drop_amplitude(const moment *m, int l);

/* a exp(-damping t) sin(omega t + phase) + rest through points, least squares; omega around `near`. */
typedef struct drop_swing {
    double omega, damping; /* 1/s */
    double own;            /* without the damping: sqrt(omega^2 + damping^2) */
    double error;          /* root mean square of what is left over that of the curve */
} drop_swing;
drop_swing drop_fit(const double *time, const double *value, int count, double near);

#endif
