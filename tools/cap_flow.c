/* cap_flow.c -- Cox's law of a contact line for a drop that is a cap of any angle, not a flat one: what stands beside
 * the logarithm. docs/notes/contact-lines.md, "The law for a cap that is not flat", has its results, and
 * cli/validate_contact.c its table.
 *
 *     cc -O3 tools/cap_flow.c -o /tmp/cap_flow -lm && /tmp/cap_flow
 *
 * A cap of base radius 1 and angle `theta` spreads at speed 1 on a wall without slip: Stokes flow, its surface free of
 * shear and moving as that of caps of one volume. Finite elements of second order with pressures of first order (by a
 * penalty) on bipolar coordinates: tau from 0 at the axis to TAU at the line, where the distance to it is 2 exp(-tau);
 * phi from 0 at the wall to theta at the surface. The stress that the surface takes up bends it. For each angle:
 *
 *   Q   its slope near the line: g'(theta) (slope - theta) = Ca (ln(distance/radius) + Q), g' = Cox's function; a line
 *       at whose distance r the angle is g(angle) = g(rest) + Ca ln(r/slip) moves by
 *       g(theta) = g(rest) + Ca (ln(radius/slip) - Q); flat drops have Q = ln 2 + 2 and g = theta^3/9
 *   S   the angle of the cap with the same centre of mass is theta + Ca S; flat drops have S = 9/8 theta^-2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALONG = 140, /* elements from the axis to the line */
    UP = 16,     /* from the wall to the surface */
    COLUMNS = 2 * ALONG + 1,
    ROWS = 2 * UP + 1,
    NODES = COLUMNS * ROWS,
    COUNT = 2 * NODES,
    BAND = 2 * (2 * ROWS + 2) + 1
};
static const double PI = 3.14159265358979323846, TAU = 20, PENALTY = 1e7, HELD = 1e12, GAUSS = 0.7745966692414834;
static const double gauss_weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};

static double x[NODES], z[NODES], stiff[COUNT][BAND + 1], root[COUNT][BAND + 1], u[COUNT];
static double force[COLUMNS], arc[COLUMNS], normal[COLUMNS][2], mass[COLUMNS], eta[COLUMNS], height[COLUMNS];
static double system_of[COLUMNS][COLUMNS + 2];

static int node(int column, int row) { return column * ROWS + row; }

/* Lagrange's three polynomials on -1, 0, 1, and their slopes. */
static void shapes(double s, double n[3], double d[3])
{
    n[0] = s * (s - 1) / 2, n[1] = 1 - s * s, n[2] = s * (s + 1) / 2;
    d[0] = s - 0.5, d[1] = -2 * s, d[2] = s + 0.5;
}

static void place(double theta)
{
    for (int i = 0; i < COLUMNS; i++)
        for (int j = 0; j < ROWS; j++) {
            const double tau = TAU * i / (COLUMNS - 1), phi = theta * j / (ROWS - 1), under = cosh(tau) + cos(phi);
            x[node(i, j)] = sinh(tau) / under, z[node(i, j)] = sin(phi) / under;
        }
}

/* -- one element --------------------------------------------------------------------------------------------------- */

/* At a point of an element: shape functions, their gradients, the divergence of each component, the weight. */
typedef struct point {
    double n[9], dx[9], dz[9], div[18], psi[3], r, weight;
} point;

static void point_of(const int nodes[9], int g, int h, point *p)
{
    const double s = GAUSS * (g - 1), t = GAUSS * (h - 1);
    double na[3], da[3], nb[3], db[3], d1[9], d2[9], x1 = 0, x2 = 0, z1 = 0, z2 = 0;
    shapes(s, na, da), shapes(t, nb, db);
    p->r = 0;
    for (int k = 0; k < 9; k++) {
        p->n[k] = na[k / 3] * nb[k % 3], d1[k] = da[k / 3] * nb[k % 3], d2[k] = na[k / 3] * db[k % 3];
        x1 += d1[k] * x[nodes[k]], x2 += d2[k] * x[nodes[k]], p->r += p->n[k] * x[nodes[k]];
        z1 += d1[k] * z[nodes[k]], z2 += d2[k] * z[nodes[k]];
    }
    const double area = x1 * z2 - x2 * z1;
    p->weight = gauss_weight[g] * gauss_weight[h] * fabs(area) * p->r;
    p->psi[0] = 1, p->psi[1] = s, p->psi[2] = t;
    for (int k = 0; k < 9; k++) {
        p->dx[k] = (d1[k] * z2 - d2[k] * z1) / area, p->dz[k] = (d2[k] * x1 - d1[k] * x2) / area;
        p->div[2 * k] = p->dx[k] + p->n[k] / p->r, p->div[2 * k + 1] = p->dz[k];
    }
}

