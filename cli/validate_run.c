/* validate_run.c -- what the cases of `meniscus validate` share: a scene in motion, and the list of results. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scene/scene.h"
#include "scenes.h"
#include "validate.h"

static bool start(validation_run *run, const validation_setup *setup)
{
    run->world = run->scene ? mn_world_new(run->scene, &setup->options, run->say) : NULL;
    if (!run->world) return false;
    run->end = setup->end > 0 ? setup->end : run->scene->end;
    run->count = mn_world_particles(run->world);
    const size_t n = (size_t)run->count;
    run->position = calloc(3 * n + 1, sizeof(float));
    run->velocity = calloc(3 * n + 1, sizeof(float));
    run->density = calloc(n + 1, sizeof(float));
    run->pressure = calloc(n + 1, sizeof(float));
    if (run->position && run->velocity && run->density && run->pressure) return true;
    mn_say_failure(run->say, MN_NOWHERE, "out of memory");
    return false;
}

static int count_sets(const validation_setup *setup)
{
    int count = 0;
    while (setup->sets[count]) count++;
    return count;
}

validation_setup validation_with(const validation_setup *setup, const char *set)
{
    validation_setup with = *setup;
    const int count = count_sets(setup);
    if (!set) return with;
    if (count == VALIDATION_SETS) with.too_many = true;
    else with.sets[count] = set, with.sets[count + 1] = NULL;
    return with;
}

static bool all_fit(const validation_setup *setup, mn_messages *say)
{
    if (setup->too_many) mn_say_failure(say, MN_NOWHERE, "a scene takes at most %d changes", VALIDATION_SETS);
    return !setup->too_many;
}

bool validation_open(validation_run *run, const validation_setup *setup, const char *scene, const char *set,
                     mn_messages *say)
{
    const validation_setup with = validation_with(setup, set);
    *run = (validation_run){.say = say};
    if (!all_fit(&with, say)) return false;
    char *path = cli_find_scene(scene);
    run->scene = path ? mn_scene_load(path, with.sets, count_sets(&with), say) : NULL;
    free(path);
    return start(run, &with);
}

bool validation_open_text(validation_run *run, const validation_setup *setup, const char *text, mn_messages *say)
{
    *run = (validation_run){.say = say};
    if (!all_fit(setup, say)) return false;
    run->scene = mn_scene_parse(text, strlen(text), "validation", setup->sets, count_sets(setup), say);
    return start(run, setup);
}

void validation_close(validation_run *run)
{
    mn_world_free(run->world);
    mn_scene_free(run->scene);
    free(run->position);
    free(run->velocity);
    free(run->density);
    free(run->pressure);
}

mn_status validation_step(validation_run *run, double until)
{
    mn_world_limit_step(run->world, until);
    const mn_status status = mn_step(run->world, run->say);
    if (status != MN_OK || mn_world_particles(run->world) == run->count) return status;
    mn_say_error(run->say, MN_NOWHERE, "%lld of %lld particles left the domain by t = %g s",
                 (long long)(run->count - mn_world_particles(run->world)), (long long)run->count,
                 mn_world_time(run->world));
    return MN_FAILED;
}

mn_status validation_read(validation_run *run, const char *field, float *out)
{
    return mn_world_get(run->world, field, out, run->say);
}

static void add(validation_report *out, validation_result result)
{
    if (out->count < VALIDATION_MOST) out->at[out->count++] = result;
    /* fails */
    else out->at[VALIDATION_MOST - 1] = (validation_result){NAN, 0, 0, "more results than a report holds", "", false};
}

void validation_add(validation_report *out, double measured, double expected, double tolerance, const char *quantity,
                    const char *unit)
{
    add(out, (validation_result){measured, expected, tolerance, quantity, unit, false});
}

void validation_least(validation_report *out, double measured, double least, const char *quantity, const char *unit)
{
    add(out, (validation_result){measured, least, 0, quantity, unit, true});
}

bool validation_within(const validation_result *r)
{
    if (r->at_least) return r->measured >= r->expected;
    const double scale = r->expected == 0 ? 1 : fabs(r->expected);
    return fabs(r->measured - r->expected) <= r->tolerance * scale;
}

mn_status validation_curve(const validation_setup *setup, const char *the_case, const char *name, const char *column,
                           const double *time, const double *value, int count, mn_messages *say)
{
    char path[1024];
    if (!setup->curves) return MN_OK;
    snprintf(path, sizeof path, "%s/%s-%s.csv", setup->curves, the_case, name);
    for (char *c = path + strlen(setup->curves); *c; c++)
        if (*c == ' ' || *c == '+') *c = '-';
    if (mkdir(setup->curves, 0777) != 0 && errno != EEXIST) {
        mn_say_failure(say, MN_NOWHERE, "cannot make the directory %s: %s", setup->curves, strerror(errno));
        return MN_FAILED;
    }
    FILE *file = fopen(path, "w");
    bool good = file && fprintf(file, "time,%s\n", column) > 0;
    for (int k = 0; k < count && good; k++) good = fprintf(file, "%.9g,%.9g\n", time[k], value[k]) > 0;
    if (file && fclose(file) != 0) good = false;
    if (!good) mn_say_failure(say, MN_NOWHERE, "cannot write %s: %s", path, strerror(errno));
    return good ? MN_OK : MN_FAILED;
}
