/* measured.c -- where particles to be measured come from: a world, or a frame of a run. */
#include <stdlib.h>

#include "measure/measures.h"
#include "session/replay.h"

mn_measured *mn_measured_load(mn_replay *replay, int number, const mn_measure_options *options, mn_messages *say)
{
    mn_frame frame;
    mn_measured *m = NULL;
    if (mn_replay_frame(replay, number, &frame, say) == MN_OK)
        m = mn_measured_make(mn_replay_scene(replay), &frame, options, say);
    mn_frame_free(&frame);
    return m;
}

mn_measured *mn_measured_new(mn_world *world, const mn_measure_options *options, mn_messages *say)
{
    const size_t n = (size_t)mn_world_particles(world);
    float *data = malloc((7 * n + 1) * sizeof *data);
    if (!data) {
        mn_say_failure(say, MN_NOWHERE, "out of memory");
        return NULL;
    }
    const mn_frame_field fields[] = {{"position", MN_FRAME_FLOAT, 3, data},
                                     {"velocity", MN_FRAME_FLOAT, 3, data + 3 * n},
                                     {"fluid", MN_FRAME_FLOAT, 1, data + 6 * n}};
    mn_status status = MN_OK;
    for (int f = 0, at = 0; f < 3 && status == MN_OK; at += fields[f++].width)
        status = mn_world_get(world, fields[f].name, data + (size_t)at * n, say);
    const mn_frame frame = {mn_world_time(world), (long)n, fields, 3};
    mn_measured *m = status == MN_OK ? mn_measured_make(mn_world_scene(world), &frame, options, say) : NULL;
    free(data);
    return m;
}
