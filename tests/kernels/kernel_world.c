/* kernel_world.c -- tiny worlds for tests of kernels. The scene reader makes a row of particles and a scrap of wall;
 * then both are replaced by what the set-up says, through the same calls that make the first state of every world. */
#include "core/clock.h"
#include "kernels/kernel_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boundary/points.h"
#include "methods/methods.h"
#include "run/device.h"

static const double t5_position[5][3] = {
    {0, 0, 0}, {0.09, 0.01, 0}, {-0.02, 0.10, 0.03}, {0.05, -0.06, 0.08}, {0.12, 0.09, -0.05}};
static const double t5_velocity[5][3] = {
    {0.1, 0, 0}, {-0.2, 0.1, 0}, {0, -0.3, 0.1}, {0.05, 0.05, -0.4}, {-0.1, 0.2, 0.3}};
static const double tb_position[4][3] = {{0, 0, -0.1}, {0.1, 0, -0.1}, {0, 0.1, -0.1}, {0.1, 0.1, -0.1}};

const kernel_setup kernel_t5 = {
    .count = 5, .position = t5_position, .velocity = t5_velocity, .volume = 1e-3, .spacing = 0.1, .dt = 1e-3};
const kernel_setup kernel_t5_walls = {.count = 5,
                                      .position = t5_position,
                                      .velocity = t5_velocity,
                                      .volume = 1e-3,
                                      .wall_count = 4,
                                      .wall = tb_position,
                                      .spacing = 0.1,
                                      .dt = 1e-3};

static void print_messages(const mn_messages *say)
{
    for (int m = 0; m < mn_messages_count(say); m++) print_error("%s\n", mn_messages_get(say, m).text);
}

/* -- making -------------------------------------------------------------------------------------------------------- */

static mn_scene *scene_of(const kernel_setup *s, mn_messages *say)
{
    char text[4096];
    const bool own_gravity = s->scene && strstr(s->scene, "gravity:");
    const int length = snprintf(
        text, sizeof text,
        "particles: {spacing: %.17g}\n%stime: {step: %.17g, end: 1}\n%sfluids:\n  - shapes: [{box: {grid: [%d, 1, 1], "
        "origin: [0, "
        "0, 0]}}]\n%s%s",
        s->spacing, own_gravity ? "" : "gravity: [0, 0, 0]\n", s->dt, s->scene ? s->scene : "", s->count,
        s->fluid ? s->fluid : "",
        s->wall_count ? "walls: [{shapes: [{plane: {point: [0, -9, 0], normal: [0, 1, 0], size: [0.5, 0.5]}}]}]\n"
                      : "");
    assert_true(length > 0 && (size_t)length < sizeof text);
    mn_scene *scene = mn_scene_parse(text, (size_t)length, "kernel test", NULL, 0, say);
    if (!scene) print_error("%s\n", text);
    return scene;
}

static double spline(double r, double h)
{
    const double q = r / h;
    return 8 / (acos(-1) * h * h * h) *
           (q <= 0.5 ? 6 * (q * q * q - q * q) + 1
            : q < 1  ? 2 * (1 - q) * (1 - q) * (1 - q)
                     : 0);
}

static double wall_volume(const kernel_setup *s, int b)
{
    if (s->wall_volume > 0) return s->wall_volume;
    double sum = 0;
    for (int c = 0; c < s->wall_count; c++) {
        const double *x = s->wall[b], *y = s->wall[c];
        sum += spline(sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2)), 2 * s->spacing);
    }
    return 1 / sum;
}

static void place_walls(mn_world *w, const kernel_setup *s)
{
    mn_boundary *p = mn_boundary_of(w);
    mn_boundary_system.free(w, p);
    *p = (mn_boundary){0};
    p->count = s->wall_count;
    p->rest = malloc((size_t)p->count * 3 * sizeof *p->rest);
    p->volume = malloc((size_t)p->count * sizeof *p->volume);
    p->object = calloc((size_t)p->count, sizeof *p->object);
    assert_true(p->rest && p->volume && p->object);
    for (int b = 0; b < p->count; b++) {
        memcpy(&p->rest[3 * b], s->wall[b], 3 * sizeof(double));
        p->volume[b] = (float)wall_volume(s, b);
    }
    assert_true(mn_boundary_sort(w));
    assert_true(mn_world_reserve(w, w->capacity, w->copy_room));
}

