/* Kernels against reference numbers, on every backend of this machine.
 *
 * The numbers were computed in double from the textbook formulas, in mass form, for five particles near four wall
 * particles (kernel_world.h). The kernels work in float and in volumes: V = m/rho0, n = rho/rho0. Hence the factors
 * below, with rho0 = 1000 and dt = 1e-3:
 *   rho = 1000 dens           D_i = 1e9 grad.w            rate of rho = 1000 source
 *   k = p/rho^2 = kappa/(rho0 dt)^2 = kappa (density),    kappa_div/(rho0^2 dt) = 1e-3 kappa_div (divergence)
 *   a = push/V (WCSPH),       push/(V dt^2) (the others)
 * Tolerance: 2e-5 of the largest number of a row; float carries 6e-8, and a row sums, divides and, where it
 * converged, iterates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel_world.h"

#define COUNT(rows) ((int)(sizeof(rows) / sizeof *(rows)))
static const double TOLERANCE = 2e-5;

/* -- kernel -------------------------------------------------------------------------------------------------------- */

/* q = r/h, h^3 W, h^4 dW/dr */
static const double spline_table[][3] = {
    {0.10, 2.4089692186, -2.5974086713},
    {0.25, 1.8302818456, -4.7746482928},
    {1.0 / 3, 1.4147106053, -5.0929581789},
    {0.40, 1.0797071339, -4.8892398518},
    {0.50, 0.6366197724, -3.8197186342},
    {0.60, 0.3259493235, -2.4446199259},
    {0.75, 0.0795774715, -0.9549296586},
    {0.90, 0.0050929582, -0.1527887454},
    {0.9999, 0, -1.528e-7},
    {1, 0, 0},
    {1.3, 0, 0},
};

/* Two particles at distance q h: n = V (W(0) + W(qh)), G = V gradW. */
static void spline_of_two_particles(void **state)
{
    (void)state;
    const double h = 0.2, V = 1e-3;
    for (int b = 0; kernel_backend(b); b++)
        for (int row = 0; row < COUNT(spline_table); row++) {
            const double q = spline_table[row][0],
                         x[2][3] = {{0.01, 0.02, -0.03}, {0.01 + 0.6 * q * h, 0.02 - 0.8 * q * h, -0.03}};
            const kernel_setup setup = {.count = 2, .position = x, .volume = V, .spacing = 0.1, .dt = 1e-3};
            kernel_world *k = kernel_world_new(&setup, kernel_backend(b));
            double dens[2], grad[8];
            kernel_world_read(k, "dens", dens);
            kernel_world_read(k, "grad", grad);
            kernel_world_free(k);
            for (int i = 0; i < 2; i++) {
                const double side = i ? 1 : -1; /* x_i - x_j along the line from 0 to 1 */
                const double w = (dens[i] / V - 8 / (acos(-1) * h * h * h)) * h * h * h;
                const double along = side * (0.6 * grad[4 * i] - 0.8 * grad[4 * i + 1]) / V * h * h * h * h;
                assert_float_equal(w, spline_table[row][1], 2.5e-6);
                assert_float_equal(along, spline_table[row][2], 1e-5);
                assert_true(grad[4 * i + 2] == 0);
            }
        }
}

/* -- reference numbers, particles 0 to 4 --------------------------------------------------------------------------- */

static const double rho_alone[] = {548.27126432, 568.78626273, 401.83854258, 424.75915912, 410.68032162};
static const double rho_walls[] = {777.46910644, 823.1816859, 462.36864767, 424.77665965, 1049.999833};
static const double rho_heavy[] = {1325.7403708, 1391.9679486, 864.20719025, 849.53581877, 1460.6801546};
static const double tait[] = {796880.44546, 1173243.1084, 0, 0, 1695451.8268};
static const double tait_force[] = {-7651.9556787, -2751.3350389, 1938.1899631, 5878.9629172, -4755.2315301,
                                    6690.0689165,  -1499.6271511, 2359.4087654, 992.9967241,  -7.399986848,
                                    -2234.5112954, 2725.8578538,  8047.6022514, 8389.6526377, 3064.6202536};
