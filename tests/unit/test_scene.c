/* Scene files: every key arrives, defaults are filled in, what is written reads back, wrong files are refused where
 * they are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scene/scene.h"

static mn_messages *say;

static int begin(void **state)
{
    (void)state;
    say = mn_messages_new();
    return 0;
}

static int finish(void **state)
{
    (void)state;
    mn_messages_free(say);
    return 0;
}

#define SMALL "particles: {spacing: 0.1}\ntime: {end: 1}\nfluids:\n  - name: water\n    shapes: [sphere: {radius: 1}]\n"

static mn_scene *parse_with(const char *text, const char *const *sets, int count)
{
    mn_messages_clear(say);
    return mn_scene_parse(text, strlen(text), "test.yaml", sets, count, say);
}

/* A scene that has to be good. */
static mn_scene *parse(const char *text)
{
    mn_scene *scene = parse_with(text, NULL, 0);
    for (int i = 0; !scene && i < mn_messages_count(say); i++) print_message("%s\n", mn_messages_get(say, i).text);
    assert_non_null(scene);
    assert_int_equal(mn_messages_errors(say), 0);
    return scene;
}

/* The message of that line and column has to contain the text. */
static void assert_said(int line, int column, const char *text)
{
    for (int i = 0; i < mn_messages_count(say); i++) {
        mn_message m = mn_messages_get(say, i);
        if (m.line == line && m.column == column && strstr(m.text, text)) return;
    }
    for (int i = 0; i < mn_messages_count(say); i++) {
        mn_message m = mn_messages_get(say, i);
        print_message("said: %s:%d:%d: %s\n", m.file, m.line, m.column, m.text);
    }
    fail_msg("nothing at %d:%d says \"%s\"", line, column, text);
}

static void refuse(const char *text, int line, int column, const char *expected)
{
    assert_null(parse_with(text, NULL, 0));
    assert_said(line, column, expected);
}

static void assert_vector(const double v[3], double x, double y, double z)
{
    assert_float_equal(v[0], x, 1e-12);
    assert_float_equal(v[1], y, 1e-12);
    assert_float_equal(v[2], z, 1e-12);
}

static void assert_constant(const mn_curve *curve, double value)
{
    assert_int_equal(curve->count, 1);
    assert_int_equal(curve->width, 1);
    assert_true(curve->value[0] == value);
}

/* ------------------------------------------------------------- good scenes */

/* The default of the least step is one that run.yaml may hold. */
static void least_step_stays_in_its_range(void **state)
{
    (void)state;
    mn_scene *s = parse_with(SMALL, (const char *const[]){"time.adaptive.max=1e-12"}, 1);
    assert_true(s->step_max == 1e-12 && s->step_min == 1e-12);
    mn_scene_free(s);
}

static void fills_in_defaults(void **state)
{
    (void)state;
    mn_scene *s = parse(SMALL);
    assert_string_equal(s->path, "test.yaml");
    assert_string_equal(s->title, "");
    assert_true(s->spacing == 0.1 && s->end == 1 && !s->bounded);
    assert_vector(s->gravity.value, 0, -9.81, 0);
    assert_true(s->adaptive && s->step_max == 0.005 && s->step_min == 0.005 / 1000 && s->cfl == 0.4 &&
                s->force_limit == 0.25);
    assert_string_equal(s->pressure.model->key, "dfsph");
    assert_string_equal(s->iteration, "accelerated");
    assert_true(!s->isotropic && s->warm_start && s->tolerance == 0.01 && s->divergence_tolerance == 0.1);
    assert_int_equal(s->min_iterations, 2);
    assert_int_equal(s->max_iterations, 100);
    assert_true(s->frame_interval == 0.04 && s->stats_interval == 0 && s->checkpoint_interval == 0);
    assert_int_equal(s->frame_format_count, 1);
    assert_string_equal(s->frame_formats[0], "vtp");
    assert_true(s->camera.automatic && s->camera.width == 1280 && s->camera.height == 720);
    assert_string_equal(s->camera.colour, "speed");
    const mn_fluid *f = &s->fluids[0];
    assert_true(f->density == 1000 && f->sampling == MN_LATTICE && f->jitter == 0 && f->model_count == 0 &&
                f->emitter_count == 0);
    assert_int_equal(f->at.line, 4);
    assert_int_equal(f->at.column, 5);
    assert_string_equal(f->at.file, s->path);
    assert_true(f->shapes[0].scale == 1 && f->shapes[0].rotation[0] == 1 && !f->shapes[0].inside_out);
    mn_scene_free(s);
}

