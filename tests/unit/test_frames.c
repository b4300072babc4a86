/* Frame files: every format is read back by a small reader of its own, number by number. */
#include "io_help.h"

#include "io/frames.h"

enum { COUNT = 700 };

static float position[3 * COUNT], velocity[3 * COUNT], density[COUNT];
static int32_t id[COUNT];
static const mn_frame_field FIELDS[] = {{"position", MN_FRAME_FLOAT, 3, position},
                                        {"velocity", MN_FRAME_FLOAT, 3, velocity},
                                        {"density", MN_FRAME_FLOAT, 1, density},
                                        {"id", MN_FRAME_INT, 1, id}};

static mn_frame example(long count)
{
    for (int i = 0; i < COUNT; i++) {
        for (int c = 0; c < 3; c++) {
            position[3 * i + c] = 0.1f * (float)(i + c);
            velocity[3 * i + c] = -1.5f * (float)i * (float)(c + 1);
        }
        density[i] = 1000 + 0.001f * (float)i;
        id[i] = COUNT - i;
    }
    return (mn_frame){0.25, count, FIELDS, 4};
}

static char *write_and_read(mn_frame frame, const char *key, size_t *size)
{
    const mn_frame_format *format = mn_frame_format_find(key);
    assert_non_null(format);
    char name[32];
    snprintf(name, sizeof name, "frame.%s", format->extension);
    assert_int_equal(format->write(in_folder(name), &frame, say), MN_OK);
    assert_int_equal(mn_messages_count(say), 0);
    char *bytes = mn_file_read(in_folder(name), SIZE_MAX, size, say);
    assert_non_null(bytes);
    return bytes;
}

/* -------------------------------------------------------------------- vtp */

/* The data of the array of that name, and its length in bytes. */
static const char *vtp_array(const char *bytes, size_t size, const char *name, uint64_t *length)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "Name=\"%s\"", name);
    const char *declared = strstr(bytes, wanted);
    assert_non_null(declared);
    unsigned long long offset;
    assert_int_equal(sscanf(strstr(declared, "offset=\""), "offset=\"%llu\"", &offset), 1);
    const char *data = memmem(bytes, size, "encoding=\"raw\">\n_", 17);
    assert_non_null(data);
    data += 17 + offset;
    memcpy(length, data, 8);
    return data + 8;
}

static void vtp_holds_all_fields(void **state)
{
    (void)state;
    size_t size;
    uint64_t length;
    char *bytes = write_and_read(example(COUNT), "vtp", &size);
    assert_non_null(strstr(bytes, "header_type=\"UInt64\""));
    assert_non_null(strstr(bytes, "NumberOfPoints=\"700\" NumberOfVerts=\"1\""));
    assert_non_null(strstr(bytes, ">0.25</DataArray>"));
    assert_memory_equal(vtp_array(bytes, size, "Points", &length), position, sizeof position);
    assert_int_equal(length, sizeof position);
    assert_memory_equal(vtp_array(bytes, size, "velocity", &length), velocity, sizeof velocity);
    assert_memory_equal(vtp_array(bytes, size, "density", &length), density, sizeof density);
    assert_int_equal(length, sizeof density);
    assert_memory_equal(vtp_array(bytes, size, "id", &length), id, sizeof id);
    int32_t index[COUNT], end;
    memcpy(index, vtp_array(bytes, size, "connectivity", &length), sizeof index);
    for (int i = 0; i < COUNT; i++) assert_int_equal(index[i], i);
    memcpy(&end, vtp_array(bytes, size, "offsets", &length), 4);
    assert_int_equal(end, COUNT);
    assert_string_equal(bytes + size - 28, "\n</AppendedData>\n</VTKFile>\n");
    free(bytes);
}

static void vtp_may_be_empty(void **state)
{
    (void)state;
    size_t size;
    uint64_t length;
    char *bytes = write_and_read(example(0), "vtp", &size);
    assert_non_null(strstr(bytes, "NumberOfPoints=\"0\" NumberOfVerts=\"0\""));
    vtp_array(bytes, size, "id", &length);
    assert_int_equal(length, 0);
    free(bytes);
}

/* ------------------------------------------------------------------- bgeo */

typedef struct reader {
    const unsigned char *at, *end;
} reader;

static uint32_t big(reader *in, int size)
{
    uint32_t value = 0;
    assert_true(in->end - in->at >= size);
    while (size-- > 0) value = value << 8 | *in->at++;
    return value;
}

