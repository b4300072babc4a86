/* pattern.c -- patterns on walls: read at the start, asked for each boundary point. */
#include "boundary/pattern.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>

#include "base/exact.h"

static bool read_picture(const mn_pattern *pattern, mn_place at, mn_painter *out, mn_messages *say)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    bool ok = png_image_begin_read_from_file(&image, pattern->image);
    if (ok && ((size_t)image.width * image.height > 100000000 || !image.width || !image.height)) {
        mn_say_error(say, at, "the image \"%s\" has %u x %u pixels; expected at most 100 million", pattern->image,
                     image.width, image.height);
        png_image_free(&image);
        return false;
    }
    if (ok) {
        image.format = PNG_FORMAT_GRAY;
        out->image.width = (int)image.width, out->image.height = (int)image.height;
        out->image.grey = malloc(PNG_IMAGE_SIZE(image));
        const png_color black = {0, 0, 0};
        ok = out->image.grey && png_image_finish_read(&image, &black, out->image.grey, 0, NULL);
    }
    if (!ok && image.message[0])
        mn_say_error(say, at, "cannot read the image \"%s\": %s", pattern->image, image.message);
    else if (!ok) mn_say_failure(say, at, "cannot read the image \"%s\": out of memory", pattern->image);
    png_image_free(&image);
    return ok;
}

/* Brightness 0 to 1 where the point is projected along the picture's normal; 0 outside. */
static double brightness(const mn_painter *p, const double x[3])
{
    const mn_pattern *c = p->pattern;
    double d[3], aa = 0, ab = 0, bb = 0, da = 0, db = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = x[k] - c->origin[k];
        aa += c->along[k] * c->along[k], bb += c->down[k] * c->down[k], ab += c->along[k] * c->down[k];
        da += d[k] * c->along[k], db += d[k] * c->down[k];
    }
    const double det = aa * bb - ab * ab, u = (da * bb - db * ab) / det, v = (db * aa - da * ab) / det;
    if (!(u >= 0.0 && u <= 1.0 && v >= 0.0 && v <= 1.0)) return 0.0;
    const int px = (int)fmin(u * p->image.width, p->image.width - 1),
              py = (int)fmin(v * p->image.height, p->image.height - 1);
    return p->image.grey[(size_t)py * (size_t)p->image.width + (size_t)px] / 255.0;
}

static float channel(const float rgb[3], int colour)
{
    return colour <= 3 ? rgb[colour - 1] : (rgb[0] + rgb[1] + rgb[2]) / 3.0f;
}

static bool add_vertices(mn_painter *t, const mn_mesh *mesh, int colour)
{
    float *value =
        realloc(t->tint.value, ((size_t)t->tint.points.count + (size_t)mesh->vertex_count + 1) * sizeof *value);
    if (!value) return false;
    t->tint.value = value;
    for (int v = 0; v < mesh->vertex_count; v++) {
        value[t->tint.points.count] = channel(&mesh->colour[3 * (size_t)v], colour);
        if (mn_points_add(&t->tint.points, &mesh->vertex[3 * (size_t)v]) != MN_OK) return false;
    }
    for (int e = 0; e < mesh->triangle_count; e++)
        for (int a = 0; a < 3; a++) {
            const double *p = &mesh->vertex[3 * (size_t)mesh->triangle[3 * e + a]],
                         *q = &mesh->vertex[3 * (size_t)mesh->triangle[3 * e + (a + 1) % 3]];
            t->tint.reach = fmax(t->tint.reach,
                                 sqrt(mn_power(p[0] - q[0], 2) + mn_power(p[1] - q[1], 2) + mn_power(p[2] - q[2], 2)));
        }
    return true;
}

static bool read_tint(const mn_scene *s, int object, int colour, mn_place at, mn_painter *t, mn_messages *say)
{
    const mn_body *body = object < s->wall_count ? NULL : &s->bodies[object - s->wall_count];
    const mn_shape_def *shapes = body ? body->shapes : s->walls[object].shapes;
    const int count = body ? body->shape_count : s->walls[object].shape_count;
    const char *name = body ? body->name : s->walls[object].name;
    bool ok = true;
    for (int k = 0; k < count && ok; k++) {
        mn_shape *shape = shapes[k].kind == MN_MESH ? mn_shape_new(&shapes[k], say) : NULL;
        const mn_mesh *mesh = shape ? mn_shape_mesh(shape) : NULL;
        if (mesh && mesh->colour) ok = add_vertices(t, mesh, colour);
        mn_shape_free(shape);
    }
    if (ok && !t->tint.points.count) {
        mn_say_error(say, at,
                     "no mesh of the wall \"%s\" has vertex colours; expected a PLY file with red, green and blue",
                     name);
        return false;
    }
    ok = ok && near_new(&t->tint.grid, &t->tint.points, t->tint.reach, t->tint.points.count) == MN_OK;
    for (long v = 0; v < t->tint.points.count && ok; v++) ok = near_add(&t->tint.grid, v) == MN_OK;
    if (!ok) mn_say_failure(say, at, "out of memory for the colours of the wall \"%s\"", name);
    return ok;
}

/* Mean of the vertices around, the nearer the heavier. */
static double shade(const mn_painter *t, const double x[3])
{
    int list[256];
    const int count = near_list(&t->tint.grid, x, t->tint.reach, list, 256);
    double sum = 0.0, weight = 0.0;
    for (int k = 0; k < count; k++) {
        const double *p = &t->tint.points.x[3 * (size_t)list[k]];
        const double r2 = mn_power(p[0] - x[0], 2) + mn_power(p[1] - x[1], 2) + mn_power(p[2] - x[2], 2),
                     w = 1.0 / (r2 * r2 + 1e-12 * mn_power(t->tint.reach, 4));
        sum += w * (double)t->tint.value[list[k]], weight += w;
    }
    return weight > 0.0 ? sum / weight : 0.0;
}

void mn_painter_free(mn_painter *painter)
{
    mn_shape_free(painter->patch);
    free(painter->image.grey);
    mn_points_free(&painter->tint.points);
    near_free(&painter->tint.grid);
    free(painter->tint.value);
    *painter = (mn_painter){0};
}

bool mn_painter_new(const mn_scene *scene, int object, const mn_pattern *pattern, mn_place at, mn_painter *out,
                    mn_messages *say)
{
    *out = (mn_painter){.pattern = pattern};
    bool ok = true;
    if (pattern->shape.scale > 0.0) ok = (out->patch = mn_shape_new(&pattern->shape, say)) != NULL;
    if (ok && pattern->image && pattern->image[0]) ok = read_picture(pattern, at, out, say);
    if (ok && pattern->colour) ok = read_tint(scene, object, pattern->colour, at, out, say);
    if (!ok) mn_painter_free(out);
    return ok;
}

double mn_painter_at(const mn_painter *painter, const double x[3])
{
    if (painter->patch && mn_shape_distance(painter->patch, x, 0.0) > 0.0) return 0.0;
    return (painter->image.grey ? brightness(painter, x) : 1.0) * (painter->pattern->colour ? shade(painter, x) : 1.0);
}
