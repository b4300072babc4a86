/* physics.c -- a case of `meniscus validate` as a test. */
#include "physics/physics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

void assert_validates(validation *run, double end, const char *const sets[])
{
    validation_setup setup = {.options = {"cpu", 1}, .end = end}; /* one thread: others may need the cores */
    for (int k = 0; sets && k < VALIDATION_SETS && sets[k]; k++) setup.sets[k] = sets[k];
    mn_messages *say = mn_messages_new();
    assert_non_null(say);
    validation_report report = {0};
    const mn_status status = run(&setup, &report, say);
    for (int m = 0; m < mn_messages_count(say); m++) print_message("%s\n", mn_messages_get(say, m).text);
    mn_messages_free(say);
    assert_int_equal(status, MN_OK);
    assert_true(report.count > 0);
    bool good = true;
    for (int r = 0; r < report.count; r++) {
        const validation_result *a = &report.at[r];
        print_message("%s: %.4g %s, expected %s%g, tolerance %g\n", a->quantity, a->measured, a->unit,
                      a->at_least ? "at least " : "", a->expected, a->tolerance);
        good = good && validation_within(a);
    }
    assert_true(good);
}
