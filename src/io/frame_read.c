/* frame_read.c -- frames read back, by the extension of their names; binary PLY and classic bgeo of this program
 * here, vtp in vtp_read.c. */
#include "io/frame_read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "geometry/mesh_text.h"

enum { MOST_FIELDS = 256 };

static mn_status bad(const char *name, mn_messages *say, const char *what)
{
    mn_say_error(say, (mn_place){name, 0, 0}, "%s", what);
    return MN_BAD_INPUT;
}

mn_status mn_frame_no_memory(const char *name, mn_messages *say)
{
    mn_say_failure(say, (mn_place){name, 0, 0}, "out of memory for this frame");
    return MN_FAILED;
}

/* -------------------------------------------------------------------------------------------------- fields */

mn_status mn_frame_add(mn_frame *frame, const char *word, mn_frame_type type, int width, void *data, const char *name,
                       mn_messages *say)
{
    mn_frame_field *fields = (mn_frame_field *)frame->fields;
    for (int f = 0; f < frame->field_count; f++)
        if (strcmp(fields[f].name, word) == 0) {
            free(data);
            return bad(name, say, "the frame has two fields of the same name");
        }
    if (frame->field_count == MOST_FIELDS) {
        free(data);
        return bad(name, say, "the frame has more than 256 fields");
    }
    if (frame->field_count % 16 == 0) fields = realloc(fields, ((size_t)frame->field_count + 16) * sizeof *fields);
    if (fields) frame->fields = fields;
    char *copy = fields ? strdup(word) : NULL;
    if (!copy) {
        free(data);
        return mn_frame_no_memory(name, say);
    }
    fields[frame->field_count++] = (mn_frame_field){copy, type, width, data};
    return MN_OK;
}

void mn_frame_free(mn_frame *frame)
{
    for (int f = 0; f < frame->field_count; f++) {
        free((char *)frame->fields[f].name);
        free((void *)frame->fields[f].data);
    }
    free((mn_frame_field *)frame->fields);
    *frame = (mn_frame){0};
}

const mn_frame_field *mn_frame_find(const mn_frame *frame, const char *name)
{
    for (int f = 0; f < frame->field_count; f++)
        if (strcmp(frame->fields[f].name, name) == 0) return &frame->fields[f];
    return NULL;
}

/* The position must be there, in front, with finite numbers. */
static mn_status check(mn_frame *frame, const char *name, mn_messages *say)
{
    mn_frame_field *fields = (mn_frame_field *)frame->fields;
    for (int f = 1; f < frame->field_count; f++)
        if (strcmp(fields[f].name, "position") == 0) {
            const mn_frame_field position = fields[f];
            memmove(fields + 1, fields, (size_t)f * sizeof *fields);
            fields[0] = position;
        }
    if (frame->field_count == 0 || strcmp(fields[0].name, "position") != 0)
        return bad(name, say, "the frame has no positions");
    const mn_status status = mn_frame_check(name, frame, say);
    if (status != MN_OK) return status;
    const float *x = fields[0].data;
    for (size_t i = 0; i < 3 * (size_t)frame->count; i++)
        if (!isfinite(x[i])) return bad(name, say, "a position of the frame is not finite");
    return MN_OK;
}

mn_status mn_frame_parse(const char *bytes, size_t size, const char *name, mn_frame *out, mn_messages *say)
{
    const char *dot = strrchr(name, '.');
    *out = (mn_frame){.time = NAN};
    mn_status status;
    if (dot && strcmp(dot, ".vtp") == 0) status = mn_frame_parse_vtp(bytes, size, name, out, say);
    else if (dot && strcmp(dot, ".ply") == 0) status = mn_frame_parse_ply(bytes, size, name, false, out, say);
    else if (dot && strcmp(dot, ".bgeo") == 0) status = mn_frame_parse_bgeo(bytes, size, name, out, say);
    else status = bad(name, say, "the name of a frame ends in .vtp, .ply or .bgeo");
    if (status == MN_OK) status = check(out, name, say);
    if (status != MN_OK) mn_frame_free(out);
    return status;
}

mn_status mn_frame_read(const char *path, mn_frame *out, mn_messages *say)
{
    size_t size = 0;
    *out = (mn_frame){0};
    char *bytes = mn_file_read(path, (size_t)1 << 40, &size, say);
    if (!bytes) return MN_BAD_INPUT;
    const mn_status status = mn_frame_parse(bytes, size, path, out, say);
    free(bytes);
    return status;
}

mn_status mn_frame_read_vertices(const char *path, mn_frame *out, mn_messages *say)
{
    size_t size = 0;
    *out = (mn_frame){.time = NAN};
    char *bytes = mn_file_read(path, (size_t)1 << 40, &size, say);
    if (!bytes) return MN_BAD_INPUT;
    mn_status status = mn_frame_parse_ply(bytes, size, path, true, out, say);
    free(bytes);
    if (status == MN_OK) status = check(out, path, say);
    if (status != MN_OK) mn_frame_free(out);
    return status;
}

