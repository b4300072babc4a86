/* Axes have round ticks that cover their values; tables are read back; charts are drawn whatever the numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "plot/chart.h"
#include "plot/csv.h"

static void ticks_are_round(void **state)
{
    (void)state;
    static const double ranges[][2] = {{0, 1},     {0.03, 0.31}, {-2, 5},        {1e-9, 3e-9}, {100, 101},
                                       {0, 12345}, {-7e8, 2e8},  {0.05, 0.0501}, {3, 3},       {0, 0}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (int most = 2; most < 12; most++) {
            const mn_axis a = mn_axis_make(ranges[i][0], ranges[i][1], "m", most, true, false);
            assert_true(a.low <= ranges[i][0] && a.high >= ranges[i][1] && a.high > a.low);
            assert_in_range(a.count, 2, MN_MOST_TICKS);
            for (int k = 1; k < a.count; k++) {
                assert_string_not_equal(a.text[k], a.text[k - 1]);
                const double step = (a.tick[k] - a.tick[k - 1]) / pow(10, floor(log10(a.tick[1] - a.tick[0]) + 1e-9));
                assert_true(fabs(step - 1) < 1e-6 || fabs(step - 2) < 1e-6 || fabs(step - 5) < 1e-6);
            }
        }
}

static void units_get_prefixes(void **state)
{
    (void)state;
    assert_string_equal(mn_axis_make(0, 0.012, "s", 6, true, false).prefix, "m");
    assert_string_equal(mn_axis_make(0, 3e5, "Pa", 6, true, false).prefix, "k");
    assert_string_equal(mn_axis_make(0, 3, "m", 6, true, false).prefix, "");
    assert_string_equal(mn_axis_make(0, 3e-6, "m^2", 6, true, false).prefix, "1e-6");
    assert_string_equal(mn_axis_make(0, 2e-6, "kg m/s", 4, true, false).text[1], "0.5");
    const mn_axis log = mn_axis_make(2e-5, 30, "J", 6, true, true);
    assert_true(log.logarithmic && log.low == -5 && log.high == 2);
    assert_float_equal(mn_axis_at(&log, 1e-5), 0, 1e-9);
}

static const char table[] =
    "step,time,body,x\n1,0.5,ship,3\n1,0.5,buoy,4\n2,1,ship,\n2,1,buoy,nan\n3,1.5,ship,7\n3,1.5";

static void words_may_hold_commas(void **state)
{
    (void)state;
    static const char words[] = "run,x,y\n\"a, \"\"b\"\"\",1,2\n\"c\",3,4\n\"d,5,6\n";
    char path[] = "/tmp/test_plot_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, words, sizeof words - 1) == (ssize_t)(sizeof words - 1));
    close(fd);
    mn_csv csv;
    assert_int_equal(mn_csv_read(path, NULL, &csv, NULL), MN_OK);
    assert_int_equal(csv.rows, 2); /* the third never ends its quotes */
    assert_true(csv.values[csv.rows] == 1 && csv.values[2 * csv.rows] == 2 && csv.values[2 * csv.rows + 1] == 4);
    mn_csv_free(&csv);
    unlink(path);
}

static void tables_are_read(void **state)
{
    (void)state;
    char path[] = "/tmp/test_plot_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, table, sizeof table - 1) == (ssize_t)(sizeof table - 1));
    close(fd);
    mn_messages *say = mn_messages_new();
    mn_csv csv;
    assert_int_equal(mn_csv_read(path, NULL, &csv, say), MN_OK);
    assert_int_equal(csv.rows, 5); /* the last is cut short */
    assert_int_equal(csv.columns, 4);
    assert_int_equal(mn_csv_find(&csv, "x"), 3);
    assert_int_equal(mn_csv_find(&csv, "y"), -1);
    assert_true(csv.values[3 * 5 + 1] == 4 && isnan(csv.values[3 * 5 + 2]) && isnan(csv.values[2 * 5]));
    mn_csv_free(&csv);
    assert_int_equal(mn_csv_read(path, "ship", &csv, say), MN_OK);
    assert_int_equal(csv.rows, 3);
    assert_true(csv.values[3 * 3 + 2] == 7);
    mn_csv_free(&csv);
    unlink(path);
    assert_int_equal(mn_csv_read(path, NULL, &csv, say), MN_BAD_INPUT);
    mn_csv_free(&csv);
    mn_messages_free(say);
    assert_string_equal(mn_column_unit("momentum_x"), "kg m/s");
    assert_string_equal(mn_column_unit("contact_angle"), "degrees");
    assert_string_equal(mn_column_unit("pressure"), "Pa");
    assert_string_equal(mn_column_unit("soap_bulk"), "mol");
    assert_string_equal(mn_column_unit("pressure_iterations"), "");
}

/* Hostile numbers and small pictures. */
static void charts_are_drawn(void **state)
{
    (void)state;
    enum { N = 20000 };
    static double x[N], y[N], wild[N], none[N];
    for (int i = 0; i < N; i++) {
        x[i] = 0.001 * i, y[i] = sin(0.01 * i), none[i] = NAN;
        wild[i] = i % 7 == 0 ? NAN : i % 11 == 0 ? INFINITY : (i % 2 ? 1e300 : -1e300);
    }
    const mn_line lines[] = {{"sine", x, y, N, 0, false},
                             {"one", x, y, 1, 1, true},
                             {"none", x, none, N, 2, false},
                             {"wild", x, wild, N, 9, false},
                             {"empty", x, y, 0, 3, true}};
    const mn_panel panels[] = {{"sine", "m", lines, 2, false},
                               {"nothing_at_all_with_a_long_name", "", lines + 2, 1, true},
                               {"wild", "kg/m^3", lines + 3, 2, false}};
    char path[] = "/tmp/test_plot_XXXXXX";
    close(mkstemp(path));
    static const int sizes[][2] = {{0, 0}, {16, 16}, {200, 900}, {1600, 120}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const mn_chart chart = {"A title", "time", "s", panels, 3, sizes[s][0], sizes[s][1]};
        assert_int_equal(mn_chart_write(path, &chart, NULL), MN_OK);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ticks_are_round), cmocka_unit_test(units_get_prefixes),
                                       cmocka_unit_test(tables_are_read), cmocka_unit_test(words_may_hold_commas),
                                       cmocka_unit_test(charts_are_drawn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
