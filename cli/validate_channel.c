/* validate_channel.c -- three light boxes in a channel (Gissler et al. 2017, Fig. 13): in constant air, in imported
 * air, and in air that is simulated with them.
 *
 * What is expected: a box of side a that does not turn moves by v' = C rho_a/(2 rho a) (u - v)^2 in air of the speed
 * u, the imported air is incompressible and leaves a wake, and boxes in simulated air arrive within 30 % of the time
 * that the same boxes need with drag.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/vti.h"
#include "scene/scene.h"
#include "scenes.h"
#include "validate.h"

enum { BOXES = 3 };
static const double SIDE[BOXES] = {0.04, 0.05, 0.03}, HEIGHT[BOXES] = {0.05, 0.13, 0.22}; /* low, middle, high */
static const double AIR = 1.2041, BOX = 10, GATE = 0.5; /* kg/m^3; m, where the boxes are timed, behind the block */

typedef struct drift {
    double start[BOXES], travel[BOXES]; /* m along the channel */
    double arrival[BOXES];              /* s after the release, at the gate; infinite: never */
    double height[BOXES];               /* m, there */
    double force[BOXES];                /* N, mean over the second half of the time before the release */
    double turn;                        /* degrees, of the middle box at the end */
} drift;

static mn_status follow_boxes(const validation_setup *setup, const char *scene, const char *const *sets, int count,
                              drift *out, mn_messages *say)
{
    validation_setup changed = *setup;
    for (int k = 0; k < count; k++) changed = validation_with(&changed, sets[k]);
    validation_run run;
    mn_status status = validation_open(&run, &changed, scene, NULL, say) ? MN_OK : MN_BAD_INPUT;
    double held = 0;
    for (int k = 0; k < BOXES && status == MN_OK; k++)
        out->start[k] = mn_world_body(run.world, k).position[0], out->arrival[k] = INFINITY;
    const double release = status == MN_OK ? run.scene->bodies[0].release : 0;
    while (status == MN_OK && mn_world_time(run.world) < run.end * (1 - 1e-9)) {
        const double time = mn_world_time(run.world), until = time < release * (1 - 1e-9) ? release : run.end;
        double before[BOXES];
        for (int k = 0; k < BOXES; k++) before[k] = mn_world_body(run.world, k).position[0];
        mn_world_limit_step(run.world, until);
        status = mn_step(run.world, say); /* air leaves the channel */
        const double dt = mn_world_time(run.world) - time;
        const bool counts = time >= 0.5 * release && time < release * (1 - 1e-9);
        held += counts ? dt : 0;
        for (int k = 0; k < BOXES; k++) {
            const mn_body_motion body = mn_world_body(run.world, k);
            if (counts) out->force[k] += dt * body.force[0];
            if (before[k] < GATE && body.position[0] >= GATE)
                out->height[k] = body.position[1],
                out->arrival[k] = time - release + dt * (GATE - before[k]) / (body.position[0] - before[k]);
        }
    }
    for (int k = 0; k < BOXES && status == MN_OK; k++) {
        out->travel[k] = mn_world_body(run.world, k).position[0] - out->start[k];
        if (held > 0) out->force[k] /= held;
    }
    if (status == MN_OK)
        out->turn = 2 * acos(fmin(1, fabs(mn_world_body(run.world, 1).quaternion[0]))) * 57.29577951308232;
    validation_close(&run);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the imported air */

static mn_status read_air(mn_vti *grid, mn_messages *say)
{
    char *scene = cli_find_scene("gissler2017/channel-boxes-small"), path[4096];
    const char *slash = scene ? strrchr(scene, '/') : NULL;
    const int folder = slash ? (int)(slash - scene) : 0;
    const bool fits = scene && (size_t)snprintf(path, sizeof path, "%.*s/channel-air.vti", folder, scene) < sizeof path;
    free(scene);
    return fits ? mn_vti_read(path, NULL, grid, say) : MN_FAILED;
}

/* Mean speed along x, between two heights, over the column of nodes nearest to x. */
static double mean_speed(const mn_vti *grid, double x, double low, double high)
{
    const int i = (int)fmin(fmax(floor((x - grid->origin[0]) / grid->spacing[0] + 0.5), 0), grid->dims[0] - 1);
    double sum = 0, weight = 0;
    for (int j = 0; j < grid->dims[1]; j++) {
        const double y = grid->origin[1] + j * grid->spacing[1], half = 0.5 * grid->spacing[1];
        const double part = fmin(y + half, high) - fmax(y - half, low);
        if (part <= 0) continue;
        sum += part * (double)grid->vector[3 * (j * grid->dims[0] + i)], weight += part;
    }
    return sum / weight;
}

/* The flow is the same through every cross-section; behind the block it comes back along the floor, and lies on it
 * again later. */
static void check_air(const mn_vti *grid, validation_report *out)
{
    double worst = 0, back = 0, again = 0;
    for (double x = 0.05; x < 0.96; x += 0.05) {
        const double flux = mean_speed(grid, x, 0, 0.3), floor = mean_speed(grid, x, 0, 0.02);
        worst = fmax(worst, fabs(flux - 1));
        if (x > 0.34 && floor < 0) back = fmin(back, floor), again = x + 0.05;
    }
    validation_add(out, worst, 0, 0.03,
                   "simulated air: largest difference of the flow through a cross-section from 1 m/s", "m/s");
    validation_least(out, -back, 0.1, "speed with which it flows back behind the block", "m/s");
    /* behind fences and steps wakes are 5 to 15 heights long */
    validation_add(out, (again - 0.33) / 0.04, 10, 0.5, "length of the wake over the height of the block", "");
}

/* How far a box travels that stays at its height, in the imported air, mean over its face. `exposed`: 1 if it never
 * turns. A face at the angle t to the wind is exposed by 1 - sin t, since its own points stand before each other:
 * turned so that a corner points into the wind, 3 (1 - sqrt(2/3)) = 0.55 of a face in all, the least. */
static double travel_in(const mn_vti *grid, int box, double time, double exposed)
{
    double x = 0.1, v = 0;
    const double dt = 1e-4, k = exposed * AIR / (2 * BOX * SIDE[box]);
    for (double t = 0; t < time - 0.5 * dt; t += dt) {
        const double u =
            mean_speed(grid, x - 0.5 * SIDE[box], HEIGHT[box] - 0.5 * SIDE[box], HEIGHT[box] + 0.5 * SIDE[box]);
        v += dt * k * (u - v) * fabs(u - v);
        x += dt * v;
    }
    return x - 0.1;
}

mn_status validate_channel(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const constant[] = {"air={density: 1.2041, velocity: [1, 0, 0]}"};
    drift imported = {0}, even = {0};
    mn_vti grid = {0};
    mn_status status = read_air(&grid, say);
    if (status == MN_OK) status = follow_boxes(setup, "gissler2017/channel-boxes-small", NULL, 0, &imported, say);
    if (status == MN_OK) status = follow_boxes(setup, "gissler2017/channel-boxes-small", constant, 1, &even, say);
    if (status == MN_OK) {
        static const char *const quantity[BOXES][2] = {
            {"", ""},
            {"distance of the middle box in 1.3 s, constant air",
             "the same, imported air: between a box that shows a corner and one that shows a face"},
            {"distance of the high box, constant air", "the same, imported air"}};
        check_air(&grid, out);
        for (int k = 1; k < BOXES; k++) {
            const double rate = AIR / (2 * BOX * SIDE[k]), t = 1.3;
            validation_add(out, even.travel[k], t - log(1 + rate * t) / rate, 0.05, quantity[k][0], "m");
            const double most = travel_in(&grid, k, t, 1), least = travel_in(&grid, k, t, 3 * (1 - sqrt(2.0 / 3)));
            validation_add(out, imported.travel[k], 0.5 * (least + most), (most - least) / (most + least),
                           quantity[k][1], "m");
        }
        /* The low one starts at 0.1 m; 0.36 m is behind the block by half a diagonal. */
        validation_least(out, imported.travel[0], 0.26,
                         "distance of the low box, which hits the block and gets over it", "m");
        validation_add(out, even.turn, 0, 1e-3, "turn of the middle box, constant air", "degrees");
    }
    mn_vti_free(&grid);
    return status;
}

/* With the coefficient of drag that the simulated air shows while it flows past the held boxes; the paper's 1 is
 * told beside it. */
mn_status validate_channel_simulated(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    drift simulated = {0}, fitted = {0}, one = {0};
    char text[BOXES][64];
    const char *sets[BOXES];
    mn_status status = follow_boxes(setup, "gissler2017/channel-simulated-small", NULL, 0, &simulated, say);
    double mean = 0;
    for (int k = 0; k < BOXES; k++) {
        const double coefficient = simulated.force[k] / (0.5 * AIR * SIDE[k] * SIDE[k]);
        snprintf(text[k], sizeof text[k], "bodies.%d.drag=%.6g", k, fmax(coefficient, 0));
        sets[k] = text[k];
        mean += coefficient / BOXES;
    }
    if (status == MN_OK) status = follow_boxes(setup, "gissler2017/channel-boxes-small", sets, BOXES, &fitted, say);
    if (status == MN_OK) status = follow_boxes(setup, "gissler2017/channel-boxes-small", NULL, 0, &one, say);
    if (status != MN_OK) return status;
    double face = 0;
    for (int k = 0; k < BOXES; k++) face += SIDE[k] * SIDE[k];
    /* a cube in a free stream, raised by what the three block of the channel of 0.3 x 0.3 m (Maskell's correction) */
    validation_add(out, mean, 1.05 * (1 + 2.5 * 1.05 * face / 0.09), 0.2,
                   "coefficient of drag on the held boxes in simulated air", "");
    static const char *const arrival[BOXES] = {
        "arrival of the low box at 0.5 m in simulated air, against drag with that coefficient", "of the middle box",
        "of the high box"};
    for (int k = 0; k < BOXES; k++) validation_add(out, simulated.arrival[k], fitted.arrival[k], 0.3, arrival[k], "s");
    double apart = 0;
    for (int k = 0; k < BOXES; k++) apart = fmax(apart, fabs(simulated.height[k] - fitted.height[k]));
    validation_add(out, apart, 0, SIDE[1], "largest difference of their heights there (bar: the largest box)", "m");
    /* As long as the air is much faster than the box, times go with one over the root of the coefficient. */
    static const char *const later[BOXES] = {
        "", "arrival of the middle box with the paper's coefficient, 1, over that in simulated air", "of the high box"};
    for (int k = 1; k < BOXES; k++)
        validation_add(out, one.arrival[k] / simulated.arrival[k], sqrt(mean), 0.3, later[k], "");
    static const char *const paper[BOXES] = {
        "arrival of the low box with the paper's coefficient over that in simulated air", "of the middle box",
        "of the high box"};
    for (int k = 0; k < BOXES; k++) validation_add(out, one.arrival[k] / simulated.arrival[k], 1, 0.3, paper[k], "");
    return MN_OK;
}
