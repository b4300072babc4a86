/* faces.c -- from the field on the grid to vertices and four-sided faces; see faces.h. */
#include "surface/faces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Corner c of a cell lies at (c & 1, c >> 1 & 1, c >> 2). Edge 4 a + k runs along axis a; k counts the other two
 * axes, the next one fastest. */
enum { EDGES = 12 };

typedef struct tables {
    uint8_t corner[EDGES][2];
    uint8_t patches[256];      /* how many patches of surface a cell has, by which of its corners are inside */
    uint8_t patch[256][EDGES]; /* which patch crosses an edge; 255: none */
} tables;

static int edge_at(int axis, int u, int v) { return 4 * axis + u + 2 * v; }

static void set_edges(tables *t)
{
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 4; k++) {
            const int c = (k & 1) << (axis + 1) % 3 | (k >> 1) << (axis + 2) % 3;
            t->corner[4 * axis + k][0] = (uint8_t)c;
            t->corner[4 * axis + k][1] = (uint8_t)(c | 1 << axis);
        }
}

/* The four edges of the face of a cell across `axis`, at its low or high side. */
static void face_edges(int axis, int side, int out[4])
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    /* along u: its other axes are v (next) and axis; along v: axis (next) and u */
    out[0] = edge_at(u, 0, side);
    out[1] = edge_at(u, 1, side);
    out[2] = edge_at(v, side, 0);
    out[3] = edge_at(v, side, 1);
}

static void set_patches(tables *t, int mask)
{
    int root[EDGES];
    bool cut[EDGES];
    for (int e = 0; e < EDGES; e++) {
        root[e] = e;
        cut[e] = (mask >> t->corner[e][0] & 1) != (mask >> t->corner[e][1] & 1);
    }
    for (int f = 0; f < 6; f++) { /* the cut edges of a face belong together */
        int edges[4], last = -1;
        face_edges(f / 2, f % 2, edges);
        for (int k = 0; k < 4; k++) {
            if (!cut[edges[k]]) continue;
            const int from = root[edges[k]], to = last < 0 ? from : root[last];
            for (int e = 0; e < EDGES; e++)
                if (root[e] == from) root[e] = to;
            last = edges[k];
        }
    }
    int number[EDGES], count = 0;
    for (int e = 0; e < EDGES; e++) number[e] = -1;
    for (int e = 0; e < EDGES; e++) {
        t->patch[mask][e] = 255;
        if (!cut[e]) continue;
        if (number[root[e]] < 0) number[root[e]] = count++;
        t->patch[mask][e] = (uint8_t)number[root[e]];
    }
    t->patches[mask] = (uint8_t)count;
}

static void set_tables(tables *t)
{
    set_edges(t);
    for (int mask = 0; mask < 256; mask++) set_patches(t, mask);
}

/* ---------------------------------------------------------------------------------------------- vertices */

/* A block's cells: which corners are inside, and the number of their first vertex. */
typedef struct cells {
    uint8_t mask[BLOCK_NODES];
    int32_t vertex[BLOCK_NODES];
} cells;

typedef struct maker {
    const grid *g;
    const liquid_field *field;
    const tables *table;
    cells **cells;  /* of each block; NULL: no surface in it */
    int32_t *start; /* number of each block's first vertex */
    skin *out;
} maker;

static bool count_block(maker *m, int32_t i, int32_t *count)
{
    const block *b = &m->g->blocks[i];
    uint8_t flags[WIDE * WIDE * WIDE];
    cells own;
    grid_flags(m->g, b, flags);
    *count = 0;
    for (int n = 0; n < BLOCK_NODES; n++) {
        const int at = n % 8 + WIDE * (n / 8 % 8 + WIDE * (n / 64));
        int mask = 0;
        for (int c = 0; c < 8; c++) mask |= flags[at + (c & 1) + WIDE * ((c >> 1 & 1) + WIDE * (c >> 2))] << c;
        own.mask[n] = (uint8_t)mask;
        own.vertex[n] = *count;
        *count += m->table->patches[mask];
    }
    if (*count == 0) return true;
    m->cells[i] = malloc(sizeof own);
    if (m->cells[i]) *m->cells[i] = own;
    return m->cells[i] != NULL;
}

static const block *block_at(const grid *g, const block *b, const int p[3], int *node)
{
    int n = 13, step = 1;
    *node = 0;
    for (int k = 0, stride = 1; k < 3; k++, step *= 3, stride *= BLOCK_EDGE) {
        n += step * (p[k] < 0 ? -1 : p[k] >= BLOCK_EDGE);
        *node += stride * (p[k] & (BLOCK_EDGE - 1));
    }
    return b->near[n] >= 0 ? &g->blocks[b->near[n]] : NULL;
}

