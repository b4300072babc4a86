/* mesh_files.c -- see mesh_files.h. */
#include "surface/mesh_files.h"

#include <math.h>
#include <string.h>

#include "base/file.h"

static mn_status write_ply(const char *path, const mn_surface *s, mn_messages *say);
static mn_status write_obj(const char *path, const mn_surface *s, mn_messages *say);
static mn_status write_vtp(const char *path, const mn_surface *s, mn_messages *say);
static mn_status write_stl(const char *path, const mn_surface *s, mn_messages *say);

const mn_surface_format mn_surface_formats[MN_SURFACE_FORMATS] = {
    {"ply", "binary PLY: Blender, MeshLab, Houdini", write_ply},
    {"obj", "Wavefront OBJ, text: every program, without fields", write_obj},
    {"vtp", "VTK PolyData, binary: ParaView, VisIt", write_vtp},
    {"stl", "binary STL: triangles alone", write_stl},
};

const mn_surface_format *mn_surface_format_find(const char *key)
{
    for (int f = 0; f < MN_SURFACE_FORMATS; f++)
        if (strcmp(mn_surface_formats[f].key, key) == 0) return &mn_surface_formats[f];
    return NULL;
}

static bool little_here(void)
{
    const int one = 1;
    return *(const char *)&one == 1;
}

/* The particles may have normals of their own. */
static const char *name_of(const mn_surface_field *field)
{
    return strcmp(field->name, "normal") == 0 ? "particle_normal" : field->name;
}

/* --------------------------------------------------------------------------------------------------- PLY */

static void declare(mn_file *out, const mn_surface_field *field)
{
    const char *type = field->type == MN_FRAME_INT ? "int" : "float", *name = name_of(field);
    if (field->width == 1) mn_file_print(out, "property %s %s\n", type, name);
    for (int c = 0; c < 3 && field->width == 3; c++) {
        if (strcmp(name, "velocity") == 0) mn_file_print(out, "property float v%c\n", "xyz"[c]);
        else mn_file_print(out, "property %s %s_%c\n", type, name, "xyz"[c]);
    }
}

/* Words of four bytes, as little-endian. */
static char *put_words(char *to, const void *words, int count)
{
    memcpy(to, words, 4 * (size_t)count);
    for (int i = 0; i < count && !little_here(); i++) {
        uint32_t w;
        memcpy(&w, to + 4 * i, 4);
        w = __builtin_bswap32(w);
        memcpy(to + 4 * i, &w, 4);
    }
    return to + 4 * count;
}

static mn_status write_ply(const char *path, const mn_surface *s, mn_messages *say)
{
    mn_file *out = mn_file_begin(path, say);
    size_t stride = 24;
    mn_file_print(out, "ply\nformat binary_little_endian 1.0\ncomment time %.9g s\nelement vertex %d\n", s->time,
                  s->vertex_count);
    mn_file_print(out, "property float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float "
                       "ny\nproperty float nz\n");
    for (int f = 0; f < s->field_count; f++) {
        declare(out, &s->fields[f]);
        stride += 4 * (size_t)s->fields[f].width;
    }
    mn_file_print(out, "element face %d\nproperty list uchar int vertex_indices\nend_header\n", s->triangle_count);
    for (int32_t v = 0; v < s->vertex_count; v++) {
        char *to = mn_file_room(out, stride);
        if (!to) break;
        to = put_words(to, s->position + 3 * (size_t)v, 3);
        to = put_words(to, s->normal + 3 * (size_t)v, 3);
        for (int f = 0; f < s->field_count; f++) {
            const int width = s->fields[f].width;
            to = put_words(to, (const char *)s->fields[f].data + 4 * (size_t)width * (size_t)v, width);
        }
    }
    for (int32_t t = 0; t < s->triangle_count; t++) {
        char *to = mn_file_room(out, 13);
        if (!to) break;
        *to = 3;
        put_words(to + 1, s->triangle + 3 * (size_t)t, 3);
    }
    return mn_file_commit(out, say);
}

/* ------------------------------------------------------------------------------------------- OBJ and STL */

static mn_status write_obj(const char *path, const mn_surface *s, mn_messages *say)
{
    mn_file *out = mn_file_begin(path, say);
    char line[200];
    mn_file_print(out, "# time %.9g s\n", s->time);
    for (int32_t v = 0; v < s->vertex_count && !mn_file_failed(out); v++) {
        const float *x = s->position + 3 * (size_t)v;
        mn_file_put(
            out, line,
            (size_t)mn_format(line, sizeof line, "v %.9g %.9g %.9g\n", (double)x[0], (double)x[1], (double)x[2]));
    }
    for (int32_t v = 0; v < s->vertex_count && !mn_file_failed(out); v++) {
        const float *n = s->normal + 3 * (size_t)v;
        mn_file_put(
            out, line,
            (size_t)mn_format(line, sizeof line, "vn %.5f %.5f %.5f\n", (double)n[0], (double)n[1], (double)n[2]));
    }
    for (int32_t t = 0; t < s->triangle_count && !mn_file_failed(out); t++) {
        const int32_t *c = s->triangle + 3 * (size_t)t;
        const int a = c[0] + 1, b = c[1] + 1, d = c[2] + 1;
        mn_file_put(out, line, (size_t)mn_format(line, sizeof line, "f %d//%d %d//%d %d//%d\n", a, a, b, b, d, d));
    }
    return mn_file_commit(out, say);
}

