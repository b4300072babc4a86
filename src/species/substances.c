/* substances.c -- what clings to walls: how much lies where at the start, and its reactions with species at the
 * liquid's surface.
 *
 * A boundary point bears the amount of its share of the wall's area. The area follows from V_b by the reference of a
 * flat wall of the same spacing, where each point has spacing^2.
 */
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spline.h"
#include "boundary/points.h"
#include "core/world.h"
#include "geometry/geometry.h"
#include "base/exact.h"
#include "geometry/near.h"
#include "species/species.h"

static int coat_field(int substance) { return MN_FIELD_coat_0 + substance; }

/* -- where it lies ------------------------------------------------------------------------------------------------- */

/* Area of a point over its V_b, 1/m, on a flat wall of square lattice. */
static double area_of_volume(double spacing, double h)
{
    const int reach = (int)(h / spacing) + 1;
    double sum = 0.0;
    for (int x = -reach; x <= reach; x++)
        for (int y = -reach; y <= reach; y++) { sum += mn_spline(spacing * sqrt(x * x + y * y), h); }
    return spacing * spacing * sum;
}

typedef struct picture {
    unsigned char *grey;
    int width, height;
} picture;

static bool read_picture(const mn_coat *coat, picture *out, mn_messages *say)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    bool ok = png_image_begin_read_from_file(&image, coat->image);
    if (ok && ((size_t)image.width * image.height > 100000000 || !image.width || !image.height)) {
        mn_say_error(say, coat->at, "the image \"%s\" has %u x %u pixels; expected at most 100 million", coat->image,
                     image.width, image.height);
        png_image_free(&image);
        return false;
    }
    if (ok) {
        image.format = PNG_FORMAT_GRAY;
        out->width = (int)image.width, out->height = (int)image.height;
        out->grey = malloc(PNG_IMAGE_SIZE(image));
        const png_color black = {0, 0, 0};
        ok = out->grey && png_image_finish_read(&image, &black, out->grey, 0, NULL);
    }
    if (!ok && image.message[0])
        mn_say_error(say, coat->at, "cannot read the image \"%s\": %s", coat->image, image.message);
    else if (!ok) mn_say_failure(say, coat->at, "cannot read the image \"%s\": out of memory", coat->image);
    png_image_free(&image);
    return ok;
}

/* Brightness 0 to 1 where the point is projected along the picture's normal; 0 outside. */
static double brightness(const picture *p, const mn_coat *c, const double x[3])
{
    double d[3], aa = 0, ab = 0, bb = 0, da = 0, db = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = x[k] - c->origin[k];
        aa += c->along[k] * c->along[k], bb += c->down[k] * c->down[k], ab += c->along[k] * c->down[k];
        da += d[k] * c->along[k], db += d[k] * c->down[k];
    }
    const double det = aa * bb - ab * ab, u = (da * bb - db * ab) / det, v = (db * aa - da * ab) / det;
    if (!(u >= 0.0 && u <= 1.0 && v >= 0.0 && v <= 1.0)) return 0.0;
    const int px = (int)fmin(u * p->width, p->width - 1), py = (int)fmin(v * p->height, p->height - 1);
    return p->grey[(size_t)py * (size_t)p->width + (size_t)px] / 255.0;
}

/* The vertices of a wall's coloured meshes. */
typedef struct tint {
    mn_points points;
    float *value; /* of the channel */
    near_grid grid;
    double reach; /* longest edge: no point of the surface is farther from a vertex */
} tint;

static float channel(const float rgb[3], int colour)
{
    return colour <= 3 ? rgb[colour - 1] : (rgb[0] + rgb[1] + rgb[2]) / 3.0f;
}

static bool add_vertices(tint *t, const mn_mesh *mesh, int colour)
{
    float *value = realloc(t->value, ((size_t)t->points.count + (size_t)mesh->vertex_count + 1) * sizeof *value);
    if (!value) return false;
    t->value = value;
    for (int v = 0; v < mesh->vertex_count; v++) {
        value[t->points.count] = channel(&mesh->colour[3 * (size_t)v], colour);
        if (mn_points_add(&t->points, &mesh->vertex[3 * (size_t)v]) != MN_OK) return false;
    }
    for (int e = 0; e < mesh->triangle_count; e++)
        for (int a = 0; a < 3; a++) {
            const double *p = &mesh->vertex[3 * (size_t)mesh->triangle[3 * e + a]],
                         *q = &mesh->vertex[3 * (size_t)mesh->triangle[3 * e + (a + 1) % 3]];
            t->reach =
                fmax(t->reach, sqrt(mn_power(p[0] - q[0], 2) + mn_power(p[1] - q[1], 2) + mn_power(p[2] - q[2], 2)));
        }
    return true;
}

