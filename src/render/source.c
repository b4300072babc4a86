/* source.c -- finds the frames of a run or of a folder of meshes, and surveys them. */
#include "render/source.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "geometry/vectors.h"
#include "io/preview.h"
#include "session/folder.h"

enum { SURVEYED = 9 };

static mn_place in(const char *path) { return (mn_place){path, 0, 0}; }

static mn_status no_memory(const char *path, mn_messages *say)
{
    mn_say_failure(say, in(path), "out of memory");
    return MN_FAILED;
}

/* ------------------------------------------------------------------------------------------------- finding */

static const char *const mesh_extensions[] = {"ply", "obj", "stl", NULL}; /* the first that there is, is read */

static int rank_of(const char *extension)
{
    for (int k = 0; mesh_extensions[k]; k++)
        if (strcmp(extension, mesh_extensions[k]) == 0) return k;
    return -1;
}

/* frame_NUMBER.EXTENSION, or frame_LIQUID_NUMBER.EXTENSION. False: it is none of these. */
static bool parse_name(const char *name, mn_mesh_file *out, char liquid[64])
{
    const char *last = strrchr(name, '_'), *rest = name + 6;
    if (strncmp(name, "frame_", 6) != 0 || last[1] < '0' || last[1] > '9') return false;
    char *end;
    errno = 0;
    out->number = strtol(last + 1, &end, 10);
    if (errno || *end != '.' || (out->rank = rank_of(end + 1)) < 0) return false;
    const int length = last < rest ? 0 : (int)(last - rest);
    /* What would end a quoted word of the scene does not come from `meniscus mesh`. */
    if (length > 63 || strcspn(rest, "\"\\\n") < (size_t)length) return false;
    snprintf(liquid, 64, "%.*s", length, rest);
    return true;
}

static bool add_file(mn_source *s, mn_mesh_file file, const char *folder, const char *name, const char *liquid)
{
    mn_mesh_file *grown = realloc(s->files, (size_t)(s->file_count + 1) * sizeof *grown);
    if (!grown) return false;
    s->files = grown;
    file.path = !folder ? strdup(name) : mn_path_join(folder, name);
    file.liquid = strdup(liquid);
    s->files[s->file_count++] = file;
    return file.path && file.liquid;
}

static int by_number(const void *a, const void *b)
{
    const mn_mesh_file *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    const int names = strcmp(x->liquid, y->liquid);
    return names ? names : x->rank - y->rank;
}

/* Files by number and liquid, each liquid once; the numbers that there are. False: out of memory. */
static bool sort_files(mn_source *s)
{
    if (s->file_count > 0) qsort(s->files, (size_t)s->file_count, sizeof *s->files, by_number);
    s->numbers = malloc(((size_t)s->file_count + 1) * sizeof *s->numbers);
    int kept = 0;
    for (int k = 0; s->numbers && k < s->file_count; k++) {
        mn_mesh_file *file = &s->files[k], *last = kept ? &s->files[kept - 1] : NULL;
        const bool same = last && last->number == file->number;
        if (same && strcmp(last->liquid, file->liquid) == 0) { /* the same mesh in another format */
            free(file->path);
            free(file->liquid);
            continue;
        }
        if (!same) s->numbers[s->count++] = file->number;
        s->files[kept++] = *file;
    }
    if (s->numbers) s->file_count = kept;
    return s->numbers != NULL;
}

/* The meshes of a folder. False: out of memory. */
static bool list_meshes(mn_source *s, const char *folder)
{
    DIR *dir = opendir(folder);
    bool ok = true;
    const struct dirent *entry;
    while (dir && ok && (entry = readdir(dir))) { // NOLINT(concurrency-mt-unsafe)
        mn_mesh_file file = {0};
        char liquid[64];
        if (parse_name(entry->d_name, &file, liquid)) ok = add_file(s, file, folder, entry->d_name, liquid);
    }
    if (dir) closedir(dir);
    return ok && sort_files(s);
}

/* The number of the liquid among those that there are; they are numbered as they come. -1: there are too many. */
static int fluid_of(mn_source *s, int file, const char *liquids[MN_MAX_FLUIDS], int *count)
{
    for (int f = 0; f < *count; f++)
        if (strcmp(liquids[f], s->files[file].liquid) == 0) return f;
    if (*count == MN_MAX_FLUIDS) return -1;
    liquids[*count] = s->files[file].liquid;
    return (*count)++;
}

