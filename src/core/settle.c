/* settle.c -- fluid that is sampled in disorder is too dense in places. A pressure solver cures that in its first step,
 * and the particles keep the speed of it, displacement over time step: metres a second in a drop of a millimetre. So
 * they give way before the first step, by their positions alone. A failure is reported by the first step. */
#include "core/clock.h"
#include "core/step.h"
#include "core/world.h"

enum { SWEEPS = 100 };
/* Excess of density, largest of all particles: what is left to the solver, and from where on the user is told. */
static const double ENOUGH = 5e-4, TOLD = 0.35;

/* The first fluid whose start is disordered; NULL: none. */
static const mn_fluid *in_disorder(const mn_scene *s, bool jitter_too)
{
    for (int f = 0; f < s->fluid_count; f++) {
        const mn_fluid *fluid = &s->fluids[f];
        if (fluid->shape_count > 0 && (fluid->sampling == MN_POISSON || (jitter_too && fluid->jitter > 0.0)))
            return fluid;
    }
    return NULL;
}

static double excess(mn_world *w, mn_messages *say)
{
    double top[4] = {0};
    mn_search(w, say);
    mn_run(w, MN_KERNEL_density, MN_NO_ARG);
    mn_run_max(w, MN_KERNEL_settle_shift, MN_ARG(w->support.sweep), top);
    return top[0];
}

void mn_settle(mn_world *w, mn_messages *say)
{
    const mn_scene *s = w->scene;
    const mn_fluid *fluid = in_disorder(s, true);
    const bool asked = s->settle == MN_SETTLE_ALWAYS, wanted = asked || in_disorder(s, false);
    if ((!fluid && !asked) || s->settle == MN_SETTLE_NEVER || w->layout.fluid == 0) return;
    mn_world_parameters(w);
    const double first = excess(w, say);
    double left = first;
    for (int sweep = 1; sweep < SWEEPS && wanted && left > ENOUGH && !w->failed; sweep++) {
        mn_run(w, MN_KERNEL_settle_move, MN_NO_ARG);
        left = excess(w, say);
    }
    if (first < TOLD || wanted || w->failed) return;
    mn_say(say, MN_NOTE, fluid->at,
           "particles are up to %.2g %% too dense at the start; with 'particles.settle: always' they give way first "
           "instead of flying apart",
           100.0 * first);
}
