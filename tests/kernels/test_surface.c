/* Surface area: bodies of known area on lattices, turned close packings and disordered points, sheets, threads and
 * walls, on every backend. */
#include "kernels/kernel_world.h"
#include "methods/surface_published.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* The kernels run on a world that makes one very small step. Lengths in spacings of 0.01 m. */
typedef struct still {
    mn_scene *scene;
    mn_world *world;
    mn_messages *say;
    int count;
    float *x, *area, *delta;
} still;

static still make(const char *backend, const char *fluid, const char *rest)
{
    still s = {.say = mn_messages_new()};
    char text[2000];
    const int length = snprintf(
        text, sizeof text,
        "particles: {spacing: 0.01}\ngravity: [0, 0, 0]\ntime: {step: 1e-9, end: 1}\npressure: wcsph\nfluids:\n  - %s\n"
        "    surface: {model: orthmann2013, refresh: 1}\n%s",
        fluid, rest);
    s.scene = mn_scene_parse(text, (size_t)length, "surface test", NULL, 0, s.say);
    const mn_options options = {backend, 2};
    s.world = s.scene ? mn_world_new(s.scene, &options, s.say) : NULL;
    for (int m = 0; m < mn_messages_count(s.say) && !s.world; m++) print_error("%s\n", mn_messages_get(s.say, m).text);
    assert_non_null(s.world);
    s.count = (int)mn_world_particles(s.world);
    s.x = calloc((size_t)s.count * 3 + 3, sizeof *s.x);
    s.area = calloc((size_t)s.count + 1, sizeof *s.area);
    s.delta = calloc((size_t)s.count + 1, sizeof *s.delta);
    assert_true(s.x && s.area && s.delta);
    return s;
}

static void measure(still *s)
{
    assert_int_equal(mn_step(s->world, s->say), MN_OK);
    assert_int_equal(mn_world_get(s->world, "position", s->x, s->say), MN_OK);
    assert_int_equal(mn_world_get(s->world, "area", s->area, s->say), MN_OK);
    assert_int_equal(mn_world_get(s->world, "delta", s->delta, s->say), MN_OK);
    for (int i = 0; i < s->count; i++) {
        s->area[i] *= 1e4f;
        for (int a = 0; a < 3; a++) s->x[3 * i + a] *= 100.0f;
        assert_true(isfinite(s->area[i]) && s->area[i] >= 0);
    }
}

static void unmake(still *s)
{
    mn_world_free(s->world);
    mn_scene_free(s->scene);
    mn_messages_free(s->say);
    free(s->x), free(s->area), free(s->delta);
}

static double sum(const still *s)
{
    double all = 0;
    for (int i = 0; i < s->count; i++) all += (double)s->area[i];
    return all;
}

/* ------------------------------------------------------------------ bodies */

typedef struct body {
    const char *name, *shape;
    int kind; /* 0 sphere, 1 cube, 2 torus */
    double a, b, area, volume;
    double allowed;
} body;

static const body bodies[] = {
    {"sphere, 6 d", "sphere: {radius: 0.06}", 0, 6, 0, 4 * PI * 36, 4 * PI / 3 * 216, 0.10},
    {"sphere, 10 d", "sphere: {radius: 0.10}", 0, 10, 0, 4 * PI * 100, 4 * PI / 3 * 1000, 0.05},
    {"cube, 12 d", "box: {size: [0.12, 0.12, 0.12]}", 1, 6, 0, 864, 1728, 0.10},
    {"cube, 20 d", "box: {size: [0.20, 0.20, 0.20]}", 1, 10, 0, 2400, 8000, 0.05},
    {"torus, 12 d and 6 d", "torus: {radius: 0.12, tube: 0.06}", 2, 12, 6, 4 * PI *PI * 72, 2 * PI *PI * 12 * 36, 0.10},
    {"torus, 20 d and 10 d", "torus: {radius: 0.20, tube: 0.10}", 2, 20, 10, 4 * PI *PI * 200, 2 * PI *PI * 2000, 0.05},
};

static double distance(const body *b, const double x[3])
{
    if (b->kind == 0) return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - b->a;
    if (b->kind == 1) return fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2]))) - b->a;
    return hypot(hypot(x[0], x[2]) - b->a, x[1]) - b->b;
}