static mn_status name_fluids(mn_source *s, const char *liquids[MN_MAX_FLUIDS], int *count, mn_messages *say)
{
    for (int k = 0; k < s->file_count; k++)
        if ((s->files[k].fluid = fluid_of(s, k, liquids, count)) < 0) {
            mn_say_error(say, in(s->path), "the meshes are of more than %d liquids, which is the most", MN_MAX_FLUIDS);
            return MN_BAD_INPUT;
        }
    return MN_OK;
}

static mn_status survey_mesh(const mn_source *s, int k, const char *field, mn_survey *out, mn_messages *say);

/* Meshes have no scene: one around the first of them, for its camera, with a fluid for each liquid. */
static mn_status plain_scene(mn_source *s, const mn_render_options *opt, mn_messages *say)
{
    const char *liquids[MN_MAX_FLUIDS];
    int count = 0;
    mn_survey box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0, 0, 0, 0};
    mn_status status = name_fluids(s, liquids, &count, say);
    if (status == MN_OK) status = survey_mesh(s, 0, NULL, &box, say);
    if (status != MN_OK) return status;
    const double size = fmin(fmax(distance3(box.low, box.high), 1e-4), 1e5);
    char text[128 + 256 * MN_MAX_FLUIDS];
    int length = mn_format(text, sizeof text, "particles: {spacing: %.9g}\ntime: {end: 1}\nfluids:\n", 0.01 * size);
    for (int f = 0; f < count; f++) {
        const char *quote = liquids[f][0] ? "\"" : "";
        length += mn_format(text + length, sizeof text - (size_t)length,
                            "  - {%s%s%s%s%sshapes: [{box: {size: [%.9g, %.9g, %.9g]}}]}\n", quote[0] ? "name: " : "",
                            quote, liquids[f], quote, quote[0] ? ", " : "", size, size, size);
    }
    s->scene = mn_scene_parse(text, (size_t)length, s->path, opt->sets, opt->set_count, say);
    return s->scene ? MN_OK : MN_BAD_INPUT;
}

static mn_status open_run(mn_source *s, const mn_render_options *opt, mn_messages *say)
{
    s->replay = mn_replay_open(s->path, say);
    if (!s->replay) return mn_status_of_failure(say);
    s->count = mn_replay_count(s->replay);
    s->numbers = malloc(((size_t)s->count + 1) * sizeof *s->numbers);
    char *path = mn_path_join(s->path, "run.yaml");
    if (!path || !s->numbers) {
        free(path);
        return no_memory(s->path, say);
    }
    for (int k = 0; k < s->count; k++) s->numbers[k] = mn_replay_number(s->replay, k);
    s->scene = mn_scene_load(path, opt->sets, opt->set_count, say);
    free(path);
    /* Only keys that change no particle may differ from those of the run. */
    mn_status status = s->scene ? mn_run_same_scene(s->path, s->scene, say) : MN_BAD_INPUT;
    if (s->scene && status == MN_BAD_INPUT)
        mn_say(say, MN_NOTE, in(s->path),
               "pictures of a run take other values for keys of the camera and of looks only");
    if (status == MN_OK) s->barrier = mn_barrier_new(s->scene, say);
    return status == MN_OK && !s->barrier ? mn_status_of_failure(say) : status;
}

static mn_status open_meshes(mn_source *s, bool folder, const mn_render_options *opt, mn_messages *say)
{
    const bool found =
        folder ? list_meshes(s, s->path) : add_file(s, (mn_mesh_file){0}, NULL, s->path, "") && sort_files(s);
    if (!found) return no_memory(s->path, say);
    if (s->count > 0) return plain_scene(s, opt, say);
    mn_say_error(say, in(s->path),
                 "there are no frames in it; expected the folder of a run with output.every above 0, or meshes "
                 "frame_*.ply, obj or stl");
    return MN_BAD_INPUT;
}

mn_status mn_source_open(mn_source *s, const mn_render_options *opt, mn_messages *say)
{
    *s = (mn_source){.path = opt->source};
    struct stat info;
    if (stat(s->path, &info) != 0) {
        mn_say_error(say, in(s->path), "cannot open it: %s; expected the folder of a run, or a mesh", strerror(errno));
        return MN_BAD_INPUT;
    }
    const bool folder = S_ISDIR(info.st_mode);
    char *run = folder ? mn_path_join(s->path, "run.yaml") : NULL;
    const bool is_run = run && access(run, F_OK) == 0;
    free(run);
    return is_run ? open_run(s, opt, say) : open_meshes(s, folder, opt, say);
}

