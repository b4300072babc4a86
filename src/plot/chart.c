/* chart.c -- where things stand in a chart; see chart.h.
 *
 *     title
 *     label of panel 1 [unit]     -- legend  -- legend
 *     ticks | curves
 *     label of panel 2 [unit]
 *     ticks | curves
 *             ticks of x, label of x [unit]
 */
#include "plot/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/picture.h"
#include "io/type.h"

enum { LONGEST = 240, MOST_PANELS = 12 };

static const unsigned char INK[3] = {33, 41, 52}, SOFT[3] = {96, 108, 122}, GRID[3] = {228, 232, 237},
                           AXIS[3] = {150, 160, 172};
/* Told apart by those who do not see red or green, too. */
static const unsigned char COLOURS[MN_CHART_COLOURS][3] = {{0, 101, 178}, {213, 94, 0},   {0, 146, 110}, {170, 68, 153},
                                                           {224, 160, 0}, {80, 170, 220}, {120, 94, 60}, {60, 66, 76}};

typedef struct layout {
    mn_canvas to;
    float size;                   /* of the letters, pixels */
    int left, right, top, bottom; /* of all panels, pixels */
    mn_axis x;
    mn_axis y[MOST_PANELS];
    int header[MOST_PANELS]; /* lines above a panel */
    int box[MOST_PANELS][4]; /* left, top, right, bottom of its curves */
} layout;

static void fill(const mn_canvas *to, int left, int top, int right, int bottom, const unsigned char ink[3])
{
    for (int y = top > 0 ? top : 0; y < bottom && y < to->height; y++)
        for (int x = left > 0 ? left : 0; x < right && x < to->width; x++)
            memcpy(to->rgb + 3 * ((size_t)y * (size_t)to->width + (size_t)x), ink, 3);
}

/* "time [ms]", with raised powers. */
static void put_label(const char *label, const char *unit, const char *prefix, char out[LONGEST])
{
    const bool apart = prefix[0] == '1'; /* a power of ten, no prefix */
    if (unit && *unit) snprintf(out, LONGEST, "%s [%s%s%s]", label, prefix, apart ? " " : "", unit);
    else if (apart) snprintf(out, LONGEST, "%s [%s]", label, prefix);
    else snprintf(out, LONGEST, "%s", label);
    for (char *p = out; (p = strchr(p, '^')); p++) {
        if (p[1] != '2' && p[1] != '3') continue;
        p[1] = (char)(p[1] == '2' ? 0xb2 : 0xb3); /* as UTF-8 */
        *p = (char)0xc2;
    }
    for (char *p = out; *p && *p != '['; p++)
        if (*p == '_') *p = ' ';
}

/* ----------------------------------------------------------------------------------------------- ranges */

static void stretch(double value, double *low, double *high)
{
    if (!isfinite(value)) return;
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

static void find_x(layout *l, const mn_chart *c)
{
    double low = INFINITY, high = -INFINITY;
    for (int p = 0; p < c->panel_count; p++)
        for (int k = 0; k < c->panels[p].line_count; k++)
            for (long i = 0; i < c->panels[p].lines[k].count; i++) stretch(c->panels[p].lines[k].x[i], &low, &high);
    const int most = (int)((float)(l->right - l->left) / (5.0f * l->size));
    l->x = mn_axis_make(low, high, c->x_unit, most, false, false);
}

static mn_axis find_y(const layout *l, const mn_panel *p, int tall)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < p->line_count; k++)
        for (long i = 0; i < p->lines[k].count; i++)
            if (!p->logarithmic || p->lines[k].y[i] > 0) stretch(p->lines[k].y[i], &low, &high);
    return mn_axis_make(low, high, p->unit, (int)((float)tall / (2.6f * l->size)), true, p->logarithmic && low > 0);
}

/* ----------------------------------------------------------------------------------------------- legend */

static float entry_width(const layout *l, const char *label) { return mn_type_width(label, l->size) + 3.4f * l->size; }

/* Goes over the legend: counts its lines, or draws it where `draw`. */
static int legend(const layout *l, const mn_panel *p, const char *label, int top, bool draw)
{
    const float size = l->size, left = (float)l->left, step = 1.5f * size;
    float x = left + mn_type_width(label, 1.05f * size) + 2.2f * size, y = (float)top + 1.1f * size;
    int lines = 1;
    for (int k = 0; k < p->line_count; k++) {
        const char *text = p->lines[k].label;
        if (!text) continue;
        const float wide = entry_width(l, text);
        if (x + wide > (float)l->right && x > left) x = left, y += step, lines++;
        if (draw) {
            const int whole[4] = {0, 0, l->to.width, l->to.height};
            const unsigned char *ink = COLOURS[p->lines[k].colour % MN_CHART_COLOURS];
            const double xs[2] = {(double)x, (double)x + 1.3 * (double)size},
                         ys[2] = {(double)y - 0.32 * (double)size, (double)y - 0.32 * (double)size};
            mn_stroke(&l->to, whole, xs, ys, 2, 0.16 * (double)size, ink);
            mn_type_draw(&l->to, x + 1.75f * size, y, size, INK, 0.9f, text);
        }
        x += wide;
    }
    return lines;
}

