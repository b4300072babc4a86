/* measures.c -- the measures by name; see measures.h. What cannot be told of a frame is NAN. */
#include "base/exact.h"
#include "measure/measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/motion.h"

/* -- what is asked for --------------------------------------------------------------------------------------------- */

static mn_status unknown(const char *what, const char *name, const char *const *names, int count, mn_messages *say)
{
    const char *near = mn_nearest(name, names, count);
    mn_say_error(say, MN_NOWHERE, "no %s is named \"%.60s\"%s%s%s", what, name, near ? "; did you mean \"" : "",
                 near ? near : "", near ? "\"?" : "");
    return MN_BAD_INPUT;
}

static int find_fluid(const mn_scene *scene, const char *name)
{
    for (int f = 0; f < scene->fluid_count; f++)
        if (strcmp(scene->fluids[f].name, name) == 0) return f;
    return -1;
}

static bool is_floor(const mn_shape_def *s) { return s->kind == MN_PLANE || (s->kind == MN_BOX && !s->grid[0]); }

/* The wall that the drop stands on, and its shape; NULL: none. */
static const mn_wall *find_floor(const mn_scene *scene, const char *name, const mn_shape_def **shape)
{
    for (int w = 0; w < scene->wall_count; w++) {
        if (name && strcmp(scene->walls[w].name, name) != 0) continue;
        for (int s = 0; s < scene->walls[w].shape_count; s++) {
            *shape = &scene->walls[w].shapes[s];
            if (is_floor(*shape)) return &scene->walls[w];
        }
    }
    return NULL;
}

mn_status mn_measure_check(const mn_scene *scene, const mn_measure_options *options, mn_messages *say)
{
    const char *names[MN_MAX_WALLS + MN_MAX_FLUIDS];
    const mn_shape_def *shape;
    int count = 0;
    if (options->fluid && find_fluid(scene, options->fluid) < 0) {
        for (int f = 0; f < scene->fluid_count; f++) names[count++] = scene->fluids[f].name;
        return unknown("fluid", options->fluid, names, count, say);
    }
    if (options->wall && !find_floor(scene, options->wall, &shape)) {
        for (int w = 0; w < scene->wall_count; w++) names[count++] = scene->walls[w].name;
        for (int w = 0; w < count; w++)
            if (strcmp(names[w], options->wall) == 0) {
                mn_say_error(say, MN_NOWHERE, "the wall \"%s\" is not a floor; expected one with a plane or a box",
                             options->wall);
                return MN_BAD_INPUT;
            }
        return unknown("wall", options->wall, names, count, say);
    }
    return MN_OK;
}

/* -- a frame ------------------------------------------------------------------------------------------------------- */

static bool is_of(const mn_frame_field *fluid, long i, int asked)
{
    if (asked < 0 || !fluid) return true;
    if (fluid->type == MN_FRAME_INT) return ((const int32_t *)fluid->data)[i] == asked;
    return (int)((const float *)fluid->data)[i] == asked;
}

static mn_status no_memory(mn_messages *say)
{
    mn_say_failure(say, MN_NOWHERE, "out of memory");
    return MN_FAILED;
}

mn_measure_options mn_default_measure_options(void) { return (mn_measure_options){.least = 8}; }

/* Copies what is asked for; false when out of memory. */
static bool fill(mn_measured *m, const mn_frame *frame, const mn_frame_field *velocity, const mn_frame_field *fluid)
{
    const int asked = m->options.fluid ? find_fluid(m->scene, m->options.fluid) : -1;
    const size_t room = (size_t)(3 * frame->count + 3) * sizeof(float);
    m->position = malloc(room);
    if (velocity) m->velocity = malloc(room);
    if (!m->position || (velocity && !m->velocity)) return false;
    const float *x = frame->fields[0].data, *v = velocity ? velocity->data : NULL;
    long n = 0;
    for (long i = 0; i < frame->count; i++) {
        if (!is_of(fluid, i, asked)) continue;
        memcpy(m->position + 3 * n, x + 3 * i, 3 * sizeof(float));
        if (v) memcpy(m->velocity + 3 * n, v + 3 * i, 3 * sizeof(float));
        n++;
    }
    m->cloud = (mn_cloud){m->position, n, m->scene->spacing};
    return true;
}

