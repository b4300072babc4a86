/* A device that is missing or full is an ordinary error; test_hashes has the bits that OpenCL comes to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/backend.h"
#include "run/device.h"

#ifdef MN_HAVE_OPENCL

static void wrong_device_names_the_others(void **state)
{
    (void)state;
    char names[1][128];
    mn_messages *say = mn_messages_new();
    const char *device = NULL;
    const mn_backend_api *api = mn_backend_find("opencl:abacus", &device);
    assert_ptr_equal(api, &mn_backend_opencl);
    assert_null(api->open(device, 0, say));
    assert_int_equal(mn_messages_errors(say), 1);
    assert_non_null(strstr(mn_messages_get(say, 0).text, "no OpenCL device 'abacus'"));
    mn_devices(names, 1);
    assert_non_null(strstr(mn_messages_get(say, 0).text, names[0]));
    mn_messages_clear(say);
    assert_null(api->open("999", 0, say));
    assert_int_equal(mn_messages_errors(say), 1);
    mn_messages_free(say);
}

static void full_device_is_an_error(void **state)
{
    (void)state;
    mn_messages *say = mn_messages_new();
    const mn_backend_api *api = &mn_backend_opencl;
    mn_backend *b = api->open("0", 0, say);
    assert_non_null(b);
    const size_t before = api->bytes(b);
    assert_null(api->alloc(b, (size_t)1 << 50));
    assert_non_null(strstr(api->failure(b), "clCreateBuffer"));
    assert_non_null(strstr(api->failure(b), "the device has no room for another 1125899906.8 MB"));
    assert_int_equal(api->bytes(b), before);

    /* and the device is still of use; fresh memory is zero */
    const int in[4] = {1, -2, 3, -4};
    int out[8] = {9, 9, 9, 9, 9, 9, 9, 9};
    mn_buffer *buffer = api->alloc(b, sizeof out);
    assert_non_null(buffer);
    assert_true(api->bytes(b) >= before + sizeof out);
    assert_true(api->put(b, buffer, 8, in, sizeof in));
    assert_true(api->get(b, buffer, 0, out, sizeof out));
    assert_memory_equal(out, ((const int[]){0, 0, 1, -2, 3, -4, 0, 0}), sizeof out);
    api->release(b, buffer);
    assert_int_equal(api->bytes(b), before);
    api->close(b);
    mn_messages_free(say);
}

/* A particle that is not finite is found, the first one if there are several. */
static void bounds_find_bad_particles(void **state)
{
    (void)state;
    enum { N = 70000 };
    mn_messages *say = mn_messages_new();
    const mn_backend_api *api = &mn_backend_opencl;
    mn_backend *b = api->open(NULL, 0, say);
    real4 *x = calloc(N, sizeof *x);
    assert_true(b && x);
    mn_buffer *pos = api->alloc(b, N * sizeof *x), *vel = api->alloc(b, N * sizeof *x);
    assert_true(pos && vel);
    for (int i = 0; i < N; i++) x[i] = (real4){(float)i, (float)(i % 777) - 5.0f, -1.5f, 1.0f};
    mn_bounds bounds;
    assert_true(api->put(b, pos, 0, x, N * sizeof *x) && api->bounds(b, pos, vel, N, &bounds));
    assert_int_equal(bounds.bad, -1);
    assert_true(bounds.low[0] == 0.0f && bounds.high[0] == (float)(N - 1) && bounds.low[1] == -5.0f &&
                bounds.high[1] == 771.0f);
    assert_true(bounds.low[2] == -1.5f && bounds.high[2] == -1.5f);
    x[69001].x = 0.0f / (float)atoi("0"), x[345].y = 1.0f / (float)atoi("0");
    assert_true(api->put(b, vel, 0, x, N * sizeof *x) && api->bounds(b, pos, vel, N, &bounds));
    assert_int_equal(bounds.bad, 345);
    api->release(b, pos), api->release(b, vel);
    api->close(b);
    free(x);
    mn_messages_free(say);
}

int main(void)
{
    char names[1][128];
    if (!mn_devices(names, 1)) {
        print_message("skipped: no OpenCL device on this machine\n");
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_device_names_the_others),
                                       cmocka_unit_test(full_device_is_an_error),
                                       cmocka_unit_test(bounds_find_bad_particles)};
    return cmocka_run_group_tests_name("opencl", tests, NULL, NULL);
}

#else

int main(void)
{
    print_message("skipped: built without OpenCL\n");
    return 0;
}

#endif
