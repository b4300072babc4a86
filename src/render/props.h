/* props.h -- the inside of mn_stage: things in their pose at rest. */
#ifndef MN_RENDER_PROPS_H
#define MN_RENDER_PROPS_H

#include "render/stage.h"

typedef struct mn_prop {
    float *position, *normal; /* 3 a corner, not shared between triangles */
    int32_t *triangle;
    long vertex_count, triangle_count;
    mn_surface_look look;
    int wall, body, solid; /* what it is part of; -1: not of these */
    bool coated;           /* its colours come from what clings to it */
} mn_prop;

/* The triangles of a mesh with a normal at each corner, smooth across edges of less than about 37 degrees, moved
 * outwards by `shift` metres. False: out of memory; `out` is to be freed all the same. */
bool mn_crease(const mn_mesh *mesh, double shift, mn_prop *out);
/* Halves sides until none is longer than `edge`, or there would be more than MN_MOST_HALVED triangles: *coarse. False:
 * out of memory. */
bool mn_prop_refine(mn_prop *prop, double edge, bool *coarse);
void mn_prop_free(mn_prop *prop);

/* How the corners of a soft solid's prop follow its particles: each stands at the place `at` of the list of different
 * corners, whose places are at any time offset + sum of weight times the place of the particle; those of corner u
 * are entries first[u] to first[u + 1]. */
typedef struct mn_binding {
    long corners, count; /* of the prop; different ones */
    uint32_t *at, *first, *particle;
    float *weight, *offset;
} mn_binding;
/* False: out of memory; free it all the same. */
bool mn_prop_bind(const mn_prop *prop, const mn_soft_points *points, double spacing, mn_binding *out);
void mn_binding_free(mn_binding *binding);

struct mn_stage {
    const mn_scene *scene;
    mn_prop *props;
    int count, capacity;
    double low[3], high[3]; /* of what happens, and of what is seen around it */
    double size;            /* m, half the diagonal of the former */
    double up[3];
    double ground;    /* m along `up` */
    bool level_plane; /* the ground is a wall of the scene */
    double bar;       /* m, thickness of the bars of glass boxes */
};

#endif