/* Cubic close packing of one particle in d^3, turned out of the axes. */
static int close_packing(const body *b, float *out, int most)
{
    static const double corner[4][3] = {{0, 0, 0}, {.5, .5, 0}, {.5, 0, .5}, {0, .5, .5}};
    static const double turn[3][3] = {{.8, .6, 0}, {-.36, .48, .8}, {.48, -.64, .6}};
    const double edge = cbrt(4.0);
    const int reach = (int)(1.8 * (b->a + b->b) / edge) + 2;
    int count = 0;
    for (int i = -reach; i <= reach; i++)
        for (int j = -reach; j <= reach; j++)
            for (int k = -reach; k <= reach; k++)
                for (int c = 0; c < 4; c++) {
                    const double y[3] = {(i + corner[c][0] + .13) * edge, (j + corner[c][1] + .07) * edge,
                                         (k + corner[c][2] + .21) * edge};
                    double x[3];
                    for (int r = 0; r < 3; r++) x[r] = turn[r][0] * y[0] + turn[r][1] * y[1] + turn[r][2] * y[2];
                    if (distance(b, x) >= 0) continue;
                    if (out && count < most)
                        for (int r = 0; r < 3; r++) out[3 * count + r] = (float)(0.01 * x[r]);
                    count++;
                }
    return count;
}

static double total_area(const char *backend, const body *b, const char *sampling)
{
    char fluid[400];
    still s;
    if (strcmp(sampling, "close packing") == 0) {
        const int count = close_packing(b, NULL, 0);
        snprintf(fluid, sizeof fluid, "shapes: [{box: {grid: [%d, 1, 1], origin: [0, 0, 0]}}]", count);
        s = make(backend, fluid, "");
        close_packing(b, s.x, count);
        assert_int_equal(mn_world_set(s.world, "position", s.x, s.say), MN_OK);
    } else {
        snprintf(fluid, sizeof fluid, "%s\n    shapes: [{%s}]", sampling, b->shape);
        s = make(backend, fluid, "");
    }
    measure(&s);
    /* of the body that holds exactly these particles */
    const double result = sum(&s) / (b->area * pow(s.count / b->volume, 2.0 / 3));
    double deep = 0;
    for (int i = 0; i < s.count; i++) {
        const double x[3] = {(double)s.x[3 * i], (double)s.x[3 * i + 1], (double)s.x[3 * i + 2]};
        if (distance(b, x) < -3) deep = fmax(deep, (double)s.area[i]);
    }
    unmake(&s);
    if (deep > 0.2) print_error("%s: area %.3f d^2 deep inside\n", b->name, deep);
    return result;
}

static const char *const samplings[] = {"sampling: lattice", "close packing", "sampling: poisson",
                                        "sampling: lattice\n    jitter: 0.1"};

static void known_bodies(void **state)
{
    (void)state;
    int bad = 0;
    for (int k = 0; k < 6; k++) {
        for (int s = 0; s < 4; s++)
            for (int backend = 0; kernel_backend(backend) && (backend == 0 || k == 0 || k == 2); backend++) {
                const double part = total_area(kernel_backend(backend), &bodies[k], samplings[s]);
                print_message("%s, %s, %s: %.3f of the area\n", bodies[k].name, samplings[s], kernel_backend(backend),
                              part);
                if (fabs(part - 1) > bodies[k].allowed) bad++;
            }
    }
    assert_int_equal(bad, 0);
}

/* --------------------------------------------------- sheets, threads, drops */

/* A square sheet of so many layers over its area: all of it, or (lattices) only the middle, over both sides. */
static double sheet_area(const char *backend, int layers, const char *sampling, bool middle)
{
    char fluid[300];
    snprintf(fluid, sizeof fluid, "%s\n    shapes: [{box: {size: [0.2, %g, 0.2]}}]", sampling, 0.01 * layers);
    still s = make(backend, fluid, "");
    measure(&s);
    double all = 0;
    for (int i = 0; i < s.count; i++)
        if (!middle || (fabsf(s.x[3 * i]) < 6 && fabsf(s.x[3 * i + 2]) < 6)) all += (double)s.area[i];
    unmake(&s);
    return all / (middle ? 288 : 800 + 80 * layers);
}

