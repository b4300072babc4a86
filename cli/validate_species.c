/* validate_species.c -- what the scenes of Orthmann et al. 2013 must show, as numbers: where the detergent is, how
 * much grease is left, and that no mol is lost.
 *
 * Thresholds ("at least 0.5") are written as a value in the middle of the allowed range and a tolerance that reaches
 * its ends.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"
#include "validate_species.h"

double species_number(mn_world *world, const char *name)
{
    char names[MN_STATS_MORE][MN_STATS_NAME];
    const int count = mn_world_more(world, names, MN_STATS_MORE);
    const mn_stats stats = mn_world_stats(world);
    for (int k = 0; k < count && k < stats.more_count; k++)
        if (strcmp(names[k], name) == 0) return stats.more[k];
    return NAN;
}

double species_column(mn_world *world, const char *species, const char *what)
{
    char name[MN_STATS_NAME];
    snprintf(name, sizeof name, "%.24s_%s", species, what);
    return species_number(world, name);
}

double species_account(mn_world *world, const char *species)
{
    return species_column(world, species, "bulk") + species_column(world, species, "surface") +
           species_column(world, species, "drained") + species_column(world, species, "reacted") +
           species_column(world, species, "evaporated") - species_column(world, species, "emitted");
}

mn_status species_until(validation_run *run, double time)
{
    mn_status status = MN_OK;
    mn_world_limit_step(run->world, time);
    while (status == MN_OK && mn_world_time(run->world) < time * (1 - 1e-12)) status = mn_step(run->world, run->say);
    return status;
}

/* -- falling drop -------------------------------------------------------------------------------------------------- */

/* How uneven the film is: standard deviation of S over its mean, both over the area. */
static double unevenness(validation_run *run)
{
    const size_t n = (size_t)mn_world_particles(run->world);
    float *film = malloc((n + 1) * sizeof *film), *area = malloc((n + 1) * sizeof *area);
    double whole = 0, first = 0, second = 0;
    if (film && area && mn_world_get(run->world, "detergent_surface", film, run->say) == MN_OK &&
        mn_world_get(run->world, "area", area, run->say) == MN_OK)
        for (size_t i = 0; i < n; i++) {
            whole += (double)area[i];
            first += (double)area[i] * (double)film[i];
            second += (double)area[i] * (double)film[i] * (double)film[i];
        }
    free(film), free(area);
    return first > 0 ? sqrt(fmax(second * whole / (first * first) - 1, 0)) : 0;
}

mn_status validate_detergent_drop(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const scenes[] = {"orthmann2013/detergent-drop-none-small",
                                         "orthmann2013/detergent-drop-local-small",
                                         "orthmann2013/detergent-drop-small"};
    double film[3] = {0}, uneven[3] = {0}, drift = 0;
    mn_status status = MN_OK;
    for (int k = 0; k < 3 && status == MN_OK; k++) {
        validation_run run;
        status = validation_open(&run, setup, scenes[k], NULL, say) ? MN_OK : MN_BAD_INPUT;
        if (status == MN_OK) {
            const double start = species_account(run.world, "detergent");
            status = species_until(&run, run.end);
            film[k] = species_column(run.world, "detergent", "surface") / start;
            uneven[k] = unevenness(&run);
            drift = fmax(drift, fabs(species_account(run.world, "detergent") / start - 1));
        }
        validation_close(&run);
    }
    validation_add(out, film[0], 0, 1e-12, "share at the surface without adsorption", "");
    validation_add(out, film[2], 0.55, 0.4, "share at the surface with adsorption", "");
    validation_add(out, uneven[1], 1.5, 0.5, "unevenness of the film without diffusion along the surface", "");
    validation_add(out, uneven[2], 0, 0.2, "unevenness with it", "");
    validation_add(out, drift, 0, 1e-6, "drift of the amount", "");
    return status;
}

/* -- washing ------------------------------------------------------------------------------------------------------- */

