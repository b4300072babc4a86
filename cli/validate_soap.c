/* validate_soap.c -- what differences of surface tension must do: soap boats, spreading soap, the pull at a waterline,
 * tears of wine, and the pressure of a stress within the surface. Thresholds as in validate_species.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/scene.h"
#include "validate_species.h"

/* Pull on the boat while it is held, and its travel in the same time when it is free, with soap less without. At most
 * the pull is 0.047 N/m on its 8 mm (the scene's estimate), and the travel half of 0.43 m/s^2 times the time squared;
 * at least it goes a spacing farther than without soap. */
mn_status validate_soap_boat(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const soap[] = {NULL, "species.0.effect.tension=0"};
    double travel[2] = {0}, pull[2] = {0}, drift = 0, time = 0;
    mn_status status = MN_OK;
    for (int k = 0; k < 4 && status == MN_OK; k++) {
        const validation_setup held = validation_with(setup, k >= 2 ? "bodies.0.fixed=true" : NULL);
        validation_run run;
        status = validation_open(&run, &held, "orthmann2013/soap-boat-small", soap[k % 2], say) ? MN_OK : MN_BAD_INPUT;
        if (status == MN_OK) {
            const double start = species_account(run.world, "soap"), from = mn_world_body(run.world, 0).position[0];
            double sum = 0;
            mn_world_limit_step(run.world, run.end);
            while (status == MN_OK && mn_world_time(run.world) < run.end * (1 - 1e-12)) {
                const double before = mn_world_time(run.world);
                status = mn_step(run.world, say);
                sum += (mn_world_time(run.world) - before) * mn_world_body(run.world, 0).force[0];
            }
            if (k < 2) travel[k] = mn_world_body(run.world, 0).position[0] - from;
            else pull[k % 2] = sum / run.end;
            drift = fmax(drift, fabs(species_account(run.world, "soap") / start - 1));
            time = run.end;
        }
        validation_close(&run);
    }
    const double most = 1000 * 0.5 * 0.43 * time * time;
    validation_add(out, 1000 * (travel[0] - travel[1]), 0.5 * (most + 1), (most - 1) / (most + 1),
                   "distance of the boat with soap minus without", "mm");
    validation_add(out, (pull[0] - pull[1]) / (0.047 * 0.008), 0.55, 0.45 / 0.55,
                   "pull on the boat when held over the difference of tension times its width", "");
    validation_add(out, drift, 0, 1e-6, "drift of the soap", "");
    return status;
}

/* Travel of a boat with a bar of soap at its stern in open water, with soap less without, from two starts (the boat
 * shifted by 0.6 spacings against the water): at least two spacings, at most what the whole pull does without drag
 * by 0.25 s (the scene's estimate); and forward each time. */
mn_status validate_soap_boat_open(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const soap[] = {NULL, "species.0.effect.tension=0"};
    static const char shift[] = "bodies.0.shapes=[{box: {min: [0.018, 0.0131, 0.014], max: [0.028, 0.0181, 0.022]}}]";
    double travel[4] = {0}, drift = 0;
    mn_status status = MN_OK;
    for (int k = 0; k < 4 && status == MN_OK; k++) {
        const validation_setup start = validation_with(setup, k >= 2 ? shift : NULL);
        validation_run run;
        status =
            validation_open(&run, &start, "orthmann2013/soap-boat-open-small", soap[k % 2], say) ? MN_OK : MN_BAD_INPUT;
        if (status == MN_OK) {
            const double bar = species_number(run.world, "bar_walls"), from = mn_world_body(run.world, 0).position[0];
            status = species_until(&run, run.end);
            travel[k] = 1000 * (mn_world_body(run.world, 0).position[0] - from);
            const double gone = bar - species_number(run.world, "bar_walls");
            drift = fmax(drift, fmax(fabs(species_account(run.world, "soap")),
                                     fabs(species_column(run.world, "soap", "reacted") + gone)) /
                                    gone);
        }
        validation_close(&run);
    }
    const double most = 28;
    for (int k = 0; k < 4; k += 2) {
        validation_add(out, travel[k], 0.5 * most, 1, "distance of the boat", "mm");
        validation_add(out, travel[k] - travel[k + 1], 0.5 * (most + 2), (most - 2) / (most + 2),
                       "the same minus its distance without soap", "mm");
    }
    validation_add(out, drift, 0, 1e-6, "drift of the soap, and soap made less bar dissolved", "");
    return status;
}

