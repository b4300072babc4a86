/* Substances on walls at the start: by shape, by the vertex colours of a PLY mesh, by an image; and that their
 * amounts follow the area. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boundary/points.h"
#include "io/picture.h"
#include "meniscus/meniscus.h"

static char folder[] = "/tmp/substances-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A cube of 1 m; vertices at x = 1 are red. */
static void write_cube(void)
{
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    FILE *out = fopen(in_folder("cube.ply"), "w");
    assert_non_null(out);
    fprintf(out, "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float "
                 "z\nproperty uchar red\n"
                 "property uchar green\nproperty uchar blue\nelement face 12\nproperty list uchar int "
                 "vertex_indices\nend_header\n");
    for (int v = 0; v < 8; v++) fprintf(out, "%d %d %d %d 0 51\n", v & 1, v >> 1 & 1, v >> 2 & 1, v & 1 ? 255 : 0);
    for (int f = 0; f < 12; f++) fprintf(out, "3 %d %d %d\n", faces[f][0], faces[f][1], faces[f][2]);
    fclose(out);
}

/* Two pixels: black on the left, white on the right. */
static void write_image(void)
{
    static const unsigned char rgb[6] = {0, 0, 0, 255, 255, 255};
    mn_messages *say = mn_messages_new();
    assert_int_equal(mn_png_write(in_folder("half.png"), rgb, 2, 1, say), MN_OK);
    mn_messages_free(say);
}

typedef struct coated {
    mn_messages *say;
    mn_scene *scene;
    mn_world *world;
    long count;
    float *x, *value;
    double total;
} coated;

static coated coat(const char *coats, const char *more)
{
    coated c = {.say = mn_messages_new()};
    char text[1200], name[MN_STATS_MORE][MN_STATS_NAME];
    snprintf(text, sizeof text,
             "particles: {spacing: 0.1}\ntime: {end: 1}\nfluids: [{shapes: [{box: {min: [3, 3, 3], max: [3.5, 3.5, "
             "3.5]}}]}]\n"
             "walls:\n  - {name: cube, shapes: [{mesh: {file: cube.ply}}]}\n"
             "  - {name: sheet, shapes: [{plane: {point: [0.5, -2, 0.5], normal: [0, 1, 0], size: [2, 2]}}]}\n"
             "species: [{name: soap}]\nsubstances: [{name: grease, coats: [%s]}]\n%s",
             coats, more);
    c.scene = mn_scene_parse(text, strlen(text), in_folder("scene.yaml"), NULL, 0, c.say);
    const mn_options options = {"cpu", 1};
    c.world = c.scene ? mn_world_new(c.scene, &options, c.say) : NULL;
    for (int m = 0; m < mn_messages_count(c.say); m++) print_error("%s\n", mn_messages_get(c.say, m).text);
    assert_non_null(c.world);
    c.count = (long)mn_world_boundary_points(c.world);
    c.x = calloc((size_t)c.count, 3 * sizeof *c.x);
    c.value = calloc((size_t)c.count, sizeof *c.value);
    int *wall = calloc((size_t)c.count, sizeof *wall);
    assert_true(c.x && c.value && wall);
    assert_int_equal(mn_world_boundary(c.world, c.x, wall, c.say), MN_OK);
    assert_int_equal(mn_world_coverage(c.world, "grease", c.value, c.say), MN_OK);
    free(wall);
    const mn_stats stats = mn_world_stats(c.world);
    for (int k = 0; k < mn_world_more(c.world, name, MN_STATS_MORE); k++)
        if (strcmp(name[k], "grease_walls") == 0) c.total = stats.more[k];
    return c;
}

static void release(coated *c)
{
    free(c->x), free(c->value);
    mn_world_free(c->world);
    mn_scene_free(c->scene);
    mn_messages_free(c->say);
}

static void by_shape(void **state)
{
    (void)state;
    coated c = coat("{wall: sheet, coverage: 0.5, shape: {sphere: {centre: [0.5, -2, 0.5], radius: 0.62}}}", "");
    for (long i = 0; i < c.count; i++) {
        const double r = sqrt(pow((double)c.x[3 * i] - 0.5, 2) + pow((double)c.x[3 * i + 1] + 2, 2) +
                              pow((double)c.x[3 * i + 2] - 0.5, 2));
        assert_float_equal((double)c.value[i], r < 0.62 ? 0.5 : 0, 1e-6);
    }
    assert_float_equal(c.total / (0.5 * acos(-1) * 0.62 * 0.62), 1, 0.05); /* coverage times area */
    release(&c);
}

static void by_colour(void **state)
{
    (void)state;
    coated c = coat("{wall: cube, coverage: 2, colour: red}", "");
    for (long i = 0; i < c.count; i++) {
        const double x = (double)c.x[3 * i];
        if ((double)c.x[3 * i + 1] < -1) assert_true(c.value[i] == 0);
        else if (x < 0.15) assert_true((double)c.value[i] < 0.7);
        else if (x > 0.85) assert_true((double)c.value[i] > 1.3 && (double)c.value[i] < 2.001);
    }
    assert_float_equal(c.total / 6, 1, 0.15); /* half of 6 m^2 bears 2 mol/m^2 */
    release(&c);
}

