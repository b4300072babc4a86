/* measure.c -- shapes from particles: moments, nearest neighbours, pieces, wetted area. */
#include "measure.h"

#include <math.h>
#include <stdlib.h>

/* -- moments ------------------------------------------------------------------------------------------------------- */

/* Eigenvalues of a symmetric 3 x 3 matrix (xx yy zz xy xz yz) by the trigonometric formula, rising. */
static void eigenvalues(const double m[6], double out[3])
{
    const double mean = (m[0] + m[1] + m[2]) / 3;
    const double x = m[0] - mean, y = m[1] - mean, z = m[2] - mean;
    const double spread = sqrt((x * x + y * y + z * z + 2 * (m[3] * m[3] + m[4] * m[4] + m[5] * m[5])) / 6);
    if (!(spread > 0)) {
        out[0] = out[1] = out[2] = mean;
        return;
    }
    const double determinant =
        (x * (y * z - m[5] * m[5]) - m[3] * (m[3] * z - m[5] * m[4]) + m[4] * (m[3] * m[5] - y * m[4])) /
        (spread * spread * spread);
    const double angle = acos(fmax(-1, fmin(1, determinant / 2))) / 3, turn = acos(-1) * 2 / 3;
    out[2] = mean + 2 * spread * cos(angle);
    out[0] = mean + 2 * spread * cos(angle + turn);
    out[1] = 3 * mean - out[0] - out[2];
}

void measure_moments(const cloud *c, double centre[3], double eigenvalue[3])
{
    double sum[3] = {0, 0, 0}, m[6] = {0, 0, 0, 0, 0, 0};
    const double n = c->count > 0 ? (double)c->count : 1;
    for (int64_t i = 0; i < 3 * c->count; i++) sum[i % 3] += (double)c->position[i];
    for (int a = 0; a < 3; a++) centre[a] = sum[a] / n;
    for (int64_t i = 0; i < c->count; i++) {
        const float *p = c->position + 3 * i;
        const double x = (double)p[0] - centre[0], y = (double)p[1] - centre[1], z = (double)p[2] - centre[2];
        const double add[6] = {x * x, y * y, z * z, x * y, x * z, y * z};
        for (int k = 0; k < 6; k++) m[k] += add[k] / n;
    }
    eigenvalues(m, eigenvalue);
}

double measure_reach(const cloud *c)
{
    double centre[3], eigenvalue[3], far = 0;
    measure_moments(c, centre, eigenvalue);
    for (int64_t i = 0; i < c->count; i++) {
        const float *p = c->position + 3 * i;
        far = fmax(far, sqrt(pow(p[0] - centre[0], 2) + pow(p[1] - centre[1], 2) + pow(p[2] - centre[2], 2)));
    }
    return (far + 0.5 * c->spacing) / (c->spacing * cbrt(0.75 * (double)c->count / acos(-1)));
}

/* -- particles by cell --------------------------------------------------------------------------------------------- */

typedef struct celled {
    int64_t key; /* of its cell */
    int64_t index;
} celled;

typedef struct cells {
    celled *entry; /* by rising key */
    int64_t count;
    double side;
} cells;

/* 21 bits an axis; scenes reach far less than a million cells from the origin. */
static int64_t cell_key(int64_t x, int64_t y, int64_t z)
{
    const int64_t bias = 1 << 20, mask = (1 << 21) - 1;
    return ((x + bias) & mask) << 42 | ((y + bias) & mask) << 21 | ((z + bias) & mask);
}