/* Mean distance of the film from the middle of the pool (m), over its amount. */
static double film_radius(validation_run *run)
{
    const size_t n = (size_t)mn_world_particles(run->world);
    float *film = malloc((n + 1) * sizeof *film), *area = malloc((n + 1) * sizeof *area),
          *at = malloc((n + 1) * 3 * sizeof *at);
    double whole = 0, sum = 0;
    if (film && area && at && mn_world_get(run->world, "soap_surface", film, run->say) == MN_OK &&
        mn_world_get(run->world, "area", area, run->say) == MN_OK &&
        mn_world_get(run->world, "position", at, run->say) == MN_OK)
        for (size_t i = 0; i < n; i++) {
            const double amount = (double)area[i] * (double)film[i];
            whole += amount;
            sum += amount * hypot((double)at[3 * i] - 0.045, (double)at[3 * i + 2] - 0.045);
        }
    free(film), free(area), free(at);
    return whole > 0 ? sum / whole : NAN;
}

mn_status validate_soap_spreading(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const effect[] = {NULL, "species.0.effect.tension=0"};
    double growth[2] = {0};
    mn_status status = MN_OK;
    for (int k = 0; k < 2 && status == MN_OK; k++) {
        validation_run run;
        status =
            validation_open(&run, setup, "orthmann2013/soap-spreading-small", effect[k], say) ? MN_OK : MN_BAD_INPUT;
        if (status == MN_OK) status = species_until(&run, 0.01);
        if (status == MN_OK) {
            const double start = film_radius(&run);
            status = species_until(&run, run.end);
            growth[k] = film_radius(&run) - start;
        }
        validation_close(&run);
    }
    validation_add(out, 1000 * growth[0], 3.5, 0.4, "growth of the film's mean radius", "mm");
    validation_add(out, 1000 * growth[1], 0, 1.8, "growth without its effect on the tension", "mm");
    return status;
}

/* Pressure inside a drop without weight, mean of many moments of drops from five starts, with a stress within the
 * surface of 0.04 N/m added to akinci2013, less without: 2 tension/radius. The drops tremble: single ones give 7.7
 * to 11 Pa. */
mn_status validate_stress_drop(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const tension[] = {"0.04", "0"}, *const jitter[] = {"0", "0.01", "0.02", "0.03", "0.05"};
    enum { STARTS = sizeof jitter / sizeof *jitter, LOOKS = 60 };
    double inside[2] = {0};
    mn_status status = MN_OK;
    for (int k = 0; k < 2 * STARTS && status == MN_OK; k++) {
        char text[700];
        snprintf(
            text, sizeof text,
            "particles: {spacing: 0.001}\ngravity: [0, 0, 0]\ntime: {adaptive: {max: 0.0005}, end: 0.25}\n"
            "pressure: {model: dfsph, tolerance: 0.05}\n"
            "fluids:\n"
            "  - shapes: [{sphere: {centre: [0, 0, 0], radius: 0.008}}]\n"
            "    jitter: %s\n"
            "    viscosity: {model: standard, viscosity: 2e-5}\n"
            "    surface: orthmann2013\n"
            "    tension: [{model: lafaurie1994, tension: %s}, {model: akinci2013, cohesion: 0.5, curvature: 1}]\n",
            jitter[k / 2], tension[k % 2]);
        validation_run run;
        status = validation_open_text(&run, setup, text, say) ? MN_OK : MN_BAD_INPUT;
        if (status == MN_OK) status = species_until(&run, 0.1);
        double sum = 0, weight = 0;
        for (int look = 1; look <= LOOKS && status == MN_OK; look++) {
            status = species_until(&run, 0.1 + (run.end - 0.1) * look / LOOKS);
            if (status == MN_OK) status = validation_read(&run, "position", run.position);
            if (status == MN_OK) status = validation_read(&run, "pressure", run.pressure);
            for (int64_t i = 0; i < run.count && status == MN_OK; i++) {
                const float *x = &run.position[3 * i];
                if (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < 0.004f * 0.004f)
                    sum += (double)run.pressure[i], weight += 1;
            }
        }
        inside[k % 2] += sum / weight / STARTS;
        validation_close(&run);
    }
    validation_add(out, inside[0] - inside[1], 2 * 0.04 / 0.008, 0.15, "pressure in a drop by a stress of 0.04 N/m",
                   "Pa");
    return status;
}

/* A plate that stands between clean and soapy liquid, held, at the first moment, before anything flows: the
 * difference of the tensions times its two waterlines. */
