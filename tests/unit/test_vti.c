/* VTK image data: every encoding gives the same numbers, what is broken is refused with the reason, what is written
 * is read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/vti.h"

#define HEAD(extra)                                                                                                    \
    "<?xml version=\"1.0\"?>\n<!-- a > in a comment -->\n<VTKFile type=\"ImageData\" version=\"1.0\" "                 \
    "byte_order=\"LittleEndian\"" extra ">\n"
#define IMAGE                                                                                                          \
    "<ImageData WholeExtent=\"1 2 0 1 0 0\" Origin=\"0 1 2\" Spacing=\"0.5 0.25 1\">\n<Piece Extent=\"1 2 0 1 0 "      \
    "0\">\n"
#define ARRAY(format, more) "<DataArray type=\"Float32\" Name=\"U\" NumberOfComponents=\"3\" format=\"" format "\"" more
#define POINTS "<PointData>\n<DataArray type=\"Float32\" Name=\"p\" format=\"ascii\">1 2 3 4</DataArray>\n"
#define TAIL "</PointData>\n</Piece>\n</ImageData>\n</VTKFile>\n"
#define NUMBERS "1 2 3  4 5 6\n-1 0 1 0.5 1.5e0 -2"

static const float expected[12] = {1, 2, 3, 4, 5, 6, -1, 0, 1, 0.5f, 1.5f, -2};

static char said[2000];
static mn_status parse_bytes(const char *data, size_t size, const char *array, mn_vti *out)
{
    /* a copy of the exact size: reading beyond it is found by the sanitizers */
    char *copy = malloc(size + !size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    mn_messages *say = mn_messages_new();
    const mn_status status = mn_vti_parse(copy, size, "test.vti", array, out, say);
    said[0] = 0;
    for (int m = 0; m < mn_messages_count(say); m++)
        snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n", mn_messages_get(say, m).text);
    mn_messages_free(say);
    free(copy);
    return status;
}

static void holds(const char *data, size_t size)
{
    mn_vti v;
    if (parse_bytes(data, size, NULL, &v) != MN_OK) fail_msg("%s", said);
    static const int dims[3] = {2, 2, 1};
    static const double origin[3] = {0.5, 1, 2}, spacing[3] = {0.5, 0.25, 1};
    assert_memory_equal(v.dims, dims, sizeof dims);
    assert_memory_equal(v.origin, origin, sizeof origin);
    assert_memory_equal(v.spacing, spacing, sizeof spacing);
    assert_memory_equal(v.vector, expected, sizeof expected);
    assert_float_equal(v.slowest, sqrt(2), 1e-6);
    assert_float_equal(v.fastest, sqrt(77), 1e-6);
    mn_vti_free(&v);
}

static size_t base64_of(const unsigned char *in, size_t bytes, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t made = 0;
    for (size_t i = 0; i < bytes; i += 3) {
        const unsigned left = (unsigned)(bytes - i), w = (unsigned)in[i] << 16 |
                                                         (left > 1 ? (unsigned)in[i + 1] << 8 : 0) |
                                                         (left > 2 ? in[i + 2] : 0);
        out[made++] = digits[w >> 18 & 63], out[made++] = digits[w >> 12 & 63];
        out[made++] = left > 1 ? digits[w >> 6 & 63] : '=', out[made++] = left > 2 ? digits[w & 63] : '=';
    }
    out[made] = 0;
    return made;
}

static void ascii(void **state)
{
    (void)state;
    static const char text[] = HEAD("") IMAGE POINTS ARRAY("ascii", ">\n") NUMBERS "</DataArray>\n" TAIL;
    holds(text, sizeof text - 1);
}

static void inline_base64(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++)
        for (int wide = 0; wide < 2; wide++) { /* head of 4 or 8 bytes; encoded apart or together with the numbers */
            unsigned char raw[8 + sizeof expected];
            const uint64_t length = sizeof expected;
            const size_t head = wide ? 8 : 4;
            memcpy(raw, &length, head), memcpy(raw + head, expected, sizeof expected);
            char code[300], text[2000];
            if (apart) base64_of(raw, head, code), base64_of(raw + head, sizeof expected, code + strlen(code));
            else base64_of(raw, head + sizeof expected, code);
            snprintf(text, sizeof text, "%s%s%s</DataArray>\n" TAIL, wide ? HEAD(" header_type=\"UInt64\"") : HEAD(""),
                     IMAGE POINTS ARRAY("binary", ">\n  "), code);
            holds(text, strlen(text));
        }
}

static void put_turned(char *out, const void *in, size_t width)
{
    for (size_t b = 0; b < width; b++) out[b] = ((const char *)in)[width - 1 - b];
}

