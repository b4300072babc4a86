/* soft_output.c -- the soft solids of a run in its folder; see soft_output.h. */
#include "session/soft_output.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "io/frames.h"

static const char HEAD[] =
    "step,time,solid,elastic_energy,kinetic_energy,momentum_x,momentum_y,momentum_z,force_x,force_y,force_z,"
    "centre_x,centre_y,centre_z,stretch,substeps\n";

mn_rows *mn_soft_open(const mn_scene *scene, const char *dir, int64_t resume_step, mn_messages *say)
{
    return scene->solid_count ? mn_rows_new(dir, "solids.csv", HEAD, resume_step, say) : NULL;
}

mn_status mn_soft_row(mn_rows *rows, const mn_scene *scene, const mn_world *world, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int k = 0; rows && k < scene->solid_count && status == MN_OK; k++) {
        const mn_solid_stats m = mn_world_solid(world, k);
        char row[512];
        const int length = mn_format(
            row, sizeof row, "%lld,%.12g,%.60s,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.6g,%d\n",
            (long long)mn_world_steps(world), mn_world_time(world), scene->solids[k].name, m.elastic_energy,
            m.kinetic_energy, m.momentum[0], m.momentum[1], m.momentum[2], m.force[0], m.force[1], m.force[2],
            m.centre[0], m.centre[1], m.centre[2], m.stretch, m.substeps);
        status = mn_rows_add(rows, row, (size_t)length, say);
    }
    return status;
}

/* The fields of all solids one after the other, and whose each particle is. All are malloc'd, also on failure. */
static mn_status gather(const mn_scene *scene, const mn_world *world, const char *const *names, const int *width,
                        int fields, float **data, int32_t **solid, long *count, mn_messages *say)
{
    size_t all = 0, at = 0;
    for (int k = 0; k < scene->solid_count; k++) all += (size_t)mn_world_solid_particles(world, k);
    *count = (long)all;
    *solid = calloc(all + 1, sizeof **solid);
    mn_status status = *solid ? MN_OK : MN_FAILED;
    for (int f = 0; f < fields; f++)
        if (!(data[f] = calloc(all + 1, (size_t)width[f] * sizeof(float)))) status = MN_FAILED;
    if (status != MN_OK) mn_say_failure(say, MN_NOWHERE, "out of memory for a frame of the solids");
    for (int k = 0; k < scene->solid_count && status == MN_OK; k++) {
        const size_t n = (size_t)mn_world_solid_particles(world, k);
        for (int f = 0; f < fields && status == MN_OK; f++)
            status = mn_world_solid_get(world, k, names[f], data[f] + at * (size_t)width[f], say);
        for (size_t i = 0; i < n; i++) (*solid)[at + i] = k;
        at += n;
    }
    return status;
}

mn_status mn_soft_gather(const mn_scene *scene, const mn_world *world, mn_soft_state *out, mn_messages *say)
{
    static const char *const names[2] = {"position", "displacement"};
    static const int width[2] = {3, 3};
    float *data[2] = {NULL, NULL};
    const mn_status status = gather(scene, world, names, width, 2, data, &out->solid, &out->count, say);
    out->position = data[0];
    out->displacement = data[1];
    return status;
}

void mn_soft_release(mn_soft_state *state)
{
    free(state->position);
    free(state->displacement);
    free(state->solid);
    *state = (mn_soft_state){0};
}

mn_status mn_soft_frame(const mn_scene *scene, const mn_world *world, const char *dir, int number, mn_messages *say)
{
    static const char *const names[4] = {"position", "velocity", "displacement", "stress"};
    static const int width[4] = {3, 3, 3, 1};
    long count;
    float *data[4];
    int32_t *solid;
    mn_status status = gather(scene, world, names, width, 4, data, &solid, &count, say);
    const mn_frame_field fields[] = {{names[0], MN_FRAME_FLOAT, 3, data[0]},
                                     {names[1], MN_FRAME_FLOAT, 3, data[1]},
                                     {names[2], MN_FRAME_FLOAT, 3, data[2]},
                                     {names[3], MN_FRAME_FLOAT, 1, data[3]},
                                     {"solid", MN_FRAME_INT, 1, solid}};
    const mn_frame frame = {mn_world_time(world), count, fields, 5};
    for (int i = 0; i < scene->frame_format_count && status == MN_OK; i++) {
        const mn_frame_format *format = mn_frame_format_find(scene->frame_formats[i]);
        char *path = NULL;
        if (!format || asprintf(&path, "%s/solids/frame_%05d.%s", dir, number, format->extension) < 0)
            status = MN_FAILED;
        else status = format->write(path, &frame, say);
        free(path);
    }
    for (int f = 0; f < 4; f++) free(data[f]);
    free(solid);
    return status;
}
