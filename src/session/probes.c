/* probes.c -- what is measured at places while a scene runs; see probes.h. A probe looks at the fields as they lie in
 * memory (maps), and copies only the particles near it. */
#include "session/probes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/exact.h"
#include "base/file.h"
#include "io/rows.h"
#include "measure/measure.h"
#include "session/gaps.h"

enum { LONGEST_ROW = 4096 };

/* A particle near a probe: its place in the maps, and who it is. */
typedef struct neighbour {
    int64_t at;
    int32_t id;
} neighbour;

struct mn_probes {
    const mn_scene *scene;
    mn_rows *rows; /* of each */
    neighbour *near;
    int64_t count, room;                 /* of near */
    float *position, *velocity, *weight; /* of these */
    mn_mapped all, moving, fluid;        /* of all particles; data NULL: not needed at this step */
};

static int put_head(const mn_scene *scene, const mn_probe *p, char *out, size_t size)
{
    int length = mn_format(out, size, "step,time");
    if (p->kind == MN_PROBE_PLANE) return length + mn_format(out + length, size - (size_t)length, ",flow,area,speed\n");
    if (p->kind == MN_PROBE_GAUGE) return length + mn_format(out + length, size - (size_t)length, ",height\n");
    length += mn_format(out + length, size - (size_t)length, ",filled");
    for (int f = 0; f < p->field_count; f++) {
        const char *name = p->fields[f];
        if (mn_scene_field_width(scene, name) == 3)
            length += mn_format(out + length, size - (size_t)length, ",%.60s_x,%.60s_y,%.60s_z", name, name, name);
        else length += mn_format(out + length, size - (size_t)length, ",%.60s", name);
    }
    return length + mn_format(out + length, size - (size_t)length, "\n");
}

mn_probes *mn_probes_open(const mn_scene *scene, const char *dir, int64_t resume_step, mn_messages *say)
{
    if (!scene->probe_count) return NULL;
    mn_probes *probes = calloc(1, sizeof *probes);
    char *folder = mn_path_join(dir, "probes");
    mn_status status = MN_FAILED;
    if (probes) probes->scene = scene;
    if (probes) probes->rows = calloc((size_t)scene->probe_count, sizeof *probes->rows);
    if (!probes || !probes->rows || !folder) mn_say_failure(say, (mn_place){dir, 0, 0}, "out of memory");
    else status = mn_folder_make(folder, say);
    for (int k = 0; probes && probes->rows && k < scene->probe_count; k++) probes->rows[k].fd = -1;
    for (int k = 0; k < scene->probe_count && status == MN_OK; k++) {
        char name[80], head[LONGEST_ROW];
        mn_format(name, sizeof name, "%.60s.csv", scene->probes[k].name);
        status = mn_rows_open(&probes->rows[k], folder, name, resume_step, say);
        const int length = put_head(scene, &scene->probes[k], head, sizeof head);
        if (status == MN_OK && !probes->rows[k].begun)
            status = mn_rows_add(&probes->rows[k], head, (size_t)length, say);
    }
    free(folder);
    if (status == MN_OK) return probes;
    mn_probes_close(probes, NULL);
    return NULL;
}

static bool grow(mn_probes *p)
{
    const int64_t room = 2 * p->room + 64;
    neighbour *near = realloc(p->near, (size_t)room * sizeof *near);
    if (near) p->near = near;
    float **const buffers[] = {&p->position, &p->velocity, &p->weight};
    bool good = near != NULL;
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers && good; k++) {
        free(*buffers[k]);
        good = (*buffers[k] = malloc((size_t)(3 * room) * sizeof(float))) != NULL;
    }
    if (good) p->room = room;
    return good;
}

/* Whether a probe may look at a particle there; what it makes of it, mn_measure_* decides. */
static bool is_near(const mn_probe *probe, const float *x, double spacing)
{
    const double slack = 1.001;
    double along = 0, square = 0;
    for (int a = 0; a < 3; a++) {
        const double d = (double)x[a] - probe->point[a];
        along += d * probe->direction[a];
        square += d * d;
    }
    if (probe->kind == MN_PROBE_POINT) return square < slack * mn_power(2 * spacing, 2);
    if (probe->kind == MN_PROBE_PLANE) return fabs(along) < slack * spacing;
    return square - along * along < slack * mn_power(probe->radius, 2) + 1e-6 * square;
}

static int by_id(const void *left, const void *right)
{
    const int32_t a = ((const neighbour *)left)->id, b = ((const neighbour *)right)->id;
    return (a > b) - (a < b);
}

/* The particles of its fluid near a probe, in the order of their ids: sums do not depend on how cells lie. */
static bool choose(mn_probes *p, const mn_probe *probe, mn_cloud *cloud)
{
    const mn_mapped *x = &p->all, *f = &p->fluid, *v = &p->moving;
    p->count = 0;
    for (int64_t k = 0; k < x->count; k++) {
        if (!is_near(probe, x->data + k * x->stride, p->scene->spacing)) continue;
        if (probe->fluid_index >= 0 && (int)f->data[k * f->stride] != probe->fluid_index) continue;
        if (p->count == p->room && !grow(p)) return false;
        p->near[p->count++] = (neighbour){k, x->id[k]};
    }
    if (p->count) qsort(p->near, (size_t)p->count, sizeof *p->near, by_id);
    for (int64_t i = 0; i < p->count; i++)
        for (int a = 0; a < 3; a++) {
            p->position[3 * i + a] = x->data[p->near[i].at * x->stride + a];
            if (v->data) p->velocity[3 * i + a] = v->data[p->near[i].at * v->stride + a];
        }
    *cloud = (mn_cloud){p->position, p->count, p->scene->spacing};
    return true;
}

