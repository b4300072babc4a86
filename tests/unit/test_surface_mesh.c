/* Surface meshes: closed and manifold whatever the particles are, with their volume, round, flat, cut at walls, the
 * same for any number of threads. */
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sanitized.h"
#include "geometry/random.h"
#include "geometry/vectors.h"
#include "scene/scene.h"
#include "surface/barrier.h"
#include "surface/surface.h"

static mn_messages *say;
static float *points;
static int count, room;
static random_stream chance;

static int set_up(void **state)
{
    (void)state;
    say = mn_messages_new();
    chance = random_from(1, 0);
    count = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    mn_messages_free(say);
    free(points);
    points = NULL;
    room = 0;
    return 0;
}

static void add(double x, double y, double z)
{
    if (count == room) {
        room = room ? 2 * room : 1024;
        points = realloc(points, 3 * (size_t)room * sizeof *points);
        assert_non_null(points);
    }
    float *p = points + 3 * (size_t)count++;
    p[0] = (float)x, p[1] = (float)y, p[2] = (float)z;
}

static double unit(void) { return random_unit(&chance); }
static double shake(double by) { return by * (2 * unit() - 1); }

/* ------------------------------------------------------------------------------------------------ checks */

typedef struct side {
    int32_t low, high;
    bool forward;
} side;

static int by_ends(const void *left, const void *right)
{
    const side *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return (int)a->forward - (int)b->forward;
}

static const float *corner(const mn_surface *s, int32_t triangle, int k)
{
    return s->position + 3 * s->triangle[3 * triangle + k];
}

static double triangle_area(const mn_surface *s, int32_t t)
{
    double a[3], b[3], n[3];
    for (int k = 0; k < 3; k++) {
        a[k] = (double)corner(s, t, 1)[k] - (double)corner(s, t, 0)[k];
        b[k] = (double)corner(s, t, 2)[k] - (double)corner(s, t, 0)[k];
    }
    cross3(a, b, n);
    return 0.5 * length3(n);
}

/* Each edge between two triangles in opposite directions; the triangles around a vertex one fan; areas above 0; unit
 * normals. */
static void assert_closed(const mn_surface *s, double spacing)
{
    const size_t sides = 3 * (size_t)s->triangle_count;
    side *list = malloc((sides + 1) * sizeof *list);
    int32_t *around = calloc((size_t)s->vertex_count + 1, sizeof *around);
    int32_t *start = malloc(((size_t)s->vertex_count + 1) * sizeof *start);
    for (size_t i = 0; i < sides; i++) {
        const int32_t a = s->triangle[i], b = s->triangle[i - i % 3 + (i + 1) % 3];
        assert_in_range(a, 0, s->vertex_count - 1);
        list[i] = a < b ? (side){a, b, true} : (side){b, a, false};
        around[a]++;
        start[a] = (int32_t)i;
    }
    qsort(list, sides, sizeof *list, by_ends);
    for (size_t i = 0; i < sides; i += 2) {
        assert_true(i + 1 < sides && list[i].low == list[i + 1].low && list[i].high == list[i + 1].high);
        assert_true(list[i].forward != list[i + 1].forward);
        assert_true(i + 2 >= sides || list[i + 2].low != list[i].low || list[i + 2].high != list[i].high);
    }
    free(list);
    int32_t *first = calloc((size_t)s->vertex_count + 2, sizeof *first);
    for (size_t i = 0; i < sides; i++) first[s->triangle[i] + 1]++;
    for (int32_t v = 0; v < s->vertex_count; v++) first[v + 1] += first[v];
    int32_t *out = malloc((sides + 1) * sizeof *out), *fill = calloc((size_t)s->vertex_count + 1, sizeof *fill);
    for (size_t i = 0; i < sides; i++) out[first[s->triangle[i]] + fill[s->triangle[i]]++] = (int32_t)i;
    for (int32_t v = 0; v < s->vertex_count; v++) {
        int32_t at = start[v], steps = 0;
        assert_true(around[v] >= 3);
        do { /* over the side that comes into the vertex to the neighbour that runs out along it */
            const int32_t before = s->triangle[at - at % 3 + (at + 2) % 3];
            int32_t found = -1;
            for (int32_t k = first[v]; k < first[v + 1]; k++)
                if (s->triangle[out[k] - out[k] % 3 + (out[k] + 1) % 3] == before) found = out[k];
            assert_true(found >= 0);
            at = found;
            steps++;
        } while (at != start[v] && steps <= around[v]);
        assert_int_equal(steps, around[v]);
    }
    for (int32_t t = 0; t < s->triangle_count; t++) assert_true(triangle_area(s, t) > 1e-9 * spacing * spacing);
    for (int32_t v = 0; v < s->vertex_count; v++) {
        const float *n = s->normal + 3 * v;
        assert_true(fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-3f);
    }
    free(first);
    free(out);
    free(fill);
    free(around);
    free(start);
}

static double volume_of(const mn_surface *s)
{
    double volume = 0;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        double p[3][3], n[3];
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) p[c][k] = (double)corner(s, t, c)[k] - (double)s->position[k];
        cross3(p[1], p[2], n);
        volume += dot3(p[0], n) / 6;
    }
    return volume;
}

/* Vertices less edges plus faces: 2 for each part without holes. */
static int euler(const mn_surface *s) { return s->vertex_count - s->triangle_count / 2; }

static mn_surface mesh_of(const mn_surface_options *opt)
{
    const mn_frame_field field = {"position", MN_FRAME_FLOAT, 3, points};
    const mn_frame frame = {0.5, count, &field, 1};
    mn_surface s;
    assert_int_equal(mn_surface_make(&frame, opt, &s, say), MN_OK);
    assert_int_equal(mn_messages_count(say), 0);
    return s;
}

static mn_surface mesh(double cell)
{
    mn_surface s = mesh_of(&(mn_surface_options){.spacing = 1, .cell = cell, .smoothing = -1, .hollows = -1});
    assert_closed(&s, 1);
    return s;
}

/* ------------------------------------------------------------------------------------------------- shapes */

