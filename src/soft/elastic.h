/* elastic.h -- a soft solid by total-Lagrangian SPH (Ganzenmueller 2015), by itself: no scene, no fluid, no
 * device.
 *
 * Positions X of the rest state give fixed neighbours and fixed kernel gradients; h is the support, 2 spacings. With
 * D = X_j - X_i, d = x_j - x_i:
 *
 *   K_i = sum_j V D gradW^T,  F_i = [sum_j V d gradW^T] K_i^-1
 *   E = (F^T F - I)/2,  S = lambda tr(E) I + 2 mu E,  P = F S,  U = sum V (lambda/2 tr(E)^2 + mu E:E)
 *   f_i = sum_j V^2 (P_i K_i^-1 + P_j K_j^-1) gradW                                  -dU/dx
 *       - sum_j (alpha/2) E_Y V^2 W/|D|^2 (((F_i + F_j) D - 2 d).u) u,  u = d/|d|     hourglass control
 *       + sum_j viscosity rho c_p h V^2 |gradW|/|D| ((v_j - v_i).u) u                 artificial viscosity
 *
 * St. Venant and Kirchhoff's solid collapses when pressed to 0.58 of its length and ends inside out. So below 0.6 of
 * the rest volume the energy density gets (lambda + 2 mu)/2 (0.6 - det F)^2 on top, and the resistance goes on
 * rising.
 *
 * F_i is exact where the deformation is linear. At a surface all neighbours lie on one side, and F_i is that of a
 * place a fifth of a spacing further inside: a plate five particles thick bends a third too far. The surface
 * correction takes the change of F from the neighbours and carries F back to the particle,
 *
 *   F*_i = F_i - sum_j (F_j - F_i) T_ij        T: 3 x 3, from the rest state, such that F* is exact for quadratic
 *                                              deformations
 *
 * E, S, P come from F*, and f is again -dU/dx: P_i becomes P_i + sum_j P_i T_ij^T - sum_j P_j T_ji^T.
 *
 * Where the neighbours of a particle lie in a plane or on a line, K^-1 is the pseudo-inverse and I in E its
 * projector: no strain is seen across. All pair forces are equal and opposite; those along u exert no torque, and
 * neither does the elastic part as a whole.
 *
 * Gathers only, sums in a fixed order: the same bits for any number of threads.
 */
#ifndef MN_SOFT_ELASTIC_H
#define MN_SOFT_ELASTIC_H

#include "meniscus/meniscus.h"

typedef struct mn_material {
    double density;    /* kg/m^3 */
    double lambda, mu; /* Pa */
    double hourglass;  /* alpha */
    double viscosity;  /* fraction of c_p h */
    double damping;    /* 1/s: every velocity decays at this rate */
    bool plain;        /* without the surface correction */
} mn_material;

double mn_material_young(const mn_material *m);
double mn_material_speed(const mn_material *m); /* of pressure waves, c_p, m/s */

/* Something flat that a particle must not pass during an advance: distance(x) = gap + normal.(x - x_begin) -
 * normal.velocity t >= 0. */
typedef struct mn_contact {
    int particle;
    double gap, normal[3], velocity[3];
    double friction; /* Coulomb */
} mn_contact;

typedef struct mn_elastic {
    int count;
    double spacing, h, volume, mass; /* of a particle */
    mn_material material;
    double *rest, *x, *v;  /* 3 a particle: X, m; x, m; v, m/s */
    double *force;         /* 3 a particle, N, of the last mn_elastic_forces */
    double *contact_force; /* 3 a particle, N: mean force of the contacts over the last advance */
    unsigned char *fixed;  /* moves with the velocity it is given, whatever the forces */
    unsigned char *skin;   /* has neighbours on one side only */

    /* inside */
    int *first, *list;    /* neighbours of i: list[first[i]] to list[first[i + 1] - 1], ascending */
    double *slope, *held; /* of each pair: -W'/|D| (gradW = slope D), W/|D|^2 */
    double *inverse;      /* K^-1, symmetric, 6 a particle: xx xy xz yy yz zz */
    double *projector;    /* K K^-1, 6 a particle */
    /* F before the correction, 9 a particle; `gradient` where nothing is corrected */
    double *plain;
    double *gradient;                    /* F, 9 a particle */
    double *piola;                       /* P, 9 a particle */
    double *stress;                      /* P K^-1, 9 a particle */
    int *edge;                           /* its place in `carry`, -1: inside, nothing to correct */
    double *carry;                       /* 27 an edge particle: T_ij,ad = slope sum_e carry[a][e][d] D_e */
    double *carried;                     /* 9 an edge particle: sum_j T_ij */
    double stiff, decay;                 /* 1/m^2: largest sums over neighbours, for the two rates */
    double hourglass_rate, viscous_rate; /* 1/s: largest omega of the hourglass springs; largest decay */
    bool fresh;                          /* `force` is that of the present x and v: whoever changes these clears it */
    double stretch2;                     /* largest squared stretch of the last mn_elastic_forces */
} mn_elastic;

/* A body at rest with these particles. NULL when out of memory. */
mn_elastic *mn_elastic_new(const double *rest, int count, double spacing, const mn_material *material);
void mn_elastic_free(mn_elastic *e);
/* Another material of the same correction at its surface; nothing moves by that itself. */
void mn_elastic_become(mn_elastic *e, const mn_material *material);

/* F, P and `force` of the present positions and velocities. */
void mn_elastic_forces(mn_elastic *e, int threads);
/* The longest stable time step at the stretch of the last mn_elastic_forces, s. */
double mn_elastic_limit(const mn_elastic *e);

/* One step of the fluid, in as many sub-steps of its own as are stable. `load` is a constant force on each particle
 * (3 a particle, N; NULL: none), and the contacts are sorted by particle. Returns the number of sub-steps; negative
 * when the body left the finite numbers or would need more than 100,000. */
int mn_elastic_advance(mn_elastic *e, double dt, const double gravity[3], const double *load,
                       const mn_contact *contacts, int contact_count, int threads);

/* Of the last mn_elastic_forces: volume over rest volume, and von Mises' stress, Pa, of one particle; elastic energy
 * of all, J. */
double mn_elastic_swelling(const mn_elastic *e, int particle);
double mn_elastic_stress(const mn_elastic *e, int particle);
double mn_elastic_energy(const mn_elastic *e);
double mn_elastic_kinetic(const mn_elastic *e);
void mn_elastic_momentum(const mn_elastic *e, double out[3]);

#endif
