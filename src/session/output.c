/* output.c -- gathers the fields of a frame from the world and hands them to the writers of io/. */
#include "session/output.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "io/frames.h"
#include "io/preview.h"
#include "session/rigid_output.h"
#include "session/soft_output.h"
#include "session/coats.h"
#include "session/pictures.h"
#include "session/queue.h"
#include "air/air.h"
#include "session/meshes.h"
#include "scene/motion.h"

/* A frame that waits takes memory; one to be drawn is on the disk, and waits as a number. */
enum { MAX_FIELDS = 64, COLLECTED = 256, WAITING = 3, UNDRAWN = 1024 };

struct mn_output {
    const mn_scene *scene;
    char *dir;
    mn_pictures *pictures; /* NULL: none wanted */
    mn_meshes *meshes;     /* the same */
    char *mesh_dir;
    const char *names[MAX_FIELDS]; /* the first is "position" */
    int name_count;
    mn_queue *queue;     /* NULL: frames are written immediately */
    mn_drawing drawing;  /* no function: nothing is drawn */
    mn_queue *canvas;    /* of what is to be drawn; NULL: immediately */
    int last, collected; /* numbers of the last frame, and of the last one in the collections; -1: none */
};

static bool is_integer(const char *name) { return strcmp(name, "id") == 0 || strcmp(name, "fluid") == 0; }

static void add_name(mn_output *out, const char *name)
{
    for (int i = 0; i < out->name_count; i++)
        if (strcmp(out->names[i], name) == 0) return;
    if (out->name_count < MAX_FIELDS) out->names[out->name_count++] = name;
}

static mn_status make_folder(const char *dir, const char *name, mn_messages *say)
{
    char *path = mn_path_join(dir, name);
    mn_status status = path ? mn_folder_make(path, say) : MN_FAILED;
    free(path);
    return status;
}

static mn_status make_meshes(mn_output *out, mn_messages *say)
{
    const mn_surface_output *surface = &out->scene->surface_output;
    out->mesh_dir = mn_path_join(out->dir, "surface");
    const mn_meshes_options opt = {.dir = out->mesh_dir,
                                   .formats = (const char *const *)surface->formats,
                                   .format_count = surface->format_count,
                                   .cell = surface->cell,
                                   .smoothing = surface->smoothing,
                                   .hollows = surface->hollows,
                                   .apart = surface->per_fluid};
    if (out->mesh_dir) out->meshes = mn_meshes_new(out->scene, &opt, say);
    return out->meshes ? MN_OK : MN_FAILED;
}

/* The queues of work during the run. */
static mn_status make_queues(mn_output *out, int spare, mn_messages *say)
{
    if (spare < 1) return MN_OK;
    out->queue = mn_queue_new(WAITING, spare, false, say);
    if (out->queue && out->drawing.frame) out->canvas = mn_queue_new(UNDRAWN, spare, true, say);
    return out->queue && (out->canvas || !out->drawing.frame) ? MN_OK : MN_FAILED;
}

mn_output *mn_output_new(const mn_scene *scene, const char *dir, bool preview, const mn_drawing *drawing, int spare,
                         mn_world *world, mn_messages *say)
{
    mn_output *out = calloc(1, sizeof *out);
    if (out) out->dir = strdup(dir);
    if (!out || !out->dir) {
        mn_say_failure(say, (mn_place){dir, 0, 0}, "out of memory");
        mn_output_free(out);
        return NULL;
    }
    out->scene = scene;
    if (drawing) out->drawing = *drawing;
    out->last = out->collected = -1;
    add_name(out, "position");
    for (int i = 0; i < scene->frame_field_count; i++) add_name(out, scene->frame_fields[i]);
    if (scene->fluid_count > 1) add_name(out, "fluid"); /* which mesh a particle belongs to */
    mn_status status = MN_OK;
    if (scene->frame_interval > 0 && scene->frame_format_count > 0) status = make_folder(dir, "frames", say);
    if (status == MN_OK && scene->grid_output.every > 0) status = make_folder(dir, "grids", say);
    if (status == MN_OK && scene->body_count) status = mn_bodies_meshes(scene, dir, say);
    if (status == MN_OK && scene->solid_count) status = make_folder(dir, "solids", say);
    if (status == MN_OK && scene->substance_count) status = make_folder(dir, "coats", say);
    if (status == MN_OK && scene->surface_output.format_count) status = make_meshes(out, say);
    if (preview && !(scene->frame_interval > 0))
        mn_say_warning(say, MN_NOWHERE, "no pictures: output.every is 0, so there are no frames");
    else if (preview && status == MN_OK) {
        status = make_folder(dir, "preview", say);
        out->pictures = status == MN_OK ? mn_pictures_new(scene, world, say) : NULL;
        if (!out->pictures) status = MN_FAILED;
    }
    if (status == MN_OK) status = make_queues(out, spare, say);
    if (status == MN_OK) return out;
    mn_output_free(out);
    return NULL;
}