static void fill_ball(double radius)
{
    const int reach = (int)radius + 2;
    count = 0;
    for (int x = -reach; x <= reach; x++)
        for (int y = -reach; y <= reach; y++)
            for (int z = -reach; z <= reach; z++) {
                const double p[3] = {x + 0.31, y - 0.22, z + 0.13};
                if (length3(p) < radius) add(p[0], p[1], p[2]);
            }
}

/* As many particles as fit a ball, pushed apart for some rounds, the outermost half a spacing below its surface. After
 * 100 rounds its centre of mass is still up to 2 % of the radius from its centre; after 300, 0.3 %: a drop at rest. */
static void relax_ball(double radius, int rounds)
{
    const int wanted = (int)lround(4.0 / 3 * M_PI * pow(radius, 3));
    count = 0;
    while (count < wanted) {
        const double p[3] = {shake(radius), shake(radius), shake(radius)};
        if (length3(p) < radius) add(p[0], p[1], p[2]);
    }
    float *push = malloc(3 * (size_t)count * sizeof *push);
    for (int round = 0; round < rounds; round++) {
        memset(push, 0, 3 * (size_t)count * sizeof *push);
        for (int i = 0; i < count; i++)
            for (int j = i + 1; j < count; j++) {
                const float *p = points + 3 * i, *q = points + 3 * j;
                const float d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]},
                            r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                if (r2 >= 1.44f || r2 < 1e-9f) continue;
                const float f = 0.15f * (1.2f / sqrtf(r2) - 1);
                for (int k = 0; k < 3; k++) push[3 * i + k] += f * d[k], push[3 * j + k] -= f * d[k];
            }
        for (int i = 0; i < count; i++) {
            float *p = points + 3 * i;
            for (int k = 0; k < 3; k++) p[k] += push[3 * i + k];
            const float r = sqrtf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), most = (float)radius - 0.5f;
            for (int k = 0; k < 3 && r > most; k++) p[k] *= most / r;
        }
    }
    free(push);
}

/* Largest distance of a vertex from the sphere about `centre` through their mean, over its radius. */
static double roundness(const mn_surface *s, const double centre[3])
{
    double mean = 0, worst = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t v = 0; v < s->vertex_count; v++) {
            const double p[3] = {(double)s->position[3 * v], (double)s->position[3 * v + 1],
                                 (double)s->position[3 * v + 2]};
            if (pass == 0) mean += distance3(p, centre) / s->vertex_count;
            else worst = fmax(worst, fabs(distance3(p, centre) - mean));
        }
    return worst / mean;
}

/* -------------------------------------------------------------------------------------------------- tests */

static void no_particles_no_mesh(void **state)
{
    (void)state;
    mn_surface s = mesh(0);
    assert_int_equal(s.vertex_count, 0);
    assert_int_equal(s.triangle_count, 0);
    mn_surface_free(&s);
}

static void one_particle_is_a_round_drop(void **state)
{
    (void)state;
    for (int n = 0; n < 20; n++) {
        count = 0;
        add(unit(), unit(), unit());
        const double centre[3] = {(double)points[0], (double)points[1], (double)points[2]};
        mn_surface s = mesh(0);
        assert_int_equal(euler(&s), 2);
        assert_true(roundness(&s, centre) < 0.02);
        assert_true(fabs(volume_of(&s) - 1) < 0.05);
        mn_surface_free(&s);
    }
}

/* For pictures: finer than the grid, of the same volume, with its fields; what touches others stays as it is. */
static void spray_is_round(void **state)
{
    (void)state;
    fill_ball(5);
    const int ball = count;
    for (int k = 0; k < 7; k++) add(9 + 3 * k, 0.3 * k, 0.2 * k);
    for (int k = 0; k < 3; k++) add(0.5 * k, 12, 0); /* of three particles: no sphere */
    float *heat = malloc(4 * (size_t)count);
    for (int i = 0; i < count; i++) heat[i] = i < ball ? 1 : (float)i;
    const mn_frame_field fields[] = {{"position", MN_FRAME_FLOAT, 3, points}, {"heat", MN_FRAME_FLOAT, 1, heat}};
    const mn_frame frame = {0.5, count, fields, 2};
    mn_surface plain, s;
    assert_int_equal(
        mn_surface_make(&frame, &(mn_surface_options){.spacing = 1, .smoothing = -1, .hollows = -1}, &plain, say),
        MN_OK);
    assert_int_equal(mn_surface_make(&frame,
                                     &(mn_surface_options){.spacing = 1, .smoothing = -1, .hollows = -1, .spray = true},
                                     &s, say),
                     MN_OK);
    assert_closed(&s, 1);
    assert_int_equal(euler(&s), euler(&plain));
    assert_true(s.vertex_count > plain.vertex_count + 7 * 100);
    assert_true(fabs(volume_of(&s) - volume_of(&plain)) < 7 * 0.05);
    int on_drops = 0;
    for (int32_t v = 0; v < s.vertex_count; v++) {
        const float *p = s.position + 3 * v;
        const int k = (int)lroundf((p[0] - 9) / 3);
        if (p[0] < 7) continue;
        const double d[3] = {(double)p[0] - 9 - 3 * k, (double)p[1] - 0.3 * k, (double)p[2] - 0.2 * k};
        assert_true(fabs(length3(d) - 0.62) < 0.001);
        assert_true(((float *)mn_surface_find(&s, "heat")->data)[v] == (float)(ball + k));
        on_drops++;
    }
    assert_true(on_drops > 7 * 100);
    mn_surface_free(&plain);
    mn_surface_free(&s);
    free(heat);
}

/* From thin gas to dense liquid, coarse and fine cells, whatever the positions: nothing but closed meshes. */
static void random_particles_give_closed_meshes(void **state)
{
    (void)state;
    static const double widths[] = {4, 8, 11, 14, 20, 30}, cells[] = {0.5, 0.8, 1, 0.33};
    for (int w = 0; w < 6; w++)
        for (int c = 0; c < 4; c++) {
            count = 0;
            for (int i = 0; i < (SANITIZED ? 500 : 1500); i++)
                add(widths[w] * unit() - 3, widths[w] * unit(), widths[w] * unit() + 50);
            mn_surface s = mesh(cells[c]);
            assert_true(s.triangle_count > 100);
            mn_surface_free(&s);
        }
}