static void tint_free(tint *t)
{
    mn_points_free(&t->points);
    near_free(&t->grid);
    free(t->value);
    *t = (tint){0};
}

static bool read_tint(const mn_scene *s, const mn_coat *coat, tint *t, mn_messages *say)
{
    const mn_body *body = coat->object < s->wall_count ? NULL : &s->bodies[coat->object - s->wall_count];
    const mn_shape_def *shapes = body ? body->shapes : s->walls[coat->object].shapes;
    const int count = body ? body->shape_count : s->walls[coat->object].shape_count;
    bool ok = true;
    for (int k = 0; k < count && ok; k++) {
        mn_shape *solid = shapes[k].kind == MN_MESH ? mn_shape_new(&shapes[k], say) : NULL;
        const mn_mesh *mesh = solid ? mn_shape_mesh(solid) : NULL;
        if (mesh && mesh->colour) ok = add_vertices(t, mesh, coat->colour);
        mn_shape_free(solid);
    }
    if (ok && !t->points.count) {
        mn_say_error(say, coat->at,
                     "no mesh of the wall \"%s\" has vertex colours; expected a PLY file with red, green and blue",
                     coat->wall);
        return false;
    }
    ok = ok && near_new(&t->grid, &t->points, t->reach, t->points.count) == MN_OK;
    for (long v = 0; v < t->points.count && ok; v++) ok = near_add(&t->grid, v) == MN_OK;
    if (!ok) mn_say_failure(say, coat->at, "out of memory for the colours of the wall \"%s\"", coat->wall);
    return ok;
}

/* Mean of the vertices around, the nearer the heavier. */
static double shade(const tint *t, const double x[3])
{
    int list[256];
    const int count = near_list(&t->grid, x, t->reach, list, 256);
    double sum = 0.0, weight = 0.0;
    for (int k = 0; k < count; k++) {
        const double *p = &t->points.x[3 * (size_t)list[k]];
        const double r2 = mn_power(p[0] - x[0], 2) + mn_power(p[1] - x[1], 2) + mn_power(p[2] - x[2], 2),
                     w = 1.0 / (r2 * r2 + 1e-12 * mn_power(t->reach, 4));
        sum += w * (double)t->value[list[k]], weight += w;
    }
    return weight > 0.0 ? sum / weight : 0.0;
}

/* Adds one coat to the body points of its wall. */
static bool lay(mn_world *w, const mn_coat *coat, double *coverage, mn_messages *say)
{
    const mn_boundary *p = mn_boundary_of(w);
    picture image = {0};
    tint colours = {0};
    mn_shape *patch = NULL;
    bool ok = true;
    if (coat->shape.scale > 0.0) ok = (patch = mn_shape_new(&coat->shape, say)) != NULL;
    if (ok && coat->image && coat->image[0]) ok = read_picture(coat, &image, say);
    if (ok && coat->colour) ok = read_tint(w->scene, coat, &colours, say);
    for (int b = 0; b < p->active && ok; b++) {
        const int i = p->owner[b];
        if (p->wall[i] != coat->object) continue;
        const double *x = &p->rest[3 * (size_t)i];
        if (patch && mn_shape_distance(patch, x, 0.0) > 0.0) continue;
        coverage[b] += coat->coverage * (image.grey ? brightness(&image, coat, x) : 1.0) *
                       (coat->colour ? shade(&colours, x) : 1.0);
    }
    mn_shape_free(patch);
    free(image.grey);
    tint_free(&colours);
    return ok;
}

/* Objects are walls, then bodies, then solids; no coat lies on a solid, but its points have room for one too. */
static double spacing_of(const mn_scene *s, int object)
{
    const int body = object - s->wall_count, solid = body - s->body_count;
    if (body < 0) return s->walls[object].spacing;
    return solid < 0 ? s->bodies[body].spacing : s->solids[solid].spacing;
}