mn_status validate_waterline(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char text[] =
        "particles: {spacing: 0.001}\ngravity: [0, 0, 0]\ntime: {step: 1e-5, end: 1e-4}\n"
        "domain: {min: [-0.05, -0.05, 0], max: [0.05, 0.05, 0.008], periodic: [z]}\n"
        "fluids:\n"
        "  - shapes: [{box: {grid: [14, 10, 8], origin: [-0.0161, 0.0005, 0.0005]}},\n"
        "             {box: {grid: [14, 10, 8], origin: [0.0031, 0.0005, 0.0005]}}]\n"
        "    surface: orthmann2013\n"
        "    tension: {model: lafaurie1994, tension: 0.04}\n"
        "bodies: [{name: plate, fixed: true, shapes: [{box: {min: [-0.0025, -0.005, 0], max: [0.0025, 0.015, "
        "0.008]}}]}]\n"
        "species:\n"
        "  - {name: soap, surface: {adsorption: 1e6, desorption: 1, capacity: 0.001}, effect: {tension: 0.7},\n"
        "     start: [{concentration: 10, shape: {box: {min: [0, -1, -1], max: [1, 1, 1]}}}]}\n";
    validation_run run;
    mn_status status = validation_open_text(&run, setup, text, say) ? MN_OK : MN_BAD_INPUT;
    if (status == MN_OK) status = species_until(&run, run.end);
    if (status == MN_OK)
        validation_add(out, 1e6 * mn_world_body(run.world, 0).force[0], -1e6 * 0.7 * 0.04 * 2 * 0.008, 0.05,
                       "force on a plate between clean and soapy liquid", "uN");
    validation_close(&run);
    return status;
}

/* Distance from the bottom of the groove that 19 in 20 particles have not passed, m. */
static double front(validation_run *run)
{
    const size_t n = (size_t)mn_world_particles(run->world);
    float *at = malloc((n + 1) * 3 * sizeof *at);
    double low = 0, high = 1;
    const bool read = at && mn_world_get(run->world, "position", at, run->say) == MN_OK;
    for (int k = 0; k < 30 && read; k++) {
        const double middle = 0.5 * (low + high);
        size_t beyond = 0;
        for (size_t i = 0; i < n; i++) beyond += (double)at[3 * i] > middle;
        if (beyond > n / 20) low = middle;
        else high = middle;
    }
    free(at);
    return read ? high : NAN;
}

/* The front of one run, as the mean of the last fifth of its time: it trembles by a tenth of a millimetre. *drift: of
 * the alcohol, the most of all runs. */
static mn_status climb(const validation_setup *setup, const char *start, const char *set, double *out, double *drift,
                       mn_messages *say)
{
    enum { LOOKS = 5 };
    const validation_setup own = validation_with(setup, start);
    validation_run run;
    mn_status status = validation_open(&run, &own, "orthmann2013/tears-of-wine-small", set, say) ? MN_OK : MN_BAD_INPUT;
    if (status == MN_OK) {
        const double had = species_account(run.world, "alcohol");
        *out = 0;
        for (int look = 0; look < LOOKS && status == MN_OK; look++) {
            status = species_until(&run, run.end * (0.8 + 0.2 * (look + 1) / LOOKS));
            *out += front(&run) / LOOKS;
        }
        *drift = fmax(*drift, fabs(species_account(run.world, "alcohol") / had - 1));
    }
    validation_close(&run);
    return status;
}

/* How far wine climbs, with and without evaporation. The scene estimates the edge of the level pool at 13 mm and the
 * longest film that the tension can hold at 24 mm: with evaporation the front has to be 0.3 to 1 of that beyond the
 * edge, without it no farther than a wetted glass draws it, about two millimetres. Without it the end of the bar is
 * nearer than runs differ: the mean of nine starts counts (docs/notes/soap-and-wine.md). */
mn_status validate_tears(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    enum { STARTS = 9 };
    static const char *const starts[STARTS] = {NULL,
                                               "fluids.wine.jitter=0.01",
                                               "fluids.wine.jitter=0.02",
                                               "fluids.wine.jitter=0.03",
                                               "fluids.wine.jitter=0.04",
                                               "fluids.wine.jitter=0.05",
                                               "fluids.wine.jitter=0.06",
                                               "fluids.wine.jitter=0.07",
                                               "fluids.wine.jitter=0.08"};
    double wet = 0, still[STARTS] = {0}, mean = 0, least = INFINITY, most = 0, drift = 0;
    mn_status status = climb(setup, NULL, NULL, &wet, &drift, say);
    for (int k = 0; k < STARTS && status == MN_OK; k++) {
        status = climb(setup, starts[k], "species.0.surface.evaporation=0", &still[k], &drift, say);
        mean += still[k] / STARTS, least = fmin(least, still[k]), most = fmax(most, still[k]);
    }
    validation_add(out, 1000 * wet, 28.6, 0.3, "front of the film with evaporation", "mm");
    validation_add(out, 1000 * mean, 15, 0.15, "front without, mean of nine starts", "mm");
    validation_add(out, 1000 * (most - least), 0, 0.3, "largest less smallest of them", "mm");
    validation_add(out, drift, 0, 1e-6, "drift of the alcohol", "");
    return status;
}
