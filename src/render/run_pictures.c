/* run_pictures.c -- the pictures of a run, one after the other; see run_pictures.h. */
#include "render/run_pictures.h"

#ifdef MN_HAVE_EMBREE
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "io/picture.h"
#include "io/preview.h"
#include "io/type.h"
#include "render/source.h"

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct job {
    const mn_render_options *opt;
    mn_source source;
    mn_survey survey;
    mn_stage *stage;
    mn_studio studio;
    mn_lens lens;
    char *dir;
    float *light;
    unsigned char *pixels;
    mn_render_summary *sum;
    mn_messages *say;
} job;

static mn_status no_memory(mn_messages *say)
{
    mn_say_failure(say, MN_NOWHERE, "out of memory for a picture");
    return MN_FAILED;
}

/* ---------------------------------------------------------------------------------------------- before all */

static mn_status set_size(job *j)
{
    mn_camera *camera = &j->source.scene->camera;
    if (j->opt->width || j->opt->height) {
        camera->width = j->opt->width;
        camera->height = j->opt->height;
    }
    if (camera->width >= 16 && camera->height >= 16 && camera->width <= 16384 && camera->height <= 16384) return MN_OK;
    mn_say_error(j->say, MN_NOWHERE, "a picture of %d x %d pixels is not possible; expected 16 to 16384 for each",
                 camera->width, camera->height);
    return MN_BAD_INPUT;
}

static void set_lens(job *j)
{
    const mn_camera *camera = &j->source.scene->camera;
    const mn_view view = mn_stage_view(j->stage);
    const bool blurred = camera->shutter > 0 || camera->aperture > 0;
    double away = 0;
    for (int a = 0; a < 3; a++) away += (view.target[a] - view.eye[a]) * (view.target[a] - view.eye[a]);
    j->lens = (mn_lens){.view = view,
                        .aperture = camera->aperture,
                        .focus = camera->focus > 0 ? camera->focus : sqrt(away),
                        .blur = camera->shutter > 0,
                        .width = camera->width,
                        .height = camera->height,
                        .samples = j->opt->samples > 0 ? j->opt->samples
                                   : blurred           ? 4 * MN_RENDER_SAMPLES
                                                       : MN_RENDER_SAMPLES,
                        .threads = j->opt->threads};
}

/* SOURCE/render, or beside a mesh file. malloc'd. */
static char *folder_of(const job *j)
{
    if (j->opt->dir) return strdup(j->opt->dir);
    const mn_source *s = &j->source;
    if (s->replay || s->file_count != 1 || strcmp(s->files[0].path, s->path) != 0)
        return mn_path_join(s->path, "render");
    const char *slash = strrchr(s->path, '/'), *dot = strrchr(s->path, '.');
    const int length = dot && (!slash || dot > slash) ? (int)(dot - s->path) : (int)strlen(s->path);
    char *dir;
    return asprintf(&dir, "%.*s-render", length, s->path) < 0 ? NULL : dir;
}

static char *picture_path(const job *j, int k)
{
    char *path;
    return asprintf(&path, "%s/frame_%05ld.png", j->dir, j->source.numbers[k]) < 0 ? NULL : path;
}

/* Refuses before anything is made if a picture is there already. */
static mn_status check_taken(const job *j)
{
    for (int k = 0; k < j->source.count && !j->opt->overwrite && !j->opt->resume; k++) {
        char *path = picture_path(j, k);
        const bool taken = path && access(path, F_OK) == 0;
        if (taken)
            mn_say_error(
                j->say, (mn_place){path, 0, 0},
                "this picture is already there; expected another folder, --resume to make the others, or --overwrite "
                "to replace it");
        free(path);
        if (taken) return MN_BAD_INPUT;
    }
    return MN_OK;
}

/* Stage, lens, room for the pixels and the folder, by the survey. */
static mn_status set_stage(job *j)
{
    j->stage = mn_stage_new(j->source.scene, j->survey.low, j->survey.high, j->say);
    if (!j->stage) return mn_status_of_failure(j->say);
    set_lens(j);
    j->studio = mn_stage_studio(j->stage);
    const double time = j->source.replay ? mn_replay_time(j->source.replay, (int)j->source.numbers[0]) : 0;
    mn_status status = mn_stage_check_eye(j->stage, &j->lens.view, time, j->say);
    if (status != MN_OK) return status;
    const size_t pixels = (size_t)j->lens.width * (size_t)j->lens.height;
    j->dir = folder_of(j);
    j->light = malloc(3 * pixels * sizeof *j->light);
    j->pixels = malloc(3 * pixels);
    if (!j->dir || !j->light || !j->pixels) return no_memory(j->say);
    snprintf(j->sum->dir, sizeof j->sum->dir, "%s", j->dir);
    status = check_taken(j);
    return status == MN_OK ? mn_folder_make(j->dir, j->say) : status;
}