static bool lay_substance(mn_world *w, int k, mn_messages *say)
{
    const mn_boundary *p = mn_boundary_of(w);
    const mn_scene *s = w->scene;
    mn_species_state *state = mn_species_of(w);
    double *coverage = calloc((size_t)p->active + 1, sizeof *coverage);
    real4 *out = calloc((size_t)p->active + 1, sizeof *out);
    bool ok = coverage && out;
    for (int c = 0; c < s->substances[k].coat_count && ok; c++) ok = lay(w, &s->substances[k].coats[c], coverage, say);
    for (int b = 0; b < p->active && ok; b++) {
        const int i = p->owner[b];
        const double area = (double)p->volume[i] * area_of_volume(spacing_of(s, p->wall[i]), (double)w->par.h);
        out[b] = (real4){(float)(coverage[b] * area), 0.0f, 1.0f, (float)area};
        state->coat_most[k] = fmax(state->coat_most[k], (double)out[b].x);
        state->coat_thickest[k] = fmax(state->coat_thickest[k], coverage[b]);
    }
    ok = ok && mn_world_field(w, coat_field(k)) &&
         w->api->put(w->device, w->field[coat_field(k)], (size_t)w->layout.active_at * sizeof *out, out,
                     (size_t)p->active * sizeof *out);
    free(coverage), free(out);
    return ok;
}

mn_status mn_substances_make(mn_world *w, mn_messages *say)
{
    bool ok = true;
    for (int k = 0; k < w->scene->substance_count && ok; k++) ok = lay_substance(w, k, say);
    if (!ok && !mn_messages_errors(say))
        mn_say_failure(say, MN_NOWHERE, "not enough memory for the substances on %s", w->api->key);
    return ok ? MN_OK : MN_FAILED;
}

/* -- reactions ----------------------------------------------------------------------------------------------------- */

/* The most that boundary points around a particle, or particles around a boundary point, can sum up to of V W. */
static const double MOST_WEIGHT = 2.0;

static void react(mn_world *w, const mn_reaction *r, double most)
{
    mn_species_state *state = mn_species_of(w);
    const double ka = r->rate, as = r->coefficients[0], ar = r->coefficients[1], ap = r->coefficients[2];
    const double coat = state->coat_most[r->substance_index], thick = state->coat_thickest[r->substance_index];
    if (!(ka * most * coat > 0.0)) return;
    const int count = mn_substeps(ka * fmax(ar * most, as * thick), w->dt);
    const double dt = w->dt / count, largest = fmax(fmax(as, ar), fmax(ap, 1.0));
    const float rate = (float)(ka * dt), grid = mn_flux_grid(largest * MOST_WEIGHT * ka * dt * most * coat);
    double used = 0.0;
    for (int k = 0; k < count; k++) {
        double sum[4] = {0};
        mn_species_lend(w, r->species_index);
        w->field[MN_FIELD_coat] = w->field[coat_field(r->substance_index)];
        mn_boundary_copy(w, MN_FIELD_coat);
        mn_run(w, MN_KERNEL_reaction_reach, (real4){rate, (float)as, 0.0f, 0.0f});
        mn_run_active(w, MN_KERNEL_coat_reach, (real4){rate, (float)ar, 0.0f, 0.0f});
        mn_boundary_copy(w, MN_FIELD_coat);
        mn_run_sum(w, MN_KERNEL_reaction, (real4){rate, (float)as, grid, 0.0f}, sum);
        mn_run_active(w, MN_KERNEL_coat_reaction, (real4){rate, (float)ar, grid, 0.0f});
        if (r->product_index >= 0) {
            mn_species_lend(w, r->product_index);
            mn_run(w, MN_KERNEL_reaction_product, MN_ARG(ap));
        }
        mn_species_lend(w, -1);
        w->field[MN_FIELD_coat] = NULL;
        used += sum[0];
    }
    state->account[r->species_index].reacted += as * used;
    if (r->product_index >= 0) state->account[r->product_index].reacted -= ap * used;
}