static void place_fluid(mn_world *w, const kernel_setup *s)
{
    real4 pos[KERNEL_MOST], vel[KERNEL_MOST];
    assert_int_equal(w->layout.fluid, s->count);
    for (int i = 0; i < s->count; i++) {
        const double *x = s->position[i], *v = s->velocity ? s->velocity[i] : (const double[3]){0, 0, 0};
        pos[i] = (real4){(float)x[0], (float)x[1], (float)x[2], (float)s->volume};
        vel[i] = (real4){(float)v[0], (float)v[1], (float)v[2], 0};
    }
    assert_true(w->api->put(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)s->count * sizeof *pos));
    assert_true(w->api->put(w->device, w->field[MN_FIELD_vel], 0, vel, (size_t)s->count * sizeof *vel));
}

kernel_world *kernel_world_new(const kernel_setup *setup, const char *backend)
{
    assert_in_range(setup->count, 1, KERNEL_MOST);
    kernel_world *k = calloc(1, sizeof *k);
    assert_non_null(k);
    k->say = mn_messages_new();
    assert_non_null(k->say);
    k->scene = scene_of(setup, k->say);
    const mn_options options = {backend, 1};
    k->world = k->scene ? mn_world_new(k->scene, &options, k->say) : NULL;
    if (!k->world) print_messages(k->say);
    assert_non_null(k->world);
    if (setup->wall_count) place_walls(k->world, setup);
    place_fluid(k->world, setup);
    mn_world_parameters(k->world);
    mn_world_set_dt(k->world, setup->dt);
    kernel_world_run(k, "search density");
    return k;
}

void kernel_world_free(kernel_world *k)
{
    mn_world_free(k->world);
    mn_scene_free(k->scene);
    mn_messages_free(k->say);
    free(k);
}

/* -- running ------------------------------------------------------------------------------------------------------- */

static int kernel_named(const char *name)
{
    for (int k = 0; k < MN_KERNEL_COUNT; k++)
        if (strcmp(mn_kernel_table[k].name, name) == 0) return k;
    fail_msg("no kernel '%s'", name);
    return -1;
}

/* True if the word is a moment of the step; runs it. */
static bool run_moment(mn_world *w, const char *word)
{
    static const struct {
        const char *word;
        mn_moment moment;
        mn_step_stage stage;
    } moments[] = {{"surface", MN_AT_surface, 0},   {"prepare", MN_AT_prepare, 0},
                   {"force", MN_AT_forces, 0},      {"air", MN_AT_forces, MN_STAGE_air},
                   {"velocity", MN_AT_velocity, 0}, {"pressure", MN_AT_pressure, 0}};
    int k = 0;
    while (k < 6 && strcmp(word, moments[k].word) != 0) k++;
    for (int p = 0; k < 6 && p < w->part_count; p++) {
        const mn_system *system = w->parts[p].system;
        if (!w->parts[p].model || !system->at[moments[k].moment]) continue;
        if (moments[k].moment != MN_AT_forces || system->stage == moments[k].stage)
            system->at[moments[k].moment](w, w->parts[p].me);
    }
    return k < 6;
}

void kernel_world_run(kernel_world *k, const char *words)
{
    char text[512], *rest = NULL;
    assert_true((size_t)snprintf(text, sizeof text, "%s", words) < sizeof text);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        if (value) *value++ = 0;
        if (strcmp(word, "search") == 0) mn_search(k->world, k->say);
        else if (!run_moment(k->world, word))
            mn_run(k->world, kernel_named(word), MN_ARG(value ? strtod(value, NULL) : 0));
        if (k->world->failed) fail_msg("'%s' failed: %s", word, k->world->api->failure(k->world->device));
    }
}

void kernel_world_sum(kernel_world *k, const char *kernel, double out[4])
{
    mn_run_sum(k->world, kernel_named(kernel), MN_NO_ARG, out);
    assert_false(k->world->failed);
}

/* -- reading ------------------------------------------------------------------------------------------------------- */

