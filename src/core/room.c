/* room.c -- particles from volumes, memory from what the smallest scheme needs; see room.h. Refuses only what is
 * sure to fail. Pictures and meshes are not counted: they are small, or have a check of their own. */
#include "core/room.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/sysinfo.h>
#endif

#include "geometry/geometry.h"
#include "geometry/volume_map.h"

/* Bytes of one, at least: where the fields are (the device, or this machine), and on the host besides. A step with
 * wcsph and no other model takes 337 a particle, with its neighbour lists and cells; to sample it takes 60 (points,
 * place, velocity, id). A boundary point takes 200 on the host, but thin shapes may have fewer than foreseen. The
 * matrices and pairs of a soft particle take 1000. */
enum { FLUID, POINTS, SOFT, MAPS, GRID, KINDS };
static const struct {
    const char *what;
    double fields, host;
} kind[KINDS] = {{"fluid particles", 300, 60},
                 {"boundary points of walls and bodies", 40, 100},
                 {"particles of soft solids", 40, 900},
                 {"nodes of volume maps", 20, 20},
                 {"nodes of output.grid", 0, 32}};
static const double SPECIES = 16; /* of a particle, each */

/* What the scene holds, and the bytes that this takes. */
typedef struct room {
    const mn_scene *scene;
    double count[KINDS], device, host; /* device: 0: the fields lie in the machine's own */
} room;

/* A file with one number; infinity where there is none ("max"). */
static double limit_in(const char *path)
{
    double bytes = INFINITY;
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%lf", &bytes) != 1) bytes = INFINITY;
    if (file) fclose(file);
    return bytes;
}

double mn_machine_memory(void)
{
    double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
#ifdef __linux__
    struct sysinfo info;
    if (sysinfo(&info) == 0) bytes = ((double)info.totalram + (double)info.totalswap) * (double)info.mem_unit;
#endif
    bytes = fmin(bytes, limit_in("/sys/fs/cgroup/memory.max"));
    bytes = fmin(bytes, limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        bytes = fmin(bytes, (double)space.rlim_cur);
    return bytes;
}

/* Its triangles alone tell; what is wrong with the file is said when it is used. */
static double mesh_volume(const mn_shape_def *shape)
{
    mn_mesh mesh;
    double sum = 0.0;
    if (mn_mesh_read(shape->file, &mesh, NULL) != MN_OK) return 0.0;
    for (long t = 0; t < mesh.triangle_count; t++) {
        const double *a = mesh.vertex + 3L * mesh.triangle[3 * t], *b = mesh.vertex + 3L * mesh.triangle[3 * t + 1],
                     *c = mesh.vertex + 3L * mesh.triangle[3 * t + 2];
        sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                a[2] * (b[0] * c[1] - b[1] * c[0])) /
               6;
    }
    mn_mesh_free(&mesh);
    for (int k = 0; k < 3; k++) sum *= mn_shape_factor(shape, k);
    return fabs(sum);
}

static double shape_volume(const mn_shape_def *shape)
{
    if (shape->kind == MN_MESH) return mesh_volume(shape);
    mn_shape *made = mn_shape_new(shape, NULL);
    const double volume = made ? mn_shape_moments(made).volume : 0.0;
    mn_shape_free(made);
    return volume;
}

/* Of the union, less the holes. */
static double fluid_volume(const mn_fluid *fluid)
{
    mn_shape **shapes = calloc((size_t)fluid->shape_count + 1, sizeof *shapes);
    bool ok = shapes != NULL;
    for (int k = 0; k < fluid->shape_count && ok; k++) ok = (shapes[k] = mn_shape_new(&fluid->shapes[k], NULL)) != NULL;
    double volume = ok ? mn_union_moments(shapes, fluid->shape_count).volume : 0.0;
    for (int k = 0; k < fluid->hole_count; k++) volume -= shape_volume(&fluid->holes[k]);
    for (int k = 0; k < fluid->shape_count && shapes; k++) mn_shape_free(shapes[k]);
    free(shapes);
    return fmax(volume, 0.0);
}

/* Of a wall's map: the box around its shapes and a support radius, within the domain; 0 where that has no end. */
static double map_nodes(const mn_scene *s, const mn_wall *wall)
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

static double grid_nodes(const mn_grid_output *g)
{
    double nodes = g->every > 0.0 ? 1.0 : 0.0;
    for (int a = 0; a < 3 && nodes > 0.0; a++) nodes *= floor((g->high[a] - g->low[a]) / g->spacing) + 1.0;
    return nodes;
}