void mn_source_close(mn_source *s)
{
    for (int k = 0; k < s->file_count; k++) {
        free(s->files[k].path);
        free(s->files[k].liquid);
    }
    free(s->files);
    free(s->numbers);
    mn_barrier_free(s->barrier);
    mn_replay_free(s->replay);
    mn_scene_free(s->scene);
    *s = (mn_source){0};
}

mn_status mn_source_select(mn_source *s, const mn_render_options *opt, mn_messages *say)
{
    const long least = s->numbers[0], most = s->numbers[s->count - 1];
    int kept = 0;
    for (int k = 0; k < s->count; k++) {
        const long number = s->numbers[k];
        const bool wanted =
            number >= opt->first && (opt->last < 0 || number <= opt->last) && (number - opt->first) % opt->step == 0;
        if (wanted) s->numbers[kept++] = number;
    }
    s->count = kept;
    if (kept > 0) return MN_OK;
    mn_say_error(say, in(s->path), "none of these frames exists; it has %ld to %ld", least, most);
    return MN_BAD_INPUT;
}

/* ------------------------------------------------------------------------------------------------ surveying */

const char *mn_paint_field(const mn_scene *scene)
{
    const mn_camera *camera = &scene->camera;
    if (strcmp(camera->colour, "fluid") == 0) return NULL; /* each fluid has a look of its own */
    return strcmp(camera->look, "field") == 0 || strcmp(camera->colour, "speed") != 0 ? camera->colour : NULL;
}

float *mn_paint_values(const mn_frame *frame, const char *field, const char *file, mn_messages *say)
{
    const char *name = strcmp(field, "speed") == 0 ? "velocity" : field;
    char all[1024] = "";
    for (int k = 0; k < frame->field_count; k++) {
        const mn_frame_field *f = &frame->fields[k];
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", k ? ", " : "", f->name);
        if (strcmp(f->name, name) != 0) continue;
        float *values = malloc(((size_t)frame->count + 1) * sizeof *values);
        const float *v = f->data;
        for (long i = 0; values && i < frame->count; i++, v += f->width) {
            if (f->type == MN_FRAME_INT) values[i] = (float)((const int32_t *)f->data)[i * f->width];
            else values[i] = f->width == 3 ? sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) : v[0];
        }
        if (!values) no_memory(file, say);
        return values;
    }
    mn_say_error(say, in(file),
                 "the frame has no field \"%s\" for the colours (camera.colour); it has %s; output.fields decides "
                 "which are written",
                 name, all);
    return NULL;
}

