/* vtp.c -- VTK XML PolyData with appended raw data.
 *
 * The XML head names for each array its type and its offset behind the underscore; an array is its length in bytes as a
 * 64-bit number followed by its values. One poly-vertex cell holds all points: ParaView draws cells, not bare points.
 */
#include <string.h>

#include "base/file.h"
#include "io/frames.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static const char BYTE_ORDER_NAME[] = "LittleEndian";
#else
static const char BYTE_ORDER_NAME[] = "BigEndian";
#endif

static uint64_t bytes_of(const mn_frame *frame, const mn_frame_field *field)
{
    return (uint64_t)frame->count * (uint64_t)field->width * 4;
}

/* Declares an array and moves the offset past it. */
static void declare(mn_file *out, const char *type, const char *name, int width, uint64_t bytes, uint64_t *offset)
{
    mn_file_print(
        out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
        type, name, width, (unsigned long long)*offset);
    *offset += sizeof(uint64_t) + bytes;
}

static void put_head(mn_file *out, const mn_frame *frame)
{
    uint64_t offset = 0, points = (uint64_t)frame->count;
    bool velocity = false;
    for (int f = 1; f < frame->field_count; f++) velocity |= strcmp(frame->fields[f].name, "velocity") == 0;

    mn_file_print(out,
                  "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" "
                  "header_type=\"UInt64\">\n",
                  BYTE_ORDER_NAME);
    mn_file_print(
        out,
        "<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">"
        "%.17g</DataArray>\n</FieldData>\n",
        frame->time);
    mn_file_print(out,
                  "<Piece NumberOfPoints=\"%ld\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
                  "NumberOfPolys=\"0\">\n",
                  frame->count, frame->count > 0);
    mn_file_print(out, "<Points>\n");
    declare(out, "Float32", "Points", 3, points * 12, &offset);
    mn_file_print(out, "</Points>\n<Verts>\n");
    declare(out, "Int32", "connectivity", 1, points * 4, &offset);
    declare(out, "Int32", "offsets", 1, frame->count > 0 ? 4 : 0, &offset);
    mn_file_print(out, "</Verts>\n<PointData%s>\n", velocity ? " Vectors=\"velocity\"" : "");
    for (int f = 1; f < frame->field_count; f++) {
        const mn_frame_field *field = &frame->fields[f];
        declare(out, field->type == MN_FRAME_INT ? "Int32" : "Float32", field->name, field->width,
                bytes_of(frame, field), &offset);
    }
    mn_file_print(out, "</PointData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

static void put_cell(mn_file *out, long count)
{
    uint64_t bytes = (uint64_t)count * 4;
    mn_file_put(out, &bytes, sizeof bytes);
    for (long first = 0; first < count; first += 4096) {
        long last = first + 4096 < count ? first + 4096 : count;
        int32_t index[4096];
        for (long i = first; i < last; i++) index[i - first] = (int32_t)i;
        mn_file_put(out, index, (size_t)(last - first) * 4);
    }
    bytes = count > 0 ? 4 : 0;
    int32_t end = (int32_t)count;
    mn_file_put(out, &bytes, sizeof bytes);
    mn_file_put(out, &end, bytes);
}

static void put_field(mn_file *out, const mn_frame *frame, const mn_frame_field *field)
{
    uint64_t bytes = bytes_of(frame, field);
    mn_file_put(out, &bytes, sizeof bytes);
    mn_file_put(out, field->data, bytes);
}

mn_status mn_frame_write_vtp(const char *path, const mn_frame *frame, mn_messages *say)
{
    if (mn_frame_check(path, frame, say) != MN_OK) return MN_BAD_INPUT;
    mn_file *out = mn_file_begin(path, say);
    put_head(out, frame);
    put_field(out, frame, &frame->fields[0]);
    put_cell(out, frame->count);
    for (int f = 1; f < frame->field_count; f++) put_field(out, frame, &frame->fields[f]);
    mn_file_print(out, "\n</AppendedData>\n</VTKFile>\n");
    return mn_file_commit(out, say);
}