void mn_substances_step(mn_world *w)
{
    for (int k = 0; k < w->scene->reaction_count && !w->failed && w->layout.active; k++) {
        const mn_reaction *r = &w->scene->reactions[k];
        double most[4];
        mn_species_lend(w, r->species_index);
        mn_run_max(w, MN_KERNEL_species_most, MN_NO_ARG, most);
        mn_species_lend(w, -1);
        /* S of a particle with hardly any surface says nothing: such a one is left to the limiter */
        const double full = w->scene->species[r->species_index].surface.capacity;
        react(w, r, full > 0.0 ? fmin(most[1], 2.0 * full) : most[1]);
    }
}

/* -- questions ----------------------------------------------------------------------------------------------------- */

static real4 *fetch_coat(mn_world *w, int k)
{
    const size_t n = (size_t)w->layout.active;
    real4 *coat = malloc((n + 1) * sizeof *coat);
    if (coat && n &&
        !w->api->get(w->device, w->field[coat_field(k)], (size_t)w->layout.active_at * sizeof *coat, coat,
                     n * sizeof *coat)) {
        free(coat);
        return NULL;
    }
    return coat;
}

double mn_substance_total(mn_world *w, int k)
{
    double sum = 0.0;
    real4 *coat = fetch_coat(w, k);
    for (int b = 0; b < w->layout.active && coat; b++) sum += (double)coat[b].x + (double)coat[b].y;
    free(coat);
    return sum;
}

mn_status mn_world_coverage(mn_world *w, const char *substance, float *out, mn_messages *say)
{
    int k = 0;
    while (k < w->scene->substance_count && strcmp(w->scene->substances[k].name, substance) != 0) k++;
    if (k == w->scene->substance_count) {
        mn_say_error(say, MN_NOWHERE, "no substance '%s'", substance);
        return MN_BAD_INPUT;
    }
    real4 *coat = fetch_coat(w, k);
    if (!coat) {
        mn_say_failure(say, MN_NOWHERE, "cannot read a substance: %s", w->api->failure(w->device));
        return MN_FAILED;
    }
    for (int64_t i = 0; i < mn_world_wall_particles(w); i++) out[i] = 0.0f;
    for (int b = 0; b < w->layout.active; b++)
        out[mn_boundary_of(w)->resting + b] = coat[b].w > 0.0f ? coat[b].x / coat[b].w : 0.0f;
    free(coat);
    return MN_OK;
}

/* -- checkpoints --------------------------------------------------------------------------------------------------- */

bool mn_substances_save(mn_world *w, mn_snapshot *snap)
{
    bool ok = true;
    for (int k = 0; k < w->scene->substance_count && ok; k++) {
        char name[24];
        snprintf(name, sizeof name, "coat_%d", k);
        real4 *coat = fetch_coat(w, k);
        float *to = mn_snapshot_add(snap, name, MN_F32, 4, w->layout.active);
        ok = coat && to;
        if (ok && w->layout.active) memcpy(to, coat, (size_t)w->layout.active * sizeof *coat);
        free(coat);
    }
    return ok;
}

mn_status mn_substances_load(mn_world *w, const mn_snapshot *snap, mn_messages *say)
{
    for (int k = 0; k < w->scene->substance_count; k++) {
        char name[24];
        snprintf(name, sizeof name, "coat_%d", k);
        const mn_array *a = mn_snapshot_find(snap, name);
        if (!a || a->type != MN_F32 || a->width != 4 || a->count != w->layout.active) {
            mn_say_error(say, MN_NOWHERE, "the checkpoint does not fit this scene: array '%s' is %s", name,
                         a ? "of another size" : "missing");
            return MN_BAD_INPUT;
        }
        if (a->count && !w->api->put(w->device, w->field[coat_field(k)], (size_t)w->layout.active_at * sizeof(real4),
                                     a->data, (size_t)a->count * sizeof(real4))) {
            mn_say_failure(say, MN_NOWHERE, "cannot load the checkpoint onto %s: %s", w->api->key,
                           w->api->failure(w->device));
            return MN_FAILED;
        }
    }
    return MN_OK;
}

bool mn_substances_hash(mn_world *w, uint64_t *hash)
{
    for (int k = 0; k < w->scene->substance_count; k++) {
        real4 *coat = fetch_coat(w, k);
        if (!coat) return false;
        const unsigned char *bytes = (const unsigned char *)coat;
        for (size_t b = 0; b < (size_t)w->layout.active * sizeof *coat; b++)
            *hash = (*hash ^ bytes[b]) * 1099511628211u;
        free(coat);
    }
    return true;
}
