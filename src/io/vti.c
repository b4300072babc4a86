/* vti.c -- VTK image data; see vti.h. The reader walks the tags up to the array it wants and looks at nothing else. */
#include "io/vti.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "io/tags.h"

typedef struct reader {
    tag_reader tags;
    const char *appended; /* behind the underscore; NULL: none */
    bool appended_raw, swapped, header64;
    int extent[6];
    bool image, piece;
} reader;

static mn_status no_memory(const reader *in, size_t bytes)
{
    mn_say_failure(in->tags.say, (mn_place){in->tags.name, 0, 0}, "out of memory for an array of %zu bytes", bytes);
    return MN_FAILED;
}

static bool same_numbers(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; k++)
        if (a[k] != b[k]) return false;
    return true;
}

/* ------------------------------------------------------------------ header */

static mn_status read_file_tag(reader *in, const tag *t)
{
    text v;
    if (!tag_get(t, "type", &v) || !text_same(v, "ImageData"))
        return tag_bad(&in->tags, t->name.at, "expected a VTKFile of type ImageData, found %.*s",
                       tag_get(t, "type", &v) ? text_shown(v) : 7, tag_get(t, "type", &v) ? v.at : "no type");
    if (tag_get(t, "compressor", &v) && v.length)
        return tag_bad(&in->tags, t->name.at, "the file is compressed (%.*s); write it without compression",
                       text_shown(v), v.at);
    const int one = 1;
    const bool little_here = *(const char *)&one == 1;
    if (tag_get(t, "byte_order", &v)) {
        if (!text_same(v, "LittleEndian") && !text_same(v, "BigEndian"))
            return tag_bad(&in->tags, t->name.at, "unknown byte_order \"%.*s\"; expected LittleEndian or BigEndian",
                           text_shown(v), v.at);
        in->swapped = text_same(v, "LittleEndian") != little_here;
    }
    if (tag_get(t, "header_type", &v)) {
        if (!text_same(v, "UInt32") && !text_same(v, "UInt64"))
            return tag_bad(&in->tags, t->name.at, "unknown header_type \"%.*s\"; expected UInt32 or UInt64",
                           text_shown(v), v.at);
        in->header64 = text_same(v, "UInt64");
    }
    return MN_OK;
}

static bool extent_of(const tag *t, const char *key, int extent[6])
{
    double e[6];
    text v;
    if (!tag_get(t, key, &v) || !tag_numbers(t, key, 6, e)) return false;
    for (int i = 0; i < 6; i++) {
        if (e[i] != floor(e[i])) return false;
        extent[i] = (int)e[i];
    }
    return extent[1] >= extent[0] && extent[3] >= extent[2] && extent[5] >= extent[4];
}