static mn_status write_stl(const char *path, const mn_surface *s, mn_messages *say)
{
    mn_file *out = mn_file_begin(path, say);
    char head[80] = "surface of a liquid, m", count[4];
    mn_file_put(out, head, sizeof head);
    put_words(count, &s->triangle_count, 1);
    mn_file_put(out, count, 4);
    for (int32_t t = 0; t < s->triangle_count; t++) {
        char *to = mn_file_room(out, 50);
        if (!to) break;
        float e[2][3], n[3], length = 0;
        const float *p[3];
        for (int c = 0; c < 3; c++) p[c] = s->position + 3 * (size_t)s->triangle[3 * (size_t)t + (size_t)c];
        for (int k = 0; k < 3; k++) e[0][k] = p[1][k] - p[0][k], e[1][k] = p[2][k] - p[0][k];
        for (int k = 0; k < 3; k++) {
            n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
            length += n[k] * n[k];
        }
        length = sqrtf(length);
        for (int k = 0; k < 3; k++) n[k] = length > 0 ? n[k] / length : 0;
        to = put_words(to, n, 3);
        for (int c = 0; c < 3; c++) to = put_words(to, p[c], 3);
        memset(to, 0, 2);
    }
    return mn_file_commit(out, say);
}

/* ---------------------------------------------------------------------------------------------------- VTP */

static void declare_array(mn_file *out, const char *type, const char *name, int width, uint64_t bytes, uint64_t *offset)
{
    mn_file_print(
        out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
        type, name, width, (unsigned long long)*offset);
    *offset += 8 + bytes;
}

static void put_array(mn_file *out, const void *data, uint64_t bytes)
{
    mn_file_put(out, &bytes, 8);
    mn_file_put(out, data, bytes);
}

static void put_head(mn_file *out, const mn_surface *s)
{
    const uint64_t vertices = (uint64_t)s->vertex_count, triangles = (uint64_t)s->triangle_count;
    uint64_t offset = 0;
    mn_file_print(out,
                  "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%sEndian\" "
                  "header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
                  "NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n</FieldData>\n",
                  little_here() ? "Little" : "Big", s->time);
    mn_file_print(out,
                  "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
                  "NumberOfPolys=\"%d\">\n",
                  s->vertex_count, s->triangle_count);
    mn_file_print(out, "<Points>\n");
    declare_array(out, "Float32", "Points", 3, 12 * vertices, &offset);
    mn_file_print(out, "</Points>\n<Polys>\n");
    declare_array(out, "Int32", "connectivity", 1, 12 * triangles, &offset);
    declare_array(out, "Int64", "offsets", 1, 8 * triangles, &offset);
    mn_file_print(out, "</Polys>\n<PointData Normals=\"normal\"%s>\n", s->velocity ? " Vectors=\"velocity\"" : "");
    declare_array(out, "Float32", "normal", 3, 12 * vertices, &offset);
    for (int f = 0; f < s->field_count; f++) {
        const mn_surface_field *field = &s->fields[f];
        declare_array(out, field->type == MN_FRAME_INT ? "Int32" : "Float32", name_of(field), field->width,
                      4 * vertices * (uint64_t)field->width, &offset);
    }
    mn_file_print(out, "</PointData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

static mn_status write_vtp(const char *path, const mn_surface *s, mn_messages *say)
{
    const uint64_t vertices = (uint64_t)s->vertex_count, triangles = (uint64_t)s->triangle_count, bytes = 8 * triangles;
    mn_file *out = mn_file_begin(path, say);
    put_head(out, s);
    put_array(out, s->position, 12 * vertices);
    put_array(out, s->triangle, 12 * triangles);
    mn_file_put(out, &bytes, 8);
    for (uint64_t t = 1; t <= triangles; t++) {
        const int64_t end = 3 * (int64_t)t;
        mn_file_put(out, &end, 8);
    }
    put_array(out, s->normal, 12 * vertices);
    for (int f = 0; f < s->field_count; f++)
        put_array(out, s->fields[f].data, 4 * vertices * (uint64_t)s->fields[f].width);
    mn_file_print(out, "\n</AppendedData>\n</VTKFile>\n");
    return mn_file_commit(out, say);
}
