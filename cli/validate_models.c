/* validate_models.c -- one table for all models of tension: drops of water of 1 and 1.5 mm, without weight, spacing
 * 1/7 mm, both at rest; then the larger one is kicked and swings.
 *
 * The coefficients are those that the page of each model gives for 0.0728 N/m, the viscosity is water's; with `laplace`
 * twenty times that until 16 ms, as its drops would swing for long. It promises N/m and is held to it; of the others
 * the same bars only mark what they miss.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/scene.h"
#include "validate_drop.h"

enum { POINTS = 64, COLUMNS = 10 };

typedef struct column {
    const char *head, *what; /* in the table, in the list of results */
    double expected, bar;
} column;

/* Asked for before anything was measured. Damping: half to twice. */
static const column columns[COLUMNS] = {
    {"pressure", "laplace: pressure over 2 sigma/R, drop of 7 spacings", 1, 0.05},
    {"apart", "pressure that does not change with R, over 2 sigma/R", 0, 0.05},
    {"slope", "slope of the pressure over 1/R, over 2 sigma", 1, 0.05},
    {"l = 2", "frequency of l = 2 without its damping, over Lamb's", 1, 0.05},
    {"l = 3", "frequency of l = 3, over Lamb's", 1, 0.05},
    {"damping", "damping of l = 2 over that of water", 1.25, 0.6},
    {"speed", "speed at rest over U", 0, 0.01},
    {"round", "longest over shortest axis", 1, 0.01},
    {"drift", "speed of the centre over U", 0, 1e-5},
    {"growth", "growth of the kinetic energy in 5 ms over the energy of the surface", 0, 1e-6},
};

typedef struct model_row {
    const char *name, *lines, *limit;
} model_row;