static mn_status read_image_tag(reader *in, const tag *t, mn_vti *out)
{
    double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, nodes = 1;
    static const double straight[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (!extent_of(t, "WholeExtent", in->extent))
        return tag_bad(&in->tags, t->name.at, "expected a WholeExtent of six rising whole numbers");
    for (int a = 0; a < 3; a++) {
        out->spacing[a] = 1, out->origin[a] = 0;
        nodes *= out->dims[a] = in->extent[2 * a + 1] - in->extent[2 * a] + 1;
    }
    if (nodes > MN_VTI_MOST)
        return tag_bad(&in->tags, t->name.at, "the grid has %.3g nodes; expected at most %d", nodes, MN_VTI_MOST);
    if (!tag_numbers(t, "Origin", 3, out->origin))
        return tag_bad(&in->tags, t->name.at, "expected an Origin of three numbers");
    if (!tag_numbers(t, "Spacing", 3, out->spacing) || !(out->spacing[0] > 1e-9) || !(out->spacing[1] > 1e-9) ||
        !(out->spacing[2] > 1e-9))
        return tag_bad(&in->tags, t->name.at, "expected a Spacing of three positive numbers");
    if (!tag_numbers(t, "Direction", 9, axes) || !same_numbers(axes, straight, 9))
        return tag_bad(&in->tags, t->name.at, "the axes of the grid are turned (Direction); expected those of space");
    for (int a = 0; a < 3; a++) out->origin[a] += in->extent[2 * a] * out->spacing[a];
    in->image = true;
    return MN_OK;
}

static mn_status read_piece_tag(reader *in, const tag *t)
{
    int extent[6];
    if (!in->image) return tag_bad(&in->tags, t->name.at, "a Piece outside of an ImageData");
    if (in->piece) return tag_bad(&in->tags, t->name.at, "the grid comes in several pieces; expected one");
    if (!extent_of(t, "Extent", extent) || memcmp(extent, in->extent, sizeof extent) != 0)
        return tag_bad(&in->tags, t->name.at, "expected a Piece with the Extent of the whole grid");
    in->piece = true;
    return MN_OK;
}

/* ------------------------------------------------------------------ arrays */

static mn_status read_ascii(const reader *in, const char *p, const char *end, size_t count, float *out)
{
    for (size_t i = 0; i < count; i++) {
        double v;
        mesh_word word = text_word(&p, end);
        if (!word.length) return tag_bad(&in->tags, p, "the array ends after %zu of %zu numbers", i, count);
        if (!mesh_number(word, &v))
            return tag_bad(&in->tags, word.text, "expected a number, found \"%.*s\"",
                           text_shown((text){word.text, (size_t)word.length}), word.text);
        out[i] = (float)v;
    }
    if (text_word(&p, end).length) return tag_bad(&in->tags, p, "the array continues after its %zu numbers", count);
    return MN_OK;
}

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes `bytes` bytes; false if the text ends or holds something else before. `=` ends a group, and the next may
 * follow: head and data are encoded one after the other. *p ends behind the last group used. */
static bool base64(const char **p, const char *end, unsigned char *out, size_t bytes)
{
    size_t made = 0;
    while (made < bytes) {
        int digit[4] = {0}, digits = 0, padding = 0;
        while (digits + padding < 4) {
            while (*p < end && text_blank(**p)) (*p)++;
            if (*p == end) return false;
            const char c = *(*p)++;
            if (c == '=') padding++;
            else if (padding || (digit[digits++] = base64_digit(c)) < 0) return false;
        }
        if (digits < 2) return false;
        const unsigned whole =
            (unsigned)digit[0] << 18 | (unsigned)digit[1] << 12 | (unsigned)digit[2] << 6 | (unsigned)digit[3];
        for (int b = 0; b < digits - 1 && made < bytes; b++) out[made++] = (unsigned char)(whole >> (16 - 8 * b));
    }
    return true;
}

static void swap_bytes(unsigned char *bytes, size_t count, int width)
{
    for (size_t i = 0; i < count; i++, bytes += width)
        for (int b = 0; b < width / 2; b++) {
            const unsigned char c = bytes[b];
            bytes[b] = bytes[width - 1 - b], bytes[width - 1 - b] = c;
        }
}

/* Length in bytes, then the numbers: raw or in base64 from p on. */
static mn_status read_binary(const reader *in, const char *p, const char *end, bool raw, int width, size_t count,
                             float *out)
{
    const char *begin = p;
    const size_t head = in->header64 ? 8 : 4, bytes = count * (size_t)width;
    unsigned char length[8] = {0};
    const size_t room = (size_t)(end - p);
    if (raw ? room < head || room - head < bytes : room / 4 * 3 < bytes)
        return tag_bad(&in->tags, NULL, "the file ends within the array of %zu bytes", bytes);
    if (raw) memcpy(length, p, head), p += head;
    else if (!base64(&p, end, length, head)) return tag_bad(&in->tags, begin, "broken base64 before an array");
    /* In base64 the head is a group of its own, or runs on into the numbers. */
    const bool apart = raw || p[-1] == '=';
    if (in->swapped) swap_bytes(length, 1, (int)head);
    uint64_t said = 0;
    uint32_t said32;
    if (in->header64) memcpy(&said, length, 8);
    else memcpy(&said32, length, 4), said = said32;
    if (said != bytes)
        return tag_bad(&in->tags, raw ? NULL : begin, "the array claims to have %llu bytes; expected %zu",
                       (unsigned long long)said, bytes);
    const size_t skip = apart ? 0 : head;
    unsigned char *data = malloc(bytes + skip + 8);
    if (!data) return no_memory(in, bytes);
    bool good = true;
    if (raw) memcpy(data, p, bytes);
    else {
        if (!apart) p = begin;
        good = base64(&p, end, data, bytes + skip);
    }
    if (in->swapped) swap_bytes(data + skip, count, width);
    for (size_t i = 0; i < count && good; i++) {
        double v;
        float f;
        if (width == 8) memcpy(&v, data + skip + 8 * i, 8), out[i] = (float)v;
        else memcpy(&f, data + skip + 4 * i, 4), out[i] = f;
    }
    free(data);
    return good ? MN_OK : tag_bad(&in->tags, begin, "broken base64 in an array, or it ends too early");
}

static mn_status read_array(reader *in, const tag *t, mn_vti *out)
{
    text type = {0}, format = {0};
    const size_t count = 3 * (size_t)out->dims[0] * (size_t)out->dims[1] * (size_t)out->dims[2];
    int width = 0;
    if (tag_get(t, "type", &type)) width = text_same(type, "Float32") ? 4 : text_same(type, "Float64") ? 8 : 0;
    if (!width)
        return tag_bad(&in->tags, t->name.at, "the array is of type \"%.*s\"; expected Float32 or Float64",
                       text_shown(type), type.at);
    if (!tag_get(t, "format", &format)) format = (text){"ascii", 5};
    const char *p = t->after, *end = in->tags.end;
    double offset = 0;
    const bool ascii = text_same(format, "ascii"), appended = text_same(format, "appended"),
               binary = text_same(format, "binary");
    if (!ascii && !appended && !binary)
        return tag_bad(&in->tags, t->name.at, "unknown format \"%.*s\"; expected ascii, binary or appended",
                       text_shown(format), format.at);
    if (appended) {
        if (!in->appended)
            return tag_bad(&in->tags, t->name.at, "the array is appended, but the file has no AppendedData");
        if (!tag_whole(t, "offset", 1e9, &offset) || offset > (double)(in->tags.end - in->appended))
            return tag_bad(&in->tags, t->name.at, "expected an offset within the appended data");
        p = in->appended + (size_t)offset;
    } else {
        const char *close = memchr(p, '<', (size_t)(in->tags.end - p));
        if (!close) return tag_bad(&in->tags, t->name.at, "the file ends within an array");
        end = close;
    }
    if (ascii && (size_t)(end - p) + 1 < 2 * count)
        return tag_bad(&in->tags, t->name.at, "the array is too short for %zu numbers", count);
    if (!ascii && (size_t)(end - p) < count * (size_t)width)
        return tag_bad(&in->tags, NULL, "the file ends within the array of %zu bytes", count * (size_t)width);
    out->vector = malloc(count * sizeof(float));
    if (!out->vector) return no_memory(in, count * sizeof(float));
    return ascii ? read_ascii(in, p, end, count, out->vector)
                 : read_binary(in, p, end, appended && in->appended_raw, width, count, out->vector);
}

static mn_status check_values(const reader *in, mn_vti *out)
{
    const size_t nodes = (size_t)out->dims[0] * (size_t)out->dims[1] * (size_t)out->dims[2];
    out->slowest = INFINITY, out->fastest = 0;
    for (size_t i = 0; i < nodes; i++) {
        const float *v = out->vector + 3 * i;
        const double s = sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2]);
        if (!(s < 1e6)) return tag_bad(&in->tags, NULL, "the vector of node %zu is not finite or longer than 1e6", i);
        out->slowest = fmin(out->slowest, s), out->fastest = fmax(out->fastest, s);
    }
    return MN_OK;
}