static int by_key(const void *a, const void *b)
{
    const celled *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static bool sort_into_cells(const cloud *c, double side, cells *out)
{
    *out = (cells){malloc((size_t)(c->count > 0 ? c->count : 1) * sizeof *out->entry), c->count, side};
    if (!out->entry) return false;
    for (int64_t i = 0; i < c->count; i++) {
        const float *p = c->position + 3 * i;
        const int64_t key =
            cell_key((int64_t)floor(p[0] / side), (int64_t)floor(p[1] / side), (int64_t)floor(p[2] / side));
        out->entry[i] = (celled){key, i};
    }
    qsort(out->entry, (size_t)c->count, sizeof *out->entry, by_key);
    return true;
}

static int64_t first_of(const cells *s, int64_t key)
{
    int64_t low = 0, high = s->count;
    while (low < high) {
        const int64_t mid = low + (high - low) / 2;
        if (s->entry[mid].key < key) low = mid + 1;
        else high = mid;
    }
    return low;
}

/* Calls `visit` for every other particle nearer to i than the side of a cell. */
typedef void visitor(void *state, int64_t i, int64_t j, double distance2);
static void for_near(const cloud *c, const cells *s, int64_t i, visitor *visit, void *state)
{
    const float *p = c->position + 3 * i;
    const int64_t x = (int64_t)floor(p[0] / s->side), y = (int64_t)floor(p[1] / s->side),
                  z = (int64_t)floor(p[2] / s->side);
    for (int64_t a = x - 1; a <= x + 1; a++)
        for (int64_t b = y - 1; b <= y + 1; b++) {
            const int64_t last = cell_key(a, b, z + 1);
            for (int64_t e = first_of(s, cell_key(a, b, z - 1)); e < s->count && s->entry[e].key <= last; e++) {
                const int64_t j = s->entry[e].index;
                const float *q = c->position + 3 * j;
                const double dx = (double)(p[0] - q[0]), dy = (double)(p[1] - q[1]), dz = (double)(p[2] - q[2]);
                const double r2 = dx * dx + dy * dy + dz * dz;
                if (j != i && r2 < s->side * s->side) visit(state, i, j, r2);
            }
        }
}

/* -- nearest neighbours -------------------------------------------------------------------------------------------- */

static void keep_least(void *state, int64_t i, int64_t j, double distance2)
{
    double *least = state;
    (void)i, (void)j;
    if (distance2 < *least) *least = distance2;
}

bool measure_nearest(const cloud *c, double limit, nearest_summary *out)
{
    cells s;
    if (!sort_into_cells(c, 2 * c->spacing, &s)) return false;
    double sum = 0;
    int64_t close = 0, alone = 0;
    for (int64_t i = 0; i < c->count; i++) {
        double least = INFINITY;
        for_near(c, &s, i, keep_least, &least);
        const double r = sqrt(least) / c->spacing;
        if (isinf(r)) alone++;
        else sum += r;
        close += r < limit;
    }
    free(s.entry);
    const double n = c->count > 0 ? (double)c->count : 1;
    *out = (nearest_summary){sum / fmax(1, n - (double)alone), (double)close / n, (double)alone / n};
    return true;
}

/* -- pieces -------------------------------------------------------------------------------------------------------- */

static int64_t root_of(int64_t *parent, int64_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void join(void *state, int64_t i, int64_t j, double distance2)
{
    int64_t *parent = state;
    (void)distance2;
    parent[root_of(parent, i)] = root_of(parent, j);
}

bool measure_pieces(const cloud *c, int least, int *pieces, int64_t *largest, int64_t *crumbs)
{
    const size_t n = (size_t)(c->count > 0 ? c->count : 1);
    int64_t *parent = malloc(n * sizeof *parent), *size = calloc(n, sizeof *size);
    cells s = {0};
    const bool good = parent && size && sort_into_cells(c, 1.5 * c->spacing, &s);
    *pieces = 0;
    *largest = *crumbs = 0;
    if (good) {
        for (int64_t i = 0; i < c->count; i++) parent[i] = i;
        for (int64_t i = 0; i < c->count; i++) for_near(c, &s, i, join, parent);
        for (int64_t i = 0; i < c->count; i++) size[root_of(parent, i)]++;
        for (int64_t i = 0; i < c->count; i++) {
            if (size[i] >= least) (*pieces)++;
            else *crumbs += size[i];
            if (size[i] > *largest) *largest = size[i];
        }
    }
    free(s.entry);
    free(size);
    free(parent);
    return good;
}

/* -- wetting ------------------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

bool measure_wetted(const cloud *c, double height, double *area)
{
    int64_t *key = malloc((size_t)(c->count > 0 ? c->count : 1) * sizeof *key), low = 0, squares = 0;
    if (!key) return false;
    for (int64_t i = 0; i < c->count; i++) {
        const float *p = c->position + 3 * i;
        if (p[1] < height)
            key[low++] = cell_key((int64_t)floor(p[0] / c->spacing), 0, (int64_t)floor(p[2] / c->spacing));
    }
    qsort(key, (size_t)low, sizeof *key, by_size);
    for (int64_t k = 0; k < low; k++) squares += k == 0 || key[k] != key[k - 1];
    free(key);
    *area = (double)squares * c->spacing * c->spacing;
    return true;
}

/* Centre of mass of a spherical cap above its floor, over the cube root of its volume; R = 1, height t = 1 -
 * cos(angle): volume pi t^2 (3 - t)/3, first moment pi t^2 (2 - t)^2/4 measured from the sphere's centre. */
static double cap_centre(double angle)
{
    const double pi = acos(-1), t = 1 - cos(angle);
    const double volume = pi * t * t * (3 - t) / 3, moment = pi * t * t * (2 - t) * (2 - t) / 4;
    return (moment / volume + cos(pi - angle)) / cbrt(volume);
}

double measure_contact_angle(double centre_over_size)
{
    double low = 0.02, high = acos(-1);
    for (int k = 0; k < 60; k++) {
        const double mid = (low + high) / 2;
        if (cap_centre(mid) < centre_over_size) low = mid;
        else high = mid;
    }
    return low * 180 / acos(-1);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double measure_quantile(double *value, int64_t count, double share)
{
    if (count <= 0) return NAN;
    qsort(value, (size_t)count, sizeof *value, by_value);
    return value[(int64_t)(share * (double)(count - 1))];
}
