/* maps.c -- walls as volume maps: made at the start from the shapes, one map for each wall; each step their places
 * are brought up to date; every fluid particle gets its boundary points from them (kernels/boundary/map_points.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/motion.h"
#include "boundary/maps.h"
#include "boundary/pattern.h"
#include "core/parts.h"
#include "core/world.h"
#include "geometry/volume_map.h"

/* The most maps that a particle feels at the same time. */
enum { MOST_SLOTS = 4, NODE_BLOCK = 1024, ROWS = 8 };

mn_maps *mn_maps_of(const mn_world *w) { return mn_part_of(w, &mn_maps_system); }

struct mn_map {
    int wall;
    mn_volume_map grid;
    size_t first;         /* its first node in the table, a multiple of NODE_BLOCK */
    mn_map_region region; /* that it was made for */
    bool turns;
};

static bool is_map(const mn_scene *s, int wall) { return s->walls[wall].method == MN_WALL_MAPS; }

static bool turns(const mn_motion *m)
{
    for (int k = 0; k < m->rotation.count * m->rotation.width; k++)
        if (m->rotation.value[k] != 0) return true;
    return m->angular_velocity[0] != 0 || m->angular_velocity[1] != 0 || m->angular_velocity[2] != 0;
}

/* Where fluid can be, in the frame of the map. */
static mn_map_region region_of(const mn_scene *s, const mn_map *map)
{
    mn_map_region r;
    const bool moving = s->walls[map->wall].motion.moving;
    for (int a = 0; a < 3; a++) {
        r.low[a] = s->bounded && !moving ? s->low[a] : -1e300;
        r.high[a] = s->bounded && !moving ? s->high[a] : 1e300;
        r.span[a] = s->periodic[a] && !map->turns ? s->high[a] - s->low[a] : 0;
        if (r.span[a] > 0) r.low[a] = s->low[a], r.high[a] = s->high[a];
    }
    return r;
}

static mn_status make_map(const mn_scene *s, mn_map *map, mn_messages *say)
{
    const mn_wall *wall = &s->walls[map->wall];
    map->turns = turns(&wall->motion);
    map->region = region_of(s, map);
    return mn_volume_map_make(wall->shapes, wall->shape_count, s->spacing, s->support, wall->map_spacing, &map->region,
                              wall->at, &map->grid, say);
}

static bool upload_nodes(mn_world *w, mn_maps *m)
{
    size_t total = 0;
    for (int k = 0; k < m->count; k++) {
        const mn_volume_map *g = &m->map[k].grid;
        const size_t nodes = (size_t)g->size[0] * (size_t)g->size[1] * (size_t)g->size[2];
        m->map[k].first = total;
        total += (nodes + NODE_BLOCK - 1) / NODE_BLOCK * NODE_BLOCK;
    }
    float *node = total < (size_t)1 << 30 ? calloc(4 * total, sizeof *node) : NULL;
    float *excess = node ? calloc(total, sizeof *excess) : NULL;
    for (int k = 0; k < m->count && excess; k++) {
        const mn_volume_map *g = &m->map[k].grid;
        const size_t nodes = (size_t)g->size[0] * (size_t)g->size[1] * (size_t)g->size[2], first = m->map[k].first;
        if (!g->node || !g->excess) continue; /* a map without nodes */
        memcpy(node + 4 * first, g->node, nodes * 4 * sizeof *node);
        memcpy(excess + first, g->excess, nodes * sizeof *excess);
    }
    const bool ok = excess && mn_world_table(w, MN_FIELD_map_node, node, 4 * total * sizeof *node) &&
                    mn_world_table(w, MN_FIELD_map_excess, excess, total * sizeof *excess);
    free(node), free(excess);
    return ok;
}

/* The contact pattern of one map: at each node that of the place of the wall below it. */
static bool share_out(const mn_world *w, const mn_map *map, float *share, mn_messages *say)
{
    const mn_wall *wall = &w->scene->walls[map->wall];
    const mn_volume_map *g = &map->grid;
    mn_painter painter;
    if (!mn_painter_new(w->scene, map->wall, &wall->contact.pattern.pattern, wall->at, &painter, say)) return false;
    for (int z = 0, at = 0; z < g->size[2]; z++)
        for (int y = 0; y < g->size[1]; y++)
            for (int x = 0; x < g->size[0]; x++, at++) {
                const float *n = g->node + 4 * (size_t)at; /* gradient, distance */
                const int cell[3] = {x, y, z};
                double foot[3];
                for (int a = 0; a < 3; a++) foot[a] = g->low[a] + g->cell * cell[a] - (double)n[3] * (double)n[a];
                share[at] = (float)mn_painter_at(&painter, foot);
            }
    mn_painter_free(&painter);
    return true;
}

