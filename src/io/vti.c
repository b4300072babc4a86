/* vti.c -- VTK image data; see vti.h. The reader walks the tags up to the array it wants and looks at nothing else. */
#include "io/vti.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "geometry/mesh_text.h"

typedef struct text {
    const char *at;
    size_t length;
} text;

enum { MOST_ATTRIBUTES = 24 };
typedef struct tag {
    text name;
    bool closing; /* </name> */
    struct {
        text key, value;
    } attribute[MOST_ATTRIBUTES];
    int count;
    const char *after; /* what follows the tag */
} tag;

typedef struct reader {
    const char *data, *end, *at, *name;
    const char *appended; /* behind the underscore; NULL: none */
    bool appended_raw, swapped, header64;
    int extent[6];
    bool image, piece;
    mn_messages *say;
} reader;

static mn_status no_memory(const reader *in, size_t bytes)
{
    mn_say_failure(in->say, (mn_place){in->name, 0, 0}, "out of memory for an array of %zu bytes", bytes);
    return MN_FAILED;
}

static mn_status bad(const reader *in, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
static mn_status bad(const reader *in, const char *at, const char *format, ...)
{
    char words[600];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    int line = at ? 1 : 0;
    for (const char *p = in->data; at && p < at; p++) line += *p == '\n';
    mn_say_error(in->say, (mn_place){in->name, line, 0}, "%s", words);
    return MN_BAD_INPUT;
}

/* ------------------------------------------------------------------- tags */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static bool same(text a, const char *b) { return strlen(b) == a.length && memcmp(a.at, b, a.length) == 0; }
/* For "%.*s": what is long or unprintable is cut short. */
static int shown(text a)
{
    int n = 0;
    while (n < (int)(a.length < 40 ? a.length : 40) && a.at[n] >= ' ' && a.at[n] <= '~') n++;
    return n;
}

static const char *find(const char *from, const char *end, const char *what)
{
    const char *p = from < end ? memmem(from, (size_t)(end - from), what, strlen(what)) : NULL;
    return p;
}

/* The next tag from in->at on. False at the end of the file; a broken tag is MN_BAD_INPUT in *status. */
static bool next_tag(reader *in, tag *out, mn_status *status)
{
    *out = (tag){0};
    const char *p = in->at;
    for (;;) {
        while (p < in->end && *p != '<') p++;
        if (p == in->end) return false;
        const bool comment = in->end - p >= 4 && memcmp(p, "<!--", 4) == 0;
        if (!comment && !(in->end - p >= 2 && (p[1] == '?' || p[1] == '!'))) break;
        const char *close = find(p, in->end, comment ? "-->" : ">");
        if (!close) {
            *status = bad(in, p, "the file ends within a comment or declaration");
            return false;
        }
        p = close + 1;
    }
    const char *begin = p++;
    if (p < in->end && *p == '/') out->closing = true, p++;
    out->name.at = p;
    while (p < in->end && !is_blank(*p) && *p != '>' && *p != '/') p++;
    out->name.length = (size_t)(p - out->name.at);
    for (;;) {
        while (p < in->end && (is_blank(*p) || *p == '/')) p++;
        if (p == in->end) break;
        if (*p == '>') {
            out->after = in->at = p + 1;
            return true;
        }
        const char *key = p;
        while (p < in->end && *p != '=' && *p != '>' && !is_blank(*p)) p++;
        const size_t length = (size_t)(p - key);
        while (p < in->end && is_blank(*p)) p++;
        if (p < in->end && *p == '=') p++;
        while (p < in->end && is_blank(*p)) p++;
        const char quote = p < in->end ? *p : 0;
        const char *value = p + 1, *close = quote == '"' || quote == '\'' ? memchr(value, quote, (size_t)(in->end - value)) : NULL;
        if (!close) {
            *status = bad(in, begin, "a tag with a broken attribute \"%.*s\"", shown((text){key, length}), key);
            return false;
        }
        if (out->count < MOST_ATTRIBUTES) {
            out->attribute[out->count].key = (text){key, length};
            out->attribute[out->count++].value = (text){value, (size_t)(close - value)};
        }
        p = close + 1;
    }
    *status = bad(in, begin, "the file ends within a tag");
    return false;
}

static bool get(const tag *t, const char *key, text *out)
{
    for (int i = 0; i < t->count; i++)
        if (same(t->attribute[i].key, key)) {
            *out = t->attribute[i].value;
            return true;
        }
    return false;
}

/* The next word of a text, or an empty one. */
static mesh_word next_word(const char **p, const char *end)
{
    while (*p < end && is_blank(**p)) (*p)++;
    const char *begin = *p;
    while (*p < end && !is_blank(**p)) (*p)++;
    return (mesh_word){begin, *p - begin < 100 ? (int)(*p - begin) : 100};
}

static bool same_numbers(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; k++)
        if (a[k] != b[k]) return false;
    return true;
}

