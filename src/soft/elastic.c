/* elastic.c -- total-Lagrangian SPH; equations and promises stand in elastic.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vectors.h"
#include "soft/elastic_parts.h"

enum { MOST_SUBSTEPS = 100000 };

double mn_material_young(const mn_material *m)
{
    return m->lambda + m->mu > 0 ? m->mu * (3 * m->lambda + 2 * m->mu) / (m->lambda + m->mu) : 0;
}

double mn_material_speed(const mn_material *m) { return sqrt((m->lambda + 2 * m->mu) / m->density); }

void mn_elastic_become(mn_elastic *e, const mn_material *material)
{
    const double young = mn_material_young(material), speed = mn_material_speed(material);
    e->material = *material;
    e->mass = material->density * e->volume;
    /* twice the sum: the neighbours may move in the opposite direction */
    e->hourglass_rate = sqrt(2 * material->hourglass * young * e->stiff / material->density);
    e->viscous_rate = 2 * material->viscosity * speed * e->h * e->decay + material->damping;
    e->fresh = false;
}

mn_elastic *mn_elastic_new(const double *rest, int count, double spacing, const mn_material *material)
{
    mn_elastic *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->count = count;
    e->spacing = spacing;
    e->h = 2 * spacing;
    e->volume = spacing * spacing * spacing;
    const size_t n = (size_t)count + 1;
    e->rest = calloc(3 * n, sizeof(double)), e->x = calloc(3 * n, sizeof(double)), e->v = calloc(3 * n, sizeof(double));
    e->force = calloc(3 * n, sizeof(double)), e->contact_force = calloc(3 * n, sizeof(double)), e->fixed = calloc(n, 1),
    e->skin = calloc(n, 1);
    e->first = calloc(n, sizeof(int));
    e->inverse = calloc(6 * n, sizeof(double)), e->projector = calloc(6 * n, sizeof(double));
    e->gradient = calloc(9 * n, sizeof(double)), e->stress = calloc(9 * n, sizeof(double)),
    e->piola = calloc(9 * n, sizeof(double));
    bool ok = e->rest && e->x && e->v && e->force && e->contact_force && e->fixed && e->skin && e->first &&
              e->inverse && e->projector && e->gradient && e->stress && e->piola;
    if (ok) {
        memcpy(e->rest, rest, 3 * (size_t)count * sizeof *rest);
        memcpy(e->x, rest, 3 * (size_t)count * sizeof *rest);
        ok = mn_elastic_list(e);
    }
    if (ok) {
        const size_t pairs = (size_t)e->first[count] + 1;
        e->slope = malloc(pairs * sizeof(double)), e->held = malloc(pairs * sizeof(double));
        ok = e->slope && e->held;
    }
    if (ok) {
        mn_elastic_measure(e);
        mn_elastic_become(e, material);
        if (material->plain) e->plain = e->gradient;
        else ok = mn_correction_make(e);
    }
    if (ok) return e;
    mn_elastic_free(e);
    return NULL;
}

void mn_elastic_free(mn_elastic *e)
{
    if (!e) return;
    if (e->plain != e->gradient) free(e->plain);
    free(e->rest), free(e->x), free(e->v), free(e->force), free(e->contact_force), free(e->fixed), free(e->skin),
        free(e->first), free(e->list);
    free(e->slope), free(e->held), free(e->inverse), free(e->projector), free(e->gradient), free(e->stress);
    free(e->piola), free(e->edge), free(e->carry), free(e->carried);
    free(e);
}

/* ---------------------------------------------------------------------------------------------------------- forces */

/* a = b k, k symmetric */
static void times(const double b[9], const double k[6], double a[9])
{
    for (int r = 0; r < 9; r += 3) {
        const double x = b[r], y = b[r + 1], z = b[r + 2];
        a[r] = x * k[0] + y * k[1] + z * k[2], a[r + 1] = x * k[1] + y * k[3] + z * k[4],
        a[r + 2] = x * k[2] + y * k[4] + z * k[5];
    }
}

