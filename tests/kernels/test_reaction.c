/* What a moving wall does to the liquid it gets back: in every step the momentum of the liquid changes by minus the
 * force on the wall times the step, for each model that acts against walls, on every backend, and where the wall
 * stands across a periodic face: to rounding, implicit models too. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/kernel_world.h"
#include "boundary/points.h"
#include "core/world.h"

enum { BACKENDS = 3 };

typedef struct outcome {
    /* largest difference over the steps, relative to the magnitudes of the forces on the points and a share of the
     * liquid's momentum */
    double error;
    uint64_t state;
    double force[3]; /* of the last step */
} outcome;

static outcome push(const char *models, const char *domain, const char *backend)
{
    char text[2048];
    snprintf(text, sizeof text,
             "particles: {spacing: 0.05}\n"
             "%s"
             "gravity: [0, 0, 0]\n"
             "time: {step: 0.001, end: 1}\n"
             "%s"
             "    shapes: [{box: {grid: [12, 8, 8], origin: [0.3, 0.025, 0.025]}}]\n"
             "walls:\n"
             "  - name: ram\n"
             "    friction: 0.7\n"
             "    adhesion: 1.5\n"
             "    shapes: [{box: {min: [0.05, 0.1, 0.1], max: [0.26, 0.3, 0.3]}}]\n"
             "    motion: {velocity: [4, 0.2, 0], angular_velocity: [0, 0, 2]}\n",
             domain, models);
    mn_messages *say = mn_messages_new();
    mn_options options = mn_default_options();
    options.backend = backend;
    options.threads = 2;
    mn_scene *scene = mn_scene_parse(text, strlen(text), "push.yaml", NULL, 0, say);
    if (!scene) fail_msg("%s\n%s", mn_messages_get(say, 0).text, text);
    mn_world *w = mn_world_new(scene, &options, say);
    assert_non_null(w);
    const int n = mn_boundary_of(w)->active;
    assert_true(n > 50);
    /* nothing else asks for the force on a driven wall */
    mn_boundary_of(w)->without_lists = w->layout.without_lists = 0;
    double(*force)[3] = calloc((size_t)n, sizeof *force);
    outcome out = {0};
    double before[4] = {0}, after[4];
    for (int step = 0; step < 12; step++) {
        mn_run_sum(w, MN_KERNEL_momentum, MN_NO_ARG, before);
        assert_int_equal(mn_step(w, say), MN_OK);
        mn_run_sum(w, MN_KERNEL_momentum, MN_NO_ARG, after);
        assert_true(mn_boundary_forces(w, force));
        /* rounding of the velocities: 3e-7 of sum m |v| at most */
        double sum[3] = {0}, size = 0.03 * sqrt(2 * 96 * after[3]) / w->dt + 1e-2;
        for (int b = 0; b < n; b++)
            for (int a = 0; a < 3; a++) sum[a] += force[b][a], size += fabs(force[b][a]);
        for (int a = 0; a < 3; a++) out.error = fmax(out.error, fabs((after[a] - before[a]) / w->dt + sum[a]) / size);
        memcpy(out.force, sum, sizeof sum);
    }
    out.state = mn_world_hash(w);
    free(force);
    mn_world_free(w);
    mn_scene_free(scene);
    mn_messages_free(say);
    return out;
}

