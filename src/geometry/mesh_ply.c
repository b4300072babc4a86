/* mesh_ply.c -- PLY, ascii and binary of either byte order.
 *
 * Uses x, y, z and red, green, blue of the element `vertex` and vertex_indices (or vertex_index) of `face`; all
 * other elements and properties are passed over. Counts of the header are believed only as far as bytes follow.
 */
#include "geometry/mesh_text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ELEMENTS = 32, MAX_PROPERTIES = 64 };

typedef enum ply_type { PLY_NONE, I8, U8, I16, U16, I32, U32, F32, F64 } ply_type;
typedef enum ply_role { OTHER, COORDINATE_X, COORDINATE_Y, COORDINATE_Z, INDICES, RED, GREEN, BLUE } ply_role;

typedef struct ply_property {
    ply_type type, length; /* length: of the count of a list; PLY_NONE: a single value */
    ply_role role;
} ply_property;

typedef struct ply_element {
    enum { ELEMENT_OTHER, ELEMENT_VERTEX, ELEMENT_FACE } kind;
    mesh_word name;
    long count;
    ply_property property[MAX_PROPERTIES];
    int property_count;
} ply_element;

typedef struct ply_file {
    mesh_reader *in;
    bool binary, big_endian;
    ply_element element[MAX_ELEMENTS];
    int element_count;
} ply_file;

/* ------------------------------------------------------------ header */

static ply_type type_named(mesh_word word)
{
    static const struct {
        const char *name;
        ply_type type;
    } names[] = {{"char", I8},    {"int8", I8},     {"uchar", U8},   {"uint8", U8},   {"short", I16}, {"int16", I16},
                 {"ushort", U16}, {"uint16", U16},  {"int", I32},    {"int32", I32},  {"uint", U32},  {"uint32", U32},
                 {"float", F32},  {"float32", F32}, {"double", F64}, {"float64", F64}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mesh_word_is(word, names[i].name)) return names[i].type;
    return PLY_NONE;
}

