/* What `meniscus view` sends: frames that a client can put together again, and who may ask. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "view/hub.h"

enum { HEAD = 88, BLOCK = MN_VIEW_BLOCK };

/* A client: what the page does in decode.js. */
typedef struct page {
    uint16_t *position, *value;
    unsigned char *group;
    float low[3], span[3], least, most;
    uint32_t count, flags, places, values;
} page;

static uint32_t u32(const unsigned char *at)
{
    uint32_t v;
    memcpy(&v, at, 4);
    return v;
}

static const unsigned char *take_blocks(const unsigned char *at, uint16_t *to, uint32_t changed, uint32_t blocks,
                                        size_t width, bool all)
{
    const size_t size = BLOCK * width * 2;
    if (all) {
        memcpy(to, at, blocks * size);
        return at + blocks * size;
    }
    const unsigned char *list = at;
    at += 4 * (size_t)changed;
    for (uint32_t k = 0; k < changed; k++, at += size) {
        assert_true(u32(list + 4 * (size_t)k) < blocks);
        memcpy((unsigned char *)to + u32(list + 4 * (size_t)k) * size, at, size);
    }
    return at;
}

static void take(page *p, const unsigned char *data, size_t size)
{
    assert_true(size >= HEAD && memcmp(data, "MNF1", 4) == 0);
    p->count = u32(data + 12), p->flags = u32(data + 16), p->places = u32(data + 20), p->values = u32(data + 24);
    memcpy(p->low, data + 48, 12), memcpy(p->span, data + 60, 12);
    memcpy(&p->least, data + 72, 4), memcpy(&p->most, data + 76, 4);
    const uint32_t blocks = (p->count + BLOCK - 1) / BLOCK;
    const unsigned char *at = data + HEAD + 28 * (size_t)u32(data + 28);
    at = take_blocks(at, p->position, p->places, blocks, 3, p->flags & 1);
    if (!(p->flags & 8)) at = take_blocks(at, p->value, p->values, blocks, 1, p->flags & 2);
    if (p->flags & 4) {
        memcpy(p->group, at, p->count);
        at += (p->count + 3) / 4 * 4;
    }
    assert_true(at == data + size);
}

static void compare(const page *p, const mn_view_shot *shot, const float *value)
{
    assert_int_equal(p->count, shot->count);
    for (long i = 0; i < shot->count; i++) {
        for (int a = 0; a < 3; a++) {
            const float x = p->low[a] + (float)p->position[3 * i + a] / 65535 * p->span[a];
            assert_true(fabsf(x - shot->position[3 * i + a]) < p->span[a] * 1e-5f);
        }
        if (value) {
            const float v = p->least + (float)p->value[i] / 65535 * (p->most - p->least);
            assert_true(fabsf(v - value[i]) <= (p->most - p->least) * 1e-5f);
        }
        assert_int_equal(p->group[i], shot->group[i]);
    }
}

static mn_view_shot *new_shot(long count)
{
    mn_view_shot *shot = calloc(1, sizeof *shot);
    shot->count = count;
    shot->number = -1;
    shot->position = calloc(3 * (size_t)count + 1, sizeof *shot->position);
    shot->group = calloc((size_t)count + 1, 1);
    for (int f = 0; f < 2; f++) {
        strcpy(shot->field[f].name, f ? "pressure" : "speed");
        shot->field[f].value = calloc((size_t)count + 1, sizeof(float));
    }
    shot->field_count = 2;
    srand(7);
    for (long i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++) shot->position[3 * i + a] = (float)rand() / (float)RAND_MAX * 2 - 0.5f;
        shot->field[0].value[i] = (float)(i % 100);
        shot->field[1].value[i] = (float)(i % 77) * 1e5f - 3;
        shot->group[i] = (unsigned char)(i % 3);
    }
    return shot;
}

static size_t send(mn_sent *sent, page *p, const mn_view_shot *shot, const char *field)
{
    size_t size;
    unsigned char *data = mn_encode(sent, 1, shot, field, &size);
    assert_non_null(data);
    take(p, data, size);
    free(data);
    return size;
}

static page new_page(void)
{
    return (page){.position = calloc(1 << 20, 2), .value = calloc(1 << 19, 2), .group = calloc(1 << 18, 1)};
}

static void free_page(page *p)
{
    free(p->position);
    free(p->value);
    free(p->group);
}

