/* curve.c -- values over time: linear between keyframes, constant before the first and after the last. */
#include "scene/scene.h"

/* The last key at or before `time`, -1 before the first; by bisection. */
static int key_before(const mn_curve *curve, double time)
{
    int low = -1, high = curve->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (curve->time[middle] <= time) low = middle;
        else high = middle;
    }
    return low;
}

void mn_curve_at(const mn_curve *curve, double time, double *out)
{
    if (curve->count == 0) return; /* its text was wrong; said before */
    int key = key_before(curve, time), last = curve->count - 1;
    if (key < 0) key = 0, time = curve->time[0];
    const double *a = curve->value + (long)key * curve->width, *b = key < last ? a + curve->width : a;
    double s = key < last ? (time - curve->time[key]) / (curve->time[key + 1] - curve->time[key]) : 0;
    for (int c = 0; c < curve->width; c++) out[c] = s > 0 ? a[c] * (1 - s) + b[c] * s : a[c];
}

void mn_curve_rate(const mn_curve *curve, double time, double *out)
{
    int key = key_before(curve, time), last = curve->count - 1;
    bool between = key >= 0 && key < last;
    const double *a = curve->value + (long)(between ? key : 0) * curve->width;
    double span = between ? curve->time[key + 1] - curve->time[key] : 1;
    for (int c = 0; c < curve->width; c++) out[c] = between ? (a[c + curve->width] - a[c]) / span : 0;
}