static void sheets(void **state)
{
    (void)state;
    int bad = 0;
    for (int layers = 1; layers <= 6; layers++)
        for (int s = 0; s < 4; s++)
            for (int b = 0; kernel_backend(b) && (b == 0 || layers <= 2) && s != 1; b++) {
                const double whole = sheet_area(kernel_backend(b), layers, samplings[s], false);
                const double middle = sheet_area(kernel_backend(b), layers, samplings[s], true);
                print_message("sheet of %d, %s, %s: %.3f of its area, %.3f in the middle\n", layers, samplings[s],
                              kernel_backend(b), whole, middle);
                if (fabs(whole - 1) > 0.05 || (s != 2 && fabs(middle - 1) > 0.05)) bad++;
            }
    assert_int_equal(bad, 0);
}

static void threads_and_drops(void **state)
{
    (void)state;
    for (int b = 0; kernel_backend(b); b++) {
        still s = make(kernel_backend(b), "shapes: [{box: {grid: [20, 1, 1], origin: [0, 0, 0]}}]", "");
        measure(&s);
        print_message("thread: %.3f, ball of its own: ", (double)s.area[10]);
        assert_float_equal(s.area[10], 2 * sqrt(PI), 0.01 * 2 * sqrt(PI)); /* round, of cross section d^2 */
        unmake(&s);
        s = make(kernel_backend(b), "shapes: [{box: {grid: [1, 1, 1], origin: [0, 0, 0]}}]", "");
        measure(&s);
        print_message("%.3f\n", (double)s.area[0]);
        assert_float_equal(s.area[0], cbrt(36 * PI), 0.01 * cbrt(36 * PI)); /* sphere of volume d^3 */
        unmake(&s);
    }
}

/* ------------------------------------------------------------ waves and walls */

static void wavy_band(void **state)
{
    (void)state;
    for (int b = 0; kernel_backend(b); b++) {
        still s = make(kernel_backend(b), "shapes: [{box: {grid: [40, 12, 8], origin: [0.005, 0.1, 0.005]}}]",
                       "domain: {min: [0, -1, 0], max: [0.4, 1, 0.08], periodic: [x, z]}\n");
        assert_int_equal(mn_world_get(s.world, "position", s.x, s.say), MN_OK);
        for (int i = 0; i < s.count; i++) s.x[3 * i + 1] += (float)(0.02 * sin(2 * PI * (double)s.x[3 * i] / 0.4));
        assert_int_equal(mn_world_set(s.world, "position", s.x, s.say), MN_OK);
        measure(&s);
        double length = 0;
        for (int k = 0; k < 4000; k++) length += 0.01 * hypot(1, 2 * 2 * PI / 40 * cos(2 * PI * (k + 0.5) / 4000));
        int band = 0;
        for (int i = 0; i < s.count; i++) band += s.area[i] > 0;
        print_message("waves: %.3f of the area, %.2f particles for each d^2\n", sum(&s) / (16 * length),
                      band / (16 * length));
        assert_float_equal(sum(&s) / (16 * length), 1, 0.05);
        assert_true(band < 2.6 * 16 * length);
        unmake(&s);
    }
}

/* Water in a tank, a spacing away from its walls, as deep as 8. */
static double tank_area(const char *backend, const char *fluid, double *below)
{
    still s = make(backend, fluid,
                   "walls: [{shapes: [{box: {min: [-0.01, -0.01, -0.01], max: [0.2, 0.3, 0.2], inside_out: true, open: "
                   "[top]}}]}]\n");
    measure(&s);
    *below = 0;
    for (int i = 0; i < s.count; i++)
        if (s.x[3 * i + 1] < 5.5f) *below += (double)s.area[i];
    const double all = sum(&s);
    unmake(&s);
    return all;
}

static void walls_are_no_surface(void **state)
{
    (void)state;
    double below;
    for (int b = 0; kernel_backend(b); b++) {
        const double top =
            tank_area(kernel_backend(b), "shapes: [{box: {grid: [20, 8, 20], origin: [0, 0, 0]}}]", &below);
        print_message("tank: %.3f of the free surface, %.4f below it\n", top / 400, below / 400);
        assert_float_equal(top, 400, 0.05 * 400);
        assert_true(below < 0.01 * 400);
    }
}

