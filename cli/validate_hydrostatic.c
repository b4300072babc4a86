/* validate_hydrostatic.c -- still water: p = rho g depth.
 *
 * The mean pressure of layers four spacings thick is held against the weight of what lies above them: rho g (H - y),
 * with H - y as the thickness of the liquid above, its mass over rest density and area. Averaged over the last five
 * sixths of the run: the pressure of single steps jumps by some percent. Left out are the four spacings over the
 * floor, where one layer of boundary points stands for a half space and pressures alternate from layer to layer (not
 * in `hydrostatic-floor`, where wall_weight cures that), and three under the surface, where the kernel's support is
 * cut.
 *
 * In a closed tank (`tank`) it is those next to the walls that are looked at: particles within 1.6 spacings of the
 * floor, of one side, or of two walls at once.
 */
#include <math.h>
#include <stdlib.h>

#include "scene/scene.h"
#include "validate.h"

enum { LAYERS = 64 };

typedef struct layer {
    double pressure, expected, count;
} layer;

typedef struct height {
    float y;
    int64_t at;
} height;

static int from_top(const void *a, const void *b)
{
    const height *x = a, *y = b;
    return x->y != y->y ? (x->y < y->y ? 1 : -1) : (x->at > y->at) - (x->at < y->at);
}

/* Adds one moment to the layers; `order` is room for all particles. In a tank, of walls at 0 and `wide`, the
 * particles far from its sides count; the border of what counts lies between two columns of its lattice. 0: a
 * periodic box, all particles. */
static mn_status sample(validation_run *run, double wide, double from, height *order, layer layers[LAYERS])
{
    mn_status status = validation_read(run, "position", run->position);
    if (status == MN_OK) status = validation_read(run, "pressure", run->pressure);
    if (status != MN_OK) return status;
    const mn_scene *s = run->scene;
    const double d = s->spacing, edge = 4.6 * d;
    const double area = wide > 0 ? pow(wide - 2 * edge, 2) : (s->high[0] - s->low[0]) * (s->high[2] - s->low[2]);
    double gravity[3];
    mn_curve_at(&s->gravity, mn_world_time(run->world), gravity);
    const double each = -gravity[1] * s->fluids[0].density * d * d * d / area; /* Pa of one particle's weight */
    int64_t count = 0;
    for (int64_t i = 0; i < run->count; i++) {
        const float *x = &run->position[3 * i];
        if (wide > 0 && fmin(fmin(x[0], wide - x[0]), fmin(x[2], wide - x[2])) < edge) continue;
        order[count++] = (height){x[1], i};
    }
    qsort(order, (size_t)count, sizeof *order, from_top);
    const double top = count ? order[count / 100].y : 0;
    for (int64_t k = 0; k < count; k++) {
        const double y = order[k].y;
        if (y < from || y > top - 3 * d) continue;
        layer *l = &layers[(int)fmin(y / (4 * d), LAYERS - 1)];
        l->pressure += run->pressure[order[k].at];
        l->expected += each * ((double)k + 0.5);
        l->count += 1;
    }
    return MN_OK;
}

static mn_status hydrostatic(const validation_setup *setup, const char *scene, const char *set, double from,
                             validation_report *out, mn_messages *say)
{
    validation_run run;
    layer layers[LAYERS] = {0};
    mn_status status = validation_open(&run, setup, scene, set, say) ? MN_OK : MN_BAD_INPUT;
    height *order = status == MN_OK ? malloc((size_t)run.count * sizeof *order) : NULL;
    if (status == MN_OK && !order) status = MN_FAILED;
    const double wide = status == MN_OK && !run.scene->periodic[0] ? run.scene->walls[0].shapes[0].size[0] : 0;
    while (status == MN_OK && mn_world_time(run.world) < run.end) {
        status = validation_step(&run, run.end);
        if (status == MN_OK && mn_world_time(run.world) > run.end / 6)
            status = sample(&run, wide, from * run.scene->spacing, order, layers);
    }
    double worst = 0, most = 0;
    for (int l = 0; l < LAYERS; l++) most = fmax(most, layers[l].count);
    for (int l = 0; l < LAYERS; l++)
        if (layers[l].count > 0.5 * most) worst = fmax(worst, fabs(layers[l].pressure / layers[l].expected - 1));
    if (status == MN_OK)
        validation_add(out, worst, 0, 0.01, "largest deviation of a layer's pressure from rho g (H - y)", "of it");
    free(order);
    validation_close(&run);
    return status;
}