void mn_output_free(mn_output *out)
{
    if (!out) return;
    mn_queue_free(out->queue); /* which gives to the other */
    mn_queue_free(out->canvas);
    mn_pictures_free(out->pictures);
    mn_meshes_free(out->meshes);
    free(out->mesh_dir);
    free(out->dir);
    free(out);
}

/* One frame to be written: everything of it that the world has, so that the world may go on. */
typedef struct frame_job {
    mn_output *out;
    int number;
    mn_frame frame;
    mn_frame_field fields[MAX_FIELDS];
    void *data[MAX_FIELDS]; /* floats or int32_t */
    mn_body_motion *bodies; /* for the meshes */
    mn_pose *walls;         /* the same */
    mn_soft_state softs;    /* the same */
    mn_shot *shot;          /* NULL: no picture */
} frame_job;

static void free_job(void *user)
{
    frame_job *job = user;
    if (!job) return;
    for (int i = 0; i < MAX_FIELDS; i++) free(job->data[i]);
    free(job->bodies);
    free(job->walls);
    mn_soft_release(&job->softs);
    mn_shot_free(job->shot);
    free(job);
}

static mn_status make_room(frame_job *job, int64_t count, mn_messages *say)
{
    const mn_output *out = job->out;
    for (int i = 0; i < out->name_count; i++) {
        job->data[i] =
            calloc((size_t)count + 1, (size_t)mn_scene_field_width(out->scene, out->names[i]) * sizeof(float));
        if (job->data[i]) continue;
        mn_say_failure(say, MN_NOWHERE, "out of memory for a frame of %lld particles", (long long)count);
        return MN_FAILED;
    }
    return MN_OK;
}

/* The world gives the fluid's index as a float; it becomes an integer in place. */
static void make_integers(float *data, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int32_t value = (int32_t)data[i];
        memcpy(&data[i], &value, sizeof value);
    }
}

static mn_status gather(frame_job *job, mn_world *world, mn_messages *say)
{
    const mn_output *out = job->out;
    const int64_t count = mn_world_particles(world);
    mn_status status = make_room(job, count, say);
    for (int i = 0; i < out->name_count && status == MN_OK; i++) {
        const char *name = out->names[i];
        job->fields[i] = (mn_frame_field){name, is_integer(name) ? MN_FRAME_INT : MN_FRAME_FLOAT,
                                          mn_scene_field_width(out->scene, name), job->data[i]};
        if (count > 0 && strcmp(name, "id") == 0) status = mn_world_ids(world, job->data[i], say);
        else if (count > 0) status = mn_world_get(world, name, job->data[i], say);
        if (strcmp(name, "fluid") == 0) make_integers(job->data[i], count);
    }
    job->frame = (mn_frame){mn_world_time(world), (long)count, job->fields, out->name_count};
    const int bodies = mn_world_bodies(world);
    job->bodies = calloc((size_t)bodies + 1, sizeof *job->bodies);
    for (int k = 0; k < bodies && job->bodies; k++) job->bodies[k] = mn_world_body(world, k);
    const mn_scene *now = mn_world_scene(world); /* its motions may have been changed */
    job->walls = calloc((size_t)now->wall_count + 1, sizeof *job->walls);
    for (int k = 0; k < now->wall_count && job->walls; k++)
        job->walls[k] = mn_motion_at(&now->walls[k].motion, job->frame.time);
    if (job->bodies && job->walls) return status;
    mn_say_failure(say, MN_NOWHERE, "out of memory for a frame");
    return MN_FAILED;
}

static char *frame_path(const mn_output *out, const char *folder, int number, const char *extension)
{
    char *path;
    return asprintf(&path, "%s/%s/frame_%05d.%s", out->dir, folder, number, extension) < 0 ? NULL : path;
}

