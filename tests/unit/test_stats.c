/* stats.csv and timing.csv: their text, and what a resumed run keeps of them. */
#include "io_help.h"

#include "io/stats.h"

static const char HEAD[] =
    "step,time,dt,particles,density_error_avg,density_error_max,kinetic_energy,potential_energy,momentum_x,"
    "momentum_y,momentum_z,pressure_iterations,velocity_iterations,max_speed,drained,lost\n";

static mn_stats numbers(int64_t step)
{
    return (mn_stats){.step = step,
                      .time = 0.001 * (double)step,
                      .dt = 0.001,
                      .particles = 8,
                      .density_error_avg = 1.0 / 3,
                      .density_error_max = 0.5,
                      .kinetic_energy = 2,
                      .potential_energy = -1e-12,
                      .momentum = {1, 2, 3},
                      .pressure_iterations = 7,
                      .velocity_iterations = 4,
                      .max_speed = 1e20,
                      .drained = 5,
                      .lost = 6};
}

static char *text_of(const char *name)
{
    size_t size;
    char *text = mn_file_read(in_folder(name), 100000, &size, say);
    assert_non_null(text);
    return text;
}

static void rows(int64_t resume, int64_t first, int64_t last)
{
    mn_stats_log *log = mn_stats_open(folder, resume, NULL, 0, say);
    assert_non_null(log);
    for (int64_t step = first; step <= last; step++) {
        mn_stats s = numbers(step);
        double wall = 0.5 * (double)(step - first + 1);
        mn_stage_time stages[] = {{"search", 0.25 * wall}, {"pressure", 0.75 * wall}};
        assert_int_equal(mn_stats_row(log, &s, wall, stages, 2, say), MN_OK);
    }
    assert_int_equal(mn_stats_close(log, say), MN_OK);
}

static void tables_hold_the_rows(void **state)
{
    (void)state;
    rows(-1, 1, 2);
    char *stats = text_of("stats.csv"), *timing = text_of("timing.csv"), expected[1000];
    snprintf(expected, sizeof expected, "%s%s", HEAD,
             "1,0.001,0.001,8,0.333333333,0.5,2,-1e-12,1,2,3,7,4,1e+20,5,6\n2,0.002,0.001,8,0.333333333,0.5,2,-1e-12,1,"
             "2,3,7,4,1e+"
             "20,5,6\n");
    assert_string_equal(stats, expected);
    assert_string_equal(timing,
                        "step,time,wall_seconds,search,pressure\n1,0.001,0.5,0.125,0.375\n2,0.002,0.5,0.125,0.375\n");
    free(stats);
    free(timing);
}

static void resumed_tables_equal_uninterrupted_ones(void **state)
{
    (void)state;
    rows(-1, 1, 9);
    char *stats = text_of("stats.csv"), *timing = text_of("timing.csv");
    rows(-1, 1, 6);
    FILE *torn = fopen(in_folder("stats.csv"), "a"); /* killed in the middle of a row */
    fputs("7,0.00", torn);
    fclose(torn);
    rows(4, 5, 9); /* the checkpoint was at step 4 */
    char *again = text_of("stats.csv"), *timing_again = text_of("timing.csv");
    assert_string_equal(stats, again);
    assert_string_equal(timing, timing_again);
    free(stats), free(again), free(timing), free(timing_again);
}

static void resume_without_tables_begins_them(void **state)
{
    (void)state;
    unlink(in_folder("stats.csv"));
    unlink(in_folder("timing.csv"));
    rows(4, 5, 5);
    char *stats = text_of("stats.csv");
    assert_memory_equal(stats, HEAD, sizeof HEAD - 1);
    assert_memory_equal(stats + sizeof HEAD - 1, "5,0.005", 7);
    free(stats);
}

static void garbage_is_replaced_on_resume(void **state)
{
    (void)state;
    mn_file_write(in_folder("stats.csv"), "hello\nworld\n", 12, say);
    rows(4, 5, 5);
    char *stats = text_of("stats.csv");
    assert_memory_equal(stats, HEAD, sizeof HEAD - 1);
    free(stats);
}

static void full_disk_is_reported_and_leaves_whole_rows(void **state)
{
    (void)state;
    mn_stats_log *log = mn_stats_open(folder, -1, NULL, 0, say);
    limit_files(400);
    mn_status status = MN_OK;
    for (int64_t step = 1; step < 20 && status == MN_OK; step++) {
        mn_stats s = numbers(step);
        status = mn_stats_row(log, &s, 1, NULL, 0, say);
    }
    limit_files(RLIM_INFINITY);
    assert_int_equal(status, MN_FAILED);
    assert_says("cannot write this table: File too large");
    mn_stats_close(log, say);
    char *stats = text_of("stats.csv");
    assert_true(strlen(stats) > sizeof HEAD && stats[strlen(stats) - 1] == '\n');
    free(stats);
}

static void missing_folder(void **state)
{
    (void)state;
    assert_null(mn_stats_open(in_folder("none"), -1, NULL, 0, say));
    assert_says("cannot open this table: No such file or directory");
    assert_int_equal(mn_stats_close(NULL, say), MN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_hold_the_rows),
        cmocka_unit_test(resumed_tables_equal_uninterrupted_ones),
        cmocka_unit_test(resume_without_tables_begins_them),
        cmocka_unit_test(garbage_is_replaced_on_resume),
        cmocka_unit_test(full_disk_is_reported_and_leaves_whole_rows),
        cmocka_unit_test(missing_folder),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