/* Which coated boundary points the liquid has come near to, by cells as wide as a spacing. */
typedef struct shore {
    size_t count;
    float *at, *coat; /* of the boundary points: place, coverage at the start */
    char *wet, *cell;
    double low[3], size;
    int cells[3];
} shore;

static void shore_free(shore *s)
{
    free(s->at), free(s->coat), free(s->wet), free(s->cell);
    *s = (shore){0};
}

static bool shore_new(shore *s, validation_run *run, const char *substance)
{
    const size_t n = (size_t)mn_world_boundary_points(run->world);
    int *wall = calloc(n + 1, sizeof *wall);
    *s = (shore){.count = n, .size = run->scene->spacing};
    s->at = calloc(3 * n + 1, sizeof *s->at), s->coat = calloc(n + 1, sizeof *s->coat), s->wet = calloc(n + 1, 1);
    bool ok = wall && s->at && s->coat && s->wet && mn_world_boundary(run->world, s->at, wall, run->say) == MN_OK &&
              mn_world_coverage(run->world, substance, s->coat, run->say) == MN_OK;
    size_t all = 1;
    for (int a = 0; a < 3 && ok; a++) {
        double high = -1e30;
        s->low[a] = 1e30;
        for (size_t i = 0; i < n; i++) {
            s->low[a] = fmin(s->low[a], (double)s->at[3 * i + (size_t)a]);
            high = fmax(high, (double)s->at[3 * i + (size_t)a]);
        }
        s->low[a] -= 4 * s->size;
        s->cells[a] = (int)((high - s->low[a]) / s->size) + 5;
        all *= (size_t)s->cells[a];
    }
    ok = ok && (s->cell = calloc(all, 1));
    free(wall);
    return ok;
}

static size_t shore_cell(const shore *s, const int k[3])
{
    return ((size_t)k[0] * (size_t)s->cells[1] + (size_t)k[1]) * (size_t)s->cells[2] + (size_t)k[2];
}

/* Boundary points with liquid in their cell or one beside it are wet from now on. */
static void shore_look(shore *s, validation_run *run)
{
    const size_t n = (size_t)mn_world_particles(run->world);
    float *at = malloc((3 * n + 1) * sizeof *at);
    memset(s->cell, 0, (size_t)s->cells[0] * (size_t)s->cells[1] * (size_t)s->cells[2]);
    const bool read = at && mn_world_get(run->world, "position", at, run->say) == MN_OK;
    for (size_t i = 0; read && i < n; i++) {
        int k[3];
        bool in = true;
        for (int a = 0; a < 3; a++) {
            k[a] = (int)floor(((double)at[3 * i + (size_t)a] - s->low[a]) / s->size);
            in = in && k[a] >= 0 && k[a] < s->cells[a];
        }
        if (in) s->cell[shore_cell(s, k)] = 1;
    }
    free(at);
    for (size_t i = 0; i < s->count; i++) {
        if (!(s->coat[i] > 0) || s->wet[i]) continue;
        int k[3], u[3];
        for (int a = 0; a < 3; a++) k[a] = (int)floor(((double)s->at[3 * i + (size_t)a] - s->low[a]) / s->size);
        for (u[0] = k[0] - 1; u[0] <= k[0] + 1; u[0]++)
            for (u[1] = k[1] - 1; u[1] <= k[1] + 1; u[1]++)
                for (u[2] = k[2] - 1; u[2] <= k[2] + 1; u[2]++) s->wet[i] |= s->cell[shore_cell(s, u)];
    }
}

static double shore_dry(const shore *s)
{
    double all = 0, dry = 0;
    for (size_t i = 0; i < s->count; i++) all += (double)s->coat[i], dry += s->wet[i] ? 0 : (double)s->coat[i];
    return dry / all;
}

/* Coats and what they become, and what is measured of each. */
enum { COATS = 3 };
typedef struct washing {
    const char *coat, *product;
    shore beach;
    double start, before, growth;
} washing;

