/* Ray-traced pictures: light through clear surfaces, the same bytes for any number of threads, lettering that keeps
 * apart. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/colour.h"
#include "geometry/halve.h"
#include "io/type.h"
#include "render/props.h"
#include "render/run_pictures.h"
#include "render/stage.h"
#include "render/trace.h"
#include "session/session.h"
#include "unit/scene_place.h"

/* ------------------------------------------------------------------------------------------------- a small scene */

static const float box_corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                       {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const int32_t box_triangle[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

/* A cube with one corner at `low`. The points go into `store`. */
static mn_trace_mesh cube(float store[24], float x, float y, float z, float side, mn_surface_look look)
{
    for (int v = 0; v < 8; v++) {
        store[3 * v] = x + side * box_corner[v][0];
        store[3 * v + 1] = y + side * box_corner[v][1];
        store[3 * v + 2] = z + side * box_corner[v][2];
    }
    return (mn_trace_mesh){
        .position = store, .triangle = box_triangle, .vertex_count = 8, .triangle_count = 12, .look = look};
}

static const mn_surface_look water = {.material = MN_LIQUID, .index = 1.33f, .absorption = {2, 0.5f, 0.1f}};
static const mn_surface_look stone = {.material = MN_MATTE, .colour = {0.5f, 0.3f, 0.2f}};
static const mn_surface_look pane = {.material = MN_GLASS, .colour = {0.9f, 0.95f, 0.95f}};

static mn_studio studio(void)
{
    return (mn_studio){.up = {0, 1, 0},
                       .lamp = v3_unit(v3(-0.5f, 0.8f, 0.3f)),
                       .ground = true,
                       .height = 0,
                       .centre = {0.5f, 0.5f, 0.5f},
                       .size = 1,
                       .ground_colour = {0.3f, 0.3f, 0.3f},
                       .contact = 0.01f};
}

/* ------------------------------------------------------------------------------------------------------- light */

static void fresnel_is_that_of_water(void **state)
{
    (void)state;
    assert_float_equal(mn_fresnel(1, 1.33f), 0.0201, 1e-3);             /* ((n - 1) / (n + 1))^2 */
    assert_float_equal(mn_fresnel(0.01f, 1.33f), 1, 0.1);               /* grazing */
    assert_true(mn_fresnel(0.5f, 1 / 1.33f) == 1);                      /* 60 degrees from inside: total reflection */
    assert_float_equal(mn_fresnel(cosf(0.9261f), 1.33f), 0.0386, 1e-3); /* Brewster's angle: half of the s part */
}

static void liquid_absorbs_by_depth(void **state)
{
    (void)state;
    float store[24];
    const mn_trace_mesh mesh = cube(store, 0, 1, 0, 1, water);
    const mn_studio s = studio();
    mn_tracer *t = mn_tracer_new(&mesh, 1, &s, NULL);
    assert_non_null(t);
    const vec3 through = mn_trace_passing(t, v3(0.5f, 0.5f, 0.4f), v3(0, 1, 0), 0);
    const float faces = powf(1 - 0.7f * mn_fresnel(1, 1.33f), 2);
    assert_float_equal(through.x, faces * expf(-2), 1e-3);
    assert_float_equal(through.y, faces * expf(-0.5f), 1e-3);
    const vec3 half = mn_trace_passing(t, v3(0.5f, 1.5f, 0.4f), v3(0, 1, 0), 0); /* begins inside */
    assert_float_equal(half.x, sqrtf(faces) * expf(-1), 1e-3);
    const vec3 beside = mn_trace_passing(t, v3(1.5f, 0.5f, 0.4f), v3(0, 1, 0), 0);
    assert_true(beside.x == 1 && beside.z == 1);
    mn_tracer_free(t);
}

static void stone_hides_and_glass_tints(void **state)
{
    (void)state;
    float one[24], two[24];
    const mn_trace_mesh meshes[2] = {cube(one, 0, 1, 0, 1, stone), cube(two, 2, 1, 0, 1, pane)};
    const mn_studio s = studio();
    mn_tracer *t = mn_tracer_new(meshes, 2, &s, NULL);
    assert_non_null(t);
    assert_true(mn_trace_passing(t, v3(0.5f, 0.5f, 0.4f), v3(0, 1, 0), 0).x == 0);
    const vec3 tinted = mn_trace_passing(t, v3(2.5f, 0.5f, 0.4f), v3(0, 1, 0), 0); /* two panes */
    assert_true(tinted.x > 0.6f && tinted.x < 0.81f && tinted.y > tinted.x);
    const mn_hit ground = mn_trace_nearest(t, v3(5, 1, 5), v3(0, -1, 0), 0, INFINITY);
    assert_true(ground.ground && fabsf(ground.distance - 1) < 1e-6f);
    mn_tracer_free(t);
}

/* A container that is not glass lets one look in from any side, and its far side is seen. */
static void one_sided_walls_let_look_in(void **state)
{
    (void)state;
    float store[24];
    mn_surface_look look = stone;
    look.one_sided = true;
    mn_trace_mesh mesh = cube(store, 0, 1, 0, 1, look);
    int32_t inwards[36];
    for (int k = 0; k < 36; k++) inwards[k] = box_triangle[k - k % 3 + (3 - k % 3) % 3];
    mesh.triangle = inwards;
    const mn_studio s = studio();
    mn_tracer *t = mn_tracer_new(&mesh, 1, &s, NULL);
    const mn_hit hit = mn_trace_nearest(t, v3(0.5f, 1.5f, 5), v3(0, 0, -1), 0, INFINITY);
    assert_float_equal(hit.distance, 5, 1e-4);
    mn_tracer_free(t);
}

/* --------------------------------------------------------------------------------------------------- the picture */

static void draw(int threads, bool blur, double aperture, float *rgb)
{
    float one[24], two[24], three[24], later[24];
    mn_trace_mesh meshes[3] = {cube(one, 0, 0.01f, 0, 0.6f, water), cube(two, 0.7f, 0, 0.2f, 0.3f, stone),
                               cube(three, -0.2f, 0, -0.2f, 1.3f, pane)};
    for (int k = 0; k < 24; k++) later[k] = two[k] + 0.1f;
    if (blur) meshes[1].later = later;
    const mn_studio s = studio();
    mn_tracer *t = mn_tracer_new(meshes, 3, &s, NULL);
    assert_non_null(t);
    const mn_lens lens = {.view = {{0.5, 1.5, 4}, {0.5, 0.4, 0.4}, {0, 1, 0}, 35, 0},
                          .aperture = aperture,
                          .focus = 4,
                          .blur = blur,
                          .width = 80,
                          .height = 45,
                          .samples = 6,
                          .threads = threads};
    assert_int_equal(mn_tracer_draw(t, &lens, rgb, NULL), MN_OK);
    mn_tracer_free(t);
}

static void the_picture_does_not_depend_on_threads(void **state)
{
    (void)state;
    enum { NUMBERS = 80 * 45 * 3 };
    float *a = malloc(NUMBERS * sizeof *a), *b = malloc(NUMBERS * sizeof *b);
    for (int kind = 0; kind < 2; kind++) {
        draw(1, kind, kind * 0.05, a);
        for (int threads = 2; threads <= 4; threads++) {
            draw(threads, kind, kind * 0.05, b);
            assert_memory_equal(a, b, NUMBERS * sizeof *a);
        }
    }
    float low = INFINITY, high = -INFINITY;
    for (int k = 0; k < NUMBERS; k++) {
        assert_true(isfinite(a[k]) && a[k] >= 0);
        low = fminf(low, a[k]), high = fmaxf(high, a[k]);
    }
    assert_true(high > 2 * low); /* it shows something */
    free(a);
    free(b);
}

/* Where an edge runs through a pixel each side has few samples. It is still as even as a picture of very many. */
static void edges_have_no_grain(void **state)
{
    (void)state;
    enum { WIDTH = 120, HEIGHT = 80 };
    static float rgb[2][3 * WIDTH * HEIGHT];
    float one[24], two[24];
    const mn_trace_mesh meshes[2] = {cube(one, 0.2f, 0.3f, 0.2f, 0.5f, stone), cube(two, -3, -1, -1, 1.1f, stone)};
    mn_studio s = studio();
    s.lamp = v3_unit(v3(0.6f, 0.8f, 0.6f)); /* shadows, whose borders smoothing blurs, lie behind */
    for (int k = 0; k < 2; k++) {
        mn_tracer *t = mn_tracer_new(meshes, 2, &s, NULL);
        const mn_lens lens = {.view = {.eye = {1.9, 1.5, 2.4}, .target = {0.3, 0.2, 0.3}, .up = {0, 1, 0}, .fov = 30},
                              .width = WIDTH,
                              .height = HEIGHT,
                              .samples = k ? 2000 : 16,
                              .threads = 2};
        assert_int_equal(mn_tracer_draw(t, &lens, rgb[k], NULL), MN_OK);
        mn_tracer_free(t);
    }
    float worst = 0;
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++) {
            float most = 0;
            for (int v = y - 1; v <= y + 1; v++)
                for (int u = x - 1; u <= x + 1; u++) most = fmaxf(most, rgb[1][3 * (v * WIDTH + u)]);
            worst = fmaxf(worst, fabsf(rgb[0][3 * (y * WIDTH + x)] - rgb[1][3 * (y * WIDTH + x)]) / most);
        }
    assert_true(worst < 0.15f); /* of the brightest beside */
}

/* Smoothing takes noise from a plane, and leaves the edge between two planes. */
static void smoothing_keeps_edges(void **state)
{
    (void)state;
    enum { SIDE = 40 };
    float light[SIDE * SIDE * 3];
    mn_guide guide[SIDE * SIDE];
    uint32_t seed = 1;
    for (int k = 0; k < SIDE * SIDE; k++) {
        const int x = k % SIDE, y = k / SIDE;
        const bool right = x >= SIDE / 2;
        seed = seed * 1664525u + 1013904223u;
        const float noise = 0.4f * ((float)(seed >> 8) * 0x1p-24f - 0.5f);
        for (int c = 0; c < 3; c++) light[3 * k + c] = (right ? 2 : 1) * (1 + noise);
        guide[k] = (mn_guide){.point = {(float)x, (float)y, 0}, .normal = {right, 0, !right}, .footprint = 1};
    }
    assert_int_equal(mn_denoise(light, guide, SIDE, SIDE, 2, NULL), MN_OK);
    double spread = 0, left = 0;
    for (int y = 10; y < 30; y++) {
        for (int x = 5; x < 15; x++) spread = fmax(spread, fabs((double)light[3 * (y * SIDE + x)] - 1));
        left += (double)light[3 * (y * SIDE + SIDE / 2 - 1)] / 20;
        assert_true(light[3 * (y * SIDE + SIDE / 2)] > 1.7f);
    }
    assert_true(spread < 0.08);
    assert_float_equal(left, 1, 0.08);
}

/* The top of a block faces as the ground does, and has its colour: its edge against the ground in the shade is
 * told by how far behind that lies, and has pixels in between all along. */
static void edges_of_equal_faces_are_smooth(void **state)
{
    (void)state;
    enum { WIDE = 120, HIGH = 60 };
    float store[24], *rgb = malloc(WIDE * HIGH * 3 * sizeof *rgb);
    const mn_surface_look grey = {.material = MN_MATTE, .colour = {0.3f, 0.3f, 0.3f}};
    const mn_trace_mesh mesh = cube(store, 0, 0, 0, 1, grey);
    const mn_studio s = studio();
    mn_tracer *t = mn_tracer_new(&mesh, 1, &s, NULL);
    assert_non_null(t);
    /* straight down on the edge away from the lamp, which runs up the picture at an angle */
    const mn_lens lens = {.view = {{0.97, 4, 0.5}, {0.97, 0, 0.5}, {0.17, 0, 1}, 9, 0},
                          .width = WIDE,
                          .height = HIGH,
                          .samples = 16,
                          .threads = 2};
    assert_int_equal(mn_tracer_draw(t, &lens, rgb, NULL), MN_OK);
    int soft = 0;
    for (int y = 0; y < HIGH; y++) {
        float low = INFINITY, high = -INFINITY;
        bool between = false;
        for (int x = 0; x < WIDE; x++)
            low = fminf(low, rgb[3 * (y * WIDE + x)]), high = fmaxf(high, rgb[3 * (y * WIDE + x)]);
        assert_true(high > 1.5f * low);
        for (int x = WIDE / 2 - 10; x < WIDE / 2 + 20; x++) { /* not the edge of the shadow */
            const float part = (rgb[3 * (y * WIDE + x)] - low) / (high - low);
            between |= part > 0.25f && part < 0.75f;
        }
        soft += between;
    }
    mn_tracer_free(t);
    free(rgb);
    if (soft < HIGH / 3) fail_msg("%d of %d rows", soft, HIGH);
}

/* ---------------------------------------------------------------------------------------------------- lettering */

/* Long, thin triangles do not become as many as if all of their sides were cut; neighbours stay without gaps. */
static void only_long_sides_are_halved(void **state)
{
    (void)state;
    const float corner[4][3] = {{0, 0, 0}, {40, 0, 0}, {40, 1, 0}, {0, 1, 0}};
    mn_prop p = {.vertex_count = 6, .triangle_count = 2};
    float *position = malloc(18 * sizeof *position), *normal = calloc(18, sizeof *normal);
    int32_t *triangle = malloc(6 * sizeof *triangle);
    static const int at[6] = {0, 1, 2, 0, 2, 3};
    for (int k = 0; k < 6; k++) memcpy(position + 3 * k, corner[at[k]], 12), normal[3 * k + 2] = 1, triangle[k] = k;
    p.position = position, p.normal = normal, p.triangle = triangle;
    bool coarse;
    assert_true(mn_prop_refine(&p, 1.5, &coarse));
    assert_false(coarse);
    assert_true(p.triangle_count > 50 && p.triangle_count < 1000);
    double area = 0, open = 0; /* the sum of all sides, each with its direction: 0 on both sides of one */
    for (long t = 0; t < p.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const float *a = p.position + 3 * p.triangle[3 * t + k],
                        *b = p.position + 3 * p.triangle[3 * t + (k + 1) % 3];
            assert_true(hypotf(b[0] - a[0], b[1] - a[1]) <= 1.5f);
            area += 0.5 * ((double)a[0] * (double)b[1] - (double)a[1] * (double)b[0]);
            open += (double)(b[0] - a[0]) * sin(0.7 * (double)(a[0] + b[0]) + 3 * (double)(a[1] + b[1]));
        }
    assert_true(fabs(area - 40) < 1e-6);
    double border = 0; /* along y = 0 forwards, along y = 1 back */
    for (long t = 0; t < p.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const float *a = p.position + 3 * p.triangle[3 * t + k],
                        *b = p.position + 3 * p.triangle[3 * t + (k + 1) % 3];
            if (a[1] == b[1] && (a[1] == 0 || a[1] == 1))
                border += (double)(b[0] - a[0]) * sin(0.7 * (double)(a[0] + b[0]) + 3 * (double)(a[1] + b[1]));
        }
    assert_true(fabs(open - border) < 1e-6);
    mn_prop_free(&p);
}

/* There is an end to it, and who asked is told. */
static void surfaces_end_at_two_million_triangles(void **state)
{
    (void)state;
    mn_prop p = {.vertex_count = 3, .triangle_count = 1};
    p.position = calloc(9, sizeof *p.position), p.normal = calloc(9, sizeof *p.normal);
    p.triangle = malloc(3 * sizeof *p.triangle);
    p.position[3] = p.position[7] = 1e4f;
    for (int k = 0; k < 3; k++) p.triangle[k] = k, p.normal[3 * k + 2] = 1;
    bool coarse = false;
    assert_true(mn_prop_refine(&p, 1, &coarse));
    assert_true(coarse);
    assert_in_range(p.triangle_count, 500000, MN_MOST_HALVED);
    mn_prop_free(&p);
}

static void letters_are_kerned(void **state)
{
    (void)state;
    assert_true(mn_type_width("AV", 100) < mn_type_width("A", 100) + mn_type_width("V", 100) - 2);
    assert_float_equal(mn_type_width("nn", 100), 2 * mn_type_width("n", 100), 1e-3);
    assert_true(mn_type_width("\xc3\xa9", 20) > 0 && mn_type_width("", 20) == 0);
    assert_float_equal(mn_type_width("\xff\xfe", 20), 2 * mn_type_width("?", 20), 1e-3); /* not UTF-8 */
}

static void letters_cover_their_area(void **state)
{
    (void)state;
    enum { WIDTH = 120, HEIGHT = 100 };
    unsigned char *rgb = malloc(WIDTH * HEIGHT * 3);
    memset(rgb, 255, WIDTH * HEIGHT * 3);
    const mn_canvas canvas = {rgb, WIDTH, HEIGHT};
    mn_type_draw(&canvas, 20, 80, 80, (const unsigned char[3]){0, 0, 0}, 1, "I");
    double ink = 0;
    int between = 0;
    for (int k = 0; k < WIDTH * HEIGHT; k++) {
        ink += 1 - rgb[3 * k] / 255.0;
        between += rgb[3 * k] > 20 && rgb[3 * k] < 235;
    }
    assert_true(ink > 300 && ink < 600); /* a stem of about 7 by 57 pixels */
    assert_true(between > 20);           /* its edges are soft */
    free(rgb);
}

/* Pixels that a caption changes. */
static long touched(int width, int height, const mn_caption *c, unsigned char *mask)
{
    unsigned char *rgb = malloc(3 * (size_t)width * (size_t)height);
    memset(rgb, 100, 3 * (size_t)width * (size_t)height);
    mn_caption_draw(&(mn_canvas){rgb, width, height}, c);
    long count = 0;
    for (long k = 0; k < (long)width * height; k++) {
        mask[k] = rgb[3 * k] != 100 || rgb[3 * k + 1] != 100 || rgb[3 * k + 2] != 100;
        count += mask[k];
    }
    free(rgb);
    return count;
}

static void scales_have_plain_numbers(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0, "0"},           {4000, "4000"}, {-1234.5, "-1234"},  {999.7, "1000"},
                {101325, "101325"}, {0.05, "0.05"}, {1.5e-7, "1.5e-07"}, {2e6, "2e+06"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[32];
        mn_caption_number(rows[k].value, text, sizeof text);
        assert_string_equal(text, rows[k].text);
    }
}

