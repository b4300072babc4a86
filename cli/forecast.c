/* forecast.c -- what a run will take; see forecast.h.
 *
 * Steps: end over the step, fixed or by the CFL condition. The speed grows with gravity up to the largest that a fall
 * can give; liquid that is held up, which a trial shows, hardly gains any. A flow is at its fastest for a moment only,
 * hence the step is that of SUSTAINED times the speed, and never longer than the step of the trial. */
#include "forecast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "scene/scene.h"

static const double SUSTAINED = 0.9;
static const double BYTES_EACH = 450; /* of a particle with its neighbour lists, where no step was tried */

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* The strongest gravity of its keyframes. */
static double strongest_gravity(const mn_scene *scene, double direction[3])
{
    double most = 0;
    for (int k = 0; k < scene->gravity.count; k++) {
        const double *g = scene->gravity.value + 3L * k, length = length_of(g);
        if (length <= most) continue;
        most = length;
        for (int a = 0; a < 3; a++) direction[a] = g[a] / length;
    }
    return most;
}

static void extend(const float *x, int64_t n, const double direction[3], double *low, double *high)
{
    for (int64_t i = 0; i < n; i++) {
        double along = 0;
        for (int a = 0; a < 3; a++) along += (double)x[3 * i + a] * direction[a];
        *low = fmin(*low, along);
        *high = fmax(*high, along);
    }
}

/* How far liquid can fall: from the highest particle or opening to the lowest boundary point or particle. */
static double fall(const mn_scene *scene, mn_world *world, const double down[3])
{
    const int64_t n = mn_world_particles(world), walls = mn_world_boundary_points(world);
    float *x = malloc((size_t)(3 * (n > walls ? n : walls) + 1) * sizeof *x);
    int *wall = malloc((size_t)(walls + 1) * sizeof *wall);
    double low = INFINITY, high = -INFINITY, ignored = INFINITY;
    if (x && wall && mn_world_get(world, "position", x, NULL) == MN_OK) extend(x, n, down, &low, &high);
    for (int f = 0; f < scene->fluid_count; f++)
        for (int e = 0; e < scene->fluids[f].emitter_count; e++) {
            const double *p = scene->fluids[f].emitters[e].position;
            const double along = p[0] * down[0] + p[1] * down[1] + p[2] * down[2];
            low = fmin(low, along), high = fmax(high, along);
        }
    if (x && wall && mn_world_boundary(world, x, wall, NULL) == MN_OK) extend(x, walls, down, &ignored, &high);
    free(x);
    free(wall);
    return high > low ? high - low : 0;
}

/* What liquid has or is given: at the start and by emitters. */
static double given_speed(const mn_scene *scene, mn_world *world)
{
    double given = mn_world_stats(world).max_speed;
    for (int f = 0; f < scene->fluid_count; f++) {
        given = fmax(given, length_of(scene->fluids[f].velocity));
        for (int e = 0; e < scene->fluids[f].emitter_count; e++) {
            const mn_curve *speed = &scene->fluids[f].emitters[e].speed;
            for (int k = 0; k < speed->count; k++) given = fmax(given, speed->value[k]);
        }
    }
    return given;
}

static double fastest(const mn_scene *scene, mn_world *world, double given)
{
    double down[3] = {0};
    const double g = strongest_gravity(scene, down);
    double gained = 2 * g * fall(scene, world, down);
    if (!scene->wall_count) gained = INFINITY; /* nothing stops it */
    return fmin(sqrt(given * given + gained), given + g * scene->end);
}

cli_forecast cli_forecast_begin(const mn_scene *scene, mn_world *world)
{
    cli_forecast f = {.particles = (double)mn_world_particles(world)};
    f.given = given_speed(scene, world);
    f.fastest = fastest(scene, world, f.given);
    for (int k = 0; k < scene->fluid_count; k++)
        for (int e = 0; e < scene->fluids[k].emitter_count; e++)
            f.emitted += mn_emitter_forecast(scene, &scene->fluids[k].emitters[e]);
    return f;
}