static const double diagonal[] = {167379627.69, 196831108.62, 80662004.804, 72875211.98, 187258627.95};
static const double compression_advected[] = {329.8862994411, 395.9297547790, -134.1983707807, -147.9357115152,
                                              458.5501643793}; /* rho - rho0 */
static const double iisph_one[] = {1732003.0353, 1948735.4132, 0, 0, 2612313.4016};
static const double iisph_two[] = {1998971.3143, 2096635.4131, 0, 0, 3584167.3132};
static const double iisph_converged[] = {2626631.9995, 1201796.2954, 0, 0, 4747819.0882};
static const double iisph_force[] = {-17384.951574, -8037.982726,  6284.181042,  9620.0866966, -9793.0521594,
                                     10323.673483,  -3211.5470912, 6540.2472725, 2728.8768259, 1703.2526866,
                                     -4341.8918587, 5529.5294122,  21091.992538, 19369.378593, 11167.125515};
static const double rate[] = {4073.4698974, 3881.6683889, 1566.0743013, 2528.3449128, -2217.8423326};
static const double divergence_one[] = {0.012168356309, 0.0098604037141, 0.0097076331359, 0.017347084448, 0};
static const double divergence_converged[] = {0.0084283271648, 0.011901092457, 0.01395603395, 0.030233459191, 0};
static const double divergence_velocity[] = {-0.075619766971, -0.039271011334, -0.064740164144, -0.010978457891,
                                             0.12177516704,   0.013014349318,  -0.065181162392, -0.17700585953,
                                             0.17739774558,   0.064034157039,  -0.12604249185,  -0.18908336573,
                                             -0.068545780344, 0.25023864186,   0.26362189935};
static const double dfsph_one[] = {0.97327504557, 0.99589970596, 0, 0, 1.2236374632};
static const double dfsph_converged[] = {1.4768899221, 0.6093997179, 0, 0, 2.2274169996};
static const double dfsph_velocity[] = {-17.254565086, -7.9940934283, 6.143272713,  9.4274788807, -9.6562809877,
                                        10.247220119,  -3.2524209935, 6.2844512096, 2.8732267404, 1.7517520684,
                                        -4.4090637803, 5.2566875845,  21.014756086, 19.584117817, 11.464885866};
static const double pcisph_one[] = {970641.00568, 1164954.2305, 0, 0, 1349164.9396};
static const double pcisph_three[] = {1324610.1484, 1409252.8958, 0, 0, 2192103.4494};
static const double pcisph_force[] = {-20288.880616, -7755.9138777, 5628.1968067, 14662.437122, -12250.381245,
                                      16412.82261,   -3912.1837671, 6568.4868927, 2749.5058005, 430.25484168,
                                      -5737.4347922, 7059.9549792,  21861.625525, 22151.263891, 9076.6256873};
static const double artificial_corrected[] = {-1.0691111432,  -0.2776665657,  -0.83084261704, 1.2425034489,
                                              0.35953806223,  -0.58214489912, -0.39708514401, 0.87551156085,
                                              0.26079398154,  0.14264017357,  -1.0212946,     1.2172611039,
                                              0.081052664699, 0.063911542606, -0.065067569267};
static const double artificial_plain[] = {-0.8016589183,  -0.20098780357, -0.50068743283, 0.91060393081,
                                          0.2200529277,   -0.35396702706, -0.25267360699, 0.53809628988,
                                          0.16898341703,  0.075891979275, -0.61724267438, 0.74206435709,
                                          0.067836615209, 0.060081260379, -0.056393314222};
static const double artificial_wall[] = {-0.024749425399,
                                         -0.0025454678839,
                                         0.024749425399,
                                         0.057938143753,
                                         -0.028166741273,
                                         0.087531250544,
                                         -0.002819622248,
                                         0.01409811124,
                                         0.018327544612,
                                         -1.6039911963e-05,
                                         -0.00057743683065,
                                         0.001732310492,
                                         -0,
                                         -0,
                                         -0};
static const double xsph_change[] = {-0.027693225255,  -0.0064281767465, -0.011924160995,   0.036200985343,
                                     -0.0082430144515, -0.0023151433406, 0.0029776824664,   0.021590026446,
                                     -0.005974054204,  -0.0080468136936, -0.00040627601982, 0.034904189007,
                                     -0.0034386288612, -0.0065125592285, -0.014690830467};