/* `count` numbers of an attribute; false if it is there and holds something else. */
static bool numbers(const tag *t, const char *key, int count, double *out)
{
    text value;
    if (!get(t, key, &value)) return true;
    const char *p = value.at, *end = p + value.length;
    for (int i = 0; i < count; i++)
        if (!mesh_number(next_word(&p, end), &out[i]) || !(fabs(out[i]) < 1e9)) return false;
    return next_word(&p, end).length == 0;
}

static bool whole_number(const tag *t, const char *key, double most, double *out)
{
    return numbers(t, key, 1, out) && *out >= 0 && *out <= most && *out == floor(*out);
}

/* ------------------------------------------------------------------ header */

static mn_status read_file_tag(reader *in, const tag *t)
{
    text v;
    if (!get(t, "type", &v) || !same(v, "ImageData"))
        return bad(in, t->name.at, "expected a VTKFile of type ImageData, found %.*s", get(t, "type", &v) ? shown(v) : 7,
                   get(t, "type", &v) ? v.at : "no type");
    if (get(t, "compressor", &v) && v.length)
        return bad(in, t->name.at, "the file is compressed (%.*s); write it without compression", shown(v), v.at);
    const int one = 1;
    const bool little_here = *(const char *)&one == 1;
    if (get(t, "byte_order", &v)) {
        if (!same(v, "LittleEndian") && !same(v, "BigEndian"))
            return bad(in, t->name.at, "unknown byte_order \"%.*s\"; expected LittleEndian or BigEndian", shown(v), v.at);
        in->swapped = same(v, "LittleEndian") != little_here;
    }
    if (get(t, "header_type", &v)) {
        if (!same(v, "UInt32") && !same(v, "UInt64"))
            return bad(in, t->name.at, "unknown header_type \"%.*s\"; expected UInt32 or UInt64", shown(v), v.at);
        in->header64 = same(v, "UInt64");
    }
    return MN_OK;
}

static bool extent_of(const tag *t, const char *key, int extent[6])
{
    double e[6];
    text v;
    if (!get(t, key, &v) || !numbers(t, key, 6, e)) return false;
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
    if (!extent_of(t, "WholeExtent", in->extent)) return bad(in, t->name.at, "expected a WholeExtent of six rising whole numbers");
    for (int a = 0; a < 3; a++) {
        out->spacing[a] = 1, out->origin[a] = 0;
        nodes *= out->dims[a] = in->extent[2 * a + 1] - in->extent[2 * a] + 1;
    }
    if (nodes > MN_VTI_MOST) return bad(in, t->name.at, "the grid has %.3g nodes; expected at most %d", nodes, MN_VTI_MOST);
    if (!numbers(t, "Origin", 3, out->origin)) return bad(in, t->name.at, "expected an Origin of three numbers");
    if (!numbers(t, "Spacing", 3, out->spacing) || !(out->spacing[0] > 1e-9) || !(out->spacing[1] > 1e-9) ||
        !(out->spacing[2] > 1e-9))
        return bad(in, t->name.at, "expected a Spacing of three positive numbers");
    if (!numbers(t, "Direction", 9, axes) || !same_numbers(axes, straight, 9))
        return bad(in, t->name.at, "the axes of the grid are turned (Direction); expected those of space");
    for (int a = 0; a < 3; a++) out->origin[a] += in->extent[2 * a] * out->spacing[a];
    in->image = true;
    return MN_OK;
}

static mn_status read_piece_tag(reader *in, const tag *t)
{
    int extent[6];
    if (!in->image) return bad(in, t->name.at, "a Piece outside of an ImageData");
    if (in->piece) return bad(in, t->name.at, "the grid comes in several pieces; expected one");
    if (!extent_of(t, "Extent", extent) || memcmp(extent, in->extent, sizeof extent) != 0)
        return bad(in, t->name.at, "expected a Piece with the Extent of the whole grid");
    in->piece = true;
    return MN_OK;
}

/* ------------------------------------------------------------------ arrays */

static mn_status read_ascii(const reader *in, const char *p, const char *end, size_t count, float *out)
{
    for (size_t i = 0; i < count; i++) {
        double v;
        mesh_word word = next_word(&p, end);
        if (!word.length) return bad(in, p, "the array ends after %zu of %zu numbers", i, count);
        if (!mesh_number(word, &v))
            return bad(in, word.text, "expected a number, found \"%.*s\"", shown((text){word.text, (size_t)word.length}),
                       word.text);
        out[i] = (float)v;
    }
    if (next_word(&p, end).length) return bad(in, p, "the array continues after its %zu numbers", count);
    return MN_OK;
}

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes `bytes` bytes; false if the text ends or holds something else before. `=` ends a group, and the next may follow: head and data
   are encoded one after the other. *p ends behind the last group used. */