static bool has_pattern(const mn_world *w, const mn_map *map)
{
    return mn_pattern_is_given(&w->scene->walls[map->wall].contact.pattern.pattern);
}

static mn_status upload_shares(mn_world *w, const mn_maps *m, mn_messages *say)
{
    size_t total = 0;
    bool any = false, ok = true;
    for (int k = 0; k < m->count; k++) {
        const mn_volume_map *g = &m->map[k].grid;
        total = m->map[k].first + (size_t)g->size[0] * (size_t)g->size[1] * (size_t)g->size[2];
        any |= has_pattern(w, &m->map[k]);
    }
    if (!any) return MN_OK;
    float *share = calloc(total, sizeof *share);
    for (int k = 0; k < m->count && share && ok; k++)
        if (has_pattern(w, &m->map[k])) ok = share_out(w, &m->map[k], share + m->map[k].first, say);
    const bool sent = share && ok && mn_world_table(w, MN_FIELD_map_share, share, total * sizeof *share);
    free(share);
    return sent ? MN_OK : ok ? MN_FAILED : MN_BAD_INPUT;
}

/* Points on the surface, as boundary points would lie: pictures show them, nothing else. */
static mn_status sample_surfaces(const mn_world *w, mn_maps *m, mn_messages *say)
{
    mn_points all = {0};
    mn_status status = MN_OK;
    long end[MN_MAX_WALLS] = {0};
    for (int k = 0; k < m->count; k++) {
        const mn_wall *wall = &w->scene->walls[m->map[k].wall];
        for (int n = 0; n < wall->shape_count && status == MN_OK; n++) {
            mn_shape *shape = mn_shape_new(&wall->shapes[n], say);
            status = shape ? mn_sample_surface(shape, &wall->shapes[n], wall->spacing, 1, &all, say) : MN_BAD_INPUT;
            mn_shape_free(shape);
        }
        end[k] = all.count;
    }
    m->surface_map = status == MN_OK ? malloc(((size_t)all.count + 1) * sizeof *m->surface_map) : NULL;
    if (m->surface_map) {
        m->surface = all.x;
        m->surface_count = (int)all.count;
        for (int i = 0, k = 0; i < m->surface_count; i++) {
            while (i >= end[k]) k++;
            m->surface_map[i] = k;
        }
        return MN_OK;
    }
    mn_points_free(&all);
    return status == MN_OK ? MN_FAILED : status;
}

/* Where they are at this time. */
static bool place_maps(mn_world *w, mn_maps *m);

static mn_status upload(mn_world *w, mn_maps *m, mn_messages *say)
{
    const bool ok = upload_nodes(w, m) && place_maps(w, m);
    const mn_status status = ok ? upload_shares(w, m, say) : MN_FAILED;
    if (status == MN_FAILED)
        mn_say_failure(say, MN_NOWHERE, "not enough memory for the volume maps on %s: %s", w->api->key, mn_why(w));
    return status;
}

static mn_status make(mn_world *w, void *me, mn_messages *say)
{
    const mn_scene *s = w->scene;
    mn_maps *m = me;
    int wanted = 0;
    w->par.maps.part = (float)w->support.map;
    for (int k = 0; k < s->wall_count; k++) wanted += is_map(s, k);
    if (!wanted) return MN_OK;
    m->map = calloc((size_t)wanted, sizeof *m->map);
    if (!m->map) return MN_FAILED;
    for (int k = 0; k < s->wall_count; k++) {
        if (!is_map(s, k)) continue;
        const mn_wall *wall = &s->walls[k];
        mn_map *map = &m->map[m->count];
        *map = (mn_map){.wall = k};
        const mn_status status = make_map(s, map, say);
        if (status != MN_OK) return status;
        m->count++;
        m->moving |= wall->motion.moving;
        w->par.boundary.mapped[k] = 1.0f;
    }
    w->par.maps.count = m->count;
    w->par.maps.slots = w->points.slots = m->count < MOST_SLOTS ? m->count : MOST_SLOTS;
    const mn_status status = sample_surfaces(w, m, say);
    if (status != MN_OK) return status;
    return upload(w, m, say);
}

