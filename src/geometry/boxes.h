/* boxes.h -- a tree over boxes: which of many shapes are near a place. */
#ifndef MN_GEOMETRY_BOXES_H
#define MN_GEOMETRY_BOXES_H

#include <stdbool.h>

typedef struct mn_boxes mn_boxes;
/* Copies the boxes. One without end in some direction is near every place. NULL: out of memory. */
mn_boxes *mn_boxes_new(const double (*low)[3], const double (*high)[3], int count);
void mn_boxes_free(mn_boxes *boxes);

/* Calls `look` for each box whose gap to x is below `radius`, those without end first, then the nearer half of the
 * tree first. The gap is the distance from the box; inside, minus the distance to its nearest face: never above the
 * signed distance of a shape in the box. `look` returns the radius from then on, and visit the last one. */
typedef double mn_boxes_look(void *user, int box, double radius);
double mn_boxes_visit(const mn_boxes *boxes, const double x[3], double radius, mn_boxes_look *look, void *user);

#endif