static bool base64(const char **p, const char *end, unsigned char *out, size_t bytes)
{
    size_t made = 0;
    while (made < bytes) {
        int digit[4] = {0}, digits = 0, padding = 0;
        while (digits + padding < 4) {
            while (*p < end && is_blank(**p)) (*p)++;
            if (*p == end) return false;
            const char c = *(*p)++;
            if (c == '=') padding++;
            else if (padding || (digit[digits++] = base64_digit(c)) < 0) return false;
        }
        if (digits < 2) return false;
        const unsigned whole = (unsigned)digit[0] << 18 | (unsigned)digit[1] << 12 | (unsigned)digit[2] << 6 | (unsigned)digit[3];
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
static mn_status read_binary(const reader *in, const char *p, const char *end, bool raw, int width, size_t count, float *out)
{
    const char *begin = p;
    const size_t head = in->header64 ? 8 : 4, bytes = count * (size_t)width;
    unsigned char length[8] = {0};
    const size_t room = (size_t)(end - p);
    if (raw ? room < head || room - head < bytes : room / 4 * 3 < bytes)
        return bad(in, NULL, "the file ends within the array of %zu bytes", bytes);
    if (raw) memcpy(length, p, head), p += head;
    else if (!base64(&p, end, length, head)) return bad(in, begin, "broken base64 before an array");
    /* In base64 the head is a group of its own, or runs on into the numbers. */
    const bool apart = raw || p[-1] == '=';
    if (in->swapped) swap_bytes(length, 1, (int)head);
    uint64_t said = 0;
    uint32_t said32;
    if (in->header64) memcpy(&said, length, 8);
    else memcpy(&said32, length, 4), said = said32;
    if (said != bytes)
        return bad(in, raw ? NULL : begin, "the array is said to have %llu bytes; expected %zu", (unsigned long long)said, bytes);
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
    return good ? MN_OK : bad(in, begin, "broken base64 in an array, or it ends too early");
}

static mn_status read_array(reader *in, const tag *t, mn_vti *out)
{
    text type = {0}, format = {0};
    const size_t count = 3 * (size_t)out->dims[0] * (size_t)out->dims[1] * (size_t)out->dims[2];
    int width = 0;
    if (get(t, "type", &type)) width = same(type, "Float32") ? 4 : same(type, "Float64") ? 8 : 0;
    if (!width) return bad(in, t->name.at, "the array is of type \"%.*s\"; expected Float32 or Float64", shown(type), type.at);
    if (!get(t, "format", &format)) format = (text){"ascii", 5};
    const char *p = t->after, *end = in->end;
    double offset = 0;
    const bool ascii = same(format, "ascii"), appended = same(format, "appended"), binary = same(format, "binary");
    if (!ascii && !appended && !binary)
        return bad(in, t->name.at, "unknown format \"%.*s\"; expected ascii, binary or appended", shown(format), format.at);
    if (appended) {
        if (!in->appended) return bad(in, t->name.at, "the array is appended, but the file has no AppendedData");
        if (!whole_number(t, "offset", 1e9, &offset) || offset > (double)(in->end - in->appended))
            return bad(in, t->name.at, "expected an offset within the appended data");
        p = in->appended + (size_t)offset;
    } else {
        const char *close = memchr(p, '<', (size_t)(in->end - p));
        if (!close) return bad(in, t->name.at, "the file ends within an array");
        end = close;
    }
    if (ascii && (size_t)(end - p) + 1 < 2 * count) return bad(in, t->name.at, "the array is too short for %zu numbers", count);
    if (!ascii && (size_t)(end - p) < count * (size_t)width)
        return bad(in, NULL, "the file ends within the array of %zu bytes", count * (size_t)width);
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
        if (!(s < 1e6)) return bad(in, NULL, "the vector of node %zu is not finite or longer than 1e6", i);
        out->slowest = fmin(out->slowest, s), out->fastest = fmax(out->fastest, s);
    }
    return MN_OK;
}

/* Where the appended data begin. They may hold anything, so the tags end here. */
static mn_status find_appended(reader *in)
{
    const char *open = find(in->data, in->end, "<AppendedData");
    if (!open) return MN_OK;
    tag t;
    mn_status status = MN_OK;
    text encoding = {0};
    in->at = open;
    if (!next_tag(in, &t, &status)) return status;
    if (!get(&t, "encoding", &encoding) || (!same(encoding, "raw") && !same(encoding, "base64")))
        return bad(in, open, "expected AppendedData with the encoding raw or base64");
    const char *p = t.after;
    while (p < in->end && is_blank(*p)) p++;
    if (p == in->end || *p != '_') return bad(in, open, "expected an underscore at the beginning of the appended data");
    in->appended = p + 1;
    in->appended_raw = same(encoding, "raw");
    in->at = in->data;
    return MN_OK;
}

static mn_status walk(reader *in, const char *array, mn_vti *out)
{
    const char *stop = in->appended ? find(in->data, in->end, "<AppendedData") : in->end;
    char names[300] = "";
    bool file = false, cells = false, points = false;
    mn_status status = MN_OK;
    tag t;
    while (status == MN_OK && next_tag(in, &t, &status)) {
        if (t.name.at >= stop) break;
        if (same(t.name, "VTKFile") && !t.closing) status = read_file_tag(in, &t), file = true;
        else if (!file) return bad(in, t.name.at, "expected a VTKFile, found a tag \"%.*s\"", shown(t.name), t.name.at);
        else if (same(t.name, "ImageData") && !t.closing) status = read_image_tag(in, &t, out);
        else if (same(t.name, "Piece") && !t.closing) status = read_piece_tag(in, &t);
        else if (same(t.name, "PointData")) points = !t.closing && in->piece;
        else if (same(t.name, "CellData")) cells = !t.closing && in->piece;
        else if (same(t.name, "DataArray") && !t.closing && (points || cells)) {
            double width = 1;
            text name = {"", 0};
            get(&t, "Name", &name);
            if (!whole_number(&t, "NumberOfComponents", 1000, &width))
                return bad(in, t.name.at, "expected a whole NumberOfComponents");
            const size_t used = strlen(names);
            if (used < sizeof names - 60) snprintf(names + used, 60, "%s%.*s", used ? ", " : "", shown(name), name.at);
            const bool named = array && array[0];
            if (named ? !same(name, array) : width != 3) continue;
            if (width != 3)
                return bad(in, t.name.at, "the array \"%.*s\" has %g components; expected 3", shown(name), name.at, width);
            for (int a = 0; a < 3 && cells; a++)
                if (out->dims[a] > 1) out->dims[a]--, out->origin[a] += 0.5 * out->spacing[a];
            return read_array(in, &t, out);
        }
    }
    if (status != MN_OK) return status;
    if (!file) return bad(in, NULL, "expected VTK image data, found no VTKFile in it");
    if (!in->image) return bad(in, NULL, "the file has no ImageData");
    return array && array[0] ? bad(in, NULL, "no array \"%.100s\"; the file has %s", array, names[0] ? names : "none")
                             : bad(in, NULL, "no array with three components; the file has %s", names[0] ? names : "none");
}

mn_status mn_vti_parse(const char *data, size_t size, const char *name, const char *array, mn_vti *out, mn_messages *say)
{
    reader in = {.data = data, .end = data + size, .at = data, .name = name, .say = say};
    *out = (mn_vti){0};
    mn_status status = find_appended(&in);
    in.at = data;
    if (status == MN_OK) status = walk(&in, array, out);
    if (status == MN_OK) status = check_values(&in, out);
    if (status != MN_OK) mn_vti_free(out);
    return status;
}

mn_status mn_vti_read(const char *path, const char *array, mn_vti *out, mn_messages *say)
{
    size_t size = 0;
    *out = (mn_vti){0};
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

mn_status mn_vti_write(const char *path, double time, const int dims[3], const double origin[3], const double spacing[3],
                       const mn_vti_array *arrays, int count, mn_messages *say)
{
    const int one = 1;
    const uint64_t nodes = (uint64_t)dims[0] * (uint64_t)dims[1] * (uint64_t)dims[2];
    uint64_t offset = 0;
    mn_file *out = mn_file_begin(path, say);
    mn_file_print(out,
                  "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"%sEndian\" "
                  "header_type=\"UInt64\">\n",
                  *(const char *)&one ? "Little" : "Big");
    mn_file_print(out, "<ImageData WholeExtent=\"0 %d 0 %d 0 %d\" Origin=\"%.17g %.17g %.17g\" Spacing=\"%.17g %.17g %.17g\">\n",
                  dims[0] - 1, dims[1] - 1, dims[2] - 1, origin[0], origin[1], origin[2], spacing[0], spacing[1], spacing[2]);
    mn_file_print(out,
                  "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.17g"
                  "</DataArray>\n</FieldData>\n<Piece Extent=\"0 %d 0 %d 0 %d\">\n<PointData>\n",
                  time, dims[0] - 1, dims[1] - 1, dims[2] - 1);
    for (int k = 0; k < count; k++) {
        mn_file_print(out,
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
