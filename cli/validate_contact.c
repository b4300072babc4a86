/* validate_contact.c -- contact angles in degrees: drops of water on plates, with the model laplace.
 *
 * Each drop has the volume of half a ball of 1 mm, 8 spacings, and starts as a cap. U = sqrt(sigma/(rho R)) is the
 * speed of capillary motion. The liquid begins 0.6 spacings above a wall's points.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"
#include "validate_drop.h"

static const double RADIUS = 1e-3, U = 0.2698, DEGREE = M_PI / 180; /* m, m/s */
static const double SPACING = 1e-3 / 8;

typedef struct plate {
    double angle, from;  /* degrees: of the plate, of the cap at the start */
    double weight, lean; /* m/s^2; sine: down is towards +x */
    double until;        /* s */
    const char *angles;  /* over time, in place of `angle`; NULL: none */
    const char *lines;   /* of the wall; NULL: none */
    double jitter;       /* of the start; 0: 0.1 */
    bool still;          /* brought to rest with twenty times water's viscosity */
    bool placed;         /* the first layer stands where it rests, 1.1 spacings above the wall's points */
    double floor;        /* where the liquid begins, spacings above the wall; 0: 0.6, as on boundary points */
} plate;

typedef struct sessile_found {
    double angle; /* degrees, of the cap with the same centre of mass */
    double speed; /* over U */
    double moved; /* of the centre of mass along x, spacings */
} sessile_found;

static double ball_of(double from)
{
    const double c = cos(from * DEGREE);
    return RADIUS * cbrt(2 / ((2 + c) * (1 - c) * (1 - c)));
}

static mn_status open_plate(moment *m, const validation_setup *setup, const plate *p, mn_messages *say)
{
    char text[1400], angle[32];
    snprintf(angle, sizeof angle, "%g", p->angle);
    const double d = SPACING, ball = ball_of(p->from), cut = 0.6 * d, low = ball * cos(p->from * DEGREE);
    snprintf(text, sizeof text,
             "particles: {spacing: %g}\ngravity: [%g, %g, 0]\ntime: {step: 4e-5, end: 1}\n"
             "pressure: {tolerance: 0.002}\n"
             "fluids:\n  - shapes: [{sphere: {centre: [0, %g, 0], radius: %g}}]\n"
             "    holes: [{box: {min: [-1, -1, -1], max: [1, %g, 1]}}]\n    jitter: %g\n%s"
             "walls:\n  - contact_angle: %s\n"
             "    shapes: [{plane: {point: [%g, 0, 0], normal: [0, 1, 0], size: [%g, 0.006]}}]\n%s",
             d, p->weight * p->lean, p->weight > 0 ? -p->weight * sqrt(1 - p->lean * p->lean) : 0,
             cut - (p->placed ? d * round(low / d) : low), ball, cut, p->jitter > 0 ? p->jitter : 0.1,
             p->still ? DROP_STILL : DROP_WATER, p->angles ? p->angles : angle, p->weight > 0 ? 0.004 : 0,
             p->weight > 0 ? 0.016 : 0.006, p->lines ? p->lines : "");
    return moment_text(m, setup, text, say);
}

static double along(const moment *m)
{
    double sum = 0;
    for (int64_t i = 0; i < m->all.count; i++) sum += (double)m->position[3 * i] / (double)m->all.count;
    return sum / SPACING;
}

static mn_status sessile(const validation_setup *setup, const plate *p, sessile_found *out, mn_messages *say)
{
    moment m;
    mn_status status = open_plate(&m, setup, p, say);
    if (status == MN_OK) status = moment_go_on(&m, p->until);
    if (status == MN_OK) {
        mn_cap cap;
        if (!mn_measure_cap(&m.all, (const double[3]){0, 1, 0}, (p->floor > 0 ? p->floor : 0.6) * SPACING, &cap))
            status = MN_FAILED;
        *out = (sessile_found){cap.angle, moment_speed(&m) / U, along(&m)};
    }
    moment_end(&m);
    return status;
}

/* The bars of most speeds are what was reached once, not what is asked for: see docs/methods/laplace.md. Half a ball on
   a wall of 150 degrees has more energy than a ball that has left it. */