static void reads_the_keys_of_the_scene(void **state)
{
    (void)state;
    mn_scene *s = parse(
        "title: \"every \\\"key\\\"\"\n"
        "domain: {min: [0, -1, 0], max: [2, 3, 4], periodic: [x, z]}\n"
        "gravity: {0: [0, -9.81, 0], 2: [0, 0, 0]}\n"
        "pressure: {model: wcsph, iteration: jacobi, warm_start: false, tolerance: 0.2, divergence_tolerance: 3,\n"
        "  min_iterations: 4, max_iterations: 5, sound_speed: {0: 30, 1: 60}}\n"
        "output: {every: 0.5, fields: [id, velocity], formats: [ply, bgeo]}\n"
        "stats: {every: 0.25}\n"
        "checkpoint: {every: 7, wall: 8}\n"
        "camera: {eye: [1, 2, 3], target: [0, 0, 1], up: [0, 0, 1], fov: 33, size: [640, 480], colour: density,\n"
        "  range: [900, 1100], walls: true}\n" SMALL);
    assert_string_equal(s->title, "every \"key\"");
    assert_true(s->bounded && s->periodic[0] && !s->periodic[1] && s->periodic[2]);
    assert_vector(s->low, 0, -1, 0);
    assert_vector(s->high, 2, 3, 4);
    assert_int_equal(s->gravity.count, 2);
    assert_string_equal(s->pressure.model->key, "wcsph");
    assert_int_equal(s->pressure.params[0].count, 2);
    assert_string_equal(s->iteration, "jacobi");
    assert_true(!s->warm_start && s->tolerance == 0.2 && s->divergence_tolerance == 3);
    assert_true(s->min_iterations == 4 && s->max_iterations == 5);
    assert_true(s->frame_interval == 0.5 && s->frame_field_count == 2 && s->frame_format_count == 2);
    assert_string_equal(s->frame_fields[0], "id");
    assert_string_equal(s->frame_formats[1], "bgeo");
    assert_true(s->stats_interval == 0.25 && s->checkpoint_interval == 7 && s->checkpoint_wall == 8);
    assert_true(!s->camera.automatic && s->camera.fov == 33 && s->camera.width == 640 && s->camera.height == 480 &&
                s->camera.show_walls);
    assert_vector(s->camera.eye, 1, 2, 3);
    assert_string_equal(s->camera.colour, "density");
    assert_true(s->camera.range[0] == 900 && s->camera.range[1] == 1100);
    assert_true(s->camera.caption && s->camera.aperture == 0 && s->camera.shutter == 0 && !s->camera.grounded);
    mn_scene_free(s);
    s = parse(SMALL "camera: {ground: -2 cm}\n");
    assert_true(s->camera.grounded && s->camera.ground == -0.02 && s->camera.automatic);
    mn_scene_free(s);
}

static void reads_looks(void **state)
{
    (void)state;
    mn_scene *s =
        parse(SMALL "walls: [{shapes: [plane: {size: [1, 1]}], look: {colour: \"#ff8000\", material: metal}},\n"
                    "  {shapes: [plane: {size: [1, 1]}]}]\n"
                    "bodies: [{shapes: [sphere: {radius: 0.1}], density: 500, look: {visible: false}}]\n");
    assert_true(s->walls[0].look.visible && s->walls[0].look.material == MN_LOOK_METAL);
    assert_string_equal(s->walls[0].look.colour, "#ff8000");
    assert_true(s->walls[1].look.visible && s->walls[1].look.material == MN_LOOK_AUTO && !s->walls[1].look.colour[0]);
    assert_true(!s->bodies[0].look.visible && s->fluids[0].look.visible && s->fluids[0].look.clarity == 0);
    mn_scene_free(s);
}