typedef struct crossing {
    float u[3];
    bool on_wall;
    int32_t piece; /* of the node inside */
} crossing;

/* Where the surface cuts an edge of a cell: where the first of the two fields falls to 0. */
static crossing cut_edge(const maker *m, const block *b, const int cell[3], int edge)
{
    const block *at[2];
    int node[2], corner[2][3];
    for (int e = 0; e < 2; e++) {
        const int c = m->table->corner[edge][e];
        for (int k = 0; k < 3; k++) corner[e][k] = cell[k] + (c >> k & 1);
        at[e] = block_at(m->g, b, corner[e], &node[e]);
    }
    const int in = at[0] && node_inside(at[0], node[0]) ? 0 : 1, out = !in;
    float t = 1;
    bool on_wall = false;
    if (at[in] && at[out]) {
        const float a = at[in]->free[node[in]], z = at[out]->free[node[out]];
        if (z <= 0) t = a / (a - z);
        if (at[in]->wall && at[out]->wall && at[out]->wall[node[out]] <= 0) {
            const float wa = at[in]->wall[node[in]], tw = wa / (wa - at[out]->wall[node[out]]);
            if (tw <= t || z > 0) t = tw, on_wall = true;
        }
    }
    t = fminf(fmaxf(t, 0.02f), 0.98f);
    crossing r = {.on_wall = on_wall};
    if (at[in]) r.piece = m->g->piece[(size_t)(at[in] - m->g->blocks) * BLOCK_NODES + (size_t)node[in]];
    for (int k = 0; k < 3; k++)
        r.u[k] = m->g->cell *
                 ((float)(b->place[k] * BLOCK_EDGE + corner[in][k]) + t * (float)(corner[out][k] - corner[in][k]));
    return r;
}

/* A plane of a wall: its normal, and a point on it. */
typedef struct plane {
    float point[3], normal[3];
} plane;

/* The wall next to a point that is almost on it. */
static plane wall_plane(const liquid_field *field, const float u[3])
{
    plane p;
    const float s = field_wall(field, u, 4, NULL);
    field_wall_normal(field, u, p.normal);
    for (int k = 0; k < 3; k++) p.point[k] = u[k] - s * p.normal[k];
    return p;
}

/* Moves a point onto all the planes, as far as they meet. */
static void meet_planes(const plane *planes, int count, float u[3])
{
    for (int sweep = 0; sweep < (count > 1 ? 40 : 1); sweep++)
        for (int p = 0; p < count; p++) {
            float d = 0;
            for (int k = 0; k < 3; k++) d += (u[k] - planes[p].point[k]) * planes[p].normal[k];
            for (int k = 0; k < 3; k++) u[k] -= d * planes[p].normal[k];
        }
}

static bool within_cell(const maker *m, const block *b, const int cell[3], const float u[3])
{
    for (int k = 0; k < 3; k++) {
        const float at = u[k] / m->g->cell - (float)(b->place[k] * BLOCK_EDGE + cell[k]);
        if (at < -0.01f || at > 1.01f) return false;
    }
    return true;
}

/* A vertex whose patch meets a wall: on the wall, and in corners on all the walls. `point` holds where edges of the
 * cell cut them. */
static void place_on_walls(const maker *m, const block *b, const int cell[3], const float (*point)[3], int count,
                           bool contact, int32_t v)
{
    float *u = m->out->u + 3 * (size_t)v, start[3] = {u[0], u[1], u[2]};
    plane planes[EDGES];
    bool one = true;
    for (int p = 0; p < count; p++) {
        planes[p] = wall_plane(m->field, point[p]);
        float same = 0;
        for (int k = 0; k < 3; k++) same += planes[p].normal[k] * planes[0].normal[k];
        one &= same > 0.9f;
    }
    meet_planes(planes, count, u);
    if (!one && !within_cell(m, b, cell, u)) {
        memcpy(u, start, sizeof start);
        planes[0] = wall_plane(m->field, u);
        meet_planes(planes, 1, u);
        one = true;
    }
    memcpy(m->out->normal + 3 * (size_t)v, planes[0].normal, sizeof planes[0].normal);
    m->out->kind[v] = !one ? SKIN_FIXED : contact ? SKIN_CONTACT : SKIN_WALL;
}

/* A vertex of the free surface goes to where the field itself is 0, at most half a cell away; its normal is the
 * field's. */
static void place_free(const maker *m, float u[3], float normal[3], bool *border)
{
    const float start[3] = {u[0], u[1], u[2]};
    float slope[3], length = 0;
    for (int round = 0; round < 3; round++) {
        const float value = field_slope(m->field, u, slope, border);
        length = slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2];
        if (!(length > 1e-6f) || round == 2) break;
        for (int k = 0; k < 3; k++)
            u[k] = fmaxf(fminf(u[k] - value * slope[k] / length, start[k] + 0.5f * m->g->cell),
                         start[k] - 0.5f * m->g->cell);
    }
    length = sqrtf(length);
    for (int k = 0; k < 3; k++) normal[k] = length > 0 ? -slope[k] / length : 0;
}