mn_status validate_laplace_angle(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const struct {
        double angle, from, bar, calm;
        const char *what;
    } rows[] = {{60, 90, 5, 0.01, "contact angle, 60 asked for"},
                {90, 90, 5, 0.01, "90 asked for"},
                {75, 45, 5, 0.05, "75 asked for, from 45: the line recedes"},
                {120, 90, 5, 0.05, "120 asked for"},
                {75, 90, 5, 0.02, "75 asked for"},
                {45, 90, 5, 0.1, "45 asked for"},
                {105, 90, 5, 0.03, "105 asked for"},
                {150, 120, 5, 0.1, "150 asked for, from 120, swings for long"},
                {30, 90, 5, 0.05, "30 asked for"}};
    const int count = setup->end > 0 ? 4 : (int)(sizeof rows / sizeof *rows); /* tests: the first four */
    for (int k = 0; k < count; k++) {
        const plate p = {.angle = rows[k].angle, .from = rows[k].from, .until = 0.032};
        sessile_found found = {0};
        const mn_status status = sessile(setup, &p, &found, say);
        if (status != MN_OK) return status;
        validation_add(out, found.angle, rows[k].angle, rows[k].bar / rows[k].angle, rows[k].what, "degrees");
        validation_add(out, found.speed, 0, rows[k].calm, "speed over U", "");
    }
    return MN_OK;
}

/* From both sides, mean from 25 to 32 ms, the worst of three starts. */
mn_status validate_laplace_sides(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    enum { STARTS = 3, LOOKS = 8 };
    static const double jitter[STARTS] = {0.05, 0.1, 0.2};
    static const struct {
        double angle, from;
        const char *what;
    } rows[] = {{30, 20, "contact angle, 30 asked for, from 20, the worst of three starts"},
                {30, 45, "from 45"},
                {60, 40, "60 asked for, from 40"},
                {60, 90, "from 90"},
                {90, 60, "90 asked for, from 60"},
                {90, 120, "from 120"},
                {120, 90, "120 asked for, from 90"},
                {120, 150, "from 150"},
                {150, 120, "150 asked for, from 120"},
                {150, 165, "from 165"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double worst = rows[k].angle;
        for (int start = 0; start < STARTS; start++) {
            const plate p = {.angle = rows[k].angle, .from = rows[k].from, .placed = true, .jitter = jitter[start]};
            double mean = 0;
            moment m;
            mn_cap cap;
            mn_status status = open_plate(&m, setup, &p, say);
            for (int look = 0; look < LOOKS && status == MN_OK; look++) {
                status = moment_go_on(&m, 0.025 + 0.001 * look);
                if (status == MN_OK && !mn_measure_cap(&m.all, (const double[3]){0, 1, 0}, 0.6 * SPACING, &cap))
                    status = MN_FAILED;
                if (status == MN_OK) mean += cap.angle / LOOKS;
            }
            moment_end(&m);
            if (status != MN_OK) return status;
            if (fabs(mean - rows[k].angle) > fabs(worst - rows[k].angle)) worst = mean;
        }
        validation_add(out, worst, rows[k].angle, 5 / rows[k].angle, rows[k].what, "degrees");
    }
    return MN_OK;
}

/* Volume of a drop that is a part of a ball of that radius and stands on one of radius `wall` with the angle, and how
   high over that its centre of mass lies. */
static double round_volume(double angle, double wall, double radius, double *centre)
{
    enum { SLICES = 1000 };
    const double apart = sqrt(wall * wall + radius * radius - 2 * wall * radius * cos(angle * DEGREE));
    double volume = 0, first = 0;
    for (int k = 0; k < SLICES; k++) {
        const double z = apart + radius * (2 * (k + 0.5) / SLICES - 1);
        const double ring = radius * radius - (z - apart) * (z - apart) - fmax(wall * wall - z * z, 0);
        volume += fmax(ring, 0), first += z * fmax(ring, 0);
    }
    *centre = first / volume - wall;
    return M_PI * volume * 2 * radius / SLICES;
}

/* The height of the centre for a drop of that volume. */
static double round_centre(double angle, double wall, double volume)
{
    double low = 1e-4, high = 1e-2, centre = 0;
    for (int k = 0; k < 40; k++) {
        const double mid = sqrt(low * high);
        if (round_volume(angle, wall, mid, &centre) < volume) low = mid;
        else high = mid;
    }
    return centre;
}

/* The mean from 48 to 64 ms: the drop swings, once in 16 ms at 120 degrees. */
static mn_status on_ball(const validation_setup *setup, double angle, double *found, mn_messages *say)
{
    enum { LOOKS = 16 };
    char text[1000];
    const double d = SPACING, wall = 2e-3 + 0.6 * d;
    snprintf(text, sizeof text,
             "particles: {spacing: %g}\ngravity: [0, 0, 0]\ntime: {step: 4e-5, end: 1}\npressure: {tolerance: 0.002}\n"
             "fluids:\n  - shapes: [{sphere: {centre: [0, %g, 0], radius: 0.001}}]\n"
             "    holes: [{sphere: {radius: %g}}]\n    jitter: 0.1\n" DROP_WATER
             "walls:\n  - contact_angle: %g\n    shapes: [{sphere: {radius: 0.002}}]\n",
             d, sqrt(wall * wall + 1e-6), wall, angle);
    moment m;
    mn_status status = moment_text(&m, setup, text, say);
    *found = 0;
    for (int look = 0; look < LOOKS && status == MN_OK; look++) {
        double centre[3], unused[3], low = 5, high = 175;
        status = moment_go_on(&m, 0.048 + look * 0.016 / LOOKS);
        if (status != MN_OK) break;
        mn_measure_moments(&m.all, centre, unused);
        const double height = sqrt(centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2]) - wall;
        for (int k = 0; k < 12; k++) {
            const double mid = 0.5 * (low + high);
            if (round_centre(mid, wall, (double)m.all.count * d * d * d) < height) low = mid;
            else high = mid;
        }
        *found += 0.5 * (low + high) / LOOKS;
    }
    moment_end(&m);
    return status;
}