static void reads_fluids_and_models(void **state)
{
    (void)state;
    mn_scene *s = parse(
        "particles: {spacing: 0.1}\ntime: {step: 0.002, end: 3}\n"
        "fluids:\n"
        "  - name: oil\n"
        "    density: 900\n"
        "    sampling: poisson\n"
        "    jitter: 0.2\n"
        "    seed: 42\n"
        "    velocity: [1, 2, 3]\n"
        "    angular_velocity: [0, 0, 4]\n"
        "    viscosity: [xsph, {model: standard, viscosity: {0: 0.5, 2: 1.5}}]\n"
        "    emitters:\n"
        "      - {disc: {radius: 0.3}, position: [0, 1, 0], direction: [0, -2, 0], speed: {0: 1, 1: 2}, start: 1, "
        "stop: 2, limit: 99}\n"
        "      - {box: {size: [0.5, 0.25]}, position: [0, 1, 0], direction: [3, 0, 4], speed: 2}\n"
        "  - shapes: [box: {grid: [2, 3, 4], origin: [1, 1, 1]}]\n"
        "    viscosity: {model: xsph, strength: 0.5}\n");
    assert_true(!s->adaptive && s->step == 0.002 && s->step_min == 0.002 && s->step_max == 0.002);
    const mn_fluid *f = &s->fluids[0];
    assert_string_equal(f->name, "oil");
    assert_true(f->density == 900 && f->sampling == MN_POISSON && f->jitter == 0.2 && f->seed == 42);
    assert_vector(f->velocity, 1, 2, 3);
    assert_vector(f->angular_velocity, 0, 0, 4);
    assert_int_equal(f->model_count, 2);
    assert_string_equal(f->models[0].model->key, "xsph");
    assert_constant(&f->models[0].params[0], f->models[0].model->params[0].value);
    assert_string_equal(f->models[1].model->key, "standard");
    double nu;
    mn_curve_at(&f->models[1].params[0], 1, &nu);
    assert_float_equal(nu, 1.0, 1e-15);
    assert_int_equal(f->models[1].at.line, 11);

    assert_int_equal(f->emitter_count, 2);
    assert_true(f->emitters[0].disc && f->emitters[0].radius == 0.3 && f->emitters[0].start == 1 &&
                f->emitters[0].stop == 2);
    assert_int_equal(f->emitters[0].limit, 99);
    assert_vector(f->emitters[0].direction, 0, -1, 0);
    assert_int_equal(f->emitters[0].speed.count, 2);
    assert_true(!f->emitters[1].disc && f->emitters[1].size[1] == 0.25 && isinf(f->emitters[1].stop));
    assert_vector(f->emitters[1].direction, 0.6, 0, 0.8);

    const mn_fluid *second = &s->fluids[1];
    assert_string_equal(second->name, "fluid2");
    assert_int_equal(second->shapes[0].grid[2], 4);
    assert_vector(second->shapes[0].size, 0.2, 0.3, 0.4);
    assert_vector(second->shapes[0].translate, 1.05, 1.1, 1.15);
    assert_constant(&second->models[0].params[0], 0.5);
    mn_scene_free(s);
}