mn_measured *mn_measured_make(const mn_scene *scene, const mn_frame *frame, const mn_measure_options *options,
                              mn_messages *say)
{
    const mn_frame_field *velocity = mn_frame_find(frame, "velocity"), *fluid = mn_frame_find(frame, "fluid");
    const mn_measure_options asked = options ? *options : mn_default_measure_options();
    if (mn_measure_check(scene, &asked, say) != MN_OK) return NULL;
    if (asked.fluid && !fluid && scene->fluid_count > 1) {
        mn_say_error(say, MN_NOWHERE, "--fluid: the frames do not tell which fluid a particle is of");
        return NULL;
    }
    mn_measured *m = calloc(1, sizeof *m);
    if (m) *m = (mn_measured){.scene = scene, .options = asked, .time = frame->time};
    if (m && fill(m, frame, velocity, fluid)) return m;
    no_memory(say);
    mn_measured_free(m);
    return NULL;
}

void mn_measured_free(mn_measured *m)
{
    if (!m) return;
    free(m->position);
    free(m->velocity);
    free(m->inside);
    free(m->drops);
    free(m->height);
    free(m);
}

double mn_measured_time(const mn_measured *m) { return m->time; }
int64_t mn_measured_particles(const mn_measured *m) { return m->cloud.count; }

static bool find_inside(mn_measured *m)
{
    if (m->inside) return true;
    m->inside = malloc((size_t)m->cloud.count + 1);
    if (m->inside && mn_measure_inside(&m->cloud, m->inside)) return true;
    free(m->inside);
    m->inside = NULL;
    return false;
}

/* -- the measures -------------------------------------------------------------------------------------------------- */

static mn_status take_volume(mn_measured *m, double *out, mn_messages *say)
{
    (void)say;
    out[0] = (double)m->cloud.count * mn_power(m->cloud.spacing, 3);
    out[1] = (double)m->cloud.count;
    return MN_OK;
}

static mn_status take_shape(mn_measured *m, double *out, mn_messages *say)
{
    double centre[3], eigenvalue[3];
    (void)say;
    if (m->cloud.count == 0) return MN_OK;
    mn_measure_moments(&m->cloud, centre, eigenvalue);
    for (int a = 0; a < 3; a++) out[a] = centre[a], out[3 + a] = sqrt(5 * fmax(0, eigenvalue[a]));
    out[6] = out[5] / out[3];
    return MN_OK;
}

mn_status mn_measured_drops(mn_measured *m, const mn_drop **drops, int *count, int64_t *crumbs, mn_messages *say)
{
    *drops = NULL;
    *count = 0;
    if (!m->drops && !mn_measure_drops(&m->cloud, m->options.least, &m->drops, &m->drop_count, &m->crumbs)) {
        free(m->drops);
        m->drops = NULL;
        return no_memory(say);
    }
    *drops = m->drops;
    *count = m->drop_count;
    if (crumbs) *crumbs = m->crumbs;
    return MN_OK;
}

static mn_status take_drops(mn_measured *m, double *out, mn_messages *say)
{
    const mn_drop *drops;
    int count;
    int64_t crumbs;
    if (mn_measured_drops(m, &drops, &count, &crumbs, say) != MN_OK) return MN_FAILED;
    double sum = 0, square = 0, cube = 0;
    for (int k = 0; k < count; k++) {
        sum += drops[k].diameter;
        square += mn_power(drops[k].diameter, 2);
        cube += mn_power(drops[k].diameter, 3);
    }
    out[0] = count;
    if (count) out[1] = drops[0].volume, out[2] = sum / count, out[3] = cube / square;
    out[4] = (double)crumbs;
    return MN_OK;
}