/* Raw data with bytes that look like tags elsewhere in them; doubles, either byte order. */
static void appended_raw(void **state)
{
    (void)state;
    static const char *const orders[2] = {"LittleEndian", "BigEndian"};
    const int one = 1;
    const bool little = *(const char *)&one;
    for (int order = 0; order < 2; order++)
        for (int width = 4; width <= 8; width += 4) {
            char text[2000];
            int used = snprintf(text, sizeof text,
                                "<VTKFile type='ImageData' byte_order='%s' header_type='UInt64'>" IMAGE
                                "<PointData>\n<DataArray type=\"Float%d\" Name=\"U\" NumberOfComponents=\"3\" "
                                "format=\"appended\" offset=\"9\"/>"
                                "</PointData></Piece></ImageData><AppendedData encoding=\"raw\">\n _<DataArra",
                                orders[order], 8 * width);
            char *p = text + used;
            const bool turned = (order == 0) != little;
            const uint64_t length = 12u * (unsigned)width;
            if (turned) put_turned(p, &length, 8);
            else memcpy(p, &length, 8);
            p += 8;
            for (int i = 0; i < 12; i++, p += width) {
                const double d = (double)expected[i];
                const void *from = width == 8 ? (const void *)&d : (const void *)&expected[i];
                if (turned) put_turned(p, from, (size_t)width);
                else memcpy(p, from, (size_t)width);
            }
            p += sprintf(p, "\n</AppendedData></VTKFile>\n");
            holds(text, (size_t)(p - text));
            mn_vti v;
            for (size_t cut = 0; cut < (size_t)(p - text) - 34; cut++) /* any beginning of it is refused */
                if (parse_bytes(text, cut, NULL, &v) == MN_OK || !said[0])
                    fail_msg("cut at %zu of %zu", cut, (size_t)(p - text));
        }
}

/* Cell data lies at the middles of cells. */
static void cell_data(void **state)
{
    (void)state;
    static const char text[] =
        "<VTKFile type=\"ImageData\"><ImageData WholeExtent=\"0 2 0 1 0 1\" Origin=\"0 0 0\" Spacing=\"1 2 4\">"
        "<Piece Extent=\"0 2 0 1 0 1\"><CellData><DataArray type=\"Float64\" Name=\"U\" NumberOfComponents=\"3\">"
        "1 2 3 4 5 6</DataArray></CellData></Piece></ImageData></VTKFile>";
    mn_vti v;
    if (parse_bytes(text, sizeof text - 1, "U", &v) != MN_OK) fail_msg("%s", said);
    assert_int_equal(v.dims[0], 2);
    assert_int_equal(v.dims[1] * v.dims[2], 1);
    assert_true(v.origin[0] == 0.5 && v.origin[1] == 1 && v.origin[2] == 2 && v.vector[5] == 6);
    mn_vti_free(&v);
}