/* Bytes of one of that kind on the device, or on the host. */
static double bytes_of(const room *r, int k, bool on_device)
{
    const double fields = kind[k].fields + (k == FLUID ? SPECIES * r->scene->species_count : 0.0);
    if (r->device > 0.0) return on_device ? fields : kind[k].host;
    return k == FLUID ? fields : fields + kind[k].host; /* sampling is over when the fields come */
}

static double bytes_in_all(const room *r, bool on_device)
{
    double sum = 0.0;
    for (int k = 0; k < KINDS; k++) sum += r->count[k] * bytes_of(r, k, on_device);
    return sum;
}

/* Which of the two memories cannot hold it. */
static bool is_full(const room *r, bool *device)
{
    *device = r->device > 0.0 && bytes_in_all(r, true) > r->device;
    return *device || bytes_in_all(r, false) > r->host;
}

/* "132 GB for about 4.39e+08 fluid particles (300 bytes each), ...": what takes a hundredth of all, or more. */
static void list_needs(const room *r, bool device, char *text, size_t size)
{
    size_t at = 0;
    text[0] = 0;
    for (int k = 0; k < KINDS && at < size; k++) {
        const double each = bytes_of(r, k, device), bytes = r->count[k] * each;
        if (bytes < 0.01 * bytes_in_all(r, device)) continue;
        at += (size_t)snprintf(text + at, size - at, "%s%.3g GB for about %.3g %s (%.0f bytes each)", at ? ", " : "",
                               1e-9 * bytes, r->count[k], kind[k].what, each);
    }
}

/* What is compared: drivers may offer less than there is, PoCL a part of the machine's memory. */
static void name_memory(const room *r, bool device, char *text, size_t size)
{
    if (device)
        snprintf(text, size, "the OpenCL device offers %.3g GB (this machine has %.3g GB)", 1e-9 * r->device,
                 1e-9 * r->host);
    else snprintf(text, size, "this machine has %.3g GB", 1e-9 * r->host);
}

/* Emitted particles may leave through sinks or the domain: a warning. */
static void forecast_emitters(room *r, mn_messages *say)
{
    char needs[400], memory[120];
    double emitted = 0.0;
    const mn_emitter *first = NULL;
    bool device;
    for (int f = 0; f < r->scene->fluid_count; f++)
        for (int e = 0; e < r->scene->fluids[f].emitter_count; e++) {
            if (!first) first = &r->scene->fluids[f].emitters[e];
            emitted += mn_emitter_forecast(r->scene, &r->scene->fluids[f].emitters[e]);
        }
    r->count[FLUID] += emitted;
    if (!first || !is_full(r, &device)) return;
    list_needs(r, device, needs, sizeof needs), name_memory(r, device, memory, sizeof memory);
    mn_say_warning(say, first->at,
                   "emitters add about %.3g particles until %g s; if they all stay, the scene needs at least %.3g GB, "
                   "and %s: %s; give a limit, a stop, sinks or a domain",
                   emitted, r->scene->end, 1e-9 * bytes_in_all(r, device), memory, needs);
}

mn_status mn_room_check(const mn_world *w, mn_messages *say)
{
    const mn_scene *s = w->scene;
    const double cell = s->spacing * s->spacing * s->spacing;
    room r = {.scene = s, .host = mn_machine_memory(), .device = w->api->memory ? w->api->memory(w->device) : 0.0};
    r.count[POINTS] = s->boundary_points;
    r.count[SOFT] = s->solid_particles;
    r.count[GRID] = grid_nodes(&s->grid_output);
    for (int k = 0; k < s->wall_count; k++)
        if (s->walls[k].method != MN_WALL_SAMPLED) r.count[MAPS] += map_nodes(s, &s->walls[k]);
    for (int f = 0; f < s->fluid_count; f++)
        for (int k = 0; k < s->fluids[f].shape_count; k++)
            r.count[FLUID] += shape_volume(&s->fluids[f].shapes[k]) / cell;
    bool device;
    if (is_full(&r, &device)) { /* shapes that overlap, and holes, make it less: with care this time */
        r.count[FLUID] = 0.0;
        for (int f = 0; f < s->fluid_count; f++) r.count[FLUID] += fluid_volume(&s->fluids[f]) / cell;
    }
    if (!is_full(&r, &device)) {
        forecast_emitters(&r, say);
        return MN_OK;
    }
    char needs[400], memory[120];
    list_needs(&r, device, needs, sizeof needs), name_memory(&r, device, memory, sizeof memory);
    mn_say_failure(
        say, (mn_place){s->path, 0, 0},
        "the scene needs at least %.3g GB, and %s: %s; make it smaller or use a larger particles.spacing than %g m",
        1e-9 * bytes_in_all(&r, device), memory, needs, s->spacing);
    return MN_FAILED;
}