/* A title that does not fit is cut short, its time is not. */
static void titles_keep_their_time(void **state)
{
    (void)state;
    static unsigned char rgb[2][3 * 200 * 120];
    static const char *const titles[2] = {
        "A title that is much too long for the picture that it stands in   t = 0.125 s",
        "A title that is much too long for the picture that it stands in   t = 0.987 s"};
    for (int k = 0; k < 2; k++) {
        memset(rgb[k], 100, sizeof rgb[k]);
        mn_caption_draw(&(mn_canvas){rgb[k], 200, 120}, &(mn_caption){.title = titles[k]});
    }
    assert_true(memcmp(rgb[0], rgb[1], sizeof rgb[0]) != 0);
}

/* A colour scale is as wide as what it is called, where there is room: its unit is not cut off. */
static void scales_keep_their_unit(void **state)
{
    (void)state;
    static unsigned char rgb[2][3 * 640 * 360];
    static const char *const labels[2] = {"detergent on the surface [mol/m²]", "detergent on the surface [mol/mm]"};
    for (int k = 0; k < 2; k++) {
        memset(rgb[k], 100, sizeof rgb[k]);
        mn_caption_draw(&(mn_canvas){rgb[k], 640, 360}, &(mn_caption){.label = labels[k], .high = 1});
    }
    assert_true(memcmp(rgb[0], rgb[1], sizeof rgb[0]) != 0);
}

