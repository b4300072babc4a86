/* ply.c -- binary PLY in the byte order of this machine, which the head names. One element, the vertex. The position
 * becomes x y z, velocity vx vy vz, the normal nx ny nz (the names that readers know); other vectors NAME_x, NAME_y,
 * NAME_z.
 */
#include <string.h>

#include "base/file.h"
#include "io/frames.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static const char FORMAT[] = "binary_little_endian";
#else
static const char FORMAT[] = "binary_big_endian";
#endif

static void declare(mn_file *out, const mn_frame_field *field, bool position)
{
    const char *type = field->type == MN_FRAME_INT ? "int" : "float";
    if (field->width == 1) {
        mn_file_print(out, "property %s %s\n", type, field->name);
        return;
    }
    const char *before = "", *name = "", *between = "";
    if (strcmp(field->name, "velocity") == 0) before = "v";
    else if (strcmp(field->name, "normal") == 0) before = "n";
    else if (!position) name = field->name, between = "_";
    for (int c = 0; c < 3; c++) mn_file_print(out, "property %s %s%s%s%c\n", type, before, name, between, "xyz"[c]);
}

mn_status mn_frame_write_ply(const char *path, const mn_frame *frame, mn_messages *say)
{
    if (mn_frame_check(path, frame, say) != MN_OK) return MN_BAD_INPUT;
    mn_file *out = mn_file_begin(path, say);
    mn_file_print(out, "ply\nformat %s 1.0\ncomment time %.9g s\nelement vertex %ld\n", FORMAT, frame->time,
                  frame->count);
    size_t stride = 0;
    for (int f = 0; f < frame->field_count; f++) {
        declare(out, &frame->fields[f], f == 0);
        stride += (size_t)frame->fields[f].width * 4;
    }
    mn_file_print(out, "end_header\n");

    enum { BLOCK = 256 };
    for (long first = 0; first < frame->count; first += BLOCK) {
        long last = first + BLOCK < frame->count ? first + BLOCK : frame->count;
        char *records = mn_file_room(out, (size_t)(last - first) * stride);
        if (!records) break;
        for (int f = 0; f < frame->field_count; f++) {
            size_t size = (size_t)frame->fields[f].width * 4;
            const char *in = (const char *)frame->fields[f].data + (size_t)first * size;
            for (long i = 0; i < last - first; i++) memcpy(records + (size_t)i * stride, in + (size_t)i * size, size);
            records += size;
        }
    }
    return mn_file_commit(out, say);
}