static double coat_left(const validation_run *run, const washing *w)
{
    char name[MN_STATS_NAME];
    snprintf(name, sizeof name, "%.24s_walls", w->coat);
    return species_number(run->world, name);
}

static void wash_report(const validation_run *run, const washing *w, double within, validation_report *out)
{
    const double gone = w->start - w->before;
    validation_add(out, w->before / w->start, 0, 0.5, "share of the coat that is left", "");
    validation_add(out, w->before / w->start - shore_dry(&w->beach), 0, within, "less the share that stayed dry", "");
    validation_add(out, w->growth / w->start, 0, 1e-12, "largest growth of the coat", "");
    validation_add(out, fabs(species_account(run->world, w->product)) / gone, 0, 1e-6, "drift of what it became", "");
    validation_add(out, fabs(-species_column(run->world, w->product, "reacted") / gone - 1), 0, 1e-6,
                   "dirt made over coat used up, less 1", "");
}

/* Of each coat: what is left at the end over that at the start, the largest growth between two looks (it must not
 * grow), and the accounts. A wetted coat is gone within 1/(rate S), a tenth of a second or less, so what is left should
 * be what the liquid did not reach. */
static mn_status wash(const validation_setup *setup, const char *scene, washing *coats, int count, double within,
                      validation_report *out, mn_messages *say)
{
    enum { LOOKS = 40 };
    validation_run run;
    mn_status status = validation_open(&run, setup, scene, NULL, say) ? MN_OK : MN_BAD_INPUT;
    for (int c = 0; c < count && status == MN_OK; c++) {
        if (!shore_new(&coats[c].beach, &run, coats[c].coat)) status = MN_FAILED;
        coats[c].start = coats[c].before = coat_left(&run, &coats[c]);
    }
    for (int k = 1; k <= LOOKS && status == MN_OK; k++) {
        status = species_until(&run, run.end * k / LOOKS);
        for (int c = 0; c < count; c++) {
            shore_look(&coats[c].beach, &run);
            const double now = coat_left(&run, &coats[c]);
            coats[c].growth = fmax(coats[c].growth, now - coats[c].before);
            coats[c].before = now;
        }
    }
    for (int c = 0; c < count; c++) {
        if (status == MN_OK) wash_report(&run, &coats[c], within, out);
        shore_free(&coats[c].beach);
    }
    if (status == MN_OK)
        validation_add(
            out, fabs(species_account(run.world, "detergent")) / species_column(run.world, "detergent", "emitted"), 0,
            1e-6, "drift of the detergent", "");
    validation_close(&run);
    return status;
}

mn_status validate_pan(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    washing grease = {.coat = "grease", .product = "dirt"};
    return wash(setup, "orthmann2013/pan-small", &grease, 1, 0.1, out, say);
}

mn_status validate_room(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    washing paints[COATS] = {{.coat = "red", .product = "red_dirt"},
                             {.coat = "green", .product = "green_dirt"},
                             {.coat = "blue", .product = "blue_dirt"}};
    return wash(setup, "orthmann2013/room-small", paints, COATS, 0.05, out, say);
}

/* -- flooded valley ------------------------------------------------------------------------------------------------ */

/* Two concentrations. With much detergent all paint goes that gets wet, as in the room; with little the supply does
 * not suffice. And a full film takes 0.9 of the friction: water and huts pass the end of the valley (x = 4 m)
 * sooner. */
