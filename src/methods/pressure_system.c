/* pressure_system.c -- three methods to solve  k >= 0, r = source + D(a(k)) <= 0, k r = 0
 * (kernels/pressure/pressure_system.h).
 *
 * jacobi       relaxed by 1/2 and clamped after every sweep: the papers' own iteration. Stops when the mean compression
 *              (positive r) is within tolerance.
 * accelerated  the same sweep from an extrapolated point (Nesterov's projected gradient with the restart of O'Donoghue
 *              & Candes 2015), scaled by the diagonal and started from the last solution: a few sweeps where jacobi
 *              needs dozens. The default.
 * conjugate    conjugate gradients on the particles that have pressure or compression, in the inner product V
 *              diagonal; after ROUND steps, or when converged, negative k are clamped and it starts again. An iteration
 *              costs a quarter more, and splashes need as many; but what it leaves is smooth: still water and
 *              droplets come to rest.
 *
 * A start that is too high would satisfy the one-sided criterion and blow the liquid up, so the last two also ask
 * that the mean distance from the solution, where a pressure that is too high counts like one that is too low, is
 * within TWO_SIDED times the tolerance. What lies far off in a few places only a mean does not see: the accelerated
 * one also asks that the root mean square of that distance is within PEAKED times the tolerance.
 *
 * All leave the displacement of the point whose error they measured last. `iterations` counts applications of the
 * operator, the expensive part of all three.
 */
#include "methods/solvers.h"

#include <math.h>
#include <string.h>

/* The step must stay below 1/(largest eigenvalue of the scaled matrix); 2.4 is its largest value seen, on compressed
 * particles near walls, with a support of two spacings. */
static const double OMEGA = 0.4, TWO_SIDED = 2.0, PEAKED = 4.0;
enum { ROUND = 16, IDLE = 10 };

static bool spent(const mn_world *w, const mn_solve *s)
{
    return w->failed || isnan(s->error) || s->iterations >= s->max_iterations;
}

bool mn_pressure_lifts(const mn_world *w) { return w->par.boundary.weight > 1.0f; }

void mn_pressure_displace(mn_world *w, double along)
{
    mn_run(w, MN_KERNEL_pressure_displace, MN_ARG(along));
    if (mn_pressure_lifts(w)) mn_run(w, MN_KERNEL_wall_lift_displace, MN_ARG(along));
}

static void jacobi(mn_world *w, mn_solve *s)
{
    double sum[4];
    do {
        mn_pressure_displace(w, s->along);
        mn_run_sum(w, MN_KERNEL_pressure_jacobi, MN_ARG(0.5 * w->support.sweep), sum);
        s->error = sum[0] / fmax(1, w->par.n);
        s->iterations++;
    } while (!spent(w, s) && (s->error > s->tolerance || s->iterations < s->min_iterations));
}

static bool converged(const mn_world *w, mn_solve *s, const double sum[4], double share)
{
    s->error = sum[0] / fmax(1, w->par.n);
    return s->error <= share * s->tolerance && sum[2] / fmax(1, w->par.n) <= share * TWO_SIDED * s->tolerance;
}

/* How far the momentum has grown when a solve begins: where nothing but gravity and viscosity acts it takes some
 * along from the start, 16 % fewer sweeps in dams. Under tension it must not: what is left would keep droplets from
 * coming to rest. */
static const double NO_MOMENTUM = 1.0, SOME_MOMENTUM = 4.0;
static double grown(double t) { return 0.5 * (1.0 + sqrt(1.0 + 4.0 * t * t)); }
static real4 momentum(double omega, double t)
{
    return (real4){(float)omega, (float)((t - 1.0) / grown(t)), 0.0f, 0.0f};
}

/* The least distance from the solution so far, its sum and that of its squares, and for how many sweeps the latter has
 * not fallen. */
typedef struct {
    double sum, square;
    int idle;
} least;

/* Whether the step of the sweeps is too long for this state: the distance grows, on the whole or, by its square, in a
 * few places; or in a few places, where pressures are cut off at 0, it swings and neither grows nor falls. */
