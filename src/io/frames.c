/* frames.c -- the table of frame formats, the check that all of them share, and the .pvd collection. */
#include "io/frames.h"

#include <string.h>

#include "base/file.h"

const mn_frame_format mn_frame_formats[MN_FRAME_FORMATS] = {
    {"vtp", "vtp", "VTK PolyData, binary: ParaView, VisIt", mn_frame_write_vtp},
    {"bgeo", "bgeo", "classic Houdini geometry, version 5: Houdini, Partio, SPlisHSPlasH tools", mn_frame_write_bgeo},
    {"ply", "ply", "binary PLY points: Blender, MeshLab, CloudCompare", mn_frame_write_ply},
};

const mn_frame_format *mn_frame_format_find(const char *key)
{
    for (int f = 0; f < MN_FRAME_FORMATS; f++)
        if (strcmp(mn_frame_formats[f].key, key) == 0) return &mn_frame_formats[f];
    return NULL;
}

static bool is_word(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && length < 64 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == length;
}

mn_status mn_frame_check(const char *path, const mn_frame *frame, mn_messages *say)
{
    mn_place at = {path, 0, 0};
    if (frame->count < 0 || frame->count > INT32_MAX) {
        mn_say_error(say, at, "cannot write a frame of %ld particles; at most %d fit", frame->count, INT32_MAX);
        return MN_BAD_INPUT;
    }
    if (frame->field_count < 1 || frame->field_count > 256 || frame->fields[0].type != MN_FRAME_FLOAT ||
        frame->fields[0].width != 3) {
        mn_say_error(say, at, "the first field of a frame must be the position, three floats a particle");
        return MN_BAD_INPUT;
    }
    for (int f = 0; f < frame->field_count; f++) {
        const mn_frame_field *field = &frame->fields[f];
        if (!field->name || !is_word(field->name) || (field->width != 1 && field->width != 3) ||
            (!field->data && frame->count > 0)) {
            mn_say_error(say, at,
                         "field %d of the frame ('%s') cannot be written: expected a name of letters, digits and _, "
                         "width 1 or 3",
                         f + 1, field->name ? field->name : "");
            return MN_BAD_INPUT;
        }
    }
    return MN_OK;
}

static void put_escaped(mn_file *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': mn_file_print(out, "&amp;"); break;
        case '<': mn_file_print(out, "&lt;"); break;
        case '>': mn_file_print(out, "&gt;"); break;
        case '"': mn_file_print(out, "&quot;"); break;
        default: mn_file_put(out, text, 1);
        }
    }
}

mn_status mn_pvd_write(const char *path, const char *const *names, const double *times, int count, mn_messages *say)
{
    mn_file *out = mn_file_begin(path, say);
    mn_file_print(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
    for (int n = 0; n < count; n++) {
        mn_file_print(out, "<DataSet timestep=\"%.9g\" part=\"0\" file=\"", times[n]);
        put_escaped(out, names[n]);
        mn_file_print(out, "\"/>\n");
    }
    mn_file_print(out, "</Collection>\n</VTKFile>\n");
    return mn_file_commit(out, say);
}
