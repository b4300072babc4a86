/* preview.c -- from particles to a picture: bounds, camera, colour scale, the choice of boundary points, and what is
 * written on top. */
#include "io/preview.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "io/picture.h"
#include "io/type.h"

/* ---------------------------------------------------------- bounds and ranges */

static bool finite3(const float *x) { return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]); }

bool mn_preview_bounds(const float *positions, long count, double low[3], double high[3])
{
    float l[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, h[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (long i = 0; i < count; i++) {
        const float *x = positions + 3 * i;
        if (!finite3(x)) continue;
        for (int c = 0; c < 3; c++) {
            l[c] = x[c] < l[c] ? x[c] : l[c];
            h[c] = x[c] > h[c] ? x[c] : h[c];
        }
    }
    bool any = l[0] <= h[0];
    for (int c = 0; c < 3; c++) low[c] = any ? l[c] : -1, high[c] = any ? h[c] : 1;
    return any;
}

/* The least of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 times a power of ten that is not below x > 0. */
static double round_up(double x)
{
    static const double steps[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    double power = pow(10, floor(log10(x)));
    for (int s = 0; s < 10; s++)
        if (steps[s] * power >= x * (1 - 1e-6)) return steps[s] * power;
    return 10 * power;
}

/* The value below which all but one in two hundred lie, to the width of a bin. */
static double most_of(const float *values, long count, double low, double high)
{
    enum { BINS = 1024 };
    long bins[BINS] = {0}, total = 0, below = 0;
    for (long i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        int bin = (int)((values[i] - low) / (high - low) * BINS);
        bins[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]++;
        total++;
    }
    for (int b = 0; b < BINS; b++) {
        below += bins[b];
        if (below >= total - total / 200) return low + (high - low) * (b + 1) / BINS;
    }
    return high;
}

void mn_preview_range(const float *values, long count, double *low, double *high)
{
    double least = DBL_MAX, most = -DBL_MAX;
    for (long i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    *low = 0, *high = 1;
    if (least > most) return;
    if (least == most) {
        *low = least >= 0 ? 0 : -round_up(-least);
        *high = most > 0 ? round_up(most) : most < 0 ? 0 : 1;
    } else if (least >= 0 && least < 0.5 * most) {
        most = most_of(values, count, 0, most);
        *high = round_up(most_of(values, count, 0, most)); /* again, with finer bins */
    } else {
        double step = round_up((most - least) / 8);
        *low = floor(least / step) * step, *high = ceil(most / step) * step;
    }
    if (!(*high > *low)) *high = *low + 1;
}

/* ------------------------------------------------------------------ camera */

typedef struct camera {
    double right[3], up[3], forward[3], eye[3], slope; /* slope: tangent of half the vertical angle */
    double cut;                                        /* as in mn_view */
} camera;

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static void cross3(const double *a, const double *b, double *out)
{
    for (int c = 0; c < 3; c++) out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}
static bool normalise(double *a)
{
    double length = sqrt(dot3(a, a));
    if (!(length > 1e-300) || !isfinite(length)) return false;
    for (int c = 0; c < 3; c++) a[c] /= length;
    return true;
}

/* False if eye and target coincide or a number is not finite. An `up` along the view is replaced by another axis. */
static bool aim(camera *cam, const mn_view *view)
{
    for (int c = 0; c < 3; c++) {
        cam->eye[c] = view->eye[c];
        cam->forward[c] = view->target[c] - view->eye[c];
        cam->up[c] = view->up[c];
    }
    if (!isfinite(dot3(cam->eye, cam->eye)) || !normalise(cam->forward)) return false;
    double up[3] = {cam->up[0], cam->up[1], cam->up[2]};
    for (int attempt = 0; attempt < 3; attempt++) {
        cross3(cam->forward, up, cam->right);
        if (normalise(up) && dot3(cam->right, cam->right) > 1e-12 && normalise(cam->right)) break;
        for (int c = 0; c < 3; c++) up[c] = c == attempt + 1; /* y, then z */
    }
    cross3(cam->right, cam->forward, cam->up);
    cam->cut = view->cut;
    cam->slope = tan(0.5 * view->fov * (M_PI / 180));
    return view->fov > 0.1 && view->fov < 170;
}

static void to_view(const camera *cam, const double *x, double out[3])
{
    double d[3] = {x[0] - cam->eye[0], x[1] - cam->eye[1], x[2] - cam->eye[2]};
    out[0] = dot3(d, cam->right), out[1] = dot3(d, cam->up), out[2] = dot3(d, cam->forward);
}

static void corner(const double low[3], const double high[3], int k, double out[3])
{
    for (int c = 0; c < 3; c++) out[c] = k >> c & 1 ? high[c] : low[c];
}

/* Moves eye and target together so that the box is centred on the screen, then back until it fits. */
static void fit(mn_view *view, const double low[3], const double high[3], double aspect)
{
    const double margin = 0.88;
    for (int pass = 0; pass < 6; pass++) {
        camera cam;
        if (!aim(&cam, view)) return;
        double left = DBL_MAX, right = -DBL_MAX, bottom = DBL_MAX, top = -DBL_MAX, back = -DBL_MAX, depth[3];
        double middle = 0;
        for (int c = 0; c < 3; c++) middle += (view->target[c] - view->eye[c]) * cam.forward[c];
        for (int k = 0; k < 8; k++) {
            double x[3];
            corner(low, high, k, x);
            to_view(&cam, x, depth);
            if (depth[2] > 1e-9 * middle) {
                double u = depth[0] / depth[2], v = depth[1] / depth[2];
                left = fmin(left, u), right = fmax(right, u), bottom = fmin(bottom, v), top = fmax(top, v);
            }
            back =
                fmax(back, fmax(fabs(depth[0]) / (cam.slope * aspect * margin), fabs(depth[1]) / (cam.slope * margin)) -
                               depth[2]);
        }
        for (int c = 0; c < 3; c++) {
            double shift = 0.5 * (left + right) * middle * cam.right[c] + 0.5 * (bottom + top) * middle * cam.up[c];
            if (pass == 5 || !isfinite(shift)) shift = 0; /* the last pass only fits */
            view->target[c] += shift;
            view->eye[c] += shift - back * cam.forward[c];
        }
    }
}

mn_view mn_view_auto(const double low[3], const double high[3], const double up[3], double aspect)
{
    int y = 0;
    for (int c = 1; c < 3; c++)
        if (fabs(up[c]) > fabs(up[y])) y = c;
    if (up[0] == 0 && up[1] == 0 && up[2] == 0) y = 1;
    double sign = up[y] < 0 ? -1 : 1;
    int x = (y + 2) % 3, z = (y + 1) % 3; /* y up: across is x, towards the eye is z */
    if (high[z] - low[z] > 1.2 * (high[x] - low[x])) x = (y + 1) % 3, z = (y + 2) % 3;

    double size = 1e-6;
    for (int c = 0; c < 3; c++) size = fmax(size, high[c] - low[c]);
    mn_view view = {{0}, {0}, {0}, 30, 0};
    for (int c = 0; c < 3; c++) view.target[c] = view.eye[c] = 0.5 * (low[c] + high[c]);
    view.up[y] = sign;
    view.eye[x] += 0.42 * 4 * size, view.eye[y] += sign * 0.40 * 4 * size, view.eye[z] += 4 * size;
    /* A box of no extent has no size to fill the picture with: take a little around it. */
    double l[3], h[3];
    for (int c = 0; c < 3; c++) l[c] = low[c] - 0.01 * size, h[c] = high[c] + 0.01 * size;
    fit(&view, l, h, aspect > 0 ? aspect : 1);
    return view;
}

/* -------------------------------------------------------------- projection */

static mn_splat project(const mn_picture *p, const camera *cam, const float *x, double radius, double nearest)
{
    const mn_splat none = {0, 0, 0, 1};
    double d[3] = {x[0], x[1], x[2]}, v[3];
    if (!finite3(x)) return none;
    to_view(cam, d, v);
    if (!(v[2] > fmax(2 * radius, nearest))) return none;
    double scale = p->focal / v[2], size = radius * scale;
    double sx = 0.5 * p->width * p->samples + scale * v[0], sy = 0.5 * p->height * p->samples - scale * v[1];
    size = size < 0.8 ? 0.8 : size; /* spray in the distance must not fall between the samples */
    if (!(fabs(sx) < 1e6 && fabs(sy) < 1e6 && size < 1e6)) return none;
    return (mn_splat){(float)sx, (float)sy, (float)size, (float)v[2]};
}

/* One object among the boundary points. A container holds the middle of the fluid in its box and spans most along two
 * axes (a pillar in the middle does not). */
typedef struct object {
    double low[3], high[3];
    long count;
    bool container;
} object;

/* Is this point of a container on the side that hides the inside? On a face of the box its normal decides, else
 * (cylinders, spheres) the direction from the middle, without the height unless there is only height. */
static bool hides_inside(const object *s, const camera *cam, const float *x, double tolerance)
{
    bool on_face = false;
    double towards[3], radial[3];
    for (int c = 0; c < 3; c++) {
        towards[c] = cam->eye[c] - x[c];
        double half = 0.5 * (s->high[c] - s->low[c]);
        radial[c] = half > 0 ? (x[c] - 0.5 * (s->low[c] + s->high[c])) / half : 0;
        double face = x[c] - s->low[c] < tolerance ? -1 : s->high[c] - x[c] < tolerance ? 1 : 0;
        if (face == 0) continue;
        on_face = true;
        if (face * towards[c] < 0) return false;
    }
    return on_face || dot3(radial, towards) > 0;
}

static bool contains(const object *s, const double low[3], const double high[3])
{
    int spanned = 0;
    for (int c = 0; c < 3; c++) {
        double middle = 0.5 * (low[c] + high[c]);
        if (middle < s->low[c] || middle > s->high[c]) return false;
        spanned += fmin(high[c], s->high[c]) - fmax(low[c], s->low[c]) >= 0.6 * (high[c] - low[c]);
    }
    return spanned >= 2;
}

enum { MAX_OBJECTS = 1024 };

static int object_of(const mn_preview *in, long i)
{
    int group = in->wall_group ? in->wall_group[i] : 0;
    return group < 0 ? 0 : group % MAX_OBJECTS;
}

static object *find_objects(const mn_preview *in, const double low[3], const double high[3])
{
    object *objects = calloc(MAX_OBJECTS, sizeof *objects);
    if (!objects) return NULL;
    for (long i = 0; in->walls && i < in->wall_count; i++) {
        const float *x = in->walls + 3 * i;
        object *s = &objects[object_of(in, i)];
        if (!finite3(x)) continue;
        for (int c = 0; c < 3; c++) {
            s->low[c] = s->count && s->low[c] < x[c] ? s->low[c] : x[c];
            s->high[c] = s->count && s->high[c] > x[c] ? s->high[c] : x[c];
        }
        s->count++;
    }
    for (int k = 0; k < MAX_OBJECTS; k++)
        objects[k].container = objects[k].count > 0 && contains(&objects[k], low, high);
    return objects;
}

/* Shrinks the spheres if they would overdraw the picture so often that it took seconds. */
static void limit_overdraw(mn_picture *p)
{
    double area = 0, most = 3e8;
    for (long i = 0; i < p->count; i++) {
        double r = fmin(p->splats[i].radius, p->width * p->samples);
        area += 4 * r * r;
    }
    if (area <= most) return;
    float shrink = (float)sqrt(most / area);
    for (long i = 0; i < p->count; i++) {
        mn_splat *s = &p->splats[i];
        if (s->radius > 0.8f) s->radius = fmaxf(0.8f, fminf(s->radius, (float)(p->width * p->samples)) * shrink);
    }
}

static bool make_splats(mn_picture *p, const mn_preview *in, const camera *cam, const double low[3],
                        const double high[3])
{
    object *objects = find_objects(in, low, high);
    if (!objects) return false;
    double tolerance = 0.75 * in->radius;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < p->count; i++) {
        if (i < in->count) {
            p->splats[i] = project(p, cam, in->positions + 3 * i, in->radius, cam->cut);
            continue;
        }
        const float *x = in->walls + 3 * (i - in->count);
        const object *s = &objects[object_of(in, i - in->count)];
        bool hidden = s->container && hides_inside(s, cam, x, tolerance);
        p->splats[i] = hidden ? (mn_splat){0, 0, 0, 1}
                              : project(p, cam, x, in->radius * (s->container && !in->wall_values ? 0.35 : 1.1), 0);
    }
    free(objects);
    limit_overdraw(p);
    return true;
}

static void choose_colours(const mn_preview *in, double low, double high, unsigned char *entries)
{
    double scale = high > low ? 255 / (high - low) : 0;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < in->count; i++) {
        double at = in->values ? (in->values[i] - low) * scale : 90;
        entries[i] = (unsigned char)(at > 255 ? 255 : at > 0 ? at : 0); /* also takes what is not a number */
    }
    for (long i = 0; i < in->wall_count && in->walls; i++) {
        const float share = in->wall_values ? in->wall_values[i] : 0;
        const int group = in->wall_group ? in->wall_group[i] : 0;
        const int colour = in->group_colour && group >= 0 && group < in->group_count ? in->group_colour[group] : -1;
        if (colour >= 0) entries[in->count + i] = (unsigned char)(MN_FIRST_SOLID_COLOUR + colour % MN_SOLID_COLOURS);
        else
            entries[in->count + i] = (unsigned char)((MN_FIRST_SOLID_COLOUR - 1) * (share > 1   ? 1
                                                                                    : share > 0 ? share
                                                                                                : 0));
    }
}

/* ----------------------------------------------------------------- lettering */

static void draw_lettering(mn_picture *p, const mn_preview *in, double low, double high)
{
    const mn_caption caption = {
        .title = in->title, .label = in->values ? in->label ? in->label : "" : NULL, .low = low, .high = high};
    mn_caption_draw(&(mn_canvas){p->pixels, p->width, p->height}, &caption);
}

/* ------------------------------------------------------------------ picture */

static mn_status check(const char *path, const mn_preview *in, mn_messages *say)
{
    mn_place at = {path, 0, 0};
    if (in->width < 16 || in->height < 16 || in->width > 8192 || in->height > 8192) {
        mn_say_error(say, at, "a picture of %d x %d pixels is not possible; expected 16 to 8192 for each", in->width,
                     in->height);
        return MN_BAD_INPUT;
    }
    if (in->count < 0 || in->wall_count < 0 || in->count > INT32_MAX / 2 || in->wall_count > INT32_MAX / 2) {
        mn_say_error(say, at, "a picture of %ld particles and %ld boundary points is not possible", in->count,
                     in->wall_count);
        return MN_BAD_INPUT;
    }
    if (!(in->radius > 0) || !isfinite(in->radius)) {
        mn_say_error(say, at, "the particle radius of a picture is %g m; expected more than 0", (double)in->radius);
        return MN_BAD_INPUT;
    }
    return MN_OK;
}

static mn_status draw(mn_picture *p, const mn_preview *in, const camera *cam, const double low[3], const double high[3])
{
    unsigned char *entries = malloc(p->count > 0 ? (size_t)p->count : 1);
    double least = in->low, most = in->high;
    if (in->values && !(most > least)) mn_preview_range(in->values, in->count, &least, &most);
    bool ready = entries && make_splats(p, in, cam, low, high);
    if (ready) {
        choose_colours(in, least, most, entries);
        if (!in->water) mn_picture_splat(p);
        ready = (in->water ? mn_picture_water(p, entries, in->values != NULL) : mn_picture_shade(p, entries)) == MN_OK;
        draw_lettering(p, in, least, most);
    }
    free(entries);
    return ready ? MN_OK : MN_FAILED;
}

mn_status mn_preview_write(const char *path, const mn_preview *in, mn_messages *say)
{
    if (check(path, in, say) != MN_OK) return MN_BAD_INPUT;
    double low[3], high[3], up[3] = {0, 1, 0};
    mn_preview_bounds(in->positions, in->count, low, high);
    mn_view view = in->view ? *in->view : mn_view_auto(low, high, up, (double)in->width / in->height);
    camera cam;
    if (!aim(&cam, &view)) {
        mn_say_error(say, (mn_place){path, 0, 0},
                     "the camera cannot see: its eye and target must differ, its fov be 0.1 to 170 degrees");
        return MN_BAD_INPUT;
    }

    bool large = (long)in->width * in->height > 4000000;
    mn_picture p = {.width = in->width, .height = in->height, .samples = large ? 1 : 2, .radius = in->radius};
    p.focal = (float)(0.5 * p.height * p.samples / cam.slope);
    p.fluid = in->count;
    p.count = in->count + (in->walls ? in->wall_count : 0);
    p.soft = p.count - in->soft_count;
    size_t pixels = (size_t)p.width * (size_t)p.height, samples = pixels * (size_t)(p.samples * p.samples);
    p.splats = malloc(p.count > 0 ? (size_t)p.count * sizeof *p.splats : 1);
    p.depth = malloc(samples * sizeof *p.depth);
    p.index = malloc(samples * sizeof *p.index);
    p.pixels = malloc(pixels * 3);
    mn_status status = MN_FAILED;
    if (p.splats && p.depth && p.index && p.pixels) status = draw(&p, in, &cam, low, high);
    if (status == MN_OK) status = mn_png_write(path, p.pixels, p.width, p.height, say);
    else mn_say_failure(say, (mn_place){path, 0, 0}, "cannot draw this picture: out of memory");
    free(p.splats);
    free(p.depth);
    free(p.index);
    free(p.pixels);
    return status;
}
