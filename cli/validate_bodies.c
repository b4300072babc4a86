/* validate_bodies.c -- rigid bodies in liquid: buoyancy, neutral density, depth of immersion, momentum. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"
#include "validate.h"

static const double gravity = 9.81;

/* Runs to the end and gives the mean vertical force over the last part of it; `rise`: how far the body went up from
 * `from` to the end. */
static mn_status follow(const validation_setup *setup, const char *scene, const char *set, double part,
                        mn_messages *say, double *force, double *rise, mn_body_motion *last)
{
    validation_run run;
    mn_status status = validation_open(&run, setup, scene, set, say) ? MN_OK : MN_BAD_INPUT;
    double impulse = 0, time = 0, began = NAN;
    while (status == MN_OK && mn_world_time(run.world) < run.end * (1 - 1e-9)) {
        const double before = mn_world_time(run.world);
        status = validation_step(&run, run.end);
        *last = mn_world_body(run.world, 0);
        if (before < (1 - part) * run.end) continue;
        if (isnan(began)) began = last->position[1];
        const double dt = mn_world_time(run.world) - before;
        impulse += last->force[1] * dt, time += dt;
    }
    *force = time > 0 ? impulse / time : NAN;
    *rise = last->position[1] - began;
    validation_close(&run);
    return status;
}

/* The weight of the water that a ball and a tilted box displace. */
mn_status validate_buoyancy(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    mn_body_motion body = {0};
    double force, rise;
    mn_status status = follow(setup, "basics/buoyancy", NULL, 0.3, say, &force, &rise, &body);
    if (status == MN_OK)
        validation_add(out, force, 1000 * gravity * body.volume, 0.03, "force on a ball held under water", "N");
    if (status == MN_OK)
        status = follow(
            setup, "basics/buoyancy",
            "bodies.0.shapes=[{box: {size: [0.12, 0.12, 0.12], centre: [0.212, 0.22, 0.212], rotate: [30, 20, 10]}}]",
            0.3, say, &force, &rise, &body);
    if (status == MN_OK)
        validation_add(out, force, 1000 * gravity * body.volume, 0.03, "force on a tilted box held under water", "N");
    return status;
}

/* The density at which a ball hovers is that which its buoyancy carries; and one of the water's density, let go,
 * stays where it is. (In still water the packing of the particles holds a ball that is a few percent lighter or
 * heavier, too, so that drifting tells less than the force.) */
mn_status validate_neutral(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    mn_body_motion body = {0};
    double force, rise;
    mn_status status = follow(setup, "basics/buoyancy", NULL, 0.3, say, &force, &rise, &body);
    if (status == MN_OK)
        validation_add(out, force / (gravity * body.volume), 1000, 0.02, "density that the water carries", "kg/m^3");
    if (status == MN_OK)
        status = follow(setup, "basics/buoyancy",
                        "bodies.0={density: 1000, shapes: [{sphere: {radius: 0.07, centre: [0.212, 0.22, 0.212]}}]}",
                        0.5, say, &force, &rise, &body);
    if (status == MN_OK)
        validation_add(out, fabs(rise), 0, 0.01, "distance of a free ball of 1000 kg/m^3 in the last half of the run",
                       "m");
    return status;
}

/* Height of the surface, half a spacing above the highest particles of columns that are away from walls and body. */
static double level_of(validation_run *run, const double centre[3], double reach)
{
    enum { COLUMNS = 64 };
    const double d = run->scene->spacing;
    double top[COLUMNS][COLUMNS] = {{0}}, sum = 0, count = 0;
    for (int64_t i = 0; i < run->count; i++) {
        const float *x = run->position + 3 * i;
        const int a = (int)(x[0] / (2 * d)), b = (int)(x[2] / (2 * d));
        if (a < 0 || b < 0 || a >= COLUMNS || b >= COLUMNS) continue;
        if (fabs(x[0] - centre[0]) < reach && fabs(x[2] - centre[2]) < reach) continue;
        top[a][b] = fmax(top[a][b], x[1]);
    }
    for (int a = 1; a < COLUMNS; a++)
        for (int b = 1; b < COLUMNS; b++)
            if (top[a][b] > 0) sum += top[a][b], count++;
    return sum / count + 0.5 * d;
}