/* The floor's height along its normal, at the time of the frame: a plane's face, the bottom of a container, or the top
 * of a block, as gravity has it. */
static bool place_floor(const mn_measured *m, double up[3], double *height)
{
    const mn_shape_def *s;
    const mn_wall *wall = find_floor(m->scene, m->options.wall, &s);
    if (!wall) return false;
    double gravity[3], local[3] = {0, 1, 0}, half = 0, point[3], tip[3], moved[3], unused[3];
    mn_curve_at(&m->scene->gravity, m->time, gravity);
    if (s->kind == MN_BOX) { /* the axis of the box that stands most upright */
        double best = -1;
        for (int a = 0; a < 3; a++) {
            double along = 0;
            for (int k = 0; k < 3; k++) along -= s->rotation[3 * k + a] * gravity[k];
            if (a == 1 && best < 0 && along == 0) along = 1e-30; /* without gravity: y */
            if (fabs(along) <= best) continue;
            best = fabs(along);
            for (int k = 0; k < 3; k++) local[k] = k == a ? (along < 0 ? -1 : 1) : 0;
            half = (s->inside_out ? -0.5 : 0.5) * mn_shape_factor(s, a) * s->size[a];
        }
    }
    const mn_pose pose = mn_motion_at(&wall->motion, m->time);
    for (int k = 0; k < 3; k++) {
        up[k] = 0;
        for (int a = 0; a < 3; a++) up[k] += s->rotation[3 * k + a] * local[a];
        point[k] = s->translate[k] + half * up[k];
        tip[k] = point[k] + up[k];
    }
    mn_pose_point(&pose, point, moved, unused);
    mn_pose_point(&pose, tip, point, unused);
    *height = 0;
    for (int k = 0; k < 3; k++) up[k] = point[k] - moved[k];
    for (int k = 0; k < 3; k++) *height += moved[k] * up[k];
    return true;
}

/* Angle, height and base are of the largest piece: a fragment that flies off is not part of the drop. One that does not
 * touch has no angle. */
static mn_status take_contact(mn_measured *m, double *out, mn_messages *say)
{
    double up[3], height;
    mn_cap cap;
    if (!place_floor(m, up, &height)) {
        mn_say_error(say, MN_NOWHERE, "contact: the run has no wall that is a plane or a box to stand on");
        return MN_BAD_INPUT;
    }
    if (m->cloud.count == 0) return MN_OK;
    if (!mn_measure_wetted(&m->cloud, up, height + 2.5 * m->cloud.spacing, &out[3])) return no_memory(say);
    float *own = malloc((size_t)(3 * m->cloud.count) * sizeof *own);
    mn_cloud drop = {own, 0, m->cloud.spacing};
    const bool good = own && mn_measure_largest(&m->cloud, own, &drop.count) && mn_measure_cap(&drop, up, NAN, &cap);
    free(own);
    if (!good) return no_memory(say);
    if (cap.floor - height > 2 * m->cloud.spacing) return MN_OK;
    out[0] = cap.angle, out[1] = cap.height, out[2] = cap.base_radius;
    return MN_OK;
}

static mn_status take_front(mn_measured *m, double *out, mn_messages *say)
{
    if (!find_inside(m)) return no_memory(say);
    for (int a = 0; a < 3; a++)
        for (int side = 0; side < 2; side++)
            out[2 * a + side] = mn_measure_front(&m->cloud, m->inside, a, side ? 1 : -1);
    return MN_OK;
}

/* The axis that is most upright. */
static int upright(const mn_measured *m)
{
    double g[3];
    mn_curve_at(&m->scene->gravity, m->time, g);
    return fabs(g[0]) > fabs(g[1]) && fabs(g[0]) > fabs(g[2]) ? 0 : fabs(g[2]) > fabs(g[1]) ? 2 : 1;
}

