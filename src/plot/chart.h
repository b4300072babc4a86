/* chart.h -- curves in panels above each other over one axis, as a PNG in the lettering of the other pictures.
 *
 * A panel has its label and legend above it, never inside: nothing is written over a curve. Values that are not finite
 * leave a gap. Units of metres, seconds, joules and the like get prefixes (ms, kPa) where the numbers ask for it.
 */
#ifndef MN_PLOT_CHART_H
#define MN_PLOT_CHART_H

#include "base/message.h"
#include "io/type.h"

typedef struct mn_line {
    const char *label; /* in the legend; NULL: none */
    const double *x, *y;
    long count;
    int colour; /* 0, 1, ... */
    bool dots;  /* also a dot at each point */
} mn_line;

typedef struct mn_panel {
    const char *label, *unit; /* unit "" or NULL: none */
    const mn_line *lines;
    int line_count;
    bool logarithmic; /* values of 0 or less are left out */
} mn_panel;

typedef struct mn_chart {
    const char *title; /* NULL: none */
    const char *x_label, *x_unit;
    const mn_panel *panels;
    int panel_count;
    int width, height; /* pixels; 0: by the number of panels */
} mn_chart;

enum { MN_CHART_COLOURS = 8 }; /* the ninth is the first again */
mn_status mn_chart_write(const char *path, const mn_chart *chart, mn_messages *say);

/* axis.c -- a range with round ticks. */
enum { MN_MOST_TICKS = 24 };
typedef struct mn_axis {
    double low, high;   /* of the range shown; of a logarithmic one the powers of ten */
    double factor;      /* numbers are shown times this */
    const char *prefix; /* of the unit, for that factor */
    bool logarithmic;
    int count;
    double tick[MN_MOST_TICKS];
    char text[MN_MOST_TICKS][32];
} mn_axis;
/* `most`: ticks there is room for. `whole`: the range ends at ticks, else at the values. Not finite: an empty range. */
mn_axis mn_axis_make(double low, double high, const char *unit, int most, bool whole, bool logarithmic);
/* Where a value stands, 0 to 1. */
double mn_axis_at(const mn_axis *axis, double value);

/* stroke.c -- an antialiased line through points in pixels, clipped to a box {left, top, right, bottom}. */
bool mn_stroke(const mn_canvas *to, const int box[4], const double *x, const double *y, long count, double width,
               const unsigned char ink[3]);
void mn_dot(const mn_canvas *to, const int box[4], double x, double y, double radius, const unsigned char ink[3]);

#endif