/* -1 if there is none, or no kernel wrote it. */
static int field_named(const mn_world *w, const char *name)
{
    for (int f = 0; f < MN_FIELD_COUNT; f++)
        if (strcmp(mn_field_table[f].name, name) == 0 && w->field[f]) return f;
    return -1;
}

/* ids[i] = id of the particle that lies at i */
static int ids_of(const mn_world *w, int ids[KERNEL_MOST])
{
    const int n = w->layout.fluid;
    assert_in_range(n, 1, KERNEL_MOST);
    assert_true(w->api->get(w->device, w->id, 0, ids, (size_t)n * 4));
    return n;
}

/* A field as users see it. */
static int read_view(kernel_world *k, const char *field, double *out)
{
    const int width = mn_field_width(field);
    float data[3 * KERNEL_MOST];
    if (!width || mn_world_get(k->world, field, data, k->say) != MN_OK)
        fail_msg("no field '%s', or no kernel wrote it", field);
    for (int i = 0; i < width * k->world->layout.fluid; i++) out[i] = (double)data[i];
    return width;
}

int kernel_world_read(kernel_world *k, const char *field, double *out)
{
    mn_world *w = k->world;
    const int f = field_named(w, field), width = f >= 0 && mn_field_table[f].type == MN_TYPE_real4 ? 4 : 1;
    if (f < 0) return read_view(k, field, out);
    int ids[KERNEL_MOST];
    float data[4 * KERNEL_MOST];
    const int n = ids_of(w, ids);
    assert_true(w->api->get(w->device, w->field[f], 0, data, (size_t)(n * width) * 4));
    for (int i = 0; i < n; i++)
        for (int c = 0; c < width; c++) out[ids[i] * width + c] = (double)data[i * width + c];
    return width;
}

void kernel_world_write(kernel_world *k, const char *field, const double *in)
{
    mn_world *w = k->world;
    const int f = field_named(w, field), width = f >= 0 && mn_field_table[f].type == MN_TYPE_real4 ? 4 : 1;
    if (f < 0) fail_msg("no field '%s', or no kernel wrote it", field);
    int ids[KERNEL_MOST];
    float data[4 * KERNEL_MOST];
    const int n = ids_of(w, ids);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < width; c++) data[i * width + c] = (float)in[ids[i] * width + c];
    assert_true(w->api->put(w->device, w->field[f], 0, data, (size_t)(n * width) * 4));
    w->stale[f] = true;
}

/* -- tables -------------------------------------------------------------------------------------------------------- */

const char *kernel_backend(int index)
{
    char names[1][128];
    if (index == 0) return "cpu";
    if (index == 1) return "cpu-scalar";
    return index == 2 && mn_devices(names, 1) > 0 ? "opencl" : NULL;
}

/* Returns whether the row holds on this backend. */
static bool check(const kernel_check *row, const char *backend)
{
    kernel_setup setup = *row->setup;
    if (row->fluid) setup.fluid = row->fluid;
    if (row->scene) setup.scene = row->scene;
    kernel_world *k = kernel_world_new(&setup, backend);
    kernel_world_run(k, row->words ? row->words : "");
    double got[4 * KERNEL_MOST], largest = 0;
    const int stride = kernel_world_read(k, row->field, got), offset = stride == 4 && row->width == 1 ? 3 : 0;
    bool good = true;
    for (int i = 0; i < setup.count * row->width; i++) largest = fmax(largest, fabs(row->expected[i]));
    for (int i = 0; i < setup.count; i++)
        for (int c = 0; c < row->width; c++) {
            const double value = got[stride * i + offset + c] * (row->factor != 0 ? row->factor : 1),
                         wanted = row->expected[row->width * i + c];
            if (fabs(value - wanted) <= row->tolerance * largest) continue;
            print_error(
                "%s on %s: particle %d, component %d of %s is %.9g, expected %.9g (off by %.2g of the largest)\n",
                row->name, backend, i, c, row->field, value, wanted, fabs(value - wanted) / largest);
            good = false;
        }
    kernel_world_free(k);
    return good;
}

void kernel_check_all(const kernel_check *rows, int count)
{
    int bad = 0;
    for (int b = 0; kernel_backend(b); b++)
        for (int r = 0; r < count; r++) bad += !check(&rows[r], kernel_backend(b));
    assert_int_equal(bad, 0);
}