static void reads_shapes(void **state)
{
    (void)state;
    mn_scene *s = parse(
        "particles: {spacing: 0.1}\ntime: {end: 1}\n"
        "fluids:\n"
        "  - shapes:\n"
        "      - box: {min: [0, 1, 2], max: [2, 4, 6]}\n"
        "      - box: {size: [1, 2, 3], centre: [1, 0, 0], translate: [0, 1, 0], scale: 2, rotate: [0, 0, 90]}\n"
        "      - sphere: {centre: [1, 2, 3], radius: 4, scale: [1, 0.5, 2]}\n"
        "      - cylinder: {radius: 1, height: 2, axis: [1, 0, 0]}\n"
        "      - capsule: {radius: 1, height: 2, axis: [0, -3, 0]}\n"
        "      - cone: {radius: 1, top_radius: 0.5, height: 2}\n"
        "      - torus: {radius: 1, tube: 0.25, rotate: {axis: [0, 0, 2], angle: 180}}\n"
        "walls:\n"
        "  - shapes:\n"
        "      - plane: {point: [0, 5, 0], normal: [0, 0, 1], size: [3, 4]}\n"
        "      - box: {size: [1, 1, 1], open: [top, -x], inside_out: true, rotate: [0, 1, 0, -1, 0, 0, 0, 0, 1]}\n"
        "      - cylinder: {radius: 1, height: 2, open: [top]}\n"
        "      - cone: {radius: 1, height: 2, open: [bottom, top]}\n"
        "sinks:\n"
        "  - {shape: {sphere: {radius: 2}}, start: 1, stop: 5}\n");
    const mn_shape_def *a = s->fluids[0].shapes;
    assert_vector(a[0].size, 2, 3, 4);
    assert_vector(a[0].translate, 1, 2.5, 4);
    assert_vector(a[1].translate, 1, 1, 0);
    assert_true(a[1].scale == 2);
    const double quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++) assert_true(a[1].rotation[i] == quarter[i]); /* quarter turns are exact */
    assert_true(a[2].kind == MN_SPHERE && a[2].radius == 4 && a[2].scale == 1);
    assert_vector(a[2].stretch, 1, 0.5, 2);
    /* the column of +y is where the axis goes */
    assert_vector((const double[3]){a[3].rotation[1], a[3].rotation[4], a[3].rotation[7]}, 1, 0, 0);
    assert_vector((const double[3]){a[4].rotation[1], a[4].rotation[4], a[4].rotation[7]}, 0, -1, 0);
    assert_true(a[5].radius2 == 0.5 && a[5].height == 2);
    assert_true(a[6].radius2 == 0.25 && a[6].rotation[0] == -1);
    const mn_wall *w = &s->walls[0];
    assert_string_equal(w->name, "wall1");
    assert_true(w->spacing == 0.1 && !w->motion.moving);
    assert_vector(w->shapes[0].size, 3, 0, 4);
    assert_vector(w->shapes[0].translate, 0, 5, 0);
    assert_vector((const double[3]){w->shapes[0].rotation[1], w->shapes[0].rotation[4], w->shapes[0].rotation[7]}, 0, 0,
                  1);
    assert_true(w->shapes[1].open[0] && w->shapes[1].open[3] && !w->shapes[1].open[1] && w->shapes[1].inside_out);
    assert_true(w->shapes[1].rotation[1] == 1);
    assert_true(!w->shapes[2].open[2] && w->shapes[2].open[3] && w->shapes[3].open[2] && w->shapes[3].open[3]);
    assert_true(s->sinks[0].shape.radius == 2 && s->sinks[0].start == 1 && s->sinks[0].stop == 5);
    mn_scene_free(s);
}

static void reads_walls_and_motion(void **state)
{
    (void)state;
    mn_scene *s = parse(
        SMALL "walls:\n"
              "  - name: paddle\n"
              "    shapes: [sphere: {radius: 1}]\n"
              "    spacing: 0.05\n"
              "    friction: {0: 0, 4: 2}\n"
              "    adhesion: 0.25\n"
              "    motion: {centre: [1, 0, 0], translation: {0: [0, 0, 0], 2: [4, 0, 0]}, rotation: [0, 0, 0.5],\n"
              "      velocity: [0, 1, 0], angular_velocity: [0, 0, 2]}\n");
    const mn_wall *w = &s->walls[0];
    double value[3];
    assert_true(w->spacing == 0.05 && w->motion.moving);
    mn_curve_at(&w->friction, 1, value);
    assert_float_equal(value[0], 0.5, 1e-15);
    assert_constant(&w->adhesion, 0.25);
    mn_curve_at(&w->motion.translation, 0.5, value);
    assert_vector(value, 1, 0, 0);
    mn_curve_rate(&w->motion.translation, 0.5, value);
    assert_vector(value, 2, 0, 0);
    assert_vector(w->motion.rotation.value, 0, 0, 0.5);
    assert_vector(w->motion.centre, 1, 0, 0);
    assert_vector(w->motion.velocity, 0, 1, 0);
    assert_vector(w->motion.angular_velocity, 0, 0, 2);
    mn_scene_free(s);
}

static void accepts_json_and_ignores_the_locale(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"};
    for (int i = 0; i < 4 && !setlocale(LC_NUMERIC, locales[i]); i++) {}
    mn_scene *s = parse(
        "{\"particles\": {\"spacing\": 0.125}, \"time\": {\"end\": 1.5e0}, \"fluids\": [{\"shapes\": [{\"sphere\": "
        "{\"radius\": 0.5}}], \"viscosity\": {\"model\": \"xsph\", \"strength\": {\"0\": 0.25, \"1\": 0.5}}}]}");
    assert_true(s->spacing == 0.125 && s->end == 1.5);
    char *text = mn_scene_write(s);
    assert_non_null(strstr(text, "spacing: 0.125 "));
    assert_int_equal(s->fluids[0].models[0].params[0].count, 2);
    free(text);
    mn_scene_free(s);
    setlocale(LC_NUMERIC, "C");
}

/* ------------------------------------------------------------------ writing */

