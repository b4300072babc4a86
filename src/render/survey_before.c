/* survey_before.c -- the survey of a run that has yet to be made, from its scene. */
#include "session/outlook.h"

#include <math.h>
#include <string.h>

#include "io/preview.h"
#include "render/source.h"

static void widen_by_shapes(double low[3], double high[3], const mn_shape_def *shapes, int count)
{
    mn_messages *quiet = mn_messages_new(); /* a shape that cannot be read is reported by the run */
    for (int i = 0; i < count; i++) {
        if (shapes[i].kind == MN_PLANE) continue;
        mn_shape *made = mn_shape_new(&shapes[i], quiet);
        double from[3], to[3];
        if (made) mn_shape_bounds(made, from, to);
        for (int a = 0; a < 3 && made; a++) {
            low[a] = fmin(low[a], from[a]);
            high[a] = fmax(high[a], to[a]);
        }
        mn_shape_free(made);
    }
    mn_messages_free(quiet);
}

/* A plane that faces along an axis ends the flight there. */
static void limit_by_plane(const mn_shape_def *shape, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) {
        const double along = (shape->inside_out ? -1 : 1) * shape->rotation[3 * a + 1], at = shape->translate[a];
        if (along > 0.999) low[a] = isfinite(low[a]) ? fmin(low[a], at) : at;
        if (along < -0.999) high[a] = isfinite(high[a]) ? fmax(high[a], at) : at;
    }
}

/* How far walls let the liquid go; infinite where there is none. */
static void find_limits(const mn_scene *scene, double low[3], double high[3])
{
    for (int k = 0; k < scene->wall_count; k++)
        widen_by_shapes(low, high, scene->walls[k].shapes, scene->walls[k].shape_count);
    for (int a = 0; a < 3 && !(low[0] <= high[0]); a++) low[a] = -INFINITY, high[a] = INFINITY;
    for (int k = 0; k < scene->wall_count; k++)
        for (int i = 0; i < scene->walls[k].shape_count; i++)
            if (scene->walls[k].shapes[i].kind == MN_PLANE) limit_by_plane(&scene->walls[k].shapes[i], low, high);
}

bool mn_survey_before(const mn_scene *scene, mn_survey *out)
{
    const mn_survey none = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    mn_survey walls = none;
    *out = none;
    find_limits(scene, walls.low, walls.high);
    for (int f = 0; f < scene->fluid_count; f++)
        widen_by_shapes(out->low, out->high, scene->fluids[f].shapes, scene->fluids[f].shape_count);
    const bool fluid = mn_outlook(scene, walls.low, walls.high, out->low, out->high);
    for (int k = 0; k < scene->body_count && !fluid; k++)
        widen_by_shapes(out->low, out->high, scene->bodies[k].shapes, scene->bodies[k].shape_count);
    for (int k = 0; k < scene->solid_count && !fluid; k++)
        widen_by_shapes(out->low, out->high, scene->solids[k].shapes, scene->solids[k].shape_count);
    for (int a = 0; a < 3 && !(out->low[0] <= out->high[0]); a++) out->low[a] = -1, out->high[a] = 1;
    const char *field = mn_paint_field(scene);
    const double *range = scene->camera.range;
    out->least = range[0], out->most = range[1];
    if (!field || range[0] != range[1]) return true;
    if (strcmp(field, "speed") != 0) return false;
    const float ends[2] = {0, (float)mn_outlook_speed(scene, out->low, out->high)};
    if (ends[1] > 0) mn_preview_range(ends, 2, &out->least, &out->most);
    return ends[1] > 0;
}
