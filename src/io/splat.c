/* splat.c -- spheres into a depth buffer.
 *
 * The picture is cut into bands of rows. One thread draws a band at a time, going through all splats in order, so
 * that each sample ends with its nearest splat, the first of equals, whatever the number of threads.
 */
#include <math.h>
#include <omp.h>

#include "io/picture.h"

/* One row of a sphere: `span` is radius^2 - dy^2. Written without branches for the vectoriser. */
static void splat_row(float *restrict depth, int32_t *restrict index, int x0, int x1, float cx, float span, float z,
                      float scale, int32_t i)
{
    for (int x = x0; x < x1; x++) {
        float dx = (float)x + 0.5f - cx;
        float inside = span - dx * dx;
        float near = z - scale * sqrtf(inside > 0 ? inside : 0);
        bool seen = (inside > 0) & (near < depth[x]);
        depth[x] = seen ? near : depth[x];
        index[x] = seen ? i : index[x];
    }
}

static int clip(float x, int high) { return x <= 0 ? 0 : x >= (float)high ? high : (int)x; }

static void splat_band(mn_picture *p, int top, int bottom)
{
    int width = p->width * p->samples;
    for (size_t k = (size_t)top * (size_t)width; k < (size_t)bottom * (size_t)width; k++) {
        p->depth[k] = MN_NOTHING;
        p->index[k] = -1;
    }
    for (long i = 0; i < p->count; i++) {
        mn_splat s = p->splats[i];
        if (s.radius <= 0 || s.y + s.radius <= (float)top || s.y - s.radius >= (float)bottom) continue;
        int y0 = clip(s.y - s.radius, bottom), y1 = clip(s.y + s.radius + 1, bottom);
        int x0 = clip(s.x - s.radius, width), x1 = clip(s.x + s.radius + 1, width);
        float scale = s.z / p->focal;
        for (int y = y0 < top ? top : y0; y < y1; y++) {
            float dy = (float)y + 0.5f - s.y, span = s.radius * s.radius - dy * dy;
            size_t row = (size_t)y * (size_t)width;
            if (span > 0) splat_row(p->depth + row, p->index + row, x0, x1, s.x, span, s.z, scale, (int32_t)i);
        }
    }
}

void mn_picture_splat(mn_picture *p)
{
    int rows = p->height * p->samples;
    int bands = 8 * omp_get_max_threads();
    if (bands > rows / 8) bands = rows / 8 > 0 ? rows / 8 : 1;
#pragma omp parallel for schedule(dynamic, 1)
    for (int b = 0; b < bands; b++)
        splat_band(p, (int)((int64_t)rows * b / bands), (int)((int64_t)rows * (b + 1) / bands));
}
