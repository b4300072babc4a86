/* outlook.h -- what the fluid of a scene will do, as far as the scene tells: for a camera and colours that are chosen
 * before the run. */
#ifndef MN_SESSION_OUTLOOK_H
#define MN_SESSION_OUTLOOK_H

#include "scene/scene.h"

/* Widens the box of the fluid as it begins (low above high: there is none) by where it comes from and goes to. Walls
 * end its flight; NULL, or infinite: there are none on that side. False: there is no fluid at all. */
bool mn_outlook(const mn_scene *scene, const double *wall_low, const double *wall_high, double low[3], double high[3]);

/* A scale for speeds, so that colours mean the same in all frames: that of a fall through half the box, or of a faster
 * start. 0: without gravity there is none. */
double mn_outlook_speed(const mn_scene *scene, const double low[3], const double high[3]);

#endif
