/* sample_surface.c -- one layer of points on a surface, evenly.
 *
 * Boxes and planes by grids that meet in their edges and corners. Shapes of revolution by their profile, a curve in
 * the half plane (rho, y): it is cut into steps of about one spacing, and each of its points is turned into a ring
 * of points about one spacing apart. Counts are rounded to the nearest and the steps stretched to fit, so nothing is
 * left over.
 */
#include "geometry/shape.h"
#include "base/exact.h"
#include "geometry/vectors.h"

static const double pi = 3.14159265358979323846;

typedef struct surface {
    const mn_shape *shape;
    double spacing;
    mn_points *out;
    mn_status status;
    /* profile */
    bool started, half_turn; /* half_turn: the next ring is turned by half its step against the last */
    double rho, y;           /* last point of the profile */
    bool on_axis;            /* its ring was a single point on the axis */
} surface;

static void add(surface *s, double x, double y, double z)
{
    double local[3] = {x, y, z}, world[3];
    mn_shape_place(s->shape, local, world);
    if (s->status == MN_OK) s->status = mn_points_add(s->out, world);
}

/* Nearest number of steps, at least one. */
static double steps(double length, double spacing) { return fmax(1, floor(length / spacing + 0.5)); }

static mn_status refuse(const mn_shape_def *def, double estimate, double spacing, mn_messages *say)
{
    mn_say_error(say, def->at,
                 "%s: its surface needs about %.3g points at a spacing of %g m, more than the %.3g allowed",
                 mn_shape_name(def->kind), estimate, spacing, MN_MAX_SAMPLES);
    return MN_BAD_INPUT;
}

/* ------------------------------------------------------------ grids */

/* A face is left out if it is open; its rim stays where it belongs to a closed one. */
static bool on_closed_face(const long i[3], const long n[3], const bool open[6])
{
    for (int k = 0; k < 3; k++)
        if ((i[k] == 0 && !open[2 * k]) || (i[k] == n[k] && !open[2 * k + 1])) return true;
    return false;
}

static mn_status sample_box(surface *s, const mn_shape_def *def, mn_messages *say)
{
    const double *half = s->shape->half;
    double estimate = 0, count[3];
    /* A box much thinner than a spacing is a single sheet. */
    for (int k = 0; k < 3; k++) count[k] = 2 * half[k] < 0.4 * s->spacing ? 0 : steps(2 * half[k], s->spacing);
    for (int k = 0; k < 3; k++) estimate += 2 * (count[k] + 1) * (count[(k + 1) % 3] + 1);
    if (!(estimate <= MN_MAX_SAMPLES)) return refuse(def, estimate, s->spacing, say);
    long n[3] = {(long)count[0], (long)count[1], (long)count[2]}, i[3];
    for (i[2] = 0; i[2] <= n[2]; i[2]++)
        for (i[1] = 0; i[1] <= n[1]; i[1]++) {
            bool whole_row = n[0] == 0 || i[2] == 0 || i[2] == n[2] || i[1] == 0 || i[1] == n[1];
            for (i[0] = 0; i[0] <= n[0]; i[0] += whole_row ? 1 : n[0]) {
                if (!on_closed_face(i, n, def->open)) continue;
                double x[3];
                for (int k = 0; k < 3; k++) x[k] = n[k] ? half[k] * (2 * (double)i[k] / count[k] - 1) : 0;
                add(s, x[0], x[1], x[2]);
            }
        }
    return s->status;
}

static mn_status sample_plane(surface *s, const mn_shape_def *def, mn_messages *say)
{
    const double *half = s->shape->half;
    double nx = steps(2 * half[0], s->spacing), nz = steps(2 * half[2], s->spacing);
    if (!((nx + 1) * (nz + 1) <= MN_MAX_SAMPLES)) return refuse(def, (nx + 1) * (nz + 1), s->spacing, say);
    for (double j = 0; j <= nz; j++)
        for (double i = 0; i <= nx; i++) add(s, half[0] * (2 * i / nx - 1), 0, half[2] * (2 * j / nz - 1));
    return s->status;
}

/* ------------------------------------------------------------ shapes of revolution */

/* One ring; a narrow one is a point on the axis, and two such points close together are one. */
static void ring(surface *s, double rho, double y)
{
    bool on_axis = rho < 0.4 * s->spacing;
    bool again = s->started && s->on_axis && on_axis && fabs(y - s->y) < 0.5 * s->spacing;
    double count = fmax(3, floor(2 * pi * rho / s->spacing + 0.5)), shift = s->half_turn ? 0.5 : 0;
    if (on_axis && !again) add(s, 0, y, 0);
    if (!on_axis)
        for (double i = 0; i < count; i++) {
            double angle = 2 * pi * (i + shift) / count;
            add(s, rho * mn_cos(angle), y, rho * mn_sin(angle));
        }
    s->half_turn = !s->half_turn;
    s->started = true;
    s->on_axis = on_axis;
    s->rho = rho, s->y = y;
}