/* --------------------------------------------------------------------------------------------- records */

/* A field that is part of each particle's record. */
typedef struct column {
    char name[64];
    mn_frame_type type;
    int width;
    size_t offset; /* bytes into the record */
} column;

static uint32_t word_at(const char *p, bool swapped)
{
    uint32_t w;
    memcpy(&w, p, 4);
    return swapped ? __builtin_bswap32(w) : w;
}

/* `count` records of `stride` bytes at `p`, taken apart. */
static mn_status split(const char *p, size_t stride, bool swapped, const column *columns, int column_count,
                       const char *name, mn_frame *out, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int c = 0; c < column_count && status == MN_OK; c++) {
        const size_t width = (size_t)columns[c].width, count = (size_t)out->count;
        uint32_t *data = malloc(count * width * 4 + 4);
        if (!data) return mn_frame_no_memory(name, say);
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < width; k++)
                data[i * width + k] = word_at(p + i * stride + columns[c].offset + 4 * k, swapped);
        status = mn_frame_add(out, columns[c].name, columns[c].type, columns[c].width, data, name, say);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------- PLY */

typedef struct ply_head {
    bool swapped, vertex, face;
    long count, faces;
    double time;
    column columns[MOST_FIELDS];
    int column_count;
    size_t stride;
} ply_head;

/* The field that a component belongs to: x of x, y, z; vx of the velocity; NAME_x. False: it stands alone. */
static bool vector_name(const char *component, char out[64])
{
    const size_t length = strlen(component);
    const char last = length ? component[length - 1] : 0;
    if (last < 'x' || last > 'z') return false;
    if (length == 1) snprintf(out, 64, "position");
    else if (length == 2 && component[0] == 'v') snprintf(out, 64, "velocity");
    else if (length == 2 && component[0] == 'n') snprintf(out, 64, "normal");
    else if (length > 2 && component[length - 2] == '_') snprintf(out, 64, "%.*s", (int)length - 2, component);
    else return false;
    return true;
}

static bool ply_property(ply_head *head, const char *type, const char *name)
{
    const bool whole = strcmp(type, "int") == 0;
    char vector[64];
    if ((!whole && strcmp(type, "float") != 0) || !head->vertex || head->column_count == MOST_FIELDS) return false;
    column *c = head->column_count ? &head->columns[head->column_count - 1] : NULL;
    const bool part = vector_name(name, vector);
    if (part && c && c->width < 3 && strcmp(c->name, vector) == 0) {
        if (name[strlen(name) - 1] != "xyz"[c->width]) return false;
        c->width++;
    } else {
        if (part && name[strlen(name) - 1] != 'x') return false;
        c = &head->columns[head->column_count++];
        *c = (column){.type = whole ? MN_FRAME_INT : MN_FRAME_FLOAT, .width = 1, .offset = head->stride};
        snprintf(c->name, sizeof c->name, "%s", part ? vector : name);
    }
    head->stride += 4;
    return true;
}

static bool ply_line(ply_head *head, const char *line)
{
    const int one = 1;
    char a[64], b[64], rest[8];
    if (strcmp(line, "format binary_little_endian 1.0") == 0) head->swapped = *(const char *)&one != 1;
    else if (strcmp(line, "format binary_big_endian 1.0") == 0) head->swapped = *(const char *)&one == 1;
    else if (strncmp(line, "comment time ", 13) == 0) {
        const mesh_word word = {line + 13, (int)strcspn(line + 13, " ")};
        if (!mesh_number(word, &head->time) || !isfinite(head->time)) head->time = NAN;
    } else if (strncmp(line, "comment", 7) == 0) return true;
    else if (sscanf(line, "element vertex %20[0-9]%7s", a, rest) == 1) {
        if (head->vertex) return false;
        errno = 0;
        head->count = strtol(a, NULL, 10);
        head->vertex = true;
        return errno == 0 && head->count <= INT32_MAX;
    } else if (sscanf(line, "element face %9[0-9]%7s", a, rest) == 1) {
        if (head->face || !head->vertex) return false;
        head->face = true;
        head->faces = strtol(a, NULL, 10);
    } else if (head->face) return strcmp(line, "property list uchar int vertex_indices") == 0;
    else if (sscanf(line, "property %63s %63s%7s", a, b, rest) == 2) return ply_property(head, a, b);
    else return false;
    return true;
}