/* Long: a table of files. */
static void broken(void **state)
{
    (void)state;
    static const struct {
        const char *text, *array, *says;
    } rows[] = {
        {"", NULL, "found no VTKFile"},
        {"nothing here", NULL, "found no VTKFile"},
        {"<html><VTKFile>", NULL, "expected a VTKFile, found a tag \"html\""},
        {"<VTKFile type=\"PolyData\">", NULL, "expected a VTKFile of type ImageData, found PolyData"},
        {"<VTKFile type=\"ImageData\" compressor=\"vtkZLibDataCompressor\">", NULL,
         "compressed (vtkZLibDataCompressor)"},
        {"<VTKFile type=\"ImageData\" byte_order=\"Middle\">", NULL, "unknown byte_order \"Middle\""},
        {"<VTKFile type=\"ImageData\"></VTKFile>", NULL, "has no ImageData"},
        {"<VTKFile type=\"ImageData\"", NULL, "ends within a tag"},
        {"<VTKFile type=ImageData>", NULL, "broken attribute \"type\""},
        {"<VTKFile type=\"ImageData\"><!-- ", NULL, "ends within a comment"},
        {HEAD("") "<ImageData WholeExtent=\"0 1 0\">", NULL, "six rising whole numbers"},
        {HEAD("") "<ImageData WholeExtent=\"0 1 0 1 1 0\">", NULL, "six rising whole numbers"},
        {HEAD("") "<ImageData WholeExtent=\"0 9999 0 9999 0 9999\">", NULL, "1e+12 nodes; expected at most"},
        {HEAD("") "<ImageData WholeExtent=\"0 1 0 1 0 1\" Spacing=\"0 1 1\">", NULL, "three positive numbers"},
        {HEAD("") "<ImageData WholeExtent=\"0 1 0 1 0 1\" Origin=\"a b c\">", NULL, "Origin of three numbers"},
        {HEAD("") "<ImageData WholeExtent=\"0 1 0 1 0 1\" Direction=\"0 1 0 1 0 0 0 0 1\">", NULL,
         "axes of the grid are turned"},
        {HEAD("") "<ImageData WholeExtent=\"0 1 0 1 0 1\"><Piece Extent=\"0 1 0 1 0 0\">", NULL,
         "Extent of the whole grid"},
        {HEAD("") IMAGE "</Piece><Piece Extent=\"1 2 0 1 0 0\">", NULL, "several pieces"},
        {HEAD("") IMAGE POINTS TAIL, NULL, "no array with three components; the file has p"},
        {HEAD("") IMAGE POINTS TAIL, "U", "no array \"U\"; the file has p"},
        {HEAD("") IMAGE POINTS TAIL, "p", "has 1 components; expected 3"},
        {HEAD("") IMAGE POINTS ARRAY("ascii", ">") "1 2 3 4 5 6 7 8 9 10 11</DataArray>" TAIL, NULL,
         "after 11 of 12 numbers"},
        {HEAD("") IMAGE POINTS ARRAY("ascii", ">") "1 2</DataArray>" TAIL, NULL, "too short for 12 numbers"},
        {HEAD("") IMAGE POINTS ARRAY("ascii", ">") NUMBERS " 7</DataArray>" TAIL, NULL,
         "continues after its 12 numbers"},
        {HEAD("") IMAGE POINTS ARRAY("ascii", ">") "1 2 3 4 5 x 7 8 9 10 11 12</DataArray>" TAIL, NULL, "found \"x\""},
        {HEAD("") IMAGE POINTS ARRAY("ascii", ">") "1 2 3 4 5 nan 7 8 9 10 11 12</DataArray>" TAIL, NULL,
         "node 1 is not finite"},
        {HEAD("") IMAGE POINTS ARRAY("ascii", ">") "1 2 3 4 5 1e7 7 8 9 10 11 12</DataArray>" TAIL, NULL,
         "longer than 1e6"},
        {HEAD("") IMAGE POINTS ARRAY("appended", "/>") TAIL, NULL, "no AppendedData"},
        {HEAD("") IMAGE POINTS ARRAY("appended", " offset=\"99\"/>") "<AppendedData encoding=\"raw\">_abc", NULL,
         "offset within"},
        {HEAD("") IMAGE POINTS ARRAY("appended", "/>") "<AppendedData encoding=\"raw\">_abc", NULL,
         "ends within the array"},
        {HEAD("") IMAGE POINTS ARRAY("appended", "/>") "<AppendedData encoding=\"raw\">abc", NULL,
         "expected an underscore"},
        {HEAD("") IMAGE POINTS ARRAY("appended", "/>") "<AppendedData encoding=\"zip\">_abc", NULL,
         "encoding raw or base64"},
        {HEAD("") IMAGE POINTS ARRAY("hex", ">") "00</DataArray>" TAIL, NULL, "unknown format \"hex\""},
        {HEAD("") IMAGE POINTS "<DataArray type=\"Int32\" Name=\"U\" NumberOfComponents=\"3\">1</DataArray>" TAIL, NULL,
         "expected Float32 or Float64"},
        {HEAD("") IMAGE POINTS ARRAY(
             "binary",
             ">") "MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA=</DataArray>" TAIL,
         NULL, "claims to have"},
        {HEAD("") IMAGE POINTS ARRAY(
             "binary",
             ">") "M?AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA=</DataArray>" TAIL,
         NULL, "broken base64"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        mn_vti v;
        if (parse_bytes(rows[r].text, strlen(rows[r].text), rows[r].array, &v) == MN_OK)
            fail_msg("row %zu was accepted", r);
        if (!strstr(said, rows[r].says)) fail_msg("row %zu said: %s", r, said);
    }
}

static void round_trip(void **state)
{
    (void)state;
    char path[] = "vti-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    static const int dims[3] = {2, 2, 1};
    static const double origin[3] = {0.1, -2e-7, 3}, spacing[3] = {0.3, 0.001, 2};
    static const float share[4] = {1, 2, 3, 4};
    const mn_vti_array arrays[2] = {{"share", 1, share}, {"velocity", 3, expected}};
    mn_messages *say = mn_messages_new();
    mn_vti v;
    assert_int_equal(mn_vti_write(path, 0.25, dims, origin, spacing, arrays, 2, say), MN_OK);
    assert_int_equal(mn_vti_read(path, "velocity", &v, say), MN_OK);
    assert_memory_equal(v.dims, dims, sizeof dims);
    assert_memory_equal(v.origin, origin, sizeof origin);
    assert_memory_equal(v.spacing, spacing, sizeof spacing);
    assert_memory_equal(v.vector, expected, sizeof expected);
    mn_vti_free(&v);
    unlink(path);
    assert_int_equal(mn_vti_read(path, "velocity", &v, say), MN_BAD_INPUT);
    mn_messages_free(say);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ascii),     cmocka_unit_test(inline_base64), cmocka_unit_test(appended_raw),
        cmocka_unit_test(cell_data), cmocka_unit_test(broken),        cmocka_unit_test(round_trip),
    };
    return cmocka_run_group_tests_name("vti", tests, NULL, NULL);
}