/* ------------------------------------------------------------------------------------------------ lines */

/* Where many points share a column of pixels: the first, the lowest, the highest and the last of them. */
static long thin(double *x, double *y, long count)
{
    long out = 0;
    for (long i = 0; i < count;) {
        long end = i, low = i, high = i;
        while (end < count && floor(x[end]) == floor(x[i]) && isfinite(y[end])) {
            if (y[end] < y[low]) low = end;
            if (y[end] > y[high]) high = end;
            end++;
        }
        if (end == i) end = i + 1;
        const long keep[4] = {i, low < high ? low : high, low < high ? high : low, end - 1};
        for (int k = 0; k < 4; k++) {
            if (k > 0 && keep[k] == keep[k - 1]) continue;
            const double px = x[keep[k]], py = y[keep[k]];
            x[out] = px, y[out++] = py;
        }
        i = end;
    }
    return out;
}

static bool draw_line(const layout *l, const mn_line *line, int panel)
{
    const int *box = l->box[panel];
    const unsigned char *ink = COLOURS[line->colour % MN_CHART_COLOURS];
    double *x = malloc((size_t)(line->count + 1) * sizeof *x), *y = malloc((size_t)(line->count + 1) * sizeof *y);
    bool good = x && y, rising = true;
    for (long i = 0; i < line->count && good; i++) {
        const bool off = l->y[panel].logarithmic && !(line->y[i] > 0);
        x[i] = box[0] + mn_axis_at(&l->x, line->x[i]) * (box[2] - box[0]);
        y[i] = off ? NAN : box[3] - mn_axis_at(&l->y[panel], line->y[i]) * (box[3] - box[1]);
        rising = rising && (i == 0 || x[i] >= x[i - 1]);
    }
    long count = line->count;
    if (good && rising && count > 4 * (box[2] - box[0])) count = thin(x, y, count);
    const int whole[4] = {0, 0, l->to.width, l->to.height};
    const int room[4] = {box[0] - 2, box[1] - 3, box[2] + 3, box[3] + 3};
    good = good && mn_stroke(&l->to, room, x, y, count, 0.105 * (double)l->size, ink);
    for (long i = 0; i < count && good; i++) { /* a point between two gaps has no line */
        const bool alone = (i == 0 || !isfinite(y[i - 1])) && (i == count - 1 || !isfinite(y[i + 1]));
        if (isfinite(y[i]) && (line->dots || alone)) mn_dot(&l->to, whole, x[i], y[i], 0.2 * (double)l->size, ink);
    }
    free(x);
    free(y);
    return good;
}

/* ----------------------------------------------------------------------------------------------- panels */

static void draw_grid(const layout *l, int panel, bool last)
{
    const int *box = l->box[panel];
    const float small = 0.88f * l->size;
    for (int k = 0; k < l->x.count; k++) {
        const int x = box[0] + (int)lround(mn_axis_at(&l->x, l->x.tick[k]) * (box[2] - box[0]));
        fill(&l->to, x, box[1], x + 1, box[3], GRID);
        if (!last) continue;
        fill(&l->to, x, box[3], x + 1, box[3] + (int)(0.3f * l->size), AXIS);
        mn_type_draw(&l->to, (float)x + 0.5f - 0.5f * mn_type_width(l->x.text[k], small),
                     (float)box[3] + 0.45f * l->size + small, small, SOFT, 1, l->x.text[k]);
    }
    const mn_axis *y = &l->y[panel];
    for (int k = 0; k < y->count; k++) {
        const int at = box[3] - (int)lround(mn_axis_at(y, y->tick[k]) * (box[3] - box[1]));
        const bool zero = !y->logarithmic && fabs(y->tick[k]) < 1e-9 * (y->high - y->low);
        fill(&l->to, box[0], at, box[2], at + 1, zero ? AXIS : GRID);
        mn_type_draw(&l->to, (float)box[0] - 0.5f * l->size - mn_type_width(y->text[k], small),
                     (float)at + 0.36f * small, small, SOFT, 1, y->text[k]);
    }
    fill(&l->to, box[0], box[3], box[2] + 1, box[3] + 1, AXIS);
}