/* Nodes of the grid that lie exactly on particles, faces of boxes, and on the level. */
static void regular_particles_give_closed_meshes(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        count = 0;
        for (int x = 0; x < 7; x++)
            for (int y = 0; y < 7; y++)
                for (int z = 0; z < 7; z++)
                    if (kind == 0 || (kind == 1 && (x + y + z) % 2) || (kind == 2 && x % 2 == 0) ||
                        (kind == 3 && (x % 3 == 0) + (y % 3 == 0) + (z % 3 == 0) >= 2))
                        add(x, y, z);
        mn_surface s = mesh(0.5);
        mn_surface_free(&s);
    }
}

/* Cells much smaller than the spacing, with as much smoothing as there is. */
static void fine_cells_give_closed_meshes(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) add(3 * unit(), 3 * unit(), 6 * unit());
    for (int k = 0; k < 3; k++) {
        mn_surface s = mesh_of(&(mn_surface_options){.spacing = 1, .cell = 0.1, .smoothing = 10 * k, .hollows = -1});
        assert_closed(&s, 0.1);
        assert_true(s.vertex_count > 1000);
        mn_surface_free(&s);
    }
}

static void films_of_one_layer_have_no_holes(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        count = 0;
        for (int x = 0; x < 30; x++)
            for (int z = 0; z < 30; z++) {
                const double apart = kind == 2 ? 1.2 : 1, wave = kind == 0 ? 0 : 2 * sin(0.3 * x);
                add(apart * x + shake(0.15), wave + shake(0.15), apart * z + shake(0.15));
            }
        mn_surface s = mesh(0);
        assert_int_equal(euler(&s), 2);
        mn_surface_free(&s);
    }
}

static void threads_of_particles_hold_together(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) add(i + shake(0.1), 3 * sin(0.2 * i), shake(0.1));
    mn_surface s = mesh(0);
    assert_int_equal(euler(&s), 2);
    mn_surface_free(&s);
}

static void blobs_keep_their_volume(void **state)
{
    (void)state;
    static const double radii[] = {3, 4, 6, 9, 13};
    for (int r = 0; r < 5; r++) {
        fill_ball(radii[r]);
        mn_surface s = mesh(0);
        assert_int_equal(euler(&s), 2);
        assert_true(fabs(volume_of(&s) / count - 1) < 0.02);
        mn_surface_free(&s);
    }
    count = 0;
    for (int x = 0; x < 20; x++)
        for (int y = 0; y < 6; y++)
            for (int z = 0; z < 9; z++) add(x + shake(0.2), y + shake(0.2), z + shake(0.2));
    mn_surface s = mesh(0);
    assert_true(fabs(volume_of(&s) / count - 1) < 0.02);
    mn_surface_free(&s);
}

/* A drop as large as a bubble leaves it: the inner surface counts too. */
static void bubbles_are_kept(void **state)
{
    (void)state;
    const int reach = 10;
    for (int x = -reach; x <= reach; x++)
        for (int y = -reach; y <= reach; y++)
            for (int z = -reach; z <= reach; z++) {
                const double p[3] = {x, y, z};
                if (length3(p) < 9 && length3(p) > 3) add(x, y, z);
            }
    mn_surface s = mesh(0);
    assert_int_equal(euler(&s), 4);
    assert_true(fabs(volume_of(&s) / count - 1) < 0.02);
    mn_surface_free(&s);
}

/* A place where a few particles are missing is no bubble: it is filled, unless that is not wanted. */
static void gaps_between_particles_are_filled(void **state)
{
    (void)state;
    for (int x = 0; x < 13; x++)
        for (int y = 0; y < 13; y++)
            for (int z = 0; z < 13; z++)
                if (x < 6 || x > 7 || z < 6 || z > 7 || y < 6 || y > 7) add(x, y, z);
    static const struct {
        double hollows;
        int euler;
    } cases[] = {{-1, 2}, {1, 4}, {0, 4}};
    for (int k = 0; k < 3; k++) {
        mn_surface s = mesh_of(&(mn_surface_options){.spacing = 1, .smoothing = -1, .hollows = cases[k].hollows});
        assert_closed(&s, 1);
        assert_int_equal(euler(&s), cases[k].euler);
        assert_true(fabs(volume_of(&s) / count - 1) < 0.02);
        mn_surface_free(&s);
    }
}

/* Twenty drops at rest, and five of each size whose particles are less even: every one. */
static void drops_at_rest_are_round(void **state)
{
    (void)state;
    enum { STARTS = SANITIZED ? 1 : 5, LONGER = SANITIZED ? 1 : 20 };
    for (int radius = 6; radius <= 8; radius++)
        for (int start = 1; start <= STARTS; start++) {
            chance = random_from((uint64_t)start, 0);
            relax_ball(radius, 100);
            mn_surface s = mesh(0);
            assert_true(roundness(&s, (double[3]){0, 0, 0}) < 0.01);
            assert_true(fabs(volume_of(&s) / count - 1) < 0.02);
            mn_surface_free(&s);
        }
    for (int start = 1; start <= LONGER; start++) {
        chance = random_from((uint64_t)start, 0);
        relax_ball(6, 300);
        mn_surface s = mesh(0);
        assert_true(roundness(&s, (double[3]){0, 0, 0}) < 0.01);
        mn_surface_free(&s);
    }
}

static void the_mesh_does_not_depend_on_threads(void **state)
{
    (void)state;
    for (int i = 0; i < 4000; i++) add(16 * unit(), 14 * unit(), 30 * unit());
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    mn_surface one = mesh(0);
    omp_set_num_threads(3);
    mn_surface three = mesh(0);
    omp_set_num_threads(threads);
    assert_int_equal(one.vertex_count, three.vertex_count);
    assert_int_equal(one.triangle_count, three.triangle_count);
    assert_memory_equal(one.position, three.position, 12 * (size_t)one.vertex_count);
    assert_memory_equal(one.normal, three.normal, 12 * (size_t)one.vertex_count);
    assert_memory_equal(one.triangle, three.triangle, 12 * (size_t)one.triangle_count);
    mn_surface_free(&one);
    mn_surface_free(&three);
}

