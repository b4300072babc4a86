/* The states that the scenes of the table come to, bit by bit, on every backend of this machine: a change of bits
 * that was not intended shows here. `test_hashes --renew REASON` writes the table anew and keeps the reason in
 * renewals.txt; make golden calls it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "golden/golden.h"
#include "run/device.h"

static golden_case cases[GOLDEN_MOST];
static const char *backends[] = {"cpu-scalar", "cpu", "opencl"};
static int backend_count = 2;

static void same_bits(void **state)
{
    const golden_case *c = *state;
    bool same = true;
    for (int b = 0; b < backend_count; b++) {
        uint64_t hash;
        assert_true(golden_hash(c, backends[b], 2, &hash));
        if (hash != c->hash)
            print_error("%s on %s: %016" PRIx64 ", expected %016" PRIx64 "\n", c->name, backends[b], hash, c->hash);
        same = same && hash == c->hash;
    }
    assert_true(same);
}

/* The hash on which all backends agree. */
static bool agreed(const golden_case *c, uint64_t *hash)
{
    uint64_t got[3];
    for (int b = 0; b < backend_count; b++)
        if (!golden_hash(c, backends[b], 2, &got[b])) return false;
    for (int b = 1; b < backend_count; b++)
        if (got[b] != got[0]) {
            fprintf(stderr, "%s: %s gives %016" PRIx64 " and %s %016" PRIx64 ": the table stays as it is\n", c->name,
                    backends[0], got[0], backends[b], got[b]);
            return false;
        }
    *hash = got[0];
    return true;
}

static bool note_renewal(const char *reason, int changed, const bool *is_new)
{
    char *path = golden_path("", "renewals", ".txt"), day[16];
    const time_t now = time(NULL);
    FILE *log = path ? fopen(path, "a") : NULL;
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    if (log) {
        fprintf(log, "%s  %s\n            %d changed:", day, reason, changed);
        for (int k = 0; k < GOLDEN_MOST; k++)
            if (is_new[k]) fprintf(log, " %s", cases[k].name);
        fprintf(log, "\n");
    }
    const bool good = log && fclose(log) == 0;
    if (!good) perror(path);
    free(path);
    return good;
}

static int renew(const char *reason, int count)
{
    bool is_new[GOLDEN_MOST] = {false};
    int changed = 0;
    if (strspn(reason, " \t\n") == strlen(reason)) {
        fprintf(stderr, "say why the bits change: make golden REASON=\"...\"\n");
        return 2;
    }
    for (int k = 0; k < count; k++) {
        uint64_t hash;
        if (!agreed(&cases[k], &hash)) return 1;
        is_new[k] = hash != cases[k].hash;
        changed += is_new[k];
        cases[k].hash = hash;
        printf("%016" PRIx64 "  %s%s\n", hash, cases[k].name, is_new[k] ? "  (changed)" : "");
    }
    printf("%d of %d changed\n", changed, count);
    return !changed || (golden_write(cases, count) && note_renewal(reason, changed, is_new)) ? 0 : 1;
}

int main(int count, char **words)
{
    const int rows = golden_read(cases);
#ifdef MN_HAVE_OPENCL
    char names[1][128];
    if (mn_devices(names, 1)) backend_count = 3;
#endif
    if (backend_count < 3) print_message("left out: there is no OpenCL device\n");
    if (rows <= 0) return 1;
    if (count == 3 && strcmp(words[1], "--renew") == 0) return renew(words[2], rows);
    struct CMUnitTest tests[GOLDEN_MOST];
    for (int k = 0; k < rows; k++) tests[k] = (struct CMUnitTest){cases[k].name, same_bits, NULL, NULL, &cases[k]};
    return _cmocka_run_group_tests("hashes", tests, (size_t)rows, NULL, NULL);
}
