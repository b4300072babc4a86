/* shape.c -- shapes as signed distances: analytic for the primitives, tree and winding number for meshes.
 *
 * Distances are exact inside and outside. Shapes of revolution are measured in their half plane (rho, y).
 */
#include "geometry/shape.h"
#include "base/exact.h"

#include "geometry/vectors.h"

#include <stdlib.h>

const char *mn_shape_name(mn_shape_kind kind)
{
    static const char *const names[] = {"box", "sphere", "cylinder", "capsule", "cone", "torus", "plane", "mesh"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "?";
}

/* ------------------------------------------------------------ checks */

static bool positive(const mn_shape_def *def, const char *key, double value, bool zero_too, mn_messages *say)
{
    if (isfinite(value) && value <= 1e30 && (value > 0 || (zero_too && value == 0))) return true;
    mn_say_error(say, def->at, "%s: %s is %g, expected a finite number %s 0 (m)", mn_shape_name(def->kind), key, value,
                 zero_too ? "of at least" : "above");
    return false;
}

/* What holds between dimensions, once each of them is fine. */
static bool check_together(const mn_shape_def *s, mn_messages *say)
{
    if (s->kind == MN_CONE && s->radius == 0 && s->radius2 == 0) {
        mn_say_error(say, s->at, "cone: radius and radius2 are both 0, expected at least one above 0 (m)");
        return false;
    }
    if (s->kind == MN_TORUS && s->radius2 > s->radius) {
        mn_say_error(say, s->at, "torus: radius2 (of the tube) is %g, expected at most radius (of the ring), %g m",
                     s->radius2, s->radius);
        return false;
    }
    return true;
}

/* Complains of every bad dimension, not only of the first. */
static bool check_dimensions(const mn_shape_def *s, mn_messages *say)
{
    static const char *const size_key[3] = {"size[0]", "size[1]", "size[2]"};
    mn_shape_kind kind = s->kind;
    bool gridded = kind == MN_BOX && s->grid[0] > 0 && s->grid[1] > 0 && s->grid[2] > 0, ok = true;
    if ((unsigned)kind > MN_MESH) {
        mn_say_error(say, s->at, "unknown kind of shape (%d)", (int)kind);
        return false;
    }
    if (kind == MN_MESH) {
        ok = s->file && *s->file;
        if (!ok) mn_say_error(say, s->at, "mesh: no file named, expected the path of an .obj, .ply or .stl file");
        return ok;
    }
    for (int k = 0; k < 3; k++)
        if (kind == MN_BOX || (kind == MN_PLANE && k != 1)) ok &= positive(s, size_key[k], s->size[k], gridded, say);
    if (kind != MN_BOX && kind != MN_PLANE) ok &= positive(s, "radius", s->radius, kind == MN_CONE, say);
    if (kind == MN_CONE || kind == MN_TORUS) ok &= positive(s, "radius2", s->radius2, kind == MN_CONE, say);
    if (kind == MN_CYLINDER || kind == MN_CAPSULE || kind == MN_CONE)
        ok &= positive(s, "height", s->height, kind == MN_CAPSULE, say);
    return ok && check_together(s, say);
}

static bool check_transform(const mn_shape_def *s, mn_messages *say)
{
    const char *name = mn_shape_name(s->kind);
    if (!(isfinite(s->scale) && s->scale > 0 && s->scale <= 1e30)) {
        mn_say_error(say, s->at, "%s: scale is %g, expected a finite number above 0", name, s->scale);
        return false;
    }
    for (int k = 0; k < 3; k++)
        if (!(s->stretch[k] >= 0 && s->stretch[k] <= 1e30)) {
            mn_say_error(say, s->at, "%s: scale is %g, expected a finite number above 0", name, s->stretch[k]);
            return false;
        }
    for (int k = 0; k < 3; k++)
        if (!(fabs(s->translate[k]) <= 1e30)) {
            mn_say_error(say, s->at, "%s: translate[%d] is %g, expected a finite number (m)", name, k, s->translate[k]);
            return false;
        }
    const double *r = s->rotation;
    double cross[3];
    cross3(r, r + 3, cross);
    bool ok = fabs(dot3(r, r) - 1) < 1e-4 && fabs(dot3(r + 3, r + 3) - 1) < 1e-4 && fabs(dot3(r, r + 3)) < 1e-4;
    if (!ok || !(distance3(cross, r + 6) < 1e-4)) {
        mn_say_error(say, s->at, "%s: rotation is not a rotation matrix (orthonormal, right-handed)", name);
        return false;
    }
    return true;
}

/* ------------------------------------------------------------ construction */

static void set_bounds(mn_shape *s, double x, double y, double z)
{
    s->low[0] = -(s->high[0] = x);
    s->low[1] = -(s->high[1] = y);
    s->low[2] = -(s->high[2] = z);
}

static void set_primitive(mn_shape *s, const mn_shape_def *def, const double factor[3])
{
    s->radius = factor[0] * def->radius;
    s->radius2 = factor[0] * def->radius2;
    s->height = factor[1] * def->height;
    double widest = fmax(s->radius, s->radius2);
    for (int k = 0; k < 3; k++) s->half[k] = 0.5 * factor[k] * def->size[k];
    switch (s->kind) {
    case MN_BOX: set_bounds(s, s->half[0], s->half[1], s->half[2]); break;
    case MN_SPHERE: set_bounds(s, s->radius, s->radius, s->radius); break;
    case MN_CYLINDER: set_bounds(s, s->radius, 0.5 * s->height, s->radius); break;
    case MN_CAPSULE: set_bounds(s, s->radius, 0.5 * s->height + s->radius, s->radius); break;
    case MN_CONE: set_bounds(s, widest, 0.5 * s->height, widest); break;
    case MN_TORUS: set_bounds(s, s->radius + s->radius2, s->radius2, s->radius + s->radius2); break;
    default: set_bounds(s, s->half[0], 0, s->half[2]); break;
    }
}

/* Stretches the mesh, notes its bounds in the shape's frame and moves it into the world. */
static bool settle_mesh(mn_shape *s, const mn_shape_def *def, const double factor[3], mn_messages *say)
{
    for (size_t i = 0; i < 3 * (size_t)s->mesh.vertex_count; i++) s->mesh.vertex[i] *= factor[i % 3];
    for (int k = 0; k < 3; k++) s->low[k] = INFINITY, s->high[k] = -INFINITY;
    for (size_t i = 0; i < 3 * (size_t)s->mesh.triangle_count;
         i++) /* of the triangles: a stray vertex does not count */
        for (int k = 0; k < 3; k++) {
            double x = s->mesh.vertex[3 * (size_t)s->mesh.triangle[i] + (size_t)k];
            s->low[k] = fmin(s->low[k], x);
            s->high[k] = fmax(s->high[k], x);
        }
    for (int i = 0; i < s->mesh.vertex_count; i++) {
        double *v = s->mesh.vertex + 3 * (size_t)i, local[3] = {v[0], v[1], v[2]};
        mn_shape_place(s, local, v);
    }
    s->tree = mn_bvh_new(&s->mesh);
    if (!s->tree)
        mn_say_failure(say, def->at, "mesh: out of memory for the tree of %d triangles", s->mesh.triangle_count);
    return s->tree != NULL;
}

static bool read_mesh(mn_shape *s, const mn_shape_def *def, mn_messages *say)
{
    if (mn_mesh_read(def->file, &s->mesh, say) != MN_OK) {
        mn_say_error(say, def->at, "the mesh \"%s\" cannot be read", def->file);
        return false;
    }
    return (def->rim ? mn_mesh_check_sheet : mn_mesh_check_watertight)(&s->mesh, def->at, say) == MN_OK;
}

/* Whether factors make of a round shape one that no formula here describes, such as an ellipsoid. */
static bool loses_formula(mn_shape_kind kind, const double factor[3])
{
    const bool round = factor[0] == factor[2];
    if (kind == MN_CYLINDER || kind == MN_CONE) return !round;
    return (kind == MN_SPHERE || kind == MN_CAPSULE || kind == MN_TORUS) && !(round && factor[0] == factor[1]);
}

/* Triangles of the shape before it is stretched, of its volume: theirs, whose corners lie on it, is a thousandth
 * less. */
static bool make_mesh(mn_shape *s, const mn_shape_def *def, mn_messages *say)
{
    enum { AROUND = 128, TUBE = 48 };
    static const double one[3] = {1, 1, 1}, pi = 3.14159265358979323846;
    mn_shape plain = {.kind = def->kind, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    set_primitive(&plain, def, one);
    double edge = 2 * pi * plain.high[0] / AROUND;
    if (def->kind == MN_TORUS) edge = fmin(edge, 2 * pi * plain.radius2 / TUBE);
    if (mn_shape_skin(&plain, edge, &s->mesh, say) != MN_OK) return false;
    const mn_shape polyhedron = {.kind = MN_MESH, .mesh = s->mesh};
    const double larger = mn_cbrt(mn_shape_moments(&plain).volume / mn_shape_moments(&polyhedron).volume);
    for (size_t i = 0; i < 3 * (size_t)s->mesh.vertex_count; i++) s->mesh.vertex[i] *= larger;
    return true;
}

mn_shape *mn_shape_new(const mn_shape_def *def, mn_messages *say)
{
    bool ok = check_dimensions(def, say);
    if (!check_transform(def, say) || !ok) return NULL;
    mn_shape *s = calloc(1, sizeof *s);
    if (!s) {
        mn_say_failure(say, def->at, "out of memory");
        return NULL;
    }
    const double factor[3] = {mn_shape_factor(def, 0), mn_shape_factor(def, 1), mn_shape_factor(def, 2)};
    const bool meshed = def->kind == MN_MESH || loses_formula(def->kind, factor);
    s->kind = meshed ? MN_MESH : def->kind;
    s->inside_out = def->inside_out;
    const bool ended = def->kind == MN_CYLINDER || def->kind == MN_CONE;
    for (int end = 0; end < 2; end++) s->open_end[end] = ended && def->open[2 + end];
    for (int i = 0; i < 9; i++) s->rotation[i] = def->rotation[i];
    for (int k = 0; k < 3; k++) s->translate[k] = def->translate[k];
    if (!meshed) {
        set_primitive(s, def, factor);
    } else if (!(def->kind == MN_MESH ? read_mesh : make_mesh)(s, def, say) || !settle_mesh(s, def, factor, say)) {
        mn_shape_free(s);
        return NULL;
    }
    return s;
}

/* Returns how much longer it is. */
static double prolong_end(mn_shape_def *s, int end, double length)
{
    double *radius = end ? &s->radius2 : &s->radius;
    const double slope = (end ? 1 : -1) * (s->radius2 - s->radius) / s->height;
    if (s->kind == MN_CONE && *radius + slope * length < 0) length = -*radius / slope;
    if (s->kind == MN_CONE) *radius = fmax(*radius + slope * length, 0);
    s->height += length;
    return length;
}

mn_shape_def mn_shape_prolonged(const mn_shape_def *def, double length)
{
    mn_shape_def out = *def;
    double shift[3] = {0, 0, 0};
    for (int face = 0; face < 6; face++) {
        if (!def->open[face]) continue;
        const int axis = face / 2;
        const double factor = mn_shape_factor(def, axis);
        double more = length / factor;
        if (def->kind == MN_BOX) out.size[axis] += more;
        else more = prolong_end(&out, face % 2, more);
        shift[axis] += (face % 2 ? 0.5 : -0.5) * more * factor;
    }
    for (int a = 0; a < 3; a++) out.translate[a] += dot3(def->rotation + 3 * a, shift);
    return out;
}

void mn_shape_free(mn_shape *shape)
{
    if (!shape) return;
    mn_bvh_free(shape->tree);
    mn_mesh_free(&shape->mesh);
    free(shape);
}

const mn_mesh *mn_shape_mesh(const mn_shape *shape) { return shape->kind == MN_MESH ? &shape->mesh : NULL; }

void mn_shape_place(const mn_shape *s, const double local[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = dot3(s->rotation + 3 * k, local) + s->translate[k];
}

void mn_shape_bounds(const mn_shape *s, double low[3], double high[3])
{
    double centre[3], half[3], middle[3];
    for (int k = 0; k < 3; k++) centre[k] = 0.5 * (s->low[k] + s->high[k]), half[k] = 0.5 * (s->high[k] - s->low[k]);
    mn_shape_place(s, centre, middle);
    for (int k = 0; k < 3; k++) {
        const double *row = s->rotation + 3 * k;
        double reach = fabs(row[0]) * half[0] + fabs(row[1]) * half[1] + fabs(row[2]) * half[2];
        low[k] = middle[k] - reach;
        high[k] = middle[k] + reach;
    }
    if (s->kind != MN_MESH) return;
    /* Tight for a turned mesh: its triangles are at hand. */
    for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
    for (size_t i = 0; i < 3 * (size_t)s->mesh.triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            double x = s->mesh.vertex[3 * (size_t)s->mesh.triangle[i] + (size_t)k];
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
}

/* ------------------------------------------------------------ distances, all in the shape's frame */

static double box_distance(const double half[3], const double p[3])
{
    double outside2 = 0, inside = -INFINITY;
    for (int k = 0; k < 3; k++) {
        double q = fabs(p[k]) - half[k];
        outside2 += q > 0 ? q * q : 0;
        inside = fmax(inside, q);
    }
    return inside > 0 ? sqrt(outside2) : inside;
}

static double cylinder_distance(double radius, double half_height, double rho, double y)
{
    double side = rho - radius, cap = fabs(y) - half_height;
    if (side > 0 && cap > 0) return mn_hypot(side, cap);
    return fmax(side, cap);
}

static double segment_distance(double ax, double ay, double bx, double by, double x, double y)
{
    double ex = bx - ax, ey = by - ay, t = ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey);
    t = t < 0 ? 0 : t > 1 ? 1 : t; /* a NaN of a zero-length segment cannot come here: heights are positive */
    return mn_hypot(x - ax - t * ex, y - ay - t * ey);
}

static double cone_distance(const mn_shape *s, double rho, double y)
{
    double h = 0.5 * s->height, r1 = s->radius, r2 = s->radius2;
    double wall = r1 + (r2 - r1) * (y + h) / (2 * h);
    double d = segment_distance(r1, -h, r2, h, rho, y);
    d = fmin(d, mn_hypot(fmax(rho - r1, 0), y + h));
    d = fmin(d, mn_hypot(fmax(rho - r2, 0), y - h));
    return fabs(y) < h && rho < wall ? -d : d;
}

static double mesh_distance(const mn_shape *s, const double x[3], double limit)
{
    double d = mn_bvh_distance(s->tree, x, limit);
    return mn_bvh_winding(s->tree, x) > 0.5 ? -d : d;
}

static double primitive_distance(const mn_shape *s, const double p[3])
{
    double rho = s->kind == MN_BOX || s->kind == MN_SPHERE ? 0 : mn_hypot(p[0], p[2]), cap;
    switch (s->kind) {
    case MN_BOX: return box_distance(s->half, p);
    case MN_SPHERE: return length3(p) - s->radius;
    case MN_CYLINDER: return cylinder_distance(s->radius, 0.5 * s->height, rho, p[1]);
    case MN_CAPSULE: cap = fmax(fabs(p[1]) - 0.5 * s->height, 0); return mn_hypot(rho, cap) - s->radius;
    case MN_CONE: return cone_distance(s, rho, p[1]);
    case MN_TORUS: return mn_hypot(rho - s->radius, p[1]) - s->radius2;
    default: return p[1];
    }
}

double mn_shape_distance(const mn_shape *s, const double x[3], double limit)
{
    double d;
    if (s->kind == MN_MESH) {
        d = mesh_distance(s, x, limit);
    } else {
        double p[3], from[3];
        sub3(x, s->translate, from);
        for (int k = 0; k < 3; k++)
            p[k] = s->rotation[k] * from[0] + s->rotation[3 + k] * from[1] + s->rotation[6 + k] * from[2];
        d = primitive_distance(s, p);
    }
    return s->inside_out ? -d : d;
}

/* Across a sheet the winding number falls by one from behind to before; across the air beside its rim it does not. */
double mn_sheet_distance(const mn_shape *s, const double x[3], double limit)
{
    double foot[3], before[3], behind[3];
    const double d = mn_bvh_foot(s->tree, x, INFINITY, foot), step = 1e-3;
    if (!(d > 0)) return 0;
    for (int k = 0; k < 3; k++) {
        before[k] = foot[k] + step * (x[k] - foot[k]);
        behind[k] = foot[k] - step * (x[k] - foot[k]);
    }
    const double fall = mn_bvh_winding(s->tree, behind) - mn_bvh_winding(s->tree, before);
    const bool is_behind = s->inside_out ? fall > 0.75 : fall < -0.75; /* at the rim it is half of that */
    return is_behind ? -fmin(d, limit) : fmin(d, limit);
}

mn_status mn_spacing_check(const mn_shape *shape, double spacing, mn_place at, mn_messages *say)
{
    if (!(isfinite(spacing) && spacing > 0)) {
        mn_say_error(say, at, "spacing is %g, expected a finite number above 0 (m)", spacing);
        return MN_BAD_INPUT;
    }
    double low[3], high[3], reach = 0;
    mn_shape_bounds(shape, low, high);
    for (int k = 0; k < 3; k++) reach = fmax(reach, fmax(fabs(low[k]), fabs(high[k])));
    if (reach < 1e12 * spacing) return MN_OK;
    mn_say_error(say, at,
                 "%s: it reaches to %g m, too far from the origin for a spacing of %g m (expected below 1e12 spacings)",
                 mn_shape_name(shape->kind), reach, spacing);
    return MN_BAD_INPUT;
}
