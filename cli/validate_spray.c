/* validate_spray.c -- the viscous ball and the tyre of Gissler et al. 2017: what the air does to what flies through
 * it. */
#include <math.h>
#include <stdlib.h>

#include "measure/measure.h"
#include "scene/scene.h"
#include "validate.h"

typedef struct ball {
    double length;   /* along the flight over across it, by second moments */
    double front;    /* how far the tip of the front stands before its ring at half the radius, over that of a sphere */
    double at_front; /* share of the drag that acts on the front half of the outermost spacing and a half */
    double inside;   /* mean exposure of what lies deeper, over that of the front */
    double behind;   /* and of the back half of the surface */
    double speed;    /* m/s */
} ball;

static const double RADIUS = 0.0576;

static double distance(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

/* The shape now. */
static void measure_shape(const validation_run *run, ball *out)
{
    double centre[3] = {0}, square[3] = {0}, tip = 0, ring = 0;
    const double n = (double)run->count;
    for (int64_t i = 0; i < run->count; i++)
        for (int a = 0; a < 3; a++) centre[a] += (double)run->position[3 * i + a] / n;
    for (int64_t i = 0; i < run->count; i++)
        for (int a = 0; a < 3; a++) square[a] += pow((double)run->position[3 * i + a] - centre[a], 2) / n;
    out->length = sqrt(square[0] / (0.5 * (square[1] + square[2])));
    /* highest of the front over each of twelve sectors of the ring, and over the middle */
    double highest[12] = {0};
    for (int64_t i = 0; i < run->count; i++) {
        double d[3];
        for (int a = 0; a < 3; a++) d[a] = (double)run->position[3 * i + a] - centre[a];
        const double r = sqrt(d[1] * d[1] + d[2] * d[2]);
        const int sector = (int)((atan2(d[2], d[1]) / (2 * 3.14159265358979) + 0.5) * 11.999);
        if (r < 0.15 * RADIUS) tip = fmax(tip, d[0]);
        else if (r > 0.65 * RADIUS && r < 0.8 * RADIUS) highest[sector] = fmax(highest[sector], d[0]);
    }
    for (int k = 0; k < 12; k++) ring += highest[k] / 12;
    out->front = (tip - ring) / (RADIUS * (1 - sqrt(1 - 0.65 * 0.65)));
}

/* The acceleration by the models that act as forces, less gravity, is the drag. */
static mn_status measure_drag(validation_run *run, ball *out)
{
    float *acceleration = calloc(3 * (size_t)run->count + 1, sizeof *acceleration);
    mn_status status = acceleration ? validation_read(run, "acceleration", acceleration) : MN_FAILED;
    double centre[3] = {0}, gravity[3], sum[3] = {0}, part[3] = {0};
    mn_curve_at(&run->scene->gravity, 0, gravity);
    for (int64_t i = 0; i < run->count; i++)
        for (int a = 0; a < 3; a++) centre[a] += (double)run->position[3 * i + a] / (double)run->count;
    for (int64_t i = 0; i < run->count && status == MN_OK; i++) {
        double d[3], drag[3];
        for (int a = 0; a < 3; a++)
            d[a] = (double)run->position[3 * i + a] - centre[a], drag[a] = (double)acceleration[3 * i + a] - gravity[a];
        const int where = distance(d) < RADIUS - 3 * run->scene->spacing ? 2 : d[0] > 0 ? 0 : 1;
        sum[where] += distance(drag), part[where] += 1;
    }
    out->at_front = sum[0] / (sum[0] + sum[1] + sum[2]);
    out->behind = sum[1] / part[1] / (sum[0] / part[0]);
    out->inside = sum[2] / part[2] / (sum[0] / part[0]);
    free(acceleration);
    return status;
}

static mn_status fly(const validation_setup *setup, const char *scene, const char *set, ball *first, ball *last,
                     mn_messages *say)
{
    validation_run run;
    mn_status status = validation_open(&run, setup, scene, set, say) ? MN_OK : MN_BAD_INPUT;
    const double until = 0.13; /* it hits at 0.135 s */
    while (status == MN_OK && mn_world_time(run.world) < until * (1 - 1e-12)) {
        status = validation_step(&run, until);
        if (status == MN_OK && mn_world_steps(run.world) == 1) {
            status = validation_read(&run, "position", run.position);
            if (status == MN_OK) measure_shape(&run, first), status = measure_drag(&run, first);
        }
    }
    if (status == MN_OK) status = validation_read(&run, "position", run.position);
    if (status == MN_OK) status = validation_read(&run, "velocity", run.velocity);
    if (status == MN_OK) {
        measure_shape(&run, last);
        status = measure_drag(&run, last);
        for (int64_t i = 0; i < run.count; i++) last->speed += (double)run.velocity[3 * i] / (double)run.count;
    }
    validation_close(&run);
    return status;
}

mn_status validate_cannon_ball(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char *const scene = "gissler2017/cannon-ball-small";
    ball start = {0}, with = {0}, without = {0}, peer = {0}, ignored = {0};
    mn_status status = fly(setup, scene, NULL, &start, &with, say);
    if (status == MN_OK)
        status = fly(setup, scene, "fluids.0.drag={model: gissler2017, strength: 0}", &ignored, &without, say);
    if (status == MN_OK) status = fly(setup, "gissler2017/cannon-ball-peer2015-small", NULL, &ignored, &peer, say);
    if (status != MN_OK) return status;
    validation_add(out, start.at_front, 1, 0.02, "share of the drag on the front of the surface, at the start", "");
    validation_add(out, with.at_front, 1, 0.2, "the same before the impact", "");
    validation_add(out, with.behind, 0, 0.1, "mean drag on the back of the surface over that on its front", "");
    validation_add(out, with.inside, 0, 0.1, "and inside", "");
    validation_add(out, without.length, 1, 0.01, "length over width before the impact, without drag", "");
    validation_add(out, with.length, 0.9, 0.05, "with drag", "");
    validation_add(out, peer.length, 0.9, 0.05, "with drag and the viscosity of Peer et al. 2015", "");
    validation_add(out, without.front, start.front, 0.15, "height of the front's cap without drag, over a sphere's",
                   "");
    validation_add(out, with.front / without.front, 0, 0.75, "and with drag, over that", "");
    return MN_OK;
}

/* ---------------------------------------------------------------------------------------------------- the tyre's
 * spray */

/* Drops: particles with no other within two spacings. Larger pieces of water shelter themselves and feel less of the
 * air. */
typedef struct spray {
    double far;     /* m: what nine tenths of them have not reached */
    double all_far; /* m: what nine tenths of all water that has left the tyre have not reached */
    double upwards; /* share of that water that left the tyre by 5 degrees or more above the horizontal, without air */
    double speed;   /* m/s, mean of sqrt(v^2 + 2 g height): without air what they left the tyre with */
    /* mean of exp(-k s), s the distance flown since the gap: what the air leaves of the speed of a drop that was alone
     * all the time */
    double left;
    int drops;
} spray;

/* A lone drop of spacing d slows down by v' = -k v^2; k by the paper's equations at the speed v. */
static double braking(double d, double v)
{
    const double radius = 0.620350491 * d, air = 1.2041, reynolds = 2 * air * v * radius / 1.845e-5;
    const double y = fmin(1, air * radius * v * v / (12 * 0.0724));
    const double sphere = reynolds > 1000 ? 0.424 : 24 / reynolds * (1 + pow(reynolds, 2.0 / 3) / 6);
    return 0.5 * air * sphere * (1 + 2.632 * y) * 3.14159265358979 * pow(radius * (1 + 0.5 * y), 2) /
           (1000 * d * d * d);
}

static bool is_alone(const float *x, int64_t n, int64_t i, double reach)
{
    for (int64_t j = 0; j < n; j++) {
        const double d[3] = {(double)(x[3 * i] - x[3 * j]), (double)(x[3 * i + 1] - x[3 * j + 1]),
                             (double)(x[3 * i + 2] - x[3 * j + 2])};
        if (j != i && distance(d) < reach) return false;
    }
    return true;
}

static const double BEHIND = 0.15; /* m: water beyond this has left the tyre, whose radius is 0.075 m */

static mn_status throw_spray(const validation_setup *setup, const char *set, spray *out, mn_messages *say)
{
    validation_run run;
    mn_status status = validation_open(&run, setup, "gissler2017/tyre-small", set, say) ? MN_OK : MN_BAD_INPUT;
    while (status == MN_OK && mn_world_time(run.world) < run.end * (1 - 1e-12)) {
        mn_world_limit_step(run.world, run.end);
        status = mn_step(run.world, say);
    }
    const int64_t n = status == MN_OK ? mn_world_particles(run.world) : 0;
    float *x = calloc(3 * (size_t)n + 1, sizeof *x), *v = calloc(3 * (size_t)n + 1, sizeof *v);
    double *reach = calloc((size_t)n + 1, sizeof *reach), *all = calloc((size_t)n + 1, sizeof *all);
    int64_t left = 0;
    if (status == MN_OK && (!x || !v || !reach || !all)) status = MN_FAILED;
    if (status == MN_OK) status = validation_read(&run, "position", x);
    if (status == MN_OK) status = validation_read(&run, "velocity", v);
    for (int64_t i = 0; i < n && status == MN_OK; i++) {
        const double u[3] = {(double)v[3 * i], (double)v[3 * i + 1], (double)v[3 * i + 2]};
        if ((double)x[3 * i] < BEHIND) continue;
        all[left++] = (double)x[3 * i];
        if (u[0] > 0 && u[1] + 9.81 * (double)x[3 * i] / u[0] > tan(5 * 3.14159265358979 / 180) * u[0])
            out->upwards += 1; /* what flies back did not come here from the tyre */
        if (!is_alone(x, n, i, 2 * run.scene->spacing)) continue;
        reach[out->drops++] = (double)x[3 * i];
        const double flown[3] = {(double)x[3 * i], (double)x[3 * i + 1], (double)x[3 * i + 2]};
        out->left += exp(-braking(run.scene->spacing, 5.556) * distance(flown));
        out->speed += sqrt(fmax(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + 2 * 9.81 * (double)x[3 * i + 1], 0));
    }
    if (left > 0) out->all_far = mn_measure_quantile(all, left, 0.9), out->upwards /= (double)left;
    if (out->drops > 0)
        out->far = mn_measure_quantile(reach, out->drops, 0.9), out->speed /= out->drops, out->left /= out->drops;
    free(x), free(v), free(reach), free(all);
    validation_close(&run);
    return status;
}

mn_status validate_tyre(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    spray with = {0}, without = {0};
    mn_status status = throw_spray(setup, NULL, &with, say);
    if (status == MN_OK) status = throw_spray(setup, "fluids.0.drag={model: gissler2017, strength: 0}", &without, say);
    if (status != MN_OK) return status;
    /* What the paper's equations say of a lone drop from the tyre's surface, 5.556 m/s: a path of length s leaves
     * exp(-k s) of its speed, and takes it ln(1 + k s)/k far in the time for s. Drops that were together at first, or
     * left faster, make the difference. */
    const double k = braking(0.001, 5.556);
    validation_least(out, with.drops, 20, "single drops in the air", "");
    validation_add(out, without.speed, 5.556, 0.1, "mean speed with which they left, without drag", "m/s");
    validation_add(out, with.speed / without.speed, with.left, 0.05, "what is left of it with drag, against lone drops",
                   "");
    validation_add(out, with.far / without.far, log(1 + k * without.far) / (k * without.far), 0.15,
                   "distance that nine tenths have not passed, over that without drag, against lone drops", "");
    validation_add(out, with.all_far / without.all_far, 0, 0.9, "the same of all water behind the tyre", "");
    validation_least(out, without.upwards, 0.1, "share of it that left the tyre upwards by 5 degrees or more", "");
    return MN_OK;
}