static mn_status write_formats(const mn_output *out, const mn_frame *frame, int number, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int i = 0; i < out->scene->frame_format_count && status == MN_OK; i++) {
        const mn_frame_format *format = mn_frame_format_find(out->scene->frame_formats[i]);
        if (!format) {
            mn_say_error(say, MN_NOWHERE, "there is no frame format '%s'", out->scene->frame_formats[i]);
            return MN_BAD_INPUT;
        }
        char *path = frame_path(out, "frames", number, format->extension);
        status = path ? format->write(path, frame, say) : MN_FAILED;
        free(path);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------ the collection */

static void free_names(char **names, int count)
{
    for (int i = 0; names && i < count; i++) free(names[i]);
    free(names);
}

/* Frame k lies at the time k * interval, so the list can be rebuilt from the files: a resumed run needs no memory
 * of it. */
static mn_status write_collection(const mn_output *out, const char *folder, int last, mn_messages *say)
{
    char **names = calloc((size_t)last + 1, sizeof *names);
    double *times = calloc((size_t)last + 1, sizeof *times);
    char collection[32];
    snprintf(collection, sizeof collection, "%s.pvd", folder);
    char *path = mn_path_join(out->dir, collection);
    int count = 0;
    for (int k = 0; names && times && k <= last; k++) {
        char *file = frame_path(out, folder, k, "vtp");
        if (file && access(file, R_OK) == 0) {
            times[count] = k * out->scene->frame_interval;
            names[count] = strdup(file + strlen(out->dir) + 1);
            if (names[count]) count++;
        }
        free(file);
    }
    mn_status status = MN_FAILED;
    if (names && times && path) status = mn_pvd_write(path, (const char *const *)names, times, count, say);
    else mn_say_failure(say, MN_NOWHERE, "out of memory");
    free_names(names, count);
    free(times);
    free(path);
    return status;
}

static bool writes_vtp(const mn_scene *scene)
{
    for (int i = 0; i < scene->frame_format_count; i++)
        if (strcmp(scene->frame_formats[i], "vtp") == 0) return true;
    return false;
}

/* The frame's meshes, cut where walls, bodies and soft solids are now. */
static mn_status write_meshes(mn_output *out, const frame_job *job, mn_messages *say)
{
    mn_barrier *barrier = mn_meshes_barrier(out->meshes);
    mn_meshes_made made;
    for (int k = 0; k < out->scene->wall_count; k++) mn_barrier_wall(barrier, k, &job->walls[k]);
    for (int k = 0; k < out->scene->body_count; k++) {
        double rotation[9];
        mn_rotation_of_quaternion(job->bodies[k].quaternion, rotation);
        mn_barrier_body(barrier, k, job->bodies[k].position, rotation);
    }
    const mn_soft_state *soft = &job->softs;
    if (soft->count > 0 &&
        !mn_barrier_solids(barrier, &(mn_soft_points){soft->position, soft->displacement, soft->solid, soft->count})) {
        mn_say_failure(say, MN_NOWHERE, "out of memory for a mesh");
        return MN_FAILED;
    }
    return mn_meshes_frame(out->meshes, &job->frame, job->number, &made, say);
}

mn_status mn_output_collect(mn_output *out, mn_messages *say)
{
    mn_status status = MN_OK;
    if (out->collected == out->last) return status;
    if (out->meshes) status = mn_meshes_collect(out->meshes, out->scene->frame_interval, say);
    if (status != MN_OK || !writes_vtp(out->scene)) return status;
    status = write_collection(out, "frames", out->last, say);
    if (status == MN_OK && out->scene->body_count) status = write_collection(out, "bodies", out->last, say);
    if (status == MN_OK && out->scene->solid_count) status = write_collection(out, "solids", out->last, say);
    out->collected = out->last;
    return status;
}

/* A frame to be drawn. */
typedef struct draw_job {
    const mn_output *out;
    int number;
} draw_job;

static mn_status draw_frame(void *user, mn_messages *say)
{
    const draw_job *job = user;
    return job->out->drawing.frame(job->out->drawing.user, job->number, say);
}

static mn_status draw(mn_output *out, int number, mn_messages *say)
{
    if (!out->drawing.frame) return MN_OK;
    if (!out->canvas) return draw_frame(&(draw_job){out, number}, say);
    draw_job *job = malloc(sizeof *job);
    if (!job) {
        mn_say_failure(say, MN_NOWHERE, "out of memory for a picture");
        return MN_FAILED;
    }
    *job = (draw_job){out, number};
    return mn_queue_add(out->canvas, (mn_work){draw_frame, free, job}, say);
}

/* What can be done during the run. */
static mn_status write_job(void *user, mn_messages *say)
{
    frame_job *job = user;
    mn_output *out = job->out;
    const int number = job->number;
    mn_status status = write_formats(out, &job->frame, number, say);
    if (status == MN_OK && out->meshes) status = write_meshes(out, job, say);
    if (status == MN_OK) out->last = number;
    /* A collection is written whole. So that many frames do not cost their square, it may lag behind by a 256th of
     * them. */
    if (status == MN_OK && number % (number / COLLECTED + 1) == 0) status = mn_output_collect(out, say);
    if (status == MN_OK && job->shot) {
        char *path = frame_path(out, "preview", number, "png");
        status = path ? mn_pictures_draw(out->pictures, job->shot, path, say) : MN_FAILED;
        free(path);
    }
    return status == MN_OK ? draw(out, number, say) : status;
}

mn_status mn_output_frame(mn_output *out, mn_world *world, int number, mn_messages *say)
{
    frame_job *job = calloc(1, sizeof *job);
    if (!job) {
        mn_say_failure(say, MN_NOWHERE, "out of memory for a frame");
        return MN_FAILED;
    }
    job->out = out;
    job->number = number;
    mn_status status = gather(job, world, say);
    if (status == MN_OK && out->scene->body_count) status = mn_bodies_frame(out->scene, world, out->dir, number, say);
    if (status == MN_OK && out->scene->solid_count) status = mn_soft_frame(out->scene, world, out->dir, number, say);
    if (status == MN_OK && out->scene->solid_count && out->meshes)
        status = mn_soft_gather(out->scene, world, &job->softs, say);
    if (status == MN_OK) status = mn_coats_frame(out->scene, world, out->dir, number, say);
    if (status == MN_OK && out->pictures) {
        job->shot = mn_pictures_shoot(out->pictures, world, say);
        if (!job->shot) status = MN_FAILED;
    }
    if (status == MN_OK && out->queue) return mn_queue_add(out->queue, (mn_work){write_job, free_job, job}, say);
    if (status == MN_OK) status = write_job(job, say);
    free_job(job);
    return status;
}

mn_status mn_output_flush(mn_output *out, mn_messages *say) { return out ? mn_queue_drain(out->queue, say) : MN_OK; }

bool mn_output_busy(mn_output *out) { return out && mn_queue_undone(out->queue) > 0; }

mn_status mn_output_drawn(mn_output *out, const volatile sig_atomic_t *stop, mn_messages *say)
{
    if (!out || !out->canvas) return MN_OK;
    int left = 0;
    const int waiting = mn_queue_undone(out->canvas);
    if (waiting > 0 && !(stop && *stop))
        mn_say(say, MN_NOTE, MN_NOWHERE, "drawing the last %d pictures; Ctrl-C leaves them undrawn", waiting);
    const mn_status status = mn_queue_finish(out->canvas, stop, &left, say);
    if (left > 0)
        mn_say(say, MN_NOTE, (mn_place){out->dir, 0, 0},
               "%d frames are not drawn yet: --resume --render draws them, or 'meniscus render'", left);
    return status;
}

mn_status mn_output_grid(mn_output *out, mn_world *world, int number, mn_messages *say)
{
    char *path = frame_path(out, "grids", number, "vti");
    mn_status status = path ? mn_resample_write(world, path, say) : MN_FAILED;
    free(path);
    return status;
}

/* A run resumed at its very end with `preview` has none. */
static bool any_picture(const char *folder)
{
    DIR *dir = opendir(folder);
    bool any = false;
    const struct dirent *entry;
    while (dir && !any && (entry = readdir(dir)))
        any = strncmp(entry->d_name, "frame_", 6) == 0; // NOLINT(concurrency-mt-unsafe)
    if (dir) closedir(dir);
    return any;
}

/* In real time where the frames allow it; finer frames give slow motion. Without a film the run is whole. */
void mn_output_film(const mn_output *out, mn_messages *say)
{
    if (!out->pictures) return;
    char *folder = mn_path_join(out->dir, "preview"), *path = mn_path_join(out->dir, "preview.mp4");
    if (folder && path && any_picture(folder))
        mn_video_write(folder, fmin(fmax(1 / out->scene->frame_interval, 5), 60), path, say);
    free(folder);
    free(path);
}