mn_status validate_flood(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    enum { HUTS = 5, LOOKS = 40 };
    static const char *const much[] = {"species.0.inflow.0.concentration=1", NULL};
    double left[2] = {0}, dry = 0, passed[2][HUTS], drift = 0;
    mn_status status = MN_OK;
    for (int k = 0; k < 2 && status == MN_OK; k++) {
        validation_run run;
        shore beach = {0};
        status = validation_open(&run, setup, "orthmann2013/flood-small", much[k], say) ? MN_OK : MN_BAD_INPUT;
        if (status == MN_OK && !shore_new(&beach, &run, "paint")) status = MN_FAILED;
        if (status == MN_OK) {
            const double start = species_number(run.world, "paint_walls");
            double look = 0;
            for (int h = 0; h < HUTS; h++) passed[k][h] = run.end;
            mn_world_limit_step(run.world, run.end);
            while (status == MN_OK && mn_world_time(run.world) < run.end * (1 - 1e-12)) {
                status = mn_step(run.world, say);
                const double now = mn_world_time(run.world);
                for (int h = 0; h < HUTS && status == MN_OK; h++)
                    if (mn_world_body(run.world, h).position[0] > 4) passed[k][h] = fmin(passed[k][h], now);
                if (now >= look) shore_look(&beach, &run), look += run.end / LOOKS;
            }
            left[k] = species_number(run.world, "paint_walls") / start;
            if (k == 0) dry = shore_dry(&beach);
            drift = fmax(drift, fabs(species_account(run.world, "detergent")) /
                                    species_column(run.world, "detergent", "emitted"));
        }
        shore_free(&beach);
        validation_close(&run);
    }
    double lead = 0;
    int sooner = 0;
    for (int h = 0; h < HUTS && status == MN_OK; h++)
        lead += (passed[1][h] - passed[0][h]) / HUTS, sooner += passed[1][h] > passed[0][h];
    validation_add(out, left[0] - dry, 0, 0.05, "paint left at 1 mol/m3 less what stayed dry", "");
    validation_add(out, left[1] - left[0], 0.2, 0.8, "more of it left at 0.1 mol/m3", "");
    validation_add(out, sooner, HUTS, 0, "huts that leave sooner at 1 mol/m3", "");
    validation_add(out, lead, 0.3, 0.8, "by, in the mean", "s");
    validation_add(out, drift, 0, 1e-6, "drift of the detergent", "");
    return status;
}

/* -- rotating cylinder --------------------------------------------------------------------------------------------- */

/* Mean torque on the cylinder over a span of time. */
static mn_status mean_torque(validation_run *run, double from, double to, double *torque)
{
    mn_status status = species_until(run, from);
    double sum = 0, time = 0;
    mn_world_limit_step(run->world, to);
    while (status == MN_OK && mn_world_time(run->world) < to * (1 - 1e-12)) {
        const double before = mn_world_time(run->world);
        status = mn_step(run->world, run->say);
        const double dt = mn_world_time(run->world) - before;
        sum += dt * mn_world_body(run->world, 0).torque[2];
        time += dt;
    }
    *torque = sum / time;
    return status;
}

/* Torque of the last second with detergent over that without, at the same times: pouring alone slows the cylinder's
 * drag too. Estimate: the three drops cover c = 0.8 of all surfaces in the end, where the walls' viscosity is 0.27
 * of what it was; in series with that of the liquid, which is as large, the torque is 0.27 (walls decide) to 0.43
 * (both), more where detergent is still used up by the grease. */
mn_status validate_cylinder(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const clean[] = {NULL, "species.0.inflow.0.concentration=0"};
    double torque[2] = {0}, left = 0, drift = 0;
    mn_status status = MN_OK;
    for (int k = 0; k < 2 && status == MN_OK; k++) {
        validation_run run;
        status = validation_open(&run, setup, "orthmann2013/cylinder-small", clean[k], say) ? MN_OK : MN_BAD_INPUT;
        if (status == MN_OK) {
            const double start = species_number(run.world, "grease_walls");
            status = mean_torque(&run, run.end - 1, run.end, &torque[k]);
            if (k == 0) {
                left = species_number(run.world, "grease_walls") / start;
                drift =
                    fabs(species_account(run.world, "detergent")) / species_column(run.world, "detergent", "emitted");
            }
        }
        validation_close(&run);
    }
    validation_add(out, torque[0] / torque[1], 0.43, 0.4, "torque with detergent over that without", "");
    validation_add(out, left, 0.5, 0.9, "share of the grease that is left", "");
    validation_add(out, drift, 0, 1e-6, "drift of the detergent", "");
    return status;
}

