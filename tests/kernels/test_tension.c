/* Models of surface tension against numbers worked out independently in double precision, on every backend. */
#include "kernels/kernel_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#define ROWS(array) ((int)(sizeof(array) / sizeof *(array)))
#define FORCES "force_begin force"
#define TENSION(text) "    tension: {model: " text "}\n"

/* -- five particles ------------------------------------------------------------------------------------------------ */

static const double akinci_normal[] = {1.319174104,  0.7359266785, 0.8555555651,  -1.211882958,  0.549558856,
                                       0.0660445736, 0.4978221091, -0.9190366663, -0.3424080326, -0.0975448242,
                                       0.7851438654, -0.937319691, -0.5275711423, -0.7679017985, 0.567657473};
static const double akinci_cohesion[] = {52.4181774687, 28.4731520854,  35.920681673,   -50.1654743521, 18.511835632,
                                         10.4275250333, 34.2468307793,  -53.9923057954, -21.2550644755, -4.8815046156,
                                         45.9499073718, -55.2197791903, -31.6180292802, -38.9425892938, 30.1266369596};
static const double akinci_curvature[] = {-13.02417736,  -6.8526455691, -8.2208724418, 11.6950164014, -4.9083349884,
                                          -0.4235814087, -5.7584440094, 11.0051905644, 4.1640521046,  2.1093416834,
                                          -4.698755077,  7.1443248452,  4.9782632847,  5.45454507,    -2.6639230993};
static const double akinci_adhesion[] = {1.5613050472,  1.5613050472,  -2.4413024399, -1.3577945991, 1.3577945991,
                                         -3.1315540193, 1.1126207057,  -0.7406130742, -3.0031890601, 0,
                                         0.4737578618,  -1.4212735855, -2.2089767958, -1.3230268941, -1.2474007712};
static const double wang_cohesion[] = {106.5248445635, 65.7063667124,  76.6572814475,  -105.3342318347,
                                       43.4529897911,  31.7124948043,  105.8311206992, -131.9847821987,
                                       -58.850011822,  -12.7995156879, 106.7396387478, -125.3332887956,
                                       -94.22221774,   -83.9142130527, 75.8135243658};
static const double wang_curvature[] = {-25.4272127357, -13.965119558,  -16.3966189512, 22.3645383984, -9.877583491,
                                        -1.0981134177,  -13.1901527354, 24.1039777415,  8.9027551808,  4.9506895249,
                                        -11.1086534919, 14.9166274683,  11.3021375478,  10.8473787994, -6.3246502802};
static const double wang_adhesion[] = {2.7787997078,  2.7787997078,  -4.3154005691, -2.4895831161, 2.4895831161,
                                       -4.4343591249, 1.9099142877,  -1.4363700175, -5.1062259421, 0,
                                       0.2768082184,  -0.8304246553, -3.5160526788, -1.5180197203, -1.5875265968};
static const double becker[] = {11.4873879291, 4.8374309408, 6.0389894984,  -10.395656146, 3.0988469933,
                                0.4007192772,  3.4125959989, -7.8448220034, -2.6926719894, -0.7095047973,
                                6.9496957161,  -8.501212643, -3.7948229846, -7.0411516468, 4.7541758569};
static const double becker_clamped[] = {9.2841879911, 4.5926309477, 6.0389894984,  -8.2651538364, 3.1497866441,
                                        0.5218819911, 3.4125959989, -7.8448220034, -2.6926719894, -0.7095047973,
                                        6.9496957161, -8.501212643, -3.7221253562, -6.8472913045, 4.6330131429};
static const double tartakovsky[] = {1.4031693142, 0.8210338563, 0.5884736855,  -1.363452249,  0.5433557219,
                                     0.4792676773, 1.722166034,  -1.769159422,  -0.6997188738, -0.2375701807,
                                     1.3887065083, -1.370132039, -1.5243129185, -0.9839366645, 1.00210955};
static const double tartakovsky_displaced[] = {0.1757666879, 0.1083745903,  0.0523265705,  -0.1687480534, 0.0737952944,
                                               0.06580414,   0.2612546955,  -0.2417447257, -0.0949557674, -0.0372764898,
                                               0.1820084164, -0.1623552703, -0.2309968403, -0.1224335754, 0.1391803271};
