/* validate_area.c -- areas of liquids at rest against those of the bodies they fill: balls, boxes, tori, slabs,
 * sheets, films on walls, water in a tank. Each on lattices, plain and with jitter, and on Poisson disks of four
 * seeds; what counts is the worst of them. */
#include <math.h>
#include <stdio.h>

#include "scene/scene.h"
#include "validate.h"

#define PI 3.14159265358979323846

static const char *const samplings[] = {"sampling: lattice",          "jitter: 0.1",
                                        "sampling: poisson",          "sampling: poisson, seed: 1",
                                        "sampling: poisson, seed: 2", "sampling: poisson, seed: 3"};
enum { SAMPLINGS = sizeof samplings / sizeof *samplings };

/* What is filled, in spacings, and what is around it. */
typedef struct filling {
    const char *shape, *around;
    double area, volume;      /* of the body; no volume: the area is taken as it is */
    double least[2], most[2]; /* if most > least: only what lies between, in x and z */
} filling;

/* Sum of the areas over that of the body that holds so many particles. */
static mn_status area_of(const validation_setup *setup, const filling *f, const char *sampling, double *part,
                         mn_messages *say)
{
    char text[1200];
    snprintf(
        text, sizeof text,
        "particles: {spacing: 1, settle: never}\ngravity: [0, 0, 0]\ntime: {step: 1e-7, end: 1e-7}\npressure: wcsph\n%s"
        "fluids: [{%s, shapes: [{%s}], surface: {model: orthmann2013, refresh: 1}}]\n",
        f->around, sampling, f->shape);
    validation_run run;
    mn_status status = validation_open_text(&run, setup, text, say) ? validation_step(&run, 1) : MN_BAD_INPUT;
    if (status == MN_OK) status = validation_read(&run, "position", run.position);
    if (status == MN_OK) status = validation_read(&run, "area", run.density);
    double sum = 0;
    for (int64_t i = 0; i < run.count && status == MN_OK; i++) {
        const double x = (double)run.position[3 * i], z = (double)run.position[3 * i + 2];
        const int64_t in =
            f->most[0] <= f->least[0] || (x > f->least[0] && x < f->most[0] && z > f->least[1] && z < f->most[1]);
        if (in) sum += (double)run.density[i];
    }
    *part = sum / (f->volume > 0 ? f->area * pow((double)run.count / f->volume, 2.0 / 3) : f->area);
    validation_close(&run);
    return status;
}

/* The worst over `count` fillings and the first `kinds` of the samplings. */
static mn_status worst_of(const validation_setup *setup, const filling *f, int count, int kinds, double *part,
                          mn_messages *say)
{
    mn_status status = MN_OK;
    *part = 1;
    for (int k = 0; k < count; k++)
        for (int s = 0; s < kinds && status == MN_OK; s++) {
            double now;
            status = area_of(setup, &f[k], samplings[s], &now, say);
            if (!(fabs(now - 1) <= fabs(*part - 1))) *part = now;
        }
    return status;
}

#define WHOLE                                                                                                          \
    {0, 0}, { 0, 0 }
#define SHEET(layers)                                                                                                  \
    {                                                                                                                  \
        "box: {size: [20, " #layers ", 20]}", "", 800 + 80 * (layers), 0, WHOLE                                        \
    }
/* Seams of Poisson disks at the faces are left out. */
#define SLAB(layers)                                                                                                   \
    {                                                                                                                  \
        "box: {min: [-10, 0, -10], max: [10, " #layers ", 10]}",                                                       \
            "domain: {min: [-10, -9, -10], max: [10, 30, 10], periodic: [x, z]}\n", 288, 0, {-6, -6},                  \
        {                                                                                                              \
            6, 6                                                                                                       \
        }                                                                                                              \
    }
#define FLOOR "walls: [{shapes: [{box: {min: [-20, -20, -20], max: [20, -0.5, 20]}}]}]\n"
#define FILM(layers, method)                                                                                           \
    {                                                                                                                  \
        "box: {min: [-10, 0, -10], max: [10, " #layers ", 10]}", method FLOOR, 144, 0, {-6, -6}, { 6, 6 }              \
    }