static size_t type_size(ply_type type)
{
    static const size_t size[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return size[type];
}

static mn_status read_format(ply_file *ply)
{
    mesh_word word = mesh_next_word(ply->in, false);
    ply->binary = !mesh_word_is(word, "ascii");
    ply->big_endian = mesh_word_is(word, "binary_big_endian");
    if (!ply->binary || ply->big_endian || mesh_word_is(word, "binary_little_endian")) return MN_OK;
    return mesh_bad(ply->in, "format '%.*s', expected ascii, binary_little_endian or binary_big_endian",
                    mesh_show(word), word.text);
}

static mn_status read_element(ply_file *ply)
{
    mesh_reader *in = ply->in;
    if (ply->element_count == MAX_ELEMENTS) return mesh_bad(in, "more than %d elements", MAX_ELEMENTS);
    ply_element *e = &ply->element[ply->element_count++];
    *e = (ply_element){.name = mesh_next_word(in, false)};
    mesh_word count = mesh_next_word(in, false);
    if (!mesh_integer(count, &e->count) || e->count < 0)
        return mesh_bad(in, "element count '%.*s', expected a whole number of at least 0", mesh_show(count),
                        count.text);
    if (mesh_word_is(e->name, "vertex")) e->kind = ELEMENT_VERTEX;
    if (mesh_word_is(e->name, "face")) e->kind = ELEMENT_FACE;
    if (mesh_word_is(e->name, "tristrips"))
        return mesh_bad(in, "triangle strips are not supported, expected an element face");
    return MN_OK;
}

static ply_role role_of(const ply_element *e, mesh_word name, bool list)
{
    if (e->kind == ELEMENT_VERTEX && !list) {
        if (mesh_word_is(name, "x")) return COORDINATE_X;
        if (mesh_word_is(name, "y")) return COORDINATE_Y;
        if (mesh_word_is(name, "z")) return COORDINATE_Z;
        if (mesh_word_is(name, "red")) return RED;
        if (mesh_word_is(name, "green")) return GREEN;
        if (mesh_word_is(name, "blue")) return BLUE;
    }
    if (e->kind == ELEMENT_FACE && list && (mesh_word_is(name, "vertex_indices") || mesh_word_is(name, "vertex_index")))
        return INDICES;
    return OTHER;
}

static mn_status read_property(ply_file *ply)
{
    mesh_reader *in = ply->in;
    if (!ply->element_count) return mesh_bad(in, "property before the first element");
    ply_element *e = &ply->element[ply->element_count - 1];
    if (e->property_count == MAX_PROPERTIES)
        return mesh_bad(in, "more than %d properties in one element", MAX_PROPERTIES);
    ply_property p = {0};
    mesh_word word = mesh_next_word(in, false);
    bool list = mesh_word_is(word, "list");
    if (list) {
        word = mesh_next_word(in, false);
        p.length = type_named(word);
        if (p.length == PLY_NONE || p.length >= F32)
            return mesh_bad(in, "list length of type '%.*s', expected an integer type", mesh_show(word), word.text);
        word = mesh_next_word(in, false);
    }
    p.type = type_named(word);
    if (p.type == PLY_NONE)
        return mesh_bad(
            in, "property of type '%.*s', expected char, uchar, short, ushort, int, uint, float, double or list",
            mesh_show(word), word.text);
    p.role = role_of(e, mesh_next_word(in, false), list);
    for (int i = 0; i < e->property_count; i++)
        if (p.role != OTHER && e->property[i].role == p.role) return mesh_bad(in, "property given twice");
    e->property[e->property_count++] = p;
    return MN_OK;
}

static mn_status read_header(ply_file *ply)
{
    mesh_reader *in = ply->in;
    bool format = false;
    if (!mesh_word_is(mesh_next_word(in, false), "ply")) return mesh_bad(in, "the first line is not 'ply'");
    mesh_skip_line(in);
    while (in->at < in->end) {
        mesh_word word = mesh_next_word(in, false);
        mn_status status = MN_OK;
        if (mesh_word_is(word, "end_header")) {
            if (!format) return mesh_bad(in, "end of the header without a format line");
            mesh_skip_line(in);
            return MN_OK;
        } else if (mesh_word_is(word, "format")) {
            status = read_format(ply);
            format = true;
        } else if (mesh_word_is(word, "element")) {
            status = read_element(ply);
        } else if (mesh_word_is(word, "property")) {
            status = read_property(ply);
        } else if (word.length && !mesh_word_is(word, "comment") && !mesh_word_is(word, "obj_info")) {
            status = mesh_bad(in, "'%.*s' in the header, expected format, element, property, comment or end_header",
                              mesh_show(word), word.text);
        }
        if (status != MN_OK) return status;
        mesh_skip_line(in);
    }
    return mesh_bad(in, "truncated: the header has no end_header");
}

/* Every element must have the properties it is used for; counts must fit the bytes that follow. */
static mn_status check_header(const ply_file *ply)
{
    mesh_reader *in = ply->in;
    int seen[3] = {0};
    for (int i = 0; i < ply->element_count; i++) {
        const ply_element *e = &ply->element[i];
        int roles = 0;
        size_t row = 0;
        for (int p = 0; p < e->property_count; p++) {
            roles |= 1 << e->property[p].role;
            ply_type least = e->property[p].length ? e->property[p].length : e->property[p].type;
            row += ply->binary ? type_size(least) : 2; /* a digit and a space; the last may end the file */
        }
        if (row && (size_t)e->count > (size_t)(in->end - in->at + 1) / row)
            return mesh_bad(in, "truncated: %ld of element %.*s announced, but only %ld bytes follow the header",
                            e->count, mesh_show(e->name), e->name.text, (long)(in->end - in->at));
        if (e->kind != ELEMENT_OTHER && seen[e->kind]++)
            return mesh_bad(in, "element %.*s given twice", mesh_show(e->name), e->name.text);
        if (e->kind == ELEMENT_VERTEX && (roles & 14) != 14)
            return mesh_bad(in, "element vertex without the properties x, y and z");
        if (e->kind == ELEMENT_FACE && e->count && !(roles & 1 << INDICES))
            return mesh_bad(in, "element face without the list property vertex_indices");
        if (e->kind == ELEMENT_FACE && !seen[ELEMENT_VERTEX]) return mesh_bad(in, "element face before element vertex");
    }
    return MN_OK;
}

/* ------------------------------------------------------------ values */

static mn_status read_binary_value(ply_file *ply, ply_type type, double *out)
{
    mesh_reader *in = ply->in;
    size_t size = type_size(type);
    if ((size_t)(in->end - in->at) < size)
        return mesh_bad(in, "truncated: the data ends at byte %ld", (long)(in->end - in->data));
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits |= (uint64_t)(unsigned char)in->at[ply->big_endian ? size - 1 - i : i] << (8 * i);
    in->at += size;
    uint32_t half = (uint32_t)bits;
    float single;
    switch (type) {
    case I8: *out = (int8_t)bits; break;
    case U8: *out = (uint8_t)bits; break;
    case I16: *out = (int16_t)bits; break;
    case U16: *out = (uint16_t)bits; break;
    case I32: *out = (int32_t)half; break;
    case U32: *out = half; break;
    case F32:
        memcpy(&single, &half, sizeof single);
        *out = (double)single;
        break;
    default: memcpy(out, &bits, sizeof *out); break;
    }
    return MN_OK;
}

static mn_status read_value(ply_file *ply, ply_type type, double *out)
{
    if (ply->binary) return read_binary_value(ply, type, out);
    mesh_word word = mesh_next_word(ply->in, true);
    if (!word.length) return mesh_bad(ply->in, "truncated: the file ends within the data");
    if (!mesh_number(word, out)) return mesh_bad(ply->in, "'%.*s' is not a number", mesh_show(word), word.text);
    return MN_OK;
}

/* "face 12" in ascii files, "face 12 (byte 3456)" in binary ones. */
#define ply_bad(ply, what, row, format, ...)                                                                           \
    ((ply)->binary ? mesh_bad((ply)->in, what " %ld (byte %ld): " format, row,                                         \
                              (long)((ply)->in->at - (ply)->in->data), __VA_ARGS__)                                    \
                   : mesh_bad((ply)->in, what " %ld: " format, row, __VA_ARGS__))

/* A list; as a fan of triangles if it holds the indices of a face. */
static mn_status read_list(ply_file *ply, const ply_property *p, long row)
{
    double length = 0, value = 0;
    mn_status status = read_value(ply, p->length, &length);
    if (status != MN_OK) return status;
    if (!(length >= 0 && length <= UINT32_MAX) || length != floor(length))
        return ply_bad(ply, "element", row, "list of length %g, expected a whole number of at least 0", length);
    if (p->role == INDICES && length < 3) return ply_bad(ply, "face", row, "%g vertices, expected at least 3", length);
    int first = 0, last = 0, count = ply->in->mesh.vertex_count;
    for (long i = 0; i < (long)length; i++) { /* ends with the data, however long it claims to be */
        status = read_value(ply, p->type, &value);
        if (status != MN_OK) return status;
        if (p->role != INDICES) continue;
        if (!(value >= 0 && value < count) || value != floor(value))
            return ply_bad(ply, "face", row, "it uses vertex %g, expected 0 to %d", value, count - 1);
        if (i >= 2) status = mesh_add_triangle(ply->in, first, last, (int)value);
        if (status != MN_OK) return status;
        if (i == 0) first = (int)value;
        last = (int)value;
    }
    return MN_OK;
}

/* 0 to 1, whole numbers by their range. */
static float shade(ply_type type, double value)
{
    const double top = type == U8 ? 255 : type == U16 ? 65535 : 1;
    return (float)fmin(fmax(value / top, 0), 1);
}

/* The colours of all vertices of a file that has them. */
static mn_status make_colours(ply_file *ply, const ply_element *e)
{
    int roles = 0;
    for (int p = 0; p < e->property_count; p++) roles |= 1 << e->property[p].role;
    const int all = 1 << RED | 1 << GREEN | 1 << BLUE;
    if (e->kind != ELEMENT_VERTEX || (roles & all) != all || !e->count) return MN_OK;
    ply->in->mesh.colour = calloc((size_t)e->count, 3 * sizeof *ply->in->mesh.colour);
    if (ply->in->mesh.colour) return MN_OK;
    mn_say_failure(ply->in->say, (mn_place){ply->in->name, 0, 0}, "out of memory for the colours");
    return MN_FAILED;
}

static mn_status read_row(ply_file *ply, const ply_element *e, long row)
{
    double x[3] = {0}, value = 0;
    float *colour = e->kind == ELEMENT_VERTEX && ply->in->mesh.colour ? &ply->in->mesh.colour[3 * row] : NULL;
    for (int p = 0; p < e->property_count; p++) {
        const ply_property *property = &e->property[p];
        mn_status status = property->length ? read_list(ply, property, row) : read_value(ply, property->type, &value);
        if (status != MN_OK) return status;
        if (property->role >= COORDINATE_X && property->role <= COORDINATE_Z) x[property->role - COORDINATE_X] = value;
        if (property->role >= RED && colour) colour[property->role - RED] = shade(property->type, value);
    }
    if (e->kind != ELEMENT_VERTEX) return MN_OK;
    mn_status status = mesh_check_coordinates(ply->in, x, ply->binary ? "vertex before byte" : "vertex",
                                              ply->binary ? (long)(ply->in->at - ply->in->data) : row);
    return status == MN_OK ? mesh_add_vertex(ply->in, x) : status;
}

mn_status mesh_read_ply(mesh_reader *in)
{
    ply_file ply = {.in = in};
    mn_status status = read_header(&ply);
    if (status == MN_OK) status = check_header(&ply);
    if (ply.binary && status == MN_OK) in->line = 0; /* bytes from here on, no lines */
    for (int e = 0; e < ply.element_count && status == MN_OK; e++) {
        status = make_colours(&ply, &ply.element[e]);
        for (long row = 0; row < ply.element[e].count && ply.element[e].property_count && status == MN_OK; row++)
            status = read_row(&ply, &ply.element[e], row);
    }
    return status;
}