mn_status validate_floating(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    validation_run run;
    mn_status status = validation_open(&run, setup, "basics/floating-box", NULL, say) ? MN_OK : MN_BAD_INPUT;
    double depth = 0, samples = 0, tilt = 0;
    while (status == MN_OK && mn_world_time(run.world) < run.end * (1 - 1e-9)) {
        status = validation_step(&run, run.end);
        if (status != MN_OK || mn_world_time(run.world) < 0.5 * run.end) continue;
        status = validation_read(&run, "position", run.position);
        const mn_body_motion body = mn_world_body(run.world, 0);
        depth += level_of(&run, body.position, 0.08 + run.scene->spacing) - (body.position[1] - 0.06);
        tilt = fmax(tilt, 2 * acos(fmin(1, fabs(body.quaternion[0]))));
        samples++;
    }
    if (status == MN_OK) {
        validation_add(out, depth / samples - 0.06, 0, 0.5 * run.scene->spacing,
                       "immersion of a box of half the density, beyond half its height", "m");
        validation_add(out, tilt * 180 / 3.14159265358979323846, 0, 10, "its tilt", "degrees");
    }
    validation_close(&run);
    return status;
}

/* Liquid and bodies collide without outer forces; viscosity and adhesion act between them, and the bodies touch each
 * other. */
static mn_status collide(const validation_setup *setup, const char *viscosity, double *worst, double *turn,
                         mn_messages *say)
{
    static const char text[] =
        "particles: {spacing: 0.02}\n"
        "gravity: [0, 0, 0]\n"
        "time: {end: 0.25}\n"
        "fluids:\n"
        "  - velocity: [1, 0, 0]\n"
        "    shapes: [{box: {grid: [12, 12, 12], origin: [0.01, 0.01, 0.01]}}]\n"
        "    viscosity: {model: standard, viscosity: 0.01, wall_viscosity: 0.01}\n"
        "    tension: {model: akinci2013, adhesion: 1}\n"
        "bodies:\n"
        "  - density: 600\n"
        "    velocity: [-1, 0.1, 0]\n"
        "    shapes: [{box: {size: [0.12, 0.12, 0.12], centre: [0.34, 0.1, 0.13], rotate: [10, 20, 30]}}]\n"
        "  - density: 2000\n"
        "    velocity: [-2, 0, 0]\n"
        "    shapes: [{sphere: {radius: 0.05, centre: [0.52, 0.14, 0.13]}}]\n";
    const validation_setup with = validation_with(setup, viscosity);
    validation_run run;
    mn_status status = validation_open_text(&run, &with, text, say) ? MN_OK : MN_BAD_INPUT;
    double start[3] = {0}, scale = 1, first = 0;
    for (bool begun = false; status == MN_OK && mn_world_time(run.world) < run.end * (1 - 1e-9); begun = true) {
        if (!begun) { /* the statistics begin with the first step */
            scale = 1000 * (double)run.count * pow(run.scene->spacing, 3);
            start[0] = scale;
            for (int k = 0; k < 2; k++) {
                const mn_body_motion body = mn_world_body(run.world, k);
                for (int a = 0; a < 3; a++) start[a] += body.mass * body.velocity[a];
            }
            first = mn_world_body(run.world, 0).velocity[0];
        }
        status = validation_step(&run, run.end);
        const mn_stats stats = mn_world_stats(run.world);
        for (int a = 0; a < 3; a++) {
            double sum = stats.momentum[a];
            for (int k = 0; k < 2; k++) {
                const mn_body_motion body = mn_world_body(run.world, k);
                sum += body.mass * body.velocity[a];
            }
            *worst = fmax(*worst, fabs(sum - start[a]) / scale);
        }
        *turn = mn_world_body(run.world, 0).velocity[0] - first;
    }
    validation_close(&run);
    return status;
}

