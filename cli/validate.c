/* validate.c -- `meniscus validate`: the table of cases, and the report. */
#include "validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "report.h"
#include "scenes.h"

static const validation_case cases[] = {
    {"hydrostatic", "pressure under a still surface grows with depth as density times gravity", validate_hydrostatic},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

int cli_validate_cases(const char **out, int capacity)
{
    for (int i = 0; i < CASE_COUNT && i < capacity; i++) out[i] = cases[i].name;
    return CASE_COUNT;
}

mn_world *validation_world(const char *name, const mn_options *options, mn_scene **scene, mn_messages *say)
{
    char *path = cli_find_scene(name);
    *scene = path ? mn_scene_load(path, NULL, 0, say) : NULL;
    free(path);
    return *scene ? mn_world_new(*scene, options, say) : NULL;
}

static bool within(const validation_result *r)
{
    double scale = r->expected == 0 ? 1 : fabs(r->expected);
    return fabs(r->measured - r->expected) <= r->tolerance * scale;
}

static bool run_case(const validation_case *the, const cli_arguments *args, const mn_options *options, mn_messages *say, int *code)
{
    if (!args->quiet) {
        fprintf(stderr, "%s: %s ...\n", the->name, the->checks);
        fflush(stderr);
    }
    validation_result r = {0};
    double start = cli_clock();
    mn_status status = the->run(options, &r, say);
    cli_report(say, !args->quiet);
    if (status != MN_OK) {
        *code = status;
        printf("%-16s FAILED   could not be measured\n", the->name);
        return false;
    }
    bool good = within(&r);
    double off = r.expected == 0 ? r.measured : 100 * (r.measured / r.expected - 1);
    printf("%-16s %-8s %s: %.6g %s, expected %.6g, off by %.3g%s (allowed %g%s), %.1f s\n", the->name, good ? "passed" : "FAILED",
           r.quantity, r.measured, r.unit, r.expected, off, r.expected == 0 ? "" : " %",
           r.expected == 0 ? r.tolerance : 100 * r.tolerance, r.expected == 0 ? "" : " %", cli_clock() - start);
    fflush(stdout);
    if (!good && *code == MN_OK) *code = MN_FAILED;
    return good;
}

int cli_validate(const cli_arguments *args)
{
    mn_messages *say = mn_messages_new();
    if (!say) return MN_FAILED;
    mn_options options = mn_default_options();
    if (args->backend) options.backend = args->backend;
    options.threads = (int)args->threads;
    int code = MN_OK, passed = 0, failed = 0;
    for (int i = 0; i < CASE_COUNT; i++) {
        if (args->operand && strcmp(args->operand, cases[i].name) != 0) continue;
        if (run_case(&cases[i], args, &options, say, &code)) passed++;
        else failed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    mn_messages_free(say);
    return code;
}
