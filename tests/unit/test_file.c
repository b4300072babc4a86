/* Whole-or-nothing files, also when the disk is full; folders; reading with a limit. */
#include "io_help.h"

#include <fcntl.h>
#include <locale.h>
#include <sys/file.h>

static void assert_holds(const char *path, const char *text)
{
    size_t size;
    char *got = mn_file_read(path, 1000, &size, say);
    assert_non_null(got);
    assert_string_equal(got, text);
    assert_int_equal(size, strlen(text));
    free(got);
}

static void writes_and_replaces(void **state)
{
    (void)state;
    const char *path = in_folder("a.txt");
    assert_int_equal(mn_file_write(path, "old", 3, say), MN_OK);
    assert_holds(path, "old");
    mn_file *file = mn_file_begin(path, say);
    mn_file_print(file, "x = %g, ", 1.5);
    mn_file_put(file, "new", 3);
    assert_holds(path, "old"); /* untouched until the commit */
    assert_int_equal(mn_file_commit(file, say), MN_OK);
    assert_holds(path, "x = 1.5, new");
    assert_false(exists(in_folder("a.txt.partial")));
    assert_int_equal(mn_messages_count(say), 0);
}

static void large_pieces_keep_their_order(void **state)
{
    (void)state;
    const char *path = in_folder("large");
    size_t piece = 3 * MN_FILE_BUFFER / 2, size;
    char *data = malloc(piece);
    memset(data, 'x', piece);
    mn_file *file = mn_file_begin(path, say);
    mn_file_put(file, "begin", 5);
    mn_file_put(file, data, piece);
    memcpy(mn_file_room(file, 3), "mid", 3);
    for (int k = 0; k < 3; k++) mn_file_put(file, data, MN_FILE_BUFFER / 2);
    mn_file_put(file, "end", 3);
    assert_int_equal(mn_file_commit(file, say), MN_OK);
    char *got = mn_file_read(path, SIZE_MAX, &size, say);
    assert_int_equal(size, 2 * piece + 11);
    assert_memory_equal(got, "beginx", 6);
    assert_memory_equal(got + 4 + piece, "xmidx", 5);
    assert_memory_equal(got + size - 4, "xend", 4);
    free(got);
    free(data);
}

static void full_disk_keeps_the_old_file(void **state)
{
    (void)state;
    const char *path = in_folder("b.txt");
    char block[8192] = {0};
    assert_int_equal(mn_file_write(path, "precious", 8, say), MN_OK);
    limit_files(4096);
    mn_status status = mn_file_write(path, block, sizeof block, say);
    limit_files(RLIM_INFINITY);
    assert_int_equal(status, MN_FAILED);
    assert_string_equal(mn_messages_get(say, 0).file, path);
    assert_says("File too large");
    assert_holds(path, "precious");
    assert_false(exists(in_folder("b.txt.partial")));
}

static void bad_targets(void **state)
{
    (void)state;
    assert_null(mn_file_begin(in_folder("none/file"), say));
    assert_says("No such file or directory");
    assert_null(mn_file_begin(folder, say));
    assert_says("a folder of that name");
    assert_null(mn_file_begin("/dev/full", say));
    assert_says("device or pipe");
    assert_int_equal(mn_file_commit(NULL, say), MN_FAILED);
}

static void abandoned_files_leave_nothing(void **state)
{
    (void)state;
    mn_file *file = mn_file_begin(in_folder("c"), say);
    mn_file_put(file, "x", 1);
    mn_file_abandon(file);
    assert_false(exists(in_folder("c")));
    assert_false(exists(in_folder("c.partial")));
}

static void a_left_over_partial_is_overwritten_but_not_a_live_one(void **state)
{
    (void)state;
    int fd = open(in_folder("d.partial"), O_CREAT | O_WRONLY, 0666);
    assert_int_equal(write(fd, "left over from a kill", 21), 21);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_null(mn_file_begin(in_folder("d"), say));
    assert_says("another process is writing it");
    close(fd);
    assert_int_equal(mn_file_write(in_folder("d"), "new", 3, say), MN_OK);
    assert_holds(in_folder("d"), "new");
}

static void reading_has_a_limit(void **state)
{
    (void)state;
    size_t size;
    mn_file_write(in_folder("e"), "12345", 5, say);
    assert_null(mn_file_read(in_folder("e"), 4, &size, say));
    assert_says("larger than 4 bytes");
    char *got = mn_file_read(in_folder("e"), 5, &size, say);
    assert_non_null(got);
    free(got);
    assert_null(mn_file_read("/dev/zero", 100000, &size, say)); /* has no size to ask for */
    assert_says("larger than 100000 bytes");
    assert_null(mn_file_read(folder, 100, &size, say));
    assert_says("Is a directory");
    assert_null(mn_file_read(in_folder("nothing"), 100, &size, say));
    assert_says("No such file");
}

static void makes_folders(void **state)
{
    (void)state;
    assert_int_equal(mn_folder_make(in_folder("p/q//r/"), say), MN_OK);
    assert_true(exists(in_folder("p/q/r")));
    assert_int_equal(mn_folder_make(in_folder("p/q/r"), say), MN_OK);
    assert_int_equal(mn_folder_make(".", say), MN_OK);
    assert_int_equal(mn_folder_make("/", say), MN_OK);
    mn_file_write(in_folder("p/file"), "", 0, say);
    assert_int_equal(mn_folder_make(in_folder("p/file"), say), MN_BAD_INPUT);
    assert_says("is a file; expected a folder");
    assert_int_equal(mn_folder_make(in_folder("p/file/x"), say), MN_BAD_INPUT);
    assert_says("is a file; expected a folder");
    assert_int_equal(mn_folder_make("", say), MN_FAILED);
    mn_messages_clear(say);
}

static void numbers_ignore_the_locale(void **state)
{
    (void)state;
    char text[16];
    bool comma = setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
    mn_format(text, sizeof text, "%g", 0.5);
    if (comma) setlocale(LC_ALL, "C");
    assert_string_equal(text, "0.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_and_replaces),
        cmocka_unit_test(large_pieces_keep_their_order),
        cmocka_unit_test(full_disk_keeps_the_old_file),
        cmocka_unit_test(bad_targets),
        cmocka_unit_test(abandoned_files_leave_nothing),
        cmocka_unit_test(a_left_over_partial_is_overwritten_but_not_a_live_one),
        cmocka_unit_test(reading_has_a_limit),
        cmocka_unit_test(makes_folders),
        cmocka_unit_test(numbers_ignore_the_locale),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