static bool draw_panel(const layout *l, const mn_chart *c, int panel)
{
    const mn_panel *p = &c->panels[panel];
    const int top = l->box[panel][1] - (int)(1.5f * l->size * (float)l->header[panel] + 0.45f * l->size);
    char label[LONGEST];
    put_label(p->label, p->unit, l->y[panel].prefix, label);
    mn_type_draw(&l->to, (float)l->left, (float)top + 1.1f * l->size, 1.05f * l->size, INK, 1, label);
    legend(l, p, label, top, true);
    draw_grid(l, panel, panel == c->panel_count - 1);
    bool good = true;
    for (int k = 0; k < p->line_count && good; k++) good = draw_line(l, &p->lines[k], panel);
    return good;
}

/* ----------------------------------------------------------------------------------------------- layout */

/* The panels share the height that their headers leave. */
static void place(layout *l, const mn_chart *c, bool titled)
{
    const float size = l->size;
    float left = 0, headers = 0;
    l->right = l->to.width - (int)(1.6f * size);
    l->top = (int)((titled ? 3.1f : 1.0f) * size);
    l->bottom = l->to.height - (int)(3.9f * size);
    for (int pass = 0; pass < 2; pass++) { /* the width of the ticks depends on the height of the panels */
        l->left = (int)(left + 1.8f * size);
        headers = 0;
        for (int p = 0; p < c->panel_count; p++) {
            char label[LONGEST];
            put_label(c->panels[p].label, c->panels[p].unit, pass ? l->y[p].prefix : "1e-12", label);
            l->header[p] = legend(l, &c->panels[p], label, 0, false);
            headers += 1.5f * size * (float)l->header[p] + 1.3f * size;
        }
        const float each = fmaxf(((float)(l->bottom - l->top) - headers) / (float)c->panel_count, 2 * size);
        float y = (float)l->top;
        for (int p = 0; p < c->panel_count; p++) {
            y += 1.5f * size * (float)l->header[p] + (p ? 1.3f : 0.6f) * size;
            const int box[4] = {l->left, (int)y, l->right, (int)(y + each)};
            memcpy(l->box[p], box, sizeof box);
            y += each;
            l->y[p] = find_y(l, &c->panels[p], (int)each);
            for (int k = 0; k < l->y[p].count; k++) left = fmaxf(left, mn_type_width(l->y[p].text[k], 0.88f * size));
        }
    }
    find_x(l, c);
}

static bool draw(layout *l, const mn_chart *c)
{
    const bool titled = c->title && *c->title;
    char label[LONGEST];
    memset(l->to.rgb, 255, 3 * (size_t)l->to.width * (size_t)l->to.height);
    place(l, c, titled);
    if (titled) mn_type_draw(&l->to, (float)l->left, 2.0f * l->size, 1.3f * l->size, INK, 1, c->title);
    bool good = true;
    for (int p = 0; p < c->panel_count && good; p++) good = draw_panel(l, c, p);
    put_label(c->x_label, c->x_unit, l->x.prefix, label);
    const int *last = l->box[c->panel_count - 1];
    mn_type_draw(&l->to, 0.5f * (float)(l->left + l->right) - 0.5f * mn_type_width(label, l->size),
                 (float)last[3] + 2.9f * l->size, l->size, INK, 1, label);
    return good;
}

mn_status mn_chart_write(const char *path, const mn_chart *chart, mn_messages *say)
{
    mn_chart c = *chart;
    layout l = {0};
    if (c.panel_count < 1 || c.panel_count > MOST_PANELS) {
        mn_say_error(say, MN_NOWHERE, "a chart of %d panels; expected 1 to %d", c.panel_count, MOST_PANELS);
        return MN_BAD_INPUT;
    }
    l.to.width = c.width > 0 ? c.width : 1280;
    l.to.height = c.height > 0 ? c.height : (c.panel_count == 1 ? 720 : 140 + 300 * c.panel_count);
    l.size = fminf(fmaxf((float)(l.to.width < l.to.height ? 1.2 * l.to.width : l.to.width) / 64.0f, 9), 40);
    l.to.rgb = malloc(3 * (size_t)l.to.width * (size_t)l.to.height);
    const bool good = l.to.rgb && draw(&l, &c);
    if (!good) mn_say_failure(say, (mn_place){path, 0, 0}, "cannot draw the chart: out of memory");
    const mn_status status = good ? mn_png_write(path, l.to.rgb, l.to.width, l.to.height, say) : MN_FAILED;
    free(l.to.rgb);
    return status;
}