static bool overshoots(least *so_far, const double sum[4])
{
    so_far->idle = sum[3] < so_far->square ? 0 : so_far->idle + 1;
    const bool over = sum[2] > 4.0 * so_far->sum || sum[3] > 4.0 * so_far->square || so_far->idle >= IDLE;
    if (over) *so_far = (least){sum[2], sum[3], 0};
    so_far->sum = fmin(so_far->sum, sum[2]), so_far->square = fmin(so_far->square, sum[3]);
    return over;
}

static void accelerated(mn_world *w, mn_solve *s)
{
    bool even;
    double t = s->along > 0.0 ? SOME_MOMENTUM : NO_MOMENTUM, omega = OMEGA * w->support.sweep, sum[4];
    least so_far = {INFINITY, INFINITY, 0};
    /* there is nothing to decide after the first sweep: */
    const bool two = s->min_iterations > 1 && s->max_iterations > 1;
    const double *first = NULL;
    if (two) { /* nothing waits for its sum */
        mn_pressure_displace(w, s->along);
        first = mn_run_sum_later(w, MN_KERNEL_pressure_nesterov, momentum(omega, t));
        t = grown(t);
        s->iterations++;
    }
    do {
        mn_pressure_displace(w, s->along);
        mn_run_sum(w, MN_KERNEL_pressure_nesterov, momentum(omega, t), sum);
        s->iterations++;
        if (first && s->iterations == 2) so_far = (least){first[2], first[3], 0};
        t = sum[1] > 0.0 ? 1.0 : grown(t);
        if (overshoots(&so_far, sum)) omega *= 0.8, t = 1.0;
        even = sqrt(sum[3] / fmax(1, w->par.n)) <= PEAKED * s->tolerance;
    } while ((!converged(w, s, sum, 1.0) || !even || s->iterations < s->min_iterations) && !spent(w, s));
}

static void conjugate(mn_world *w, mn_solve *s)
{
    double sum[4], curve[4];
    for (;;) {
        mn_pressure_displace(w, s->along);
        mn_run_sum(w, MN_KERNEL_pressure_gradient, MN_NO_ARG, sum);
        s->iterations++;
        if ((converged(w, s, sum, 1.0) && s->iterations >= s->min_iterations) || spent(w, s)) return;
        for (int k = 0; k < ROUND && !spent(w, s); k++) {
            const double square = sum[3];
            mn_pressure_displace(w, 0.0);
            mn_run_sum(w, MN_KERNEL_pressure_curve, MN_NO_ARG, curve);
            if (!(curve[0] > 0.0)) break;
            mn_run_sum(w, MN_KERNEL_pressure_descend, MN_ARG(square / curve[0]), sum);
            s->iterations++;
            if (converged(w, s, sum, 0.9)) break; /* the clamp will cost a little of it */
            mn_run(w, MN_KERNEL_pressure_turn, MN_ARG(sum[3] / square));
        }
        mn_run(w, MN_KERNEL_pressure_clamp, MN_NO_ARG);
    }
}

void mn_pressure_solve(mn_world *w, mn_solve *s)
{
    static const struct {
        const char *key;
        void (*solve)(mn_world *w, mn_solve *s);
    } solvers[] = {{"jacobi", jacobi}, {"accelerated", accelerated}, {"conjugate", conjugate}};
    s->iterations = 0;
    s->error = 0.0;
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++)
        if (strcmp(w->scene->iteration, solvers[k].key) == 0) solvers[k].solve(w, s);
    if (w->layout.active) { /* what moves the fluid must be what presses on them */
        mn_run(w, MN_KERNEL_pressure_start, MN_NO_ARG);
        mn_pressure_displace(w, s->along);
    }
}

void mn_pressure_apply(mn_world *w, double c, double along)
{
    const real4 arg = {(float)c, (float)along, 0.0f, 0.0f};
    if (mn_round_stays(w) && mn_pressure_lifts(w)) mn_run_active(w, MN_KERNEL_wall_lift_on_boundary, arg);
    mn_run(w, MN_KERNEL_pressure_apply, arg);
    if (mn_round_stays(w)) mn_run_active(w, MN_KERNEL_pressure_on_boundary, MN_ARG(c));
}

double mn_pressure_warmth(const mn_world *w)
{
    if (!w->scene->warm_start) return 0.0;
    return strcmp(w->scene->iteration, "jacobi") == 0 ? 0.5 : 1.0;
}
