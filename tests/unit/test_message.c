/* Messages are kept, counted and capped; the nearest name is found, or none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/message.h"

static void keeps_what_was_said(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    char file[] = "dam.yaml";
    mn_say_error(say, ((mn_place){file, 3, 7}), "expected %d, found \"%s\"", 4, "x\ny");
    mn_say_warning(say, MN_NOWHERE, "careful");
    file[0] = 'X'; /* the list owns copies */
    assert_int_equal(mn_messages_count(say), 2);
    assert_int_equal(mn_messages_errors(say), 1);
    mn_message first = mn_messages_get(say, 0), second = mn_messages_get(say, 1);
    assert_int_equal(first.severity, MN_ERROR);
    assert_string_equal(first.file, "dam.yaml");
    assert_int_equal(first.line, 3);
    assert_int_equal(first.column, 7);
    assert_string_equal(first.text, "expected 4, found \"x y\""); /* one line */
    assert_int_equal(second.severity, MN_WARNING);
    assert_null(second.file);
    assert_string_equal(mn_messages_get(say, 99).text, "");
    mn_messages_clear(say);
    assert_int_equal(mn_messages_count(say), 0);
    assert_int_equal(mn_messages_errors(say), 0);
    mn_messages_free(say);
}

static void counts_beyond_the_cap(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    for (int i = 0; i < 250; i++) mn_say_error(say, MN_NOWHERE, "number %d", i);
    assert_int_equal(mn_messages_errors(say), 250);
    assert_int_equal(mn_messages_count(say), 201);
    assert_string_equal(mn_messages_get(say, 199).text, "number 199");
    assert_string_equal(mn_messages_get(say, 200).text, "50 more messages not shown");
    mn_messages_free(say);
}

static void bears_no_list_and_long_texts(void **state)
{
    (void)state;
    static char text[10000];
    memset(text, 'a', sizeof text - 1);
    mn_say_error(NULL, MN_NOWHERE, "no list");
    mn_messages_free(NULL);
    mn_messages *say = mn_messages_new();
    mn_say_error(say, MN_NOWHERE, "%s", text);
    assert_in_range(strlen(mn_messages_get(say, 0).text), 1000, 9999);
    mn_messages_free(say);
}

static void finds_the_nearest(void **state)
{
    (void)state;
    const char *const names[] = {"spacing", "domain", "gravity", "angular_velocity", "velocity", NULL};
    assert_string_equal(mn_nearest("spaceing", names, 5), "spacing");
    assert_string_equal(mn_nearest("gravty", names, 5), "gravity");
    assert_string_equal(mn_nearest("gravtiy", names, 5), "gravity"); /* a swap counts once */
    assert_string_equal(mn_nearest("Domain", names, 5), "domain");
    assert_string_equal(mn_nearest("angular-velocity", names, 6), "angular_velocity");
    const char *models[] = {"jeske2023", "akinci2013", "becker2007"};
    assert_string_equal(mn_nearest("akinci", models, 3), "akinci2013"); /* the year is left out */
    const char *keys[] = {"density", "young", "poisson", "mu"};
    assert_string_equal(mn_nearest("youngs_modulus", keys, 4), "young"); /* more was written than the name */
    assert_string_equal(mn_nearest("poisson_ratio", keys, 4), "poisson");
    assert_null(mn_nearest("museum", keys, 4));
    assert_null(mn_nearest("temperature", names, 5));
    assert_null(mn_nearest("", names, 5));
    assert_null(mn_nearest("velocity", names, 0));
    char word[200];
    memset(word, 'v', sizeof word - 1);
    word[199] = 0;
    assert_null(mn_nearest(word, names, 5));
}

/* Of calls that return NULL this tells exit code 1 from 2. */
static void tells_failures_from_bad_input(void **state)
{
    (void)state;
    assert_int_equal(mn_messages_status(NULL), MN_OK);
    assert_int_equal(mn_status_of_failure(NULL), MN_FAILED);
    mn_messages *list = mn_messages_new();
    mn_say_warning(list, MN_NOWHERE, "odd");
    assert_int_equal(mn_messages_status(list), MN_OK);
    assert_int_equal(mn_status_of_failure(list), MN_FAILED); /* no reason was given */
    mn_say_error(list, MN_NOWHERE, "wrong");
    assert_int_equal(mn_messages_status(list), MN_BAD_INPUT);
    mn_say_failure(list, MN_NOWHERE, "out of %s", "memory");
    assert_int_equal(mn_messages_status(list), MN_FAILED);
    assert_int_equal(mn_messages_errors(list), 2);
    assert_string_equal(mn_messages_get(list, 2).text, "out of memory");
    mn_messages_clear(list);
    assert_int_equal(mn_messages_status(list), MN_OK);
    mn_messages_free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_was_said),           cmocka_unit_test(counts_beyond_the_cap),
        cmocka_unit_test(bears_no_list_and_long_texts),  cmocka_unit_test(finds_the_nearest),
        cmocka_unit_test(tells_failures_from_bad_input),
    };
    return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
