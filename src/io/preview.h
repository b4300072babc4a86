/* preview.h -- a picture of the particles as PNG: shaded spheres with depth, a colour scale and the time.
 *
 * The picture depends on its input alone, not on the number of threads. World axes are right-handed, lengths in metres.
 */
#ifndef MN_IO_PREVIEW_H
#define MN_IO_PREVIEW_H

#include "base/message.h"

typedef struct mn_view {
    double eye[3], target[3], up[3];
    double fov; /* degrees, vertical */
    double cut; /* m: particles of the fluid nearer than this are left out */
} mn_view;

typedef struct mn_preview {
    int width, height; /* pixels, 16 to 8192 */
    long count;
    const float *positions; /* count * 3; particles that are not finite are left out */
    float radius;           /* m, of the spheres */
    const float *values;    /* count numbers for the colour; NULL: one colour and no scale */
    double low, high;       /* ends of the colour scale; equal: from the values by mn_preview_range */
    long wall_count;
    const float *walls;       /* wall_count * 3, or NULL: solids are drawn whole, of containers only the far side */
    const int *wall_group;    /* which solid each boundary point belongs to, or NULL: all to one */
    const float *wall_values; /* wall_count shares from 0, clean, to 1, coated; NULL: all clean */
    long soft_count;          /* how many of the last points are of soft solids, with a colour of their own */
    const mn_view *view;      /* NULL: mn_view_auto of this frame's particles */
    const int *group_colour;  /* for each group, which of ten colours; -1: as walls are. NULL: none has one */
    int group_count;
    bool water;        /* the liquid as a clear surface; coloured by `values` where there are any */
    const char *title; /* upper left, for instance "dam-30k   t = 0.250 s"; NULL: none */
    const char *label; /* of the colour scale, for instance "speed [m/s]"; NULL: none */
} mn_preview;

mn_status mn_preview_write(const char *path, const mn_preview *in, mn_messages *say);

/* A view that shows the whole box from the front, a little from the right and above. `up` is a direction, for instance
   against gravity; it is snapped to the nearest axis. Take it once and keep it for all frames of a run. */
mn_view mn_view_auto(const double low[3], const double high[3], const double up[3], double aspect);

/* Ends of a colour scale that show nearly all values: round numbers, from zero if no value is negative. */
void mn_preview_range(const float *values, long count, double *low, double *high);

/* The smallest box around the finite ones of `count` points; false if there is none. */
bool mn_preview_bounds(const float *positions, long count, double low[3], double high[3]);

/* Makes a video of the pictures frame_*.png of a folder with ffmpeg, in the order of their names. A run can do
 * without it: a failure is a warning, and MN_FAILED. Without ffmpeg in the PATH it says so in a note and returns
 * MN_OK. */
mn_status mn_video_write(const char *folder, double frames_per_second, const char *path, mn_messages *say);
/* The same as an animated gif, at most 640 pixels wide; says nothing where there is no ffmpeg. */
mn_status mn_gif_write(const char *folder, double frames_per_second, const char *path, mn_messages *say);

#endif