/* F as the neighbours give it. */
static void deform(mn_elastic *e, int i)
{
    double a[9] = {0};
    const double *xi = &e->x[3 * i], *ri = &e->rest[3 * i];
    for (int p = e->first[i]; p < e->first[i + 1]; p++) {
        const double *xj = &e->x[3 * e->list[p]], *rj = &e->rest[3 * e->list[p]], c = e->volume * e->slope[p];
        const double g[3] = {c * (rj[0] - ri[0]), c * (rj[1] - ri[1]), c * (rj[2] - ri[2])};
        for (int r = 0; r < 3; r++) {
            const double d = xj[r] - xi[r];
            a[3 * r] += d * g[0], a[3 * r + 1] += d * g[1], a[3 * r + 2] += d * g[2];
        }
    }
    times(a, &e->inverse[6 * i], &e->plain[9 * i]);
}

double mn_elastic_swelling(const mn_elastic *e, int particle)
{
    const double *f = &e->gradient[9 * particle];
    return f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6]) + f[2] * (f[3] * f[7] - f[4] * f[6]);
}

/* How far the volume is below 0.6 of its rest value; sheets and rows have none. */
static double compression(const mn_elastic *e, int i)
{
    const double *q = &e->projector[6 * i];
    return q[0] + q[3] + q[5] > 2.5 ? fmax(0.6 - mn_elastic_swelling(e, i), 0) : 0;
}

/* P of one particle; returns a bound of its largest squared stretch. */
static double strain(mn_elastic *e, int i)
{
    const double *f = &e->gradient[9 * i], *q = &e->projector[6 * i];
    double c[6], s[6];
    for (int n = 0, r = 0; r < 3; r++)
        for (int l = r; l < 3; l++, n++) c[n] = f[r] * f[l] + f[3 + r] * f[3 + l] + f[6 + r] * f[6 + l];
    const double trace = 0.5 * e->material.lambda * (c[0] + c[3] + c[5] - q[0] - q[3] - q[5]);
    for (int n = 0; n < 6; n++) s[n] = e->material.mu * (c[n] - q[n]);
    s[0] += trace, s[3] += trace, s[5] += trace;
    times(f, s, &e->piola[9 * i]);
    const double lack = compression(e, i);
    if (lack > 0) {
        const double p = -lack * (e->material.lambda + 2 * e->material.mu);
        for (int r = 0; r < 3; r++) /* the derivative of det F: rows across each other */
            for (int l = 0; l < 3; l++) {
                const int r1 = 3 * ((r + 1) % 3), r2 = 3 * ((r + 2) % 3), l1 = (l + 1) % 3, l2 = (l + 2) % 3;
                e->piola[9 * i + 3 * r + l] += p * (f[r1 + l1] * f[r2 + l2] - f[r1 + l2] * f[r2 + l1]);
            }
    }
    return fmax(fabs(c[0]) + fabs(c[1]) + fabs(c[2]),
                fmax(fabs(c[1]) + fabs(c[3]) + fabs(c[4]), fabs(c[2]) + fabs(c[4]) + fabs(c[5])));
}

/* P K^-1, with what the corrections of the particle and of its neighbours make of P. */
static void spread(mn_elastic *e, int i)
{
    double out[9];
    memcpy(out, &e->piola[9 * i], sizeof out);
    if (e->edge) mn_correction_of_stress(e, i, out);
    times(out, &e->inverse[6 * i], &e->stress[9 * i]);
}