/* The profile goes on straight to (rho, y). Pieces much shorter than a spacing are passed over. */
static void line_to(surface *s, double rho, double y)
{
    double rho0 = s->rho, y0 = s->y, length = mn_hypot(rho - rho0, y - y0);
    if (length < 0.4 * s->spacing) return;
    double n = steps(length, s->spacing);
    for (double i = 1; i < n; i++) ring(s, rho0 + (rho - rho0) * i / n, y0 + (y - y0) * i / n);
    ring(s, rho, y);
}

/* The profile goes on along a circle about (rho, y) from one angle to another, measured from the outward direction. */
static void arc(surface *s, double rho, double y, double radius, double from, double to, bool closed)
{
    double n = fmax(closed ? 3 : 1, steps(radius * fabs(to - from), s->spacing));
    for (double i = closed ? 0 : 1; i < n + (closed ? 0 : 1); i++) {
        double angle = from + (to - from) * i / n;
        bool pole = !closed && i == n && rho == 0 && fabs(fabs(to) - pi / 2) < 1e-9;
        ring(s, pole ? 0 : fmax(0, rho + radius * mn_cos(angle)), y + radius * mn_sin(angle));
    }
}

static double revolution_area(const mn_shape *b)
{
    double r = b->radius, r2 = b->radius2, h = b->height;
    switch (b->kind) {
    case MN_SPHERE: return 4 * pi * r * r;
    case MN_CAPSULE: return 4 * pi * r * r + 2 * pi * r * h;
    case MN_CYLINDER: return 2 * pi * r * (r + h);
    case MN_CONE: return pi * (r * r + r2 * r2 + (r + r2) * mn_hypot(r - r2, h));
    default: return 4 * pi * pi * r * r2;
    }
}

static mn_status sample_revolution(surface *s, const mn_shape_def *def, mn_messages *say)
{
    const mn_shape *b = s->shape;
    double h = 0.5 * b->height, r = b->radius, top = b->kind == MN_CYLINDER ? r : b->radius2;
    double estimate = revolution_area(b) / (s->spacing * s->spacing) + (b->high[0] + b->high[1]) / s->spacing;
    if (!(estimate <= MN_MAX_SAMPLES)) return refuse(def, estimate, s->spacing, say);
    switch (b->kind) {
    case MN_SPHERE:
    case MN_CAPSULE:
        if (b->kind == MN_SPHERE) h = 0;
        ring(s, 0, -h - r);
        arc(s, 0, -h, r, -pi / 2, 0, false);
        line_to(s, r, h);
        arc(s, 0, h, r, 0, pi / 2, false);
        break;
    case MN_TORUS: arc(s, r, 0, b->radius2, 0, 2 * pi, true); break;
    default: /* cylinder and cone; a disc much thinner than a spacing is a single sheet */
        if (2 * h < 0.4 * s->spacing) {
            ring(s, b->open_end[0] && b->open_end[1] ? fmax(r, top) : 0, 0);
            line_to(s, fmax(r, top), 0);
            break;
        }
        ring(s, b->open_end[0] ? r : 0, -h);
        line_to(s, r, -h);
        line_to(s, top, h);
        if (!b->open_end[1]) line_to(s, 0, h);
        break;
    }
    return s->status;
}

mn_status mn_sample_surface(const mn_shape *shape, const mn_shape_def *def, double spacing, int seed, mn_points *out,
                            mn_messages *say)
{
    mn_status status = mn_spacing_check(shape, spacing, def->at, say);
    if (status != MN_OK) return status;
    surface s = {.shape = shape, .spacing = spacing, .out = out, .status = MN_OK};
    long before = out->count;
    switch (shape->kind) {
    case MN_BOX: status = sample_box(&s, def, say); break;
    case MN_PLANE: status = sample_plane(&s, def, say); break;
    case MN_MESH: status = mn_sample_mesh(&shape->mesh, spacing, seed, def->at, out, say); break;
    default: status = sample_revolution(&s, def, say); break;
    }
    if (status == MN_FAILED)
        mn_say_failure(say, def->at, "%s: out of memory after %ld surface points", mn_shape_name(shape->kind),
                       out->count - before);
    if (status != MN_OK) out->count = before;
    return status;
}