/* -- conservation -------------------------------------------------------------------------------------------------- */

/* A jet of detergent stirs a greasy tub, part of it flows away: 10,000 steps with every process active. */
mn_status validate_species(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char text[] =
        "particles: {spacing: 0.05}\ntime: {step: 0.003, end: 30}\n"
        "fluids:\n"
        "  - shapes: [{box: {grid: [12, 3, 7], origin: [0.06, 0.06, 0.06]}}]\n"
        "    emitters: [{disc: {radius: 0.06}, position: [0.35, 0.5, 0.2], direction: [0.3, -1, 0], speed: 0.3}]\n"
        "    viscosity: {model: standard, viscosity: 0.005}\n"
        "    surface: {model: orthmann2013, walls: 0}\n"
        "walls: [{name: tub, shapes: [{box: {min: [0, 0, 0], max: [0.8, 0.8, 0.42], inside_out: true, open: "
        "[top]}}]}]\n"
        "sinks: [{shape: {box: {min: [0.6, 0.1, 0], max: [0.8, 0.8, 0.42]}}}]\n"
        "species:\n"
        "  - {name: detergent, diffusion: 1e-4, surface: {adsorption: 10, desorption: 1, capacity: 0.05, diffusion: "
        "0.01, "
        "evaporation: 0.2},\n"
        "     start: [{concentration: 1}], inflow: [{concentration: 2}]}\n"
        "  - {name: dirt, diffusion: 1e-4}\n"
        "substances: [{name: grease, coats: [{wall: tub, coverage: 0.02}]}]\n"
        "reactions: [{species: detergent, substance: grease, product: dirt, rate: 2, coefficients: [1, 1, 2]}]\n";
    validation_run run;
    mn_status status = validation_open_text(&run, setup, text, say) ? MN_OK : MN_BAD_INPUT;
    if (status == MN_OK) {
        const double start = species_account(run.world, "detergent"),
                     grease = species_number(run.world, "grease_walls");
        double worst = 0, other = 0, least = 0;
        for (int step = 0; step < 10000 && status == MN_OK; step++) {
            status = mn_step(run.world, say);
            if (step % 100 != 99) continue;
            const double had = start + species_column(run.world, "detergent", "emitted");
            worst = fmax(worst, fabs(species_account(run.world, "detergent") - start) / had);
            const size_t n = (size_t)mn_world_particles(run.world);
            float *values = malloc((n + 1) * sizeof *values);
            static const char *const names[] = {"detergent", "detergent_surface", "dirt", "dirt_surface"};
            for (int f = 0; f < 4; f++)
                if (values && mn_world_get(run.world, names[f], values, say) == MN_OK)
                    for (size_t i = 0; i < n; i++) least = fmin(least, (double)values[i]);
            free(values);
            const double made = 2 * (grease - species_number(run.world, "grease_walls"));
            if (made > 0) other = fmax(other, fabs(species_account(run.world, "dirt")) / made);
        }
        const double gone = grease - species_number(run.world, "grease_walls");
        validation_add(out, worst, 0, 1e-6, "largest drift of the detergent in 10,000 steps", "");
        validation_add(out, other, 0, 1e-6, "and of what it became", "");
        validation_add(out, fabs(-species_column(run.world, "dirt", "reacted") / (2 * gone) - 1), 0, 1e-9,
                       "error of the reaction's proportions", "");
        validation_add(out, -least, 0, 1e-30, "least concentration below zero", "mol/m^3");
        /* as first measured, a guard */
        validation_add(out, gone / grease, 0.047, 0.25, "share of the grease used up", "");
        validation_add(out,
                       species_column(run.world, "detergent", "drained") /
                           (start + species_column(run.world, "detergent", "emitted")),
                       0.39, 0.25, "share of the detergent drained", "");
    }
    validation_close(&run);
    return status;
}