static const double morris[] = {0.2573133184, 0.1435471900,  0.1668815670,  -0.2122243280, 0.0962384677,
                                0.0115656922, 0.0582741954,  -0.1075808433, -0.0400816923, -0.0099983661,
                                0.0804774201, -0.0960754759, -0.0452181134, -0.0658168498, 0.0486539121};
static const double he_colour[] = {1.0691916745, 1.1025035542, 0.9466476995, 0.9404908248, 0.9411662470};
static const double he_steepness[] = {68.0821015025, 38.5204384613, 37.9684744074, 49.7301930282, 39.3613683852};
static const double he[] = {0.33115279,   0.1658565872,  0.2234321311,  -0.276824947,  0.074540949,
                            0.0245540197, 0.132574399,   -0.2859987486, -0.1011720507, -0.0516629992,
                            0.2354766761, -0.2855791914, -0.1352392428, -0.1898754638, 0.1387650913};
/* 38, 39, 58, 63 and 64 of 96 points free; no point closer than 0.0014 h to the limit, so rounding cannot move one
 * across */
static const double zorilla_curvature[] = {2.1914876876, 2.2443722743, 3.0248210210, 3.1581140256, 3.1808241109};
static const double zorilla[] = {-0.7848402729, 12.5078596401, 0.3433374591,  -0.8993180788, 10.2998950900,
                                 7.4069082320,  12.0159939576, 0.8005702521,  6.6471240166,  -0.2555436202,
                                 13.6219149643, -0.4345954487, -9.6081150165, 1.8657634108,  9.9346367233};

static void five_particles(void **state)
{
    (void)state;
    const kernel_setup *t5 = &kernel_t5, *walls = &kernel_t5_walls;
    const kernel_check rows[] = {
        {"normal", t5, TENSION("akinci2013"), NULL, FORCES, "normal", 3, 1, akinci_normal, 2e-6},
        {"akinci2013 cohesion", t5, TENSION("akinci2013, cohesion: 1, curvature: 0"), NULL, FORCES, "acc", 3, 1,
         akinci_cohesion, 2e-6},
        {"akinci2013 curvature", t5, TENSION("akinci2013, cohesion: 0, curvature: 1"), NULL, FORCES, "acc", 3, 1,
         akinci_curvature, 2e-6},
        /* the weight has infinite slope at h/2, near which one boundary point lies */
        {"akinci2013 adhesion", walls, TENSION("akinci2013, cohesion: 0, curvature: 0, adhesion: 1"), NULL, FORCES,
         "acc", 3, 1, akinci_adhesion, 2e-5},
        {"wang2017 cohesion", t5, TENSION("wang2017, cohesion: 10, curvature: 0"), NULL, FORCES, "acc", 3, 1,
         wang_cohesion, 2e-6},
        {"wang2017 curvature", t5, TENSION("wang2017, cohesion: 0, curvature: 1"), NULL, FORCES, "acc", 3, 1,
         wang_curvature, 2e-6},
        {"wang2017 adhesion", walls, TENSION("wang2017, cohesion: 0, curvature: 0, adhesion: 100"), NULL, FORCES, "acc",
         3, 1, wang_adhesion, 2e-6},
        {"becker2007", t5, TENSION("becker2007, strength: 1"), NULL, FORCES, "acc", 3, 1, becker, 2e-6},
        {"becker2007 clamped", t5, TENSION("becker2007, strength: 1, clamp: 1"), NULL, FORCES, "acc", 3, 1,
         becker_clamped, 2e-6},
        {"tartakovsky2005", t5, TENSION("tartakovsky2005, strength: 1"), NULL, FORCES, "acc", 3, 1, tartakovsky, 3e-6},
        {"tartakovsky2005 displaced", t5, TENSION("tartakovsky2005, strength: 1, displacement: 1"), NULL, FORCES, "acc",
         3, 1, tartakovsky_displaced, 3e-6},
        {"morris2000", t5, TENSION("morris2000, tension: 1"), NULL, FORCES, "acc", 3, 1, morris, 3e-6},
        {"he2014 colour", t5, TENSION("he2014, strength: 1"), NULL, FORCES, "colour", 1, 1, he_colour, 2e-6},
        {"he2014 steepness", t5, TENSION("he2014, strength: 1"), NULL, FORCES, "steepness", 1, 1, he_steepness, 2e-6},
        {"he2014", t5, TENSION("he2014, strength: 1"), NULL, FORCES, "acc", 3, 1, he, 3e-6},
        {"zorilla2020 curvature", t5, TENSION("zorilla2020, strength: 1"), NULL, FORCES, "curved", 1, 1,
         zorilla_curvature, 2e-6},
        {"zorilla2020", t5, TENSION("zorilla2020, strength: 1"), NULL, FORCES, "acc", 3, 1, zorilla, 2e-6},
    };
    kernel_check_all(rows, ROWS(rows));
}

