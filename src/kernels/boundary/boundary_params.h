/* boundary_params.h -- the walls, bodies and solids of the scene, for kernels. boundary/boundary_part.c and points.c
 * fill it in; of_object reads what each of them has. */
#ifndef MN_KERNEL_BOUNDARY_PARAMS_H
#define MN_KERNEL_BOUNDARY_PARAMS_H

#define MN_OBJECTS 256

typedef struct boundary_params {
    int count;
    float weight;      /* of boundary points in the gradients of pressure: the scene's wall_weight */
    float near;        /* most that they may add to a density: 0.6 with a support of two spacings */
    float along, most; /* of wall_lift.h: 1 and 0.4 with that support */
    float friction[MN_OBJECTS], adhesion[MN_OBJECTS];
    float mapped[MN_OBJECTS];     /* 1: a volume map, 0: boundary points */
    float point_mass[MN_OBJECTS]; /* kg, of a free body over the number of its points; else 0 */
} boundary_params;

#endif