static const double xsph_wall[] = {-0.014739996755,
                                   0,
                                   0,
                                   0.03090392164,
                                   -0.01545196082,
                                   0,
                                   0,
                                   0.01963696243,
                                   -0.0065456541433,
                                   -1.0299845012e-06,
                                   -1.0299845012e-06,
                                   8.23987601e-06,
                                   0.030443791098,
                                   -0.060887582196,
                                   -0.091331373294};
static const double standard_fluid[] = {-0.91570127936, -0.23181849268, -0.75390411815, 1.0765376671,   0.33364468649,
                                        -0.54160473752, -0.35912775077, 0.77969984465,  0.23615915954,  0.12386481063,
                                        -0.9352600342,  1.1177189894,   0.074426552373, 0.053733995744, -0.0583692933};
static const double standard_wall[] = {-0.053055538786, -0.0054567396157, 0.053055538786,  0.12711072573,
                                       -0.066833626533, 0.079167130329,   0.06584757559,   0.05081843716,
                                       -0.33718078116,  -6.293468814e-05, -0.002265648773, 0.0067969463191,
                                       -0.4673140601,   -0.31356971587,   -1.1062470325};
static const double weiler_thin[] = {0.09903828333,  -0.00023707941823, -0.00069361254811, -0.19880463593,
                                     0.10026302059,  -0.00045659651967, -0.00029179254084, -0.29917311886,
                                     0.099897901129, 0.050123071455,    0.04906848073,     -0.39888273313,
                                     -0.10038988802, 0.19974115662,     0.29884093318};
static const double weiler_thick[] = {-0.0060682711253, -0.038557066775, -0.10075673612,  -0.054747672694,
                                      0.093435849499,   -0.063572648451, -0.082187630606, -0.16364829713,
                                      0.14280641055,    0.061084750189,  -0.088669075095, -0.24028742247,
                                      -0.068081175763,  0.2474385895,    0.2618103965};

/* The pressure solvers: two kilograms each, and gravity. */
static kernel_setup heavy(void)
{
    kernel_setup s = kernel_t5_walls;
    s.volume = 2e-3;
    return s;
}

static void densities(void **state)
{
    (void)state;
    const kernel_setup twice = heavy();
    const kernel_check rows[] = {
        {"density", &kernel_t5, NULL, NULL, NULL, "dens", 1, 1000, rho_alone, TOLERANCE},
        {"density at walls", &kernel_t5_walls, NULL, NULL, NULL, "dens", 1, 1000, rho_walls, TOLERANCE},
        {"density of 2 kg", &twice, NULL, NULL, NULL, "dens", 1, 1000, rho_heavy, TOLERANCE},
        {"diagonal", &twice, NULL, NULL, NULL, "grad", 1, 1e9, diagonal, TOLERANCE},
    };
    kernel_check_all(rows, COUNT(rows));
}

#define GRAVITY "gravity: [0, 0, -9.81]\n"
#define SOLVER(model, how) GRAVITY "pressure: {model: " model ", " how "}\n"
#define ONE "iteration: jacobi, min_iterations: 1, max_iterations: 1"
#define TWO "iteration: jacobi, min_iterations: 2, max_iterations: 2"
#define CONVERGED(how)                                                                                                 \
    "iteration: " how ", tolerance: 1e-6, divergence_tolerance: 1e-6, min_iterations: 300, max_iterations: 300"

static void wcsph(void **state)
{
    (void)state;
    const kernel_setup twice = heavy();
    const char *const scene = SOLVER("wcsph", "sound_speed: 30");
    const kernel_check rows[] = {
        {"Tait's equation", &twice, NULL, scene, "force_begin advance pressure", "pressure", 1, 1, tait, TOLERANCE},
        {"its force", &twice, NULL, scene, "force_begin advance pressure", "displacement", 3, 1 / 2e-3, tait_force,
         TOLERANCE},
    };
    kernel_check_all(rows, COUNT(rows));
}