/* On a ball of 2 mm, from 90 degrees. */
mn_status validate_laplace_round(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const struct {
        double angle;
        const char *what;
    } rows[] = {{30, "contact angle on a ball of 2 mm, 30 asked for"},
                {60, "60 asked for"},
                {90, "90 asked for"},
                {120, "120 asked for"}};
    for (int k = 0; k < (setup->end > 0 ? 2 : 4); k++) {
        double found = 0;
        const mn_status status = on_ball(setup, rows[k].angle, &found, say);
        if (status != MN_OK) return status;
        validation_add(out, found, rows[k].angle, 5 / rows[k].angle, rows[k].what, "degrees");
    }
    return MN_OK;
}

/* On volume maps, where the first layer rests 1.15 spacings above the wall. */
mn_status validate_laplace_maps(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const struct {
        double angle;
        const char *what;
    } rows[] = {{60, "contact angle on a volume map, 60 asked for"}, {90, "90 asked for"}, {120, "120 asked for"}};
    for (int k = 0; k < 3; k++) {
        const plate p = {.angle = rows[k].angle,
                         .from = 90,
                         .until = 0.032,
                         .lines = "    method: volume_maps\n",
                         .still = true,
                         .floor = 0.65};
        sessile_found found = {0};
        const mn_status status = sessile(setup, &p, &found, say);
        if (status != MN_OK) return status;
        validation_add(out, found.angle, rows[k].angle, 5 / rows[k].angle, rows[k].what, "degrees");
        validation_add(out, found.speed, 0, 0.05, "speed over U", "");
    }
    return MN_OK;
}

/* -- hysteresis ---------------------------------------------------------------------------------------------------- */

/* The sine of the lean at which a drop begins to slide (Furmidge 1962), for a weight of 40 m/s^2. */
static const double WEIGHT = 40;
static double furmidge(double angle, double hysteresis)
{
    const double width = 2 * ball_of(angle) * sin(angle * DEGREE), volume = 2 * M_PI / 3 * pow(RADIUS, 3);
    const double cosines = cos((angle - hysteresis / 2) * DEGREE) - cos((angle + hysteresis / 2) * DEGREE);
    return DROP_SIGMA * width * cosines / (1000 * WEIGHT * volume);
}