/* Models of one kind add up, and a wall's factor scales adhesion. */
static void sums_and_factors(void **state)
{
    (void)state;
    double both[15];
    for (int c = 0; c < 15; c++) both[c] = akinci_cohesion[c] + 2 * becker[c];
    const char *list = "    tension: [{model: akinci2013, curvature: 0}, {model: becker2007, strength: 2}]\n";
    const kernel_check row = {"two models", &kernel_t5, list, NULL, FORCES, "acc", 3, 1, both, 2e-6};
    kernel_check_all(&row, 1);
}

/* -- two particles ------------------------------------------------------------------------------------------------- */

/* x component on the first of two particles r apart, or on one particle r beside a boundary point of Psi = 1 kg. */
static double pull(const char *backend, const char *fluid, double r, bool wall, double *density)
{
    const double at[2][3] = {{0, 0, 0}, {r, 0, 0}};
    kernel_setup setup = {
        .count = wall ? 1 : 2, .position = at, .volume = 1e-3, .spacing = 0.1, .dt = 1e-3, .fluid = fluid};
    if (wall) setup.wall_count = 1, setup.wall = &at[1], setup.wall_volume = 1e-3;
    kernel_world *k = kernel_world_new(&setup, backend);
    kernel_world_run(k, FORCES);
    double acc[8], dens[2];
    kernel_world_read(k, "acc", acc);
    kernel_world_read(k, "dens", dens);
    kernel_world_free(k);
    if (density) *density = dens[0];
    return acc[0];
}

static void two_particles(void **state)
{
    (void)state;
    static const double rows[][4] = {/* r, density, cohesion, both */
                                     {0.04, 575.5042742203, -9.463989536, -19.6738705911},
                                     {0.06, 516.2986353901, 3.6885749611, 2.4155489530},
                                     {0.10, 397.8873577297, 19.8943678865, 43.9681421051},
                                     {0.15, 328.2570701270, 8.3929364521, 23.3526233628}};
    for (int b = 0; kernel_backend(b); b++)
        for (int r = 0; r < ROWS(rows); r++) {
            double n;
            const double both = pull(kernel_backend(b), TENSION("akinci2013"), rows[r][0], false, &n);
            const double cohesion =
                pull(kernel_backend(b), TENSION("akinci2013, curvature: 0"), rows[r][0], false, NULL);
            assert_true(fabs(1000 * n / rows[r][1] - 1) < 2e-6);
            assert_true(fabs(both - rows[r][3]) < 5e-6 * 44);
            assert_true(fabs(cohesion * n - rows[r][2]) < 2e-6 * 20);
        }
}

static void weights(void **state)
{
    (void)state;
    /* q, h^3 C, h^3 A, h^3 y */
    static const double rows[][4] = {{0.1, -0.144303877042, 0, 0},
                                     {0.2, -0.0757119162881, 0, 0},
                                     {0.25, -0.0248679598581, 0, 0},
                                     {0.3, 0.0295085996888, 0, 0},
                                     {0.4, 0.122465272371, 0, 0},
                                     {0.6, 0.140810107731, 0.00442718872424, 0.0004},
                                     {0.7, 0.0943317713903, 0.00489948971621, 0.0006},
                                     {0.75, 0.0671434916169, 0.00494974746831, 0.000625},
                                     {0.9, 0.0074255330249, 0.00442718872424, 0.0004}};
    const double h = 0.2, h3 = h * h * h;
    for (int b = 0; kernel_backend(b); b++)
        for (int r = 0; r < ROWS(rows); r++) {
            const double q = rows[r][0];
            double n;
            const double c = pull(kernel_backend(b), TENSION("akinci2013, curvature: 0"), q * h, false, &n) * n * h3;
            assert_true(fabs(c - rows[r][1]) < 1e-6 * 0.16);
            const double a = pull(kernel_backend(b), TENSION("akinci2013"), q * h, true, NULL) * h3;
            assert_true(fabs(a - rows[r][2]) < 1e-6 * 0.005);
            const double y =
                pull(kernel_backend(b), TENSION("wang2017, adhesion: 1"), q * h, true, NULL) * h3 / (q * h);
            assert_true(fabs(y - rows[r][3]) < 2e-6 * 0.000625);
        }
}