/* Columns of two spacings under the liquid; false after a message. */
static mn_status lay_grid(mn_measured *m, mn_messages *say)
{
    enum { MOST_COLUMNS = 50000000 };
    const int up = upright(m), axis[2] = {up == 0 ? 1 : 0, up == 2 ? 1 : 2};
    const double cell = 2 * m->cloud.spacing;
    double columns[2] = {0, 0};
    m->grid = (mn_height_grid){.up = up, .cell = {cell, cell}};
    for (int k = 0; k < 2; k++) {
        const double low = mn_measure_front(&m->cloud, m->inside, axis[k], -1),
                     high = mn_measure_front(&m->cloud, m->inside, axis[k], 1);
        if (isnan(low)) return MN_OK;
        m->grid.origin[k] = cell * floor(low / cell);
        columns[k] = fmax(ceil((high - m->grid.origin[k]) / cell), 1);
    }
    if (columns[0] * columns[1] > MOST_COLUMNS) {
        mn_say_error(say, MN_NOWHERE, "height: the liquid reaches over %.3g x %.3g columns; expected at most %d in all",
                     columns[0], columns[1], MOST_COLUMNS);
        return MN_BAD_INPUT;
    }
    for (int k = 0; k < 2; k++) m->grid.count[k] = (int)columns[k];
    return MN_OK;
}

mn_status mn_measured_heights(mn_measured *m, mn_height_grid *grid, const double **height, mn_messages *say)
{
    *grid = (mn_height_grid){0};
    *height = NULL;
    if (!m->height) {
        if (!find_inside(m)) return no_memory(say);
        const mn_status status = lay_grid(m, say);
        if (status != MN_OK) return status;
        m->height = malloc(((size_t)m->grid.count[0] * (size_t)m->grid.count[1] + 1) * sizeof *m->height);
        if (!m->height) return no_memory(say);
        mn_measure_heights(&m->cloud, m->inside, &m->grid, m->height);
    }
    *grid = m->grid;
    *height = m->height;
    return MN_OK;
}

static mn_status take_height(mn_measured *m, double *out, mn_messages *say)
{
    mn_height_grid grid;
    const double *height;
    double sum = 0;
    long wet = 0;
    const mn_status status = mn_measured_heights(m, &grid, &height, say);
    if (status != MN_OK) return status;
    for (long k = 0; k < (long)grid.count[0] * grid.count[1]; k++) {
        if (isnan(height[k])) continue;
        sum += height[k];
        if (wet == 0 || height[k] < out[0]) out[0] = height[k];
        if (wet++ == 0 || height[k] > out[2]) out[2] = height[k];
    }
    if (wet) out[1] = sum / (double)wet;
    out[3] = (double)wet * grid.cell[0] * grid.cell[1];
    return MN_OK;
}

/* A vector made a unit vector; false: it has no length. */
static bool make_unit(const double v[3], double out[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; a++) out[a] = v[a] / length;
    return length > 0 && isfinite(length);
}

double mn_measured_gauge(const mn_measured *m, const double point[3], const double up[3], double radius)
{
    double unit[3];
    return make_unit(up, unit) ? mn_measure_gauge(&m->cloud, point, unit, radius) : NAN;
}

static mn_status no_velocity(const char *what, mn_messages *say)
{
    mn_say_error(say, MN_NOWHERE, "%s: the frames do not hold the velocity; expected it in output.fields", what);
    return MN_BAD_INPUT;
}

mn_status mn_measured_flux(const mn_measured *m, const double point[3], const double normal[3], const double size[2],
                           mn_flux *out, mn_messages *say)
{
    double unit[3];
    *out = (mn_flux){0, 0, 0};
    if (!m->velocity) return no_velocity("flux", say);
    if (!make_unit(normal, unit)) {
        mn_say_error(say, MN_NOWHERE, "flux: the normal has no direction; expected a vector that is not 0");
        return MN_BAD_INPUT;
    }
    *out = mn_measure_flux(&m->cloud, m->velocity, point, unit, size);
    return MN_OK;
}