static void particles_give_their_fields(void **state)
{
    (void)state;
    fill_ball(5);
    float *velocity = malloc(12 * (size_t)count), *heat = malloc(4 * (size_t)count);
    int32_t *id = malloc(4 * (size_t)count);
    for (int i = 0; i < count; i++) {
        velocity[3 * i] = 3, velocity[3 * i + 1] = -4, velocity[3 * i + 2] = 0;
        heat[i] = points[3 * i];
        id[i] = points[3 * i + 1] > 0 ? 7 : -7;
    }
    const mn_frame_field fields[] = {{"position", MN_FRAME_FLOAT, 3, points},
                                     {"velocity", MN_FRAME_FLOAT, 3, velocity},
                                     {"heat", MN_FRAME_FLOAT, 1, heat},
                                     {"id", MN_FRAME_INT, 1, id}};
    const mn_frame frame = {0.5, count, fields, 4};
    mn_surface s;
    assert_int_equal(
        mn_surface_make(&frame, &(mn_surface_options){.spacing = 1, .smoothing = -1, .hollows = -1}, &s, say), MN_OK);
    const mn_surface_field *warm = mn_surface_find(&s, "heat"), *whose = mn_surface_find(&s, "id"),
                           *speed = mn_surface_find(&s, "speed");
    assert_true(warm && whose && speed && s.velocity && mn_surface_find(&s, "velocity"));
    assert_null(mn_surface_find(&s, "position"));
    assert_true(s.time == 0.5 && whose->type == MN_FRAME_INT);
    for (int32_t v = 0; v < s.vertex_count; v++) {
        const float *x = s.position + 3 * v;
        assert_true(fabsf(s.velocity[3 * v] - 3) < 1e-4f && fabsf(s.velocity[3 * v + 1] + 4) < 1e-4f);
        assert_true(fabsf(((float *)speed->data)[v] - 5) < 1e-4f);
        assert_true(fabsf(((float *)warm->data)[v] - x[0]) < 1.2f);
        if (fabsf(x[1]) > 1.5f) assert_int_equal(((int32_t *)whose->data)[v], x[1] > 0 ? 7 : -7);
    }
    mn_surface_free(&s);
    free(velocity);
    free(heat);
    free(id);
}

/* -------------------------------------------------------------------------------------------------- walls */

/* A tank with water at rest as the solver leaves it: 1.1 spacings from floor and sides. */
static mn_scene *tank_scene(const char *more)
{
    char text[2000];
    snprintf(text, sizeof text,
             "particles: {spacing: 1}\ngravity: [0, -9.81, 0]\ntime: {step: 0.001, end: 1}\n"
             "fluids:\n  - name: water\n    density: 1000\n    shapes:\n      - box: {min: [1, 1, 1], max: [2, 2, 2]}\n"
             "walls:\n  - name: tank\n    shapes:\n      - box: {min: [0, 0, 0], max: [13.2, 20, 11.2], inside_out: "
             "true, open: "
             "[top]}\n%s",
             more);
    mn_scene *scene = mn_scene_parse(text, strlen(text), "test", NULL, 0, say);
    for (int i = 0; i < mn_messages_count(say); i++) print_message("%s\n", mn_messages_get(say, i).text);
    assert_non_null(scene);
    return scene;
}

static void fill_tank(double noise)
{
    count = 0;
    for (int x = 0; x < 12; x++)
        for (int y = 0; y < 7; y++)
            for (int z = 0; z < 10; z++) add(1.1 + x + shake(noise), 1.1 + y + shake(noise), 1.1 + z + shake(noise));
}

/* Vertices within two spacings of the floor of the tank that are not on it, and not near its sides. */
static int above_the_floor(const mn_surface *s)
{
    int found = 0;
    for (int32_t v = 0; v < s->vertex_count; v++) {
        const float *p = s->position + 3 * v;
        found += p[1] > 0.1f && p[1] < 2 && p[0] > 2 && p[0] < 11 && p[2] > 2 && p[2] < 9;
    }
    return found;
}

/* Seen through a clear pool they would be scribbles on its floor. */
static void gaps_at_walls_are_filled(void **state)
{
    (void)state;
    mn_scene *scene = tank_scene("");
    mn_barrier *barrier = mn_barrier_new(scene, say);
    for (int x = 0; x < 12; x++)
        for (int y = 0; y < 7; y++)
            for (int z = 0; z < 10; z++)
                if (y > 0 || x < 5 || x > 6 || z < 4 || z > 5) add(1.1 + x, 1.1 + y, 1.1 + z);
    for (int k = 0; k < 2; k++) {
        mn_surface s = mesh_of(&(mn_surface_options){
            .spacing = 1, .smoothing = -1, .hollows = k ? 1 : -1, .wall = mn_barrier_distance, .walls = barrier});
        assert_closed(&s, 1);
        assert_int_equal(euler(&s), 2);
        assert_true((above_the_floor(&s) > 0) == (k == 1));
        mn_surface_free(&s);
    }
    mn_barrier_free(barrier);
    mn_scene_free(scene);
}

