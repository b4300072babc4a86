/* stroke.c -- antialiased lines and dots. A line is covered as a whole before it is painted, so that it is as dark at
 * its corners as between them. */
#include <math.h>
#include <stdlib.h>

#include "io/type.h"
#include "plot/chart.h"

typedef struct cover {
    float *share; /* of each pixel of the box */
    int left, top, wide, tall;
    double half; /* width of the line */
} cover;

static double distance(double px, double py, double ax, double ay, double bx, double by)
{
    const double dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
    double t = square > 0 ? ((px - ax) * dx + (py - ay) * dy) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(px - ax - t * dx, py - ay - t * dy);
}

static void touch(cover *c, int x, int y, const double s[4])
{
    if (x < 0 || y < 0 || x >= c->wide || y >= c->tall) return;
    const double d = distance(x + 0.5, y + 0.5, s[0], s[1], s[2], s[3]), share = fmin(fmax(c->half + 0.5 - d, 0), 1);
    float *at = &c->share[(size_t)y * (size_t)c->wide + (size_t)x];
    if ((float)share > *at) *at = (float)share;
}

/* Along the longer direction, a few pixels across. */
static void segment(cover *c, double ax, double ay, double bx, double by)
{
    const double s[4] = {ax, ay, bx, by};
    const bool flat = fabs(bx - ax) >= fabs(by - ay);
    const double from = flat ? fmin(ax, bx) : fmin(ay, by), to = flat ? fmax(ax, bx) : fmax(ay, by);
    const double slope = flat ? (bx != ax ? (by - ay) / (bx - ax) : 0) : (ax - bx) / (ay - by);
    const int reach = (int)ceil(1.5 * c->half + 1.5), most = flat ? c->wide : c->tall;
    const int first = (int)fmax(-2, floor(from - c->half - 1)), last = (int)fmin(most + 1, ceil(to + c->half + 1));
    for (int i = first; i <= last; i++) {
        const double along = fmin(fmax(i + 0.5, from), to);
        const double across = flat ? ay + slope * (along - ax) : ax + slope * (along - ay);
        if (!(fabs(across) < 1e6)) continue;
        for (int k = (int)floor(across) - reach; k <= (int)floor(across) + reach; k++)
            touch(c, flat ? i : k, flat ? k : i, s);
    }
}

static void paint(const mn_canvas *to, const cover *c, const unsigned char ink[3])
{
    for (int y = 0; y < c->tall; y++)
        for (int x = 0; x < c->wide; x++) {
            const float share = c->share[(size_t)y * (size_t)c->wide + (size_t)x];
            if (!(share > 0)) continue;
            unsigned char *pixel = to->rgb + 3 * ((size_t)(y + c->top) * (size_t)to->width + (size_t)(x + c->left));
            for (int k = 0; k < 3; k++)
                pixel[k] = (unsigned char)((float)pixel[k] + share * ((float)ink[k] - (float)pixel[k]) + 0.5f);
        }
}

static bool open_cover(cover *c, const mn_canvas *to, const int box[4], double width)
{
    const int left = box[0] > 0 ? box[0] : 0, top = box[1] > 0 ? box[1] : 0;
    *c = (cover){.left = left,
                 .top = top,
                 .wide = (box[2] < to->width ? box[2] : to->width) - left,
                 .tall = (box[3] < to->height ? box[3] : to->height) - top,
                 .half = 0.5 * width};
    if (c->wide <= 0 || c->tall <= 0) return true;
    c->share = calloc((size_t)c->wide * (size_t)c->tall, sizeof *c->share);
    return c->share != NULL;
}

bool mn_stroke(const mn_canvas *to, const int box[4], const double *x, const double *y, long count, double width,
               const unsigned char ink[3])
{
    cover c;
    if (!open_cover(&c, to, box, width)) return false;
    for (long i = 1; c.share && i < count; i++)
        if (isfinite(x[i - 1]) && isfinite(y[i - 1]) && isfinite(x[i]) && isfinite(y[i]))
            segment(&c, x[i - 1] - c.left, y[i - 1] - c.top, x[i] - c.left, y[i] - c.top);
    if (c.share) paint(to, &c, ink);
    free(c.share);
    return true;
}

void mn_dot(const mn_canvas *to, const int box[4], double x, double y, double radius, const unsigned char ink[3])
{
    for (int py = (int)(y - radius - 1); py <= (int)(y + radius + 1); py++)
        for (int px = (int)(x - radius - 1); px <= (int)(x + radius + 1); px++) {
            if (px < box[0] || py < box[1] || px >= box[2] || py >= box[3]) continue;
            const double share = fmin(fmax(radius + 0.5 - hypot(px + 0.5 - x, py + 0.5 - y), 0), 1);
            unsigned char *pixel = to->rgb + 3 * ((size_t)py * (size_t)to->width + (size_t)px);
            for (int k = 0; k < 3; k++)
                pixel[k] = (unsigned char)((double)pixel[k] + share * ((double)ink[k] - (double)pixel[k]) + 0.5);
        }
}