#define TANK                                                                                                           \
    {                                                                                                                  \
        "box: {min: [0, 0, 0], max: [20, 8, 20]}",                                                                     \
            "walls: [{shapes: [{box: {min: [-0.5, -0.5, -0.5], max: [20.5, 30, 20.5], inside_out: true, open: "        \
            "[top]}}]}]\n",                                                                                            \
            400, 0, WHOLE                                                                                              \
    }

mn_status validate_area(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const filling sheets[] = {SHEET(1), SHEET(2), SHEET(3), SHEET(4), SHEET(5), SHEET(6)};
    static const filling slabs[] = {SLAB(6), SLAB(10)};
    static const filling films[] = {FILM(1, ""), FILM(2, ""), FILM(3, "")};
    static const filling mapped[] = {FILM(1, "wall_method: volume_maps\n"), FILM(2, "wall_method: volume_maps\n"),
                                     FILM(3, "wall_method: volume_maps\n")};
    static const filling ball[] = {{"sphere: {radius: 6}", "", 4 * PI * 36, 4 * PI / 3 * 216, WHOLE},
                                   {"sphere: {radius: 10}", "", 4 * PI * 100, 4 * PI / 3 * 1000, WHOLE}};
    static const filling box[] = {{"box: {size: [12, 12, 12]}", "", 864, 1728, WHOLE},
                                  {"box: {size: [20, 20, 20]}", "", 2400, 8000, WHOLE}};
    static const filling torus[] = {
        {"torus: {radius: 12, tube: 6}", "", 4 * PI * PI * 72, 2 * PI * PI * 12 * 36, WHOLE},
        {"torus: {radius: 20, tube: 10}", "", 4 * PI * PI * 200, 2 * PI * PI * 2000, WHOLE}};
    static const filling tank[] = {TANK};
    /* Poisson disks next to a floor leave gaps at it, which are surface. */
    const struct {
        const filling *at;
        int count, kinds;
        double allowed;
        const char *name;
    } lines[] = {
        {ball, 1, SAMPLINGS, 0.1, "ball, radius 6 spacings"},
        {ball + 1, 1, SAMPLINGS, 0.05, "ball, 10"},
        {box, 1, SAMPLINGS, 0.1, "box, half its edge 6"},
        {box + 1, 1, SAMPLINGS, 0.05, "box, 10"},
        {torus, 1, SAMPLINGS, 0.1, "torus, tube 6"},
        {torus + 1, 1, SAMPLINGS, 0.05, "torus, tube 10"},
        {slabs, 2, SAMPLINGS, 0.05, "endless slabs, 6 and 10 thick"},
        {sheets, 6, SAMPLINGS, 0.05, "sheets of 1 to 6 layers, with their rims"},
        {tank, 1, SAMPLINGS, 0.05, "water in a tank"},
        {films, 3, 2, 0.1, "films of 1 to 3 layers on a floor of particles, lattices alone"},
        {mapped, 3, 2, 0.1, "the same on a volume map"},
    };
    mn_status status = MN_OK;
    for (size_t k = 0; k < sizeof lines / sizeof *lines && status == MN_OK; k++) {
        double part;
        status = worst_of(setup, lines[k].at, lines[k].count, lines[k].kinds, &part, say);
        if (status == MN_OK) validation_add(out, part, 1, lines[k].allowed, lines[k].name, "of the area");
    }
    return status;
}

/* -- estimators compared (Orthmann et al. 2013, Fig. 9) ------------------------------------------------------------ */

/* Sum of areas, in d^2, and particles that have some. */
typedef struct band {
    double area, count;
} band;

static mn_status band_of(validation_run *run, band *out)
{
    const double d = run->scene->spacing;
    const mn_status status = validation_read(run, "area", run->density);
    for (int64_t i = 0; i < run->count && status == MN_OK; i++)
        out->area += (double)run->density[i] / (d * d), out->count += run->density[i] > 0;
    return status;
}

