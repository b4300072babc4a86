/* bench.c -- `meniscus bench`: fixed cases, timed step by step; those of pictures are in bench_pictures.c.
 *
 * Only mn_step is inside the clock. With --repeat each step keeps the shortest of its times, as the peer's numbers were
 * taken: other work on the machine only ever adds.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "base/message.h"
#include "bench_pictures.h"
#include "report.h"
#include "scenes.h"

enum { MAX_STAGES = 32, MAX_PARTS = 48 };

/* peer_ms: milliseconds a step of SPlisHSPlasH 2.16 (Release, AVX, float, 2 threads) on two cores of an AMD EPYC
 * with AVX2, for the same particles, time step, tolerances and steps; the cubes with Jeske 2023 and implicit
 * viscosity. 0: not measured. */
typedef struct bench_case {
    const char *name, *scene;
    long steps;
    double peer_ms;
    const char *sets[2]; /* changes to the scene */
} bench_case;

#define AS_IT_IS                                                                                                       \
    {                                                                                                                  \
        NULL, NULL                                                                                                     \
    }
static const bench_case cases[] = {
    {"dam-30k", "basics/dam-30k", 249, 120, AS_IT_IS},
    {"dam-100k", "basics/dam-100k", 369, 473, AS_IT_IS},
    {"dam-500k", "basics/dam-500k", 40, 852, AS_IT_IS},
    {"dam-1m", "basics/dam-1m", 30, 1536, AS_IT_IS},
    {"dam-wind", "basics/dam-30k", 249, 0, {"fluids.0.drag=gissler2017", "air.velocity=[5, 0, 0]"}},
    {"cube-20", "jeske2023/cube-20", 100, 9.9, AS_IT_IS},
    {"cube-40", "jeske2023/cube-40", 100, 118, AS_IT_IS},
    {"cube-60", "jeske2023/cube-60", 50, 413, AS_IT_IS},
    {"double-droplet", "jeske2023/double-droplet", 100, 0, AS_IT_IS},
    {"crown", "jeske2023/crown-jeske2023", 100, 0, AS_IT_IS},
    {"bell", "jeske2023/water-bell", 300, 99, {"fluids.0.tension.cohesion=10800", "fluids.0.viscosity.viscosity=0.05"}},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

int cli_bench_cases(const char **out, int capacity)
{
    for (int i = 0; i < CASE_COUNT && i < capacity; i++) out[i] = cases[i].name;
    const int room = capacity > CASE_COUNT ? capacity - CASE_COUNT : 0;
    return CASE_COUNT + bench_picture_cases(out + CASE_COUNT, room);
}

typedef struct bench_result {
    char backend[128];
    long threads, steps;
    double particles; /* mean over the steps */
    double ms_per_step, ns_per_particle_step;
    double pressure_iterations, velocity_iterations, density_error_avg; /* means over the steps */
    double bytes_per_particle;                                          /* fluid and wall memory over fluid particles */
    mn_stage_time stages[MAX_STAGES];                                   /* ms a step */
    int stage_count;
    mn_stage_time parts[MAX_PARTS]; /* the same time by who spent it */
    int part_count;
    double boundary_points;
} bench_result;

/* One pass over the steps. `shortest` keeps the least time of each step in seconds. */
static mn_status one_pass(const mn_scene *scene, const mn_options *options, long steps, double *shortest,
                          bench_result *out, mn_messages *say)
{
    mn_world *world = mn_world_new(scene, options, say);
    if (!world) return mn_status_of_failure(say);
    double particles = 0, pressure = 0, velocity = 0, density = 0;
    mn_status status = MN_OK;
    for (long i = 0; i < steps && status == MN_OK; i++) {
        double start = cli_clock();
        status = mn_step(world, say);
        shortest[i] = fmin(shortest[i], cli_clock() - start);
        mn_stats stats = mn_world_stats(world);
        particles += (double)stats.particles;
        pressure += stats.pressure_iterations;
        velocity += stats.velocity_iterations;
        density += stats.density_error_avg;
    }
    double made = (double)steps;
    out->particles = particles / made;
    out->boundary_points = (double)mn_world_boundary_points(world);
    out->pressure_iterations = pressure / made;
    out->velocity_iterations = velocity / made;
    out->density_error_avg = density / made;
    out->bytes_per_particle = (double)mn_world_bytes(world) / fmax(1, (double)mn_world_particles(world));
    snprintf(out->backend, sizeof out->backend, "%s", mn_world_backend(world));
    int stages = mn_world_stages(world, out->stages, MAX_STAGES);
    out->stage_count = stages < MAX_STAGES ? stages : MAX_STAGES;
    for (int i = 0; i < out->stage_count; i++) out->stages[i].seconds *= 1000 / made;
    int parts = mn_world_part_times(world, out->parts, MAX_PARTS);
    out->part_count = parts < MAX_PARTS ? parts : MAX_PARTS;
    for (int i = 0; i < out->part_count; i++) out->parts[i].seconds *= 1000 / made;
    mn_world_free(world);
    return status;
}

static mn_status measure(const bench_case *the, const cli_arguments *args, bench_result *out, mn_messages *say)
{
    char *path = cli_find_scene(the->scene);
    mn_scene *scene = path ? mn_scene_load(path, the->sets, the->sets[0] ? 2 : 0, say) : NULL;
    free(path);
    long steps = args->steps > 0 ? args->steps : the->steps;
    double *shortest = malloc((size_t)steps * sizeof *shortest);
    mn_status status = scene ? MN_OK : mn_status_of_failure(say);
    if (!shortest) status = MN_FAILED;
    mn_options options = mn_default_options();
    if (args->backend) options.backend = args->backend;
    options.threads = (int)args->threads;
    for (long i = 0; shortest && i < steps; i++) shortest[i] = INFINITY;
    for (long pass = 0; pass < args->repeat && status == MN_OK; pass++)
        status = one_pass(scene, &options, steps, shortest, out, say);
    if (status == MN_OK) {
        double seconds = 0;
        for (long i = 0; i < steps; i++) seconds += shortest[i];
        out->steps = steps;
        out->threads = args->threads > 0 ? args->threads : omp_get_num_procs();
        out->ms_per_step = 1e3 * seconds / (double)steps;
        out->ns_per_particle_step = 1e9 * seconds / (double)steps / fmax(1, out->particles);
    }
    free(shortest);
    mn_scene_free(scene);
    return status;
}

static void print_times(const mn_stage_time *times, int count)
{
    for (int i = 0; i < count; i++) printf("%s\"%s\": %.4f", i ? ", " : "", times[i].name, times[i].seconds);
}

static void print_json(const bench_case *the, const bench_result *r, bool first)
{
    printf("%s\n  {\"case\": \"%s\", \"backend\": \"", first ? "" : ",", the->name);
    for (const char *c = r->backend; *c; c++) {
        if (*c == '"' || *c == '\\') putchar('\\');
        if ((unsigned char)*c >= ' ') putchar(*c);
    }
    printf("\", \"threads\": %ld, \"particles\": %.0f, \"boundary_points\": %.0f, \"steps\": %ld,\n", r->threads,
           r->particles, r->boundary_points, r->steps);
    printf("   \"ms_per_step\": %.4f, \"ns_per_particle_step\": %.3f, \"pressure_iterations\": %.3f, "
           "\"velocity_iterations\": %.3f,\n",
           r->ms_per_step, r->ns_per_particle_step, r->pressure_iterations, r->velocity_iterations);
    printf("   \"density_error_avg\": %.6g, \"bytes_per_particle\": %.1f,\n   \"stages\": {", r->density_error_avg,
           r->bytes_per_particle);
    print_times(r->stages, r->stage_count);
    printf("},\n   \"parts\": {");
    print_times(r->parts, r->part_count);
    printf("}");
    if (the->peer_ms > 0 && r->steps == the->steps)
        printf(",\n   \"peer_ms_per_step\": %g, \"times_peer\": %.3f", the->peer_ms, the->peer_ms / r->ms_per_step);
    printf("}");
}

static void print_row(const bench_case *the, const bench_result *r)
{
    printf("%-14s %10.0f %6ld %10.2f %9.1f %8.2f %11.2e %8.0f", the->name, r->particles, r->steps, r->ms_per_step,
           r->ns_per_particle_step, r->pressure_iterations, r->density_error_avg, r->bytes_per_particle);
    if (the->peer_ms > 0 && r->steps == the->steps)
        printf(" %9.1f %6.2fx\n", the->peer_ms, the->peer_ms / r->ms_per_step);
    else printf(" %9s %7s\n", "-", "-");
    printf("              ");
    for (int i = 0; i < r->stage_count; i++) printf(" %s %.2f", r->stages[i].name, r->stages[i].seconds);
    printf("  (ms a step)\n");
}

int cli_bench(const cli_arguments *args)
{
    if (args->steps == 0) return cli_wrong("--steps: '0' is not valid; expected at least one step to measure");
    mn_messages *say = mn_messages_new();
    if (!say) cli_report(NULL, false);
    if (!say) return MN_FAILED;
    int code = MN_OK;
    bool first = true;
    for (int i = 0; i < CASE_COUNT; i++) {
        if (args->operand && strcmp(args->operand, cases[i].name) != 0) continue;
        bench_result result = {0};
        mn_status status = measure(&cases[i], args, &result, say);
        cli_report(say, false);
        if (status != MN_OK) {
            fprintf(stderr, "meniscus: error: case %s could not be measured\n", cases[i].name);
            code = status;
            continue;
        }
        if (first && !args->json) {
            printf("%s\n", result.backend);
            printf("%-14s %10s %6s %10s %9s %8s %11s %8s %9s %7s\n", "case", "particles", "steps", "ms/step",
                   "ns/p/step", "pressure", "density", "bytes/p", "peer", "faster");
        }
        if (first && args->json) putchar('[');
        if (args->json) print_json(&cases[i], &result, first);
        else print_row(&cases[i], &result);
        first = false;
        fflush(stdout);
    }
    const int pictures = bench_pictures(args, first, say);
    mn_messages_free(say);
    return code == MN_OK ? pictures : code;
}