/* One layer on a floor has one free side, whatever the floor is made of. */
static void film_on_a_wall(void **state)
{
    (void)state;
    for (int b = 0; kernel_backend(b); b++)
        for (int map = 0; map < 2; map++) {
            still s = make(kernel_backend(b), "shapes: [{box: {grid: [20, 1, 20], origin: [0, 0, 0]}}]",
                           map ? "wall_method: volume_maps\nwalls: [{shapes: [{box: {min: [-0.3, -0.2, -0.3], max: "
                                 "[0.5, -0.01, 0.5]}}]}]\n"
                               : "walls: [{shapes: [{box: {min: [-0.3, -0.2, -0.3], max: [0.5, -0.01, 0.5]}}]}]\n");
            measure(&s);
            double inner = 0;
            int count = 0;
            for (int i = 0; i < s.count; i++)
                if (s.x[3 * i] > 3.5f && s.x[3 * i] < 15.5f && s.x[3 * i + 2] > 3.5f && s.x[3 * i + 2] < 15.5f)
                    inner += (double)s.area[i], count++;
            print_message("film on %s: %.3f of its floor\n", map ? "a volume map" : "boundary points", inner / count);
            assert_float_equal(inner / count, 1, 0.05);
            unmake(&s);
        }
}

/* -- the paper's own estimator -- */

/* Layers 0 and 1 of a flat surface of a lattice, from numbers computed independently of the program. */
static void constants_of_the_paper(void **state)
{
    (void)state;
    const mn_surface_published c = mn_surface_published_constants();
    assert_true(fabs(c.most - 1.9007462217) < 1e-9);
    assert_true(fabs(c.least - 0.5 * (0.9879686499 + 0.3599963586)) < 1e-9);
    assert_true(fabs(c.scale - 2.6492664) < 1e-6);
}

/* A stream into a pool, 80 steps: sum of the areas, in d^2, and particles of the band. */
static double stream_area(const char *backend, const char *surface, double *band)
{
    char text[1200];
    mn_messages *say = mn_messages_new();
    const int length = snprintf(
        text, sizeof text,
        "particles: {spacing: 0.01}\ntime: {step: 0.002, end: 1}\nfluids:\n"
        "  - {surface: {model: orthmann2013, %s}, shapes: [{box: {grid: [11, 5, 11], origin: [0.01, 0.01, 0.01]}}],\n"
        "     emitters: [{disc: {radius: 0.02}, position: [0.06, 0.12, 0.06], direction: [0, -1, 0], speed: 1}]}\n"
        "walls: [{shapes: [{box: {min: [0, 0, 0], max: [0.12, 0.3, 0.12], inside_out: true, open: [top]}}]}]\n",
        surface);
    mn_scene *scene = mn_scene_parse(text, (size_t)length, "stream", NULL, 0, say);
    const mn_options options = {backend, 2};
    mn_world *world = scene ? mn_world_new(scene, &options, say) : NULL;
    assert_non_null(world);
    for (int k = 0; k < 81; k++) assert_int_equal(mn_step(world, say), MN_OK);
    const int64_t n = mn_world_particles(world);
    float *area = calloc((size_t)n + 1, sizeof *area);
    assert_non_null(area);
    assert_int_equal(mn_world_get(world, "area", area, say), MN_OK);
    double sum = 0;
    *band = 0;
    for (int64_t i = 0; i < n; i++) sum += (double)area[i] * 1e4, *band += area[i] > 0;
    free(area), mn_world_free(world), mn_scene_free(scene), mn_messages_free(say);
    return sum;
}

/* delta* only where densities change, elsewhere every tenth step, and at once for what an emitter adds: nearly the
 * areas of every step. Never but for new particles: far from them. */
static void skips_where_nothing_changes(void **state)
{
    (void)state;
    static const char skipping[] = "estimator: 1, every: 1, refresh: 10, coherence: 0.001";
    double all, some, once;
    const double each = stream_area(kernel_backend(0), "estimator: 1, every: 1, refresh: 1", &all),
                 few = stream_area(kernel_backend(0), skipping, &some),
                 never = stream_area(kernel_backend(0), "estimator: 1, every: 1, refresh: 1000, coherence: 1", &once);
    print_message("areas %g, %g, %g; band %g, %g, %g\n", each, few, never, all, some, once);
    assert_true(fabs(few / each - 1) < 0.02 && fabs(some / all - 1) < 0.02);
    assert_true(fabs(never / each - 1) > 0.02);
    for (int b = 1; kernel_backend(b); b++) assert_true(stream_area(kernel_backend(b), skipping, &once) == few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_bodies),           cmocka_unit_test(sheets),
        cmocka_unit_test(threads_and_drops),      cmocka_unit_test(wavy_band),
        cmocka_unit_test(walls_are_no_surface),   cmocka_unit_test(film_on_a_wall),
        cmocka_unit_test(constants_of_the_paper), cmocka_unit_test(skips_where_nothing_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