/* Colour scales say what they show in plain words. */
static void fields_have_plain_names(void **state)
{
    (void)state;
    static const char text[] =
        "particles: {spacing: 0.1}\ntime: {end: 1}\nfluids: [{shapes: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}]}]\n"
        "species: [{name: red_dye}]\n";
    static const char *const expected[][2] = {{"speed", "speed [m/s]"},
                                              {"pressure", "pressure [Pa]"},
                                              {"density", "density [kg/m³]"},
                                              {"delta", "how near to the surface"},
                                              {"area", "surface area of a particle [m²]"},
                                              {"red_dye", "red dye [mol/m³]"},
                                              {"red_dye_surface", "red dye on the surface [mol/m²]"}};
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "test", NULL, 0, say);
    assert_non_null(scene);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        char label[80], little[9];
        mn_scene_field_label(scene, expected[k][0], label, sizeof label);
        assert_string_equal(label, expected[k][1]);
        mn_scene_field_label(scene, expected[k][0], little, sizeof little);
        assert_true(strncmp(little, label, strlen(little)) == 0);
    }
    mn_scene_free(scene);
    mn_messages_free(say);
}

/* A glass has a ring at each end, a tube none; neither has triangles at an end that is left out. */
static void glasses_have_rims(void **state)
{
    (void)state;
    static const char text[] =
        "particles: {spacing: 0.1}\ntime: {end: 1}\nfluids: [{shapes: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}]}]\n"
        "walls: [{shapes: [{cylinder: {radius: 2, height: 4, axis: [1, 0, 0], inside_out: true, open: [top]}}]},\n"
        "  {shapes: [{cone: {radius: 2, top_radius: 1, height: 4, axis: [1, 0, 0], open: [bottom, top]}}]}]\n";
    const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(text, strlen(text), "test", NULL, 0, say);
    mn_stage *stage = mn_stage_new(scene, low, high, say);
    mn_cast cast = {0};
    assert_non_null(stage);
    assert_int_equal(mn_stage_walls(stage, scene, 0, 0, NULL, &cast, say), MN_OK);
    assert_int_equal(cast.count, 4);
    for (int k = 0; k < cast.count; k += 3) { /* glass, its two rings, tube */
        const mn_trace_mesh *m = &cast.meshes[k];
        int flat[2] = {0, 0};
        for (long t = 0; t < m->triangle_count; t++) {
            bool at[2] = {true, true};
            for (int c = 0; c < 3; c++) {
                const float x = m->position[3 * m->triangle[3 * t + c]];
                at[0] = at[0] && x < -1.9f, at[1] = at[1] && x > 1.9f;
            }
            flat[0] += at[0], flat[1] += at[1];
        }
        assert_true(k ? flat[0] == 0 : flat[0] > 10);
        assert_int_equal(flat[1], 0);
    }
    mn_cast_free(&cast);
    mn_stage_free(stage);
    mn_scene_free(scene);
    mn_messages_free(say);
}

