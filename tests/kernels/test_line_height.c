/* Which length stands in the logarithm of the law for lines that move (docs/notes/contact-lines.md): the angle to which
 * the model leads down the surface above a line is the one that the surface has about a spacing from the line. Ridges
 * come to rest on a wall of 60 degrees; then their particles are moved by a smooth flow that gives the surface the
 * slope b ln(r/d), and the kernels say by how much the angle of the wall has to change to be the right one again. */
#include "kernels/kernel_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEEP = 8, MOST = 2500, PARTS = 1000 };

static const double D = 1e-4, AREA = 226, B = 0.08; /* m; squares of a spacing; rad */

/* A ridge, in spacings: its particles about the middle of its foot, the angle and radius of its arc, half its foot. */
typedef struct ridge {
    int count;
    double at[MOST][3], angle, radius, half;
    double flow[PARTS]; /* stream function along the surface, every 0.01 spacings */
} ridge;

/* The arc that has the area and the height of the centre. */
static void measure(ridge *r)
{
    const double area = (double)r->count / DEEP;
    double centre = 0, low = 0.1, high = 3;
    for (int i = 0; i < r->count; i++) centre += r->at[i][1] / r->count;
    for (int k = 0; k < 50; k++) {
        const double t = 0.5 * (low + high), share = t - sin(t) * cos(t), radius = sqrt(area / share);
        if (2 * radius * pow(sin(t), 3) / (3 * share) - radius * cos(t) < centre) low = t;
        else high = t;
    }
    r->angle = low, r->radius = sqrt(area / (low - sin(low) * cos(low))), r->half = r->radius * sin(low);
}

/* The surface moves by r ln r - r within 4 spacings, and less and less until 7: its slope changes by ln r. */
static void make_flow(ridge *r)
{
    double sum = 0;
    for (int k = 0; k < PARTS; k++) {
        const double x = (k + 0.5) * 0.01, near = x < 4 ? 1 : x > 7 ? 0 : 0.5 + 0.5 * cos(M_PI * (x - 4) / 3);
        r->flow[k] = sum, sum -= near * (x * log(x) - x) * 0.01;
    }
}

/* Inwards from the line, and up. */
static double stream(const ridge *r, double x, double y)
{
    const double away = hypot(x, y), place = fmin(away / 0.01, PARTS - 2), open = asin(fmin(1, away / (2 * r->radius)));
    const int k = (int)place;
    const double flow = r->flow[k] + (place - k) * (r->flow[k + 1] - r->flow[k]);
    return atan2(y, x) / fmax(r->angle - open, 0.2) * flow;
}

static void put(kernel_world *k, const ridge *r, double b, double middle)
{
    static float place[3 * MOST];
    const double e = 0.02;
    for (int i = 0; i < r->count; i++) {
        const double side = r->at[i][0] < 0 ? 1 : -1, x = r->half + side * r->at[i][0], y = r->at[i][1];
        const double u = b * (stream(r, x, y + e) - stream(r, x, y - e)) / (2 * e);
        const double v = -b * (stream(r, x + e, y) - stream(r, x - e, y)) / (2 * e);
        place[3 * i] = (float)(D * (side * (x + u - r->half) + middle));
        place[3 * i + 1] = (float)(D * (y + v + 0.6)), place[3 * i + 2] = (float)(D * r->at[i][2]);
    }
    assert_int_equal(mn_world_set(k->world, "position", place, k->say), MN_OK);
    kernel_world_run(k, "search density");
}

/* By how much the cosine that the kernels lead down to the wall is more than this one: mean over the lines, after the
   curvature has come to rest. */
static double gap(kernel_world *k, double cosine)
{
    static float wide[4 * MOST], pull[4 * MOST];
    const mn_world *w = k->world;
    const real4 angle = {(float)cosine, (float)cosine, 0, 0};
    const size_t bytes = (size_t)w->layout.fluid * 4 * sizeof(float);
    double sum = 0, lines = 0;
    assert_true(w->api->put(w->device, w->field[MN_FIELD_wall_wetting], 0, &angle, sizeof angle));
    for (int round = 0; round < 24; round++)
        kernel_world_run(k, "force_begin laplace_area laplace_wide laplace_turn laplace_face laplace_bend laplace_even "
                            "laplace=0");
    assert_true(w->api->get(w->device, w->field[MN_FIELD_laplace_wide], 0, wide, bytes));
    assert_true(w->api->get(w->device, w->field[MN_FIELD_laplace_pull], 0, pull, bytes));
    for (int i = 0; i < w->layout.fluid; i++) sum += (double)pull[4 * i + 3], lines += (double)wide[4 * i + 3];
    assert_true(lines > DEEP);
    return sum / lines;
}