static void iisph(void **state)
{
    (void)state;
    const kernel_setup twice = heavy();
    const char *const step = "force_begin advance pressure";
    /* z = -r/diagonal; without pressure r is the compression at the end of the step */
    double advected[COUNT(diagonal)];
    for (size_t k = 0; k < COUNT(diagonal); k++) advected[k] = -compression_advected[k] / 1000 / (diagonal[k] / 1e9);
    const kernel_check rows[] = {
        {"advected density", &twice, NULL, SOLVER("iisph", ONE),
         "force_begin advance density_source pressure_displace=0.001 pressure_gradient", "scaled_residual", 1, 1,
         advected, TOLERANCE},
        {"one sweep", &twice, NULL, SOLVER("iisph", ONE), step, "pressure", 1, 1, iisph_one, TOLERANCE},
        {"two sweeps", &twice, NULL, SOLVER("iisph", TWO), step, "pressure", 1, 1, iisph_two, TOLERANCE},
        {"jacobi, converged", &twice, NULL, SOLVER("iisph", CONVERGED("jacobi")), step, "pressure", 1, 1,
         iisph_converged, TOLERANCE},
        {"accelerated, converged", &twice, NULL, SOLVER("iisph", CONVERGED("accelerated")), step, "pressure", 1, 1,
         iisph_converged, TOLERANCE},
        {"conjugate, converged", &twice, NULL, SOLVER("iisph", CONVERGED("conjugate")), step, "pressure", 1, 1,
         iisph_converged, TOLERANCE},
        {"force of it", &twice, NULL, SOLVER("iisph", CONVERGED("accelerated")),
         "force_begin advance pressure pressure_start pressure_displace", "displacement", 3, 1e6 / 2e-3, iisph_force,
         TOLERANCE},
    };
    kernel_check_all(rows, COUNT(rows));
}

static void dfsph(void **state)
{
    (void)state;
    const kernel_setup twice = heavy();
    const char *const one = SOLVER("dfsph", "neighbours: 0, " ONE), *const all = SOLVER(
                                                                        "dfsph", "neighbours: 0, " CONVERGED("jacobi"));
    const char *const sure = SOLVER("dfsph", "neighbours: 0, " CONVERGED("conjugate"));
    const char *const fast = SOLVER("dfsph", "neighbours: 0, " CONVERGED("accelerated")),
                      *const step = "prepare force_begin advance pressure";
    const char *const sweep = "prepare force_begin advance density_source pressure_displace=0.001 pressure_jacobi=0.5";
    const kernel_check rows[] = {
        {"rate of density", &twice, NULL, one, "density", "source", 1, 1000, rate, TOLERANCE},
        {"divergence, one sweep", &twice, NULL, one, "prepare", "kappa_div", 1, 1e-3, divergence_one, TOLERANCE},
        {"divergence, jacobi", &twice, NULL, all, "prepare", "kappa_div", 1, 1e-3, divergence_converged, TOLERANCE},
        {"divergence, accelerated", &twice, NULL, fast, "prepare", "kappa_div", 1, 1e-3, divergence_converged,
         TOLERANCE},
        {"velocity without divergence", &twice, NULL, fast, "prepare", "vel", 3, 1, divergence_velocity, TOLERANCE},
        {"density, one sweep", &twice, NULL, all, sweep, "kappa", 1, 1, dfsph_one, TOLERANCE},
        {"density, jacobi", &twice, NULL, all, step, "kappa", 1, 1, dfsph_converged, TOLERANCE},
        {"density, accelerated", &twice, NULL, fast, step, "kappa", 1, 1, dfsph_converged, TOLERANCE},
        {"velocity of a step", &twice, NULL, all, step, "vel", 3, 1, dfsph_velocity, TOLERANCE},
        {"divergence, conjugate", &twice, NULL, sure, "prepare", "kappa_div", 1, 1e-3, divergence_converged, TOLERANCE},
        {"density, conjugate", &twice, NULL, sure, step, "kappa", 1, 1, dfsph_converged, TOLERANCE},
        {"velocity of a step, accelerated", &twice, NULL, fast, step, "vel", 3, 1, dfsph_velocity, TOLERANCE},
    };
    kernel_check_all(rows, COUNT(rows));
}

