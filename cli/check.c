/* check.c -- `meniscus check`: everything that is wrong with a scene, or what it would run.
 * The world is made as for a run, because overlaps, particles inside walls and the stability of the time step show only
 * once particles exist. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "args.h"
#include "forecast.h"
#include "progress.h"
#include "report.h"
#include "scene/scene.h"
#include "scenes.h"

enum { TRIAL_STEPS = 3, TRIAL_PARTICLES = 2000000 };
static const double TRIAL_SECONDS = 2;    /* no step is begun after so long, ... */
static const double ENOUGH_SECONDS = 0.4; /* ... and none beyond TRIAL_STEPS after so long */

/* A fixed time step that is far too long for explicit models shows in the first steps. */
static bool is_wild(const mn_scene *scene, mn_status status, double before, double speed, int step, mn_messages *say)
{
    const mn_place at = {scene->path, 0, 0};
    if (scene->adaptive) return status != MN_OK;
    if (status == MN_DIVERGED)
        mn_say_warning(say, at, "time.step of %g s is far too long for this scene: a trial diverges in step %d",
                       scene->step, step);
    else if (speed * scene->step > 2 * scene->spacing && speed > 2 * before)
        mn_say_warning(
            say, at,
            "time.step of %g s is far too long for this scene: in a trial particles reach %.3g m/s in step %d "
            "and move %.3g spacings in it",
            scene->step, speed, step, speed * scene->step / scene->spacing);
    else return status != MN_OK;
    return true;
}

static bool any_warning(const mn_messages *say)
{
    bool found = false;
    for (int i = 0; i < mn_messages_count(say); i++) found |= mn_messages_get(say, i).severity != MN_NOTE;
    return found;
}

/* The first steps, where they take no time worth mentioning. Where emitters fill an empty scene, as many as
 * TRIAL_SECONDS hold: a few would tell nothing of what it costs once it is full. */
static cli_trial try_steps(const cli_arguments *args, const mn_scene *scene, mn_world *world,
                           const cli_forecast *forecast, mn_messages *say)
{
    cli_trial trial = {.bytes = (double)mn_world_bytes(world), .reason = "a trial step failed"};
    if (mn_world_particles(world) > TRIAL_PARTICLES) {
        trial.reason = "no step is tried with more than two million particles";
        return trial;
    }
    const bool fills = (double)mn_world_particles(world) < 0.1 * forecast->emitted;
    const double enough = args->quiet ? 0 : fills ? TRIAL_SECONDS : ENOUGH_SECONDS; /* quiet: no time is printed */
    mn_messages *quiet = mn_messages_new();
    mn_messages *blame = any_warning(say) ? quiet : say; /* the step only where nothing else is doubtful */
    const double begin = cli_clock();
    for (int k = 1; k <= CLI_TRIAL_STEPS && cli_clock() - begin < (k <= TRIAL_STEPS ? TRIAL_SECONDS : enough); k++) {
        if (k > TRIAL_STEPS && mn_world_time(world) >= scene->end * (1 - 1e-9)) break;
        const double before = k == 1 ? forecast->given : mn_world_stats(world).max_speed, start = cli_clock();
        const mn_status status = mn_step(world, quiet);
        const double seconds = cli_clock() - start;
        const mn_stats stats = status == MN_OK ? mn_world_stats(world) : (mn_stats){0};
        if (is_wild(scene, status, before, stats.max_speed, k, k <= TRIAL_STEPS ? blame : quiet)) break;
        cli_trial_add(&trial, &stats, seconds);
    }
    mn_messages_free(quiet);
    trial.bytes = (double)mn_world_bytes(world);
    return trial;
}

int cli_check(const cli_arguments *args)
{
    mn_messages *say = mn_messages_new();
    char *path = NULL;
    bool good;
    cli_progress line = cli_progress_begin(say, args->quiet);
    mn_messages_watch(say, cli_progress_prepare, &line);
    mn_scene *scene = cli_load_draft(args, &path, &good, say);
    if (scene) mn_scene_inspect_files(scene, say);
    const mn_options options = {.backend = args->backend, .threads = (int)args->threads};
    mn_world *world = scene && good && mn_messages_errors(say) == 0 ? mn_world_new(scene, &options, say) : NULL;
    if (world) mn_world_inspect(world, say);
    cli_progress_end(&line);
    const long long particles = world ? mn_world_particles(world) : 0;
    const cli_forecast forecast = world ? cli_forecast_begin(scene, world) : (cli_forecast){0};
    const cli_trial trial = world ? try_steps(args, scene, world, &forecast, say) : (cli_trial){0};
    int code = scene && world && mn_messages_errors(say) == 0 ? MN_OK : mn_status_of_failure(say);
    cli_report(say, !args->quiet);
    if (scene && code == MN_OK && !args->quiet)
        printf("%s: %s fluid particles, %s boundary points, %g s\n", path, cli_grouped(particles),
               cli_grouped(mn_world_boundary_points(world)), scene->end);
    if (code == MN_OK && !args->quiet) cli_forecast_print(&forecast, scene, &trial, mn_world_backend(world));
    mn_world_free(world);
    mn_scene_free(scene);
    mn_messages_free(say);
    free(path);
    return code;
}