static void invert(const double m[3][3], double out[3][3])
{
    double det = 0;
    for (int s = 0; s < 3; s++)
        for (int t = 0; t < 3; t++) {
            const int a = (t + 1) % 3, b = (t + 2) % 3, c = (s + 1) % 3, d = (s + 2) % 3;
            out[s][t] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
    for (int s = 0; s < 3; s++) det += m[0][s] * out[s][0];
    for (int s = 0; s < 9; s++) out[s / 3][s % 3] /= det;
}

static void add_element(const int nodes[9])
{
    double k[18][18] = {{0}}, m[3][3] = {{0}}, inverse[3][3], b[3][18] = {{0}};
    for (int q = 0; q < 9; q++) {
        point p;
        point_of(nodes, q / 3, q % 3, &p);
        for (int i = 0; i < 9; i++)
            for (int j = 0; j < 9; j++) {
                const double xx = p.dx[i] * p.dx[j], zz = p.dz[i] * p.dz[j];
                k[2 * i][2 * j] += p.weight * (2 * xx + 2 * p.n[i] * p.n[j] / (p.r * p.r) + zz);
                k[2 * i][2 * j + 1] += p.weight * p.dz[i] * p.dx[j];
                k[2 * i + 1][2 * j] += p.weight * p.dx[i] * p.dz[j];
                k[2 * i + 1][2 * j + 1] += p.weight * (2 * zz + xx);
            }
        for (int s = 0; s < 3; s++) {
            for (int t = 0; t < 3; t++) m[s][t] += p.weight * p.psi[s] * p.psi[t];
            for (int i = 0; i < 18; i++) b[s][i] += p.weight * p.psi[s] * p.div[i];
        }
    }
    invert(m, inverse);
    for (int i = 0; i < 18; i++)
        for (int j = 0; j < 18; j++) {
            const int row = 2 * nodes[i / 2] + i % 2, column = 2 * nodes[j / 2] + j % 2;
            if (column > row) continue;
            for (int q = 0; q < 9; q++) k[i][j] += PENALTY * b[q / 3][i] * inverse[q / 3][q % 3] * b[q % 3][j];
            stiff[row][row - column] += k[i][j];
        }
}

/* -- the flow ------------------------------------------------------------------------------------------------------ */

static void hold(int a, int b, double size) { root[a][a - b] += HELD * size; }

/* Cholesky, in place. */
static void solve(void)
{
    for (int i = 0; i < COUNT; i++)
        for (int j = i < BAND ? 0 : i - BAND; j <= i; j++) {
            double sum = root[i][i - j];
            for (int k = i < BAND ? 0 : i - BAND; k < j; k++)
                sum -= j - k <= BAND ? root[i][i - k] * root[j][j - k] : 0;
            root[i][i - j] = j < i ? sum / root[j][0] : sqrt(sum);
        }
    for (int i = 0; i < COUNT; i++) {
        for (int k = i < BAND ? 0 : i - BAND; k < i; k++) u[i] -= root[i][i - k] * u[k];
        u[i] /= root[i][0];
    }
    for (int i = COUNT - 1; i >= 0; i--) {
        for (int k = i + 1; k <= i + BAND && k < COUNT; k++) u[i] -= root[k][k - i] * u[k];
        u[i] /= root[i][0];
    }
}

/* Volume of a cap of base radius 1. */
static double volume(double t) { return PI / 3 * (2 + cos(t)) * pow(1 - cos(t), 2) / pow(sin(t), 3); }

/* Velocity and the force of the surface on the liquid, along its normals. */
static void flow(double theta)
{
    const double e = 1e-5, turn = -3 * volume(theta) / ((volume(theta + e) - volume(theta - e)) / (2 * e));
    const double s = sin(theta), c = cos(theta), grows = 1 / s - c / (s * s) * turn, sinks = -c / s + turn / (s * s);
    memset(stiff, 0, sizeof stiff), memset(u, 0, sizeof u);
    for (int k = 0; k < ALONG * UP; k++) {
        int nodes[9];
        for (int a = 0; a < 9; a++) nodes[a] = node(2 * (k / UP) + a / 3, 2 * (k % UP) + a % 3);
        add_element(nodes);
    }
    memcpy(root, stiff, sizeof root);
    for (int j = 0; j < ROWS; j++) hold(2 * node(0, j), 2 * node(0, j), 1);
    for (int i = 0; i < COLUMNS; i++) {
        const int wall = 2 * node(i, 0), top = 2 * node(i, ROWS - 1);
        double *n = normal[i];
        n[0] = x[top / 2] * s, n[1] = z[top / 2] * s + c, arc[i] = atan2(n[0], n[1]) / s;
        hold(wall, wall, 1), hold(wall + 1, wall + 1, 1);
        hold(top, top, n[0] * n[0]), hold(top + 1, top, n[0] * n[1]), hold(top + 1, top + 1, n[1] * n[1]);
        for (int a = 0; a < 2; a++) u[top + a] = HELD * n[a] * (grows + sinks * n[1]);
    }
    solve();
    for (int i = 0; i < COLUMNS; i++) {
        force[i] = 0;
        for (int a = 0; a < 2; a++) {
            const int row = 2 * node(i, ROWS - 1) + a;
            for (int k = row < BAND ? 0 : row - BAND; k <= row + BAND && k < COUNT; k++)
                force[i] += normal[i][a] * (k <= row ? stiff[row][row - k] : stiff[k][k - row]) * u[k];
        }
    }
}

/* -- the surface --------------------------------------------------------------------------------------------------- */

/* How far the surface leaves the cap, over Ca: laplacian + 2/R^2 of it is the stress less a constant by which the
   volume stays. */
static void bend(double theta)
{
    const double radius = 1 / sin(theta), centre = -cos(theta) / sin(theta);
    double(*a)[COLUMNS + 2] = system_of, out[2] = {0, 0};
    memset(system_of, 0, sizeof system_of), memset(mass, 0, sizeof mass), memset(height, 0, sizeof height);
    for (int q = 0; q < 3 * ALONG; q++) {
        const int at = 2 * (q / 3);
        double n[3], d[3], slope = 0, s = 0;
        shapes(GAUSS * (q % 3 - 1), n, d);
        for (int k = 0; k < 3; k++) slope += d[k] * arc[at + k], s += n[k] * arc[at + k];
        const double weight = gauss_weight[q % 3] * slope * radius * sin(s / radius);
        for (int k = 0; k < 3; k++) {
            for (int l = 0; l < 3; l++)
                a[at + k][at + l] += weight * (2 / (radius * radius) * n[k] * n[l] - d[k] * d[l] / (slope * slope));
            mass[at + k] += weight * n[k], height[at + k] += weight * n[k] * (centre + radius * cos(s / radius));
        }
    }
    for (int i = 0; i < COLUMNS; i++) a[i][COLUMNS] = force[i], a[i][COLUMNS + 1] = mass[i];
    memset(a[COLUMNS - 1], 0, sizeof a[0]), a[COLUMNS - 1][COLUMNS - 1] = 1;
    for (int p = 0; p < COLUMNS; p++) /* the matrix is that of neighbours but one: no pivots far away */
        for (int i = 0; i < COLUMNS; i++) {
            const double factor = i != p ? a[i][p] / a[p][p] : 0;
            for (int j = p; j < COLUMNS + 2 && factor != 0; j++) a[i][j] -= factor * a[p][j];
        }
    for (int i = 0; i < COLUMNS; i++)
        for (int k = 0; k < 2; k++) out[k] += mass[i] * a[i][COLUMNS + k] / a[i][i];
    for (int i = 0; i < COLUMNS; i++) eta[i] = (a[i][COLUMNS] - out[0] / out[1] * a[i][COLUMNS + 1]) / a[i][i];
}

/* Height of the centre of mass of a cap of volume 1. */
static double centre_of(double t)
{
    const double c = cos(t), radius = cbrt(3 / (PI * (2 + c) * (1 - c) * (1 - c))), h = radius * (1 - c);
    return 3 * (2 * radius - h) * (2 * radius - h) / (4 * (3 * radius - h)) - radius * c;
}

int main(void)
{
    static const double angles[] = {10, 20, 40, 60, 65, 70, 75, 80, 85, 90, 95, 120};
    printf("angle  Q      S      (flat: Q %.3f, S theta^2 1.125)\n", log(2) + 2);
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        const double theta = angles[k] * PI / 180, e = 1e-5, cox = (theta - sin(theta) * cos(theta)) / (2 * sin(theta));
        double q = 0, lifted = 0, count = 0;
        place(theta), flow(theta), bend(theta);
        for (int i = 0; i < COLUMNS - 1; i++) {
            const double tau = TAU * (i + 0.5) / (COLUMNS - 1);
            const double away = arc[COLUMNS - 1] - 0.5 * (arc[i] + arc[i + 1]) + 2 * exp(-TAU);
            lifted += height[i] * eta[i];
            if (tau < 0.45 * TAU || tau > 0.65 * TAU) continue;
            q += -cox * (eta[i + 1] - eta[i]) / (arc[i + 1] - arc[i]) - log(away), count += 1;
        }
        const double size = cbrt(volume(theta)), per = size * (centre_of(theta + e) - centre_of(theta - e)) / (2 * e);
        const double s = 2 * PI * lifted / volume(theta) / per;
        printf("%5.0f  %.3f  %.3f  S theta^2 %.3f\n", angles[k], q / count, s, s * theta * theta);
    }
    return 0;
}