static void only_what_changed_is_sent(void **state)
{
    (void)state;
    mn_sent sent = {0};
    page p = new_page();
    mn_view_shot *shot = new_shot(1000);
    const size_t whole = send(&sent, &p, shot, "speed");
    compare(&p, shot, shot->field[0].value);
    assert_true(whole < 1000 * 9 + 1000);
    const size_t nothing = send(&sent, &p, shot, "speed"); /* the same again */
    assert_int_equal(nothing, HEAD);
    compare(&p, shot, shot->field[0].value);
    for (int i = 130; i < 140; i++) shot->position[3 * i] += 0.01f; /* one block */
    assert_true(send(&sent, &p, shot, "speed") == HEAD + 4 + BLOCK * 6);
    compare(&p, shot, shot->field[0].value);
    send(&sent, &p, shot, "pressure");
    assert_int_equal(p.places, 0);
    compare(&p, shot, shot->field[1].value);
    send(&sent, &p, shot, "nosuchfield");
    assert_true(p.flags & 8);
    compare(&p, shot, NULL);
    send(&sent, &p, shot, "speed");
    compare(&p, shot, shot->field[0].value);
    mn_sent_free(&sent);
    mn_view_shot_free(shot);
    free_page(&p);
}

/* More and fewer particles, particles beyond the box, none at all, and NaN. */
static void changes_of_size_and_place_come_through(void **state)
{
    (void)state;
    static const long counts[] = {1, 64, 65, 1000, 3, 0, 129, 128};
    mn_sent sent = {0};
    page p = new_page();
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        mn_view_shot *shot = new_shot(counts[k]);
        for (long i = 0; i < counts[k]; i++) shot->position[3 * i + 1] += (float)k * 5;
        send(&sent, &p, shot, k % 2 ? "speed" : "pressure");
        compare(&p, shot, shot->field[k % 2 ? 0 : 1].value);
        if (counts[k] > 70) shot->position[3] = NAN, shot->field[0].value[5] = INFINITY;
        send(&sent, &p, shot, "speed"); /* drawn somewhere, but nothing breaks */
        mn_view_shot_free(shot);
    }
    mn_sent_free(&sent);
    free_page(&p);
}

static void a_hundred_thousand_take_milliseconds(void **state)
{
    (void)state;
    mn_sent sent = {0};
    page p = new_page();
    mn_view_shot *shot = new_shot(100000);
    size_t bytes = send(&sent, &p, shot, "speed");
    const clock_t began = clock();
    for (int k = 0; k < 20; k++) {
        for (long i = 0; i < 3 * shot->count; i++) shot->position[i] *= 0.999f;
        size_t size;
        free(mn_encode(&sent, 1, shot, "speed", &size));
        bytes = size;
    }
    print_message("100,000 particles: %.2f ms of CPU a frame, %zu bytes\n",
                  1e3 * (double)(clock() - began) / CLOCKS_PER_SEC / 20, bytes);
    assert_true(bytes < 850000);
    mn_sent_free(&sent);
    mn_view_shot_free(shot);
    free_page(&p);
}

static void who_may_ask(void **state)
{
    (void)state;
    static const char *const good[] = {"localhost", "localhost:80", "127.0.0.1:8080", "[::1]:1", "LOCALHOST:9"};
    static const char *const bad[] = {
        "",           "evil.example", "localhost.evil.example", "localhost:80.evil", "127.0.0.1.evil", "localhost:",
        "127.0.0.10", "::1",          "localhost@evil"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_true(mn_access_host(good[i], true));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(mn_access_host(bad[i], true));
    assert_false(mn_access_host(NULL, true));
    assert_true(mn_access_host("lab.example:80", false)); /* the token decides */
    assert_true(mn_access_origin(NULL, "localhost:1"));
    assert_true(mn_access_origin("http://localhost:1", "localhost:1"));
    assert_false(mn_access_origin("http://localhost:2", "localhost:1"));
    assert_false(mn_access_origin("null", "localhost:1"));
    assert_false(mn_access_origin("http://evil.example", "localhost:1"));
    assert_false(mn_access_origin("ftp://localhost:1", "localhost:1"));
    assert_false(mn_access_origin("http://localhost:1", NULL));
    assert_true(mn_access_token(NULL, NULL) && mn_access_token("abc", "abc"));
    assert_false(mn_access_token(NULL, "abc") || mn_access_token("", "abc") || mn_access_token("ab", "abc") ||
                 mn_access_token("abcabc", "abc") || mn_access_token("abd", "abc"));
    assert_true(mn_access_loopback(NULL) && mn_access_loopback("127.0.0.1") && mn_access_loopback("::1"));
    assert_false(mn_access_loopback("0.0.0.0") || mn_access_loopback("::") || mn_access_loopback("10.0.0.1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_changed_is_sent),
        cmocka_unit_test(changes_of_size_and_place_come_through),
        cmocka_unit_test(a_hundred_thousand_take_milliseconds),
        cmocka_unit_test(who_may_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
