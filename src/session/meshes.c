/* meshes.c -- see meshes.h. */
#include "session/meshes.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "surface/mesh_files.h"

struct mn_meshes {
    const mn_scene *scene;
    mn_meshes_options opt;
    mn_barrier *barrier;
    int *liquid_of; /* of each fluid */
    char **names;   /* of each liquid, fit for a file's name */
    int liquids;
    bool warned;
};

/* ---------------------------------------------------------------------------------------- which liquids */

static bool same_curve(const mn_curve *a, const mn_curve *b)
{
    if (a->count != b->count || a->width != b->width) return false;
    for (int i = 0; i < a->count; i++)
        if (a->time && b->time && a->time[i] != b->time[i]) return false;
    for (int i = 0; i < a->count * a->width; i++)
        if (a->value[i] != b->value[i]) return false;
    return true;
}

bool mn_same_liquid(const mn_fluid *a, const mn_fluid *b)
{
    if (a->density != b->density || a->model_count != b->model_count) return false;
    for (int m = 0; m < a->model_count; m++) {
        if (a->models[m].model != b->models[m].model) return false;
        for (int p = 0; p < a->models[m].model->param_count; p++)
            if (!same_curve(&a->models[m].params[p], &b->models[m].params[p])) return false;
    }
    return true;
}

/* Letters, digits, - and _ only. */
static char *file_word(const char *name)
{
    char *word = strdup(name && *name ? name : "fluid");
    for (char *p = word; p && *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *p)) *p = '_';
    return word;
}

static bool group_fluids(mn_meshes *m)
{
    const mn_scene *scene = m->scene;
    m->liquid_of = calloc((size_t)scene->fluid_count + 1, sizeof *m->liquid_of);
    m->names = calloc((size_t)scene->fluid_count + 1, sizeof *m->names);
    if (!m->liquid_of || !m->names) return false;
    for (int f = 0; f < scene->fluid_count; f++) {
        int like = f;
        for (int g = 0; g < f && like == f && !m->opt.apart; g++)
            if (mn_same_liquid(&scene->fluids[g], &scene->fluids[f])) like = g;
        if (like < f) {
            m->liquid_of[f] = m->liquid_of[like];
            continue;
        }
        m->liquid_of[f] = m->liquids;
        m->names[m->liquids] = file_word(scene->fluids[f].name);
        if (!m->names[m->liquids++]) return false;
    }
    return true;
}

mn_meshes *mn_meshes_new(const mn_scene *scene, const mn_meshes_options *opt, mn_messages *say)
{
    mn_meshes *m = calloc(1, sizeof *m);
    if (m) {
        m->scene = scene;
        m->opt = *opt;
    }
    if (!m || !group_fluids(m)) mn_say_failure(say, MN_NOWHERE, "out of memory");
    else m->barrier = mn_barrier_new(scene, say);
    if (m && m->barrier) return m;
    mn_meshes_free(m);
    return NULL;
}

void mn_meshes_free(mn_meshes *m)
{
    if (!m) return;
    for (int l = 0; m->names && l < m->liquids; l++) free(m->names[l]);
    free(m->names);
    free(m->liquid_of);
    mn_barrier_free(m->barrier);
    free(m);
}

mn_barrier *mn_meshes_barrier(mn_meshes *m) { return m->barrier; }

/* -------------------------------------------------------------------------------------------------- files */

static char *file_path(const mn_meshes *m, int number, int liquid, const char *extension)
{
    char *path;
    const int done = m->liquids > 1
                         ? asprintf(&path, "%s/frame_%s_%05d.%s", m->opt.dir, m->names[liquid], number, extension)
                         : asprintf(&path, "%s/frame_%05d.%s", m->opt.dir, number, extension);
    return done < 0 ? NULL : path;
}

char *mn_meshes_taken(const mn_meshes *m, int number)
{
    for (int l = 0; l < m->liquids; l++)
        for (int f = 0; f < m->opt.format_count; f++) {
            char *path = file_path(m, number, l, m->opt.formats[f]);
            if (path && access(path, F_OK) == 0) return path;
            free(path);
        }
    return NULL;
}

bool mn_meshes_whole(const mn_meshes *m, int number)
{
    bool whole = true;
    for (int k = 0; k < m->liquids * m->opt.format_count && whole; k++) {
        char *path = file_path(m, number, k / m->opt.format_count, m->opt.formats[k % m->opt.format_count]);
        whole = path && access(path, F_OK) == 0;
        free(path);
    }
    return whole;
}

static mn_status write_one(const mn_meshes *m, const mn_surface *s, int number, int liquid, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int f = 0; f < m->opt.format_count && status == MN_OK; f++) {
        const mn_surface_format *format = mn_surface_format_find(m->opt.formats[f]);
        char *path = format ? file_path(m, number, liquid, format->key) : NULL;
        const bool kept = path && m->opt.keep && access(path, F_OK) == 0;
        if (!kept) status = path ? format->write(path, s, say) : MN_FAILED;
        free(path);
    }
    return status;
}

