/* methods.h -- the host side of a model: which kernels run at which moment of the step, and when an iteration has
 * converged.
 *
 * Each model that a fluid of the scene uses is a part of the world (core/system.h): a method fills in the moments it
 * needs. Its state begins with an mn_model.
 */
#ifndef MN_METHODS_H
#define MN_METHODS_H

#include "core/parts.h"
#include "core/world.h"
#include "scene/models.h"

typedef struct mn_model mn_model;

typedef struct mn_model_code {
    const mn_system *system;
    const int *kernels; /* of mn_method_explicit, MN_KERNEL_*; ends with -1 */
    size_t offset;      /* of its parameter block in params, */
    size_t size;        /* bytes for one fluid: `on`, then the parameters as floats */
} mn_model_code;
const mn_model_code *mn_model_code_of(const mn_model_info *model);

/* A model that the scene uses. */
struct mn_model {
    const mn_model_info *info;
    const mn_model_code *code;
    int kernel[8], on_boundary[8]; /* and the kernel that gives each one's reaction to bodies, -1: none */
    int kernel_count;
};
/* What every model does first: finds its code and kernels. */
mn_status mn_model_make(mn_world *w, void *me, mn_messages *say);
/* The model of that key; NULL: the scene does not use it. */
const mn_model *mn_model_in(const mn_world *w, const char *key);
/* Its parameter `key` for a fluid, as it stands at this moment. */
float mn_model_param(const mn_world *w, const mn_model *a, int fluid, const char *key);

/* The methods that models.def names. */
#define MODEL(kind, key, scope, method, kernels, title, paper) extern const mn_system method;
#include "scene/models.def"
#undef MODEL

/* Support radius in spacings. */
static inline double mn_support_in(const params *p) { return (double)p->h / (double)p->spacing; }
/* orthmann2013.c: what the surface kernels compare with, from reference configurations. False: out of memory. */
bool mn_surface_constants(params *p);
/* surface_disorder.c: those of them that tell configurations apart. */
bool mn_surface_disorder(params *p);

/* interface.c: whether the scene has a tension between fluids. */
bool mn_interface_acts(const mn_world *w);

#endif