/* Writing, reading and writing again gives the same text, so nothing of the first was lost or changed. */
static void assert_round_trip(const mn_scene *scene)
{
    char *first = mn_scene_write(scene);
    assert_non_null(first);
    mn_scene *again = parse(first);
    char *second = mn_scene_write(again);
    assert_string_equal(first, second);
    for (int i = 0; i < scene->fluid_count; i++)
        for (int k = 0; k < scene->fluids[i].shape_count; k++) {
            const mn_shape_def *a = &scene->fluids[i].shapes[k], *b = &again->fluids[i].shapes[k];
            assert_memory_equal(a->size, b->size, sizeof a->size);
            assert_memory_equal(a->rotation, b->rotation, sizeof a->rotation);
            assert_memory_equal(a->translate, b->translate, sizeof a->translate);
        }
    assert_true(scene->spacing == again->spacing && scene->step == again->step && scene->step_min == again->step_min);
    free(first);
    free(second);
    mn_scene_free(again);
}

static void writes_what_it_read(void **state)
{
    (void)state;
    mn_scene *s = mn_scene_load(MN_SOURCE_DIR "/tests/fuzz/corpus/scene/everything.yaml", NULL, 0, say);
    assert_non_null(s);
    assert_round_trip(s);
    mn_scene_free(s);
    s = parse("particles: {spacing: 0.1234567890123456789}\ntime: {step: 3.3333333333333335e-4, end: 1}\n"
              "fluids: [{shapes: [cone: {radius: 0.1, height: 0.7, axis: [0.3, -0.9999, 1e-9], rotate: [10, 20, 30], "
              "centre: [0.1, "
              "0.2, 0.7]}]}]\n");
    assert_round_trip(s);
    mn_scene_free(s);
}

static void writes_full_paths_of_meshes(void **state)
{
    (void)state;
    char folder[] = "/tmp/mn-scene-XXXXXX", name[80], text[400];
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/a.obj", folder);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs("v 0 0 0\n", file);
    fclose(file);
    snprintf(text, sizeof text, "%s/scene.yaml", folder);
    const char *scene = "particles: {spacing: 0.1}\ntime: {end: 1}\nfluids: [{shapes: [mesh: {file: a.obj, scale: 2, "
                        "centre: [1, 0, 0]}]}]\n";
    mn_scene *s = mn_scene_parse(scene, strlen(scene), text, NULL, 0, say);
    assert_non_null(s);
    assert_string_equal(s->fluids[0].shapes[0].file, name);
    assert_round_trip(s);
    mn_scene_free(s);
    unlink(name);
    rmdir(folder);
}

static void reads_the_scenes_that_ship(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int grid;
    } dams[] = {{"dam-30k", 31}, {"dam-100k", 46}, {"dam-500k", 80}, {"dam-1m", 100}};
    DIR *folder = opendir(MN_SOURCE_DIR "/scenes/basics");
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strstr(entry->d_name, ".yaml")) continue;
        char path[1000];
        snprintf(path, sizeof path, "%s/scenes/basics/%s", MN_SOURCE_DIR, entry->d_name);
        mn_messages_clear(say);
        mn_scene *s = mn_scene_load(path, NULL, 0, say);
        assert_non_null(s);
        assert_int_equal(mn_messages_count(say), 0);
        for (int i = 0; i < 4; i++) {
            if (strncmp(entry->d_name, dams[i].name, strlen(dams[i].name)) != 0) continue;
            double n = dams[i].grid;
            assert_true(s->spacing == 1 / n && s->step == 1 / (16 * n) && !s->adaptive);
            assert_int_equal(s->fluids[0].shapes[0].grid[1], dams[i].grid);
            assert_vector(s->fluids[0].shapes[0].origin, 1.5 / n, 1.15 / n, 1.5 / n);
            assert_vector(s->walls[0].shapes[0].size, 2 * (n + 2) / n, 2 * (n + 2) / n, (n + 2) / n);
        }
        assert_round_trip(s);
        mn_scene_free(s);
        count++;
    }
    closedir(folder);
    assert_in_range(count, 9, 1000);
}

/* --------------------------------------------------------------- overrides */