/* Layers of 20 x 20, periodic, shaken. */
static mn_status band_of_layers(const validation_setup *setup, int layers, int estimator, band *out, mn_messages *say)
{
    char text[600];
    snprintf(
        text, sizeof text,
        "particles: {spacing: 1, settle: never}\ndomain: {min: [-10, -20, -10], max: [10, 20, 10], periodic: [x, z]}\n"
        "gravity: [0, 0, 0]\ntime: {step: 1e-7, end: 1e-7}\npressure: wcsph\nfluids: [{jitter: 0.1, shapes: [{box: "
        "{grid: [20, %d, 20], origin: [-9.5, 0, -9.5]}}], surface: {model: orthmann2013, estimator: %d}}]\n",
        layers, estimator);
    validation_run run;
    mn_status status = validation_open_text(&run, setup, text, say) ? validation_step(&run, 1) : MN_BAD_INPUT;
    if (status == MN_OK) status = band_of(&run, out);
    validation_close(&run);
    return status;
}

/* The splash of surface-band. */
static mn_status band_of_splash(const validation_setup *setup, int estimator, band *out, mn_messages *say)
{
    validation_setup changed = *setup;
    char text[2][96];
    for (int k = 0; k < 2; k++) {
        snprintf(text[k], sizeof text[k], "fluids.%d.surface={model: orthmann2013, every: 40, estimator: %d}", k,
                 estimator);
        changed = validation_with(&changed, text[k]);
    }
    validation_run run;
    mn_status status = validation_open(&run, &changed, "orthmann2013/surface-band", NULL, say) ? MN_OK : MN_BAD_INPUT;
    while (status == MN_OK && (mn_world_time(run.world) < 0.2 || mn_world_steps(run.world) % 40 != 1))
        status = validation_step(&run, run.end);
    if (status == MN_OK) status = band_of(&run, out);
    validation_close(&run);
    return status;
}

/* The paper's estimator against the colour gradient: the band of a flat surface, a single layer, a splash. */
mn_status validate_area_compared(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    enum { OURS, PAPER, GRADIENT, KINDS };
    band flat[KINDS] = {{0}}, sheet[KINDS] = {{0}}, splash[KINDS] = {{0}};
    mn_status status = MN_OK;
    for (int e = OURS; e < KINDS && status == MN_OK; e++) {
        status = band_of_layers(setup, 16, e, &flat[e], say);
        if (status == MN_OK) status = band_of_layers(setup, 1, e, &sheet[e], say);
        if (status == MN_OK) status = band_of_splash(setup, e, &splash[e], say);
    }
    if (status != MN_OK) return status;
    validation_add(out, flat[PAPER].area / 800, 1, 0.05, "slab, the paper's estimator", "of the area");
    validation_add(out, flat[PAPER].count / 800, 2, 0.15, "its band", "particles a d^2");
    validation_least(out, flat[GRADIENT].count / flat[PAPER].count, 1.5,
                     "particles in the band of the colour gradient over those in the paper's", "");
    /* What eq. 5 gives where every particle has the most of delta: 1.9007/2.6588 d^2, for both sides. */
    validation_add(out, sheet[PAPER].area / 800, 0.3574, 0.05, "single layer, the paper's estimator", "of the area");
    validation_add(out, sheet[GRADIENT].area / 800, 0, 0.1, "the same, colour gradient", "of the area");
    validation_least(out, splash[GRADIENT].count / splash[PAPER].count, 1.25,
                     "particles in the gradient's band over those in the paper's, splash", "");
    snprintf(out->table, sizeof out->table,
             "  particles a d^2 of a flat surface: this program's %.2f, the paper's %.2f, gradient %.2f\n"
             "  particles with area in the splash: %.0f, %.0f, %.0f\n",
             flat[OURS].count / 800, flat[PAPER].count / 800, flat[GRADIENT].count / 800, splash[OURS].count,
             splash[PAPER].count, splash[GRADIENT].count);
    return MN_OK;
}