static void gather(mn_elastic *e, int i)
{
    const double *xi = &e->x[3 * i], *vi = &e->v[3 * i], *ri = &e->rest[3 * i], *fi = &e->gradient[9 * i],
                 *si = &e->stress[9 * i];
    const double v2 = e->volume * e->volume, stiffness = 0.5 * e->material.hourglass * mn_material_young(&e->material);
    const double drag = e->material.viscosity * e->material.density * mn_material_speed(&e->material) * e->h;
    double out[3] = {0};
    for (int p = e->first[i]; p < e->first[i + 1]; p++) {
        const int j = e->list[p];
        const double *xj = &e->x[3 * j], *vj = &e->v[3 * j], *rj = &e->rest[3 * j], *fj = &e->gradient[9 * j],
                     *sj = &e->stress[9 * j];
        double rest[3], d[3], dv[3];
        sub3(rj, ri, rest), sub3(xj, xi, d), sub3(vj, vi, dv);
        const double r2 = dot3(d, d), c = e->slope[p];
        double bent = -2 * r2; /* ((F_i + F_j) D - 2 d).d */
        for (int r = 0; r < 3; r++) {
            out[r] += c * ((si[3 * r] + sj[3 * r]) * rest[0] + (si[3 * r + 1] + sj[3 * r + 1]) * rest[1] +
                           (si[3 * r + 2] + sj[3 * r + 2]) * rest[2]);
            bent += d[r] * ((fi[3 * r] + fj[3 * r]) * rest[0] + (fi[3 * r + 1] + fj[3 * r + 1]) * rest[1] +
                            (fi[3 * r + 2] + fj[3 * r + 2]) * rest[2]);
        }
        const double along = r2 > 0 ? (drag * c * dot3(dv, d) - stiffness * e->held[p] * bent) / r2 : 0;
        for (int r = 0; r < 3; r++) out[r] += along * d[r];
    }
    for (int r = 0; r < 3; r++) e->force[3 * i + r] = v2 * out[r];
}

void mn_elastic_forces(mn_elastic *e, int threads)
{
    double stretch2 = 1;
    const int n = e->count;
#pragma omp parallel num_threads(threads) if (n > 1024)
    {
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) deform(e, i);
#pragma omp for schedule(static) reduction(max : stretch2)
        for (int i = 0; i < n; i++) {
            if (e->edge) mn_correction_of_gradient(e, i);
            const double c = strain(e, i);
            stretch2 = c <= 1e6 ? fmax(stretch2, c) : INFINITY; /* also where it is NaN */
        }
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) spread(e, i);
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) gather(e, i);
    }
    e->stretch2 = stretch2;
    e->fresh = true;
}

/* ------------------------------------------------------------------------------------------------------------ time */

double mn_elastic_limit(const mn_elastic *e)
{
    /* the tangent stiffness of a stretched St. Venant-Kirchhoff rod grows as (3 stretch^2 - 1)/2 */
    const double wave = 0.2 * e->h / (mn_material_speed(&e->material) * sqrt(0.5 * (3 * e->stretch2 - 1)));
    double rate2 = 1 / (wave * wave);
    rate2 += e->hourglass_rate * e->hourglass_rate / 2.56; /* 1.6/omega; a spring alone allows 2 */
    rate2 += e->viscous_rate * e->viscous_rate;
    return 1 / sqrt(rate2);
}

/* Penalty of as much stiffness as the body itself, damped, with Coulomb friction that never turns the sliding
 * around. */
static void press(const mn_elastic *e, const mn_contact *c, const double begin[3], double elapsed, double dt,
                  double force[3])
{
    const double *x = &e->x[3 * c->particle], *v = &e->v[3 * c->particle];
    double moved[3], rel[3];
    sub3(x, begin, moved), sub3(v, c->velocity, rel);
    const double gap = c->gap + dot3(c->normal, moved) - elapsed * dot3(c->normal, c->velocity);
    if (!(gap < 0)) return;
    const double speed = mn_material_speed(&e->material);
    const double stiff = e->material.density * speed * speed * e->spacing,
                 damp = e->material.density * speed * e->spacing * e->spacing;
    const double closing = dot3(c->normal, rel), normal = fmax(-stiff * gap - damp * closing, 0);
    double slide[3];
    for (int r = 0; r < 3; r++) slide[r] = rel[r] - closing * c->normal[r];
    const double slip = length3(slide), grip = slip > 0 ? fmin(c->friction * normal / slip, 0.5 * e->mass / dt) : 0;
    for (int r = 0; r < 3; r++) force[r] += normal * c->normal[r] - grip * slide[r];
}