typedef struct lean_row {
    double angle, hysteresis, lean; /* lean: over that of a hysteresis of 20 degrees */
    double expected, bar;           /* spacings in 20 ms, after 10 ms */
    const char *what;
} lean_row;

static mn_status lean(const validation_setup *setup, const lean_row *row, validation_report *out, mn_messages *say)
{
    char lines[48];
    snprintf(lines, sizeof lines, "    contact_hysteresis: %g\n", row->hysteresis);
    const plate p = {.angle = row->angle,
                     .from = row->angle,
                     .weight = WEIGHT,
                     .lean = row->lean * furmidge(row->angle, 20),
                     .lines = lines};
    moment m;
    double before = 0;
    mn_status status = open_plate(&m, setup, &p, say);
    if (status == MN_OK) status = moment_go_on(&m, 0.01);
    if (status == MN_OK) before = along(&m), status = moment_go_on(&m, 0.03);
    if (status == MN_OK) validation_add(out, along(&m) - before, row->expected, row->bar, row->what, "spacings");
    moment_end(&m);
    return status;
}

/* A line sticks between the angles at which it recedes and advances, and no farther. */
mn_status validate_laplace_hysteresis(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const lean_row leans[] = {
        {90, 20, 0.6, 0, 1, "90 degrees, hysteresis 20, 0.6 of Furmidge's lean: moved"},
        {90, 20, 1.4, 21.5, 0.86, "1.4 of it"},
        {90, 0, 0.3, 21.5, 0.86, "no hysteresis, 0.3 of it"},
        {60, 20, 0.6, 0, 1, "60 degrees, hysteresis 20, 0.6 of Furmidge's lean: moved"},
        {60, 20, 1.4, 21.5, 0.86, "1.4 of it"},
    };
    /* Released at once a drop swings past the angle at which its line moves, and the line stays where that ends:
       without any loss a cap of 120 degrees on a wall of 105 turns round at 91.2. What a line does at rest is seen
       where the angle of the wall changes slowly. */
    static const struct {
        double angle, from, hysteresis, expected, bar, until;
        const char *angles, *what;
    } rows[] = {{60, 90, 20, 70, 5, 0.024, NULL, "60 degrees, hysteresis 20, from 90: advances to"},
                {90, 60, 30, 75, 5, 0.024, NULL, "90 degrees, hysteresis 30, from 60: recedes to"},
                {90, 120, 30, 98.1, 6.9, 0.024, NULL, "from 120: swings past 105, not past 91.2"},
                {90, 120, 30, 105, 5, 0.064, "{0: 105, 0.004: 105, 0.044: 90}", "from 120, slowly: advances to"},
                {90, 60, 30, 75, 5, 0.064, "{0: 75, 0.004: 75, 0.044: 90}", "from 60, slowly: recedes to"},
                {120, 90, 30, 105, 5, 0.064, "{0: 105, 0.004: 105, 0.044: 120}",
                 "120 degrees, hysteresis 30, from 90, slowly: recedes to"},
                {120, 150, 30, 135, 5, 0.024, NULL, "from 150: advances to"},
                {60, 40, 20, 50, 5, 0.024, NULL, "60 degrees, hysteresis 20, from 40: recedes to"}};
    const bool test = setup->end > 0;
    for (int k = 0; k < (test ? 3 : 5); k++) {
        const mn_status status = lean(setup, &leans[k], out, say);
        if (status != MN_OK) return status;
    }
    for (int k = 0; k < (test ? 2 : (int)(sizeof rows / sizeof *rows)); k++) {
        char lines[48];
        snprintf(lines, sizeof lines, "    contact_hysteresis: %g\n", rows[k].hysteresis);
        const plate p = {.angle = rows[k].angle,
                         .from = rows[k].from,
                         .until = rows[k].until,
                         .angles = rows[k].angles,
                         .lines = lines,
                         .placed = true};
        sessile_found found = {0};
        const mn_status status = sessile(setup, &p, &found, say);
        if (status != MN_OK) return status;
        validation_add(out, found.angle, rows[k].expected, rows[k].bar / rows[k].expected, rows[k].what, "degrees");
    }
    return MN_OK;
}