static mn_status prepare(job *j)
{
    mn_status status = mn_source_open(&j->source, j->opt, j->say);
    if (status == MN_OK) status = set_size(j);
    if (status == MN_OK) status = mn_source_survey(&j->source, &j->survey, j->say);
    if (status == MN_OK) status = mn_source_select(&j->source, j->opt, j->say);
    if (status != MN_OK) return status;
    return set_stage(j);
}

/* ------------------------------------------------------------------------------------------------ one picture */

static void letter(const job *j, double time)
{
    const mn_scene *scene = j->source.scene;
    const char *field = mn_paint_field(scene);
    char title[320] = "", label[128] = "";
    if (scene->camera.caption && isfinite(time))
        mn_format(title, sizeof title, "%.200s%st = %.3f s", scene->title ? scene->title : "",
                  scene->title && scene->title[0] ? "   " : "", time);
    if (field) mn_scene_field_label(scene, field, label, sizeof label);
    const char *substance = j->source.replay && scene->camera.wall_colour[0] ? scene->camera.wall_colour : NULL;
    char walls[64] = "";
    if (substance) snprintf(walls, sizeof walls, "%.30s on walls [mol/m²]", substance);
    mn_caption caption = {
        .title = title, .label = field ? label : NULL, .low = j->survey.least, .high = j->survey.most};
    if (substance) {
        caption.second = walls;
        caption.second_low = j->survey.coat_least;
        caption.second_high = j->survey.coat_most;
        for (int k = 0; k < 256; k++) {
            const vec3 colour = v3_scale(mn_coat_colour((float)k / 255), 1.7f); /* as bright as in the light */
            memcpy(caption.second_ramp[k], &colour, sizeof colour);
        }
    }
    mn_caption_draw(&(mn_canvas){j->pixels, j->lens.width, j->lens.height}, &caption);
}

static mn_status draw(job *j, int k, const char *path)
{
    mn_take take = {.stage = j->stage, .survey = &j->survey, .exposure = j->source.scene->camera.shutter};
    mn_cast cast = {0};
    mn_status status = mn_source_cast(&j->source, k, &take, &cast, j->say);
    mn_tracer *tracer = status == MN_OK ? mn_tracer_new(cast.meshes, cast.count, &j->studio, j->say) : NULL;
    if (status == MN_OK && !tracer) status = MN_FAILED;
    mn_cast_free(&cast);
    if (status == MN_OK) status = mn_tracer_draw(tracer, &j->lens, j->light, j->say);
    mn_tracer_free(tracer);
    if (status != MN_OK) return status;
    mn_tone(j->light, (long)j->lens.width * j->lens.height, j->pixels);
    letter(j, take.time);
    j->sum->mesh_seconds += take.mesh_seconds;
    return mn_png_write(path, j->pixels, j->lens.width, j->lens.height, j->say);
}

/* A whole picture is there already. */
static bool is_kept(const job *j, const char *path)
{
    int width, height;
    return j->opt->resume && mn_png_size(path, &width, &height);
}

/* Pictures of two sizes make no film. */
static mn_status check_sizes(const job *j)
{
    bool good = true;
    for (int k = 0; k < j->source.count && good && j->opt->resume; k++) {
        char *path = picture_path(j, k);
        int width, height;
        if (path && mn_png_size(path, &width, &height)) good = width == j->lens.width && height == j->lens.height;
        if (!good)
            mn_say_error(
                j->say, (mn_place){path, 0, 0},
                "this picture has %d x %d pixels, the new ones have %d x %d; expected --size %dx%d to make the "
                "others, another folder, or --overwrite to replace it",
                width, height, j->lens.width, j->lens.height, width, height);
        free(path);
    }
    return good ? MN_OK : MN_BAD_INPUT;
}