/* delta = 1/(2 V^2 sum |gradW|^2) over a full lattice: 1.17691379 d^2, and a quarter of that for twice the volume. */
#define SWEEP " pressure_displace pcisph_predict pcisph_correct=2.942284475e-3"

static void pcisph(void **state)
{
    (void)state;
    const kernel_setup twice = heavy();
    const char *const scene = SOLVER("pcisph", "tolerance: 0.1"), *const three =
                                                                      "force_begin advance pcisph_start" SWEEP SWEEP
                                                                          SWEEP;
    const kernel_check rows[] = {
        {"one sweep", &twice, NULL, scene, "force_begin advance pcisph_start" SWEEP, "kappa", 1, 1e6, pcisph_one,
         TOLERANCE},
        {"three sweeps", &twice, NULL, scene, three, "kappa", 1, 1e6, pcisph_three, TOLERANCE},
        {"force of them", &twice, NULL, scene,
         "force_begin advance pcisph_start" SWEEP SWEEP SWEEP " pressure_displace", "displacement", 3, 1e6 / 2e-3,
         pcisph_force, TOLERANCE},
    };
    kernel_check_all(rows, COUNT(rows));
}

#define VISCOSITY(text) "    viscosity: {model: " text "}\n"

static void viscosities(void **state)
{
    (void)state;
    const kernel_setup *s = &kernel_t5_walls;
    const char *const act = "force_begin force";
    const kernel_check rows[] = {
        {"artificial, corrected", s, VISCOSITY("artificial, alpha: 0.01, surface_correction: 1"), NULL, act, "acc", 3,
         1, artificial_corrected, TOLERANCE},
        {"artificial", s, VISCOSITY("artificial, alpha: 0.01"), NULL, act, "acc", 3, 1, artificial_plain, TOLERANCE},
        {"artificial at walls", s, VISCOSITY("artificial, alpha: 0, wall_alpha: 0.01"), NULL, act, "acc", 3, 1,
         artificial_wall, TOLERANCE},
        {"xsph", s, VISCOSITY("xsph, strength: 0.5"), NULL, act, "acc", 3, 1e-3, xsph_change, TOLERANCE},
        {"xsph at walls", s, VISCOSITY("xsph, strength: 0, wall_strength: 0.5"), NULL, act, "acc", 3, 1e-3, xsph_wall,
         TOLERANCE},
        {"standard", s, VISCOSITY("standard, viscosity: 0.005"), NULL, act, "acc", 3, 1, standard_fluid, TOLERANCE},
        {"standard at walls", s, VISCOSITY("standard, viscosity: 0, wall_viscosity: 0.005"), NULL, act, "acc", 3, 1,
         standard_wall, TOLERANCE},
        {"weiler2018, thin", s, VISCOSITY("weiler2018, viscosity: 0.005, wall_viscosity: 0.005, tolerance: 1e-7"), NULL,
         "velocity", "vel", 3, 1, weiler_thin, TOLERANCE},
        {"weiler2018, thick", s, VISCOSITY("weiler2018, viscosity: 5, tolerance: 1e-7"), NULL, "velocity", "vel", 3, 1,
         weiler_thick, TOLERANCE},
    };
    kernel_check_all(rows, COUNT(rows));
}

/* -- what pair forces keep ----------------------------------------------------------------------------------------- */

enum { CLOUD = 60 };

/* A disordered, compressed cloud with random velocities. */
static void make_cloud(double x[CLOUD][3], double v[CLOUD][3])
{
    unsigned seed = 1;
    for (int i = 0; i < 3 * CLOUD; i++) {
        seed = seed * 1664525u + 1013904223u;
        const double jitter = (double)(seed >> 8) / (1 << 24) - 0.5;
        const int place[3] = {i / 3 % 4, i / 12 % 4, i / 48};
        x[i / 3][i % 3] = 0.07 * place[i % 3] + 0.03 * jitter;
        seed = seed * 1664525u + 1013904223u;
        v[i / 3][i % 3] = (double)(seed >> 8) / (1 << 24) - 0.5;
    }
}