/* Which liquid each particle is of, malloc'd; NULL without a message: there is only one. */
static mn_status find_liquids(mn_meshes *m, const mn_frame *frame, int32_t **out, mn_messages *say)
{
    *out = NULL;
    if (m->liquids < 2) return MN_OK;
    const mn_frame_field *fluid = mn_frame_find(frame, "fluid");
    if (!fluid || fluid->type != MN_FRAME_INT || fluid->width != 1) {
        if (!m->warned)
            mn_say_warning(say, MN_NOWHERE,
                           "the frames do not say which fluid a particle belongs to (no field fluid): all liquids "
                           "become one mesh");
        m->warned = true;
        return MN_OK;
    }
    int32_t *liquid = malloc(((size_t)frame->count + 1) * sizeof *liquid);
    if (!liquid) {
        mn_say_failure(say, MN_NOWHERE, "out of memory");
        return MN_FAILED;
    }
    for (long i = 0; i < frame->count; i++) {
        const int32_t f = ((const int32_t *)fluid->data)[i];
        liquid[i] = f >= 0 && f < m->scene->fluid_count ? m->liquid_of[f] : 0;
    }
    *out = liquid;
    return MN_OK;
}

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

mn_status mn_meshes_frame(mn_meshes *m, const mn_frame *frame, int number, mn_meshes_made *made, mn_messages *say)
{
    int32_t *liquid;
    const double start = wall_clock();
    *made = (mn_meshes_made){0};
    mn_status status = find_liquids(m, frame, &liquid, say);
    const int count = liquid ? m->liquids : 1;
    mn_surface *surfaces = calloc((size_t)count, sizeof *surfaces);
    if (status == MN_OK && !surfaces) status = MN_FAILED;
    const mn_surface_options opt = {.spacing = m->scene->spacing,
                                    .cell = m->opt.cell,
                                    .smoothing = m->opt.smoothing,
                                    .hollows = m->opt.hollows,
                                    .liquid = liquid,
                                    .liquid_count = count,
                                    .wall = mn_barrier_empty(m->barrier) ? NULL : mn_barrier_distance,
                                    .walls = m->barrier};
    if (status == MN_OK) status = mn_surface_make(frame, &opt, surfaces, say);
    made->seconds = wall_clock() - start;
    if (status == MN_OK) status = mn_folder_make(m->opt.dir, say);
    for (int l = 0; l < count && surfaces; l++) {
        if (status == MN_OK) status = write_one(m, &surfaces[l], number, l, say);
        made->vertices += surfaces[l].vertex_count;
        made->triangles += surfaces[l].triangle_count;
        mn_surface_free(&surfaces[l]);
    }
    free(surfaces);
    free(liquid);
    return status;
}

/* --------------------------------------------------------------------------------------------- collection */

typedef struct vtp_list {
    char **names;
    int count, room;
} vtp_list;

static bool add_name(vtp_list *list, const char *name)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 256;
        char **grown = realloc(list->names, (size_t)list->room * sizeof *grown);
        if (!grown) return false;
        list->names = grown;
    }
    list->names[list->count] = strdup(name);
    return list->names[list->count++] != NULL;
}

static int number_of(const char *name) { return (int)strtol(strrchr(name, '_') + 1, NULL, 10); }

static int by_number(const void *left, const void *right)
{
    const char *a = *(char *const *)left, *b = *(char *const *)right;
    const int x = number_of(a), y = number_of(b);
    return x != y ? (x > y) - (x < y) : strcmp(a, b);
}

mn_status mn_meshes_collect(const mn_meshes *m, double interval, mn_messages *say)
{
    bool wanted = false, good = true;
    for (int f = 0; f < m->opt.format_count; f++) wanted |= strcmp(m->opt.formats[f], "vtp") == 0;
    if (!wanted) return MN_OK;
    vtp_list list = {0};
    DIR *dir = opendir(m->opt.dir);
    const struct dirent *entry;
    while (dir && good && (entry = readdir(dir))) { // NOLINT(concurrency-mt-unsafe)
        const size_t length = strlen(entry->d_name);
        if (strncmp(entry->d_name, "frame_", 6) == 0 && length > 10 && strcmp(entry->d_name + length - 4, ".vtp") == 0)
            good = add_name(&list, entry->d_name);
    }
    if (dir) closedir(dir);
    if (list.count) qsort(list.names, (size_t)list.count, sizeof *list.names, by_number);
    double *times = calloc((size_t)list.count + 1, sizeof *times);
    char *path = mn_path_join(m->opt.dir, "frames.pvd");
    mn_status status = MN_FAILED;
    if (good && times && path) {
        for (int i = 0; i < list.count; i++) times[i] = interval * number_of(list.names[i]);
        status = mn_pvd_write(path, (const char *const *)list.names, times, list.count, say);
    } else {
        mn_say_failure(say, MN_NOWHERE, "out of memory");
    }
    for (int i = 0; i < list.count; i++) free(list.names[i]);
    free(list.names);
    free(times);
    free(path);
    return status;
}
