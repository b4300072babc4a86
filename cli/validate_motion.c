/* validate_motion.c -- what must hold whatever the liquid does: momentum without outer forces, free fall, a tank
 * that is tight. */
#include <math.h>
#include <stdio.h>

#include "scene/scene.h"
#include "validate.h"

/* Two jets of unequal size collide in a box that is periodic on all sides: pressure and viscosity between particles
 * only. */
static const char collision[] = "particles: {spacing: 0.05}\n"
                                "domain: {min: [0, 0, 0], max: [1, 1, 1], periodic: [x, y, z]}\n"
                                "gravity: [0, 0, 0]\n"
                                "time: {step: 0.002, end: 0.6}\n"
                                "fluids:\n"
                                "  - name: left\n"
                                "    velocity: [1, 0.2, 0]\n"
                                "    shapes: [{box: {grid: [8, 8, 8], origin: [0.05, 0.3, 0.3]}}]\n"
                                "    viscosity: {model: standard, viscosity: 0.005}\n"
                                "  - name: right\n"
                                "    velocity: [-0.7, 0, 0.3]\n"
                                "    shapes: [{box: {grid: [9, 12, 10], origin: [0.5, 0.25, 0.3]}}]\n"
                                "    viscosity: {model: standard, viscosity: 0.01}\n";

/* Drift against the sum of |m v|. Float carries 24 bits: a particle's velocity is off by up to 6e-8 of itself after
 * each operation on it, and such errors add up like a random walk over particles and steps. Anything that does not
 * cancel in pairs is thousands of times larger. */
mn_status validate_momentum(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    validation_run run;
    mn_status status = validation_open_text(&run, setup, collision, say) ? MN_OK : MN_BAD_INPUT;
    double first[3] = {0}, size = 0, drift = 0;
    while (status == MN_OK && mn_world_time(run.world) < run.end) {
        if (mn_world_steps(run.world) == 0) {
            const double m = 1000 * pow(run.scene->spacing, 3);
            status = validation_read(&run, "velocity", run.velocity);
            for (int64_t i = 0; i < 3 * run.count; i++)
                first[i % 3] += m * run.velocity[i], size += m * fabs((double)run.velocity[i]);
        }
        if (status == MN_OK) status = validation_step(&run, run.end);
        if (status != MN_OK) break;
        const mn_stats stats = mn_world_stats(run.world);
        for (int a = 0; a < 3; a++) drift = fmax(drift, fabs(stats.momentum[a] - first[a]) / size);
    }
    if (status == MN_OK) validation_add(out, drift, 0, 1e-7, "largest drift of momentum", "of the sum of |m v|");
    validation_close(&run);
    return status;
}

static const char falling[] = "particles: {spacing: 0.05}\n"
                              "gravity: [1, -9.81, 0]\n"
                              "time: {step: 0.002, end: 0.5}\n"
                              "fluids:\n"
                              "  - velocity: [0, 3, 0.5]\n"
                              "    shapes: [{box: {grid: [9, 8, 7], origin: [0, 0, 0]}}]\n"
                              "    viscosity: {model: standard, viscosity: 0.01}\n";

/* v = v0 + g t, and for the semi-implicit step x = x0 + v0 t + g t (t + dt)/2; no pressure arises. */
mn_status validate_free_fall(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    validation_run run;
    mn_status status = validation_open_text(&run, setup, falling, say) ? MN_OK : MN_BAD_INPUT;
    float *start = run.velocity, top = 0;
    double worst = 0;
    if (status == MN_OK) status = validation_read(&run, "position", start);
    while (status == MN_OK && mn_world_time(run.world) < run.end) {
        status = validation_step(&run, run.end);
        if (status == MN_OK) status = validation_read(&run, "pressure", run.pressure);
        for (int64_t i = 0; i < run.count && status == MN_OK; i++) top = fmaxf(top, run.pressure[i]);
    }
    if (status == MN_OK) status = validation_read(&run, "position", run.position);
    if (status == MN_OK) {
        const double v[3] = {0, 3, 0.5}, g[3] = {1, -9.81, 0}, t = mn_world_time(run.world), dt = run.scene->step;
        for (int64_t i = 0; i < 3 * run.count; i++)
            worst = fmax(worst, fabs(run.position[i] - start[i] - v[i % 3] * t - 0.5 * g[i % 3] * t * (t + dt)));
        validation_add(out, worst, 0, 1e-5, "largest deviation from the parabola", "m");
        validation_add(out, top, 0, 0, "largest pressure", "Pa");
    }
    validation_close(&run);
    return status;
}