/* "85 MB" */
static const char *bytes(double value, char out[40])
{
    const char *unit[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    int power = 0;
    for (; value >= 999.5 && power < 5; power++) value /= 1000;
    snprintf(out, 40, "%.3g %s", value, unit[power]);
    return out;
}

static const char *duration(double seconds, char out[40])
{
    if (seconds < 90) snprintf(out, 40, "%.0f s", fmax(1, seconds));
    else if (seconds < 5400) snprintf(out, 40, "%.0f minutes", seconds / 60);
    else if (seconds < 172800) snprintf(out, 40, "%.1f hours", seconds / 3600);
    else snprintf(out, 40, "%.1f days", seconds / 86400);
    return out;
}

/* m/s that free fall gives from the beginning to `end`. */
static double falls(const mn_scene *scene, double end)
{
    enum { SLICES = 200 };
    double sum = 0, g[3];
    for (int k = 0; k < SLICES && scene->gravity.count; k++) {
        mn_curve_at(&scene->gravity, end * (k + 0.5) / SLICES, g);
        sum += length_of(g) * end / SLICES;
    }
    return sum;
}

/* How much of free fall the fastest particle of the trial has gained: 1 where nothing holds it. */
static double freedom(const cli_forecast *f, const mn_scene *scene, const cli_trial *trial)
{
    const double gained = trial->steps ? falls(scene, trial->time[trial->steps]) : 0;
    return gained > 0 ? fmin(1, fmax(0, trial->speed - f->given) / gained) : 1;
}

static double count_steps(const cli_forecast *f, const mn_scene *scene, const cli_trial *trial)
{
    enum { SLICES = 1000 };
    if (!scene->adaptive) return ceil(scene->end / scene->step - 1e-9);
    const double part = freedom(f, scene, trial);
    double steps = 0;
    for (int k = 0; k < SLICES; k++) {
        const double speed = fmin(f->fastest, f->given + part * falls(scene, scene->end * (k + 0.5) / SLICES));
        double step = scene->step_max;
        if (speed > 0) step = fmin(step, scene->cfl * scene->spacing / (SUSTAINED * speed));
        if (trial->dt > 0) step = fmin(step, trial->dt);
        steps += scene->end / SLICES / fmax(step, scene->step_min);
    }
    return ceil(steps - 1e-6);
}

void cli_trial_add(cli_trial *trial, const mn_stats *stats, double seconds)
{
    const double n = (double)stats->particles;
    const int class = n < 1 ? 0 : (int)fmin(1 + floor(log2(n)), CLI_TRIAL_CLASSES - 1);
    if (++trial->steps == 2) memset(trial->class, 0, sizeof trial->class); /* the first makes room for all others */
    trial->class[class].count++;
    trial->class[class].particles += n, trial->class[class].seconds += seconds;
    const int now = trial->steps, half = now / 2;
    trial->time[now] = stats->time;
    trial->dt = (trial->time[now] - trial->time[half]) / (now - half);
    trial->particles = n, trial->speed = stats->max_speed;
}

/* Seconds of a step with so many particles: along the line through the fullest class that was tried and the fullest
 * with at most a quarter as many; without that in proportion. 0: not known. */
static double cost(const cli_trial *trial, double particles)
{
    double n[CLI_TRIAL_CLASSES] = {0}, seconds[CLI_TRIAL_CLASSES] = {0};
    int full = 0, few;
    for (int k = 0; k < CLI_TRIAL_CLASSES; k++) {
        if (!trial->class[k].count) continue;
        n[k] = trial->class[k].particles / trial->class[k].count;
        seconds[k] = trial->class[k].seconds / trial->class[k].count;
        full = k;
    }
    if (!(n[full] > 0)) return particles > 1 ? 0 : seconds[full];
    for (few = full - 1; few >= 0; few--)
        if (seconds[few] > 0 && n[few] <= n[full] / 4) break;
    const double each = few < 0 ? seconds[full] / n[full] : (seconds[full] - seconds[few]) / (n[full] - n[few]);
    return fmax(seconds[full] + each * (particles - n[full]), fmin(seconds[full], seconds[full] * particles / n[full]));
}

/* Particles that the domain can hold at once: what emitters add beyond that has left it. */
static double room(const mn_scene *scene)
{
    double volume = 1;
    for (int a = 0; a < 3; a++) volume *= (scene->high[a] - scene->low[a]) / scene->spacing;
    return scene->bounded ? volume : INFINITY;
}

/* Of one frame in all formats. */
static double frame_bytes(const mn_scene *scene, double particles)
{
    double each = 0;
    for (int i = 0; i < scene->frame_field_count; i++) {
        const int width = mn_field_width(scene->frame_fields[i]);
        each += 4.0 * (width > 0 ? width : 1); /* of a species: 1 */
    }
    double sum = 0;
    for (int i = 0; i < scene->frame_format_count; i++)
        sum += particles * (12 + each + (strcmp(scene->frame_formats[i], "vtp") == 0 ? 8 : 0));
    return sum;
}

static void print_disk(const mn_scene *scene, double particles, double steps)
{
    char all[40], one[40], saved[40];
    const double rows = scene->stats_interval > 0 ? fmin(steps, scene->end / scene->stats_interval) : steps;
    const double frames = scene->frame_interval > 0 ? floor(scene->end / scene->frame_interval + 1e-9) + 1 : 0;
    const double frame = frame_bytes(scene, particles), checkpoint = 80 * particles;
    printf("  disk      about %s: %s frame%s of %s, 2 checkpoints of %s\n",
           bytes(frames * frame + 2 * checkpoint + 350 * rows, all), cli_grouped((long long)frames),
           frames == 1 ? "" : "s", bytes(frame, one), bytes(checkpoint, saved));
}

void cli_forecast_print(const cli_forecast *f, const mn_scene *scene, const cli_trial *trial, const char *backend)
{
    const double steps = count_steps(f, scene, trial), step = scene->end / steps;
    const double start = fmax(1, f->particles), most = fmin(f->particles + f->emitted, fmax(start, room(scene)));
    const double filling = f->emitted > 0 ? fmin(1, (most - f->particles) / f->emitted) : 0; /* part of the time */
    const double mean = fmax(1, filling * 0.5 * (f->particles + most) + (1 - filling) * most);
    char text[40];
    if (f->emitted >= 1) printf("  emitted   about %s particles\n", cli_grouped((long long)f->emitted));
    printf("  steps     %s%s of %.3g ms\n", scene->adaptive ? "about " : "", cli_grouped((long long)steps), 1e3 * step);
    const double each_step = cost(trial, mean);
    if (each_step > 0)
        printf("  time      about %s on %s, by %s trial step%s\n", duration(steps * each_step, text), backend,
               cli_grouped(trial->steps), trial->steps == 1 ? "" : "s");
    else printf("  time      not known: %s\n", trial->steps ? "its first steps have no particle" : trial->reason);
    const bool tried = trial->steps > 0 && f->particles > 0;
    const double each = tried ? trial->bytes / start : BYTES_EACH, now = trial->steps ? trial->particles : 0;
    printf("  memory    about %s\n", bytes(trial->bytes + each * fmax(0, most - now), text));
    print_disk(scene, mean, steps);
}