/* The rows of one map, see kernels/boundary/map_points.h; returns the largest speed of a point of its grid. */
static double fill_rows(const mn_world *w, const mn_map *map, real4 *row)
{
    const mn_scene *s = w->scene;
    const mn_motion *motion = &s->walls[map->wall].motion;
    const mn_volume_map *g = &map->grid;
    const mn_pose pose = mn_motion_at(motion, w->time);
    const double *now = pose.rotation, *turn = pose.spin, *drift = pose.velocity;
    double centre[3], box[3];
    double radius = 0;
    for (int a = 0; a < 3; a++) {
        const double span = s->periodic[a] ? s->high[a] - s->low[a] : 0;
        centre[a] = pose.at[a];
        /* so that one span at most separates a particle from the copy of the map that it sees */
        if (span > 0 && map->turns) centre[a] -= span * floor((centre[a] - s->low[a]) / span);
        else if (span > 0) centre[a] -= span * floor((pose.at[a] - pose.origin[a]) / span);
        box[a] = map->turns ? -0.5 * span : s->low[a] - pose.origin[a];
        const double reach =
            fmax(fabs(g->low[a] - pose.origin[a]), fabs(g->low[a] + g->cell * g->size[a] - pose.origin[a]));
        radius += reach * reach;
    }
    for (int a = 0; a < 3; a++)
        row[a] = (real4){(float)(now[a] / g->cell), (float)(now[3 + a] / g->cell), (float)(now[6 + a] / g->cell),
                         (float)((pose.origin[a] - g->low[a]) / g->cell)};
    const size_t block = map->first / NODE_BLOCK;
    row[3] = (real4){(float)g->size[0], (float)g->size[1], (float)g->size[2], (float)block};
    row[4] = (real4){(float)centre[0], (float)centre[1], (float)centre[2], g->container ? 1.0f : 0.0f};
    row[5] = (real4){(float)box[0], (float)box[1], (float)box[2], (float)map->wall};
    row[6] = (real4){(float)drift[0], (float)drift[1], (float)drift[2], (float)g->cell};
    row[7] = (real4){(float)turn[0], (float)turn[1], (float)turn[2], has_pattern(w, map) ? 1.0f : 0.0f};
    return sqrt(drift[0] * drift[0] + drift[1] * drift[1] + drift[2] * drift[2]) +
           sqrt((turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]) * radius);
}

static bool place_maps(mn_world *w, mn_maps *m)
{
    real4 rows[ROWS * MN_MAX_WALLS];
    m->fastest = 0.0;
    for (int k = 0; k < m->count; k++) m->fastest = fmax(m->fastest, fill_rows(w, &m->map[k], rows + ROWS * k));
    const size_t bytes = (size_t)m->count * ROWS * sizeof *rows;
    if (!w->field[MN_FIELD_map_place]) return mn_world_table(w, MN_FIELD_map_place, rows, bytes);
    return w->api->put(w->device, w->field[MN_FIELD_map_place], 0, rows, bytes);
}

/* A wall that stood still moves, or one turns that did not (or an earlier state was read): where the map ended with
 * the domain, more of it is needed now. */
static void renew(mn_world *w, void *me)
{
    mn_maps *m = me;
    mn_messages *say = w->user.say;
    const bool moved = m->moving;
    bool fresh = false;
    m->moving = false;
    for (int k = 0; k < m->count && !w->failed; k++) {
        mn_map *map = &m->map[k];
        const mn_motion *motion = &w->scene->walls[map->wall].motion;
        mn_map now = {.wall = map->wall, .turns = turns(motion), .first = map->first};
        m->moving |= motion->moving;
        now.region = region_of(w->scene, &now);
        map->turns = now.turns;
        if (memcmp(&now.region, &map->region, sizeof now.region) == 0) continue;
        w->told = make_map(w->scene, &now, say);
        w->failed = w->told != MN_OK;
        if (w->failed) return;
        mn_volume_map_free(&map->grid);
        *map = now;
        fresh = true;
    }
    if (fresh) w->told = upload(w, m, say), w->failed = w->told != MN_OK;
    else if (moved && !m->moving) w->failed = !place_maps(w, m); /* stands again, where it stood */
}

/* Whether the maps that such motions need are small enough. */
static mn_status permits(const mn_world *w, const void *me, const mn_scene *next, mn_place at, mn_messages *say)
{
    const mn_maps *m = me;
    (void)w;
    mn_status status = MN_OK;
    for (int k = 0; k < m->count && status == MN_OK; k++) {
        const mn_wall *wall = &next->walls[m->map[k].wall];
        mn_map then = {.wall = m->map[k].wall, .turns = turns(&wall->motion)};
        then.region = region_of(next, &then);
        if (memcmp(&then.region, &m->map[k].region, sizeof then.region) != 0)
            status = mn_volume_map_fits(wall->shapes, wall->shape_count, next->spacing, next->support,
                                        wall->map_spacing, &then.region, at, say);
    }
    return status;
}

/* The points of all fluid particles on the maps. */
static void touch(mn_world *w, void *me)
{
    mn_maps *m = me;
    if (!m->count) return;
    if (m->moving && !place_maps(w, m)) w->failed = true;
    w->par.maps.at = w->layout.map_at;
    w->par.maps.stride = w->capacity;
    mn_run(w, MN_KERNEL_map_walls, MN_NO_ARG);
}

