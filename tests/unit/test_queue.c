/* Work beside a run: in order, no more of it waiting than there is room, nothing lost, and failures come back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "session/queue.h"

enum { MOST = 64 };
static int done[MOST], done_count, released;

typedef struct job {
    int number, fails, sleeps; /* us */
} job;

static mn_status run(void *user, mn_messages *say)
{
    const job *j = user;
    if (j->sleeps) usleep((useconds_t)j->sleeps);
    done[done_count++] = j->number;
    if (j->fails) mn_say_failure(say, MN_NOWHERE, "job %d failed", j->number);
    else if (j->number % 10 == 0) mn_say(say, MN_NOTE, MN_NOWHERE, "job %d", j->number);
    return j->fails ? MN_FAILED : MN_OK;
}

static void release(void *user)
{
    __atomic_add_fetch(&released, 1, __ATOMIC_SEQ_CST);
    free(user);
}

static mn_work work(int number, int fails, int sleeps)
{
    job *j = malloc(sizeof *j);
    *j = (job){number, fails, sleeps};
    return (mn_work){run, release, j};
}

static int reset(void **state)
{
    (void)state;
    done_count = released = 0;
    return 0;
}

static void keeps_the_order_and_loses_nothing(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    mn_queue *q = mn_queue_new(3, 1, false, say);
    assert_non_null(q);
    for (int k = 0; k < 30; k++) assert_int_equal(mn_queue_add(q, work(k, 0, k % 7 * 300), say), MN_OK);
    assert_int_equal(mn_queue_drain(q, say), MN_OK);
    assert_int_equal(done_count, 30);
    for (int k = 0; k < 30; k++) assert_int_equal(done[k], k);
    assert_int_equal(mn_messages_count(say), 3); /* of jobs 0, 10 and 20 */
    /* What waits when it is freed is still done. */
    for (int k = 30; k < 33; k++) mn_queue_add(q, work(k, 0, 2000), say);
    mn_queue_free(q);
    assert_int_equal(done_count, 33);
    assert_int_equal(released, 33);
    mn_messages_free(say);
}

static void none_waits_while_there_is_room(void **state)
{
    (void)state;
    mn_queue *q = mn_queue_new(4, 1, false, NULL);
    mn_queue_add(q, work(0, 0, 200000), NULL);
    for (int k = 1; k < 4; k++) mn_queue_add(q, work(k, 0, 0), NULL);
    assert_true(__atomic_load_n(&released, __ATOMIC_SEQ_CST) ==
                0); /* the first still sleeps: giving the others did not wait for it */
    for (int k = 4; k < 8; k++) mn_queue_add(q, work(k, 0, 0), NULL);
    assert_true(__atomic_load_n(&released, __ATOMIC_SEQ_CST) >= 1); /* now there was none: it did */
    assert_int_equal(mn_queue_drain(q, NULL), MN_OK);
    assert_int_equal(done_count, 8);
    mn_queue_free(q);
}

static void a_failure_comes_back_and_ends_the_work(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    mn_queue *q = mn_queue_new(8, 1, false, say);
    for (int k = 1; k < 6; k++) mn_queue_add(q, work(k, k == 3, 0), NULL);
    assert_int_equal(mn_queue_drain(q, say), MN_FAILED);
    assert_int_equal(done_count, 3); /* what came after it is left undone, */
    assert_int_equal(released, 5);   /* but not leaked */
    assert_int_equal(mn_queue_add(q, work(7, 0, 0), say), MN_FAILED);
    mn_queue_free(q);
    assert_int_equal(done_count, 3);
    assert_int_equal(released, 6);
    mn_messages_free(say);
}

static void stopped_it_finishes_what_is_in_hand(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = 0;
    int left;
    mn_queue *q = mn_queue_new(8, 1, true, NULL);
    for (int k = 0; k < 3; k++) mn_queue_add(q, work(k, 0, 1000), NULL);
    assert_int_equal(mn_queue_finish(q, &stop, &left, NULL), MN_OK);
    assert_int_equal(left, 0);
    assert_int_equal(done_count, 3);
    assert_int_equal(mn_queue_undone(q), 0);
    stop = 1;
    for (int k = 3; k < 9; k++) mn_queue_add(q, work(k, 0, 100000), NULL);
    assert_int_equal(mn_queue_finish(q, &stop, &left, NULL), MN_OK);
    assert_true(left >= 4);
    assert_int_equal(done_count, 9 - left); /* whole or not at all, */
    assert_int_equal(released, 9);          /* and nothing leaks */
    mn_queue_free(q);
}

static void messages_move_with_their_kind(void **state)
{
    (void)state;
    mn_messages *a = mn_messages_new(), *b = mn_messages_new();
    mn_say_failure(a, (mn_place){"file", 3, 4}, "100%% of %d", 7);
    mn_say_warning(a, MN_NOWHERE, "careful");
    mn_messages_move(b, a);
    assert_int_equal(mn_messages_count(a), 0);
    assert_int_equal(mn_messages_count(b), 2);
    assert_int_equal(mn_messages_errors(b), 1);
    assert_int_equal(mn_status_of_failure(b), MN_FAILED);
    assert_string_equal(mn_messages_get(b, 0).text, "100% of 7");
    assert_int_equal(mn_messages_get(b, 0).line, 3);
    mn_messages_free(a);
    mn_messages_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(keeps_the_order_and_loses_nothing, reset),
        cmocka_unit_test_setup(none_waits_while_there_is_room, reset),
        cmocka_unit_test_setup(a_failure_comes_back_and_ends_the_work, reset),
        cmocka_unit_test_setup(stopped_it_finishes_what_is_in_hand, reset),
        cmocka_unit_test_setup(messages_move_with_their_kind, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