static mn_status take_speed(mn_measured *m, double *out, mn_messages *say)
{
    if (!m->velocity) return no_velocity("speed", say);
    double sum = 0, square = 0, most = 0;
    const double n = fmax(1, (double)m->cloud.count);
    for (int64_t i = 0; i < m->cloud.count; i++) {
        double s = 0;
        for (int a = 0; a < 3; a++) s += mn_power((double)m->velocity[3 * i + a], 2);
        square += s, sum += sqrt(s), most = fmax(most, s);
    }
    out[0] = sum / n, out[1] = sqrt(square / n), out[2] = sqrt(most);
    return MN_OK;
}

typedef struct measure {
    mn_measure_info info;
    mn_status (*take)(mn_measured *m, double *out, mn_messages *say);
} measure;

static const measure measures[] = {
    {{"volume", "volume of the liquid, by its particles", {{"volume", "m^3"}, {"particles", ""}}, 2}, take_volume},
    {{"shape",
      "centre of mass, semi-axes of the ellipsoid with its moments, the longest over the shortest",
      {{"centre_x", "m"},
       {"centre_y", "m"},
       {"centre_z", "m"},
       {"axis_1", "m"},
       {"axis_2", "m"},
       {"axis_3", "m"},
       {"elongation", ""}},
      7},
     take_shape},
    {{"drops",
      "connected pieces: their number, volume of the largest, mean and Sauter diameter, particles in smaller ones",
      {{"drops", ""}, {"largest_volume", "m^3"}, {"mean_diameter", "m"}, {"sauter_diameter", "m"}, {"crumbs", ""}},
      5},
     take_drops},
    {{"contact",
      "a drop on a wall (the largest piece): angle of the cap with its centre of mass, height, radius of its base, "
      "wetted area",
      {{"contact_angle", "degrees"}, {"cap_height", "m"}, {"base_radius", "m"}, {"wetted_area", "m^2"}},
      4},
     take_contact},
    {{"front",
      "how far the liquid reaches along each axis, without its spray",
      {{"x_min", "m"}, {"x_max", "m"}, {"y_min", "m"}, {"y_max", "m"}, {"z_min", "m"}, {"z_max", "m"}},
      6},
     take_front},
    {{"height",
      "height of the surface over columns of two spacings, and the area that they cover",
      {{"height_min", "m"}, {"height_mean", "m"}, {"height_max", "m"}, {"covered_area", "m^2"}},
      4},
     take_height},
    {{"speed", "of the particles", {{"speed_mean", "m/s"}, {"speed_rms", "m/s"}, {"speed_max", "m/s"}}, 3}, take_speed},
};

int mn_measure_count(void) { return (int)(sizeof measures / sizeof *measures); }

const mn_measure_info *mn_measure_at(int index)
{
    return index >= 0 && index < mn_measure_count() ? &measures[index].info : NULL;
}

static const measure *find(const char *name)
{
    for (int i = 0; i < mn_measure_count(); i++)
        if (strcmp(measures[i].info.name, name) == 0) return &measures[i];
    return NULL;
}

const mn_measure_info *mn_measure_find(const char *name)
{
    const measure *found = find(name);
    return found ? &found->info : NULL;
}

mn_status mn_measured_take(mn_measured *m, const char *name, double out[MN_MEASURE_COLUMNS], mn_messages *say)
{
    const measure *found = find(name);
    const char *names[sizeof measures / sizeof *measures];
    for (int c = 0; c < MN_MEASURE_COLUMNS; c++) out[c] = NAN;
    if (found) return found->take(m, out, say);
    for (int i = 0; i < mn_measure_count(); i++) names[i] = measures[i].info.name;
    const char *near = mn_nearest(name, names, mn_measure_count());
    mn_say_error(say, MN_NOWHERE, "there is no measure \"%.60s\"%s%s%s", name, near ? "; did you mean \"" : "",
                 near ? near : "", near ? "\"?" : "; `meniscus list measures` names them");
    return MN_BAD_INPUT;
}