static void obeys_overrides(void **state)
{
    (void)state;
    const char *const sets[] = {"time.step=0.001",
                                "fluids.0.density=900",
                                "fluids.water.name=oil",
                                "fluids.oil.viscosity=xsph",
                                "fluids.oil.viscosity.strength={0: 0.25, 1: 0.5}",
                                "domain={min: [0, 0, 0], max: [2, 2, 2], periodic: [x]}",
                                "camera.size.0=640",
                                "gravity=[0, 0, -1]"};
    mn_scene *s = parse_with(SMALL "camera: {size: [320, 200]}\n", sets, 8);
    assert_non_null(s);
    assert_true(!s->adaptive && s->step == 0.001 && s->fluids[0].density == 900 && s->bounded && s->periodic[0]);
    assert_string_equal(s->fluids[0].name, "oil");
    assert_int_equal(s->fluids[0].models[0].params[0].count, 2);
    assert_int_equal(s->camera.width, 640);
    assert_vector(s->gravity.value, 0, 0, -1);
    assert_round_trip(s);
    mn_scene_free(s);
}

static void lets_an_overridden_step_win(void **state)
{
    (void)state;
    const char *adaptive =
        "particles: {spacing: 0.1}\ntime: {adaptive: {max: 0.01}, end: 1}\nfluids: [{shapes: [sphere: {radius: 1}]}]\n";
    const char *fixed =
        "particles: {spacing: 0.1}\ntime: {step: 0.01, end: 1}\nfluids: [{shapes: [sphere: {radius: 1}]}]\n";
    mn_scene *s = parse_with(adaptive, (const char *const[]){"time.step=0.001"}, 1);
    assert_true(s && !s->adaptive && s->step == 0.001);
    mn_scene_free(s);
    s = parse_with(fixed, (const char *const[]){"time.adaptive.max=0.002"}, 1);
    assert_true(s && s->adaptive && s->step_max == 0.002);
    mn_scene_free(s);
}

/* tests/bad/base-plain.yaml has adaptive steps and cohesion 2. */
static void builds_on_another_scene(void **state)
{
    (void)state;
    const char *text = "title: B\nbase: base-plain.yaml\nset:\n  time.step: 0.002\n  fluids.water.tension.cohesion: 3\n"
                       "  walls: [{shapes: [{sphere: {radius: 2}}]}]\n";
    const char *const sets[] = {"fluids.water.tension.cohesion=4", "time.adaptive={max: 0.003}"};
    for (int given = 0; given < 3; given++) {
        mn_messages_clear(say);
        mn_scene *s = mn_scene_parse(text, strlen(text), MN_SOURCE_DIR "/tests/bad/variation.yaml", sets, given, say);
        assert_non_null(s);
        assert_string_equal(s->title, "B");
        assert_true(s->end == 1 && s->fluids[0].models[0].params[0].value[0] == (given ? 4 : 3));
        assert_true(given < 2 ? !s->adaptive && s->step == 0.002 : s->adaptive && s->step_max == 0.003);
        assert_int_equal(s->wall_count, 1);
        assert_int_equal(s->walls[0].at.line, 6);  /* of the variation */
        assert_int_equal(s->fluids[0].at.line, 0); /* of the other file */
        assert_round_trip(s);
        mn_scene_free(s);
    }
}