static void liquid_reaches_its_walls_and_ends_there(void **state)
{
    (void)state;
    mn_scene *scene = tank_scene("");
    mn_barrier *barrier = mn_barrier_new(scene, say);
    fill_tank(0.1);
    mn_surface s = mesh_of(&(mn_surface_options){
        .spacing = 1, .smoothing = -1, .hollows = -1, .wall = mn_barrier_distance, .walls = barrier});
    assert_closed(&s, 1);
    assert_int_equal(euler(&s), 2);
    double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9}, rises = 0;
    int on_walls = 0;
    for (int32_t v = 0; v < s.vertex_count; v++) {
        const double p[3] = {(double)s.position[3 * v], (double)s.position[3 * v + 1], (double)s.position[3 * v + 2]};
        double gap;
        for (int k = 0; k < 3; k++) low[k] = fmin(low[k], p[k]), high[k] = fmax(high[k], p[k]);
        const double d = mn_barrier_distance(barrier, p, 5, &gap);
        assert_true(d > -1e-3);
        on_walls += d < 1e-3;
        if (p[1] > 5 && d > 1e-3) rises = fmax(rises, fabs(p[1] - 7.6));
    }
    /* Sharp edges, corners in the corners, a level surface up to the walls. */
    assert_true(on_walls > 1500);
    assert_true(fabs(low[0]) < 1e-3 && fabs(low[1]) < 1e-3 && fabs(low[2]) < 1e-3);
    assert_true(fabs(high[0] - 13.2) < 1e-3 && fabs(high[2] - 11.2) < 1e-3);
    assert_true(rises < 0.25);
    assert_true(fabs(volume_of(&s) / (13.2 * 11.2 * 7.6) - 1) < 0.01);
    mn_surface_free(&s);
    mn_barrier_free(barrier);
    mn_scene_free(scene);
}

/* The surface of water that has come to rest in a tank with walls of one method or the other. */
static mn_surface tank_at_rest(const char *method, double *floor)
{
    char text[1000];
    snprintf(text, sizeof text,
             "particles: {spacing: 0.02}\ngravity: [0, -9.81, 0]\ntime: {adaptive: {max: 0.002}, end: 1}\n"
             "pressure: {model: dfsph, wall_weight: 1.78}\nwall_method: %s\n"
             "fluids:\n  - name: water\n    density: 1000\n    jitter: 0.1\n"
             "    shapes:\n      - box: {grid: [16, 6, 16], origin: [0.022, 0.022, 0.022]}\n"
             "    viscosity: {model: standard, viscosity: 0.01}\n"
             "walls:\n  - name: tank\n    shapes:\n      - box: {min: [0, 0, 0], max: [0.344, 0.3, 0.344], inside_out: "
             "true}\n",
             method);
    mn_scene *scene = mn_scene_parse(text, strlen(text), "test", NULL, 0, say);
    assert_non_null(scene);
    const mn_options options = mn_default_options();
    mn_world *world = mn_world_new(scene, &options, say);
    assert_non_null(world);
    while (mn_world_time(world) < 0.5) assert_int_equal(mn_step(world, say), MN_OK);
    count = 0;
    for (int i = 0; i < mn_world_particles(world); i++) add(0, 0, 0);
    assert_int_equal(mn_world_get(world, "position", points, say), MN_OK);
    mn_messages_clear(say);
    mn_barrier *barrier = mn_barrier_new(scene, say);
    mn_surface s = mesh_of(&(mn_surface_options){
        .spacing = 0.02, .smoothing = -1, .hollows = -1, .wall = mn_barrier_distance, .walls = barrier});
    assert_closed(&s, 0.02);
    *floor = 0;
    for (int32_t t = 0; t < s.triangle_count; t++) { /* how much of the floor is wet */
        const float *p = corner(&s, t, 0), *q = corner(&s, t, 1), *r = corner(&s, t, 2);
        if (p[1] < 1e-6f && q[1] < 1e-6f && r[1] < 1e-6f) *floor += triangle_area(&s, t) / (0.344 * 0.344);
    }
    mn_barrier_free(barrier);
    mn_world_free(world);
    mn_scene_free(scene);
    return s;
}

/* Away from the walls water at rest is level within two hundredths of the spacing; no air is left at the floor. */
static void water_at_rest_is_flat(void **state)
{
    (void)state;
    double low = 1, high = 0, floor;
    mn_surface s = tank_at_rest("particles", &floor);
    for (int32_t v = 0; v < s.vertex_count; v++) {
        const float *p = s.position + 3 * v;
        if (p[1] < 0.1f || p[0] < 0.06f || p[0] > 0.284f || p[2] < 0.06f || p[2] > 0.284f) continue;
        low = fmin(low, (double)p[1]);
        high = fmax(high, (double)p[1]);
    }
    assert_true(high > low && 0.5 * (high - low) < 0.02 * 0.02);
    assert_true(fabs(floor - 1) < 1e-3);
    mn_surface_free(&s);
    s = tank_at_rest("volume_maps", &floor);
    assert_true(fabs(floor - 1) < 1e-3);
    mn_surface_free(&s);
}

/* A plane at the origin, x times z spacings large. */
static mn_scene *plane_scene(double x, double z)
{
    char text[400];
    snprintf(text, sizeof text,
             "particles: {spacing: 1}\ntime: {step: 0.001, end: 1}\n"
             "fluids: [{shapes: [{box: {min: [-8, 1, -8], max: [8, 6, 8]}}]}]\n"
             "walls: [{shapes: [{plane: {point: [0, 0, 0], normal: [0, 1, 0], size: [%g, %g]}}]}]\n",
             x, z);
    mn_scene *scene = mn_scene_parse(text, strlen(text), "test", NULL, 0, say);
    assert_non_null(scene);
    return scene;
}

/* How much of the square of `half` spacings around the origin is wet, of a slab whose lowest particles lie that high
 * above a plane. */
static double wet_part(double height, double half)
{
    mn_scene *scene = plane_scene(40, 40);
    mn_barrier *barrier = mn_barrier_new(scene, say);
    count = 0;
    for (int i = 0; i < 16 * 16 * 4; i++)
        add(i % 16 - 7.5 + shake(0.1), height + i / 256 + shake(0.1), i / 16 % 16 - 7.5 + shake(0.1));
    mn_surface s = mesh_of(&(mn_surface_options){
        .spacing = 1, .smoothing = -1, .hollows = -1, .wall = mn_barrier_distance, .walls = barrier});
    assert_closed(&s, 1);
    double wet = 0;
    for (int32_t t = 0; t < s.triangle_count; t++) {
        const float *p = corner(&s, t, 0), *q = corner(&s, t, 1), *r = corner(&s, t, 2);
        if (p[1] < 1e-4f && q[1] < 1e-4f && r[1] < 1e-4f && fabs((double)p[0]) < half && fabs((double)p[2]) < half)
            wet += triangle_area(&s, t) / (4 * half * half);
    }
    mn_surface_free(&s);
    mn_barrier_free(barrier);
    mn_scene_free(scene);
    return wet;
}