static void captions_never_overprint(void **state)
{
    (void)state;
    static const int sizes[][2] = {{200, 120},   {320, 180}, {640, 360}, {1280, 720},
                                   {1920, 1080}, {400, 900}, {2000, 200}};
    const char *title =
        "A title that is much too long for the picture that it stands in, and goes on and on and on   t = 0.125 s";
    const char *label = "concentration of a surfactant on the surface [mol/m²]";
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int width = sizes[k][0], height = sizes[k][1];
        unsigned char *a = malloc((size_t)width * (size_t)height), *b = malloc((size_t)width * (size_t)height);
        assert_true(touched(width, height, &(mn_caption){.title = title}, a) > 0);
        assert_true(touched(width, height, &(mn_caption){.label = label, .low = -1234.5, .high = 6.7e-12}, b) > 0);
        for (long i = 0; i < (long)width * height; i++) assert_false(a[i] && b[i]);
        for (long i = 0; i < (long)width * height; i++) a[i] |= b[i];
        assert_true(touched(width, height, &(mn_caption){.second = label, .second_high = 1.5e-7}, b) > 0);
        for (long i = 0; i < (long)width * height; i++) assert_false(a[i] && b[i]);
        free(a);
        free(b);
    }
}

static const char FALLING[] = "particles: {spacing: 0.1}\ntime: {step: 0.002, end: 0.004}\n"
                              "fluids: [{shapes: [{box: {grid: [3, 3, 3], origin: [0, 0, 0]}}]}]\n"
                              "output: {every: 0.002}\ncamera: {size: [16, 16]}\n";