typedef struct row {
    const char *models;
    double tolerance;
} row;
static const row rows[] = {
    {"pressure: {model: dfsph}\nfluids:\n  - density: 1000\n", 3e-7},
    {"pressure: {model: dfsph, wall_weight: 1.7}\nfluids:\n  - density: 1000\n", 3e-7},
    {"pressure: {model: dfsph, iteration: jacobi}\nfluids:\n  - density: 1000\n", 3e-7},
    {"pressure: {model: iisph}\nfluids:\n  - density: 1000\n    viscosity: {model: standard, viscosity: 0.02, "
     "wall_viscosity: "
     "0.1}\n",
     3e-7},
    {"pressure: {model: iisph}\nfluids:\n  - density: 1000\n    viscosity: {model: fitted, viscosity: 0.02, "
     "wall_viscosity: 0.1}\n",
     3e-7},
    {"pressure: {model: pcisph}\nfluids:\n  - density: 800\n    viscosity: {model: artificial, alpha: 0.1, wall_alpha: "
     "0.5}\n",
     3e-7},
    {"pressure: {model: wcsph}\nfluids:\n  - density: 1000\n    viscosity: {model: xsph, strength: 0.1, wall_strength: "
     "0.3}\n",
     3e-7},
    {"pressure: {model: dfsph}\nfluids:\n  - density: 1000\n    tension: {model: akinci2013, cohesion: 2, curvature: "
     "1, adhesion: "
     "20}\n",
     3e-7},
    {"pressure: {model: iisph}\nfluids:\n  - density: 1000\n    tension: {model: wang2017, adhesion: 500}\n", 3e-7},
    {"pressure: {model: dfsph}\nfluids:\n  - density: 1000\n    surface: orthmann2013\n    tension: {model: "
     "lafaurie1994, tension: "
     "200}\n",
     3e-7},
    {"pressure: {model: dfsph}\nfluids:\n  - density: 1000\n    tension: {model: jeske2023, cohesion: 200, adhesion: "
     "500, implicit: "
     "0}\n",
     3e-7},
    {"pressure: {model: dfsph}\nfluids:\n  - density: 1000\n    viscosity: {model: weiler2018, viscosity: 0.1, "
     "wall_viscosity: 1}"
     "\n",
     1e-6},
    {"pressure: {model: dfsph}\nfluids:\n  - density: 1000\n    viscosity: {model: weiler2018, viscosity: 1e-4, "
     "wall_viscosity: "
     "1e-3}\n",
     3e-7},
    {"pressure: {model: dfsph}\nfluids:\n  - density: 1000\n    tension: {model: jeske2023, cohesion: 5000, adhesion: "
     "9000}\n"
     "    viscosity: {model: weiler2018, viscosity: 0.1, wall_viscosity: 1}\n",
     1e-6},
    {"pressure: {model: dfsph}\nfluids:\n  - density: 1000\n"
     "    tension: {model: jeske2023, cohesion: 5000, adhesion: 9000, pressure_coupling: 3}\n",
     1e-6},
    {"pressure: {model: dfsph}\nfluids:\n  - density: 1000\n"
     "    tension: {model: jeske2023, cohesion: 5000, adhesion: 9000, pressure_coupling: 3, printed: 1}\n",
     1e-6},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void liquid_loses_what_the_wall_gets(void **state)
{
    (void)state;
    for (int r = 0; r < ROWS; r++) {
        outcome got[BACKENDS];
        int b = 0;
        for (; b < BACKENDS && kernel_backend(b); b++) {
            got[b] = push(rows[r].models, "", kernel_backend(b));
            if (!(got[b].error <= rows[r].tolerance))
                fail_msg("%s: off by %.2g of the force (%g %g %g N) with\n%s", kernel_backend(b), got[b].error,
                         got[b].force[0], got[b].force[1], got[b].force[2], rows[r].models);
        }
        if (b > 2) assert_int_equal(got[1].state, got[2].state);
    }
}

static void across_a_periodic_face_too(void **state)
{
    (void)state;
    static const char box[] = "domain: {min: [0, 0.2, 0], max: [1.2, 0.65, 0.45], periodic: [x, y, z]}\n";
    for (int r = 0; r < ROWS; r += 3) {
        outcome got[BACKENDS];
        int b = 0;
        for (; b < BACKENDS && kernel_backend(b); b++) {
            got[b] = push(rows[r].models, box, kernel_backend(b));
            if (!(got[b].error <= rows[r].tolerance))
                fail_msg("%s: off by %.2g of the force with\n%s", kernel_backend(b), got[b].error, rows[r].models);
        }
        if (b > 2) assert_int_equal(got[1].state, got[2].state);
    }
}

/* Two fluids with different parameters of one model, beside a free body that moves: whatever acts between any two of
 * the three, the momentum of all together stays. */
static double drift(const char *one, const char *other, const char *backend)
{
    char text[2048];
    const double mass = 20;
    snprintf(text, sizeof text,
             "particles: {spacing: 0.05}\n"
             "gravity: [0, 0, 0]\n"
             "time: {step: 0.001, end: 1}\n"
             "fluids:\n"
             "  - density: 1000\n    velocity: [0.5, 0.2, 0]\n%s"
             "    shapes: [{box: {grid: [6, 6, 6], origin: [0.025, 0.025, 0.025]}}]\n"
             "  - density: 1000\n    velocity: [-0.7, 0, 0.3]\n%s"
             "    shapes: [{box: {grid: [6, 6, 6], origin: [0.324, 0.03, 0.022]}}]\n"
             "bodies:\n"
             "  - mass: %g\n    friction: 0.7\n    adhesion: 1.5\n    velocity: [0.4, 1, 0]\n"
             "    shapes: [{box: {min: [0.1, -0.25, 0.02], max: [0.5, -0.02, 0.28]}}]\n",
             one, other, mass);
    mn_messages *say = mn_messages_new();
    mn_options options = mn_default_options();
    options.backend = backend;
    mn_scene *scene = mn_scene_parse(text, strlen(text), "drift.yaml", NULL, 0, say);
    if (!scene) fail_msg("%s\n%s", mn_messages_get(say, 0).text, text);
    mn_world *w = mn_world_new(scene, &options, say);
    assert_non_null(w);
    double fluid[4], start[3], all = 0, worst = 0;
    for (int step = 0; step <= 8; step++) {
        mn_run_sum(w, MN_KERNEL_momentum, MN_NO_ARG, fluid);
        const mn_body_motion body = mn_world_body(w, 0);
        for (int a = 0; a < 3; a++) {
            const double now = fluid[a] + mass * body.velocity[a];
            if (step == 0) start[a] = now, all += mass * fabs(body.velocity[a]) + sqrt(2 * 54 * fluid[3]);
            else worst = fmax(worst, fabs(now - start[a]) / all);
        }
        if (step < 8) assert_int_equal(mn_step(w, say), MN_OK);
    }
    mn_world_free(w);
    mn_scene_free(scene);
    mn_messages_free(say);
    return worst;
}

static void differing_fluids_and_a_body_keep_momentum(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"    tension: {model: akinci2013, cohesion: 20, curvature: 5, adhesion: 20}\n",
         "    tension: {model: akinci2013, cohesion: 5, curvature: 20, adhesion: 5}\n"},
        {"    tension: {model: wang2017, cohesion: 20, curvature: 5, adhesion: 500}\n",
         "    tension: {model: wang2017, cohesion: 5, curvature: 20, adhesion: 100}\n"},
        {"    tension: {model: becker2007, strength: 1}\n",
         "    tension: {model: becker2007, strength: 0.2, clamp: 1}\n"},
        {"    tension: {model: tartakovsky2005, strength: 1}\n",
         "    tension: {model: tartakovsky2005, strength: 5, displacement: 1}\n"},
        {"    tension: {model: he2014, strength: 0.1}\n", "    tension: {model: he2014, strength: 0.5}\n"},
        {"    tension: {model: jeske2023, cohesion: 200, adhesion: 500}\n",
         "    tension: {model: jeske2023, cohesion: 900, adhesion: 90}\n"},
        {"    tension: {model: jeske2023, cohesion: 200, adhesion: 500, implicit: 0}\n",
         "    tension: {model: jeske2023, cohesion: 900, adhesion: 90, implicit: 0}\n"},
        {"    viscosity: {model: standard, viscosity: 0.1, wall_viscosity: 0.3}\n",
         "    viscosity: {model: standard, viscosity: 0.02, wall_viscosity: 0.1}\n"},
        {"    viscosity: {model: fitted, viscosity: 0.1, wall_viscosity: 0.3}\n",
         "    viscosity: {model: fitted, viscosity: 0.02, wall_viscosity: 0.1}\n"},
        {"    viscosity: {model: artificial, alpha: 0.1, wall_alpha: 0.5, sound_speed: 40, surface_correction: 1}\n",
         "    viscosity: {model: artificial, alpha: 0.4, wall_alpha: 0.2, sound_speed: 10}\n"},
        {"    viscosity: {model: xsph, strength: 0.1, wall_strength: 0.3}\n",
         "    viscosity: {model: xsph, strength: 0.3, wall_strength: 0.1}\n"},
        {"    viscosity: {model: weiler2018, viscosity: 0.1, wall_viscosity: 0.3}\n",
         "    viscosity: {model: weiler2018, viscosity: 0.02, wall_viscosity: 0.1}\n"},
    };
    for (size_t r = 0; r < sizeof pairs / sizeof *pairs; r++)
        for (int b = 0; kernel_backend(b); b++) {
            const double off = drift(pairs[r][0], pairs[r][1], kernel_backend(b));
            if (!(off < 1e-6)) fail_msg("%s: momentum drifts by %.2g with\n%s", kernel_backend(b), off, pairs[r][0]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(liquid_loses_what_the_wall_gets),
                                       cmocka_unit_test(across_a_periodic_face_too),
                                       cmocka_unit_test(differing_fluids_and_a_body_keep_momentum)};
    return cmocka_run_group_tests_name("reaction", tests, NULL, NULL);
}
