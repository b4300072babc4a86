/* coats.c -- see coats.h. */
#include "session/coats.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/frames.h"

static mn_status write_formats(const mn_scene *scene, const mn_frame *frame, const char *dir, int number,
                               mn_messages *say)
{
    mn_status status = MN_OK;
    for (int i = 0; i < scene->frame_format_count && status == MN_OK; i++) {
        const mn_frame_format *format = mn_frame_format_find(scene->frame_formats[i]);
        char *path = NULL;
        if (!format || asprintf(&path, "%s/coats/frame_%05d.%s", dir, number, format->extension) < 0) return MN_FAILED;
        status = format->write(path, frame, say);
        free(path);
    }
    return status;
}

mn_status mn_coats_frame(const mn_scene *scene, mn_world *world, const char *dir, int number, mn_messages *say)
{
    const size_t count = (size_t)mn_world_boundary_points(world);
    if (!scene->substance_count || count == 0) return MN_OK;
    float *position = malloc(3 * count * sizeof *position), *amount[MN_MAX_SUBSTANCES] = {NULL};
    int *object = malloc(count * sizeof *object);
    mn_frame_field fields[MN_MAX_SUBSTANCES + 2] = {{"position", MN_FRAME_FLOAT, 3, position},
                                                    {"object", MN_FRAME_INT, 1, object}};
    mn_status status = position && object ? mn_world_boundary(world, position, object, say) : MN_FAILED;
    if (!position || !object) mn_say_failure(say, MN_NOWHERE, "out of memory for a frame of the walls");
    for (int k = 0; k < scene->substance_count && status == MN_OK; k++) {
        amount[k] = malloc(count * sizeof **amount);
        if (!amount[k]) {
            mn_say_failure(say, MN_NOWHERE, "out of memory for a frame of the walls");
            status = MN_FAILED;
            break;
        }
        status = mn_world_coverage(world, scene->substances[k].name, amount[k], say);
        fields[2 + k] = (mn_frame_field){scene->substances[k].name, MN_FRAME_FLOAT, 1, amount[k]};
    }
    const mn_frame frame = {mn_world_time(world), (long)count, fields, 2 + scene->substance_count};
    if (status == MN_OK) status = write_formats(scene, &frame, dir, number, say);
    for (int k = 0; k < MN_MAX_SUBSTANCES; k++) free(amount[k]);
    free(position);
    free(object);
    return status;
}