/* Without adhesion liquid rests up to 1.6 spacings above a wall: no air shines under it. What hovers higher does not
 * touch. */
static void liquid_that_rests_high_touches_its_wall(void **state)
{
    (void)state;
    for (double height = 0.8; height < 1.65; height += 0.4) assert_true(fabs(wet_part(height, 5) - 1) < 0.05);
    assert_true(wet_part(2.1, 5) == 0);
}

/* How much of a ball is left that lies at (x, y, 0) beside a plane so wide, in spacings, at the origin. */
static double part_beside_plane(double wide, double x, double y)
{
    mn_scene *scene = plane_scene(wide, 20);
    mn_barrier *barrier = mn_barrier_new(scene, say);
    fill_ball(4);
    for (int i = 0; i < count; i++) points[3 * i] += x, points[3 * i + 1] += y;
    mn_surface s = mesh_of(&(mn_surface_options){
        .spacing = 1, .smoothing = -1, .hollows = -1, .wall = mn_barrier_distance, .walls = barrier});
    assert_closed(&s, 1);
    const double part = volume_of(&s) / count;
    mn_surface_free(&s);
    mn_barrier_free(barrier);
    mn_scene_free(scene);
    return part;
}

/* A ball beside a plane and lower than it, and one far below it, are whole; one that lies across its edge is cut. One
 * behind a plate is whole. */
static void planes_end_with_their_sheet(void **state)
{
    (void)state;
    assert_true(fabs(part_beside_plane(20, 18, -3) - 1) < 0.02);
    assert_true(fabs(part_beside_plane(20, 0, -20) - 1) < 0.02);
    assert_true(part_beside_plane(20, 10.5, -3) < 0.8);
    assert_true(fabs(part_beside_plane(4, 0, -5.5) - 1) < 0.02);
}

/* Over the rim and down outside; a ball that hangs in the water; random particles among walls. */
static void walls_leave_meshes_closed(void **state)
{
    (void)state;
    mn_scene *scene = tank_scene("  - name: ball\n    shapes:\n      - sphere: {centre: [6, 7, 6], radius: 2.5}\n");
    mn_barrier *barrier = mn_barrier_new(scene, say);
    const mn_surface_options opt = {
        .spacing = 1, .smoothing = -1, .hollows = -1, .wall = mn_barrier_distance, .walls = barrier};
    for (int kind = 0; kind < 6; kind++) {
        fill_tank(0.15);
        if (kind > 0) count = 0;
        const double wide = 10 + 5 * kind;
        for (int i = 0; i < 1500 && kind; i++) add(wide * unit() - 3, wide * unit() - 2, wide * unit() - 3);
        mn_surface s = mesh_of(&opt);
        assert_closed(&s, 1);
        assert_true(s.vertex_count > 100);
        mn_surface_free(&s);
    }
    mn_barrier_free(barrier);
    mn_scene_free(scene);
}

/* A drop that has left the tank through its open top lies outside of it; nothing of it may be lost. */
static void liquid_outside_a_container_is_kept(void **state)
{
    (void)state;
    mn_scene *scene = tank_scene("");
    mn_barrier *barrier = mn_barrier_new(scene, say);
    fill_ball(4);
    for (int i = 0; i < count; i++) points[3 * i] -= 12, points[3 * i + 1] += 8, points[3 * i + 2] += 5;
    mn_surface s = mesh_of(&(mn_surface_options){
        .spacing = 1, .smoothing = -1, .hollows = -1, .wall = mn_barrier_distance, .walls = barrier});
    assert_closed(&s, 1);
    assert_true(fabs(volume_of(&s) / count - 1) < 0.02);
    mn_surface_free(&s);
    /* And above the rim there is nothing that cuts it. */
    for (int i = 0; i < count; i++) points[3 * i] += 12, points[3 * i + 1] += 18;
    s = mesh_of(&(mn_surface_options){
        .spacing = 1, .smoothing = -1, .hollows = -1, .wall = mn_barrier_distance, .walls = barrier});
    assert_int_equal(euler(&s), 2);
    assert_true(fabs(volume_of(&s) / count - 1) < 0.02);
    mn_surface_free(&s);
    mn_barrier_free(barrier);
    mn_scene_free(scene);
}

/* Distances to a cup without a lid and to a funnel: along the side, past an opening to the rim. */
static void open_ends_are_no_wall(void **state)
{
    (void)state;
    mn_scene *scene = tank_scene("  - shapes: [{cylinder: {centre: [100, 5, 0], radius: 6, height: 10, inside_out: "
                                 "true, open: [top]}}]\n");
    for (int k = 0; k < 6; k++) scene->walls[0].shapes[0].open[k] = true; /* the tank is gone */
    mn_barrier *barrier = mn_barrier_new(scene, say);
    static const struct {
        double x[3], distance;
    } cases[] = {{{100, 9, 0}, 6},   {{102, 9, 0}, 4},  {{100, 1, 0}, 1},      {{100, 10, 0}, 6},
                 {{100, 18, 0}, 10}, {{107, 5, 0}, -1}, {{107, 13, 0}, 3.1623}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double gap;
        const double d = mn_barrier_distance(barrier, cases[k].x, 50, &gap);
        assert_float_equal(d, cases[k].distance, 1e-3);
    }
    mn_barrier_free(barrier);
    mn_scene_free(scene);
    scene = tank_scene("  - shapes: [{cone: {centre: [100, 6, 0], radius: 3, top_radius: 12, height: 12, open: "
                       "[bottom, top]}}]\n");
    for (int k = 0; k < 6; k++) scene->walls[0].shapes[0].open[k] = true;
    barrier = mn_barrier_new(scene, say);
    for (int way = -1; way <= 1; way += 2) { /* on both sides of its slope, 3-4-5 */
        double gap;
        const double x[3] = {100 + 7.5 + way * 2 * 0.8, 6 - way * 2 * 0.6, 0};
        assert_float_equal(mn_barrier_distance(barrier, x, 50, &gap), 2, 1e-3);
    }
    mn_barrier_free(barrier);
    mn_scene_free(scene);
}