/* Particles outside the centres of the boundary points of the tank, an inside-out box that only moves along its
 * axes. */
static int64_t outside(const validation_run *run)
{
    const mn_wall *tank = &run->scene->walls[0];
    const mn_shape_def *box = &tank->shapes[0];
    double shift[3];
    int64_t count = 0;
    mn_curve_at(&tank->motion.translation, mn_world_time(run->world), shift);
    for (int64_t i = 0; i < run->count; i++) {
        bool in = true;
        for (int a = 0; a < 3; a++)
            in = in && fabs(run->position[3 * i + a] - box->translate[a] - shift[a]) <= 0.5 * box->size[a];
        count += !in;
    }
    return count;
}

/* With one pressure solver and one kind of walls. */
static mn_status sloshing(const validation_setup *setup, const char *solver, const char *walls, validation_report *out,
                          mn_messages *say)
{
    const validation_setup with = validation_with(setup, solver);
    validation_run run;
    mn_status status = validation_open(&run, &with, "basics/sloshing", walls, say) ? MN_OK : MN_BAD_INPUT;
    int64_t most = 0;
    while (status == MN_OK && mn_world_time(run.world) < run.end) {
        status = validation_step(&run, run.end);
        if (status == MN_OK) status = validation_read(&run, "position", run.position);
        if (status != MN_OK) break;
        const int64_t now = outside(&run);
        if (now > most) most = now;
    }
    if (status == MN_OK) validation_add(out, (double)most, 0, 0, "particles outside the closed tank", "");
    validation_close(&run);
    return status;
}

#define SLOSHING(name, solver, walls)                                                                                  \
    mn_status name(const validation_setup *setup, validation_report *out, mn_messages *say)                            \
    {                                                                                                                  \
        return sloshing(setup, "pressure.model=" solver, "wall_method=" walls, out, say);                              \
    }

SLOSHING(validate_sloshing, "dfsph", "particles")
SLOSHING(validate_sloshing_iisph, "iisph", "particles")
SLOSHING(validate_sloshing_pcisph, "pcisph", "particles")
SLOSHING(validate_sloshing_wcsph, "wcsph", "particles")
SLOSHING(validate_sloshing_maps, "dfsph", "volume_maps")
SLOSHING(validate_sloshing_maps_iisph, "iisph", "volume_maps")
SLOSHING(validate_sloshing_maps_pcisph, "pcisph", "volume_maps")
SLOSHING(validate_sloshing_maps_wcsph, "wcsph", "volume_maps")

/* ------------------------------------------------------------------------------------------------ containers */

/* Closed containers of 9 to 20 spacings, turned about an oblique axis and shaken along another, for 2 s; the domain
 * ends three spacings and a half beyond what they reach, so that whatever has come through falls out of it. */
static const struct {
    const char *shape, *fluid;
    double reach; /* m from the centre */
} containers[] = {
    {"box: {min: [-0.05, -0.045, -0.055], max: [0.05, 0.045, 0.055], inside_out: true}",
     "{grid: [6, 4, 6], origin: [-0.025, -0.02, -0.025]}", 0.088},
    {"sphere: {radius: 0.05, inside_out: true}", "{grid: [4, 4, 4], origin: [-0.015, -0.015, -0.015]}", 0.05},
    {"cylinder: {radius: 0.05, height: 0.1, inside_out: true}", "{grid: [4, 4, 4], origin: [-0.015, -0.015, -0.015]}",
     0.071},
    {"cone: {radius: 0.1, height: 0.125, inside_out: true}", "{grid: [4, 2, 4], origin: [-0.015, -0.04, -0.015]}",
     0.12},
    {"capsule: {radius: 0.05, height: 0.05, inside_out: true}", "{grid: [4, 4, 4], origin: [-0.015, -0.015, -0.015]}",
     0.075},
    {"torus: {radius: 0.1, tube: 0.04, inside_out: true}", "{grid: [4, 3, 4], origin: [0.085, -0.01, -0.015]}", 0.14},
};

