/* methods.h -- the host side of a model: which kernels run at which moment of the step, and when an iteration has converged.
 *
 * A method fills in the moments it needs; the rest stay NULL. Each is called once a step if any fluid of the scene uses the model.
 */
#ifndef MN_METHODS_H
#define MN_METHODS_H

#include "scene/models.h"
#include "core/world.h"

typedef struct mn_active mn_active;

typedef struct mn_method {
    void (*surface)(mn_world *w,
                    const mn_active *a); /* after density: areas, and what lives on the surface; dt is of the last step */
    void (*prepare)(mn_world *w, const mn_active *a);       /* after density, velocities of the last step */
    void (*force)(mn_world *w, const mn_active *a);         /* adds to acc */
    void (*air)(mn_world *w, const mn_active *a);           /* the same, by the air: a stage of its own, so that its cost is seen */
    double (*limit)(const mn_world *w, const mn_active *a); /* largest stable time step, s */
    void (*velocity)(mn_world *w, const mn_active *a);      /* implicit change of vel, after advance */
    void (*pressure)(mn_world *w, const mn_active *a);      /* last change of vel before the move */
    int (*rounds)(const mn_world *w, const mn_active *a);   /* how often velocity and pressure are repeated to agree; NULL: once */
} mn_method;

typedef struct mn_model_code {
    const mn_method *method;
    const int *kernels; /* of mn_method_explicit, MN_KERNEL_*; ends with -1 */
    size_t offset;      /* of its parameter block in params, */
    size_t size;        /* bytes for one fluid: `on`, then the parameters as floats */
} mn_model_code;
const mn_model_code *mn_model_code_of(const mn_model_info *model);

/* A model that the scene uses. */
struct mn_active {
    const mn_model_info *info;
    const mn_model_code *code;
    int kernel[8], on_walls[8]; /* and the kernel that gives each one's reaction to bodies, -1: none */
    int kernel_count;
};
/* Its parameter `key` for a fluid, as it stands at this moment. */
float mn_active_param(const mn_world *w, const mn_active *a, int fluid, const char *key);

extern const mn_method mn_method_explicit, mn_method_dfsph, mn_method_iisph, mn_method_pcisph, mn_method_wcsph,
    mn_method_weiler2018, mn_method_jeske2023, mn_method_gissler2017, mn_method_orthmann2013;

/* orthmann2013.c: what the surface kernels compare with, from reference configurations. */
bool mn_surface_constants(params *p); /* false: out of memory */
bool mn_surface_disorder(params *p);  /* those of them that tell configurations apart */

/* What a pressure solve is asked for, and what it reached. */
typedef struct mn_solve {
    double along;     /* the step over which the velocity counts beside the push; 0: it is in `source` already */
    double tolerance; /* mean of the positive residual */
    int min_iterations, max_iterations;
    int iterations;
    double error;
} mn_solve;
/* Solves the system of kernels/pressure_system.h for `source` into kappa, which holds the start, as does probe; push is that of the point whose error was
   measured. */
void mn_pressure_solve(mn_world *w, mn_solve *s);
/* After the densities: what the pushes need of the walls. push of probe; `along` as above. */
void mn_pressure_begin(mn_world *w);
void mn_pressure_push(mn_world *w, double along);
/* v += c a of that push, made with the velocity `along`, and its reaction on bodies. */
void mn_pressure_apply(mn_world *w, double c, double along);
/* The share of the last solution that the scene's iteration starts from: relaxed Jacobi bears half, the accelerated one all of it. */
double mn_pressure_warmth(const mn_world *w);
/* Conjugate gradients of kernels/velocity_system.h, from a kernel that writes the guess and one that writes system and first residual to one that takes the
   guess over into vel. */
typedef struct mn_velocity_system {
    int start, begin, image,
        finish; /* kernels; arg.y of begin: 1 when the matrix is to be written, arg.w: only a sample counts; arg.x of finish: a last step along rest/m */
    real4 arg;  /* of begin */
    double tolerance; /* residual over the size of the right side */
    int max_iterations;
    double spread; /* bound: eigenvalues of M^-1 matrix lie in [1, 1 + spread] */
} mn_velocity_system;
int mn_velocity_solve(mn_world *w, const mn_velocity_system *s);   /* returns the iterations */
double mn_viscosity_spread(const mn_world *w, const mn_active *a); /* what weiler2018 adds to `spread` */
/* True where the tension's system contains the viscosity of weiler2018. */
bool mn_tension_takes_viscosity(const mn_world *w);
/* True where jeske2023 takes the rates of the start of the step, of density_rates. */
bool mn_tension_needs_rates(const mn_world *w);

#endif