/* A hollow of triangles with a rim: water in it ends at them, one ball beyond the rim and one below are whole. */
static void sheets_cut_the_liquid(void **state)
{
    (void)state;
    enum { SIDE = 14 };
    char path[] = "/tmp/mn_sheet_XXXXXX.obj", text[400];
    FILE *file = fdopen(mkstemps(path, 4), "w");
    assert_non_null(file);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double x = 2.0 * (i % SIDE) - 13, z = 2.0 * (i / SIDE) - 13;
        fprintf(file, "v %g %g %g\n", x, 0.03 * (x * x + z * z), z);
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        if (i % SIDE < SIDE - 1 && i / SIDE < SIDE - 1)
            fprintf(file, "f %d %d %d %d\n", i + 1, i + 1 + SIDE, i + 2 + SIDE, i + 2);
    fclose(file);
    snprintf(text, sizeof text,
             "particles: {spacing: 1}\ntime: {step: 0.001, end: 1}\n"
             "fluids: [{shapes: [{box: {min: [0, 1, 0], max: [8, 6, 8]}}]}]\n"
             "walls: [{shapes: [{mesh: {file: %s, open: true}}]}]\n",
             path);
    mn_scene *scene = mn_scene_parse(text, strlen(text), "test", NULL, 0, say);
    for (int i = 0; i < mn_messages_count(say); i++) print_message("%s\n", mn_messages_get(say, i).text);
    assert_non_null(scene);
    mn_barrier *barrier = mn_barrier_new(scene, say);
    assert_non_null(barrier);
    double gap;
    assert_true(mn_barrier_distance(barrier, (double[3]){0.3, 1, 0.2}, 4, &gap) > 0.5);
    assert_true(mn_barrier_distance(barrier, (double[3]){0.3, -1, 0.2}, 4, &gap) < -0.5);
    assert_true(mn_barrier_distance(barrier, (double[3]){15, 4, 0}, 4, &gap) > 1);
    count = 0;
    for (int i = 0; i < 20 * 20 * 6; i++) {
        const double x = i % 20 - 9.5, z = i / 20 % 20 - 9.5, y = i / 400 + 1.2;
        if (mn_barrier_distance(barrier, (double[3]){x, y, z}, 4, &gap) > 1.05) add(x, y, z);
    }
    mn_surface s = mesh_of(&(mn_surface_options){
        .spacing = 1, .smoothing = -1, .hollows = -1, .wall = mn_barrier_distance, .walls = barrier});
    assert_closed(&s, 1);
    int on_sheet = 0;
    for (int32_t v = 0; v < s.vertex_count; v++) {
        const float *p = s.position + 3 * v;
        const double d = mn_barrier_distance(barrier, (double[3]){(double)p[0], (double)p[1], (double)p[2]}, 4, &gap);
        assert_true(d > -0.05);
        on_sheet += d < 1e-3;
    }
    assert_true(on_sheet > 500);
    mn_surface_free(&s);
    const double away[2][3] = {{20, 6, 0}, {0, -9, 0}};
    for (int k = 0; k < 2; k++) {
        fill_ball(4);
        for (int i = 0; i < 3 * count; i++) points[i] += (float)away[k][i % 3];
        s = mesh_of(&(mn_surface_options){
            .spacing = 1, .smoothing = -1, .hollows = -1, .wall = mn_barrier_distance, .walls = barrier});
        assert_closed(&s, 1);
        assert_true(fabs(volume_of(&s) / count - 1) < 0.02);
        mn_surface_free(&s);
    }
    mn_barrier_free(barrier);
    mn_scene_free(scene);
    remove(path);
}

/* At the faces of a periodic box the liquid is cut, in full. */
static void periodic_faces_cut_the_liquid(void **state)
{
    (void)state;
    static const char text[] =
        "particles: {spacing: 1}\ntime: {step: 0.001, end: 1}\n"
        "domain: {min: [0, 0, 0], max: [8, 20, 8], periodic: [x, z]}\n"
        "fluids:\n  - {name: water, density: 1000, shapes: [{box: {min: [0, 1, 0], max: [8, 6, 8]}}]}\n";
    mn_scene *scene = mn_scene_parse(text, sizeof text - 1, "test", NULL, 0, say);
    assert_non_null(scene);
    mn_barrier *barrier = mn_barrier_new(scene, say);
    assert_false(mn_barrier_empty(barrier));
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 5; y++)
            for (int z = 0; z < 8; z++) add(x + 0.5 + shake(0.1), y + 5.5 + shake(0.1), z + 0.5 + shake(0.1));
    mn_surface s = mesh_of(&(mn_surface_options){
        .spacing = 1, .smoothing = -1, .hollows = -1, .wall = mn_barrier_distance, .walls = barrier});
    assert_closed(&s, 1);
    assert_int_equal(euler(&s), 2);
    assert_true(fabs(volume_of(&s) / count - 1) < 0.02);
    for (int32_t v = 0; v < s.vertex_count; v++) {
        const float *p = s.position + 3 * v;
        assert_true(p[0] > -1e-3f && p[0] < 8.001f && p[2] > -1e-3f && p[2] < 8.001f);
    }
    mn_surface_free(&s);
    mn_barrier_free(barrier);
    mn_scene_free(scene);
}

