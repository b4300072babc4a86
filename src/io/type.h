/* type.h -- lettering of pictures: an antialiased font with kerning, and the caption and colour scale set in it.
 * Text is UTF-8; characters that the font lacks become '?'. */
#ifndef MN_IO_TYPE_H
#define MN_IO_TYPE_H

#include "base/message.h"

/* A picture in sRGB, three bytes a pixel, rows from the top. */
typedef struct mn_canvas {
    unsigned char *rgb;
    int width, height;
} mn_canvas;

/* `size` is the height of the em in pixels; letters without descenders stand on the baseline y. */
float mn_type_width(const char *text, float size);
void mn_type_draw(const mn_canvas *to, float x, float y, float size, const unsigned char ink[3], float opacity,
                  const char *text);

typedef struct mn_caption {
    const char *title;  /* upper left, cut short before "   t = " where it does not fit; NULL: none */
    const char *label;  /* of the colour scale, lower right; NULL: no scale */
    double low, high;   /* values at its ends */
    const char *second; /* of another scale, lower left; NULL: none */
    double second_low, second_high;
    float second_ramp[256][3]; /* its colours, linear */
} mn_caption;
/* Small pictures get less of it, or nothing. */
void mn_caption_draw(const mn_canvas *to, const mn_caption *caption);
/* A number at a scale: three digits, up to a million without a power of ten. */
void mn_caption_number(double value, char *out, int size);

#endif