static mn_status draw_all(job *j)
{
    mn_status status = check_sizes(j);
    for (int k = 0; k < j->source.count && status == MN_OK; k++) {
        if (j->opt->stop && *j->opt->stop) return MN_INTERRUPTED;
        char *path = picture_path(j, k);
        const bool there = path && is_kept(j, path);
        if (!there) status = path ? draw(j, k, path) : no_memory(j->say);
        if (status == MN_OK) *(there ? &j->sum->kept : &j->sum->pictures) += 1;
        if (status == MN_OK && !there && j->opt->progress) j->opt->progress(j->opt->user, k + 1, j->source.count, path);
        free(path);
    }
    return status;
}

/* In real time where the frames allow it; finer frames give slow motion. */
static void make_films(job *j)
{
    const double interval = j->source.replay ? j->source.scene->frame_interval * (double)j->opt->step : 1.0 / 25;
    const double rate = interval > 0 ? fmin(fmax(1 / interval, 5), 30) : 25;
    char *film = mn_path_join(j->dir, "film.mp4"), *gif = mn_path_join(j->dir, "film.gif");
    if (film && gif && mn_video_write(j->dir, rate, film, j->say) == MN_OK) mn_gif_write(j->dir, rate, gif, j->say);
    free(film);
    free(gif);
}

/* Whether film.mp4 or film.gif is not there. */
static bool films_missing(const job *j)
{
    char *film = mn_path_join(j->dir, "film.mp4"), *gif = mn_path_join(j->dir, "film.gif");
    const bool missing = film && gif && (access(film, F_OK) != 0 || access(gif, F_OK) != 0);
    free(film);
    free(gif);
    return missing;
}

static void free_job(job *j)
{
    mn_stage_free(j->stage);
    mn_source_close(&j->source);
    free(j->dir);
    free(j->light);
    free(j->pixels);
}

mn_status mn_render(const mn_render_options *opt, mn_messages *say, mn_render_summary *out)
{
    *out = (mn_render_summary){0};
    const double start = wall_clock();
    job j = {.opt = opt, .sum = out, .say = say};
    if (opt->threads > 0) omp_set_num_threads(opt->threads);
    mn_status status = prepare(&j);
    if (status == MN_OK) status = draw_all(&j);
    const bool several = out->pictures + out->kept > 1;
    if (status == MN_OK && several && (out->pictures > 0 || films_missing(&j))) make_films(&j);
    out->seconds = wall_clock() - start;
    free_job(&j);
    return status == MN_BAD_INPUT ? mn_status_of_failure(say) : status;
}

/* -------------------------------------------------------------------------------------------- during a run */

struct mn_live_render {
    const mn_scene *scene;
    char *dir; /* of the run */
    mn_render_options opt;
    mn_render_summary sum;
    job job;
    bool ready; /* the run is open */
    bool late;  /* nothing is drawn before the end */
};

void mn_live_render_free(mn_live_render *live)
{
    if (!live) return;
    free_job(&live->job);
    free(live->dir);
    free(live);
}

static mn_status no_frames(const mn_scene *scene, mn_messages *say)
{
    mn_say_error(
        say, (mn_place){scene->path, 0, 0},
        "pictures are made of frames, and the scene writes none; expected output.every above 0 and a format in "
        "output.formats");
    return MN_BAD_INPUT;
}

/* What can be said before the run: the view from the scene. */
static mn_status check_view(mn_live_render *b, mn_messages *say)
{
    const mn_scene *scene = b->scene;
    mn_survey survey;
    if (!(scene->frame_interval > 0) || scene->frame_format_count == 0) return no_frames(scene, say);
    b->late = !mn_survey_before(scene, &survey);
    if (b->late)
        mn_say(say, MN_NOTE, (mn_place){scene->path, 0, 0},
               "the colours take their scale from the whole run (no camera.range): the pictures are drawn when the run "
               "has ended");
    mn_stage *stage = mn_stage_new(scene, survey.low, survey.high, say);
    if (!stage) return mn_status_of_failure(say);
    const mn_view view = mn_stage_view(stage);
    const mn_status status = mn_stage_check_eye(stage, &view, 0, say);
    mn_stage_free(stage);
    return status;
}

mn_live_render *mn_live_render_new(const mn_scene *scene, const char *dir, int threads, mn_messages *say)
{
    mn_live_render *b = calloc(1, sizeof *b);
    if (b) *b = (mn_live_render){.scene = scene, .dir = strdup(dir)};
    mn_status status = b && b->dir ? MN_OK : no_memory(say);
    if (status == MN_OK) {
        b->opt = (mn_render_options){.source = b->dir, .last = -1, .step = 1, .threads = threads, .overwrite = true};
        b->job = (job){.opt = &b->opt, .sum = &b->sum};
        status = check_view(b, say);
    }
    if (status == MN_OK) return b;
    mn_live_render_free(b);
    return NULL;
}