#define THIN "    viscosity: {model: standard, viscosity: 1e-6}\n"
static const model_row rows[] = {
    {"laplace", DROP_STILL, "adds friction against what single particles do"},
    {"akinci2013", THIN "    tension: {model: akinci2013, cohesion: 119, curvature: 119}\n",
     "pressure holds the attraction; particles freeze"},
    {"wang2017", THIN "    tension: {model: wang2017, cohesion: 830000, curvature: 99}\n", "as akinci2013"},
    {"jeske2023", THIN "    tension: {model: jeske2023, cohesion: 1.6}\n",
     "pressure holds the attraction; the time step changes it"},
    {"lafaurie1994", THIN "    surface: orthmann2013\n    tension: {model: lafaurie1994, tension: 0.0728}\n",
     "does not hold single particles: boils"},
    {"lafaurie1994 + akinci2013",
     THIN "    surface: orthmann2013\n    tension:\n      - {model: lafaurie1994, tension: 0.0428}\n"
          "      - {model: akinci2013, cohesion: 24.5, curvature: 49}\n",
     "as akinci2013"},
    {"morris2000", THIN "    tension: {model: morris2000, tension: 0.0728}\n",
     "force at the outermost layer only: throws off particles"},
    {"becker2007", THIN "    tension: {model: becker2007, strength: 2e-4}\n", "nothing repels: particles cluster"},
    {"tartakovsky2005", THIN "    tension: {model: tartakovsky2005, strength: 2e-5}\n", "pairs freeze"},
    {"he2014", THIN "    tension: {model: he2014, strength: 4e-4}\n", "little tension for its roughness: comes apart"},
    {"zorilla2020", THIN "    tension: {model: zorilla2020, strength: 1.5e-9}\n",
     "normals of single particles: momentum is not kept"},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The larger drop after its rest: kinetic energy of the last two stretches of 5 ms. */
static mn_status rest_long(moment *m, double until, drop_rest *rest, double *growth)
{
    double energy[2] = {0, 0};
    mn_status status = MN_OK;
    for (int k = 0; k < 20 && status == MN_OK; k++) {
        status = moment_go_on(m, until - 0.0125 + 0.0005 * k);
        if (status == MN_OK) energy[k / 10] += mn_world_stats(m->run.world).kinetic_energy / 10;
    }
    if (status == MN_OK) status = drop_look(m, until, rest);
    *growth = (energy[1] - energy[0]) / (4 * M_PI * DROP_SIGMA * rest->radius * rest->radius);
    return status;
}

/* Both at once: 0.06 of the radius each. 1.3 periods of l = 2. */
static mn_status swing(moment *m, const validation_setup *setup, const char *name, double number[COLUMNS])
{
    const double r = drop_radius(m), lamb[2] = {drop_lamb(2, r), drop_lamb(3, r)};
    const double start = mn_world_time(m->run.world), span = 1.3 * 2 * M_PI / lamb[0];
    double time[POINTS], value[2][POINTS];
    mn_status status = MN_OK;
    for (int l = 2; l < 4 && status == MN_OK; l++) status = drop_kick(m, l, 0.06 * r * lamb[l - 2]);
    for (int k = 0; k < POINTS && status == MN_OK; k++) {
        time[k] = span * (k + 1) / POINTS;
        status = moment_go_on(m, start + time[k]);
        for (int l = 0; l < 2 && status == MN_OK; l++) value[l][k] = drop_amplitude(m, l + 2);
    }
    if (status != MN_OK) return status;
    const drop_swing two = drop_fit(time, value[0], POINTS, lamb[0]);
    /* l = 3 swings twice as fast */
    const drop_swing three = drop_fit(time, value[1], POINTS * 2 / 3, lamb[1]);
    /* where boiling hides the swing there is no number */
    if (two.error < 0.35) number[3] = two.own / lamb[0], number[5] = two.damping / (5 * 1e-6 / (r * r));
    if (three.error < 0.35) number[4] = three.own / lamb[1];
    return validation_curve(setup, "tension", name, "amplitude", time, value[0], POINTS, m->run.say);
}

static bool whole(const moment *m)
{
    pieces_summary pieces = {0};
    return moment_pieces(m, 1, &pieces) == MN_OK && pieces.largest > 0.95 * (double)m->all.count;
}

/* Numbers stay NAN where a drop has come apart, or boils. */
static mn_status measure(const validation_setup *setup, const model_row *row, double number[COLUMNS], mn_messages *say)
{
    const double d = 1e-3 / 7, dt = 3e-5, later = row == rows ? 0.0084 : 0;
    const drop_setup small = {1e-3, d, dt, 0.00005, row->lines}, large = {1.5e-3, d, dt, 0.00005, row->lines};
    drop_rest a = {0}, b = {0};
    double growth = 0;
    moment m;
    mn_status status = drop_open(&m, setup, &small, say);
    if (status == MN_OK) status = drop_look(&m, 0.0168 + later, &a);
    moment_end(&m);
    if (status != MN_OK) return status;
    status = drop_open(&m, setup, &large, say);
    if (status == MN_OK) status = rest_long(&m, 0.024 + later, &b, &growth);
    if (status == MN_OK) {
        const double slope = (a.pressure - b.pressure) / (2 * DROP_SIGMA * (1 / a.radius - 1 / b.radius));
        number[0] = a.pressure * a.radius / (2 * DROP_SIGMA);
        number[1] = number[0] - slope;
        number[2] = slope;
        number[6] = b.speed, number[7] = b.round, number[8] = b.drift, number[9] = growth;
        if (whole(&m)) status = swing(&m, setup, row->name, number);
    }
    moment_end(&m);
    return status;
}

static void add_line(validation_report *out, const char *name, const double number[COLUMNS], const char *limit)
{
    char *to = out->table + strlen(out->table), *end = out->table + sizeof out->table;
    to += snprintf(to, (size_t)(end - to), "  %-25s", name);
    for (int c = 0; c < COLUMNS; c++) {
        const validation_result r = {number[c], columns[c].expected, columns[c].bar, "", "", false};
        /* energy may fall */
        const bool good = validation_within(&r) || (c == 9 && number[c] < 0);
        if (isnan(number[c])) to += snprintf(to, (size_t)(end - to), " %9s ", "-");
        else to += snprintf(to, (size_t)(end - to), " %9.3g%c", number[c], good ? ' ' : '*');
    }
    snprintf(to, (size_t)(end - to), " %s\n", limit);
}

mn_status validate_tension(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    char *to = out->table;
    to += sprintf(to, "  %-25s", "model (* misses)");
    for (int c = 0; c < COLUMNS; c++) to += sprintf(to, " %9s ", columns[c].head);
    sprintf(to, " what limits it\n");
    for (int k = 0; k < ROWS; k++) {
        double number[COLUMNS];
        for (int c = 0; c < COLUMNS; c++) number[c] = NAN;
        const mn_status status = measure(setup, &rows[k], number, say);
        if (status != MN_OK) return status;
        add_line(out, rows[k].name, number, rows[k].limit);
        for (int c = 0; c < COLUMNS && k == 0; c++)
            validation_add(out, c == 9 ? fmax(0, number[c]) : number[c], columns[c].expected, columns[c].bar,
                           columns[c].what, "");
    }
    return MN_OK;
}
