#include "kernels/kernel_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void two_particles(void **state)
{
    (void)state;
    static const double position[2][3] = {{0, 0, 0}, {0.1, 0, 0}};
    const kernel_setup two = {.count = 2, .position = position, .volume = 1e-3, .spacing = 0.1, .dt = 1e-3};
    const double a = 0.001 * (0.25 - 2 * 0.10546875), expected[] = {a, 0, 0, -a, 0, 0}; /* w(1/2), w(5/8) */
    const kernel_check row = {"kordilla2013", &two, "    tension: kordilla2013\n", NULL, "force_begin force",
                              "acc", 3, 1, expected, 2e-6};
    kernel_check_all(&row, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_particles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
