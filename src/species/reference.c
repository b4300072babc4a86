/* reference.c -- what the sums of diffusion make of D in configurations where the answer is known. D is divided by it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/methods.h"
#include "species/species.h"
#include "world.h"

/* |W'(r)|/r h^5 of the spline with support radius h at r = q h. */
static double slope(double q)
{
    const double a = fmax(1.0 - q, 0.0), b = fmax(0.5 - q, 0.0);
    return 8.0 / 3.14159265358979323846 * (6.0 * a * a - 24.0 * b * b) / q;
}

/* sum_j V |f| x^2 on a cubic lattice of spacing h/2. */
double mn_species_bulk_moment(void)
{
    double sum = 0.0;
    for (int x = -2; x <= 2; x++)
        for (int y = -2; y <= 2; y++)
            for (int z = -2; z <= 2; z++)
                if (x || y || z) sum += 0.125 * slope(0.5 * sqrt(x * x + y * y + z * z)) * 0.25 * x * x;
    return sum;
}

typedef struct link {
    int a, b;
    double rate; /* (A_a V_b + A_b V_a) |f| */
} link;

/* The pairs of surface particles; NULL when out of memory. */
static link *links_of(const real4 *pos, const float *area, int n, int *count)
{
    int room = 1 << 16, used = 0;
    link *list = malloc((size_t)room * sizeof *list);
    for (int i = 0; i < n && list; i++)
        for (int j = 0; j < i && list && area[i] > 0.0f; j++) {
            const double x = (double)(pos[i].x - pos[j].x), y = (double)(pos[i].y - pos[j].y), z = (double)(pos[i].z - pos[j].z);
            const double r = sqrt(x * x + y * y + z * z);
            if (!(area[j] > 0.0f) || r >= 2.0) continue;
            if (used == room) {
                room *= 2;
                link *more = realloc(list, (size_t)room * sizeof *list);
                if (!more) free(list);
                if (!(list = more)) break;
            }
            list[used++] =
                (link){i, j, ((double)area[i] * (double)pos[j].w + (double)area[j] * (double)pos[i].w) * slope(0.5 * r) / 32.0};
        }
    *count = used;
    return list;
}

/* How fast the mode z/r (l = 1) decays with D = 1, over 2/R^2 with 1/R^2 the area's mean of 1/r^2. */
static double first_mode(const real4 *pos, const float *area, int n, const link *list, int count, double *held)
{
    const double span = 0.4; /* of the decay followed */
    double whole = 0.0, bent = 0.0, before = 0.0, after = 0.0;
    double *mode = held + n, *change = mode + n, *limit = change + n;
    for (int i = 0; i < n; i++) {
        const double r2 = (double)(pos[i].x * pos[i].x + pos[i].y * pos[i].y + pos[i].z * pos[i].z), a = (double)area[i];
        mode[i] = (double)pos[i].z / sqrt(r2);
        held[i] = a * mode[i];
        whole += a, bent += a / r2, before += held[i] * mode[i];
    }
    const double time = span * whole / (2.0 * bent), dt = time / ceil(time / 0.1);
    memset(limit, 0, (size_t)n * sizeof *limit);
    for (int k = 0; k < count; k++) limit[list[k].a] += list[k].rate, limit[list[k].b] += list[k].rate;
    for (int i = 0; i < n; i++)
        limit[i] = limit[i] > 0.0 ? fmin(1.0, (double)MN_MOST_LOST * (double)area[i] / (dt * limit[i])) : 1.0;
    for (int step = 0; step < (int)(time / dt + 0.5); step++) {
        memset(change, 0, (size_t)n * sizeof *change);
        for (int k = 0; k < count; k++) {
            const link *p = &list[k];
            const double flux =
                dt * fmin(limit[p->a], limit[p->b]) * p->rate * (held[p->a] / (double)area[p->a] - held[p->b] / (double)area[p->b]);
            change[p->a] -= flux, change[p->b] += flux;
        }
        for (int i = 0; i < n; i++) held[i] += change[i];
    }
    for (int i = 0; i < n; i++) after += held[i] * mode[i];
    return log(before / after) / span;
}

/* A drop of radius 10 spacings, of disordered particles, at rest; on the scalar CPU, so that every run gets the same number. */
double mn_species_film_moment(mn_messages *say)
{
    static const char text[] = "particles: {spacing: 1}\ngravity: [0, 0, 0]\ntime: {step: 0.001, end: 1}\n"
                               "fluids: [{sampling: poisson, shapes: [{sphere: {radius: 10}}], surface: {model: orthmann2013, "
                               "smoothing: 1}}]\n";
    const mn_options options = {"cpu-scalar", 1};
    mn_scene *scene = mn_scene_parse(text, sizeof text - 1, "reference drop", NULL, 0, say);
    mn_world *w = scene ? mn_world_new(scene, &options, say) : NULL;
    double moment = 0.0;
    if (w) {
        mn_world_parameters(w);
        mn_search(w, say);
        mn_run(w, MN_KERNEL_density, MN_NO_ARG);
        for (int a = 0; a < w->active_count; a++)
            if (w->active[a].code->method->surface) w->active[a].code->method->surface(w, &w->active[a]);
        const int n = w->layout.fluid;
        real4 *pos = malloc(((size_t)n + 1) * sizeof *pos);
        float *area = malloc(((size_t)n + 1) * sizeof *area);
        bool ok = false;
        if (pos && area && !w->failed && w->api->get(w->device, w->field[MN_FIELD_pos], 0, pos, (size_t)n * sizeof *pos) &&
            w->api->get(w->device, w->field[MN_FIELD_area], 0, area, (size_t)n * sizeof *area))
            ok = true;
        int count = 0;
        link *list = ok ? links_of(pos, area, n, &count) : NULL;
        double *room = malloc((4 * (size_t)n + 1) * sizeof *room);
        if (list && room) moment = first_mode(pos, area, n, list, count, room);
        free(pos), free(area), free(list), free(room);
    }
    mn_world_free(w);
    mn_scene_free(scene);
    return moment;
}
