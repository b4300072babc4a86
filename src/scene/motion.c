/* motion.c -- given paths of walls and bodies; see motion.h. */
#include "base/exact.h"
#include "scene/motion.h"

#include <math.h>
#include <string.h>

void mn_rotation_of(const double v[3], double m[9])
{
    const double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double u[3] = {angle > 0 ? v[0] / angle : 1, angle > 0 ? v[1] / angle : 0, angle > 0 ? v[2] / angle : 0};
    double c, s;
    mn_sincos(angle, &s, &c);
    const double t = 1 - c;
    const double r[9] = {t * u[0] * u[0] + c,        t * u[0] * u[1] - s * u[2], t * u[0] * u[2] + s * u[1],
                         t * u[0] * u[1] + s * u[2], t * u[1] * u[1] + c,        t * u[1] * u[2] - s * u[0],
                         t * u[0] * u[2] - s * u[1], t * u[1] * u[2] + s * u[0], t * u[2] * u[2] + c};
    memcpy(m, r, sizeof r);
}

void mn_rotation_of_quaternion(const double q[4], double m[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(m, r, sizeof r);
}

/* By the largest of the four components, so that nothing is divided by a small number. */
void mn_quaternion_of(const double m[9], double q[4])
{
    const double trace[4] = {m[0] + m[4] + m[8], m[0] - m[4] - m[8], m[4] - m[0] - m[8], m[8] - m[0] - m[4]};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (trace[i] > trace[k]) k = i;
    const double big = 0.5 * sqrt(1 + trace[k]), f = 0.25 / big;
    const double skew[3] = {m[7] - m[5], m[2] - m[6], m[3] - m[1]}, sum[3] = {m[5] + m[7], m[2] + m[6], m[1] + m[3]};
    if (k == 0) {
        q[0] = big;
        for (int a = 0; a < 3; a++) q[1 + a] = f * skew[a];
        return;
    }
    const int a = k - 1, b = k % 3, c = (k + 1) % 3; /* axes: a is the largest */
    q[0] = f * skew[a];
    q[1 + a] = big;
    q[1 + b] = f * sum[c];
    q[1 + c] = f * sum[b];
    for (int i = 0; i < 4 && q[0] < 0; i++) q[3 - i] = -q[3 - i];
}

static void place(const mn_motion *m, double time, double rotation[9], double shift[3])
{
    double turn[3], spin[3], keys[9], rates[9];
    mn_curve_at(&m->translation, time, shift);
    mn_curve_at(&m->rotation, time, turn);
    for (int a = 0; a < 3; a++) {
        shift[a] += m->velocity[a] * time;
        spin[a] = m->angular_velocity[a] * time;
    }
    mn_rotation_of(turn, keys);
    mn_rotation_of(spin, rates);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            rotation[3 * r + c] =
                rates[3 * r] * keys[c] + rates[3 * r + 1] * keys[3 + c] + rates[3 * r + 2] * keys[6 + c];
}

static const double tick = 1e-6; /* s, over which velocities are taken */

mn_pose mn_motion_at(const mn_motion *m, double time)
{
    mn_pose pose = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    memcpy(pose.origin, m->centre, sizeof pose.origin);
    memcpy(pose.at, m->centre, sizeof pose.at);
    if (!m->moving) return pose;
    double now[3], next[3], later[9], rate[9];
    place(m, time, pose.rotation, now);
    place(m, time + tick, later, next);
    /* The rate of turning is the skew part of R' R^T. */
    for (int r = 0; r < 3; r++) {
        pose.at[r] += now[r];
        pose.velocity[r] = (next[r] - now[r]) / tick;
        for (int c = 0; c < 3; c++) {
            rate[3 * r + c] = 0;
            for (int k = 0; k < 3; k++) rate[3 * r + c] += later[3 * r + k] * pose.rotation[3 * c + k];
        }
    }
    pose.spin[0] = (rate[7] - rate[5]) / (2 * tick);
    pose.spin[1] = (rate[2] - rate[6]) / (2 * tick);
    pose.spin[2] = (rate[3] - rate[1]) / (2 * tick);
    return pose;
}

mn_pose mn_motion_jolt(const mn_motion *m, double time)
{
    mn_pose pose = mn_motion_at(m, time);
    const mn_pose before = mn_motion_at(m, time - tick);
    for (int a = 0; a < 3; a++) pose.velocity[a] -= before.velocity[a], pose.spin[a] -= before.spin[a];
    return pose;
}

double mn_motion_next_key(const mn_motion *m, double time)
{
    double next = INFINITY;
    const mn_curve *curves[2] = {&m->translation, &m->rotation};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < curves[c]->count && curves[c]->count > 1; k++)
            if (curves[c]->time[k] > time + 0.01 * tick) next = fmin(next, curves[c]->time[k]);
    return next;
}

void mn_pose_point(const mn_pose *p, const double rest[3], double x[3], double velocity[3])
{
    double d[3], arm[3];
    for (int a = 0; a < 3; a++) d[a] = rest[a] - p->origin[a];
    for (int a = 0; a < 3; a++) {
        arm[a] = p->rotation[3 * a] * d[0] + p->rotation[3 * a + 1] * d[1] + p->rotation[3 * a + 2] * d[2];
        x[a] = p->at[a] + arm[a];
    }
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        velocity[a] = p->velocity[a] + p->spin[b] * arm[c] - p->spin[c] * arm[b];
    }
}

void mn_pose_rest(const mn_pose *p, const double x[3], double rest[3])
{
    double d[3];
    for (int a = 0; a < 3; a++) d[a] = x[a] - p->at[a];
    for (int a = 0; a < 3; a++)
        rest[a] = p->origin[a] + p->rotation[a] * d[0] + p->rotation[3 + a] * d[1] + p->rotation[6 + a] * d[2];
}