static void contact(mn_world *w, void *me)
{
    if (((mn_maps *)me)->count) mn_run(w, MN_KERNEL_map_stop, MN_NO_ARG);
}

/* The grids, as balls about the origin of their motion. */
static void extent(const mn_world *w, const void *me, double low[3], double high[3])
{
    const mn_maps *m = me;
    for (int k = 0; k < m->count; k++) {
        const mn_volume_map *g = &m->map[k].grid;
        const mn_pose pose = mn_motion_at(&w->scene->walls[m->map[k].wall].motion, w->time);
        double square = 0;
        for (int a = 0; a < 3; a++)
            square +=
                pow(fmax(fabs(g->low[a] - pose.origin[a]), fabs(g->low[a] + g->cell * g->size[a] - pose.origin[a])), 2);
        for (int a = 0; a < 3; a++)
            low[a] = fmin(low[a], pose.at[a] - sqrt(square)), high[a] = fmax(high[a], pose.at[a] + sqrt(square));
    }
}

static double fastest(const mn_world *w, const void *me)
{
    (void)w;
    return ((const mn_maps *)me)->fastest;
}

double mn_maps_distance(const mn_world *w, const double x[3])
{
    const mn_maps *m = mn_maps_of(w);
    double nearest = INFINITY;
    for (int k = 0; k < m->count; k++) {
        const mn_volume_map *g = &m->map[k].grid;
        bool inside = true;
        for (int a = 0; a < 3; a++) inside &= x[a] > g->low[a] && x[a] < g->low[a] + g->cell * (g->size[a] - 1);
        if (!inside && !g->container) continue;
        nearest = fmin(nearest, mn_volume_map_distance(g, x));
    }
    return nearest;
}

void mn_maps_surface(const mn_world *w, float *positions, int *wall)
{
    const mn_maps *m = mn_maps_of(w);
    mn_pose pose[MN_MAX_WALLS];
    for (int k = 0; k < m->count; k++) pose[k] = mn_motion_at(&w->scene->walls[m->map[k].wall].motion, w->time);
    for (int i = 0; i < m->surface_count; i++) {
        double x[3], velocity[3];
        mn_pose_point(&pose[m->surface_map[i]], &m->surface[3 * i], x, velocity);
        for (int a = 0; a < 3; a++) positions[3 * i + a] = (float)x[a];
        wall[i] = m->map[m->surface_map[i]].wall;
    }
}

static void release(mn_world *w, void *me)
{
    (void)w;
    mn_maps *m = me;
    for (int k = 0; k < m->count; k++) mn_volume_map_free(&m->map[k].grid);
    free(m->map), free(m->surface), free(m->surface_map);
}

/* Nodes of a wall's map: the box around its shapes and a support radius, within the domain; 0 where that has no end. */
static double nodes_of(const mn_scene *s, const mn_wall *wall)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, nodes = 1.0;
    for (int k = 0; k < wall->shape_count; k++) {
        mn_shape *shape = wall->shapes[k].kind == MN_MESH ? NULL : mn_shape_new(&wall->shapes[k], NULL);
        if (!shape) return 0.0; /* said when it is used */
        double l[3], h[3];
        mn_shape_bounds(shape, l, h);
        for (int a = 0; a < 3; a++) low[a] = fmin(low[a], l[a]), high[a] = fmax(high[a], h[a]);
        mn_shape_free(shape);
    }
    for (int a = 0; a < 3; a++) {
        if (s->bounded && !wall->motion.moving) low[a] = fmax(low[a], s->low[a]), high[a] = fmin(high[a], s->high[a]);
        nodes *= fmax(high[a] - low[a], 0.0) / wall->map_spacing + 1.0;
    }
    return nodes <= MN_MAP_NODES ? nodes : 0.0; /* more, and planes without an end: said when it is made */
}

static mn_foreseen foresee(const mn_scene *s)
{
    mn_foreseen f = {.what = "nodes of volume maps", .fields = 20, .host = 20};
    for (int k = 0; k < s->wall_count; k++)
        if (s->walls[k].method == MN_WALL_MAPS) f.count += nodes_of(s, &s->walls[k]);
    return f;
}

const mn_system mn_maps_system = {.key = "volume maps",
                                  .bytes = sizeof(mn_maps),
                                  .foresee = foresee,
                                  .make = make,
                                  .permits = permits,
                                  .free = release,
                                  .at = {[MN_AT_parameters] = renew, [MN_AT_touch] = touch, [MN_AT_contact] = contact},
                                  .fastest = fastest,
                                  .extent = extent};
