/* Checkpoints: the same arrays come back in the same order, and no damaged file is taken for a good one. */
#include "io_help.h"

#include "base/checksum.h"
#include <hdf5.h>
#include "io/snapshot.h"

static mn_snapshot example(long count)
{
    mn_snapshot snap = {NULL, 0};
    float *position = mn_snapshot_add(&snap, "position", MN_F32, 4, count);
    int32_t *id = mn_snapshot_add(&snap, "id", MN_I32, 1, count);
    double *time = mn_snapshot_add(&snap, "time", MN_F64, 1, 1);
    int64_t *step = mn_snapshot_add(&snap, "a step", MN_I64, 1, 2);
    assert_non_null(mn_snapshot_add(&snap, "empty", MN_F32, 3, 0));
    memcpy(mn_snapshot_add(&snap, "text", MN_U8, 1, 5), "a: b\n", 5);
    for (long i = 0; i < 4 * count; i++) position[i] = 0.25f * (float)i - 7;
    for (long i = 0; i < count; i++) id[i] = (int32_t)(count - i);
    *time = 0.1;
    step[1] = INT64_MIN;
    return snap;
}

static void assert_same(const mn_snapshot *a, const mn_snapshot *b)
{
    assert_int_equal(a->count, b->count);
    for (int k = 0; k < a->count; k++) {
        const mn_array *x = &a->arrays[k], *y = &b->arrays[k];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->type, y->type);
        assert_int_equal(x->width, y->width);
        assert_int_equal(x->count, y->count);
        assert_memory_equal(x->data, y->data, mn_type_bytes(x->type) * (size_t)x->width * (size_t)x->count);
    }
}

static void round_trip(void **state)
{
    (void)state;
    const long counts[] = {0, 1, 1000, 300000}; /* the last one has several chunks */
    for (int k = 0; k < 4; k++) {
        mn_snapshot snap = example(counts[k]), back;
        assert_int_equal(mn_snapshot_write(&snap, in_folder("round.h5"), say), MN_OK);
        assert_int_equal(mn_snapshot_read(&back, in_folder("round.h5"), say), MN_OK);
        assert_same(&snap, &back);
        assert_ptr_equal(mn_snapshot_find(&back, "id"), &back.arrays[1]);
        assert_null(mn_snapshot_find(&back, "nothing"));
        mn_snapshot_free(&snap);
        mn_snapshot_free(&back);
    }
    assert_int_equal(mn_messages_count(say), 0);
}

static void equal_states_give_equal_files(void **state)
{
    (void)state;
    mn_snapshot snap = example(500);
    size_t a, b;
    mn_snapshot_write(&snap, in_folder("one.h5"), say);
    sleep(1); /* no time stamps inside */
    mn_snapshot_write(&snap, in_folder("two.h5"), say);
    char *one = mn_file_read(in_folder("one.h5"), SIZE_MAX, &a, say),
         *two = mn_file_read(in_folder("two.h5"), SIZE_MAX, &b, say);
    assert_int_equal(a, b);
    assert_memory_equal(one, two, a);
    free(one);
    free(two);
    mn_snapshot_free(&snap);
}

static void impossible_arrays_are_refused(void **state)
{
    (void)state;
    mn_snapshot snap = {NULL, 0};
    assert_null(mn_snapshot_add(&snap, "", MN_F32, 1, 1));
    assert_null(mn_snapshot_add(&snap, "a/b", MN_F32, 1, 1));
    assert_null(mn_snapshot_add(&snap, "a name of more than the thirty-nine bytes", MN_F32, 1, 1));
    assert_null(mn_snapshot_add(&snap, "x", MN_F32, 0, 1));
    assert_null(mn_snapshot_add(&snap, "x", MN_F32, 1, -1));
    assert_null(mn_snapshot_add(&snap, "x", MN_F64, 4096, INT64_MAX / 8));
    assert_non_null(mn_snapshot_add(&snap, "x", MN_F64, 1, 1));
    assert_null(mn_snapshot_add(&snap, "x", MN_F64, 1, 1));
    assert_int_equal(snap.count, 1);
    mn_snapshot_free(&snap);
}