static int put_value(char *row, int length, double value)
{
    if (isnan(value)) return length + mn_format(row + length, LONGEST_ROW - (size_t)length, ",");
    return length + mn_format(row + length, LONGEST_ROW - (size_t)length, ",%.9g", value);
}

/* Means of the fields by the weights of the particles. */
static mn_status put_point(mn_probes *p, const mn_probe *probe, const mn_cloud *cloud, mn_world *world, char *row,
                           int *length, mn_messages *say)
{
    double filled;
    mn_status status = MN_OK;
    mn_measure_weights(cloud, probe->point, p->weight, &filled);
    *length = put_value(row, *length, filled);
    for (int f = 0; f < probe->field_count && status == MN_OK; f++) {
        const int asked = mn_scene_field_width(p->scene, probe->fields[f]), width = asked < 3 ? asked : 3;
        double sum[3] = {0, 0, 0};
        mn_mapped m = {0};
        if (p->count) status = mn_field_map(world, probe->fields[f], MN_READ, &m, say);
        for (int64_t i = 0; i < p->count && status == MN_OK; i++)
            for (int a = 0; a < width && p->weight[i] > 0; a++)
                sum[a] += (double)p->weight[i] * (double)m.data[p->near[i].at * m.stride + a];
        if (m.data) mn_field_unmap(world, &m, say);
        for (int a = 0; a < width; a++) *length = put_value(row, *length, filled > 0 ? sum[a] / filled : NAN);
    }
    return status;
}

static mn_status no_memory(mn_messages *say)
{
    mn_say_failure(say, MN_NOWHERE, "out of memory for the probes");
    return MN_FAILED;
}

static mn_status put_row(mn_probes *p, int k, mn_world *world, mn_messages *say)
{
    const mn_probe *probe = &p->scene->probes[k];
    char row[LONGEST_ROW];
    mn_cloud cloud;
    mn_status status = MN_OK;
    int length = mn_format(row, sizeof row, "%lld,%.12g", (long long)mn_world_steps(world), mn_world_time(world));
    if (!choose(p, probe, &cloud)) return no_memory(say);
    if (probe->kind == MN_PROBE_POINT) {
        status = put_point(p, probe, &cloud, world, row, &length, say);
    } else if (probe->kind == MN_PROBE_GAUGE) {
        length = put_value(row, length, mn_measure_gauge(&cloud, probe->point, probe->direction, probe->radius));
    } else {
        const mn_flux flux = mn_measure_flux(&cloud, p->velocity, probe->point, probe->direction, probe->size);
        length = put_value(row, length, flux.flow);
        length = put_value(row, length, flux.area);
        length = put_value(row, length, flux.speed);
    }
    row[length++] = '\n';
    return status == MN_OK ? mn_rows_add(&p->rows[k], row, (size_t)length, say) : status;
}

/* By the interval that the scene has now. */
static bool is_due(const mn_world *world, int k, double before)
{
    const double every = mn_world_scene(world)->probes[k].every;
    return every <= 0 || mn_intervals(mn_world_time(world), every) > mn_intervals(before, every);
}

mn_status mn_probes_step(mn_probes *p, mn_world *world, double before, mn_messages *say)
{
    bool any = false, planes = false, fluids = false;
    for (int k = 0; p && k < p->scene->probe_count; k++) {
        const mn_probe *probe = &p->scene->probes[k];
        const bool due = is_due(world, k, before);
        any |= due, planes |= due && probe->kind == MN_PROBE_PLANE, fluids |= due && probe->fluid_index >= 0;
    }
    if (!any) return MN_OK;
    mn_status status = mn_field_map(world, "position", MN_READ, &p->all, say);
    if (status == MN_OK && planes) status = mn_field_map(world, "velocity", MN_READ, &p->moving, say);
    if (status == MN_OK && fluids) status = mn_field_map(world, "fluid", MN_READ, &p->fluid, say);
    for (int k = 0; k < p->scene->probe_count && status == MN_OK; k++)
        if (is_due(world, k, before)) status = put_row(p, k, world, say);
    mn_mapped *const maps[] = {&p->all, &p->moving, &p->fluid};
    for (int m = 0; m < 3; m++) {
        if (maps[m]->data) mn_field_unmap(world, maps[m], say);
        *maps[m] = (mn_mapped){0};
    }
    return status;
}

mn_status mn_probes_sync(mn_probes *p, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int k = 0; p && k < p->scene->probe_count && status == MN_OK; k++) status = mn_rows_sync(&p->rows[k], say);
    return status;
}

mn_status mn_probes_close(mn_probes *p, mn_messages *say)
{
    mn_status status = MN_OK;
    if (!p) return status;
    for (int k = 0; p->rows && k < p->scene->probe_count; k++) {
        const mn_status closed = mn_rows_close(&p->rows[k], say);
        if (status == MN_OK) status = closed;
    }
    free(p->near);
    free(p->position);
    free(p->velocity);
    free(p->weight);
    free(p->rows);
    free(p);
    return status;
}
