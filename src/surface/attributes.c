/* attributes.c -- what the particles carry, at the vertices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "surface/attributes.h"

enum { MOST = 1024 };

/* The particles around a vertex, with weights that add up to 1; `nearest` is one of them. */
typedef struct nearby {
    int32_t index[MOST];
    float weight[MOST];
    int count;
    int32_t nearest;
} nearby;

static void gather(const liquid_field *f, const float u[3], float reach, nearby *out)
{
    const cloud *c = f->cloud;
    const float scale = CLOUD_REACH / reach;
    float low[3], high[3], best = INFINITY, sum = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = u[k] - reach;
        high[k] = u[k] + reach;
    }
    cloud_run runs[64];
    const int count = cloud_runs(c, low, high, runs);
    out->count = 0;
    for (int r = 0; r < count; r++)
        for (int32_t i = runs[r].begin; i < runs[r].end; i++) {
            const float d[3] = {(c->x[i] - u[0]) * scale, (c->y[i] - u[1]) * scale, (c->z[i] - u[2]) * scale};
            const float r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], w = cloud_kernel(r2);
            if (w <= 0 || (f->mine && !f->mine[i]) || out->count == MOST) continue;
            out->index[out->count] = c->index[i];
            out->weight[out->count++] = w;
            sum += w;
            if (r2 < best) best = r2, out->nearest = c->index[i];
        }
    for (int n = 0; n < out->count; n++) out->weight[n] /= sum;
}

static void put(const nearby *around, const mn_frame_field *from, mn_surface_field *to, int32_t v)
{
    for (int k = 0; k < to->width; k++) {
        const size_t at = (size_t)v * (size_t)to->width + (size_t)k;
        if (to->type == MN_FRAME_INT) {
            ((int32_t *)to->data)[at] =
                ((const int32_t *)from->data)[(size_t)around->nearest * (size_t)from->width + (size_t)k];
            continue;
        }
        float sum = 0;
        for (int n = 0; n < around->count; n++)
            sum += around->weight[n] *
                   ((const float *)from->data)[(size_t)around->index[n] * (size_t)from->width + (size_t)k];
        ((float *)to->data)[at] = sum;
    }
}

static bool add_field(mn_surface *out, const char *name, mn_frame_type type, int width)
{
    mn_surface_field *f = &out->fields[out->field_count];
    snprintf(f->name, sizeof f->name, "%s", name);
    f->type = type;
    f->width = width;
    f->data = calloc((size_t)out->vertex_count * (size_t)width + 1, 4);
    out->field_count += f->data != NULL;
    return f->data != NULL;
}

bool attributes_make(const liquid_field *field, const skin *s, const mn_frame *frame, mn_surface *out)
{
    int velocity = -1, speed = -1;
    out->fields = calloc((size_t)frame->field_count + 2, sizeof *out->fields);
    if (!out->fields) return false;
    for (int f = 1; f < frame->field_count; f++) {
        if (!add_field(out, frame->fields[f].name, frame->fields[f].type, frame->fields[f].width)) return false;
        if (strcmp(frame->fields[f].name, "velocity") == 0 && frame->fields[f].width == 3) velocity = f - 1;
        if (strcmp(frame->fields[f].name, "speed") == 0) speed = f - 1;
    }
    const int copied = out->field_count;
    if (velocity >= 0 && speed < 0) {
        speed = copied;
        if (!add_field(out, "speed", MN_FRAME_FLOAT, 1)) return false;
    }
    if (velocity >= 0) out->velocity = out->fields[velocity].data;
    bool good = true;
#pragma omp parallel reduction(&& : good)
    {
        nearby *around = malloc(sizeof *around);
        good = around != NULL;
#pragma omp for schedule(static)
        for (int32_t v = 0; v < s->count; v++) {
            if (!around) continue;
            around->count = 0;
            for (float reach = CLOUD_REACH; around->count == 0 && reach <= 4 * CLOUD_REACH; reach *= 2)
                gather(field, s->u + 3 * (size_t)v, reach, around);
            for (int f = 0; around->count && f < copied; f++) put(around, &frame->fields[f + 1], &out->fields[f], v);
            if (velocity < 0 || speed != copied) continue;
            const float *w = out->velocity + 3 * (size_t)v;
            ((float *)out->fields[speed].data)[v] = sqrtf(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        }
        free(around);
    }
    return good;
}
