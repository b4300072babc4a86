/* moving_lines.h -- contact lines whose angle depends on their speed (kernels/wetting/moving_line.h). */
#ifndef MN_METHODS_MOVING_LINES_H
#define MN_METHODS_MOVING_LINES_H

#include "methods/methods.h"

typedef struct mn_moving_lines {
    real4 *sent; /* the table wall_slip as the device has it; NULL before the first step */
    bool bends;  /* something in it is not 0 */
} mn_moving_lines;

/* Gives lines that move their angle, between laplace_wide and laplace_turn. a: the model laplace. Nothing where no wall
 * has a slip length, or no fluid a viscosity. */
void mn_moving_lines_run(mn_world *w, mn_moving_lines *l, const mn_model *a);
void mn_moving_lines_free(mn_moving_lines *l);

#endif
