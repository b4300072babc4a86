/* read_shape.c -- shapes as people write them (corners, centres, axes) into the one form that geometry knows: a
 * shape about its own origin, scaled, turned by a matrix, moved.
 */
#include "scene/read.h"
#include "base/exact.h"
#include "scene/tables.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

bool mn_normalise(double v[3])
{
    double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], length = sqrt(square);
    if (isnan(length)) return true; /* complained about already */
    if (length < 1e-100) return false;
    if (fabs(square - 1) > 1e-14)
        for (int i = 0; i < 3; i++) v[i] /= length;
    return true;
}

/* ---------------------------------------------------------------- rotations */

static void multiply(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

/* Rodrigues; quarter turns are exact, so that turned boxes stay on their lattice. */
static void turn(const double unit[3], double degrees, double out[9])
{
    double c, s;
    mn_sincos(degrees * M_PI / 180, &s, &c);
    if (fmod(degrees, 90) == 0) c = round(c), s = round(s);
    double x = unit[0], y = unit[1], z = unit[2], d = 1 - c;
    const double matrix[9] = {c + x * x * d,     x * y * d - z * s, x * z * d + y * s, y * x * d + z * s, c + y * y * d,
                              y * z * d - x * s, z * x * d - y * s, z * y * d + x * s, c + z * z * d};
    memcpy(out, matrix, sizeof matrix);
}

/* The shortest turn that takes +y to the unit vector a. */
static void turn_y_to(const double a[3], double out[9])
{
    double across = a[0] * a[0] + a[2] * a[2];
    if (a[1] < 0 && across < 1e-24) {
        turn((const double[3]){1, 0, 0}, 180, out);
        return;
    }
    double d = a[1] < 0 ? (1 - a[1]) / across : 1 / (1 + a[1]); /* the same; 1 + a[1] would cancel near -1 */
    const double matrix[9] = {1 - a[0] * a[0] * d, a[0], -a[0] * a[2] * d,   -a[0], a[1], -a[2],
                              -a[0] * a[2] * d,    a[2], 1 - a[2] * a[2] * d};
    memcpy(out, matrix, sizeof matrix);
}

static bool is_rotation(const double m[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double dot = m[3 * i] * m[3 * j] + m[3 * i + 1] * m[3 * j + 1] + m[3 * i + 2] * m[3 * j + 2];
            if (fabs(dot - (i == j)) > 1e-6) return false;
        }
    double determinant =
        m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
    return determinant > 0;
}

typedef struct axis_angle {
    double axis[3], angle;
} axis_angle;

static void read_axis_angle(mn_reader *reader, const mn_node *node, double matrix[9])
{
    static const mn_key rows[] = {
        {"axis", MN_KEY_NUMBERS, NULL, NULL, -1e6, 1e6, "any length", .offset = offsetof(axis_angle, axis), 3},
        {"angle", MN_KEY_NUMBER, "degrees", NULL, -1e6, 1e6, "right-handed", .offset = offsetof(axis_angle, angle)},
    };
    static const mn_table table = {"rotate", "", rows, 2, .size = sizeof(axis_angle)};
    axis_angle given = {{0}, 0};
    mn_read_table(reader, &table, node, &given);
    if (!mn_normalise(given.axis)) mn_complain(reader, node, "the axis has length 0");
    else if (!isnan(given.axis[0]) && !isnan(given.angle)) turn(given.axis, given.angle, matrix);
}

void mn_read_rotation(mn_reader *reader, const mn_key *key, const mn_node *node, double matrix[9])
{
    memcpy(matrix, identity, sizeof identity);
    if (node->kind == MN_MAPPING) {
        read_axis_angle(reader, node, matrix);
        return;
    }
    if (node->kind != MN_SEQUENCE || (node->count != 3 && node->count != 9)) {
        mn_complain_expected(reader, key, node);
        return;
    }
    double given[9] = {0};
    int i = 0;
    bool good = true;
    for (const mn_node *child = node->first; child; child = child->next)
        good &= mn_read_number(
            reader,
            &(mn_key){.type = MN_KEY_NUMBER, .unit = node->count == 3 ? key->unit : NULL, .min = -1e6, .max = 1e6},
            child, &given[i++]);
    if (!good) return;
    if (node->count == 9) {
        if (is_rotation(given)) memcpy(matrix, given, sizeof given);
        else
            mn_complain(reader, node,
                        "these nine numbers are not a rotation matrix: expected orthonormal rows and determinant 1");
        return;
    }
    double angle = sqrt(given[0] * given[0] + given[1] * given[1] + given[2] * given[2]);
    if (angle > 0 && mn_normalise(given)) turn(given, angle, matrix);
}

/* ------------------------------------------------------------------- shapes */

static void box_by_corners(mn_reader *reader, const mn_node *body, mn_draft *draft)
{
    if (!mn_node_get(body, "min") || !mn_node_get(body, "max")) {
        mn_complain(reader, body, "\"%s\" is missing: a box has both min and max",
                    mn_node_get(body, "min") ? "max" : "min");
        return;
    }
    for (int i = 0; i < 3; i++) {
        const double low = draft->min[i], high = draft->max[i], size = high - low;
        if (high <= low)
            mn_complain(reader, mn_node_get(body, "max"), "expected max above min in %c, found %g to %g", "xyz"[i], low,
                        high);
        else if (size < MN_LENGTH_LEAST || size > MN_LENGTH_MOST)
            mn_complain(reader, mn_node_get(body, "max"), "expected a box of %g to %g m in %c, found %g",
                        MN_LENGTH_LEAST, MN_LENGTH_MOST, "xyz"[i], size);
        draft->shape.size[i] = size;
        draft->centre[i] = draft->min[i] + 0.5 * draft->shape.size[i];
    }
}

/* A place that `translate` moves is written moved: it is to be one that can be read again. */
static void move(mn_reader *reader, const mn_node *body, double place[3], const double by[3])
{
    for (int i = 0; i < 3; i++) {
        place[i] += by[i];
        if (fabs(place[i]) > METRES_MOST)
            mn_complain(reader, mn_node_get(body, "translate"),
                        "moves the shape to %.9g m in %c; expected at most %g m", place[i], "xyz"[i], METRES_MOST);
    }
}

static void box_by_grid(mn_reader *reader, const mn_node *body, mn_draft *draft)
{
    static const char *const foreign[] = {"rotate", "scale", "centre"};
    for (int i = 0; i < 3; i++)
        if (mn_node_get(body, foreign[i]))
            mn_complain(reader, mn_node_get(body, foreign[i]), "a box by grid takes no %s", foreign[i]);
    double particles = (double)draft->shape.grid[0] * draft->shape.grid[1] * draft->shape.grid[2];
    if (particles > MN_MOST_PARTICLES)
        mn_complain(reader, mn_node_get(body, "grid"), "%.3g particles; expected at most %g", particles,
                    MN_MOST_PARTICLES);
    move(reader, body, draft->shape.origin, draft->shape.translate);
    memset(draft->shape.translate, 0, sizeof draft->shape.translate);
}

/* One of three forms of a box; the others must be absent. */
static void finish_box(mn_reader *reader, const mn_node *body, mn_draft *draft)
{
    bool corners = mn_node_get(body, "min") || mn_node_get(body, "max");
    bool size = mn_node_get(body, "size"), grid = mn_node_get(body, "grid");
    int forms = corners + size + grid;
    if (forms != 1) {
        mn_complain(reader, body, "expected one of {min, max}, {size, centre} or {grid, origin}, found %s",
                    forms ? "several" : "none of them");
        return;
    }
    if (corners && mn_node_get(body, "centre"))
        mn_complain(reader, mn_node_get(body, "centre"), "a box with min and max takes no centre");
    if (!grid && mn_node_get(body, "origin"))
        mn_complain(reader, mn_node_get(body, "origin"), "origin belongs to grid, which is absent");
    if (corners) box_by_corners(reader, body, draft);
    if (grid) box_by_grid(reader, body, draft);
}

static void finish_axis(mn_reader *reader, const mn_node *body, const char *key, mn_draft *draft)
{
    const mn_node *axis = mn_node_get(body, key);
    if (!axis) return;
    if (!mn_normalise(draft->axis)) mn_complain(reader, axis, "expected a direction, found a vector of length 0");
    double first[9], both[9];
    turn_y_to(draft->axis, first);
    multiply(draft->shape.rotation, first, both);
    memcpy(draft->shape.rotation, both, sizeof both);
}

/* The path as the system sees it from anywhere, so that run.yaml can stand in another folder. */
char *mn_relative_path(mn_reader *reader, const mn_node *node, const char *name)
{
    const bool in_file = node && node->at.line > 0; /* else from --set: beside the scene */
    const char *file = in_file ? node->at.file : reader->scene->path, *slash = strrchr(file, '/');
    size_t folder = name[0] == '/' || !slash ? 0 : (size_t)(slash - file) + 1;
    char *path = mn_need(reader, malloc(folder + strlen(name) + 1));
    if (!path) return NULL;
    memcpy(path, file, folder);
    memcpy(path + folder, name, strlen(name) + 1);
    return path;
}

void mn_resolve_file(mn_reader *reader, const mn_node *node, const char *what, char **file)
{
    char *name = *file;
    if (!name) return;
    char *path = mn_relative_path(reader, node, name);
    if (!path) return;
    char *full = realpath(path, NULL);
    struct stat info;
    if (!full) mn_complain(reader, node, "cannot open the %s \"%s\": %s", what, path, strerror(errno));
    else if (stat(full, &info) != 0 || !S_ISREG(info.st_mode)) mn_complain(reader, node, "\"%s\" is not a file", path);
    free(path);
    if (!full) return;
    free(name);
    *file = full;
}

/* One number, or three that differ; needles and leaves a thousand times as long as thick are slips. */
static void finish_scale(mn_reader *reader, const mn_node *body, mn_shape_def *shape)
{
    const double *f = shape->stretch, most = fmax(f[0], fmax(f[1], f[2])), least = fmin(f[0], fmin(f[1], f[2]));
    if (most == least) {
        shape->scale = most;
        memset(shape->stretch, 0, sizeof shape->stretch);
    } else if (shape->kind != MN_BOX && shape->kind != MN_PLANE && most > 1000 * least)
        mn_complain(reader, mn_node_get(body, "scale"), "expected no number above 1000 times another, found %g and %g",
                    most, least);
}

static void finish_shape(mn_reader *reader, const mn_node *body, mn_draft *draft)
{
    mn_shape_def *shape = &draft->shape;
    if (shape->kind == MN_BOX) finish_box(reader, body, draft);
    finish_scale(reader, body, shape);
    if (shape->kind != MN_BOX && mn_shape_is_open(shape) && mn_shape_factor(shape, 0) != mn_shape_factor(shape, 2))
        mn_complain(reader, mn_node_get(body, "scale"), "expected the same number for x and z: open ends are round");
    if (shape->kind == MN_MESH) mn_resolve_file(reader, mn_node_get(body, "file"), "mesh", &draft->shape.file);
    finish_axis(reader, body, shape->kind == MN_PLANE ? "normal" : "axis", draft);
    if (shape->kind == MN_PLANE) shape->size[2] = shape->size[1], shape->size[1] = 0;
    if (shape->kind == MN_TORUS && shape->radius2 >= shape->radius)
        mn_complain(reader, mn_node_get(body, "tube"),
                    "expected a tube thinner than the ring's radius of %g m, found %g", shape->radius, shape->radius2);
    move(reader, body, shape->translate, draft->centre);
    for (int i = 0; i < 9; i++) shape->rotation[i] += 0.0; /* no negative zeros: they would not survive being written */
}

void mn_read_shape(mn_reader *reader, const mn_node *node, mn_shape_def *shape)
{
    memcpy(shape->rotation, identity, sizeof identity);
    shape->scale = 1;
    shape->at = mn_reader_place(reader, node);
    if (node->broken) return;
    if (node->kind != MN_MAPPING || node->count != 1) {
        const char *hint = node->kind == MN_MAPPING && node->count > 1
                               ? " of several keys (indent those of the shape below its name)"
                               : "";
        char expected[200], found[120];
        mn_key_expects(&(mn_key){.type = MN_KEY_SHAPE}, expected, sizeof expected);
        mn_node_describe(node, found, sizeof found);
        mn_complain(reader, node, "expected %s, found %s%s", expected, found, hint);
        return;
    }
    const mn_node *body = node->first;
    int kind = 0;
    while (kind < MN_SHAPE_KINDS && strcmp(mn_shape_names[kind], body->key) != 0) kind++;
    if (kind == MN_SHAPE_KINDS) {
        mn_complain_name(reader, node, "shape", body->key, mn_shape_names, MN_SHAPE_KINDS);
        return;
    }
    mn_draft draft = {.shape = *shape};
    draft.shape.kind = (mn_shape_kind)kind;
    if (body->kind != MN_MAPPING) {
        mn_complain_expected(reader, &(mn_key){.type = MN_KEY_MAP}, body);
    } else {
        mn_read_table(reader, &mn_shape_tables[kind], body, &draft);
        finish_shape(reader, body, &draft);
    }
    *shape = draft.shape;
}

mn_draft mn_draft_of(const mn_shape_def *shape)
{
    mn_draft draft = {.shape = *shape, .axis = {0, 1, 0}};
    memcpy(draft.centre, shape->translate, sizeof draft.centre);
    if (shape->kind == MN_PLANE) draft.shape.size[1] = shape->size[2];
    for (int k = 0; k < 3; k++) draft.shape.stretch[k] = mn_shape_factor(shape, k);
    return draft;
}