/* -- lines that move ----------------------------------------------------------------------------------------------- */

static const double THICK = 1e-4, SLIP = 1e-9; /* m^2/s; m, of a wall that does not say */

static double base_of(double angle) { return ball_of(angle) * sin(angle * DEGREE); }

/* Seconds in which a cap goes from one angle to another on a wall of angle `rest`, slowly: Cox and Voinov,
   dR/dt = sigma (angle^3 - rest^3)/(9 mu ln(R/(2 e^2 slip))). */
static double advance_time(double from, double to, double rest)
{
    enum { PARTS = 1000 };
    double time = 0;
    for (int k = 0; k < PARTS; k++) {
        const double a = from + (to - from) * k / PARTS, b = from + (to - from) * (k + 1) / PARTS, mid = (a + b) / 2;
        const double cubes = (pow(mid, 3) - pow(rest, 3)) * pow(DEGREE, 3);
        const double bends = 9 * 1000 * THICK * log(base_of(mid) / (2 * exp(2) * SLIP));
        time += (base_of(b) - base_of(a)) * bends / (DROP_SIGMA * cubes);
    }
    return time;
}

/* Cox's g, theta^3/9 for small angles: the integral of (x - sin x cos x)/(2 sin x). */
static double cox(double angle)
{
    enum { PARTS = 500 };
    double sum = 0;
    for (int k = 0; k < PARTS; k++) {
        const double x = angle * DEGREE * (k + 0.5) / PARTS;
        sum += (x - sin(x) * cos(x)) / (2 * sin(x)) * angle * DEGREE / PARTS;
    }
    return sum;
}

/* The same of a drop that is not flat: g(angle) - g(rest) = Ca (ln(R/slip) - Q), and the angle of the cap with the
   drop's centre of mass is larger by Ca S. Q and S from 60 degrees on, every 5, by the flow in such a cap
   (tools/cap_flow.c). */
static double cap_time(double from, double to, double rest)
{
    enum { PARTS = 1000, LEAST = 60, MOST = 95 };
    static const double flow[][2] = {{1.959, 1.457}, {1.854, 1.296}, {1.743, 1.167}, {1.635, 1.063},
                                     {1.521, 0.978}, {1.408, 0.906}, {1.291, 0.846}, {1.174, 0.796}};
    double time = 0;
    for (int k = 0; k < PARTS; k++) {
        const double step = (double)(MOST - LEAST) / PARTS, mid = LEAST + step * (k + 0.5);
        const int at = (int)(mid - LEAST) / 5;
        const double share = (mid - LEAST) / 5 - at;
        const double q = flow[at][0] + share * (flow[at + 1][0] - flow[at][0]);
        const double s = flow[at][1] + share * (flow[at + 1][1] - flow[at][1]);
        const double ca = (cox(mid) - cox(rest)) / (log(base_of(mid) / SLIP) - q), seen = mid + ca * s / DEGREE;
        if (seen > from || seen < to) continue;
        time += (base_of(mid - 0.5 * step) - base_of(mid + 0.5 * step)) * 1000 * THICK / (DROP_SIGMA * ca);
    }
    return time;
}

/* Moment at which the cap with the drop's centre of mass has no more than `angle`; `time`, `seen`: of the last look. */
static mn_status advance_to(moment *m, double angle, double floor, double *time, double *seen, double *out)
{
    mn_status status = MN_OK;
    while (status == MN_OK && *time < 0.06) {
        const double before = *seen, step = 2e-4;
        mn_cap cap;
        status = moment_go_on(m, *time + step);
        if (status != MN_OK || !mn_measure_cap(&m->all, (const double[3]){0, 1, 0}, floor, &cap)) return MN_FAILED;
        *time += step, *seen = cap.angle;
        if (cap.angle > angle) continue;
        *out = *time - step * (angle - cap.angle) / (before - cap.angle);
        return MN_OK;
    }
    *out = NAN;
    return status;
}

