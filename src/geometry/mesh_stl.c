/* mesh_stl.c -- STL, ascii and binary (80 bytes, a count, 50 bytes a triangle). Equal corners become one vertex. The
 * stored normals are ignored: the order of the corners decides.
 */
#include "geometry/mesh_text.h"
#include "geometry/weld.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 84, RECORD = 50 };

static uint32_t little32(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static mn_status read_binary(mesh_reader *in)
{
    size_t length = (size_t)(in->end - in->data);
    in->line = 0;
    if (length < HEADER)
        return mesh_bad(in, "%zu bytes, too short for an STL file (expected \"solid\" or at least %d bytes)", length,
                        HEADER);
    size_t count = little32(in->data + 80), there = (length - HEADER) / RECORD;
    if (count > there)
        return mesh_bad(in, "truncated: the header announces %zu triangles, the data ends at byte %zu after %zu", count,
                        length, there);
    if (count < there)
        return mesh_bad(in, "the header announces %zu triangles, but there is data for %zu, up to byte %zu", count,
                        there, length);
    if ((length - HEADER) % RECORD)
        mn_say_warning(in->say, (mn_place){in->name, 0, 0}, "%zu bytes after the last of %zu triangles are ignored",
                       (length - HEADER) % RECORD, count);
    for (size_t t = 0; t < count; t++) {
        const char *record = in->data + HEADER + t * RECORD + 12; /* past the normal */
        int first = in->mesh.vertex_count;
        for (int v = 0; v < 3; v++) {
            double x[3];
            for (int k = 0; k < 3; k++) {
                uint32_t bits = little32(record + 12 * v + 4 * k);
                float value;
                memcpy(&value, &bits, sizeof value);
                x[k] = (double)value;
            }
            mn_status status = mesh_check_coordinates(in, x, "byte", (long)(record + 12 * v - in->data));
            if (status == MN_OK) status = mesh_add_vertex(in, x);
            if (status != MN_OK) return status;
        }
        mn_status status = mesh_add_triangle(in, first, first + 1, first + 2);
        if (status != MN_OK) return status;
    }
    return MN_OK;
}

static mn_status read_corner(mesh_reader *in, int number)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        mesh_word word = mesh_next_word(in, true);
        if (!word.length) return mesh_bad(in, "truncated: the file ends within a vertex");
        if (!mesh_number(word, &x[k])) return mesh_bad(in, "'%.*s' is not a number", mesh_show(word), word.text);
    }
    mn_status status = mesh_check_coordinates(in, x, "corner", number);
    return status == MN_OK ? mesh_add_vertex(in, x) : status;
}

/* From "outer loop" to "endfacet": a fan over its vertices. */
static mn_status read_loop(mesh_reader *in)
{
    int first = in->mesh.vertex_count, corners = 0;
    for (;;) {
        mesh_word word = mesh_next_word(in, true);
        if (!word.length) return mesh_bad(in, "truncated: the file ends within a facet");
        if (mesh_word_is(word, "endloop") || mesh_word_is(word, "endfacet")) break;
        if (!mesh_word_is(word, "vertex"))
            return mesh_bad(in, "'%.*s' within a facet, expected vertex", mesh_show(word), word.text);
        mn_status status = read_corner(in, ++corners);
        if (status == MN_OK && corners >= 3)
            status = mesh_add_triangle(in, first, in->mesh.vertex_count - 2, in->mesh.vertex_count - 1);
        if (status != MN_OK) return status;
    }
    return corners >= 3 ? MN_OK : mesh_bad(in, "facet with %d vertices, expected 3", corners);
}

static mn_status read_ascii(mesh_reader *in)
{
    bool closed = true;
    while (in->at < in->end) {
        mesh_word word = mesh_next_word(in, true);
        mn_status status = MN_OK;
        if (mesh_word_is(word, "solid") || mesh_word_is(word, "endsolid")) {
            closed = mesh_word_is(word, "endsolid");
            mesh_skip_line(in);
        } else if (mesh_word_is(word, "outer")) {
            word = mesh_next_word(in, true);
            status = mesh_word_is(word, "loop")
                         ? read_loop(in)
                         : mesh_bad(in, "'%.*s' after outer, expected loop", mesh_show(word), word.text);
        } else if (mesh_word_is(word, "facet")) {
            mesh_skip_line(in); /* the normal */
        } else if (word.length && !mesh_word_is(word, "endfacet")) {
            status = mesh_bad(in, "'%.*s', expected facet or endsolid", mesh_show(word), word.text);
        }
        if (status != MN_OK) return status;
    }
    return closed ? MN_OK : mesh_bad(in, "truncated: the file ends without endsolid");
}

/* Keeps one of each group of equal vertices. */
static mn_status merge_equal(mesh_reader *in)
{
    mn_mesh *m = &in->mesh;
    int *map = malloc(((size_t)m->vertex_count + 1) * sizeof *map);
    if (!map || !mn_weld(m->vertex, (size_t)m->vertex_count, map)) {
        free(map);
        mn_say_failure(in->say, (mn_place){in->name, 0, 0}, "out of memory");
        return MN_FAILED;
    }
    int kept = 0;
    for (int v = 0; v < m->vertex_count; v++) {
        if (map[v] != v) { /* an earlier one, already renumbered */
            map[v] = map[map[v]];
            continue;
        }
        memmove(m->vertex + 3 * (size_t)kept, m->vertex + 3 * (size_t)v, 3 * sizeof *m->vertex);
        map[v] = kept++;
    }
    for (size_t i = 0; i < 3 * (size_t)m->triangle_count; i++) m->triangle[i] = map[m->triangle[i]];
    m->vertex_count = kept;
    free(map);
    return MN_OK;
}

/* Many binary files begin with "solid" too: a length that fits the count settles it. */
static bool is_binary(const mesh_reader *in)
{
    size_t length = (size_t)(in->end - in->data);
    if (length >= HEADER && length == HEADER + RECORD * (size_t)little32(in->data + 80)) return true;
    mesh_reader peek = *in;
    return !mesh_word_is(mesh_next_word(&peek, true), "solid");
}

mn_status mesh_read_stl(mesh_reader *in)
{
    mn_status status = is_binary(in) ? read_binary(in) : read_ascii(in);
    return status == MN_OK ? merge_equal(in) : status;
}