/* Where the appended data begin. They may hold anything, so the tags end here. */
static mn_status find_appended(reader *in)
{
    const char *open = text_find(in->tags.data, in->tags.end, "<AppendedData");
    if (!open) return MN_OK;
    tag t;
    mn_status status = MN_OK;
    text encoding = {0};
    in->tags.at = open;
    if (!tag_next(&in->tags, &t, &status)) return status;
    if (!tag_get(&t, "encoding", &encoding) || (!text_same(encoding, "raw") && !text_same(encoding, "base64")))
        return tag_bad(&in->tags, open, "expected AppendedData with the encoding raw or base64");
    const char *p = t.after;
    while (p < in->tags.end && text_blank(*p)) p++;
    if (p == in->tags.end || *p != '_')
        return tag_bad(&in->tags, open, "expected an underscore at the beginning of the appended data");
    in->appended = p + 1;
    in->appended_raw = text_same(encoding, "raw");
    in->tags.at = in->tags.data;
    return MN_OK;
}

static mn_status walk(reader *in, const char *array, mn_vti *out)
{
    const char *stop = in->appended ? text_find(in->tags.data, in->tags.end, "<AppendedData") : in->tags.end;
    char names[300] = "";
    bool file = false, cells = false, points = false;
    mn_status status = MN_OK;
    tag t;
    while (status == MN_OK && tag_next(&in->tags, &t, &status)) {
        if (t.name.at >= stop) break;
        if (text_same(t.name, "VTKFile") && !t.closing) status = read_file_tag(in, &t), file = true;
        else if (!file)
            return tag_bad(&in->tags, t.name.at, "expected a VTKFile, found a tag \"%.*s\"", text_shown(t.name),
                           t.name.at);
        else if (text_same(t.name, "ImageData") && !t.closing) status = read_image_tag(in, &t, out);
        else if (text_same(t.name, "Piece") && !t.closing) status = read_piece_tag(in, &t);
        else if (text_same(t.name, "PointData")) points = !t.closing && in->piece;
        else if (text_same(t.name, "CellData")) cells = !t.closing && in->piece;
        else if (text_same(t.name, "DataArray") && !t.closing && (points || cells)) {
            double width = 1;
            text name = {"", 0};
            tag_get(&t, "Name", &name);
            if (!tag_whole(&t, "NumberOfComponents", 1000, &width))
                return tag_bad(&in->tags, t.name.at, "expected a whole NumberOfComponents");
            const size_t used = strlen(names);
            if (used < sizeof names - 60)
                snprintf(names + used, 60, "%s%.*s", used ? ", " : "", text_shown(name), name.at);
            const bool named = array && array[0];
            if (named ? !text_same(name, array) : width != 3) continue;
            if (width != 3)
                return tag_bad(&in->tags, t.name.at, "the array \"%.*s\" has %g components; expected 3",
                               text_shown(name), name.at, width);
            for (int a = 0; a < 3 && cells; a++)
                if (out->dims[a] > 1) out->dims[a]--, out->origin[a] += 0.5 * out->spacing[a];
            return read_array(in, &t, out);
        }
    }
    if (status != MN_OK) return status;
    if (!file) return tag_bad(&in->tags, NULL, "expected VTK image data, found no VTKFile in it");
    if (!in->image) return tag_bad(&in->tags, NULL, "the file has no ImageData");
    return array && array[0]
               ? tag_bad(&in->tags, NULL, "no array \"%.100s\"; the file has %s", array, names[0] ? names : "none")
               : tag_bad(&in->tags, NULL, "no array with three components; the file has %s", names[0] ? names : "none");
}

