/* outlook.c -- see outlook.h. */
#include "session/outlook.h"

#include <math.h>

static void widen(double low[3], double high[3], const double a[3], const double b[3])
{
    for (int c = 0; c < 3; c++) {
        low[c] = fmin(low[c], a[c]);
        high[c] = fmax(high[c], b[c]);
    }
}

/* Openings from which fluid will come, and how far it gets in half a second. */
static void widen_by_emitters(const mn_scene *scene, double low[3], double high[3])
{
    for (int f = 0; f < scene->fluid_count; f++) {
        for (int e = 0; e < scene->fluids[f].emitter_count; e++) {
            const mn_emitter *emitter = &scene->fluids[f].emitters[e];
            double speed, reach[3];
            mn_curve_at(&emitter->speed, emitter->start, &speed);
            for (int c = 0; c < 3; c++) reach[c] = emitter->position[c] + 0.5 * speed * emitter->direction[c];
            widen(low, high, emitter->position, emitter->position);
            widen(low, high, reach, reach);
        }
    }
}

/* Where a fluid flies that moves at the start or has nothing below it: box [a, b] on its parabola to the end of the
 * scene, within the walls' bounds if there are some, and no further than eight of its sizes. */
static void widen_by_flight(const mn_scene *scene, const double *wall_low, const double *wall_high, double low[3],
                            double high[3])
{
    enum { MOMENTS = 16 };
    double gravity[3], size = 4 * scene->spacing, a[3], b[3];
    mn_curve_at(&scene->gravity, 0, gravity);
    for (int c = 0; c < 3; c++) {
        a[c] = low[c];
        b[c] = high[c];
        size = fmax(size, high[c] - low[c]);
    }
    for (int f = 0; f < scene->fluid_count; f++) {
        if (scene->fluids[f].shape_count == 0) continue;
        for (int k = 1; k <= MOMENTS; k++) {
            const double t = scene->end * k / MOMENTS;
            double from[3], to[3];
            for (int c = 0; c < 3; c++) {
                const double fall =
                    fmin(fmax(scene->fluids[f].velocity[c] * t + 0.5 * gravity[c] * t * t, -8 * size), 8 * size);
                from[c] = a[c] + fmin(fall, 0);
                to[c] = b[c] + fmax(fall, 0);
                if (wall_low) from[c] = fmax(from[c], fmin(a[c], wall_low[c]));
                if (wall_high) to[c] = fmin(to[c], fmax(b[c], wall_high[c]));
            }
            widen(low, high, from, to);
        }
    }
}

bool mn_outlook(const mn_scene *scene, const double *wall_low, const double *wall_high, double low[3], double high[3])
{
    widen_by_emitters(scene, low, high);
    if (!(low[0] <= high[0])) return false;
    widen_by_flight(scene, wall_low, wall_high, low, high);
    return true;
}

/* Largest speed with which fluid begins or leaves an opening. */
static double fastest_start(const mn_scene *scene)
{
    double most = 0;
    for (int f = 0; f < scene->fluid_count; f++) {
        const mn_fluid *fluid = &scene->fluids[f];
        const double *v = fluid->velocity;
        if (fluid->shape_count) most = fmax(most, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        for (int e = 0; e < fluid->emitter_count; e++) {
            double speed;
            mn_curve_at(&fluid->emitters[e].speed, fluid->emitters[e].start, &speed);
            most = fmax(most, speed);
        }
    }
    return most;
}

double mn_outlook_speed(const mn_scene *scene, const double low[3], const double high[3])
{
    double gravity[3], fall = 0;
    mn_curve_at(&scene->gravity, 0, gravity);
    for (int c = 0; c < 3; c++) fall += fabs(gravity[c]) * (high[c] - low[c]);
    return fall > 0 ? fmax(sqrt(fall), fastest_start(scene)) : 0;
}