static float big_float(reader *in)
{
    uint32_t bits = big(in, 4);
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static void attribute(reader *in, const char *name, uint32_t width, uint32_t type)
{
    assert_int_equal(big(in, 2), strlen(name));
    assert_memory_equal(in->at, name, strlen(name));
    in->at += strlen(name);
    assert_int_equal(big(in, 2), width);
    assert_int_equal(big(in, 4), type);
    for (uint32_t c = 0; c < width; c++) assert_int_equal(big(in, 4), 0);
}

static void bgeo_holds_all_fields(void **state)
{
    (void)state;
    size_t size;
    char *bytes = write_and_read(example(COUNT), "bgeo", &size);
    reader in = {(unsigned char *)bytes + 5, (unsigned char *)bytes + size};
    assert_memory_equal(bytes, "BgeoV", 5);
    const uint32_t head[] = {5, COUNT, 0, 0, 0, 3, 0, 0, 0};
    for (int k = 0; k < 9; k++) assert_int_equal(big(&in, 4), head[k]);
    attribute(&in, "v", 3, 5);
    attribute(&in, "density", 1, 0);
    attribute(&in, "id", 1, 1);
    for (int i = 0; i < COUNT; i++) {
        for (int c = 0; c < 3; c++) assert_true(big_float(&in) == position[3 * i + c]);
        assert_true(big_float(&in) == 1);
        for (int c = 0; c < 3; c++) assert_true(big_float(&in) == velocity[3 * i + c]);
        assert_true(big_float(&in) == density[i]);
        assert_int_equal((int32_t)big(&in, 4), id[i]);
    }
    assert_int_equal(big(&in, 2), 0x00ff);
    assert_ptr_equal(in.at, in.end);
    free(bytes);
}

/* -------------------------------------------------------------------- ply */

static void ply_holds_all_fields(void **state)
{
    (void)state;
    size_t size;
    char *bytes = write_and_read(example(COUNT), "ply", &size);
    const char *head = "ply\nformat binary_little_endian 1.0\ncomment time 0.25 s\nelement vertex 700\n"
                       "property float x\nproperty float y\nproperty float z\nproperty float vx\nproperty float "
                       "vy\nproperty float vz\n"
                       "property float density\nproperty int id\nend_header\n";
    assert_memory_equal(bytes, head, strlen(head));
    assert_int_equal(size, strlen(head) + COUNT * 32);
    for (int i = 0; i < COUNT; i++) {
        const char *record = bytes + strlen(head) + 32 * i;
        assert_memory_equal(record, position + 3 * i, 12);
        assert_memory_equal(record + 12, velocity + 3 * i, 12);
        assert_memory_equal(record + 24, density + i, 4);
        assert_memory_equal(record + 28, id + i, 4);
    }
    free(bytes);
}

/* ---------------------------------------------------------- what all share */

static void many_fields(void **state)
{
    (void)state;
    static char names[256][24];
    mn_frame_field fields[256] = {FIELDS[0]};
    mn_frame frame = example(COUNT);
    for (int f = 1; f < 256; f++) {
        snprintf(names[f], sizeof names[f], "field%d", f);
        fields[f] = (mn_frame_field){names[f], MN_FRAME_FLOAT, 3, velocity};
    }
    frame.fields = fields;
    frame.field_count = 256;
    const char *keys[] = {"vtp", "bgeo", "ply"};
    for (int k = 0; k < 3; k++) {
        size_t size;
        char *bytes = write_and_read(frame, keys[k], &size);
        assert_true(size > 256u * 12 * COUNT);
        free(bytes);
    }
}

static void wrong_frames_are_refused(void **state)
{
    (void)state;
    mn_frame_field fields[4];
    for (int k = 0; k < MN_FRAME_FORMATS; k++) {
        mn_frame frame = example(10);
        memcpy(fields, FIELDS, sizeof fields);
        frame.fields = fields;
        fields[2].name = "a\"b";
        assert_int_equal(mn_frame_formats[k].write(in_folder("wrong"), &frame, say), MN_BAD_INPUT);
        assert_says("field 3 of the frame ('a\"b')");
        fields[2] = FIELDS[2];
        fields[0].width = 1;
        assert_int_equal(mn_frame_formats[k].write(in_folder("wrong"), &frame, say), MN_BAD_INPUT);
        assert_says("must be the position");
        frame = example(-1);
        assert_int_equal(mn_frame_formats[k].write(in_folder("wrong"), &frame, say), MN_BAD_INPUT);
        assert_says("-1 particles");
        frame = example(3000000000);
        assert_int_equal(mn_frame_formats[k].write(in_folder("wrong"), &frame, say), MN_BAD_INPUT);
        assert_says("at most 2147483647 fit");
    }
    assert_false(exists(in_folder("wrong")));
    assert_null(mn_frame_format_find("vtk"));
}

static void full_disk(void **state)
{
    (void)state;
    for (int k = 0; k < MN_FRAME_FORMATS; k++) {
        mn_frame frame = example(COUNT);
        limit_files(4096);
        mn_status status = mn_frame_formats[k].write(in_folder("full"), &frame, say);
        limit_files(RLIM_INFINITY);
        assert_int_equal(status, MN_FAILED);
        assert_says("File too large");
        assert_false(exists(in_folder("full")));
        assert_false(exists(in_folder("full.partial")));
    }
}

static void pvd_lists_frames(void **state)
{
    (void)state;
    const char *names[] = {"frame_00000.vtp", "a&b.vtp"};
    const double times[] = {0, 0.04};
    size_t size;
    assert_int_equal(mn_pvd_write(in_folder("frames.pvd"), names, times, 2, say), MN_OK);
    char *text = mn_file_read(in_folder("frames.pvd"), 10000, &size, say);
    assert_non_null(strstr(text, "<DataSet timestep=\"0\" part=\"0\" file=\"frame_00000.vtp\"/>"));
    assert_non_null(strstr(text, "<DataSet timestep=\"0.04\" part=\"0\" file=\"a&amp;b.vtp\"/>"));
    free(text);
}

/* ---------------------------------------------------------------------------------------------- read back */

static void frames_are_read_back(void **state)
{
    (void)state;
    for (int f = 0; f < MN_FRAME_FORMATS; f++)
        for (long count = 0; count <= COUNT; count += COUNT) {
            const mn_frame frame = example(count);
            char name[32];
            snprintf(name, sizeof name, "back.%s", mn_frame_formats[f].extension);
            assert_int_equal(mn_frame_formats[f].write(in_folder(name), &frame, say), MN_OK);
            mn_frame back;
            assert_int_equal(mn_frame_read(in_folder(name), &back, say), MN_OK);
            assert_int_equal(mn_messages_count(say), 0);
            assert_int_equal(back.count, count);
            assert_int_equal(back.field_count, 4);
            assert_true(strcmp(mn_frame_formats[f].key, "bgeo") == 0 ? back.time != back.time : back.time == 0.25);
            for (int k = 0; k < 4; k++) {
                assert_string_equal(back.fields[k].name, FIELDS[k].name);
                assert_true(back.fields[k].type == FIELDS[k].type && back.fields[k].width == FIELDS[k].width);
                assert_memory_equal(back.fields[k].data, FIELDS[k].data, 4 * (size_t)FIELDS[k].width * (size_t)count);
            }
            assert_non_null(mn_frame_find(&back, "density"));
            assert_null(mn_frame_find(&back, "nothing"));
            mn_frame_free(&back);
        }
}

/* Cut anywhere, or with a byte changed: a message, or a frame that is whole; never more than the file holds. */
static void broken_frames_are_refused(void **state)
{
    (void)state;
    for (int f = 0; f < MN_FRAME_FORMATS; f++) {
        size_t size;
        const mn_frame frame = example(20);
        char *bytes = write_and_read(frame, mn_frame_formats[f].key, &size), name[32];
        snprintf(name, sizeof name, "broken.%s", mn_frame_formats[f].extension);
        for (size_t cut = 0; cut < size; cut++) {
            char *part = malloc(cut + 1); /* of its own, so that reading past its end is seen */
            memcpy(part, bytes, cut);
            mn_frame back;
            mn_messages_clear(say);
            const mn_status status = mn_frame_parse(part, cut, name, &back, say);
            /* its closing tags */
            const bool only_the_end = strcmp(mn_frame_formats[f].key, "vtp") == 0 && cut > size - 40;
            assert_true(status == MN_BAD_INPUT ? mn_messages_errors(say) > 0 && !back.fields : only_the_end);
            if (status == MN_OK) mn_frame_free(&back);
            free(part);
        }
        for (size_t at = 0; at < size; at++) {
            mn_frame back;
            const char was = bytes[at];
            bytes[at] = (char)(was ^ (char)(1 << at % 8));
            mn_messages_clear(say);
            if (mn_frame_parse(bytes, size, name, &back, say) == MN_OK) mn_frame_free(&back);
            else assert_true(mn_messages_errors(say) > 0);
            bytes[at] = was;
        }
        free(bytes);
    }
    mn_messages_clear(say);
    mn_frame back;
    assert_int_equal(mn_frame_read(in_folder("frame.txt"), &back, say), MN_BAD_INPUT);
    mn_messages_clear(say);
}

static void positions_must_be_finite(void **state)
{
    (void)state;
    for (int f = 0; f < MN_FRAME_FORMATS; f++) {
        const mn_frame frame = example(30);
        char name[32];
        snprintf(name, sizeof name, "nan.%s", mn_frame_formats[f].extension);
        position[17] = 0.0f / 0.0f;
        assert_int_equal(mn_frame_formats[f].write(in_folder(name), &frame, say), MN_OK);
        mn_frame back;
        assert_int_equal(mn_frame_read(in_folder(name), &back, say), MN_BAD_INPUT);
        assert_non_null(strstr(mn_messages_get(say, 0).text, "not finite"));
        mn_messages_clear(say);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vtp_holds_all_fields),
        cmocka_unit_test(vtp_may_be_empty),
        cmocka_unit_test(bgeo_holds_all_fields),
        cmocka_unit_test(ply_holds_all_fields),
        cmocka_unit_test(many_fields),
        cmocka_unit_test(wrong_frames_are_refused),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(pvd_lists_frames),
        cmocka_unit_test(frames_are_read_back),
        cmocka_unit_test(broken_frames_are_refused),
        cmocka_unit_test(positions_must_be_finite),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
