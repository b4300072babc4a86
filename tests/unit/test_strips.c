/* The table of strips against brute force: which cells there are, their numbers, and the rows around them. */
#include "run/strips.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct cell {
    int z, y, x;
} cell;

static int by_place(const void *a, const void *b)
{
    const cell *p = a, *q = b;
    if (p->z != q->z) return p->z < q->z ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

static uint32_t seed;
static int random_below(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((uint64_t)(seed >> 8) * (uint64_t)n >> 24);
}

/* Sorts, and leaves each once. */
static int distinct(cell *list, int count)
{
    int kept = 0;
    qsort(list, (size_t)count, sizeof *list, by_place);
    for (int k = 0; k < count; k++)
        if (!kept || by_place(&list[kept - 1], &list[k]) != 0) list[kept++] = list[k];
    return kept;
}

static bool is_among(const cell *list, int count, cell c)
{
    return bsearch(&c, list, (size_t)count, sizeof *list, by_place) != NULL;
}

/* As a backend does: marks, and makes the table anew where it is not complete. Returns how often. */
static int mark_all(mn_strips *s, const cell *taken, int count, size_t most)
{
    mn_taken *list = malloc(((size_t)count + 1) * sizeof *list);
    int made = 0;
    for (int missed = !s->key;; missed = 0) {
        if (s->key) memset(s->mark, 0, (size_t)s->count * sizeof *s->mark);
        for (int k = 0; k < count; k++) {
            const uint64_t key = mn_strip_key(taken[k].x, taken[k].y, taken[k].z),
                           bit = (uint64_t)1 << (taken[k].x & 63);
            const int strip = s->key ? mn_strip_find(s, key) : -1, needs = mn_strip_needs(bit);
            list[k] = (mn_taken){key, bit};
            if (strip < 0 || (s->near[strip * MN_ROWS + MN_OWN_ROW] & needs) != needs) missed++;
            else s->mark[strip] |= bit;
        }
        if (!missed) break;
        assert_true(made++ < 2);
        assert_null(mn_strips_build(s, list, (size_t)count, most));
    }
    free(list);
    assert_null(mn_strips_settle(s, 2));
    return made;
}

static int number_of(const mn_strips *s, cell c, mn_spot *spot)
{
    const float at[3] = {(float)c.x + 0.5f, (float)c.y + 0.25f, (float)c.z + 0.75f};
    return mn_cell_find(s, at[0], at[1], at[2], spot);
}

static void compare(const mn_strips *s, const cell *taken, int count)
{
    cell *all = malloc(27 * (size_t)count * sizeof *all);
    for (int k = 0; k < 27 * count; k++)
        all[k] = (cell){taken[k / 27].z + k % 3 - 1, taken[k / 27].y + k / 3 % 3 - 1, taken[k / 27].x + k / 9 % 3 - 1};
    const int cells = distinct(all, 27 * count);
    assert_int_equal(s->rank[s->count], cells); /* no others, and these in order */
    mn_spot spot = mn_no_spot;
    for (int k = 0; k < cells; k++) assert_int_equal(number_of(s, all[k], &spot), k);
    for (int k = 0; k < count; k++) {
        int rows[MN_ROWS];
        const int own = number_of(s, taken[k], &spot);
        mn_cell_rows(s, &spot, rows);
        assert_int_equal(rows[MN_OWN_ROW], own);
        for (int r = 0; r < MN_ROWS; r++)
            for (int dx = -1; dx <= 1; dx++) {
                const cell next = {taken[k].z + r / 3 - 1, taken[k].y + r % 3 - 1, taken[k].x + dx};
                mn_spot there = mn_no_spot;
                assert_int_equal(number_of(s, next, &there), rows[r] + dx);
            }
    }
    for (int k = 0; k < 1000; k++) { /* and places beside them */
        const cell near = taken[random_below(count)],
                   c = {near.z + random_below(7) - 3, near.y + random_below(7) - 3, near.x + random_below(7) - 3};
        assert_true((number_of(s, c, &spot) >= 0) == is_among(all, cells, c));
    }
    free(all);
}

/* Clusters, lone cells, ends of strips, both sides of the origin, up to the last cells that there are. */
static void random_places(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    static cell taken[MOST];
    for (seed = 1; seed < 40; seed++) {
        const uint32_t kind = seed % 4;
        const int wide[4] = {20, 300, 3000, MN_FARTHEST_CELL - 2}, half = wide[kind];
        mn_strips s = {.inv_h = 1.0f};
        const uint32_t before = seed;
        const int count = 1 + random_below(kind == 0 ? MOST : 400);
        for (int round = 0; round < 3; round++) { /* the table of the round before serves the next where it can */
            for (int k = 0; k < count; k++) {
                taken[k] =
                    (cell){random_below(2 * half) - half, random_below(2 * half) - half, random_below(2 * half) - half};
                if (kind == 1) taken[k].x = taken[k].x / 64 * 64 - k % 2;
                if (kind == 1 && k % 4) taken[k].y = k % 9, taken[k].z = -k % 7;
            }
            int kept = distinct(taken, count);
            mark_all(&s, taken, kept, (size_t)(kind == 2 ? 0 : 5000));
            compare(&s, taken, kept);
        }
        seed = before;
        mn_strips_free(&s);
    }
}

/* Who moves a little finds what it needs; the same marks are the same cells. */
static void lasts(void **state)
{
    (void)state;
    static cell taken[1000];
    for (int k = 0; k < 1000; k++) taken[k] = (cell){k / 100, k / 10 % 10, 20 + k % 10};
    mn_strips s = {.inv_h = 1.0f};
    assert_int_equal(mark_all(&s, taken, 1000, 5000), 1);
    const int stamp = s.stamp;
    assert_int_equal(mark_all(&s, taken, 1000, 5000), 0);
    assert_int_equal(s.stamp, stamp);
    for (int k = 0; k < 1000; k++) taken[k].y++, taken[k].x += 20;
    assert_int_equal(mark_all(&s, taken, 1000, 5000), 0);
    assert_true(s.stamp != stamp);
    compare(&s, taken, 1000);
    mn_strips_free(&s);
}

/* Memory follows what is there, not how far apart it is; and nothing beyond the last cell is in one. */
static void far_apart(void **state)
{
    (void)state;
    size_t bytes[2];
    for (int far = 0; far < 2; far++) {
        cell taken[20];
        for (int k = 0; k < 20; k++)
            taken[k] = (cell){k * (far ? 90000 : 10), k * (far ? -70000 : 10), k * (far ? 96200 : 200)};
        mn_strips s = {.inv_h = 1.0f};
        mark_all(&s, taken, 20, 0);
        compare(&s, taken, 20);
        assert_int_equal(s.rank[s.count], 20 * 27);
        bytes[far] = mn_strips_bytes(&s);
        mn_spot spot = mn_no_spot;
        assert_int_equal(mn_cell_find(&s, 3e38f, 0.0f, 0.0f, &spot), -1);
        assert_int_equal(mn_cell_find(&s, NAN, 0.0f, 0.0f, &spot), -1);
        mn_strips_free(&s);
    }
    assert_true(bytes[1] <= bytes[0] + bytes[0] / 8);
    mn_strips none = {.inv_h = 1.0f};
    mark_all(&none, NULL, 0, 1000);
    assert_int_equal(none.rank[none.count], 0);
    mn_strips_free(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_places), cmocka_unit_test(lasts),
                                       cmocka_unit_test(far_apart)};
    return cmocka_run_group_tests_name("strips", tests, NULL, NULL);
}
