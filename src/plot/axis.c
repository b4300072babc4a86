/* axis.c -- ranges with round ticks, and numbers short enough to stand beside them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "plot/chart.h"

/* Units that take a prefix: the first letter of what they begin with. Not m^2: mm^2 is not a thousandth of it. */
static bool takes_prefix(const char *unit)
{
    static const char *const units[] = {"m", "s", "J", "N", "Pa", "m/s", "N/m", "Pa s", "mol", "N m", "m/s^2"};
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i]) == 0) return true;
    return false;
}

static const char *prefix_of(int power)
{
    static const char *const names[] = {"n", "\302\265", "m", "", "k", "M", "G"};
    return names[power / 3 + 3];
}

/* What stands before a unit that takes no prefix, or for one. */
static const char *power_of(int power)
{
    static const char *const names[] = {"1e-15", "1e-12", "1e-9", "1e-6", "1e-3", "",
                                        "1e3",   "1e6",   "1e9",  "1e12", "1e15"};
    return names[power / 3 + 5];
}

static void choose_factor(mn_axis *a, double largest, const char *unit)
{
    const bool prefixed = takes_prefix(unit);
    if (largest >= (prefixed ? 0.1 : 1e-2) && largest < (prefixed ? 1e4 : 1e5)) return;
    const int most = prefixed ? 9 : 15, power = (int)fmin(fmax(3 * floor(log10(largest) / 3 + 1e-9), -most), most);
    a->factor = pow(10, -power);
    a->prefix = prefixed ? prefix_of(power) : power_of(power);
}

/* 1, 2 or 5 times a power of ten. */
static double round_step(double least)
{
    const double power = pow(10, floor(log10(least)));
    const double lead = least / power;
    return power * (lead <= 1 + 1e-9 ? 1 : lead <= 2 + 1e-9 ? 2 : lead <= 5 + 1e-9 ? 5 : 10);
}

static void write_tick(mn_axis *a, double value, double step)
{
    const double shown = value * a->factor, apart = step * a->factor;
    int digits = (int)fmax(0, -floor(log10(apart) + 1e-9));
    if (a->count == MN_MOST_TICKS) return;
    char *text = a->text[a->count];
    if (fabs(shown) < 1e-9 * apart) mn_format(text, 32, "0");
    else if (digits > 5 || fabs(shown) >= 1e6) mn_format(text, 32, "%.4g", shown);
    else mn_format(text, 32, "%.*f", digits, shown);
    if (text[0] == '-') { /* a minus as wide as a digit */
        char digits_only[32];
        snprintf(digits_only, sizeof digits_only, "%s", text + 1);
        snprintf(text, 32, "\342\210\222%.28s", digits_only);
    }
    a->tick[a->count++] = value;
}

static mn_axis make_logarithmic(double low, double high, int most)
{
    mn_axis a = {.factor = 1, .prefix = "", .logarithmic = true};
    a.low = floor(log10(low) + 1e-9);
    a.high = ceil(log10(high) - 1e-9);
    if (a.high <= a.low) a.high = a.low + 1;
    const double step = fmax(1, ceil((a.high - a.low) / most));
    for (double p = a.low; p <= a.high + 0.5 && a.count < MN_MOST_TICKS; p += step) {
        char *text = a.text[a.count];
        if (p >= -3 && p <= 4) mn_format(text, 32, "%g", pow(10, p));
        else mn_format(text, 32, "1e%g", p);
        a.tick[a.count++] = pow(10, p);
    }
    return a;
}

mn_axis mn_axis_make(double low, double high, const char *unit, int most, bool whole, bool logarithmic)
{
    mn_axis a = {.factor = 1, .prefix = ""};
    if (most < 2) most = 2;
    if (!isfinite(low) || !isfinite(high)) low = 0, high = 1;
    if (logarithmic && low > 0) return make_logarithmic(low, high, most);
    if (!whole && low > 0 && low < 0.05 * high) low = 0; /* the first step of a run */
    if (whole && low > 0 && low < 0.4 * high) low = 0;   /* heights are seen against zero */
    if (whole && high < 0 && high > 0.4 * low) high = 0;
    if (!(high - low > 1e-12 * fmax(fabs(low), fabs(high)))) {
        const double room = fabs(low) > 0 ? 0.1 * fabs(low) : 1;
        low -= room, high += room;
    }
    choose_factor(&a, fmax(fabs(low), fabs(high)), unit);
    const double step = round_step((high - low) / most),
                 first = whole ? floor(low / step + 1e-9) : ceil(low / step - 1e-9);
    a.low = low, a.high = high;
    if (whole) a.low = first * step, a.high = ceil(high / step - 1e-9) * step;
    for (int k = 0; k < MN_MOST_TICKS && (first + k) * step <= a.high + 1e-6 * step; k++)
        write_tick(&a, (first + k) * step, step);
    return a;
}

double mn_axis_at(const mn_axis *a, double value)
{
    return ((a->logarithmic ? log10(value) : value) - a->low) / (a->high - a->low);
}
