/* picture.h -- what the parts of the preview share: splats of spheres into a depth buffer (splat.c), light and colour
 * (shade.c; of a clear liquid: water.c), PNG (png.c).
 *
 * View space: x right, y up, z away from the eye, in metres. Screen: x right, y down, in samples; `samples` x `samples`
 * samples make a pixel. Colours are linear light, 0 to 1.
 */
#ifndef MN_IO_PICTURE_H
#define MN_IO_PICTURE_H

#include "base/message.h"

typedef struct mn_colour {
    float r, g, b;
} mn_colour;

/* A sphere on the screen. radius 0: not to be drawn. */
typedef struct mn_splat {
    float x, y, radius; /* samples */
    float z;            /* m */
} mn_splat;

typedef struct mn_picture {
    int width, height, samples; /* pixels, samples a pixel and axis */
    float focal;                /* samples: screen = focal * x / z */
    float radius;               /* m, of the fluid's spheres */
    mn_splat *splats;
    long count, fluid;     /* splats; the first `fluid` are fluid, the rest solid, */
    long soft;             /* and from here on soft */
    float *depth;          /* per sample, MN_NOTHING where there is nothing */
    int32_t *index;        /* per sample: which splat is seen, -1 for none */
    unsigned char *pixels; /* sRGB, three bytes */
} mn_picture;

#define MN_NOTHING 1e30f

void mn_picture_splat(mn_picture *p);

/* Colours the pixels. `entries` gives each fluid splat its entry of the ramp, each solid one how much of it is
 * coated (0 to 255). */
mn_status mn_picture_shade(mn_picture *p, const unsigned char *entries);

/* Splats and colours: solids like the two above, the liquid as a clear surface over them, `coloured` by its entries
 * or like water. */
mn_status mn_picture_water(mn_picture *p, const unsigned char *entries, bool coloured);

/* Entries of boundary points: below the first solid colour the share of what covers them, then the colours of
 * bodies. */
enum { MN_SOLID_COLOURS = 10, MN_FIRST_SOLID_COLOUR = 256 - MN_SOLID_COLOURS };

/* Entry 0 to 255 of the colour scale. */
mn_colour mn_ramp(int entry);
unsigned char mn_srgb(float linear);

/* Whether the file is a whole PNG, by its beginning and its end, and of which size. */
bool mn_png_size(const char *path, int *width, int *height);
mn_status mn_png_write(const char *path, const unsigned char *rgb, int width, int height, mn_messages *say);

#endif