/* The lines of the head; *at is then behind it. False: it is none of this program's. */
static bool ply_read_head(ply_head *head, const char **at, const char *end)
{
    bool good = true, done = false, first = true;
    while (good && !done) {
        const char *stop = memchr(*at, '\n', (size_t)(end - *at));
        char line[256];
        if (!stop || stop - *at >= (long)sizeof line) return false;
        snprintf(line, sizeof line, "%.*s", (int)(stop - *at), *at);
        done = strcmp(line, "end_header") == 0;
        good = done || (first ? strcmp(line, "ply") == 0 : ply_line(head, line));
        first = false;
        *at = stop + 1;
    }
    return good && head->vertex && head->stride;
}

mn_status mn_frame_parse_ply(const char *bytes, size_t size, const char *name, bool mesh, mn_frame *out,
                             mn_messages *say)
{
    ply_head *head = calloc(1, sizeof *head);
    if (!head) return mn_frame_no_memory(name, say);
    head->time = NAN;
    const char *at = bytes, *end = bytes + size;
    mn_status status = MN_OK;
    if (!ply_read_head(head, &at, end) || head->face != mesh) {
        status = bad(name, say,
                     mesh ? "this is not a mesh of this program: expected the head of a binary PLY of triangles"
                          : "this is not a frame of this program: expected the head of a binary PLY of points; is it "
                            "truncated?");
    } else {
        const size_t left = (size_t)(end - at), needed = (size_t)head->count * head->stride + 13 * (size_t)head->faces;
        if (left < needed) status = bad(name, say, "the frame is truncated: it ends within its points");
        if (left > needed) status = bad(name, say, "the frame goes on after its points");
    }
    out->time = head->time;
    out->count = head->count;
    if (status == MN_OK)
        status = split(at, head->stride, head->swapped, head->columns, head->column_count, name, out, say);
    free(head);
    return status;
}

/* ------------------------------------------------------------------------------------------------ bgeo */

static bool little_here(void)
{
    const int one = 1;
    return *(const char *)&one == 1;
}

/* The program's names for Houdini's. */
static const char *own_name(const char *name)
{
    static const char *const known[][2] = {
        {"v", "velocity"}, {"accel", "acceleration"}, {"N", "normal"}, {"Cd", "colour"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(name, known[k][0]) == 0) return known[k][1];
    return name;
}

/* One attribute of the head; false: it is truncated or none of this program's. */
static bool bgeo_attribute(const char **at, const char *end, column *out, size_t *stride)
{
    const unsigned char *p = (const unsigned char *)*at;
    if (end - *at < 2) return false;
    const size_t length = (size_t)p[0] << 8 | p[1];
    if (length == 0 || length > 63 || (size_t)(end - *at) < 2 + length + 6) return false;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, *at + 2);
    p += 2 + length;
    const int width = p[0] << 8 | p[1];
    const uint32_t type = word_at((const char *)p + 2, little_here());
    const char *next = (const char *)p + 6;
    if ((width != 1 && width != 3) || (type != 0 && type != 1 && type != 5) || end - next < 4 * width) return false;
    *out = (column){.type = type == 1 ? MN_FRAME_INT : MN_FRAME_FLOAT, .width = width, .offset = *stride};
    snprintf(out->name, sizeof out->name, "%s", own_name(name));
    *stride += 4 * (size_t)width;
    *at = next + 4 * width;
    return true;
}

mn_status mn_frame_parse_bgeo(const char *bytes, size_t size, const char *name, mn_frame *out, mn_messages *say)
{
    static const char foreign[] =
        "this is not a frame of this program: expected classic bgeo, version 5, of points; is it truncated?";
    const bool swapped = little_here();
    if (size < 41 || memcmp(bytes, "BgeoV", 5) != 0 || word_at(bytes + 5, swapped) != 5) return bad(name, say, foreign);
    const uint32_t points = word_at(bytes + 9, swapped), attributes = word_at(bytes + 25, swapped);
    if (points > INT32_MAX || attributes >= MOST_FIELDS || word_at(bytes + 13, swapped) != 0)
        return bad(name, say, foreign);
    const char *at = bytes + 41, *end = bytes + size;
    column *columns = calloc(MOST_FIELDS, sizeof *columns);
    if (!columns) return mn_frame_no_memory(name, say);
    columns[0] = (column){.name = "position", .type = MN_FRAME_FLOAT, .width = 3};
    size_t stride = 16;
    bool good = true;
    for (uint32_t a = 0; a < attributes && good; a++) good = bgeo_attribute(&at, end, &columns[a + 1], &stride);
    mn_status status = MN_OK;
    if (!good) status = bad(name, say, foreign);
    else if ((size_t)(end - at) < points * stride + 2)
        status = bad(name, say, "the frame is truncated: it ends within its points");
    out->count = points;
    if (status == MN_OK) status = split(at, stride, swapped, columns, (int)attributes + 1, name, out, say);
    free(columns);
    return status;
}
