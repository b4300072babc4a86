/* vtp_read.c -- frames written by vtp.c, read back: PolyData in one piece, arrays appended raw. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/frame_read.h"
#include "io/tags.h"

typedef struct vtp_file {
    tag_reader tags;
    const char *appended; /* behind the underscore */
    bool swapped;
    double count; /* points */
    mn_frame *out;
} vtp_file;

static mn_status read_file_tag(vtp_file *in, const tag *t)
{
    const int one = 1;
    text v;
    if (!tag_get(t, "type", &v) || !text_same(v, "PolyData"))
        return tag_bad(&in->tags, t->name.at, "expected a VTKFile of type PolyData");
    if (!tag_get(t, "header_type", &v) || !text_same(v, "UInt64") || (tag_get(t, "compressor", &v) && v.length))
        return tag_bad(&in->tags, t->name.at, "expected a frame of this program: header_type UInt64, not compressed");
    if (tag_get(t, "byte_order", &v)) in->swapped = text_same(v, "LittleEndian") != (*(const char *)&one == 1);
    return MN_OK;
}

/* The numbers of an appended array, malloc'd. */
static mn_status read_numbers(const vtp_file *in, const tag *t, size_t count, void **out)
{
    double offset = -1;
    uint64_t said;
    if (!tag_whole(t, "offset", 1e15, &offset) || offset > (double)(in->tags.end - in->appended))
        return tag_bad(&in->tags, t->name.at, "expected an offset within the appended data: is the frame truncated?");
    const char *p = in->appended + (size_t)offset;
    const size_t room = (size_t)(in->tags.end - p);
    if (room < 8 || room - 8 < 4 * count)
        return tag_bad(&in->tags, NULL, "the frame is truncated: it ends within its data");
    memcpy(&said, p, 8);
    if (in->swapped) said = __builtin_bswap64(said);
    if (said != 4 * count)
        return tag_bad(&in->tags, NULL, "an array of the frame has %llu bytes; expected %zu", (unsigned long long)said,
                       4 * count);
    uint32_t *words = malloc(4 * count + 4);
    if (!words) return mn_frame_no_memory(in->tags.name, in->tags.say);
    memcpy(words, p + 8, 4 * count);
    for (size_t i = 0; in->swapped && i < count; i++) words[i] = __builtin_bswap32(words[i]);
    *out = words;
    return MN_OK;
}

static mn_status read_array(vtp_file *in, const tag *t, bool position)
{
    text name = {"", 0}, type = {"", 0}, format = {"", 0};
    double width = 1;
    tag_get(t, "Name", &name);
    tag_get(t, "type", &type);
    tag_get(t, "format", &format);
    const bool whole = text_same(type, "Int32");
    if (!text_same(format, "appended") || (!whole && !text_same(type, "Float32")))
        return tag_bad(&in->tags, t->name.at,
                       "the array \"%.*s\" is not one of this program's: expected appended Float32 or Int32",
                       text_shown(name), name.at);
    if (!tag_whole(t, "NumberOfComponents", 3, &width) || (width != 1 && width != 3))
        return tag_bad(&in->tags, t->name.at, "expected arrays of 1 or 3 components");
    char word[64];
    snprintf(word, sizeof word, "%.*s", position ? 8 : (int)(name.length < 63 ? name.length : 63),
             position ? "position" : name.at);
    void *data = NULL;
    mn_status status = read_numbers(in, t, (size_t)in->count * (size_t)width, &data);
    if (status != MN_OK) return status;
    return mn_frame_add(in->out, word, whole ? MN_FRAME_INT : MN_FRAME_FLOAT, (int)width, data, in->tags.name,
                        in->tags.say);
}

static mn_status read_time(vtp_file *in, const tag *t)
{
    text name;
    const char *p = t->after;
    double time;
    if (!tag_get(t, "Name", &name) || !text_same(name, "TimeValue")) return MN_OK;
    const char *close = memchr(p, '<', (size_t)(in->tags.end - p));
    if (close && mesh_number(text_word(&p, close), &time) && isfinite(time)) in->out->time = time;
    return MN_OK;
}

static mn_status walk(vtp_file *in)
{
    bool file = false, piece = false, points = false, data = false, found = false;
    mn_status status = MN_OK;
    tag t;
    while (status == MN_OK && tag_next(&in->tags, &t, &status)) {
        if (text_same(t.name, "AppendedData")) break;
        if (text_same(t.name, "VTKFile") && !t.closing) status = read_file_tag(in, &t), file = true;
        else if (!file) return tag_bad(&in->tags, t.name.at, "expected a VTKFile");
        else if (text_same(t.name, "Piece") && !t.closing) {
            if (piece || !tag_whole(&t, "NumberOfPoints", INT32_MAX, &in->count))
                return tag_bad(&in->tags, t.name.at, "expected one Piece with a NumberOfPoints");
            in->out->count = (long)in->count;
            piece = true;
        } else if (text_same(t.name, "Points")) points = !t.closing && piece;
        else if (text_same(t.name, "PointData")) data = !t.closing && piece;
        else if (text_same(t.name, "DataArray") && !t.closing) {
            if (!piece) status = read_time(in, &t);
            else if (points || data) status = read_array(in, &t, points);
            found |= points;
        }
    }
    if (status == MN_OK && !found) status = tag_bad(&in->tags, NULL, "the frame has no points: is it truncated?");
    return status;
}

mn_status mn_frame_parse_vtp(const char *bytes, size_t size, const char *name, mn_frame *out, mn_messages *say)
{
    vtp_file in = {.tags = {bytes, bytes + size, bytes, name, say}, .count = -1, .out = out};
    const char *open = text_find(bytes, bytes + size, "<AppendedData");
    const char *p = open ? memchr(open, '_', (size_t)(in.tags.end - open)) : NULL;
    if (!p) return tag_bad(&in.tags, NULL, "the frame is truncated: it has no AppendedData");
    in.appended = p + 1;
    return walk(&in);
}