/* Oil on water: two closed meshes that share their border. */
static void liquids_have_a_mesh_each(void **state)
{
    (void)state;
    fill_ball(7);
    int32_t *liquid = malloc((size_t)count * sizeof *liquid);
    for (int i = 0; i < count; i++) liquid[i] = points[3 * i + 1] > 0.5f;
    const mn_frame_field field = {"position", MN_FRAME_FLOAT, 3, points};
    const mn_frame frame = {0.5, count, &field, 1};
    mn_surface s[2];
    const mn_surface_options opt = {.spacing = 1, .smoothing = -1, .hollows = -1, .liquid = liquid, .liquid_count = 2};
    assert_int_equal(mn_surface_make(&frame, &opt, s, say), MN_OK);
    double farthest = 0, volume = 0;
    int shared = 0;
    for (int k = 0; k < 2; k++) {
        assert_closed(&s[k], 1);
        assert_int_equal(euler(&s[k]), 2);
        volume += volume_of(&s[k]);
    }
    for (int32_t v = 0; v < s[0].vertex_count; v++) {
        const float *p = s[0].position + 3 * v;
        float nearest = 1e9f;
        if (fabsf(p[1] - 0.3f) > 0.5f || p[0] * p[0] + p[2] * p[2] > 16) continue;
        for (int32_t w = 0; w < s[1].vertex_count; w++) {
            const float *q = s[1].position + 3 * w, d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
            nearest = fminf(nearest, sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        }
        farthest = fmax(farthest, (double)nearest);
        shared++;
    }
    assert_true(shared > 100 && farthest < 0.02);
    assert_true(fabs(volume / count - 1) < 0.05);
    mn_surface_free(&s[0]);
    mn_surface_free(&s[1]);
    free(liquid);
}

/* A ball of liquid deep inside another, far from any free surface: its mesh is the ball, not the blocks around it. */
static void a_liquid_within_another_has_its_shape(void **state)
{
    (void)state;
    fill_ball(22);
    int32_t *liquid = malloc((size_t)count * sizeof *liquid), inside = 0;
    for (int i = 0; i < count; i++) {
        const float *p = points + 3 * i;
        liquid[i] = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > 25;
        inside += !liquid[i];
    }
    const mn_frame_field field = {"position", MN_FRAME_FLOAT, 3, points};
    const mn_frame frame = {0.5, count, &field, 1};
    mn_surface s[2];
    const mn_surface_options opt = {.spacing = 1, .smoothing = -1, .hollows = -1, .liquid = liquid, .liquid_count = 2};
    assert_int_equal(mn_surface_make(&frame, &opt, s, say), MN_OK);
    print_message("%d particles, volume %.1f\n", inside, volume_of(&s[0]));
    assert_closed(&s[0], 1);
    assert_true(fabs(volume_of(&s[0]) / inside - 1) < 0.1);
    for (int32_t v = 0; v < s[0].vertex_count; v++) {
        const float *p = s[0].position + 3 * v;
        assert_true(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] < 36);
    }
    mn_surface_free(&s[0]);
    mn_surface_free(&s[1]);
    free(liquid);
}

/* ---------------------------------------------------------------------------------------------- bad input */

static void refuse(mn_surface_options opt, const char *words)
{
    const mn_frame_field field = {"position", MN_FRAME_FLOAT, 3, points};
    const mn_frame frame = {0.5, count, &field, 1};
    mn_surface s;
    mn_messages_clear(say);
    assert_int_equal(mn_surface_make(&frame, &opt, &s, say), MN_BAD_INPUT);
    assert_null(s.position);
    assert_int_equal(mn_messages_errors(say), 1);
    assert_non_null(strstr(mn_messages_get(say, 0).text, words));
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    fill_ball(6);
    refuse((mn_surface_options){.spacing = 0}, "spacing");
    refuse((mn_surface_options){.spacing = 1, .cell = -1}, "cell");
    refuse((mn_surface_options){.spacing = 1, .cell = NAN}, "cell");
    refuse((mn_surface_options){.spacing = 1, .cell = 1.5}, "cell");
    refuse((mn_surface_options){.spacing = 1, .smoothing = 21}, "smoothing");
    refuse((mn_surface_options){.spacing = 1, .smoothing = NAN}, "smoothing");
    refuse((mn_surface_options){.spacing = 1, .cell = 1e-3}, "GB");
    refuse((mn_surface_options){.spacing = 1, .cell = 1e-30}, "cell");
    refuse((mn_surface_options){.spacing = 1, .cell = 0.01, .memory = 1e8}, "GB");
    points[7] = INFINITY;
    refuse((mn_surface_options){.spacing = 1}, "finite");
    points[7] = 3e30f;
    refuse((mn_surface_options){.spacing = 1}, "apart");
}

/* The estimate that guards the memory is of the right size. */
static void memory_is_estimated(void **state)
{
    (void)state;
    fill_ball(10);
    refuse((mn_surface_options){.spacing = 1, .memory = 1e6, .smoothing = -1, .hollows = -1}, "GB");
    mn_messages_clear(say);
    mn_surface s = mesh_of(&(mn_surface_options){.spacing = 1, .memory = 1e8, .smoothing = -1, .hollows = -1});
    mn_surface_free(&s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(no_particles_no_mesh),
        TEST(one_particle_is_a_round_drop),
        TEST(spray_is_round),
        TEST(random_particles_give_closed_meshes),
        TEST(regular_particles_give_closed_meshes),
        TEST(fine_cells_give_closed_meshes),
        TEST(films_of_one_layer_have_no_holes),
        TEST(threads_of_particles_hold_together),
        TEST(blobs_keep_their_volume),
        TEST(bubbles_are_kept),
        TEST(gaps_between_particles_are_filled),
        TEST(gaps_at_walls_are_filled),
        TEST(drops_at_rest_are_round),
        TEST(the_mesh_does_not_depend_on_threads),
        TEST(particles_give_their_fields),
        TEST(liquid_reaches_its_walls_and_ends_there),
        TEST(water_at_rest_is_flat),
        TEST(liquid_that_rests_high_touches_its_wall),
        TEST(planes_end_with_their_sheet),
        TEST(walls_leave_meshes_closed),
        TEST(liquid_outside_a_container_is_kept),
        TEST(open_ends_are_no_wall),
        TEST(sheets_cut_the_liquid),
        TEST(periodic_faces_cut_the_liquid),
        TEST(liquids_have_a_mesh_each),
        TEST(a_liquid_within_another_has_its_shape),
        TEST(bad_input_is_refused),
        TEST(memory_is_estimated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