static void refuse(const char *bytes, size_t size, const char *message)
{
    mn_snapshot back = {(mn_array *)1, 77};
    FILE *out = fopen(in_folder("bad.h5"), "wb"); /* plain: thousands of synced files take long */
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(out);
    assert_int_equal(mn_snapshot_read(&back, in_folder("bad.h5"), say), MN_FAILED);
    assert_int_equal(back.count, 0);
    assert_null(back.arrays);
    assert_string_equal(mn_messages_get(say, 0).file, in_folder("bad.h5"));
    assert_says(message);
}

static char *good_file(size_t *size)
{
    mn_snapshot snap = example(100);
    assert_int_equal(mn_snapshot_write(&snap, in_folder("good.h5"), say), MN_OK);
    mn_snapshot_free(&snap);
    char *bytes = mn_file_read(in_folder("good.h5"), SIZE_MAX, size, say);
    assert_non_null(bytes);
    return bytes;
}

static void truncated_files(void **state)
{
    (void)state;
    size_t size;
    char *bytes = good_file(&size);
    for (size_t length = 0; length < size; length += length < 64 || length > size - 64 ? 1 : 37)
        refuse(bytes, length, length == 0 ? "empty" : length < 8 ? "not a checkpoint" : "cut short");
    free(bytes);
}

static void flipped_bits(void **state)
{
    (void)state;
    size_t size;
    char *bytes = good_file(&size);
    for (size_t at = 0; at < size; at += at < 200 || at > size - 64 ? 1 : 53) {
        char flip = (char)(1 << at % 8);
        bytes[at] ^= flip;
        refuse(bytes, size, at < 8 ? "not a checkpoint" : "damaged");
        bytes[at] ^= flip;
    }
    free(bytes);
}

static void foreign_files(void **state)
{
    (void)state;
    size_t size;
    char *bytes = good_file(&size);
    refuse("fluids: []\n", 11, "does not begin as an HDF5 file does");
    refuse(bytes, size - 24, "its seal is missing");
    char *longer = malloc(size + 24);
    memcpy(longer, bytes, size);
    memcpy(longer + size, bytes + size - 24, 24);
    refuse(longer, size + 24, "its length differs");
    free(longer);
    free(bytes);

    mn_snapshot back;
    assert_int_equal(mn_snapshot_read(&back, in_folder("missing.h5"), say), MN_FAILED);
    assert_says("No such file");
    assert_int_equal(mn_snapshot_read(&back, folder, say), MN_FAILED);
    assert_says("not a checkpoint: it is a folder");
    assert_int_equal(mn_snapshot_read(&back, "/dev/zero", say), MN_FAILED);
    assert_says("not a checkpoint: it is a folder, device or pipe");
}

/* Puts a fresh seal on changed bytes: what is left are HDF5's own checks and ours behind them. */
static void seal(char *bytes, size_t size)
{
    mn_checksum sum = mn_checksum_start();
    mn_checksum_add(&sum, bytes, size - 24);
    uint64_t value = mn_checksum_end(&sum);
    for (int b = 0; b < 8; b++) bytes[size - 8 + (size_t)b] = (char)(value >> (8 * b));
}

static char *find(char *bytes, size_t size, const char *what, size_t length)
{
    return memmem(bytes, size, what, length);
}

static void sealed_but_wrong(void **state)
{
    (void)state;
    size_t size;
    char *bytes = good_file(&size);
    char *name = find(bytes, size, "meniscus_snapshot", 17);
    assert_non_null(name);
    name[0] = 'M';
    seal(bytes, size);
    refuse(bytes, size, "but not a checkpoint");
    free(bytes);
}

/* The same file with another version. */
static void put_version(const char *path, int version, size_t size)
{
    assert_int_equal(truncate(path, (off_t)size - 24), 0);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), at = H5Aopen(file, "meniscus_snapshot", H5P_DEFAULT);
    assert_true(file >= 0 && at >= 0);
    assert_true(H5Awrite(at, H5T_NATIVE_INT, &version) >= 0);
    H5Aclose(at);
    H5Fclose(file);
}