static void refuses_wrong_overrides(void **state)
{
    (void)state;
    static const struct {
        const char *set, *text;
    } cases[] = {{"time.step=fast", "time.step: expected a number in s from 1e-12 to 10, found \"fast\""},
                 {"tiem.step=1", "unknown key \"tiem\"; did you mean \"time\"?"},
                 {"time.stepp=1", "time: unknown key \"stepp\"; did you mean \"step\"?"},
                 {"fluids.7.density=1", "fluids: there is no entry 7; the list has 1, counted from 0"},
                 {"fluids.watr.density=1", "no entry is named \"watr\"; did you mean \"water\"?"},
                 {"particles.spacing.x=1", "particles.spacing: expected a number in m"},
                 {"time.step", "expected KEY=VALUE"},
                 {"=1", "expected KEY=VALUE"},
                 {"time.step=", "there is no value after the ="},
                 {"time..step=1", "the path has an empty part"},
                 {"gravity=[1", "not valid YAML"},
                 {"gravity=*a", "aliases (*a) are not supported"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char file[80];
        snprintf(file, sizeof file, "--set %s", cases[i].set);
        assert_null(parse_with(SMALL, &cases[i].set, 1));
        bool found = false;
        for (int k = 0; k < mn_messages_count(say); k++) {
            mn_message m = mn_messages_get(say, k);
            found |= m.file && strcmp(m.file, file) == 0 && strstr(m.text, cases[i].text);
        }
        if (!found) fail_msg("%s: said \"%s\"", cases[i].set, mn_messages_get(say, 0).text);
    }
}

/* ------------------------------------------------------------------ errors */

static void says_all_errors_at_once(void **state)
{
    (void)state;
    assert_null(parse_with("particles: {spacing: -1}\n"
                           "time: {end: soon, stepp: 1}\n"
                           "gravity: down\n"
                           "fluids:\n"
                           "  - density: heavy\n"
                           "    shapes:\n"
                           "      - bax: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                           "    viscosity: {model: xsh}\n"
                           "domain: {min: [0, 0, 0], max: [1, -1, 1]}\n",
                           NULL, 0));
    assert_int_equal(mn_messages_errors(say), 8);
    assert_said(1, 22, "particles.spacing: expected a number in m from 1e-06 to 1000, found \"-1\"");
    assert_said(2, 13, "time.end: expected a number in s");
    assert_said(2, 19, "time: unknown key \"stepp\"; did you mean \"step\"?");
    assert_said(3, 10, "gravity: expected a list of 3 numbers in m/s^2, or keyframes");
    assert_said(5, 14, "fluids.0.density: expected a number in kg/m^3 from 0.001 to 1e+06, found \"heavy\"");
    assert_said(7, 9, "fluids.0.shapes.0: unknown shape \"bax\"; did you mean \"box\"?");
    assert_said(8, 24, "fluids.0.viscosity.model: unknown viscosity model \"xsh\"; did you mean \"xsph\"?");
    assert_said(9, 31, "domain.max: expected max above min in y, found 0 to -1");
}

static void refuses_bad_structure(void **state)
{
    (void)state;
    /* the speeds of both go to one place; under the sanitizer the first one was lost */
    refuse(SMALL "air: {flows: [{jet: {speed: {0: 1}}, vortex: {speed: 2}}]}\n", 6, 15, "expected one of uniform, jet");
    refuse("", 1, 1, "the file is empty");
    refuse("- a\n", 1, 1, "expected a mapping");
    refuse("a: &x 1\nb: *x\n", 2, 4, "aliases (*x)");
    refuse("a: 1\nb: 2\na: 3\n", 3, 1, "key \"a\" is given twice, first in line 1");
    refuse("a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]\n", 1, 35, "nested more than 32 levels deep");
    refuse("a: 1\n--- \nb: 1\n", 2, 1, "a second document");
    refuse("time: {end: 1}\n// note\nfluids: []\n", 3, 1, "a comment begins with #");
    refuse(SMALL "title: \"a\\0b\"\n", 6, 8, "the character \\0");
    refuse("time: {end: 1 // s\n}\n", 1, 13, "a comment begins with #");
}

static void refuses_large_and_repetitive_input(void **state)
{
    (void)state;
    size_t length = 9 << 20;
    char *text = malloc(length + 1);
    assert_non_null(text);
    memset(text, ' ', length);
    text[length] = 0;
    assert_null(mn_scene_parse(text, length, "test.yaml", NULL, 0, say));
    assert_non_null(strstr(mn_messages_get(say, 0).text, "expected at most"));
    /* many unknown keys: all are errors, the first 200 are kept, and it takes no time */
    size_t used = 0;
    for (int i = 0; i < 100000; i++) used += (size_t)sprintf(text + used, "key%d: %d\n", i, i);
    mn_messages_clear(say);
    assert_null(mn_scene_parse(text, used, "test.yaml", NULL, 0, say));
    assert_in_range(mn_messages_errors(say), 100000, 100010);
    assert_in_range(mn_messages_count(say), 1, 201);
    free(text);
}

static void needs_no_list_of_messages(void **state)
{
    (void)state;
    assert_null(mn_scene_parse("a: 1", 4, NULL, NULL, 0, NULL));
    assert_null(mn_scene_load("/no/such/file.yaml", NULL, 0, NULL));
    mn_scene *s = mn_scene_parse(SMALL, strlen(SMALL), NULL, NULL, 0, NULL);
    assert_non_null(s);
    mn_scene_free(s);
    mn_scene_free(NULL);
    assert_null(mn_scene_load("/tmp", NULL, 0, say));
    assert_non_null(strstr(mn_messages_get(say, 0).text, "is a directory"));
}

static void warns_of_an_empty_fluid(void **state)
{
    (void)state;
    mn_scene *s = parse(SMALL "  - name: air\n");
    assert_int_equal(mn_messages_count(say), 1);
    assert_said(6, 5, "the fluid \"air\" has neither shapes nor emitters");
    mn_scene_free(s);
}

/* ------------------------------------------------------------------ curves */

static void evaluates_curves(void **state)
{
    (void)state;
    double time[] = {1, 2, 4}, value[] = {10, 20, 0}, out;
    mn_curve curve = {3, 1, time, value};
    static const double at[][3] = {{0, 10, 0},   {1, 10, 10}, {1.5, 15, 10}, {2, 20, -10},
                                   {3, 10, -10}, {4, 0, 0},   {9, 0, 0}};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        mn_curve_at(&curve, at[i][0], &out);
        assert_float_equal(out, at[i][1], 1e-12);
        mn_curve_rate(&curve, at[i][0], &out);
        assert_float_equal(out, at[i][2], 1e-12);
    }
    double three[] = {1, 2, 3}, vector[3];
    mn_curve constant = {1, 3, time, three};
    mn_curve_at(&constant, -5, vector);
    assert_vector(vector, 1, 2, 3);
    mn_curve_rate(&constant, 5, vector);
    assert_vector(vector, 0, 0, 0);
}