static int rising(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The box of all points but a few strays. */
static bool widen(const float *position, long count, mn_survey *out)
{
    const long step = count / 20000 + 1, kept = (count + step - 1) / step;
    float *sorted = malloc(((size_t)kept + 1) * sizeof *sorted);
    for (int a = 0; a < 3 && sorted && kept > 0; a++) {
        for (long i = 0; i < kept; i++) sorted[i] = position[3 * i * step + a];
        qsort(sorted, (size_t)kept, sizeof *sorted, rising);
        const long strays = kept / 300;
        out->low[a] = fmin(out->low[a], (double)sorted[strays]);
        out->high[a] = fmax(out->high[a], (double)sorted[kept - 1 - strays]);
    }
    free(sorted);
    return sorted != NULL;
}

static mn_status survey_frame(const mn_source *s, int k, const char *field, mn_survey *out, mn_messages *say)
{
    mn_frame frame;
    char file[64];
    snprintf(file, sizeof file, "frame %ld", s->numbers[k]);
    mn_status status = mn_replay_frame(s->replay, (int)s->numbers[k], &frame, say);
    if (status != MN_OK) return status;
    if (!widen(frame.fields[0].data, frame.count, out)) status = no_memory(file, say);
    float *values = field && status == MN_OK ? mn_paint_values(&frame, field, file, say) : NULL;
    if (field && !values) status = MN_BAD_INPUT;
    if (values && frame.count > 0) {
        double low, high;
        mn_preview_range(values, frame.count, &low, &high);
        out->least = fmin(out->least, low);
        out->most = fmax(out->most, high);
    }
    free(values);
    mn_frame_free(&frame);
    return status;
}

mn_status mn_source_vertices(const char *file, long count, mn_frame *frame, mn_messages *say)
{
    if (rank_of(strrchr(file, '.') ? strrchr(file, '.') + 1 : "") != 0) {
        mn_say_error(say, in(file),
                     "the colours and the exposure are of fields, and obj and stl hold none; expected the folder of a "
                     "run, or ply");
        return MN_BAD_INPUT;
    }
    mn_status status = mn_frame_read_vertices(file, frame, say);
    if (status != MN_OK || frame->count == count) return status;
    mn_say_error(say, in(file), "the mesh has %ld vertices, its fields %ld", count, frame->count);
    mn_frame_free(frame);
    return MN_BAD_INPUT;
}

/* The scale of the colours of one mesh. */
static mn_status survey_vertices(const char *file, long count, const char *field, mn_survey *out, mn_messages *say)
{
    mn_frame frame;
    mn_status status = mn_source_vertices(file, count, &frame, say);
    if (status != MN_OK) return status;
    float *values = mn_paint_values(&frame, field, file, say);
    double low, high;
    if (values && frame.count > 0) {
        mn_preview_range(values, frame.count, &low, &high);
        out->least = fmin(out->least, low);
        out->most = fmax(out->most, high);
    }
    free(values);
    mn_frame_free(&frame);
    return values ? MN_OK : MN_BAD_INPUT;
}

/* All meshes of frame k. */
static mn_status survey_mesh(const mn_source *s, int k, const char *field, mn_survey *out, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int f = 0; f < s->file_count && status == MN_OK; f++) {
        mn_mesh mesh;
        if (s->files[f].number != s->numbers[k]) continue;
        status = mn_mesh_read(s->files[f].path, &mesh, say);
        if (status != MN_OK) break;
        for (size_t v = 0; v < (size_t)mesh.vertex_count; v++)
            for (size_t a = 0; a < 3; a++) {
                out->low[a] = fmin(out->low[a], mesh.vertex[3 * v + a]);
                out->high[a] = fmax(out->high[a], mesh.vertex[3 * v + a]);
            }
        if (field) status = survey_vertices(s->files[f].path, mesh.vertex_count, field, out, say);
        mn_mesh_free(&mesh);
    }
    return status;
}

mn_status mn_source_beside(const mn_source *s, long number, const char *folder, mn_frame *out, mn_messages *say)
{
    return mn_replay_beside(s->replay, folder, (int)number, out, say);
}

mn_status mn_source_survey_coat(const mn_source *s, mn_survey *out, mn_messages *say)
{
    const mn_camera *camera = &s->scene->camera;
    out->coat_least = camera->wall_range[0];
    out->coat_most = camera->wall_range[1];
    if (!s->replay || !camera->wall_colour || !camera->wall_colour[0] || out->coat_least != out->coat_most)
        return MN_OK;
    mn_frame frame;
    mn_status status = mn_source_beside(s, s->numbers[0], "coats", &frame, say);
    if (status != MN_OK) return status;
    const mn_frame_field *f = mn_frame_find(&frame, camera->wall_colour);
    for (long i = 0; f && f->type == MN_FRAME_FLOAT && f->width == 1 && i < frame.count; i++)
        out->coat_most = fmax(out->coat_most, (double)((const float *)f->data)[i]);
    mn_frame_free(&frame);
    return status;
}

mn_status mn_source_survey(const mn_source *s, mn_survey *out, mn_messages *say)
{
    const char *field = mn_paint_field(s->scene);
    *out = (mn_survey){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, INFINITY, -INFINITY, 0, 0};
    mn_status status = mn_source_survey_coat(s, out, say);
    const int looks = s->count < SURVEYED ? s->count : SURVEYED;
    for (int k = 0; k < looks && status == MN_OK; k++) {
        const int at = looks > 1 ? (int)((long)k * (s->count - 1) / (looks - 1)) : 0;
        status = s->replay ? survey_frame(s, at, field, out, say) : survey_mesh(s, at, field, out, say);
    }
    for (int a = 0; a < 3 && status == MN_OK; a++) {
        const double room = s->replay ? 0.5 * s->scene->spacing : 0;
        if (!(out->low[a] <= out->high[a])) out->low[a] = out->high[a] = 0;
        out->low[a] -= room;
        out->high[a] += room;
    }
    const double *range = s->scene->camera.range;
    if (range[0] != range[1]) out->least = range[0], out->most = range[1];
    return status;
}
