/* Reports of `meniscus validate`: no result is dropped without a word. */
#include "validate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static bool all_within(const validation_report *report)
{
    bool within = true;
    for (int r = 0; r < report->count; r++) within = within && validation_within(&report->at[r]);
    return within;
}

static void a_result_too_many_fails(void **state)
{
    (void)state;
    static validation_report report;
    for (int r = 0; r < VALIDATION_MOST; r++) validation_add(&report, 1, 1, 0, "number", "");
    assert_int_equal(report.count, VALIDATION_MOST);
    assert_true(all_within(&report));
    validation_add(&report, 1, 1, 0, "number", "");
    assert_int_equal(report.count, VALIDATION_MOST);
    assert_false(all_within(&report));
    validation_add(&report, 1, 1, 0, "number", "");
    assert_false(all_within(&report));
}

static void nan_fails(void **state)
{
    (void)state;
    static validation_report report;
    validation_add(&report, 0.0 / 0.0, 0, 1, "number", "");
    assert_false(all_within(&report));
    static validation_report least;
    validation_least(&least, 0.0 / 0.0, 2, "number", "");
    assert_false(all_within(&least));
}

static void a_least_value_has_no_upper_bar(void **state)
{
    (void)state;
    static validation_report report, low;
    validation_least(&report, 2, 2, "number", "");
    validation_least(&report, 1e9, 2, "number", "");
    assert_true(all_within(&report));
    validation_least(&low, 1.999, 2, "number", "");
    assert_false(all_within(&low));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_result_too_many_fails), cmocka_unit_test(nan_fails),
                                       cmocka_unit_test(a_least_value_has_no_upper_bar)};
    return cmocka_run_group_tests_name("validation", tests, NULL, NULL);
}