/* --------------------------------------------------------------- documents */

static void documents_every_key(void **state)
{
    (void)state;
    char *schema = mn_scene_schema(), *reference = mn_scene_reference();
    assert_non_null(schema);
    assert_non_null(reference);
    static const char *const keys[] = {
        "spacing", "periodic", "divergence_tolerance", "angular_velocity", "top_radius", "inside_out", "limit",
        "motion",  "adhesion", "checkpoint",           "colour",           "wcsph",      "strength",   "sound_speed"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        assert_non_null(strstr(schema, keys[i]));
        assert_non_null(strstr(reference, keys[i]));
    }
    for (int i = 0; i < mn_model_count(); i++)
        for (int p = 0; p < mn_model_at(i)->param_count; p++)
            assert_non_null(strstr(reference, mn_model_at(i)->params[p].help));
    int depth = 0;
    bool quoted = false;
    for (const char *c = schema; *c; c++) {
        if (*c == '\\') c++;
        else if (*c == '"') quoted = !quoted;
        else if (!quoted) depth += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
        assert_in_range(depth, 0, 100);
    }
    assert_int_equal(depth, 0);
    free(schema);
    free(reference);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, finish)

/* Whatever says an error, no scene comes of it. */
static void errors_without_a_node_count_too(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "particles: {spacing: 0.1}\ntime: {end: 1}\nfluids: [{shapes: [{box: {grid: [3, 3, 3], open: [top]}}]}]\n",
        "particles: {spacing: 0.1}\ntime: {end: 1e9}\nfluids: [{emitters: [{disc: {radius: 1}, position: [0, 0, 0], "
        "direction: [0, 1, 0], speed: 1e4}]}]\n",
        "particles: {spacing: 0.1}\ntime: {end: 1}\nfluids: [{shapes: [{box: {grid: [3, 3, 3]}}]}]\n"
        "changes: [{time: 0.5, set: \"gravity=[0, 0, 0]\"}, {time: 0.2, set: \"gravity=[0, -1, 0]\"}]\n"};
    for (int k = 0; k < 3; k++) {
        if (parse_with(wrong[k], NULL, 0)) fail_msg("case %d is a scene, with %d errors", k, mn_messages_errors(say));
        assert_true(mn_messages_errors(say) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(errors_without_a_node_count_too),
        TEST(fills_in_defaults),
        TEST(least_step_stays_in_its_range),
        TEST(reads_the_keys_of_the_scene),
        TEST(reads_fluids_and_models),
        TEST(reads_shapes),
        TEST(reads_looks),
        TEST(reads_walls_and_motion),
        TEST(accepts_json_and_ignores_the_locale),
        TEST(writes_what_it_read),
        TEST(writes_full_paths_of_meshes),
        TEST(reads_the_scenes_that_ship),
        TEST(obeys_overrides),
        TEST(lets_an_overridden_step_win),
        TEST(builds_on_another_scene),
        TEST(refuses_wrong_overrides),
        TEST(says_all_errors_at_once),
        TEST(refuses_bad_structure),
        TEST(refuses_large_and_repetitive_input),
        TEST(needs_no_list_of_messages),
        TEST(warns_of_an_empty_fluid),
        TEST(evaluates_curves),
        TEST(documents_every_key),
    };
    return cmocka_run_group_tests_name("scene", tests, NULL, NULL);
}