static kernel_world *standing(int seed)
{
    static kernel_world k;
    const double radius = sqrt(AREA / (M_PI / 3 - sqrt(3) / 4)); /* of 60 degrees */
    char text[1000];
    snprintf(text, sizeof text,
             "particles: {spacing: 1e-4}\ngravity: [0, 0, 0]\ntime: {adaptive: {max: 4e-5}, end: 1}\n"
             "domain: {min: [-1, -1, 0], max: [1, 1, 8e-4], periodic: [z]}\n"
             "fluids:\n  - shapes: [{cylinder: {centre: [0, %.9g, 4e-4], radius: %.9g, height: 8e-4,\n"
             "                         axis: [0, 0, 1]}}]\n"
             "    holes: [{box: {min: [-1, -1, -1], max: [1, 0.95e-4, 1]}}]\n    sampling: poisson\n    seed: %d\n"
             "    viscosity: 2e-5\n    surface_tension: 0.0728\n"
             "walls:\n  - {contact_angle: 60, friction: 2.5,\n"
             "     shapes: [{plane: {point: [0, 0, 4e-4], normal: [0, 1, 0], size: [6e-3, 8e-4]}}]}\n",
             6e-5 - 0.5 * D * radius, D * radius, seed);
    k.say = mn_messages_new();
    k.scene = mn_scene_parse(text, strlen(text), "ridge", NULL, 0, k.say);
    const mn_options options = {"cpu", 1};
    k.world = k.scene ? mn_world_new(k.scene, &options, k.say) : NULL;
    for (int m = 0; m < mn_messages_count(k.say); m++) print_message("%s\n", mn_messages_get(k.say, m).text);
    assert_non_null(k.world);
    return &k;
}

static void is_a_spacing(void **state)
{
    (void)state;
    enum { STARTS = 2, LOOKS = 2 };
    static ridge r;
    static float place[3 * MOST];
    double bent = 0, wetted = 0;
    make_flow(&r);
    for (int n = 0; n < STARTS * LOOKS; n++) {
        static kernel_world *k;
        const double until = 0.02 + 0.002 * (n % LOOKS);
        double middle = 0;
        if (n % LOOKS == 0) k = standing(n / LOOKS);
        while (mn_world_time(k->world) < until) assert_int_equal(mn_step(k->world, k->say), MN_OK);
        r.count = (int)mn_world_particles(k->world);
        assert_in_range(r.count, 1000, MOST);
        assert_int_equal(mn_world_get(k->world, "position", place, k->say), MN_OK);
        for (int i = 0; i < r.count; i++) middle += (double)place[3 * i] / D / r.count;
        for (int i = 0; i < r.count; i++)
            for (int a = 0; a < 3; a++)
                r.at[i][a] = (double)place[3 * i + a] / D - (a == 0 ? middle : a == 1 ? 0.6 : 0);
        measure(&r);
        const double cosine = cos(r.angle);
        put(k, &r, B, middle);
        const double more = gap(k, cosine);
        put(k, &r, -B, middle);
        bent += (more - gap(k, cosine)) / (2 * B * sin(r.angle));
        put(k, &r, 0, middle);
        wetted += (gap(k, cosine + 0.03) - gap(k, cosine - 0.03)) / 0.06;
        gap(k, cos(M_PI / 3)); /* the angle as it was */
        if (n % LOOKS < LOOKS - 1) continue;
        mn_world_free(k->world), mn_scene_free(k->scene), mn_messages_free(k->say);
    }
    const double found = exp(bent / wetted);
    print_message("the angle is that at %.2f spacings from the line\n", found);
    assert_true(found > 0.5 && found < 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_a_spacing)};
    return cmocka_run_group_tests_name("line height", tests, NULL, NULL);
}
