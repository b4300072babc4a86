/* mesh.c -- `meniscus mesh`: the frames of a run -> meshes of its liquids' surfaces. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "base/file.h"
#include "report.h"
#include "session/meshes.h"
#include "session/replay.h"

static const char *const standard_format[] = {"ply"};

/* Refuses before anything is made if a mesh is there already. */
static mn_status check_taken(const mn_meshes *meshes, const mn_replay *replay, const cli_arguments *args,
                             mn_messages *say)
{
    for (int i = 0; i < mn_replay_count(replay) && !args->overwrite && !args->resume; i++) {
        const int number = mn_replay_number(replay, i);
        char *taken = cli_frame_wanted(args, number) ? mn_meshes_taken(meshes, number) : NULL;
        if (!taken) continue;
        mn_say_error(say, (mn_place){taken, 0, 0},
                     "this mesh is already there; expected another folder, --resume to make the others, or --overwrite "
                     "to replace it");
        free(taken);
        return MN_BAD_INPUT;
    }
    return MN_OK;
}

static mn_status make_frame(mn_meshes *meshes, mn_replay *replay, int number, bool quiet, mn_messages *say)
{
    mn_frame frame;
    mn_meshes_made made = {0};
    mn_status status = mn_replay_frame(replay, number, &frame, say);
    if (status == MN_OK) status = mn_replay_barrier(replay, number, frame.time, mn_meshes_barrier(meshes), say);
    if (status == MN_OK) status = mn_meshes_frame(meshes, &frame, number, &made, say);
    if (status == MN_OK && !quiet)
        printf("frame %5d  %9ld particles  %9lld vertices  %9lld triangles  %6.2f s\n", number, frame.count,
               (long long)made.vertices, (long long)made.triangles, made.seconds);
    fflush(stdout);
    mn_frame_free(&frame);
    return status;
}

/* What obj and stl cannot hold is not left out without a word. */
static void tell_fields(const cli_arguments *args)
{
    bool held = args->format_count == 0;
    for (int i = 0; i < args->format_count; i++)
        held = held || strcmp(args->formats[i], "ply") == 0 || strcmp(args->formats[i], "vtp") == 0;
    if (!held && !args->quiet) printf("without fields of the particles: obj and stl hold none, ply and vtp do\n");
}

static mn_status make_all(mn_replay *replay, const char *dir, const cli_arguments *args, mn_messages *say)
{
    const mn_meshes_options opt = {.dir = dir,
                                   .formats = args->format_count ? args->formats : standard_format,
                                   .format_count = args->format_count ? args->format_count : 1,
                                   .cell = args->cell > 0 ? args->cell : 0,
                                   .smoothing = args->smoothing,
                                   .hollows = args->hollows,
                                   .apart = args->apart,
                                   .keep = args->resume};
    mn_meshes *meshes = mn_meshes_new(mn_replay_scene(replay), &opt, say);
    mn_status status = meshes ? check_taken(meshes, replay, args, say) : mn_status_of_failure(say);
    int done = 0, kept = 0;
    for (int i = 0; i < mn_replay_count(replay) && status == MN_OK; i++) {
        const int number = mn_replay_number(replay, i);
        if (!cli_frame_wanted(args, number)) continue;
        if (args->resume && mn_meshes_whole(meshes, number)) {
            kept++;
            continue;
        }
        status = make_frame(meshes, replay, number, args->quiet, say);
        done += status == MN_OK;
    }
    if (status == MN_OK && done + kept == 0) {
        const int last = mn_replay_number(replay, mn_replay_count(replay) - 1);
        mn_say_error(say, MN_NOWHERE, "--frames: the run has none of these frames; expected some of %d to %d",
                     mn_replay_number(replay, 0), last);
        status = MN_BAD_INPUT;
    }
    if (kept > 0 && !args->quiet) printf("%d frame%s there already\n", kept, kept == 1 ? " was" : "s were");
    if (done) tell_fields(args);
    if (done + kept > 0) {
        const mn_status collected = mn_meshes_collect(meshes, mn_replay_scene(replay)->frame_interval, say);
        if (status == MN_OK) status = collected;
    }
    mn_meshes_free(meshes);
    return status;
}

int cli_mesh(const cli_arguments *args)
{
    if (args->threads > 0) omp_set_num_threads((int)args->threads);
    mn_messages *say = mn_messages_new();
    char *dir = args->dir ? strdup(args->dir) : mn_path_join(args->operand, "surface");
    mn_replay *replay = say && dir ? mn_replay_open(args->operand, say) : NULL;
    mn_status status = MN_FAILED;
    if (!dir) mn_say_failure(say, MN_NOWHERE, "out of memory");
    if (say && dir) status = replay ? make_all(replay, dir, args, say) : mn_status_of_failure(say);
    if (status == MN_BAD_INPUT) status = mn_status_of_failure(say);
    cli_report(say, !args->quiet);
    mn_replay_free(replay);
    mn_messages_free(say);
    free(dir);
    return status;
}
