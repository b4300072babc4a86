/* test_mesh.c -- one tetrahedron through every mesh format, and broken files with the messages that they must give. */
#include "geometry/geometry.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A corner of the unit cube, outward. */
static const double tetra_vertex[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1.5}};
static const int tetra_triangle[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

/* ------------------------------------------------------------ writing files */

typedef struct bytes {
    char data[4000];
    size_t length;
} bytes;

static void put(bytes *b, const void *data, size_t length)
{
    assert_true(b->length + length <= sizeof b->data);
    memcpy(b->data + b->length, data, length);
    b->length += length;
}

__attribute__((format(printf, 2, 3))) static void print(bytes *b, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(b->data + b->length, sizeof b->data - b->length, format, arguments);
    va_end(arguments);
    assert_true(n >= 0 && b->length + (size_t)n < sizeof b->data);
    b->length += (size_t)n;
}

static void put_number(bytes *b, const void *value, size_t size, bool big_endian)
{
    unsigned char raw[8], out[8];
    memcpy(raw, value, size); /* the tests run on little-endian machines */
    for (size_t i = 0; i < size; i++) out[i] = raw[big_endian ? size - 1 - i : i];
    put(b, out, size);
}

static bytes tetra_obj(void)
{
    bytes b = {0};
    print(&b, "# a tetrahedron\r\no tetra\r\n");
    for (int v = 0; v < 4; v++)
        print(&b, "v %.17g %.17g %.17g\r\n", tetra_vertex[v][0], tetra_vertex[v][1], tetra_vertex[v][2]);
    print(&b, "vn 0 0 1\r\nf 1/1/1 3//1 2 # mixed\nf 1 2 \\\n 4\nf -4 -1 -2\nusemtl x\nf 2/1 3/1 4/1");
    return b;
}

static bytes tetra_ply(const char *format)
{
    bytes b = {0};
    bool ascii = strcmp(format, "ascii") == 0, big = strstr(format, "big") != NULL;
    print(&b,
          "ply\nformat %s 1.0\ncomment made up\nelement vertex 4\nproperty float64 x\nproperty float y\nproperty uchar "
          "shade\n"
          "property double z\nelement odd 1\nproperty list uchar short junk\nelement face 4\nproperty list uchar int "
          "vertex_indices\n"
          "property ushort flag\nend_header\n",
          format);
    for (int v = 0; v < 4; v++) {
        float y = (float)tetra_vertex[v][1];
        if (ascii) print(&b, "%.17g %.9g 7 %.17g\n", tetra_vertex[v][0], tetra_vertex[v][1], tetra_vertex[v][2]);
        if (ascii) continue;
        put_number(&b, &tetra_vertex[v][0], 8, big);
        put_number(&b, &y, 4, big);
        put(&b, "\7", 1);
        put_number(&b, &tetra_vertex[v][2], 8, big);
    }
    if (ascii) print(&b, "2 -5 9\n");
    else put(&b, "\2abcd", 5);
    for (int t = 0; t < 4; t++) {
        if (ascii) print(&b, "3 %d %d %d 65535\n", tetra_triangle[t][0], tetra_triangle[t][1], tetra_triangle[t][2]);
        if (ascii) continue;
        put(&b, "\3", 1);
        for (int v = 0; v < 3; v++) put_number(&b, &tetra_triangle[t][v], 4, big);
        put(&b, "\1\2", 2);
    }
    return b;
}

static bytes tetra_stl_ascii(void)
{
    bytes b = {0};
    print(&b, "solid a name with facet in it\n");
    for (int t = 0; t < 4; t++) {
        print(&b, " facet normal 0 0 0\n  outer loop\n");
        for (int v = 0; v < 3; v++) {
            const double *x = tetra_vertex[tetra_triangle[t][v]];
            print(&b, "   vertex %.9e %.9E %.9f\n", x[0], x[1], x[2]);
        }
        print(&b, "  endloop\n endfacet\n");
    }
    print(&b, "endsolid a name\n");
    return b;
}

static bytes tetra_stl_binary(void)
{
    bytes b = {0};
    char header[80] = "solid but binary";
    unsigned count = 4;
    put(&b, header, 80);
    put_number(&b, &count, 4, false);
    for (int t = 0; t < 4; t++) {
        put(&b, header + 20, 12);
        for (int v = 0; v < 3; v++)
            for (int k = 0; k < 3; k++) {
                float x = (float)tetra_vertex[tetra_triangle[t][v]][k];
                put_number(&b, &x, 4, false);
            }
        put(&b, "\0\0", 2);
    }
    return b;
}

/* ------------------------------------------------------------ reading them back */

static void expect_tetra(const mn_mesh *mesh, mn_messages *say)
{
    assert_int_equal(mesh->vertex_count, 4);
    assert_int_equal(mesh->triangle_count, 4);
    for (int t = 0; t < 4; t++)
        for (int v = 0; v < 3; v++)
            for (int k = 0; k < 3; k++)
                assert_true(mesh->vertex[3 * mesh->triangle[3 * t + v] + k] == tetra_vertex[tetra_triangle[t][v]][k]);
    assert_int_equal(mn_mesh_check_watertight(mesh, MN_NOWHERE, say), MN_OK);
    assert_int_equal(mn_messages_count(say), 0);
}

static void expect_round_trip(bytes file, const char *extension)
{
    char path[64];
    mn_messages *say = mn_messages_new();
    snprintf(path, sizeof path, "/tmp/mn_mesh_XXXXXX%s", extension);
    int handle = mkstemps(path, (int)strlen(extension));
    assert_true(handle >= 0 && write(handle, file.data, file.length) == (ssize_t)file.length);
    close(handle);
    mn_mesh mesh;
    mn_status status = mn_mesh_read(path, &mesh, say);
    if (status != MN_OK) fail_msg("%s: %s", path, mn_messages_get(say, 0).text);
    expect_tetra(&mesh, say);
    mn_mesh_free(&mesh);
    unlink(path);
    mn_messages_free(say);
}

static void every_format_gives_the_same_mesh(void **state)
{
    (void)state;
    expect_round_trip(tetra_obj(), ".obj");
    expect_round_trip(tetra_obj(), ".OBJ");
    expect_round_trip(tetra_ply("ascii"), ".ply");
    expect_round_trip(tetra_ply("binary_little_endian"), ".ply");
    expect_round_trip(tetra_ply("binary_big_endian"), ".ply");
    expect_round_trip(tetra_ply("binary_big_endian"), ".obj"); /* the content tells */
    expect_round_trip(tetra_stl_ascii(), ".stl");
    expect_round_trip(tetra_stl_binary(), ".stl");
}

static void numbers_do_not_lose_digits(void **state)
{
    (void)state;
    const char *numbers[] = {"0.1",
                             "-1.7976931e20",
                             "3.0000000000000004",
                             "1e-7",
                             "123456789012345678901234567890e-10",
                             ".5",
                             "5.",
                             "+2",
                             "0.000000000000000000000000000001234567890123456789",
                             "9007199254740993"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[200];
        int n = snprintf(text, sizeof text, "v %s 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n", numbers[i]);
        mn_mesh mesh;
        assert_int_equal(mn_mesh_parse(text, (size_t)n, "a.obj", &mesh, NULL), MN_OK);
        double expected = strtod(numbers[i], NULL);
        assert_true(fabs(mesh.vertex[0] - expected) <= 2.3e-16 * fabs(expected));
        mn_mesh_free(&mesh);
    }
}

static void polygons_become_fans(void **state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5\n";
    mn_mesh mesh;
    assert_int_equal(mn_mesh_parse(text, sizeof text - 1, "a.obj", &mesh, NULL), MN_OK);
    assert_int_equal(mesh.triangle_count, 3);
    assert_memory_equal(mesh.triangle, ((int[]){0, 1, 2, 0, 2, 3, 0, 3, 4}), 9 * sizeof(int));
    mn_mesh_free(&mesh);
}

/* ------------------------------------------------------------ bad files */

static void expect_refused(const char *data, size_t length, const char *name, int line, const char *part)
{
    mn_messages *say = mn_messages_new();
    mn_mesh mesh;
    char *copy = malloc(length + 1); /* exact size: the sanitizer sees a read past the end */
    char *exact = realloc(copy, length ? length : 1);
    memcpy(exact, data, length);
    assert_int_equal(mn_mesh_parse(exact, length, name, &mesh, say), MN_BAD_INPUT);
    assert_null(mesh.vertex);
    assert_int_equal(mn_messages_errors(say), 1);
    mn_message m = mn_messages_get(say, 0);
    if (!strstr(m.text, part)) fail_msg("\"%s\" does not contain \"%s\"", m.text, part);
    assert_string_equal(m.file, name);
    assert_int_equal(m.line, line);
    mn_messages_free(say);
    free(exact);
}

/* Long: a table of files. */
static void bad_texts_are_refused(void **state)
{
    (void)state;
    struct {
        const char *name, *text;
        int line;
        const char *part;
    } bad[] = {
        {"a.obj", "", 1, "the file is empty"},
        {"a.obj", "v 0 0 0\n", 0, "no triangles (1 vertices)"},
        {"a.obj", "v 0 0 0\nv 0 nan 0\n", 2, "vertex 2: coordinate y is nan, expected a finite number"},
        {"a.obj", "v 0 0 -inf\n", 1, "coordinate z is"},
        {"a.obj", "v 0 0 1e31\n", 1, "expected a finite number up to 1e30"},
        {"a.obj", "v 0 0 1e999999999999\n", 1, "coordinate z is inf"},
        {"a.obj", "v 0 0\n", 1, "vertex with 2 coordinates, expected 3"},
        {"a.obj", "v 0 0 0x10\n", 1, "'0x10' is not a number"},
        {"a.obj", "v 0 0 1,5\n", 1, "'1,5' is not a number"},
        {"a.obj", "v 0 0 1e\n", 1, "'1e' is not a number"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n", 5, "face uses vertex 4, expected 1 to 3"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", 4, "face uses vertex 0"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 1 2\n", 4, "face uses vertex -4"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", 4, "face with 2 vertices"},
        {"a.obj", "v 0 0 0\nf 1 x 1\n", 2, "'x' is not a vertex index"},
        {"a.obj", "v 0 0 0\nf 99999999999999999999 1 1\n", 2, "is not a vertex index"},
        {"a.xyz", "v 0 0 0\n", 0, "expected a file ending in .obj, .ply or .stl"},
        {"a.ply", "plz\n", 1, "the first line is not 'ply'"},
        {"a.ply", "ply\nformat utf8 1.0\n", 2, "format 'utf8', expected ascii"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 3\n", 4, "no end_header"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex many\n", 3, "element count 'many'"},
        {"a.ply", "ply\nformat ascii 1.0\nproperty float x\n", 3, "property before the first element"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\n", 4, "property of type 'real'"},
        {"a.ply", "ply\nformat ascii 1.0\nelement face 1\nproperty list float int vertex_indices\n", 4,
         "list length of type 'float'"},
        {"a.ply", "ply\nformat ascii 1.0\nverse 1\n", 3, "'verse' in the header"},
        {"a.ply", "ply\nend_header\n", 2, "without a format line"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n", 6,
         "without the properties x, y and z"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float "
         "z\nend_header\n1 1 "
         "1\n",
         8, "truncated: 4000000000 of element vertex announced, but only 6 bytes follow"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face "
         "1\n"
         "property list uchar int vertex_indices\nend_header\n0 0 0\n3 0 0 1\n",
         11, "face 0: it uses vertex 1, expected 0 to 0"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face "
         "1\n"
         "property list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n",
         11, "face 0: 2 vertices, expected at least 3"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face "
         "1\n"
         "property list uchar int vertex_indices\nend_header\n0 0 nan\n3 0 0 0\n",
         10, "vertex 0: coordinate z is nan"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face "
         "1\n"
         "property list uint int vertex_indices\nend_header\n0 0 0\n4000000000 0 0",
         11, "truncated: the file ends within the data"},
        {"a.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1\n", 7,
         "ends within a vertex"},
        {"a.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n", 6,
         "facet with 2 vertices"},
        {"a.stl", "solid x\nfacet normal 0 0 1\nouter hoop\n", 3, "'hoop' after outer"},
        {"a.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 inf 0\n", 6,
         "corner 3: coordinate y is inf"},
        {"a.stl", "solid x\nwall\n", 2, "'wall', expected facet or endsolid"},
        {"a.stl", "solid x\nendsolid x\n", 0, "no triangles"},
        {"a.stl", "solid x\n", 2, "ends without endsolid"},
        {"a.stl", "nothing", 0, "7 bytes, too short for an STL file"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refused(bad[i].text, strlen(bad[i].text), bad[i].name, bad[i].line, bad[i].part);
}

static void bad_binaries_are_refused(void **state)
{
    (void)state;
    bytes b = tetra_stl_binary();
    memset(b.data, 'x', 80);
    expect_refused(b.data, b.length - 1, "a.stl", 0,
                   "truncated: the header announces 4 triangles, the data ends at byte 283 after 3");
    b.data[80] = 3; /* one triangle more than that */
    expect_refused(b.data, b.length, "a.stl", 0,
                   "the header announces 3 triangles, but there is data for 4, up to byte 284");
    memset(b.data + 80, 0xff, 4);
    expect_refused(b.data, b.length, "a.stl", 0, "announces 4294967295 triangles");
    b = tetra_stl_binary();
    memset(b.data + 84 + 12, 0xff, 4);
    expect_refused(b.data, b.length, "a.stl", 0, "byte 96: coordinate x is");
    for (int big = 0; big < 2; big++) {
        b = tetra_ply(big ? "binary_big_endian" : "binary_little_endian");
        expect_refused(b.data, b.length - 1, "a.ply", 0, "truncated: the data ends at byte");
        b.data[b.length - 3] = b.data[b.length - 6] = 9;
        expect_refused(b.data, b.length, "a.ply", 0, "it uses vertex");
    }
    for (size_t cut = 0; cut < b.length; cut++) { /* every prefix is refused, none is read past its end */
        char *exact = malloc(cut + 1);
        memcpy(exact, b.data, cut);
        mn_mesh mesh;
        assert_int_equal(mn_mesh_parse(exact, cut, "a.ply", &mesh, NULL), MN_BAD_INPUT);
        free(exact);
    }
    mn_mesh mesh;
    mn_messages *say = mn_messages_new();
    assert_int_equal(mn_mesh_read("/tmp", &mesh, say), MN_BAD_INPUT);
    assert_non_null(strstr(mn_messages_get(say, 0).text, "not a regular file"));
    mn_messages_free(say);
}

/* ------------------------------------------------------------ solids */

static void expect_unfit(const double *vertex, int vertices, const int *triangle, int triangles, const char *part)
{
    mn_mesh mesh = {(double *)vertex, vertices, (int *)triangle, triangles, NULL};
    mn_messages *say = mn_messages_new();
    assert_int_equal(mn_mesh_check_watertight(&mesh, (mn_place){"a.obj", 0, 0}, say), MN_BAD_INPUT);
    bool found = false;
    for (int i = 0; i < mn_messages_count(say); i++) found |= strstr(mn_messages_get(say, i).text, part) != NULL;
    if (!found) fail_msg("\"%s\" does not contain \"%s\"", mn_messages_get(say, 0).text, part);
    mn_messages_free(say);
}

static void unfit_solids_are_named(void **state)
{
    (void)state;
    int t[5][3];
    const double *v = &tetra_vertex[0][0];
    memcpy(t, tetra_triangle, sizeof tetra_triangle);
    expect_unfit(v, 4, t[0], 3, "3 edges with only one triangle (holes), the first at (1, 0, 0)");
    memcpy(t[4], t[0], sizeof t[0]);
    expect_unfit(v, 4, t[0], 5, "3 edges shared by more than two triangles (non-manifold)");
    t[0][1] = 1, t[0][2] = 2;
    expect_unfit(v, 4, t[0], 4, "3 edges where neighbours are wound in opposite senses");
    for (int i = 0; i < 4; i++)
        t[i][0] = tetra_triangle[i][0], t[i][1] = tetra_triangle[i][2], t[i][2] = tetra_triangle[i][1];
    expect_unfit(v, 4, t[0], 4, "inside out (volume -0.25 m^3)");
    double flat[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    expect_unfit(flat[0], 4, tetra_triangle[0], 4, "encloses no volume");
    expect_unfit(v, 4, t[0], 0, "no triangles");
}

/* Textured files split their vertices; that makes no holes. */
static void split_vertices_are_one(void **state)
{
    (void)state;
    double vertex[12][3];
    int triangle[12];
    for (int i = 0; i < 12; i++) {
        memcpy(vertex[i], tetra_vertex[tetra_triangle[i / 3][i % 3]], sizeof vertex[i]);
        triangle[i] = i;
    }
    mn_mesh mesh = {vertex[0], 12, triangle, 4, NULL};
    assert_int_equal(mn_mesh_check_watertight(&mesh, MN_NOWHERE, NULL), MN_OK);
}

/* Programs that simplify meshes leave triangles that are lines; they give no edge a third triangle. */
static void collapsed_triangles_do_no_harm(void **state)
{
    (void)state;
    int triangle[6][3];
    memcpy(triangle, tetra_triangle, sizeof tetra_triangle);
    memcpy(triangle[4], (int[3]){0, 0, 1}, sizeof triangle[4]);
    memcpy(triangle[5], (int[3]){2, 3, 2}, sizeof triangle[5]);
    mn_mesh mesh = {(double *)tetra_vertex[0], 4, triangle[0], 6, NULL};
    assert_int_equal(mn_mesh_check_watertight(&mesh, MN_NOWHERE, NULL), MN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_the_same_mesh),
        cmocka_unit_test(numbers_do_not_lose_digits),
        cmocka_unit_test(polygons_become_fans),
        cmocka_unit_test(bad_texts_are_refused),
        cmocka_unit_test(bad_binaries_are_refused),
        cmocka_unit_test(unfit_solids_are_named),
        cmocka_unit_test(split_vertices_are_one),
        cmocka_unit_test(collapsed_triangles_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
