/* probes.c -- what is measured at places while a scene runs; see probes.h. Fields are fetched once for all probes that
 * are due at a step. */
#include "session/probes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "io/rows.h"
#include "measure/measure.h"
#include "session/gaps.h"

enum { LONGEST_ROW = 4096 };

struct mn_probes {
    const mn_scene *scene;
    mn_rows *rows; /* of each */
    int64_t room;  /* particles that the buffers hold */
    float *position, *velocity, *fluid, *weight, *field, *part, *moving;
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

static bool make_room(mn_probes *p, int64_t n)
{
    if (n <= p->room) return true;
    float **const buffers[] = {&p->position, &p->velocity, &p->fluid, &p->weight, &p->field, &p->part, &p->moving};
    p->room = n + n / 4 + 64;
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++) {
        free(*buffers[k]);
        *buffers[k] = malloc((size_t)(3 * p->room) * sizeof(float));
        if (!*buffers[k]) p->room = 0;
    }
    return p->room > 0;
}

/* The particles of one fluid, side by side; of all fluids, as they are. */
static void choose(mn_probes *p, int fluid, int64_t n, mn_cloud *cloud, const float **velocity)
{
    *cloud = (mn_cloud){p->position, n, p->scene->spacing};
    *velocity = p->velocity;
    if (fluid < 0) return;
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        if ((int)p->fluid[i] != fluid) continue;
        for (int a = 0; a < 3; a++) {
            p->part[3 * count + a] = p->position[3 * i + a];
            p->moving[3 * count + a] = p->velocity[3 * i + a];
        }
        count++;
    }
    *cloud = (mn_cloud){p->part, count, p->scene->spacing};
    *velocity = p->moving;
}

static int put_value(char *row, int length, double value)
{
    if (isnan(value)) return length + mn_format(row + length, LONGEST_ROW - (size_t)length, ",");
    return length + mn_format(row + length, LONGEST_ROW - (size_t)length, ",%.9g", value);
}

/* Means of the fields by the weights of all particles. */
static mn_status put_point(mn_probes *p, const mn_probe *probe, mn_world *world, int64_t n, char *row, int *length,
                           mn_messages *say)
{
    const mn_cloud all = {p->position, n, p->scene->spacing};
    double filled;
    mn_measure_weights(&all, probe->point, p->weight, &filled);
    if (probe->fluid_index >= 0) {
        filled = 0;
        for (int64_t i = 0; i < n; i++) {
            if ((int)p->fluid[i] != probe->fluid_index) p->weight[i] = 0;
            filled += (double)p->weight[i];
        }
    }
    *length = put_value(row, *length, filled);
    mn_status status = MN_OK;
    for (int f = 0; f < probe->field_count && status == MN_OK; f++) {
        const int width = mn_scene_field_width(p->scene, probe->fields[f]);
        double sum[3] = {0, 0, 0};
        status = mn_world_get(world, probe->fields[f], p->field, say);
        for (int64_t i = 0; i < n && status == MN_OK; i++)
            for (int a = 0; a < width && p->weight[i] > 0; a++)
                sum[a] += (double)p->weight[i] * (double)p->field[width * i + a];
        for (int a = 0; a < width; a++) *length = put_value(row, *length, filled > 0 ? sum[a] / filled : NAN);
    }
    return status;
}

static mn_status put_row(mn_probes *p, int k, mn_world *world, int64_t n, mn_messages *say)
{
    const mn_probe *probe = &p->scene->probes[k];
    char row[LONGEST_ROW];
    mn_cloud cloud;
    const float *velocity;
    mn_status status = MN_OK;
    int length = mn_format(row, sizeof row, "%lld,%.12g", (long long)mn_world_steps(world), mn_world_time(world));
    if (probe->kind == MN_PROBE_POINT) {
        status = put_point(p, probe, world, n, row, &length, say);
    } else {
        choose(p, probe->fluid_index, n, &cloud, &velocity);
        if (probe->kind == MN_PROBE_GAUGE) {
            length = put_value(row, length, mn_measure_gauge(&cloud, probe->point, probe->direction, probe->radius));
        } else {
            const mn_flux flux = mn_measure_flux(&cloud, velocity, probe->point, probe->direction, probe->size);
            length = put_value(row, length, flux.flow);
            length = put_value(row, length, flux.area);
            length = put_value(row, length, flux.speed);
        }
    }
    row[length++] = '\n';
    return status == MN_OK ? mn_rows_add(&p->rows[k], row, (size_t)length, say) : status;
}

static bool is_due(const mn_probe *probe, double before, double now)
{
    return probe->every <= 0 || mn_intervals(now, probe->every) > mn_intervals(before, probe->every);
}

mn_status mn_probes_step(mn_probes *p, mn_world *world, double before, mn_messages *say)
{
    bool any = false;
    for (int k = 0; p && k < p->scene->probe_count; k++)
        any |= is_due(&p->scene->probes[k], before, mn_world_time(world));
    if (!any) return MN_OK;
    const int64_t n = mn_world_particles(world);
    if (!make_room(p, n)) {
        mn_say_failure(say, MN_NOWHERE, "out of memory for the probes");
        return MN_FAILED;
    }
    mn_status status = mn_world_get(world, "position", p->position, say);
    if (status == MN_OK) status = mn_world_get(world, "velocity", p->velocity, say);
    if (status == MN_OK) status = mn_world_get(world, "fluid", p->fluid, say);
    for (int k = 0; k < p->scene->probe_count && status == MN_OK; k++)
        if (is_due(&p->scene->probes[k], before, mn_world_time(world))) status = put_row(p, k, world, n, say);
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
    float *const buffers[] = {p->position, p->velocity, p->fluid, p->weight, p->field, p->part, p->moving};
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++) free(buffers[k]);
    free(p->rows);
    free(p);
    return status;
}