mn_status mn_vti_parse(const char *data, size_t size, const char *name, const char *array, mn_vti *out,
                       mn_messages *say)
{
    reader in = {.tags = {data, data + size, data, name, say}};
    *out = (mn_vti){0};
    mn_status status = find_appended(&in);
    in.tags.at = data;
    if (status == MN_OK) status = walk(&in, array, out);
    if (status == MN_OK) status = check_values(&in, out);
    if (status != MN_OK) mn_vti_free(out);
    return status;
}

mn_status mn_vti_read(const char *path, const char *array, mn_vti *out, mn_messages *say)
{
    size_t size = 0;
    *out = (mn_vti){0};
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) { /* a pipe must not hang us */
        mn_say_error(say, (mn_place){path, 0, 0}, "not a regular file, expected a .vti grid");
        return MN_BAD_INPUT;
    }
    char *data = mn_file_read(path, 30ul * MN_VTI_MOST, &size, say);
    if (!data) return MN_BAD_INPUT;
    const mn_status status = mn_vti_parse(data, size, path, array, out, say);
    free(data);
    return status;
}

void mn_vti_free(mn_vti *grid)
{
    free(grid->vector);
    *grid = (mn_vti){0};
}

/* ----------------------------------------------------------------- writing */

mn_status mn_vti_write(const char *path, double time, const int dims[3], const double origin[3],
                       const double spacing[3], const mn_vti_array *arrays, int count, mn_messages *say)
{
    const int one = 1;
    const uint64_t nodes = (uint64_t)dims[0] * (uint64_t)dims[1] * (uint64_t)dims[2];
    uint64_t offset = 0;
    mn_file *out = mn_file_begin(path, say);
    mn_file_print(out,
                  "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"%sEndian\" "
                  "header_type=\"UInt64\">\n",
                  *(const char *)&one ? "Little" : "Big");
    mn_file_print(
        out, "<ImageData WholeExtent=\"0 %d 0 %d 0 %d\" Origin=\"%.17g %.17g %.17g\" Spacing=\"%.17g %.17g %.17g\">\n",
        dims[0] - 1, dims[1] - 1, dims[2] - 1, origin[0], origin[1], origin[2], spacing[0], spacing[1], spacing[2]);
    mn_file_print(
        out,
        "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.17g"
        "</DataArray>\n</FieldData>\n<Piece Extent=\"0 %d 0 %d 0 %d\">\n<PointData>\n",
        time, dims[0] - 1, dims[1] - 1, dims[2] - 1);
    for (int k = 0; k < count; k++) {
        mn_file_print(
            out,
            "<DataArray type=\"Float32\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
            arrays[k].name, arrays[k].width, (unsigned long long)offset);
        offset += 8 + nodes * (uint64_t)arrays[k].width * 4;
    }
    mn_file_print(out, "</PointData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_");
    for (int k = 0; k < count; k++) {
        const uint64_t bytes = nodes * (uint64_t)arrays[k].width * 4;
        mn_file_put(out, &bytes, sizeof bytes);
        mn_file_put(out, arrays[k].data, bytes);
    }
    mn_file_print(out, "\n</AppendedData>\n</VTKFile>\n");
    return mn_file_commit(out, say);
}