/* Sum of forces, and of torques where they are central, against the sum of their sizes. `field` = 3 numbers a
 * particle, all of one mass. */
static void assert_balanced(const char *name, const char *backend, const double x[CLOUD][3], const double *a,
                            int stride, bool central)
{
    double force[3] = {0}, torque[3] = {0}, size = 0;
    for (int i = 0; i < CLOUD; i++) {
        const double *f = &a[stride * i], *r = x[i];
        for (int c = 0; c < 3; c++) {
            force[c] += f[c];
            torque[c] += r[(c + 1) % 3] * f[(c + 2) % 3] - r[(c + 2) % 3] * f[(c + 1) % 3];
        }
        size += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    }
    assert_true(size > 0);
    for (int c = 0; c < 3; c++) {
        if (fabs(force[c]) > 1e-6 * size)
            fail_msg("%s on %s: force %d sums up to %g of %g", name, backend, c, force[c], size);
        if (central && fabs(torque[c]) > 1e-6 * size * 0.3)
            fail_msg("%s on %s: torque %d sums up to %g of %g", name, backend, c, torque[c], size);
    }
}

static void pair_forces_balance(void **state)
{
    (void)state;
    static const struct {
        const char *name, *fluid, *scene, *words, *field;
        bool central;
    } rows[] = {
        {"artificial", VISCOSITY("artificial, alpha: 0.3, surface_correction: 1"), NULL, "force_begin force", "acc",
         true},
        {"standard", VISCOSITY("standard, viscosity: 0.01"), NULL, "force_begin force", "acc", true},
        {"xsph", VISCOSITY("xsph, strength: 0.5"), NULL, "force_begin force", "acc", false},
        {"weiler2018", VISCOSITY("weiler2018, viscosity: 0.1, tolerance: 1e-6"), NULL, "velocity", "change", true},
        {"wcsph", NULL, "pressure: wcsph\n", "pressure", "displacement", true},
        {"iisph", NULL, "pressure: iisph\n", "pressure pressure_start pressure_displace", "displacement", true},
        {"dfsph", NULL, "pressure: {model: dfsph, neighbours: 0}\n", "prepare", "displacement", true},
        {"pcisph", NULL, "pressure: pcisph\n", "pressure", "displacement", true},
    };
    double x[CLOUD][3], v[CLOUD][3];
    make_cloud(x, v);
    const kernel_setup setup = {.count = CLOUD,
                                .position = (const double(*)[3])x,
                                .velocity = (const double(*)[3])v,
                                .volume = 1e-3,
                                .spacing = 0.1,
                                .dt = 1e-3};
    for (int b = 0; kernel_backend(b); b++)
        for (int r = 0; r < COUNT(rows); r++) {
            kernel_setup s = setup;
            s.fluid = rows[r].fluid, s.scene = rows[r].scene;
            kernel_world *k = kernel_world_new(&s, kernel_backend(b));
            double a[4 * CLOUD];
            kernel_world_run(k, rows[r].words);
            const int stride = kernel_world_read(k, rows[r].field, a);
            kernel_world_free(k);
            assert_balanced(rows[r].name, kernel_backend(b), (const double(*)[3])x, a, stride, rows[r].central);
        }
}

/* What pressure_load.h makes of the diagonal, in double: each share raised by half of what its particle carries beyond
 * its part. */
static void scaled_diagonal(const double x[5][3], double v, const double grad[4 * 5], const double rho[5],
                            double out[5])
{
    double share[5][5], load[5];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            double r = 0, h = 0.2, g2 = 0;
            for (int c = 0; c < 3; c++) r += (x[i][c] - x[j][c]) * (x[i][c] - x[j][c]);
            const double q = sqrt(r) / h, peak = 8 / (3.14159265358979323846 * h * h * h);
            const double slope = q < 0.5 ? 6 * (3 * q * q - 2 * q) : q < 1 ? -6 * (1 - q) * (1 - q) : 0;
            for (int c = 0; c < 3; c++) g2 += grad[4 * i + c] * grad[4 * i + c];
            share[i][j] = (i == j ? g2 : v * v * peak * slope / h * peak * slope / h) / rho[j];
        }
    for (int k = 0; k < 5; k++) {
        load[k] = 0;
        for (int i = 0; i < 5; i++) load[k] += share[i][k] / grad[4 * i + 3];
    }
    for (int i = 0; i < 5; i++) {
        out[i] = 0;
        for (int k = 0; k < 5; k++) out[i] += share[i][k] * fmax(1, 0.5 + 0.5 * load[k]);
    }
}