static void place_vertex(const maker *m, const block *b, const int cell[3], int mask, int patch, int32_t v)
{
    float free_sum[3] = {0}, wall_sum[3] = {0}, wall_point[EDGES][3];
    int frees = 0, walls = 0;
    for (int e = 0; e < EDGES; e++) {
        if (m->table->patch[mask][e] != patch) continue;
        const crossing c = cut_edge(m, b, cell, e);
        for (int k = 0; k < 3; k++) (c.on_wall ? wall_sum : free_sum)[k] += c.u[k];
        if (c.on_wall) memcpy(wall_point[walls++], c.u, sizeof c.u);
        else frees++;
        m->out->piece[v] = c.piece;
    }
    float *u = m->out->u + 3 * (size_t)v;
    for (int k = 0; k < 3; k++) u[k] = frees ? free_sum[k] / (float)frees : wall_sum[k] / (float)walls;
    m->out->kind[v] = SKIN_FREE;
    if (!walls) place_free(m, u, m->out->normal + 3 * (size_t)v, &m->out->border[v]);
    m->out->bulk[v] = m->out->border[v] ? 0 : field_bulk(m->field, u);
    if (walls) place_on_walls(m, b, cell, (const float(*)[3])wall_point, walls, frees > 0, v);
}

static void place_block(const maker *m, int32_t i)
{
    const cells *own = m->cells[i];
    for (int n = 0; own && n < BLOCK_NODES; n++) {
        const int place[3] = {n % 8, n / 8 % 8, n / 64};
        for (int p = 0; p < m->table->patches[own->mask[n]]; p++)
            place_vertex(m, &m->g->blocks[i], place, own->mask[n], p, m->start[i] + own->vertex[n] + p);
    }
}

/* ------------------------------------------------------------------------------------------------- faces */

/* The vertex of a cell's patch that crosses one of its edges. */
static int32_t vertex_at(const maker *m, const block *b, const int cell[3], int edge)
{
    int node;
    const block *o = block_at(m->g, b, cell, &node);
    if (!o) return -1;
    const int32_t i = (int32_t)(o - m->g->blocks);
    const cells *own = m->cells[i];
    return m->start[i] + own->vertex[node] + m->table->patch[own->mask[node]][edge];
}

/* The face around the edge from a node along an axis. */
static void make_face(const maker *m, const block *b, const int p[3], int axis, bool inside_first, int32_t face[4])
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}; /* cells before the node, along u and v */
    for (int k = 0; k < 4; k++) {
        const int *back = around[inside_first ? k : 3 - k];
        int cell[3] = {p[0], p[1], p[2]};
        cell[u] -= back[0];
        cell[v] -= back[1];
        face[k] = vertex_at(m, b, cell, edge_at(axis, back[0], back[1]));
    }
}

/* Faces of a block's edges; counts them where `out` is NULL. */
static int32_t block_faces(const maker *m, int32_t i, int32_t *out)
{
    const block *b = &m->g->blocks[i];
    uint8_t flags[WIDE * WIDE * WIDE];
    static const int stride[3] = {1, WIDE, WIDE * WIDE};
    int32_t count = 0;
    grid_flags(m->g, b, flags);
    for (int n = 0; n < BLOCK_NODES; n++) {
        const int p[3] = {n % 8, n / 8 % 8, n / 64}, at = p[0] + WIDE * (p[1] + WIDE * p[2]);
        for (int axis = 0; axis < 3; axis++) {
            if (flags[at] == flags[at + stride[axis]]) continue;
            if (out) make_face(m, b, p, axis, flags[at], out + 4 * (size_t)count);
            count++;
        }
    }
    return count;
}

static bool make_faces(maker *m)
{
    const int32_t blocks = m->g->count;
    int32_t *first = calloc((size_t)blocks + 1, sizeof *first);
    if (!first) return false;
#pragma omp parallel for schedule(dynamic, 32)
    for (int32_t i = 0; i < blocks; i++) first[i + 1] = block_faces(m, i, NULL);
    for (int32_t i = 0; i < blocks; i++) first[i + 1] += first[i];
    m->out->face_count = first[blocks];
    m->out->face = malloc(((size_t)first[blocks] + 1) * 4 * sizeof(int32_t));
    if (m->out->face) {
#pragma omp parallel for schedule(dynamic, 32)
        for (int32_t i = 0; i < blocks; i++)
            if (first[i + 1] > first[i]) block_faces(m, i, m->out->face + 4 * (size_t)first[i]);
    }
    free(first);
    return m->out->face != NULL;
}

