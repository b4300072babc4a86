/* validate_impacts.c -- Jeske et al. 2023, Fig. 6, below: drops of six methods on a plane without adhesion.
 *
 * The paper adjusts each method until drops of similar shape lie on the plane, and compares their shapes and the
 * speeds on their surfaces. All at the published size; the strengths are those of the scenes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/particle_cells.h"
#include "scene/scene.h"
#include "validate_moment.h"

/* A drop that lies, over half a second. */
typedef struct lying {
    double height, change;    /* over its width, at the end; the largest less the smallest */
    double oval;              /* seen from above, its longest over its shortest width, less 1 */
    double all, surface, rim; /* root mean square speeds without the drop's own motion, m/s */
    double whole, clumped;    /* shares of the particles: in one piece, closer than 0.6 spacings */
    double noise;             /* while it comes to rest: at the rim, velocity less that of the neighbours, m/s */
} lying;

/* Of a drop that lies: the shortest of its axes over the mean of the others. *oval: the longest over the middle one,
 * less 1. */
static double drop_flatness(const moment *m, double centre[3], double *oval)
{
    double moments[3];
    mn_measure_moments(&m->all, centre, moments);
    *oval = sqrt(moments[2] / moments[1]) - 1;
    return sqrt(moments[0] / (0.5 * (moments[1] + moments[2])));
}

/* The neighbours of a particle: their number, and where they are on average. */
typedef struct side {
    const float *position, *velocity;
    double count, sum[3], flow[3];
} side;

static void look(void *state, int64_t i, int64_t j, double distance2)
{
    side *s = state;
    (void)distance2;
    s->count += 1;
    for (int a = 0; a < 3; a++) {
        s->sum[a] += (double)s->position[3 * j + a] - (double)s->position[3 * i + a];
        s->flow[a] += (double)s->velocity[3 * j + a];
    }
}

/* Adds the squares of the speeds at this moment. Surface: particles whose neighbours within two spacings lie to one
 * side, the mean of their places 0.4 spacings away or more. Rim: where it curves most, since the weight adds up to
 * there: lower than the centre of mass, but not the layer at the plane. */
static mn_status add_speeds(moment *m, const double centre[3], double square[4], double count[4])
{
    const int64_t n = m->all.count;
    const double d = m->all.spacing;
    double own[3] = {0}, low = INFINITY;
    mn_cells cells = {0};
    float *v = malloc((size_t)(3 * n + 3) * sizeof *v);
    mn_status status = v && mn_cells_sort(&m->all, 2 * d, &cells) ? MN_OK : MN_FAILED;
    if (status == MN_OK) status = mn_world_get(m->run.world, "velocity", v, m->run.say);
    for (int64_t i = 0; i < n && status == MN_OK; i++) {
        low = fmin(low, (double)m->position[3 * i + 1]);
        for (int a = 0; a < 3; a++) own[a] += (double)v[3 * i + a] / (double)n;
    }
    for (int64_t i = 0; i < n && status == MN_OK; i++) {
        side s = {m->position, v, 0, {0}, {0}};
        double speed = 0, off = 0, noise = 0;
        mn_cells_near(&m->all, &cells, i, look, &s);
        for (int a = 0; a < 3; a++) {
            speed += pow((double)v[3 * i + a] - own[a], 2);
            off += pow(s.sum[a] / fmax(1, s.count), 2);
            noise += pow((double)v[3 * i + a] - s.flow[a] / fmax(1, s.count), 2);
        }
        const double y = (double)m->position[3 * i + 1];
        const bool surface = s.count < 1 || sqrt(off) > 0.4 * d, rim = surface && y < centre[1] && y > low + d;
        square[0] += speed, count[0] += 1;
        if (surface) square[1] += speed, count[1] += 1;
        if (rim) square[2] += speed, count[2] += 1;
        if (rim && s.count > 0) square[3] += noise, count[3] += 1;
    }
    mn_cells_free(&cells), free(v);
    return status;
}

/* While it comes to rest, and from 7.504 to 8 s, at moments that end whole steps of all methods. */
static mn_status run_lying(const validation_setup *setup, const char *scene, const char *const *sets, lying *out,
                           mn_messages *say)
{
    enum { TIMES = 31 };
    static const double from[2] = {2.512, 7.504}, to[2] = {4, 8};
    moment m;
    mn_nearest_summary near = {0};
    pieces_summary pieces = {0};
    double centre[3], square[2][4] = {{0}}, count[2][4] = {{0}}, least = INFINITY, most = 0;
    mn_status status = moment_run_with(&m, setup, scene, sets, from[0], say);
    for (int k = 0; k < 2 * TIMES && status == MN_OK; k++) {
        const int late = k / TIMES, nth = k % TIMES + 1;
        if (k == TIMES) status = moment_go_on(&m, from[1]);
        if (status == MN_OK) status = moment_go_on(&m, from[late] + (to[late] - from[late]) * nth / TIMES);
        if (status != MN_OK) break;
        double oval = 0;
        out->height = drop_flatness(&m, centre, &oval);
        if (late) out->oval += oval / TIMES;
        if (late) least = fmin(least, out->height), most = fmax(most, out->height);
        status = add_speeds(&m, centre, square[late], count[late]);
    }
    if (status == MN_OK) status = moment_pieces(&m, 1, &pieces);
    if (status == MN_OK && !mn_measure_nearest(&m.all, 0.6, &near)) status = MN_FAILED;
    if (status == MN_OK) {
        out->change = most - least, out->clumped = near.below;
        out->whole = (double)pieces.largest / (double)m.run.count;
        out->all = sqrt(square[1][0] / count[1][0]), out->surface = sqrt(square[1][1] / fmax(1, count[1][1]));
        out->rim = sqrt(square[1][2] / fmax(1, count[1][2])), out->noise = sqrt(square[0][3] / fmax(1, count[0][3]));
    }
    moment_end(&m);
    return status;
}

