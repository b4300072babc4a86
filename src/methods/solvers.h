/* solvers.h -- the two systems that methods solve: pressure (pressure_system.c), implicit velocities
 * (velocity_system.c). */
#ifndef MN_METHODS_SOLVERS_H
#define MN_METHODS_SOLVERS_H

#include "methods/methods.h"

/* What all pressure solvers share: a part of the world. */
typedef struct mn_pressure {
    float scale;   /* p = kappa n^2 times this, */
    bool plain;    /* or without n^2 (pcisph) */
    float ambient; /* Pa, in k and not in the pressure that users see (ambient.c, laplace.c) */
    float packing; /* what a k of 1 Pa carried when the lists were last those of all particles */
} mn_pressure;
mn_pressure *mn_pressure_of(const mn_world *w);
/* Whether the gradient along walls is raised (wall_weight). */
bool mn_pressure_lifts(const mn_world *w);

/* What a pressure solve is asked for, and what it reached. */
typedef struct mn_solve {
    double along; /* the step over which the velocity counts beside the displacement; 0: it is in `source` already */
    double tolerance; /* mean of the positive residual */
    int min_iterations, max_iterations;
    int iterations;
    double error;
} mn_solve;
/* Solves the system of kernels/pressure/pressure_system.h for `source` into kappa, which holds the start, as does
 * trial; displacement is that of the point whose error was measured. */
void mn_pressure_solve(mn_world *w, mn_solve *s);
/* displacement of trial; `along` as above. */
void mn_pressure_displace(mn_world *w, double along);
/* v += c a of that displacement, made with the velocity `along`, and its reaction on bodies. */
void mn_pressure_apply(mn_world *w, double c, double along);
/* The share of the last solution that the scene's iteration starts from: relaxed Jacobi bears half, the accelerated
 * one all of it. */
double mn_pressure_warmth(const mn_world *w);

/* Conjugate gradients of kernels/viscosity/velocity_system.h, from a kernel that writes the guess and one that writes
 * system and first residual to one that takes the guess over into vel. */
typedef struct mn_velocity_system {
    /* kernels; arg.y of begin: 1 when the matrix is to be written, arg.w: only a sample counts; arg.x of finish: a last
     * step along residual/m */
    int start, begin, product, finish;
    real4 arg;        /* of begin */
    double tolerance; /* residual over the size of the right side */
    int max_iterations;
    double spread; /* bound: eigenvalues of M^-1 matrix lie in [1, 1 + spread]; 1e30: no bound */
} mn_velocity_system;
/* Tolerance and iterations: the strictest that a fluid which uses the model asks for. */
void mn_velocity_limits(const mn_world *w, const mn_model *a, mn_velocity_system *s);
int mn_velocity_solve(mn_world *w, const mn_velocity_system *s);  /* returns the iterations */
double mn_viscosity_spread(const mn_world *w, const mn_model *a); /* what weiler2018 adds to `spread` */
/* True where the tension's system contains the viscosity of weiler2018. */
bool mn_tension_takes_viscosity(const mn_world *w);

#endif
