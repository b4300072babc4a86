/* mesh_obj.c -- Wavefront OBJ: the `v` and `f` statements; everything else (normals, textures, groups, materials) is
 * passed over.
 *
 * Indices count from 1, negative ones back from the last vertex. Polygons become fans. A backslash continues a line.
 */
#include "geometry/mesh_text.h"

#include <string.h>

/* The next word of the statement, across continued lines; stops before a comment. */
static mesh_word statement_word(mesh_reader *in)
{
    mesh_word word = mesh_next_word(in, false);
    while (word.length == 1 && *word.text == '\\') {
        mesh_skip_line(in);
        word = mesh_next_word(in, false);
    }
    if (word.length && *word.text == '#') {
        in->at = word.text;
        word.length = 0;
    }
    return word;
}

static mn_status read_vertex(mesh_reader *in)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        mesh_word word = statement_word(in);
        if (!word.length) return mesh_bad(in, "vertex with %d coordinates, expected 3", k);
        if (!mesh_number(word, &x[k])) return mesh_bad(in, "'%.*s' is not a number", mesh_show(word), word.text);
    }
    mn_status status = mesh_check_coordinates(in, x, "vertex", in->mesh.vertex_count + 1L);
    return status == MN_OK ? mesh_add_vertex(in, x) : status;
}

/* The vertex of "7", "7/1", "7//3" or "7/1/3", counted from 0. */
static mn_status read_index(mesh_reader *in, mesh_word word, int *out)
{
    const char *slash = memchr(word.text, '/', (size_t)word.length);
    mesh_word number = {word.text, slash ? (int)(slash - word.text) : word.length};
    long index, count = in->mesh.vertex_count;
    if (!mesh_integer(number, &index)) return mesh_bad(in, "'%.*s' is not a vertex index", mesh_show(word), word.text);
    long from_zero = index > 0 ? index - 1 : count + index;
    if (index == 0 || from_zero < 0 || from_zero >= count)
        return mesh_bad(in, "face uses vertex %ld, expected 1 to %ld or -%ld to -1 (the vertices so far)", index, count,
                        count);
    *out = (int)from_zero;
    return MN_OK;
}

static mn_status read_face(mesh_reader *in)
{
    int first = 0, last = 0, corners = 0;
    for (mesh_word word = statement_word(in); word.length; word = statement_word(in), corners++) {
        int index = 0;
        mn_status status = read_index(in, word, &index);
        if (status == MN_OK && corners >= 2) status = mesh_add_triangle(in, first, last, index);
        if (status != MN_OK) return status;
        if (corners == 0) first = index;
        last = index;
    }
    return corners >= 3 ? MN_OK : mesh_bad(in, "face with %d vertices, expected at least 3", corners);
}

mn_status mesh_read_obj(mesh_reader *in)
{
    while (in->at < in->end) {
        mesh_word word = statement_word(in);
        mn_status status = mesh_word_is(word, "v") ? read_vertex(in) : mesh_word_is(word, "f") ? read_face(in) : MN_OK;
        if (status != MN_OK) return status;
        mesh_skip_line(in);
    }
    return MN_OK;
}