mn_status validate_bodies_momentum(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const struct {
        const char *viscosity, *quantity;
    } runs[] = {
        {NULL, "change of the momentum of liquid and bodies, at any moment"},
        {"fluids.0.viscosity={model: weiler2018, viscosity: 0.05, wall_viscosity: 0.1}",
         "the same, implicit viscosity"},
        {"fluids.0.viscosity={model: weiler2018, viscosity: 2, wall_viscosity: 5}", "and like syrup"},
    };
    mn_status status = MN_OK;
    for (size_t k = 0; k < sizeof runs / sizeof *runs && status == MN_OK; k++) {
        double worst = 0, turn = 0;
        status = collide(setup, runs[k].viscosity, &worst, &turn, say);
        if (status != MN_OK) break;
        validation_add(out, worst, 0, 1e-6, runs[k].quantity, "of the liquid's");
        validation_least(out, turn, 0.5, "velocity that the liquid gives the box, against its own", "m/s");
    }
    return status;
}

/* -- a drop rolls down a slope with figures on it (Akinci et al. 2013) --------------------------------------------- */

typedef struct rolling {
    double centre[3], speed, low, high; /* of the drop; mean speed along the slope of its lowest and highest tenth */
} rolling;

static int by_height(const void *a, const void *b)
{
    const float *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

static mn_status measure_drop(validation_run *run, rolling *out)
{
    mn_status status = validation_read(run, "position", run->position);
    if (status == MN_OK) status = validation_read(run, "velocity", run->velocity);
    float(*order)[2] = malloc((size_t)run->count * sizeof *order);
    if (!order) status = MN_FAILED;
    *out = (rolling){0};
    for (int64_t i = 0; i < run->count && status == MN_OK; i++) {
        for (int a = 0; a < 3; a++) out->centre[a] += run->position[3 * i + a] / (double)run->count;
        out->speed += run->velocity[3 * i] / (double)run->count;
        order[i][0] = run->position[3 * i + 1], order[i][1] = run->velocity[3 * i];
    }
    if (status == MN_OK) qsort(order, (size_t)run->count, sizeof *order, by_height);
    const int64_t tenth = run->count / 10;
    for (int64_t i = 0; i < tenth && status == MN_OK; i++) {
        out->low += order[i][1] / (double)tenth;
        out->high += order[run->count - 1 - i][1] / (double)tenth;
    }
    free(order);
    return status;
}

/* What a start gives: speeds as shares of the drop's, mean of ten moments once the first figures have landed; distances
 * of the figures from the middle of the drop at the end. */
typedef struct descent {
    double low, high, pink, green, deepest;
} descent;

static mn_status roll_down(const validation_setup *setup, const char *set, descent *out, mn_messages *say)
{
    enum { MOMENTS = 10 };
    const double first = 0.3, last = 1.2;
    validation_run run;
    mn_status status = validation_open(&run, setup, "akinci2013/rolling-drop-small", set, say) ? MN_OK : MN_BAD_INPUT;
    rolling drop = {0};
    *out = (descent){.green = INFINITY};
    for (int n = 0; n < MOMENTS && status == MN_OK; n++) {
        const double until = first + (last - first) * n / (MOMENTS - 1);
        while (status == MN_OK && mn_world_time(run.world) < until * (1 - 1e-9)) {
            status = validation_step(&run, until);
            for (int k = 0; k < mn_world_bodies(run.world); k++)
                out->deepest = fmin(out->deepest, mn_world_body(run.world, k).position[1]);
        }
        if (status == MN_OK) status = measure_drop(&run, &drop);
        out->low += drop.low / drop.speed / MOMENTS, out->high += drop.high / drop.speed / MOMENTS;
    }
    for (int k = 0; status == MN_OK && k < run.scene->body_count; k++) {
        const mn_body_motion body = mn_world_body(run.world, k);
        const double away = hypot(body.position[0] - drop.centre[0], body.position[2] - drop.centre[2]);
        if (strncmp(run.scene->bodies[k].name, "torso", 5) != 0) continue;
        if (run.scene->bodies[k].adhesion.value[0] > 0) out->pink = fmax(out->pink, away);
        else out->green = fmin(out->green, away);
    }
    validation_close(&run);
    return status;
}

/* Let go, the drop rolls: its bottom lags behind, its top runs ahead. On a plane with the viscosity of other solids it
 * slides. Figures with adhesion stay on it, those without leave it. The worst of three starts. */
mn_status validate_rolling_drop(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    enum { STARTS = 3 };
    static const char *const starts[STARTS + 1] = {"fluids.drop.jitter=0", "fluids.drop.jitter=0.1",
                                                   "fluids.drop.jitter=0.2", "walls.slope.friction=1"};
    descent worst = {.high = INFINITY, .green = INFINITY}, slides = {0};
    mn_status status = MN_OK;
    for (int k = 0; k <= STARTS && status == MN_OK; k++) {
        descent now;
        status = roll_down(setup, starts[k], &now, say);
        if (k == STARTS) slides = now;
        else
            worst = (descent){fmax(worst.low, now.low), fmin(worst.high, now.high), fmax(worst.pink, now.pink),
                              fmin(worst.green, now.green), fmin(worst.deepest, now.deepest)};
    }
    if (status != MN_OK) return status;
    validation_add(out, worst.low, 0, 0.6, "speed of the lowest tenth of the drop that was let go", "of the drop's");
    validation_least(out, worst.high, 1.2, "of its highest tenth", "of the drop's");
    validation_add(out, slides.low, 1, 0.1, "of the lowest on a plane with the viscosity of other solids",
                   "of the drop's");
    validation_add(out, slides.high, 1, 0.1, "of the highest there", "of the drop's");
    validation_add(out, worst.pink, 0, 0.03, "farthest of the sticking figures from the middle of the drop at 1.2 s",
                   "m");
    validation_least(out, worst.green, 0.03, "nearest of the figures that slip", "m");
    validation_add(out, -worst.deepest, 0, 1e-9, "depth of a limb's middle below the slope, at any moment", "m");
    return MN_OK;
}

/* -- bodies in the wind (Gissler et al. 2017) ---------------------------------------------------------------------- */

/* How often the pendulum turns back, counting only swings faster than 0.2 rad/s, and the fastest turn. */
static mn_status swing(const validation_setup *setup, const char *set, mn_messages *say, int *turns, double *fastest)
{
    validation_run run;
    mn_status status = validation_open(&run, setup, "gissler2017/pendulum", set, say) ? MN_OK : MN_BAD_INPUT;
    int sense = 0;
    while (status == MN_OK && mn_world_time(run.world) < run.end * (1 - 1e-9)) {
        status = validation_step(&run, run.end);
        const double spin = mn_world_body(run.world, 0).angular_velocity[2];
        const int now = spin > 0.2 ? 1 : spin < -0.2 ? -1 : 0;
        if (now && sense && now != sense) ++*turns;
        if (now) sense = now;
        *fastest = fmax(*fastest, fabs(spin));
    }
    validation_close(&run);
    return status;
}

mn_status validate_pendulum(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    int turns = 0, none = 0;
    double fastest = 0, still = 0;
    mn_status status = swing(setup, NULL, say, &turns, &fastest);
    if (status == MN_OK) status = swing(setup, "bodies.0.drag=0", say, &none, &still);
    if (status != MN_OK) return status;
    validation_least(out, turns, 4, "swings back and forth while it falls", "");
    validation_add(out, still, 0, 1e-9, "fastest turn without drag", "rad/s");
    return MN_OK;
}

mn_status validate_ship(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const winds[] = {"air.velocity=[10, 0, 0]", "air={density: 1e-9, velocity: [0, 0, 0]}"};
    double travel[2] = {0}, tilt = 0;
    for (int k = 0; k < 2; k++) {
        validation_run run;
        mn_status status = validation_open(&run, setup, "gissler2017/ship-small", winds[k], say) ? MN_OK : MN_BAD_INPUT;
        const double from = status == MN_OK ? mn_world_body(run.world, 0).position[0] : 0;
        while (status == MN_OK && mn_world_time(run.world) < run.end * (1 - 1e-9)) {
            status = mn_step(run.world, say); /* spray may leave the tank */
            const mn_body_motion ship = mn_world_body(run.world, 0);
            travel[k] = ship.position[0] - from;
            tilt = fmax(tilt, 2 * acos(fmin(1, fabs(ship.quaternion[0]))) * 57.29577951308232);
        }
        validation_close(&run);
        if (status != MN_OK) return status;
    }
    validation_least(out, travel[0], 0.8, "distance of the ship in the wind in 4 s", "m");
    validation_add(out, travel[1], 0, 0.3, "its distance without drag, back and forth on the waves", "m");
    validation_add(out, tilt, 0, 45, "its largest tilt", "degrees");
    return MN_OK;
}