static int place_of_a_run(void **state) { return scene_place_make(state, "render", FALLING); }

/* Frames are drawn by the thread beside the run, with messages of its own; the films are made by the caller after that
 * thread has ended, and what there is to say about them (no ffmpeg) goes to the caller's messages. */
static void films_are_made_after_the_run(void **state)
{
    place *p = *state;
    char dir[80];
    snprintf(dir, sizeof dir, "%s/run", p->dir);
    mn_session_options opt = mn_default_session_options();
    mn_session_summary sum;
    opt.dir = dir;
    assert_int_equal(mn_session_run(p->scene, &opt, p->say, &sum), MN_OK);
    mn_live_render *live = mn_live_render_new(p->scene, dir, 1, p->say);
    assert_non_null(live);
    mn_messages *there = mn_messages_new();
    for (int k = 0; k < 3; k++) assert_int_equal(mn_live_render_frame(live, k, there), MN_OK);
    mn_messages_free(there);
    char *path = strdup(getenv("PATH"));
    assert_true(path && !setenv("PATH", p->dir, 1));
    mn_render_summary drawn;
    assert_int_equal(mn_live_render_finish(live, &(mn_render_options){0}, p->say, &drawn), MN_OK);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    assert_int_equal(drawn.pictures, 3);
    assert_true(said(p->say, "ffmpeg"));
    mn_live_render_free(live);
}