static void other_versions(void **state)
{
    (void)state;
    static const int versions[4] = {0, 1, 2, 3};
    for (int k = 0; k < 4; k++) {
        mn_snapshot snap = example(10), back;
        size_t size, same;
        assert_int_equal(mn_snapshot_write(&snap, in_folder("old.h5"), say), MN_OK);
        char *bytes = mn_file_read(in_folder("old.h5"), SIZE_MAX, &size, say);
        put_version(in_folder("old.h5"), versions[k], size);
        char *changed = mn_file_read(in_folder("old.h5"), SIZE_MAX, &same, say);
        assert_int_equal(same, size - 24);
        memcpy(bytes, changed, same);
        seal(bytes, size);
        if (k == 0) refuse(bytes, size, "has version 0; this program reads versions 1 to 2: resume with the program");
        if (k == 3) refuse(bytes, size, "has version 3; this program reads versions 1 to 2: resume with the program");
        FILE *out = fopen(in_folder("old.h5"), "wb");
        assert_int_equal(fwrite(bytes, 1, size, out), size);
        fclose(out);
        if (k == 1 || k == 2) {
            assert_int_equal(mn_snapshot_read(&back, in_folder("old.h5"), say), MN_OK);
            assert_same(&snap, &back);
            mn_snapshot_free(&back);
        }
        free(bytes);
        free(changed);
        mn_snapshot_free(&snap);
    }
}

static void full_disk_keeps_the_old_checkpoint(void **state)
{
    (void)state;
    mn_snapshot small = example(10), large = example(200000), back;
    assert_int_equal(mn_snapshot_write(&small, in_folder("kept.h5"), say), MN_OK);
    limit_files(100000);
    mn_status status = mn_snapshot_write(&large, in_folder("kept.h5"), say);
    limit_files(RLIM_INFINITY);
    assert_int_equal(status, MN_FAILED);
    assert_says("File too large");
    assert_int_equal(mn_snapshot_read(&back, in_folder("kept.h5"), say), MN_OK);
    assert_same(&small, &back);
    assert_false(exists(in_folder("kept.h5.partial")));
    mn_snapshot_free(&small);
    mn_snapshot_free(&large);
    mn_snapshot_free(&back);
}

static void checksum_does_not_depend_on_the_pieces(void **state)
{
    (void)state;
    unsigned char bytes[300];
    for (int k = 0; k < 300; k++) bytes[k] = (unsigned char)(k * k);
    mn_checksum whole = mn_checksum_start();
    mn_checksum_add(&whole, bytes, 300);
    uint64_t expected = mn_checksum_end(&whole);
    for (size_t piece = 1; piece < 100; piece++) {
        mn_checksum parts = mn_checksum_start();
        for (size_t at = 0; at < 300; at += piece)
            mn_checksum_add(&parts, bytes + at, at + piece < 300 ? piece : 300 - at);
        assert_true(mn_checksum_end(&parts) == expected);
    }
    mn_checksum shorter = mn_checksum_start(); /* zeros at the end count */
    bytes[299] = 0;
    mn_checksum_add(&shorter, bytes, 299);
    mn_checksum longer = mn_checksum_start();
    mn_checksum_add(&longer, bytes, 300);
    assert_true(mn_checksum_end(&shorter) != mn_checksum_end(&longer));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(equal_states_give_equal_files),
        cmocka_unit_test(impossible_arrays_are_refused),
        cmocka_unit_test(truncated_files),
        cmocka_unit_test(flipped_bits),
        cmocka_unit_test(foreign_files),
        cmocka_unit_test(sealed_but_wrong),
        cmocka_unit_test(other_versions),
        cmocka_unit_test(full_disk_keeps_the_old_checkpoint),
        cmocka_unit_test(checksum_does_not_depend_on_the_pieces),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