int mn_elastic_advance(mn_elastic *e, double dt, const double gravity[3], const double *load,
                       const mn_contact *contacts, int contact_count, int threads)
{
    double *begin = contact_count ? malloc(3 * (size_t)contact_count * sizeof *begin) : NULL;
    int *first = contact_count ? malloc((size_t)e->count * sizeof *first) : NULL;
    if (contact_count && (!begin || !first)) {
        free(begin), free(first);
        return -1;
    }
    for (int i = 0; i < e->count && contact_count; i++) first[i] = -1;
    for (int k = contact_count - 1; k >= 0; k--) {
        first[contacts[k].particle] = k;
        memcpy(&begin[3 * k], &e->x[3 * contacts[k].particle], 3 * sizeof *begin);
    }
    memset(e->contact_force, 0, 3 * (size_t)e->count * sizeof *e->contact_force);
    int steps = 0;
    double elapsed = 0;
    while (elapsed < dt) {
        if (!e->fresh) mn_elastic_forces(e, threads);
        const double left = dt - elapsed, parts = ceil(left / mn_elastic_limit(e) * (1 - 1e-12));
        if (!(parts < MOST_SUBSTEPS) || ++steps > MOST_SUBSTEPS) {
            steps = -1;
            break;
        }
        const double part = left / fmax(parts, 1), keep = 1 / (1 + part * e->material.damping);
#pragma omp parallel for num_threads(threads) if (e->count > 1024) schedule(static)
        for (int i = 0; i < e->count; i++) {
            double force[3] = {0}, *v = &e->v[3 * i], *x = &e->x[3 * i];
            for (int k = contact_count ? first[i] : -1; k >= 0 && k < contact_count && contacts[k].particle == i; k++)
                press(e, &contacts[k], &begin[3 * k], elapsed, part, force);
            for (int r = 0; r < 3; r++) {
                if (!e->fixed[i]) {
                    const double f = e->force[3 * i + r] + force[r] + (load ? load[3 * i + r] : 0);
                    v[r] = (v[r] + part * (f / e->mass + gravity[r])) * keep;
                    e->contact_force[3 * i + r] += force[r] * part / dt;
                }
                x[r] += part * v[r];
            }
        }
        elapsed = parts <= 1 ? dt : elapsed + part;
        e->fresh = false;
    }
    free(begin), free(first);
    return steps;
}

/* --------------------------------------------------------------------------------------------------------- numbers */

/* Cauchy's stress P F^T/det F without its mean. */
double mn_elastic_stress(const mn_elastic *e, int particle)
{
    const double *f = &e->gradient[9 * particle], *p = &e->piola[9 * particle],
                 swelling = mn_elastic_swelling(e, particle);
    double s[9], square = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            s[3 * r + c] = (p[3 * r] * f[3 * c] + p[3 * r + 1] * f[3 * c + 1] + p[3 * r + 2] * f[3 * c + 2]) / swelling;
    const double mean = (s[0] + s[4] + s[8]) / 3;
    for (int k = 0; k < 9; k++) square += (s[k] - (k % 4 ? 0 : mean)) * (s[k] - (k % 4 ? 0 : mean));
    return sqrt(1.5 * square);
}

double mn_elastic_energy(const mn_elastic *e)
{
    double sum = 0;
    for (int i = 0; i < e->count; i++) {
        const double *f = &e->gradient[9 * i], *q = &e->projector[6 * i];
        double c[6], trace, square = 0;
        for (int n = 0, r = 0; r < 3; r++)
            for (int l = r; l < 3; l++, n++) {
                c[n] = 0.5 * (f[r] * f[l] + f[3 + r] * f[3 + l] + f[6 + r] * f[6 + l] - q[n]);
                square += (r == l ? 1 : 2) * c[n] * c[n];
            }
        trace = c[0] + c[3] + c[5];
        const double lack = compression(e, i), barrier = 0.5 * (e->material.lambda + 2 * e->material.mu) * lack * lack;
        sum += e->volume * (0.5 * e->material.lambda * trace * trace + e->material.mu * square + barrier);
    }
    return sum;
}

double mn_elastic_kinetic(const mn_elastic *e)
{
    double sum = 0;
    for (int i = 0; i < e->count; i++) sum += dot3(&e->v[3 * i], &e->v[3 * i]);
    return 0.5 * e->mass * sum;
}

void mn_elastic_momentum(const mn_elastic *e, double out[3])
{
    double sum[3] = {0};
    for (int i = 0; i < e->count; i++)
        for (int r = 0; r < 3; r++) sum[r] += e->v[3 * i + r];
    for (int r = 0; r < 3; r++) out[r] = e->mass * sum[r];
}