/* A pair in one place, and a pair at the edge of the support, get finite forces; beyond it there is none. */
static void extreme_distances(void **state)
{
    (void)state;
    static const char *const models[] = {TENSION("akinci2013"),      TENSION("wang2017"),   TENSION("becker2007"),
                                         TENSION("tartakovsky2005"), TENSION("morris2000"), TENSION("he2014"),
                                         TENSION("zorilla2020")};
    for (int b = 0; kernel_backend(b); b++)
        for (int m = 0; m < ROWS(models); m++) {
            assert_true(fabs(pull(kernel_backend(b), models[m], 0.0, false, NULL)) < 1e6);
            assert_true(fabs(pull(kernel_backend(b), models[m], 1e-9, false, NULL)) < 1e6);
            assert_true(isfinite(pull(kernel_backend(b), models[m], 0.1999, false, NULL)));
            assert_true(pull(kernel_backend(b), models[m], 0.2001, false, NULL) == 0);
            assert_true(isfinite(pull(kernel_backend(b), models[m], 0.0, true, NULL)));
        }
}

/* -- momentum ------------------------------------------------------------------------------------------------------ */

enum { CLUSTER = 60 };

/* Sum of m a over a random cluster of unequal particles, and the sum of their lengths. */
static double net_force(const char *backend, const char *fluid)
{
    double at[CLUSTER][3];
    unsigned seed = 12345;
    for (int i = 0; i < CLUSTER; i++)
        for (int c = 0; c < 3; c++) {
            seed = seed * 1664525u + 1013904223u;
            at[i][c] = 0.4 * (double)(seed >> 8) / 16777216.0;
        }
    const kernel_setup setup = {.count = CLUSTER,
                                .position = (const double(*)[3])at,
                                .volume = 1e-3,
                                .spacing = 0.1,
                                .dt = 1e-3,
                                .fluid = fluid};
    kernel_world *k = kernel_world_new(&setup, backend);
    double pos[4 * CLUSTER], acc[4 * CLUSTER], net[3] = {0, 0, 0}, sum = 0;
    kernel_world_read(k, "pos", pos);
    for (int i = 0; i < CLUSTER; i++) pos[4 * i + 3] = 1e-3 * (0.5 + (i % 7) / 6.0);
    kernel_world_write(k, "pos", pos);
    kernel_world_run(k, "density " FORCES);
    kernel_world_read(k, "acc", acc);
    kernel_world_read(k, "pos", pos);
    for (int i = 0; i < CLUSTER; i++)
        for (int c = 0; c < 3; c++) {
            net[c] += 1000 * pos[4 * i + 3] * acc[4 * i + c];
            sum += fabs(1000 * pos[4 * i + 3] * acc[4 * i + c]);
        }
    kernel_world_free(k);
    assert_true(sum > 0);
    return sqrt(net[0] * net[0] + net[1] * net[1] + net[2] * net[2]) / sum;
}

static void momentum(void **state)
{
    (void)state;
    static const char *const models[] = {
        TENSION("akinci2013"),           TENSION("akinci2013, cohesion: 0"), TENSION("wang2017"), TENSION("becker2007"),
        TENSION("becker2007, clamp: 1"), TENSION("tartakovsky2005"),         TENSION("he2014")};
    for (int b = 0; kernel_backend(b); b++)
        for (int m = 0; m < ROWS(models); m++) {
            const double off = net_force(kernel_backend(b), models[m]);
            if (off > 1e-6) print_error("%s on %s: net force %g of the sum\n", models[m], kernel_backend(b), off);
            assert_true(off <= 1e-6);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_particles), cmocka_unit_test(sums_and_factors),  cmocka_unit_test(two_particles),
        cmocka_unit_test(weights),        cmocka_unit_test(extreme_distances), cmocka_unit_test(momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