/* Adds the particles that came through. */
static mn_status shake(const validation_setup *setup, int container, const char *solver, const char *walls,
                       int64_t *through, mn_messages *say)
{
    const double room =
        containers[container].reach + 0.095; /* twice the distance that it is shaken, and 3.5 spacings */
    char text[4000];
    int used = snprintf(
        text, sizeof text,
        "particles: {spacing: 0.01}\ntime: {adaptive: {max: 0.002}, end: 2}\npressure: {model: %s}\nwall_method: %s\n"
        "domain: {min: [%g, %g, %g], max: [%g, %g, %g]}\n"
        "fluids: [{velocity: [0.5, -0.5, 0.3], shapes: [{box: %s}], viscosity: {model: standard, viscosity: 0.001}}]\n"
        "walls: [{shapes: [{%s}], motion: {angular_velocity: [2, 4, -3], translation: {",
        solver, walls, -room, -room, -room, room, room, room, containers[container].fluid, containers[container].shape);
    for (int k = 0; k <= 68; k++) { /* along (1, 0.7, -1), there and back in 0.12 s, in triangles */
        const double shift = k % 2 ? (k % 4 == 1 ? 0.03 : -0.03) : 0;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%g: [%g, %g, %g]", k ? ", " : "", 0.03 * k, shift,
                         0.7 * shift, -shift);
    }
    snprintf(text + used, sizeof text - (size_t)used, "}}}]\n");
    validation_run run;
    mn_status status = validation_open_text(&run, setup, text, say) ? MN_OK : MN_BAD_INPUT;
    while (status == MN_OK && mn_world_time(run.world) < run.end) {
        mn_world_limit_step(run.world, run.end);
        status = mn_step(run.world, say);
    }
    if (status == MN_OK) *through += run.count - mn_world_particles(run.world);
    validation_close(&run);
    return status;
}