/* Half a ball on a wall that it wets better, so thick that it stays a cap: from 85 to 70 degrees. */
mn_status validate_laplace_advance(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const struct {
        double rest;
        int spacings; /* to the radius */
        double jitter;
        int seed;
        const char *what;
    } rows[] = {{45, 8, 0.1, 0, "time from 85 to 70 degrees on a wall of 45, 8 spacings, over Cox and Voinov's"},
                {60, 8, 0.1, 0, "on a wall of 60"},
                {45, 12, 0.1, 0, "on a wall of 45, 12 spacings"},
                {60, 12, 0.1, 0, "on a wall of 60, 12 spacings"},
                {45, 12, 0.05, 1, "on a wall of 45, 12 spacings, shaken less"},
                {60, 12, 0.05, 1, "on a wall of 60, 12 spacings, shaken less"},
                {45, 12, 0.05, 2, "on a wall of 45, 12 spacings, another start"},
                {60, 12, 0.05, 2, "on a wall of 60, 12 spacings, another start"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const double d = RADIUS / rows[k].spacings;
        double time = 0, seen = 90, first = 0, last = 0;
        char text[1000];
        snprintf(text, sizeof text,
                 "particles: {spacing: %.9g}\ngravity: [0, 0, 0]\ntime: {adaptive: {max: 4e-5}, end: 1}\n"
                 "pressure: {tolerance: 0.002}\n"
                 "fluids:\n  - shapes: [{sphere: {centre: [0, %.9g, 0], radius: %g}}]\n"
                 "    holes: [{box: {min: [-1, -1, -1], max: [1, %.9g, 1]}}]\n"
                 "    jitter: %g\n    seed: %d\n    viscosity: %g\n    surface_tension: 0.0728\n"
                 "walls:\n  - {contact_angle: %g, friction: 2.5,\n"
                 "     shapes: [{plane: {point: [0, 0, 0], normal: [0, 1, 0], size: [0.006, 0.006]}}]}\n",
                 d, 0.6 * d, RADIUS, 0.95 * d, rows[k].jitter, rows[k].seed, THICK, rows[k].rest);
        moment m;
        mn_status status = moment_text(&m, setup, text, say);
        if (status == MN_OK) status = advance_to(&m, 85, 0.6 * d, &time, &seen, &first);
        if (status == MN_OK) status = advance_to(&m, 70, 0.6 * d, &time, &seen, &last);
        moment_end(&m);
        if (status != MN_OK) return status;
        validation_add(out, (last - first) / advance_time(85, 70, rows[k].rest), 1, 0.2, rows[k].what, "");
        validation_add(out, (last - first) / cap_time(85, 70, rows[k].rest), 1, 0.2,
                       "the same over Cox's with the flow in the drop", "");
    }
    return MN_OK;
}

/* -- angles that differ -------------------------------------------------------------------------------------------- */

/* How far the drop of laplace/climbing-drop has come after 28 ms, mm. */
static mn_status climb(const validation_setup *setup, const char *text, double *out, mn_messages *say)
{
    moment m;
    mn_status status =
        text ? moment_text(&m, setup, text, say) : moment_run(&m, setup, "laplace/climbing-drop", NULL, 0.028, say);
    if (status == MN_OK && text) status = moment_go_on(&m, 0.028);
    *out = 0;
    for (int64_t i = 0; i < m.all.count && status == MN_OK; i++)
        *out += 1e3 * (double)m.position[3 * i] / (double)m.all.count;
    moment_end(&m);
    return status;
}

/* The same plate of sixteen walls, each with its own angle: as many boundary points at the same places. */
static void strips(char *text, size_t size)
{
    const double low = cos(95 * DEGREE), high = cos(45 * DEGREE);
    int at = snprintf(text, size,
                      "particles: {spacing: 1e-4}\ngravity: [-1.703, -9.661, 0]\n"
                      "time: {adaptive: {max: 3.8e-5}, end: 1}\npressure: {tolerance: 0.002}\n"
                      "fluids:\n  - shapes: [{sphere: {centre: [0, 6e-5, 0], radius: 0.001}}]\n"
                      "    holes: [{box: {min: [-1, -1, -1], max: [1, 6e-5, 1]}}]\n"
                      "    viscosity: {model: standard, viscosity: 1e-6, wall_viscosity: 1e-6}\n"
                      "    surface_tension: 0.0728\nwalls:\n");
    for (int k = 0; k < 16; k++)
        at += snprintf(text + at, size - (size_t)at,
                       "  - {contact_angle: %.6f, shapes: [{plane: {point: [%.6f, 0, 0], normal: [0, 1, 0], "
                       "size: [0.0004, 0.005]}}]}\n",
                       acos(low + (high - low) * (k + 0.5) / 16) / DEGREE, -0.00175 + 0.0005 * k);
}

/* Two drops on one plate, each a fluid with its own angle. */
static mn_status two_fluids(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    static const char text[] = "particles: {spacing: 1.25e-4}\ngravity: [0, 0, 0]\ntime: {step: 4e-5, end: 1}\n"
                               "pressure: {tolerance: 0.002}\nfluids:\n"
                               "  - name: one\n    shapes: [{sphere: {centre: [-0.002, 7.5e-5, 0], radius: 0.001}}]\n"
                               "    holes: [{box: {min: [-1, -1, -1], max: [1, 7.5e-5, 1]}}]\n" DROP_WATER
                               "  - name: other\n    shapes: [{sphere: {centre: [0.002, 7.5e-5, 0], radius: 0.001}}]\n"
                               "    holes: [{box: {min: [-1, -1, -1], max: [1, 7.5e-5, 1]}}]\n" DROP_WATER
                               "walls:\n  - contact_angle: 110\n    contact_angles: [{fluid: one, angle: 60}]\n"
                               "    shapes: [{plane: {point: [0, 0, 0], normal: [0, 1, 0], size: [0.01, 0.006]}}]\n";
    static const double expected[2] = {60, 110};
    moment m;
    mn_status status = moment_text(&m, setup, text, say);
    if (status == MN_OK) status = moment_go_on(&m, 0.02);
    for (int f = 0; f < 2 && status == MN_OK; f++) {
        mn_cloud drop = m.all;
        mn_cap cap;
        drop.count = 0;
        float *own = malloc((size_t)m.all.count * 3 * sizeof *own + 4);
        for (int64_t i = 0; i < m.all.count && own; i++)
            if ((int)m.fluid[i] == f) memcpy(own + 3 * drop.count++, m.position + 3 * i, 3 * sizeof *own);
        drop.position = own;
        if (!own || !mn_measure_cap(&drop, (const double[3]){0, 1, 0}, 0.6 * SPACING, &cap)) status = MN_FAILED;
        else
            validation_add(out, cap.angle, expected[f], 5 / expected[f],
                           f ? "the other fluid, 110" : "one of two fluids on a plate, 60", "degrees");
        free(own);
    }
    moment_end(&m);
    return status;
}

/* The angle changes slowly: at once a cap of 60 degrees on a wall of 120 has 1.18 times the energy of a free ball. */
mn_status validate_laplace_pattern(const validation_setup *setup, validation_report *out, mn_messages *say)
{
    const plate changing = {.from = 60, .until = 0.104, .angles = "{0: 60, 0.008: 60, 0.088: 120}"};
    char text[4000];
    double image, walls = 0;
    sessile_found found = {0};
    mn_status status = climb(setup, NULL, &image, say);
    if (status != MN_OK) return status;
    validation_add(out, image, 1.5, 0.667, "a drop climbs a gradient by an image, after 28 ms", "mm");
    if (setup->end == 0) {
        status = sessile(setup, &changing, &found, say);
        if (status != MN_OK) return status;
        validation_add(out, found.angle, 120, 5.0 / 120, "60 degrees that become 120 within 80 ms, 16 ms later",
                       "degrees");
        strips(text, sizeof text);
        status = climb(setup, text, &walls, say);
        if (status != MN_OK) return status;
        validation_add(out, image / walls, 1, 0.1, "climbing by the image over that on sixteen strips", "");
    }
    return two_fluids(setup, out, say);
}
