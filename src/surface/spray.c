/* spray.c -- see spray.h. */
#include "surface/spray.h"

#include <stdlib.h>
#include <string.h>

#include "base/exact.h"

enum { RINGS = 11, AROUND = 20, CORNERS = 2 + RINGS * AROUND, SIDES = 2 * RINGS * AROUND };
/* Of a sphere with the volume of one particle, in spacings. */
static const double RADIUS = 0.6203504909;

/* One drop: its particle in the cloud, and a vertex of its mesh. */
typedef struct drop {
    int32_t particle, vertex;
} drop;

typedef struct work {
    const skin *skin;
    mn_surface *surface;
    int32_t *number; /* of each piece, which drop it is; -1: none */
    drop *drops;
    int32_t count;
    int32_t *place; /* of each vertex, its new one; -1: it goes */
    int32_t kept;
} work;

/* Corners of a unit sphere, ring by ring from the top, and its triangles, counter-clockwise from outside. */
static void set_sphere(float corner[CORNERS][3], int32_t side[SIDES][3])
{
    const double pi = 3.14159265358979323846;
    int32_t t = 0;
    for (int k = 0; k < CORNERS; k++) {
        const int ring = k == 0 ? 0 : k == CORNERS - 1 ? RINGS + 1 : 1 + (k - 1) / AROUND;
        const double down = pi * ring / (RINGS + 1), turn = 2 * pi * ((k - 1) % AROUND) / AROUND;
        corner[k][0] = (float)(mn_sin(down) * mn_cos(turn));
        corner[k][1] = (float)mn_cos(down);
        corner[k][2] = (float)(mn_sin(down) * mn_sin(turn));
    }
    for (int ring = 0; ring <= RINGS; ring++)
        for (int k = 0; k < AROUND; k++) {
            const int next = (k + 1) % AROUND, above = 1 + (ring - 1) * AROUND, below = 1 + ring * AROUND;
            const int32_t a = ring ? above + k : 0, b = ring ? above + next : 0,
                          c = ring < RINGS ? below + k : CORNERS - 1, d = ring < RINGS ? below + next : CORNERS - 1;
            if (ring) memcpy(side[t++], (int32_t[3]){a, b, c}, sizeof *side);
            if (ring < RINGS) memcpy(side[t++], (int32_t[3]){b, d, c}, sizeof *side);
        }
}

/* Numbers the pieces of one particle that meet no wall and no other liquid. */
static bool find_drops(work *w, const grid *g)
{
    const skin *s = w->skin;
    w->number = malloc(((size_t)s->piece_count + 1) * sizeof *w->number);
    w->drops = calloc((size_t)s->piece_count + 1, sizeof *w->drops);
    w->place = malloc(((size_t)s->count + 1) * sizeof *w->place);
    if (!w->number || !w->drops || !w->place) return false;
    for (int32_t p = 0; p < s->piece_count; p++) w->number[p] = p > 0 && g->piece_volume[p] == 1 ? 0 : -1;
    for (int32_t v = 0; v < s->count; v++)
        if (s->kind[v] != SKIN_FREE || s->border[v]) w->number[s->piece[v]] = -1;
    for (int32_t p = 0; p < s->piece_count; p++)
        if (w->number[p] == 0) {
            w->drops[w->count].particle = g->piece_particle[p];
            w->number[p] = w->count++;
        }
    for (int32_t v = 0; v < s->count; v++) {
        const int32_t n = w->number[s->piece[v]];
        w->place[v] = n < 0 ? w->kept++ : -1;
        if (n >= 0) w->drops[n].vertex = v;
    }
    return true;
}

/* Numbers of four bytes, `width` a vertex: those of the vertices that stay, then for each corner of a drop that of the
 * drop's vertex. Replaces *data; false: out of memory. */
static bool move_field(const work *w, void **data, size_t width)
{
    const size_t size = 4 * width;
    char *to = malloc(((size_t)w->kept + (size_t)w->count * CORNERS + 1) * size);
    if (!to) return false;
    for (size_t v = 0; v < (size_t)w->skin->count; v++)
        if (w->place[v] >= 0) memcpy(to + size * (size_t)w->place[v], (char *)*data + size * v, size);
    for (size_t c = 0; c < (size_t)w->count * CORNERS; c++)
        memcpy(to + size * ((size_t)w->kept + c), (char *)*data + size * (size_t)w->drops[c / CORNERS].vertex, size);
    free(*data);
    *data = to;
    return true;
}

static bool move_fields(const work *w)
{
    mn_surface *out = w->surface;
    void *position = out->position, *normal = out->normal;
    bool good = move_field(w, &position, 3) && move_field(w, &normal, 3);
    out->position = position;
    out->normal = normal;
    for (int f = 0; f < out->field_count && good; f++) {
        const bool velocity = out->fields[f].data == out->velocity;
        good = move_field(w, &out->fields[f].data, (size_t)out->fields[f].width);
        if (velocity) out->velocity = out->fields[f].data;
    }
    return good;
}

static bool put_spheres(const work *w, const cloud *c)
{
    mn_surface *out = w->surface;
    float corner[CORNERS][3];
    int32_t side[SIDES][3], kept = 0;
    set_sphere(corner, side);
    for (int32_t t = 0; t < out->triangle_count; t++) {
        const int32_t *v = out->triangle + 3 * (size_t)t;
        if (w->place[v[0]] < 0) continue;
        const int32_t moved[3] = {w->place[v[0]], w->place[v[1]], w->place[v[2]]};
        memcpy(out->triangle + 3 * (size_t)kept++, moved, sizeof moved);
    }
    int32_t *grown = realloc(out->triangle, 3 * ((size_t)kept + (size_t)w->count * SIDES + 1) * sizeof *grown);
    if (!grown) return false;
    out->triangle = grown;
    for (int32_t n = 0; n < w->count; n++) {
        const int32_t first = w->kept + n * CORNERS;
        const int32_t i = w->drops[n].particle;
        const double u[3] = {(double)c->x[i], (double)c->y[i], (double)c->z[i]};
        for (size_t v = 0; v < CORNERS; v++)
            for (size_t k = 0; k < 3; k++) {
                const size_t at = 3 * ((size_t)first + v) + k;
                out->normal[at] = corner[v][k];
                out->position[at] = (float)(c->origin[k] + c->spacing * (u[k] + RADIUS * (double)corner[v][k]));
            }
        for (size_t t = 0; t < SIDES; t++)
            for (size_t k = 0; k < 3; k++) grown[3 * ((size_t)kept + (size_t)n * SIDES + t) + k] = first + side[t][k];
    }
    out->triangle_count = kept + w->count * SIDES;
    out->vertex_count = w->kept + w->count * CORNERS;
    return true;
}

bool spray_round(const skin *s, const grid *g, const cloud *c, mn_surface *out)
{
    work w = {.skin = s, .surface = out};
    bool good = find_drops(&w, g);
    if (good && w.count) good = move_fields(&w) && put_spheres(&w, c);
    free(w.number);
    free(w.drops);
    free(w.place);
    return good;
}