static void by_image(void **state)
{
    (void)state;
    coated c =
        coat("{wall: sheet, coverage: 3, image: half.png, origin: [-0.5, 0, -0.5], along: [2, 0, 0], down: [0, 0, 2]}, "
             "{wall: sheet, coverage: 1}",
             "");
    for (long i = 0; i < c.count; i++) {
        const double x = (double)c.x[3 * i], wanted = (double)c.x[3 * i + 1] > -1 ? 0 : x > 0.55 ? 4 : 1;
        if (fabs(x - 0.5) > 0.06 && x < 1.49 && (double)c.x[3 * i + 2] < 1.49)
            assert_float_equal((double)c.value[i], wanted, 1e-5);
    }
    release(&c);
}

/* A soft solid stands beside the walls in one list of points, and bears nothing. */
static void beside_a_solid(void **state)
{
    (void)state;
    coated alone = coat("{wall: sheet, coverage: 1}", "");
    coated c =
        coat("{wall: sheet, coverage: 1}",
             "solids: [{name: block, shapes: [{box: {size: [0.3, 0.3, 0.3], centre: [0.5, 5, 0.5]}}], density: 900, "
             "young: 1e4, poisson: 0.3}]\n");
    long solid = 0;
    for (long i = 0; i < c.count; i++) {
        if ((double)c.x[3 * i + 1] < 4) continue;
        assert_true(c.value[i] == 0);
        solid++;
    }
    assert_int_equal(solid, mn_world_solid_particles(c.world, 0));
    assert_true(c.total == alone.total);
    for (int k = 0; k < 2; k++) assert_int_equal(mn_step(c.world, c.say), MN_OK);
    release(&c), release(&alone);
}

/* The shares of contact patterns are those of coats: of the same colours, and of the same image. */
static void contact_patterns(void **state)
{
    (void)state;
    static const char text[] =
        "particles: {spacing: 0.1}\ntime: {end: 1}\n"
        "fluids: [{surface_tension: 0.07, shapes: [{box: {min: [3, 3, 3], max: [3.5, 3.5, 3.5]}}]}]\n"
        "walls:\n  - {name: cube, contact_pattern: {angle: 30, colour: red}, shapes: [{mesh: {file: cube.ply}}]}\n"
        "  - name: sheet\n"
        "    contact_pattern: {angle: 30, image: half.png, origin: [-0.5, 0, -0.5], along: [2, 0, 0], down: [0, 0, "
        "2]}\n"
        "    shapes: [{plane: {point: [0.5, -2, 0.5], normal: [0, 1, 0], size: [2, 2]}}]\n"
        "  - {name: plain, shapes: [{plane: {point: [0.5, -4, 0.5], normal: [0, 1, 0], size: [2, 2]}}]}\n"
        "species: [{name: soap}]\nsubstances:\n  - name: grease\n    coats:\n"
        "      - {wall: cube, coverage: 1, colour: red}\n"
        "      - {wall: sheet, coverage: 1, image: half.png, origin: [-0.5, 0, -0.5], along: [2, 0, 0], down: [0, 0, "
        "2]}\n";
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), in_folder("scene.yaml"), NULL, 0, say);
    const mn_options options = {"cpu", 1};
    mn_world *w = scene ? mn_world_new(scene, &options, say) : NULL;
    for (int m = 0; m < mn_messages_count(say); m++) print_error("%s\n", mn_messages_get(say, m).text);
    assert_non_null(w);
    const mn_boundary *p = mn_boundary_of(w);
    float *value = calloc((size_t)mn_world_boundary_points(w), sizeof *value);
    assert_true(value && p->share);
    assert_int_equal(mn_world_coverage(w, "grease", value, say), MN_OK);
    int lit = 0, dark = 0;
    for (int b = 0; b < p->active; b++) {
        const float share = p->share[p->owner[b]];
        assert_float_equal((double)share, (double)value[p->resting + b], 1e-6);
        lit += share > 0.9f, dark += share < 0.1f;
    }
    assert_true(lit > 200 && dark > 200);
    for (int i = 0; i < p->count; i++)
        if (p->object[i] == 2) assert_true(p->share[i] == 0.0f);
    free(value);
    mn_world_free(w);
    mn_scene_free(scene);
    mn_messages_free(say);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    write_cube();
    write_image();
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_shape), cmocka_unit_test(by_colour),
                                       cmocka_unit_test(by_image), cmocka_unit_test(contact_patterns),
                                       cmocka_unit_test(beside_a_solid)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(in_folder("cube.ply"));
    unlink(in_folder("half.png"));
    rmdir(folder);
    return failed;
}
