/* points.h -- walls, rigid bodies and soft solids as boundary points; see points.c. */
#ifndef MN_BOUNDARY_POINTS_H
#define MN_BOUNDARY_POINTS_H

#include "boundary/wall_speed.h"
#include "kernels/port.h"
#include "meniscus/meniscus.h"
#include "run/backend.h"
#include "scene/motion.h"
#include "scene/scene.h"

/* Boundary points on the host, in the order of the walls. On the device lie the resting ones, in cell order; then the
 * active points, those that move or feel, in host order; then their copies across periodic faces. */
typedef struct mn_boundary {
    int count;
    double *rest; /* 3 a point, pose of t = 0 */
    /* 3 a point, outward, pose of t = 0; 0 at resting walls; of length 2 on sheets, which have an outside on either
     * face; NULL: not known */
    double *normal;
    float *face;      /* area of each point for the wind, m^2, negative on sheets; NULL: no body feels it */
    float *volume;    /* V_b, m^3 */
    float *share;     /* of each point: that of the contact pattern of its wall, 0 to 1; NULL: no wall has one */
    int *object;      /* whose it is: index among the walls of the scene, its bodies, its solids */
    int *owner;       /* of each active entry: its point */
    real4 *pos, *vel; /* as uploaded; of driven walls at any time only what mn_world_boundary left */
    /* of each active entry: its outward normal now, as long as `normal`; w: drag coefficient times `face` */
    real4 *facing;
    int resting, active; /* entries of each kind */
    int end[MN_OBJECTS]; /* of each object: the active entry behind its last */
    /* of the active ones, which begin with them: those of walls, where they carry no substances */
    int without_lists;
    int copies, copy_room;
    mn_buffer *copy_source;             /* of the copies, on the device; NULL: nothing is copied to them */
    int *copy_of;                       /* of each copy: the active entry that it shows */
    int version;                        /* changes with the resting ones */
    bool rest_sent;                     /* the device knows where the points of driven walls are at rest */
    bool driven[MN_MAX_WALLS];          /* the walls that moved when the entries were sorted */
    mn_wall_speed speed[MN_MAX_WALLS];  /* of driven walls */
    double fastest;                     /* of the active points in this step, m/s */
    float low[3], high[3];              /* around those that are not driven walls */
    double still_low[3], still_high[3]; /* around the resting ones */
    bool too_far;                       /* an active point was where there are no cells, which was said */
} mn_boundary;

mn_boundary *mn_boundary_of(const mn_world *w);

/* Of entries in one cell the order: by point, then by copy. 32 i + c of the 27 copies leaves 32 bits beyond 67 million
 * points. */
static inline int64_t mn_boundary_rank(int point, int copy) { return 32 * (int64_t)point + copy; }

/* sample.c: all points, and their volumes. */
mn_status mn_boundary_make(mn_world *w, void *me, mn_messages *say);
/* Objects are the walls of the scene, then its bodies, then its solids. A body may be fixed: it feels all the same.
 * Whether an object moves; whether its points own neighbour lists; whether they only follow its motion: then the device
 * places them (in a periodic box the host does, with their copies). */
bool mn_boundary_moves(const mn_scene *s, int object);
bool mn_boundary_listens(const mn_scene *s, int object);
bool mn_boundary_is_driven(const mn_world *w, int object);

/* The active points of one wall, body or solid: entries first to end, and what holds for all of them at this time. */
typedef struct mn_placed {
    int object, first, end;
    mn_pose pose;
    double drag;
} mn_placed;
/* Those that begin with the entry `first`. */
mn_placed mn_boundary_next(const mn_world *w, int first);
/* Brings the active points to their places at this time, on the device too; sends all points after memory has moved. */
void mn_boundary_place(mn_world *w, void *me);
void mn_boundary_send(mn_world *w, void *me);

/* Host points into entries: which rest, which are active. Then mn_world_reserve makes room for them. */
bool mn_boundary_sort(mn_world *w);
/* What active points hold in a field of 16 bytes, to their copies across periodic faces. */
void mn_boundary_copy(mn_world *w, int field);
/* The mean force of the fluid on each active entry during the last step, N; owner[] says which point it is. */
bool mn_boundary_forces(mn_world *w, double (*force)[3]);

/* periods.c: a point and its copies across the periodic faces, where they can touch the fluid: how many; at most. */
int mn_boundary_copies_of(const mn_world *w, const double x[3], double out[27][3]);
int mn_boundary_most_copies(const mn_world *w);
void mn_boundary_wrap(const mn_world *w, double x[3]);
/* False, with a message: a body is longer than the period and would overlap its own copy. */
bool mn_boundary_fits_periods(const mn_world *w, mn_messages *say);

/* load.c: that force on rigid bodies and soft solids. */
mn_status mn_boundary_collect(mn_world *w, const mn_boundary *p, mn_messages *say);

#endif