mn_status validate_containers(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const solvers[] = {"dfsph", "iisph", "pcisph", "wcsph"}, *const walls[] = {"particles",
                                                                                                  "volume_maps"};
    static const char *const what[2][4] = {
        {"particles through walls of boundary points, dfsph", "iisph", "pcisph", "wcsph"},
        {"particles through volume maps, dfsph", "iisph", "pcisph", "wcsph"}};
    mn_status status = MN_OK;
    for (int k = 0; k < 8 && status == MN_OK; k++) {
        int64_t through = 0;
        for (int c = 0; c < (int)(sizeof containers / sizeof *containers) && status == MN_OK; c++)
            status = shake(setup, c, solvers[k % 4], walls[k / 4], &through, say);
        if (status == MN_OK) validation_add(out, (double)through, 0, 0, what[k / 4][k % 4], "");
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ blows */

/* Closed containers that strike the water with 3 to 10 m/s, at kinks of their paths: steps end there, and begin
 * short. What comes through falls out of the domain. */
static const struct {
    const char *name, *scene;
    bool pcisph; /* else left out: it gives the water hundreds of m/s */
} blows[] = {
    {"a box thrown back and forth at 5 m/s",
     "domain: {min: [-0.7, -0.04, -0.04], max: [0.9, 0.24, 0.16]}\n"
     "fluids: [{shapes: [{box: {grid: [18, 8, 9], origin: [0.011, 0.011, 0.011]}}], viscosity: {model: standard, "
     "viscosity: "
     "0.001}}]\n"
     "walls: [{shapes: [{box: {min: [0, 0, 0], max: [0.202, 0.2, 0.102], inside_out: true}}],\n"
     "         motion: {translation: {0: [0, 0, 0], 0.1: [0.5, 0, 0], 0.2: [0, 0, 0], 0.3: [-0.5, 0, 0], 0.4: [0, 0, "
     "0], 0.5: "
     "[-0.5, 0, 0], "
     "0.6: [0, 0, 0]}}}]\n",
     false},
    {"a small box shaken and spun",
     "domain: {min: [-0.25, -0.25, -0.25], max: [0.25, 0.25, 0.25]}\n"
     "fluids: [{shapes: [{box: {grid: [8, 5, 8], origin: [-0.035, -0.045, -0.035]}}], viscosity: {model: standard, "
     "viscosity: "
     "0.001}}]\n"
     "walls: [{shapes: [{box: {min: [-0.06, -0.06, -0.06], max: [0.06, 0.06, 0.06], inside_out: true}}],\n"
     "         motion: {angular_velocity: [2, 9, -5], translation: {0: [0, 0, 0], 0.03: [0.05, 0.035, -0.05], 0.09: "
     "[-0.05, "
     "-0.035, 0.05], "
     "0.15: [0.05, 0.035, -0.05], 0.21: [-0.05, -0.035, 0.05], 0.27: [0.05, 0.035, -0.05], 0.33: [-0.05, -0.035, "
     "0.05], 0.39: "
     "[0.05, "
     "0.035, -0.05], 0.45: [-0.05, -0.035, 0.05]}}}]\n",
     true},
    {"a drum that turns four times a second",
     "domain: {min: [-0.165, -0.165, -0.1], max: [0.165, 0.165, 0.1]}\n"
     "fluids: [{shapes: [{box: {grid: [14, 8, 8], origin: [-0.065, -0.085, -0.035]}}],\n"
     "          viscosity: {model: standard, viscosity: 0.001, wall_viscosity: 0.01}}]\n"
     "walls: [{shapes: [{cylinder: {radius: 0.125, height: 0.12, axis: [0, 0, 1], inside_out: true}}], motion: "
     "{angular_velocity: "
     "[0, 0, "
     "25]}}]\n",
     true},
    {"a piston in a box",
     "domain: {min: [-0.04, -0.04, -0.04], max: [0.64, 0.24, 0.16]}\n"
     "fluids: [{shapes: [{box: {grid: [18, 8, 10], origin: [0.13, 0.011, 0.011]}}], viscosity: {model: standard, "
     "viscosity: "
     "0.001}}]\n"
     "walls:\n"
     "  - shapes: [{box: {min: [0, 0, 0], max: [0.6, 0.2, 0.112], inside_out: true}}]\n"
     "  - shapes: [{box: {min: [0.01, 0.005, 0.006], max: [0.11, 0.195, 0.106]}}]\n"
     "    motion: {translation: {0: [0, 0, 0], 0.08: [0.2, 0, 0], 0.16: [0, 0, 0], 0.22: [0.22, 0, 0], 0.28: [0, 0, "
     "0], 0.34: "
     "[0.22, 0, 0], "
     "0.4: [0, 0, 0], 0.45: [0.25, 0, 0], 0.5: [0, 0, 0]}}\n",
     true},
};
enum { BLOWS = sizeof blows / sizeof *blows };

mn_status validate_blows(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const solvers[] = {"dfsph", "iisph", "pcisph", "wcsph"}, *const walls[] = {"particles",
                                                                                                  "volume_maps"};
    mn_status status = MN_OK;
    for (int b = 0; b < BLOWS && status == MN_OK; b++) {
        int64_t through = 0;
        for (int k = 0; k < 8 && status == MN_OK; k++) {
            if (k % 4 == 2 && !blows[b].pcisph) continue;
            char text[4000];
            snprintf(text, sizeof text,
                     "particles: {spacing: 0.01}\ntime: {adaptive: {max: 0.002}, end: 0.6}\npressure: {model: "
                     "%s}\nwall_method: %s\n%s",
                     solvers[k % 4], walls[k / 4], blows[b].scene);
            validation_run run;
            status = validation_open_text(&run, setup, text, say) ? MN_OK : MN_BAD_INPUT;
            while (status == MN_OK && mn_world_time(run.world) < run.end) {
                mn_world_limit_step(run.world, run.end);
                status = mn_step(run.world, say);
            }
            if (status == MN_OK) through += run.count - mn_world_particles(run.world);
            validation_close(&run);
        }
        if (status == MN_OK) validation_add(out, (double)through, 0, 0, blows[b].name, "particles came through");
    }
    return status;
}
