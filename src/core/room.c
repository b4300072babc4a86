/* room.c -- particles from volumes, memory from what the smallest scheme needs; see room.h. Refuses only what is
 * sure to fail. */
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

/* Bytes of a particle: of a step with wcsph and no other model (337 measured), where the fields are; to sample it
 * (points, place, velocity, id), on the host. */
static const double FIELDS = 300, SAMPLING = 60;
/* Bytes of a boundary point on the host (200 measured), of which thin shapes may have fewer than foreseen. */
static const double BOUNDARY = 100;

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
    return fabs(sum) * shape->scale * shape->scale * shape->scale;
}

static double shape_volume(const mn_shape_def *shape)
{
    if (shape->kind == MN_MESH) return mesh_volume(shape);
    mn_shape *solid = mn_shape_new(shape, NULL);
    const double volume = solid ? mn_shape_moments(solid).volume : 0.0;
    mn_shape_free(solid);
    return volume;
}

/* Of the union, less the holes. */
static double fluid_volume(const mn_fluid *fluid)
{
    mn_shape **solids = calloc((size_t)fluid->shape_count + 1, sizeof *solids);
    bool ok = solids != NULL;
    for (int k = 0; k < fluid->shape_count && ok; k++) ok = (solids[k] = mn_shape_new(&fluid->shapes[k], NULL)) != NULL;
    double volume = ok ? mn_union_moments(solids, fluid->shape_count).volume : 0.0;
    for (int k = 0; k < fluid->hole_count; k++) volume -= shape_volume(&fluid->holes[k]);
    for (int k = 0; k < fluid->shape_count && solids; k++) mn_shape_free(solids[k]);
    free(solids);
    return fmax(volume, 0.0);
}

mn_status mn_room_check(const mn_world *w, mn_messages *say)
{
    const mn_scene *s = w->scene;
    const double cell = s->spacing * s->spacing * s->spacing, host = mn_machine_memory();
    const double device = w->api->memory ? w->api->memory(w->device) : 0.0; /* 0: the fields lie in the machine's own */
    const double most = device > 0.0 ? fmin(device / FIELDS, host / SAMPLING) : host / FIELDS;
    double particles = 0.0;
    if (BOUNDARY * s->boundary_points > host) {
        mn_say_failure(
            say, (mn_place){s->path, 0, 0},
            "about %.3g boundary points of walls and bodies need at least %.3g GB (%.0f bytes each), and this machine "
            "has %.3g GB; make them smaller or their spacing larger",
            s->boundary_points, 1e-9 * BOUNDARY * s->boundary_points, BOUNDARY, 1e-9 * host);
        return MN_FAILED;
    }
    for (int f = 0; f < s->fluid_count; f++)
        for (int k = 0; k < s->fluids[f].shape_count; k++) particles += shape_volume(&s->fluids[f].shapes[k]) / cell;
    if (particles <= most) return MN_OK;
    particles = 0.0; /* shapes that overlap, and holes, make it less: with care this time */
    for (int f = 0; f < s->fluid_count; f++) particles += fluid_volume(&s->fluids[f]) / cell;
    if (particles <= most) return MN_OK;
    const bool on_device = device > 0.0 && device / FIELDS < host / SAMPLING;
    const double each = on_device || device <= 0.0 ? FIELDS : SAMPLING;
    mn_say_failure(
        say, (mn_place){s->path, 0, 0},
        "about %.3g fluid particles need at least %.3g GB (%.0f bytes each), and %s has %.3g GB; use a larger "
        "particles.spacing than %g m",
        particles, 1e-9 * each * particles, each, on_device ? "the device" : "this machine",
        1e-9 * (on_device ? device : host), s->spacing);
    return MN_FAILED;
}
