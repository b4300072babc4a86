/* wall_speed.h -- how fast and how far out the points of a driven wall are, without a look at each in every step; see
 * wall_speed.c. */
#ifndef MN_BOUNDARY_WALL_SPEED_H
#define MN_BOUNDARY_WALL_SPEED_H

#include "scene/motion.h"

/* Velocity and spin of a wall in the frame in which its points rest: a point at x moves with velocity + spin x
 * (x - origin). */
typedef struct mn_turning {
    double velocity[3], spin[3];
} mn_turning;

/* What is known of the points of a driven wall; zeros at first. */
typedef struct mn_wall_speed {
    bool known;                 /* the origin and what follows it */
    double origin[3];           /* of its motion */
    double reach, from_axis[3]; /* m: of the point farthest from the origin; from the lines through it along x, y, z */
    mn_turning last;            /* for which all points were looked at */
    double *likely;             /* 3 a point, from the origin: those that may be the fastest; NULL: not known */
    long likely_count;
    mn_turning likely_at; /* there they lack at most `slack` of the greatest speed, and all others lack more */
    double slack;         /* m/s */
} mn_wall_speed;

/* A driven wall now: its points at rest, 3 a point, and how it moves. */
typedef struct mn_driven_wall {
    mn_wall_speed *speed;
    const double *rest;
    long count;
    mn_pose pose, jolt; /* mn_motion_at, mn_motion_jolt */
} mn_driven_wall;

/* The larger of `most` and of the largest speed of a point of these walls, m/s, their jolts being motions too. */
double mn_wall_speed_most(const mn_driven_wall *wall, int count, double most);
/* m: how far the farthest point is from the origin of the motion. */
double mn_wall_speed_reach(mn_wall_speed *w, const double *rest, long count, const double origin[3]);
/* The points are others from now on. */
void mn_wall_speed_forget(mn_wall_speed *w);

#endif
