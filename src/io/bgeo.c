/* bgeo.c -- classic Houdini geometry (.bgeo), version 5, points without primitives. Everything is big-endian.
 *
 *     "Bgeo" 'V' 5, then eight counts: points, primitives, point groups, primitive groups, point attributes,
 *     vertex attributes, primitive attributes, detail attributes
 *     each point attribute: length and text of its name (16-bit length), width (16-bit), type (0 float, 1 int,
 *     5 vector), defaults
 *     each point: x y z 1, then its attributes in order
 *     0x00 0xff: no extra data, end
 */
#include <string.h>

#include "base/file.h"
#include "io/frames.h"

enum { FLOAT_TYPE = 0, INT_TYPE = 1, VECTOR_TYPE = 5 };

static uint32_t big(uint32_t x)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __builtin_bswap32(x);
#else
    return x;
#endif
}

static void put32(mn_file *out, uint32_t x)
{
    x = big(x);
    mn_file_put(out, &x, 4);
}

static void put16(mn_file *out, unsigned x)
{
    unsigned char bytes[2] = {(unsigned char)(x >> 8), (unsigned char)x};
    mn_file_put(out, bytes, 2);
}

/* Houdini's names for the fields it knows. */
static const char *houdini_name(const char *name)
{
    static const char *const known[][2] = {
        {"velocity", "v"}, {"acceleration", "accel"}, {"normal", "N"}, {"colour", "Cd"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(name, known[k][0]) == 0) return known[k][1];
    return name;
}

static void put_head(mn_file *out, const mn_frame *frame)
{
    mn_file_put(out, "BgeoV", 5);
    put32(out, 5);
    put32(out, (uint32_t)frame->count);
    for (int none = 0; none < 3; none++) put32(out, 0);
    put32(out, (uint32_t)(frame->field_count - 1));
    for (int none = 0; none < 3; none++) put32(out, 0);
    for (int f = 1; f < frame->field_count; f++) {
        const mn_frame_field *field = &frame->fields[f];
        const char *name = houdini_name(field->name);
        put16(out, (unsigned)strlen(name));
        mn_file_put(out, name, strlen(name));
        put16(out, (unsigned)field->width);
        put32(out, field->type == MN_FRAME_INT ? INT_TYPE : field->width == 3 ? VECTOR_TYPE : FLOAT_TYPE);
        for (int c = 0; c < field->width; c++) put32(out, 0);
    }
}

/* One field of points [first, last) into records of `stride` words, beginning at word `at`. */
static void fill(uint32_t *records, size_t stride, size_t at, const mn_frame_field *field, long first, long last)
{
    const uint32_t *in = (const uint32_t *)field->data + first * field->width;
    uint32_t *out = records + at;
    for (long i = first; i < last; i++, out += stride)
        for (int c = 0; c < field->width; c++) out[c] = big(*in++);
}

static void put_points(mn_file *out, const mn_frame *frame)
{
    enum { BLOCK = 128 };
    const float one = 1;
    uint32_t weight;
    memcpy(&weight, &one, 4);
    size_t stride = 4;
    for (int f = 1; f < frame->field_count; f++) stride += (size_t)frame->fields[f].width;

    uint32_t records[BLOCK * 52];
    long block = (long)(sizeof records / 4 / stride); /* never 0: the widest record has 769 words */
    if (block > BLOCK) block = BLOCK;
    for (long first = 0; first < frame->count; first += block) {
        long last = first + block < frame->count ? first + block : frame->count;
        fill(records, stride, 0, &frame->fields[0], first, last);
        for (long i = 0; i < last - first; i++) records[(size_t)i * stride + 3] = big(weight);
        size_t at = 4;
        for (int f = 1; f < frame->field_count; f++) {
            fill(records, stride, at, &frame->fields[f], first, last);
            at += (size_t)frame->fields[f].width;
        }
        mn_file_put(out, records, (size_t)(last - first) * stride * 4);
    }
}

mn_status mn_frame_write_bgeo(const char *path, const mn_frame *frame, mn_messages *say)
{
    if (mn_frame_check(path, frame, say) != MN_OK) return MN_BAD_INPUT;
    mn_file *out = mn_file_begin(path, say);
    put_head(out, frame);
    put_points(out, frame);
    mn_file_put(out, "\x00\xff", 2);
    return mn_file_commit(out, say);
}