/* ---------------------------------------------------------------------------------------------- the tank */

enum { FLOOR, SIDE, EDGE, PLACES };

/* The tank of the scene: walls at 0 and `wide`, water up to 0.6 spacings before them. */
static mn_status sample_tank(validation_run *run, height *order, layer places[PLACES])
{
    mn_status status = validation_read(run, "position", run->position);
    if (status == MN_OK) status = validation_read(run, "pressure", run->pressure);
    if (status != MN_OK) return status;
    const mn_scene *s = run->scene;
    const double d = s->spacing, wide = s->walls[0].shapes[0].size[0], inside = wide - 1.2 * d;
    double gravity[3];
    mn_curve_at(&s->gravity, mn_world_time(run->world), gravity);
    const double each = -gravity[1] * s->fluids[0].density * d * d * d / (inside * inside);
    for (int64_t i = 0; i < run->count; i++) order[i] = (height){run->position[3 * i + 1], i};
    qsort(order, (size_t)run->count, sizeof *order, from_top);
    const double top = order[run->count / 100].y;
    for (int64_t k = 0; k < run->count; k++) {
        const float *x = &run->position[3 * order[k].at];
        if (order[k].y > top - 3 * d) continue;
        const bool floor = order[k].y < 1.6 * d;
        const int sides = (fmin(x[0], wide - x[0]) < 1.6 * d) + (fmin(x[2], wide - x[2]) < 1.6 * d);
        if (floor + sides == 0 || (sides && !floor && order[k].y < 4 * d)) continue;
        layer *l = &places[floor + sides > 1 ? EDGE : floor ? FLOOR : SIDE];
        l->pressure += run->pressure[order[k].at];
        l->expected += each * ((double)k + 0.5);
    }
    return MN_OK;
}

static mn_status tank(const validation_setup *setup, const char *solver, validation_report *out, mn_messages *say)
{
    validation_run run;
    layer places[PLACES] = {0};
    mn_status status = validation_open(&run, setup, "basics/tank", solver, say) ? MN_OK : MN_BAD_INPUT;
    height *order = status == MN_OK ? malloc((size_t)run.count * sizeof *order) : NULL;
    if (status == MN_OK && !order) status = MN_FAILED;
    while (status == MN_OK && mn_world_time(run.world) < run.end) {
        status = validation_step(&run, run.end);
        if (status == MN_OK && mn_world_time(run.world) > run.end / 3) status = sample_tank(&run, order, places);
    }
    static const char *const what[PLACES] = {"pressure of the particles on the floor, over rho g (H - y)",
                                             "of those at a side", "of those in edges and corners"};
    static const double allowed[PLACES] = {0.04, 0.04, 0.05};
    for (int p = 0; p < PLACES && status == MN_OK; p++)
        validation_add(out, places[p].pressure / places[p].expected, 1, allowed[p], what[p], "of it");
    free(order);
    validation_close(&run);
    return status;
}

mn_status validate_tank(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    return tank(setup, "pressure.model=dfsph", out, say);
}

mn_status validate_tank_iisph(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    return tank(setup, "pressure.model=iisph", out, say);
}

mn_status validate_tank_pcisph(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    return tank(setup, "pressure.model=pcisph", out, say);
}

mn_status validate_hydrostatic(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    return hydrostatic(setup, "basics/hydrostatic", NULL, 4, out, say);
}

mn_status validate_hydrostatic_maps(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    return hydrostatic(setup, "basics/hydrostatic", "wall_method=volume_maps", 4, out, say);
}

mn_status validate_hydrostatic_tank(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    return hydrostatic(setup, "basics/hydrostatic-tank", NULL, 4, out, say);
}

