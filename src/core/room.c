/* room.c -- particles from volumes, memory from what the smallest scheme needs and what each part foresees; see
 * room.h. Refuses only what is sure to fail. Pictures and meshes are not counted: they are small, or have a check of
 * their own. */
#include "core/room.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/sysinfo.h>
#endif

#include "core/parts.h"
#include "geometry/geometry.h"

/* A step with wcsph and no other model takes 337 bytes a particle, with its neighbour lists and cells; to sample it
 * takes 60 (points, place, velocity, id). */
static const mn_foreseen FLUID = {.what = "fluid particles", .fields = 300, .host = 60};

/* What the scene holds, the fluid first, then what its parts foresee. */
typedef struct room {
    const mn_scene *scene;
    mn_foreseen need[MN_MOST_PARTS + 1];
    int count;
    double coming; /* particles that may be added */
    mn_place at;   /* by what */
    double device; /* bytes of the two memories; 0: the fields lie in the machine's own */
    double host;
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

/* Bytes of one of that kind on the device, or on the host. */
static double bytes_of(const room *r, int k, bool on_device)
{
    const mn_foreseen *f = &r->need[k];
    if (r->device > 0.0) return on_device ? f->fields : f->host;
    return k == 0 ? f->fields : f->fields + f->host; /* sampling is over when the fields come */
}

static double bytes_in_all(const room *r, bool on_device)
{
    double sum = 0.0;
    for (int k = 0; k < r->count; k++) sum += r->need[k].count * bytes_of(r, k, on_device);
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
    for (int k = 0; k < r->count && at < size; k++) {
        const double each = bytes_of(r, k, device), bytes = r->need[k].count * each;
        if (bytes < 0.01 * bytes_in_all(r, device)) continue;
        at += (size_t)snprintf(text + at, size - at, "%s%.3g GB for about %.3g %s (%.0f bytes each)", at ? ", " : "",
                               1e-9 * bytes, r->need[k].count, r->need[k].what, each);
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

/* What is added may leave through sinks or the domain: a warning. */
static void warn_of_coming(room *r, mn_messages *say)
{
    char needs[400], memory[120];
    bool device;
    r->need[0].count += r->coming;
    if (r->coming == 0.0 || !is_full(r, &device)) return;
    list_needs(r, device, needs, sizeof needs), name_memory(r, device, memory, sizeof memory);
    mn_say_warning(say, r->at,
                   "about %.3g particles are added until %g s; if they all stay, the scene needs at least %.3g GB, and "
                   "%s: %s; give emitters a limit or a stop, or the scene sinks or a domain",
                   r->coming, r->scene->end, 1e-9 * bytes_in_all(r, device), memory, needs);
}

static void add_part(room *r, const mn_system *part)
{
    const mn_scene *s = r->scene;
    if (part->wanted && !part->wanted(s)) return;
    if (part->foresee) r->need[r->count++] = part->foresee(s);
    if (part->carried) r->need[0].fields += part->carried(s);
    if (part->coming) r->coming += part->coming(s, &r->at);
}

static void add_models(room *r)
{
    for (int m = 0; m < mn_model_count(); m++)
        if (mn_parts_use(r->scene, mn_model_at(m))) add_part(r, mn_model_system(mn_model_at(m)));
}

static void add_parts(room *r)
{
#define SYSTEM(name) add_part(r, &mn_##name##_system);
#define MODELS add_models(r);
#include "core/systems.def"
#undef SYSTEM
#undef MODELS
}

mn_status mn_room_check(const mn_world *w, mn_messages *say)
{
    const mn_scene *s = w->scene;
    const double cell = s->spacing * s->spacing * s->spacing;
    room r = {.scene = s, .host = mn_machine_memory(), .device = w->api->memory ? w->api->memory(w->device) : 0.0};
    r.need[r.count++] = FLUID;
    add_parts(&r);
    for (int f = 0; f < s->fluid_count; f++)
        for (int k = 0; k < s->fluids[f].shape_count; k++)
            r.need[0].count += shape_volume(&s->fluids[f].shapes[k]) / cell;
    bool device;
    if (is_full(&r, &device)) { /* shapes that overlap, and holes, make it less: with care this time */
        r.need[0].count = 0.0;
        for (int f = 0; f < s->fluid_count; f++) r.need[0].count += fluid_volume(&s->fluids[f]) / cell;
    }
    if (!is_full(&r, &device)) {
        warn_of_coming(&r, say);
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