enum { OURS, WEAK, AKINCI2013, BECKER, ZORILLA, HE, PUDDLE, METHODS, STARTS = 3 };
static const struct {
    const char *scene, *set, *name;
} method[METHODS] = {[OURS] = {"", NULL, "jeske2023"},
                     [WEAK] = {"-weak", NULL, "jeske2023, weak coupling"},
                     [AKINCI2013] = {"-akinci2013", NULL, "akinci2013"},
                     [BECKER] = {"-becker2007", NULL, "becker2007"},
                     [ZORILLA] = {"-zorilla2020", NULL, "zorilla2020"},
                     [HE] = {"-he2014", "fluids.water.tension.strength=368000", "he2014, 160 times the strength"},
                     [PUDDLE] = {"-he2014", NULL, "he2014, the same tension"}};

/* From the lattice and two shaken starts: means. */
static mn_status run_method(const validation_setup *setup, int k, lying *mean, validation_report *out, mn_messages *say)
{
    static const char *const seeds[STARTS] = {NULL, "fluids.water.seed=1", "fluids.water.seed=2"};
    char scene[80];
    mn_status status = MN_OK;
    snprintf(scene, sizeof scene, "jeske2023/double-droplet-impact%s", method[k].scene);
    for (int s = 0; s < STARTS && status == MN_OK; s++) {
        const char *sets[4] = {NULL};
        int count = 0;
        lying one = {0};
        if (s > 0) sets[count++] = "fluids.water.jitter=0.1", sets[count++] = seeds[s];
        if (method[k].set) sets[count] = method[k].set;
        status = run_lying(setup, scene, sets, &one, say);
        mean->height += one.height / STARTS, mean->oval += one.oval / STARTS, mean->change += one.change / STARTS;
        mean->all += one.all / STARTS, mean->surface += one.surface / STARTS, mean->rim += one.rim / STARTS;
        mean->noise += one.noise / STARTS, mean->whole += one.whole / STARTS, mean->clumped += one.clumped / STARTS;
        const size_t end = strlen(out->table);
        snprintf(out->table + end, sizeof out->table - end,
                 "  %s, start %d: %.3f high over wide (changes %.4f, oval %.4f); m/s: %.4f, surface %.4f, below %.4f, "
                 "noise %.4f\n",
                 method[k].name, s + 1, one.height, one.change, one.oval, one.all, one.surface, one.rim, one.noise);
    }
    return status;
}

/* At 8 s, when all lie. */
mn_status validate_jeske_impacts(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const int others[] = {AKINCI2013, BECKER, ZORILLA, HE};
    static const char *const shape[] = {"height over width, over that of jeske2023: akinci2013", "the same, becker2007",
                                        "the same, zorilla2020"};
    static const char *const calmer[] = {"speed on the surface, over that of jeske2023: akinci2013",
                                         "the same, becker2007", "the same, zorilla2020",
                                         "the same, he2014 with the strength nearest in shape"};
    static const char *const steadier[] = {"change of height over width, over that of jeske2023: akinci2013",
                                           "the same, becker2007", "the same, zorilla2020",
                                           "the same, he2014 with the strength nearest in shape"};
    static const char *const rounder[] = {"how oval it is seen from above, over jeske2023: akinci2013",
                                          "the same, becker2007", "the same, zorilla2020"};
    lying of[METHODS] = {{0}};
    mn_status status = MN_OK;
    for (int k = 0; k < METHODS && status == MN_OK; k++) status = run_method(setup, k, &of[k], out, say);
    if (status != MN_OK) return status;
    const lying *ours = &of[OURS];
    validation_add(out, ours->height, 0.8, 0.25, "height over width, jeske2023: a drop, 0.6 to 1", "");
    for (int k = 0; k < 3; k++) validation_add(out, of[others[k]].height / ours->height, 1, 0.2, shape[k], "");
    validation_add(out, of[PUDDLE].height, 0, 0.5, "height over width, he2014 with the same tension: no drop", "");
    for (int k = 0; k < 4; k++) validation_least(out, of[others[k]].surface / ours->surface, 1.5, calmer[k], "");
    for (int k = 0; k < 3; k++) validation_least(out, of[others[k]].oval / ours->oval, 1.5, rounder[k], "");
    for (int k = 0; k < 4; k++) validation_least(out, of[others[k]].change / ours->change, 1, steadier[k], "");
    validation_least(out, of[WEAK].rim / ours->rim, 1.5,
                     "speed where the surface curves most, weak over strong coupling", "");
    validation_least(out, of[WEAK].noise / ours->noise, 1.5,
                     "noise of the velocity there while the drop comes to rest, the same", "");
    validation_add(out, fmin(ours->whole, of[AKINCI2013].whole), 1, 0.01,
                   "share of the water in one piece, jeske2023 and akinci2013", "");
    validation_add(out, of[ZORILLA].whole, 1, 0.1, "the same, zorilla2020", "");
    validation_add(out, ours->clumped, 0, 0.01, "share of particles closer than 0.6 spacings, jeske2023", "");
    return MN_OK;
}
