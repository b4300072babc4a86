/* kernel_world.h -- a handful of particles at given places on a given backend, to run single kernels on and read
 * what they wrote.
 *
 *     kernel_world *k = kernel_world_new(&kernel_t5, "cpu-scalar");
 *     kernel_world_run(k, "force_begin artificial");
 *     double acc[4 * 5];
 *     kernel_world_read(k, "acc", acc);
 *     kernel_world_free(k);
 *
 * or as a table of kernel_check rows, which kernel_check_all runs on every backend there is. Whatever goes wrong
 * fails the cmocka test.
 */
#ifndef TEST_KERNEL_WORLD_H
#define TEST_KERNEL_WORLD_H

#include "core/world.h"

enum { KERNEL_MOST = 64 }; /* particles of a set-up */

typedef struct kernel_setup {
    int count;
    const double (*position)[3], (*velocity)[3]; /* m, m/s; velocity NULL: at rest */
    double volume;                               /* rest volume V of each, m^3: mass over rest density */
    int wall_count;
    const double (*wall)[3]; /* boundary points, at rest */
    double wall_volume;      /* V_b of each; 0: V_b = 1/sum W over these, as for one object */
    double spacing;          /* m; the support radius is twice as long */
    double dt;               /* s */
    /* Lines of the scene: `fluid` stands in the one fluid (indented by 4 spaces there), `scene` at the top. NULL: none.
       Gravity is 0 and the rest density 1000 kg/m^3 unless these lines say otherwise; end each with a newline. */
    const char *fluid, *scene;
} kernel_setup;

/* The five particles T5 that the reference numbers are for: spacing 0.1 m, rest density 1000 kg/m^3, volume 1e-3
 * m^3, dt 1e-3 s, without walls; and the same over the four boundary points TB. Copy and change. */
extern const kernel_setup kernel_t5, kernel_t5_walls;

typedef struct kernel_world {
    mn_messages *say;
    mn_scene *scene;
    mn_world *world;
} kernel_world;

/* Neighbours are found and `density` has run. */
kernel_world *kernel_world_new(const kernel_setup *setup, const char *backend);
void kernel_world_free(kernel_world *k);

/* Runs the words in order: the name of a kernel, with its first argument after '=' ("pressure_jacobi=0.5"); a moment
 * of the step, for all models of the scene (surface, prepare, force, velocity, pressure); or `search`. */
void kernel_world_run(kernel_world *k, const char *words);
/* Runs one kernel that writes `term`, and sums it. */
void kernel_world_sum(kernel_world *k, const char *kernel, double out[4]);

/* A field of the kernels (1 or 4 numbers a particle) or one that users see ("pressure"; 1 or 3 numbers), in id
 * order. Returns the width. */
int kernel_world_read(kernel_world *k, const char *field, double *out);
/* Overwrites a field of the kernels; `in` as kernel_world_read gives it. */
void kernel_world_write(kernel_world *k, const char *field, const double *in);

/* Backends of this machine: cpu, cpu-scalar and, where there is a device, opencl. NULL after the last. */
const char *kernel_backend(int index);

/* One row: run `words` on `setup`, then factor times the field must be `expected`, particle by particle, `width`
 * numbers each (3 of a real4: xyz; 1 of a real4: its w). Off by at most tolerance times the largest expected number. */
typedef struct kernel_check {
    const char *name;
    const kernel_setup *setup;
    const char *fluid, *scene; /* lines instead of the set-up's, if given */
    const char *words, *field;
    int width;
    double factor; /* 0 counts as 1 */
    const double *expected;
    double tolerance;
} kernel_check;
void kernel_check_all(const kernel_check *rows, int count);

#endif