mn_status validate_hydrostatic_floor(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    const mn_status status =
        hydrostatic(setup, "basics/hydrostatic", "pressure={model: dfsph, wall_weight: 1.78}", 0, out, say);
    return status == MN_OK
               ? hydrostatic(setup, "basics/hydrostatic", "pressure={model: iisph, wall_weight: 1.78}", 0, out, say)
               : status;
}

/* ------------------------------------------------------------------------------------- two fluids over each other */

typedef struct two_fluids {
    double density[2];   /* mean over the rest density, away from floor and free surface */
    double heavy, light; /* top of the heavy one and bottom of the light one, but for a hundredth of each; spacings */
} two_fluids;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static mn_status measure_fluids(validation_run *run, two_fluids *out)
{
    const double d = run->scene->spacing;
    double *y[2] = {malloc((size_t)run->count * sizeof **y), malloc((size_t)run->count * sizeof **y)}, n[2] = {0};
    float *fluid = malloc((size_t)run->count * sizeof *fluid);
    mn_status status = y[0] && y[1] && fluid ? validation_read(run, "position", run->position) : MN_FAILED;
    if (status == MN_OK) status = validation_read(run, "density", run->density);
    if (status == MN_OK) status = validation_read(run, "fluid", fluid);
    int64_t count[2] = {0};
    *out = (two_fluids){{0, 0}, 0, 0};
    for (int64_t i = 0; i < run->count && status == MN_OK; i++) {
        const int f = (int)fluid[i];
        const double at = (double)run->position[3 * i + 1] / d;
        y[f][count[f]++] = at;
        if (at < 2.5 || at > 18) continue;
        out->density[f] += (double)run->density[i] / run->scene->fluids[f].density, n[f] += 1;
    }
    for (int f = 0; f < 2 && status == MN_OK; f++) {
        out->density[f] /= fmax(1, n[f]);
        qsort(y[f], (size_t)count[f], sizeof **y, by_value);
    }
    if (status == MN_OK) out->heavy = y[0][count[0] * 99 / 100], out->light = y[1][count[1] / 100];
    free(y[0]), free(y[1]), free(fluid);
    return status;
}

/* Oil, and a gas of 50 kg/m^3, at rest over water for a second: each keeps its density, none mixes into the other, and
 * no gap opens between them. */
mn_status validate_phases(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char text[] =
        "particles: {spacing: 0.02}\n"
        "domain: {min: [0, -0.2, 0], max: [0.24, 1, 0.24], periodic: [x, z]}\n"
        "time: {adaptive: {max: 0.002}, end: 1}\n"
        "fluids:\n"
        "  - {density: 1000, jitter: 0.1, shapes: [{box: {grid: [12, 10, 12], origin: [0.01, 0.022, 0.01]}}],\n"
        "     viscosity: {model: standard, viscosity: 0.005}}\n"
        "  - {density: 900, jitter: 0.1, shapes: [{box: {grid: [12, 10, 12], origin: [0.01, 0.222, 0.01]}}],\n"
        "     viscosity: {model: standard, viscosity: 0.005}}\n"
        "walls: [{shapes: [{plane: {point: [0.12, 0, 0.12], normal: [0, 1, 0], size: [0.22, 0.22]}}]}]\n";
    static const char *const sets[] = {"fluids.1.density=900", "fluids.1.density=50"};
    static const char *const names[2][3] = {
        {"density of water under oil, over its own", "of the oil", "gap between them, in spacings"},
        {"density of water under a gas of 50 kg/m^3", "of the gas", "gap between them, in spacings"}};
    mn_status status = MN_OK;
    for (int k = 0; k < 2 && status == MN_OK; k++) {
        const validation_setup changed = validation_with(setup, sets[k]);
        validation_run run;
        two_fluids found;
        status = validation_open_text(&run, &changed, text, say) ? MN_OK : MN_BAD_INPUT;
        while (status == MN_OK && mn_world_time(run.world) < run.end) status = validation_step(&run, run.end);
        if (status == MN_OK) status = measure_fluids(&run, &found);
        validation_close(&run);
        if (status != MN_OK) break;
        for (int f = 0; f < 2; f++) validation_add(out, found.density[f], 1, 0.01, names[k][f], "");
        validation_add(out, found.light - found.heavy, 0.75, 1, names[k][2], "");
    }
    return status;
}
