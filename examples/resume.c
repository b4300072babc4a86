/* resume.c -- a run into a folder, stopped at half time and resumed: the same bits as in one go. resume [FOLDER] */
#include "common.h"

static int run(const mn_scene *scene, const char *dir, int64_t steps, bool resume, uint64_t *hash, mn_messages *say)
{
    mn_session_options options = mn_default_session_options();
    options.dir = dir;
    options.steps = steps;
    options.resume = resume;
    options.overwrite = !resume;
    mn_session_summary summary;
    const mn_status status = mn_session_run(scene, &options, say, &summary);
    *hash = summary.hash;
    printf("%s: steps %lld to %lld, %d frames, state %016llx\n", dir ? dir : "no folder", (long long)summary.first_step,
           (long long)summary.steps, summary.frames, (unsigned long long)summary.hash);
    return status;
}

int main(int argc, char **argv)
{
    const char *dir = argc > 1 ? argv[1] : "drop-run";
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(drop, strlen(drop), "drop", NULL, 0, say);
    uint64_t half = 0, whole = 0, again = 1;
    int status = scene ? run(scene, dir, 30, false, &half, say) : 1;
    if (status == 0) status = run(scene, dir, 60, true, &whole, say);
    if (status == 0) status = run(scene, NULL, 60, false, &again, say);
    if (status == 0 && whole != again) status = 1;
    mn_scene_free(scene);
    told(say, 0);
    mn_messages_free(say);
    return status;
}
