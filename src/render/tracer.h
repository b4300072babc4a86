/* tracer.h -- a path tracer for liquids in a studio: triangles in, a picture in linear light out.
 *
 * Light. A soft sky, one wide lamp and a ground of even colour that fades into the backdrop. Clear surfaces (liquid,
 * glass) split a ray into its reflected and its refracted part, without random numbers, so that what is seen in them
 * has no grain; light that reaches matte surfaces through them is weakened (Fresnel, Beer) instead of bent, so that
 * there are no caustics and none of their noise. What is still random, soft shadows, is smoothed in the light alone
 * (denoise.c): colours and edges stay sharp.
 *
 * The picture depends on its input alone: random numbers come from the place of the pixel and the number of the
 * sample, the trees are built by one thread, and every pixel is summed in the same order whatever the number of
 * threads.
 */
#ifndef MN_RENDER_TRACER_H
#define MN_RENDER_TRACER_H

#include "base/message.h"
#include "io/preview.h"
#include "render/vec3.h"

typedef enum mn_material {
    MN_MATTE,
    MN_GLASS, /* a thin sheet: reflects, tints, does not bend */
    MN_METAL,
    MN_LIQUID, /* the inside of a closed mesh */
    MN_PAINTED /* matte under a clear coat: fields on a liquid's surface */
} mn_material;

typedef struct mn_surface_look {
    mn_material material;
    vec3 colour;     /* matte, metal, painted: linear, 0 to 1; glass: its tint */
    vec3 absorption; /* liquid, 1/m */
    float index;     /* liquid, of refraction */
    bool one_sided;  /* seen only from the side that its triangles face: a container that lets one look in */
} mn_surface_look;

typedef struct mn_trace_mesh {
    const float *position; /* 3 a vertex, m */
    const float *later;    /* the same at the end of the exposure; NULL: it stands still */
    const float *normal;   /* 3 a vertex, unit; NULL: flat triangles */
    const float *colour;   /* 3 a vertex, linear; NULL: that of the look */
    const int32_t *triangle;
    long vertex_count, triangle_count;
    mn_surface_look look;
} mn_trace_mesh;

typedef struct mn_studio {
    vec3 up;      /* unit */
    vec3 lamp;    /* direction to it, unit */
    bool ground;  /* is there one? */
    float height; /* m along `up`, of the ground */
    vec3 centre;  /* of what happens; far from it the ground fades into the backdrop */
    float size;   /* m, of what happens */
    vec3 ground_colour;
    float contact; /* m: a liquid so near to something opaque wets it, no air between them */
} mn_studio;

typedef struct mn_lens {
    mn_view view;
    double aperture, focus; /* m: diameter of the lens (0: all sharp) and distance that is sharp */
    bool blur;              /* rays at random times of the exposure */
    int width, height;      /* pixels */
    int samples;            /* most a pixel; even parts take fewer */
    int threads;            /* 0: all */
} mn_lens;

typedef struct mn_tracer mn_tracer;

/* Copies the meshes. NULL, with a message, on failure. */
mn_tracer *mn_tracer_new(const mn_trace_mesh *meshes, int count, const mn_studio *studio, mn_messages *say);
void mn_tracer_free(mn_tracer *tracer);

/* Linear light, 3 floats a pixel, rows from the top. */
mn_status mn_tracer_draw(const mn_tracer *tracer, const mn_lens *lens, float *rgb, mn_messages *say);

/* From linear light to sRGB bytes with a soft shoulder. */
void mn_tone(const float *rgb, long pixels, unsigned char *out);

#endif