static void colours_have_names(void **state)
{
    (void)state;
    float c[3] = {9, 9, 9};
    assert_true(mn_colour_parse("#ff0080", c) && c[0] == 1 && c[1] == 0 && fabsf(c[2] - 0.2158605f) < 1e-5f);
    assert_true(mn_colour_parse("teal", c));
    c[0] = 9;
    assert_false(mn_colour_parse("#ff008", c) || mn_colour_parse("#ff00zz", c) || mn_colour_parse("tea", c) ||
                 mn_colour_parse("", c));
    assert_true(c[0] == 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fresnel_is_that_of_water),
        cmocka_unit_test(liquid_absorbs_by_depth),
        cmocka_unit_test(stone_hides_and_glass_tints),
        cmocka_unit_test(one_sided_walls_let_look_in),
        cmocka_unit_test(the_picture_does_not_depend_on_threads),
        cmocka_unit_test(edges_have_no_grain),
        cmocka_unit_test(smoothing_keeps_edges),
        cmocka_unit_test(edges_of_equal_faces_are_smooth),
        cmocka_unit_test(only_long_sides_are_halved),
        cmocka_unit_test(surfaces_end_at_two_million_triangles),
        cmocka_unit_test(letters_are_kerned),
        cmocka_unit_test(letters_cover_their_area),
        cmocka_unit_test(scales_have_plain_numbers),
        cmocka_unit_test(titles_keep_their_time),
        cmocka_unit_test(scales_keep_their_unit),
        cmocka_unit_test(fields_have_plain_names),
        cmocka_unit_test(glasses_have_rims),
        cmocka_unit_test(captions_never_overprint),
        cmocka_unit_test_setup_teardown(films_are_made_after_the_run, place_of_a_run, scene_place_end),
        cmocka_unit_test(colours_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