/* Two phases in one pressure system: the third and fourth particle are of a fluid of 50 kg/m^3. With the mass of the
 * particle itself in place of its neighbour's the diagonal of the light ones would be off by the ratio of densities. */
static void two_phases(void **state)
{
    (void)state;
    static const double dens[5] = {1.3257403708, 1.3919679486, 0.8642071903, 0.8495358188, 1.4606801546},
                        a_ii[5] = {4.3430448277e-7, 2.4636252190e-7, 1.6482725539e-6, 1.3215810520e-6, 9.2202009356e-8},
                        converged[5] = {294045.9077235413, 764406.5955485906, 0, 0, 4635660.948471487},
                        p[5] = {1000, 2000, 500, 0, 3000}, rho[5] = {1000, 1000, 50, 50, 1000},
                        a_0[3] = {-10.8363544594, -6.4544749078, 1.7485383228},
                        a_2[3] = {-90.5315982746, 136.2912145175, 91.9875117546};
    kernel_setup set = heavy();
    set.scene = "pressure: {model: iisph, " CONVERGED("accelerated") "}\n";
    set.fluid =
        "    density: 1000\n"
        "  - density: 50\n"
        "    emitters: [{disc: {radius: 0.1}, position: [9, 9, 9], direction: [0, 1, 0], speed: 1, start: 0.9}]\n";
    for (int b = 0; kernel_backend(b); b++) {
        kernel_world *k = kernel_world_new(&set, kernel_backend(b));
        double vel[4 * 5], n[5], grad[4 * 5], pressure[5], kappa[5], moved[4 * 5], scaled[4 * 5], scale[5];
        kernel_world_read(k, "vel", vel);
        vel[4 * 2 + 3] = vel[4 * 3 + 3] = 1;
        kernel_world_write(k, "vel", vel);
        kernel_world_run(k, "density");
        kernel_world_read(k, "dens", n);
        kernel_world_read(k, "grad", grad);
        scaled_diagonal(set.position, set.volume, grad, rho, scale);
        kernel_world_run(k, "pressure_load pressure_scale");
        kernel_world_read(k, "grad", scaled);
        kernel_world_run(k, "force_begin advance pressure");
        kernel_world_read(k, "pressure", pressure);
        for (int i = 0; i < 5; i++) kappa[i] = p[i] * set.dt * set.dt / (dens[i] * dens[i]);
        kernel_world_write(k, "kappa", kappa);
        kernel_world_run(k, "pressure_start pressure_displace");
        kernel_world_read(k, "displacement", moved);
        for (int c = 0; c < 3; c++) {
            assert_float_equal(moved[c] / (set.volume * set.dt * set.dt), a_0[c], 1e-4);
            assert_float_equal(moved[4 * 2 + c] / (set.volume * set.dt * set.dt), a_2[c], 1e-3);
        }
        for (int i = 0; i < 5; i++) {
            assert_float_equal(n[i], dens[i], 2e-6);
            assert_float_equal(scaled[4 * i + 3] / scale[i], 1, 1e-5);
            assert_float_equal(grad[4 * i + 3] * 1e-6 / (dens[i] * dens[i]) / a_ii[i], 1, 5e-6);
            assert_float_equal(pressure[i], converged[i], 1e-4 * converged[4]);
        }
        kernel_world_free(k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spline_of_two_particles),
        cmocka_unit_test(densities),
        cmocka_unit_test(wcsph),
        cmocka_unit_test(iisph),
        cmocka_unit_test(dfsph),
        cmocka_unit_test(pcisph),
        cmocka_unit_test(two_phases),
        cmocka_unit_test(viscosities),
        cmocka_unit_test(pair_forces_balance),
    };
    return cmocka_run_group_tests_name("reference numbers", tests, NULL, NULL);
}