/* Each edge is run along once in either direction, so the ends of a vertex's own are its neighbours. */
static bool link_vertices(skin *s)
{
    s->first = calloc((size_t)s->count + 2, sizeof *s->first);
    s->next = malloc(((size_t)s->face_count + 1) * 4 * sizeof *s->next);
    s->around = malloc(((size_t)s->face_count + 1) * 4 * sizeof *s->around);
    if (!s->first || !s->next || !s->around) return false;
    const size_t sides = 4 * (size_t)s->face_count;
    for (size_t i = 0; i < sides; i++) s->first[s->face[i] + 2]++;
    for (int32_t v = 0; v < s->count; v++) s->first[v + 2] += s->first[v + 1];
    for (size_t i = 0; i < sides; i++) {
        const int32_t at = s->first[s->face[i] + 1]++;
        s->next[at] = s->face[i - i % 4 + (i + 1) % 4];
        s->around[at] = (int32_t)(i / 4);
    }
    return true;
}

static bool make_vertices(maker *m)
{
    const int32_t blocks = m->g->count;
    bool good = true;
#pragma omp parallel for schedule(dynamic, 32) reduction(&& : good)
    for (int32_t i = 0; i < blocks; i++) good = good && count_block(m, i, &m->start[i + 1]);
    for (int32_t i = 0; i < blocks; i++) m->start[i + 1] += m->start[i];
    skin *s = m->out;
    s->count = m->start[blocks];
    s->u = calloc((size_t)s->count + 1, 3 * sizeof(float));
    s->normal = calloc((size_t)s->count + 1, 3 * sizeof(float));
    s->kind = calloc((size_t)s->count + 1, 1);
    s->border = calloc((size_t)s->count + 1, sizeof *s->border);
    s->bulk = calloc((size_t)s->count + 1, sizeof *s->bulk);
    s->piece = calloc((size_t)s->count + 1, sizeof *s->piece);
    if (!good || !s->u || !s->normal || !s->kind || !s->border || !s->bulk || !s->piece) return false;
#pragma omp parallel for schedule(dynamic, 32)
    for (int32_t i = 0; i < blocks; i++) place_block(m, i);
    return true;
}

/* A free vertex next to one on a wall is on the line where the two meet, or all but. */
static bool find_contacts(skin *s, const liquid_field *field)
{
    uint8_t *kind = malloc((size_t)s->count + 1);
    if (!kind) return false;
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < s->count; v++) {
        kind[v] = s->kind[v];
        for (int32_t i = s->first[v]; i < s->first[v + 1] && kind[v] == SKIN_FREE; i++)
            if (s->kind[s->next[i]] == SKIN_WALL) kind[v] = SKIN_CONTACT;
        if (kind[v] == s->kind[v]) continue;
        const plane wall = wall_plane(field, s->u + 3 * (size_t)v);
        meet_planes(&wall, 1, s->u + 3 * (size_t)v);
        memcpy(s->normal + 3 * (size_t)v, wall.normal, sizeof wall.normal);
    }
    memcpy(s->kind, kind, (size_t)s->count);
    free(kind);
    return true;
}

void skin_meet_walls(skin *s, const liquid_field *field)
{
#pragma omp parallel for schedule(dynamic, 4096)
    for (int32_t v = 0; v < s->count; v++) {
        if (s->kind[v] != SKIN_WALL && s->kind[v] != SKIN_CONTACT) continue;
        float *u = s->u + 3 * (size_t)v;
        const float *n = s->normal + 3 * (size_t)v;
        for (int round = 0; round < 2; round++) {
            const float d = field_wall(field, u, 4, NULL);
            if (fabsf(d) < 0.5f)
                for (int k = 0; k < 3; k++) u[k] -= d * n[k];
        }
    }
}

bool skin_new(skin *out, const grid *g, const liquid_field *field)
{
    *out = (skin){.piece_count = g->piece_count};
    tables table;
    set_tables(&table);
    maker m = {.g = g, .field = field, .table = &table, .out = out};
    m.cells = calloc((size_t)g->count + 1, sizeof *m.cells);
    m.start = calloc((size_t)g->count + 1, sizeof *m.start);
    bool good = m.cells && m.start && make_vertices(&m) && make_faces(&m) && link_vertices(out);
    if (good && field->wall) good = find_contacts(out, field);
    for (int32_t i = 0; m.cells && i < g->count; i++) free(m.cells[i]);
    free(m.cells);
    free(m.start);
    if (!good) skin_free(out);
    return good;
}

void skin_free(skin *s)
{
    free(s->u);
    free(s->kind);
    free(s->border);
    free(s->normal);
    free(s->bulk);
    free(s->piece);
    free(s->face);
    free(s->first);
    free(s->next);
    free(s->around);
    *s = (skin){0};
}