/* Opens the run with its first frame. */
static mn_status open_run(mn_live_render *b, mn_messages *say)
{
    job *j = &b->job;
    j->say = say;
    mn_status status = mn_source_open(&j->source, &b->opt, say);
    if (status == MN_OK) status = set_size(j);
    if (status != MN_OK) return status;
    mn_survey_before(j->source.scene, &j->survey);
    status = mn_source_survey_coat(&j->source, &j->survey, say);
    return status == MN_OK ? set_stage(j) : status;
}

/* The picture of one frame. */
static mn_status draw_number(mn_live_render *b, long number, mn_messages *say)
{
    job *j = &b->job;
    mn_status status = MN_OK;
    if (!b->ready) status = open_run(b, say);
    if (status != MN_OK) return status;
    b->ready = true;
    j->say = say;
    j->source.numbers[0] = number;
    j->source.count = 1;
    char *path = picture_path(j, 0);
    status = path ? draw(j, 0, path) : no_memory(say);
    if (status == MN_OK) b->sum.pictures++;
    free(path);
    return status;
}

mn_status mn_live_render_frame(void *live, int number, mn_messages *say)
{
    mn_live_render *b = live;
    if (b->late) return MN_OK;
    const double start = wall_clock();
    const mn_status status = draw_number(b, number, say);
    b->sum.seconds += wall_clock() - start;
    return status == MN_BAD_INPUT ? mn_status_of_failure(say) : status;
}

/* Draws what has no picture. */
static mn_status fill_gaps(mn_live_render *b, const mn_render_options *opt, mn_messages *say)
{
    mn_replay *replay = mn_replay_open(b->dir, say);
    mn_status status = replay ? MN_OK : mn_status_of_failure(say);
    for (int k = 0; replay && k < mn_replay_count(replay) && status == MN_OK; k++) {
        const int number = mn_replay_number(replay, k);
        char *path;
        if (asprintf(&path, "%s/render/frame_%05d.png", b->dir, number) < 0) {
            status = no_memory(say);
            break;
        }
        if (access(path, F_OK) != 0) {
            if (opt->stop && *opt->stop) status = MN_INTERRUPTED;
            else status = draw_number(b, number, say);
            if (status == MN_OK && opt->progress) opt->progress(opt->user, k + 1, mn_replay_count(replay), path);
        }
        free(path);
    }
    mn_replay_free(replay);
    return status;
}

mn_status mn_live_render_finish(mn_live_render *live, const mn_render_options *opt, mn_messages *say,
                                mn_render_summary *out)
{
    const double start = wall_clock();
    if (live->late) {
        live->opt.stop = opt->stop, live->opt.progress = opt->progress, live->opt.user = opt->user;
        return mn_render(&live->opt, say, out);
    }
    live->job.say = say; /* the messages of the frames during the run are gone */
    const mn_status status = fill_gaps(live, opt, say);
    if (status == MN_OK && live->ready) make_films(&live->job);
    live->sum.seconds += wall_clock() - start;
    *out = live->sum;
    return status == MN_BAD_INPUT ? mn_status_of_failure(say) : status;
}

#else

mn_status mn_render(const mn_render_options *opt, mn_messages *say, mn_render_summary *out)
{
    *out = (mn_render_summary){0};
    mn_say_failure(
        say, (mn_place){opt->source, 0, 0},
        "this program was built without Embree and cannot make ray-traced pictures; install Embree 3 (Debian: "
        "libembree-dev) and build it again");
    return MN_FAILED;
}

mn_live_render *mn_live_render_new(const mn_scene *scene, const char *dir, int threads, mn_messages *say)
{
    (void)scene, (void)threads;
    mn_render_summary none;
    mn_render(&(mn_render_options){.source = dir}, say, &none);
    return NULL;
}

void mn_live_render_free(mn_live_render *live) { (void)live; }

mn_status mn_live_render_frame(void *live, int number, mn_messages *say)
{
    (void)live, (void)number, (void)say;
    return MN_FAILED;
}

mn_status mn_live_render_finish(mn_live_render *live, const mn_render_options *opt, mn_messages *say,
                                mn_render_summary *out)
{
    (void)live;
    return mn_render(opt, say, out);
}

#endif
