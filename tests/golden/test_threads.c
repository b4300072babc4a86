/* The hashes of the table whatever the number of threads and the width of vectors, and whether or not the run was
 * stopped and continued. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden/golden.h"

static golden_case cases[GOLDEN_MOST];

static uint64_t straight(const golden_case *c, const char *backend, int threads)
{
    uint64_t hash;
    assert_true(golden_hash(c, backend, threads, &hash));
    return hash;
}

/* Half of it with `threads`, through a file, and on with another number of them. */
static uint64_t interrupted(const golden_case *c, int threads)
{
    char path[] = "threads-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    golden_run first = golden_begin(c, "cpu", threads), second = golden_begin(c, "cpu", 3 - threads);
    const bool written = golden_advance(&first, c->steps / 2) && first.world &&
                         mn_checkpoint_write(first.world, path, first.say) == MN_OK;
    const bool good = written && second.world && mn_checkpoint_read(second.world, path, second.say) == MN_OK &&
                      golden_advance(&second, c->steps - c->steps / 2);
    const uint64_t hash = good ? mn_world_hash(second.world) : 0;
    if (!good) golden_complain(written ? &second : &first, c->name);
    golden_end(&first), golden_end(&second);
    unlink(path);
    assert_true(good);
    return hash;
}

static bool has_avx2(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

/* Emitters and sinks are at work. */
static void particles_come_and_go(const golden_case *c)
{
    golden_run run = golden_begin(c, "cpu", 1);
    assert_non_null(run.world);
    const int64_t before = mn_world_particles(run.world);
    int64_t drained, lost;
    assert_true(golden_advance(&run, c->steps));
    mn_world_deleted(run.world, &drained, &lost);
    assert_true(drained > 0 && mn_world_particles(run.world) + drained + lost > before);
    golden_end(&run);
}

static void same_bits(void **state)
{
    const golden_case *c = *state;
    if (strncmp(c->name, "jet", 3) == 0 || strcmp(c->name, "washing") == 0) particles_come_and_go(c);
    assert_true(c->hash == straight(c, "cpu", 1));
    assert_true(c->hash == straight(c, "cpu", 3));
    assert_true(c->hash == interrupted(c, 1));
    assert_true(c->hash == interrupted(c, 2));
    assert_true(c->hash == straight(c, "cpu:plain", 2)); /* no matter how wide the machine is */
    if (has_avx2()) assert_true(c->hash == straight(c, "cpu:avx2", 2));
}

int main(void)
{
    struct CMUnitTest tests[GOLDEN_MOST];
    const int rows = golden_read(cases);
    for (int c = 0; c < rows; c++) tests[c] = (struct CMUnitTest){cases[c].name, same_bits, NULL, NULL, &cases[c]};
    return rows > 0 ? _cmocka_run_group_tests("threads", tests, (size_t)rows, NULL, NULL) : 1;
}
