/* rigid_output.c -- the rigid bodies of a run in its folder; see rigid_output.h. */
#include "base/exact.h"
#include "session/rigid_output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "rigid/body_shape.h"
#include "io/frames.h"

static const char HEAD[] =
    "step,time,body,x,y,z,qw,qx,qy,qz,velocity_x,velocity_y,velocity_z,spin_x,spin_y,spin_z,force_x,force_y,force_z,"
    "torque_x,torque_y,torque_z\n";

mn_rows *mn_bodies_open(const mn_scene *scene, const char *dir, int64_t resume_step, mn_messages *say)
{
    return scene->body_count ? mn_rows_new(dir, "bodies.csv", HEAD, resume_step, say) : NULL;
}

static int put_numbers(char *out, size_t capacity, const double *numbers, int count)
{
    int length = 0;
    for (int k = 0; k < count; k++) length += mn_format(out + length, capacity - (size_t)length, ",%.12g", numbers[k]);
    return length;
}

mn_status mn_bodies_row(mn_rows *rows, const mn_scene *scene, const mn_world *world, mn_messages *say)
{
    mn_status status = MN_OK;
    for (int k = 0; rows && k < scene->body_count && status == MN_OK; k++) {
        const mn_body_motion m = mn_world_body(world, k);
        char row[1024];
        int length = mn_format(row, sizeof row, "%lld,%.12g,%.60s", (long long)mn_world_steps(world),
                               mn_world_time(world), scene->bodies[k].name);
        const struct {
            const double *numbers;
            int count;
        } parts[] = {{m.position, 3},         {m.quaternion, 4}, {m.velocity, 3},
                     {m.angular_velocity, 3}, {m.force, 3},      {m.torque, 3}};
        for (int p = 0; p < 6; p++)
            length += put_numbers(row + length, sizeof row - (size_t)length, parts[p].numbers, parts[p].count);
        row[length++] = '\n';
        status = mn_rows_add(rows, row, (size_t)length, say);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------- triangles */

static mn_status write_mesh(const mn_mesh *mesh, const char *path, mn_messages *say)
{
    mn_file *out = mn_file_begin(path, say);
    if (!out) return MN_FAILED;
    char line[160];
    for (int v = 0; v < mesh->vertex_count; v++) {
        const double *x = mesh->vertex + 3 * (size_t)v;
        mn_file_put(out, line, (size_t)mn_format(line, sizeof line, "v %.9g %.9g %.9g\n", x[0], x[1], x[2]));
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *c = mesh->triangle + 3 * (size_t)t;
        mn_file_put(out, line, (size_t)mn_format(line, sizeof line, "f %d %d %d\n", c[0] + 1, c[1] + 1, c[2] + 1));
    }
    return mn_file_commit(out, say);
}

mn_status mn_bodies_meshes(const mn_scene *scene, const char *dir, mn_messages *say)
{
    char *folder = mn_path_join(dir, "bodies");
    mn_status status = folder ? mn_folder_make(folder, say) : MN_FAILED;
    for (int k = 0; k < scene->body_count && status == MN_OK; k++) {
        char *path = NULL;
        mn_rigid_shape form;
        mn_mesh mesh;
        status = mn_rigid_shape_make(&scene->bodies[k], &form, say);
        if (status != MN_OK) break;
        status = mn_rigid_shape_skin(&form, 0.5 * scene->bodies[k].spacing, &mesh, say);
        if (status == MN_OK && asprintf(&path, "%s/%s.obj", folder, scene->bodies[k].name) < 0) path = NULL;
        if (status == MN_OK) status = path ? write_mesh(&mesh, path, say) : MN_FAILED;
        mn_mesh_free(&mesh);
        mn_rigid_shape_free(&form);
        free(path);
    }
    free(folder);
    return status;
}

/* ------------------------------------------------------------------------------------------------- frames */

static void rotation_vector(const double q[4], float out[3])
{
    const double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), angle = 2 * mn_atan2(sine, fabs(q[0]));
    const double f = sine > 1e-12 ? copysign(angle / sine, q[0]) : 2;
    for (int a = 0; a < 3; a++) out[a] = (float)(f * q[1 + a]);
}

mn_status mn_bodies_frame(const mn_scene *scene, const mn_world *world, const char *dir, int number, mn_messages *say)
{
    float position[3 * MN_MAX_BODIES], rotation[3 * MN_MAX_BODIES], velocity[3 * MN_MAX_BODIES],
        spin[3 * MN_MAX_BODIES];
    int32_t body[MN_MAX_BODIES];
    for (int k = 0; k < scene->body_count; k++) {
        const mn_body_motion m = mn_world_body(world, k);
        body[k] = k;
        rotation_vector(m.quaternion, rotation + 3 * k);
        for (int a = 0; a < 3; a++) {
            position[3 * k + a] = (float)m.position[a];
            velocity[3 * k + a] = (float)m.velocity[a];
            spin[3 * k + a] = (float)m.angular_velocity[a];
        }
    }
    const mn_frame_field fields[] = {{"position", MN_FRAME_FLOAT, 3, position},
                                     {"rotation", MN_FRAME_FLOAT, 3, rotation},
                                     {"velocity", MN_FRAME_FLOAT, 3, velocity},
                                     {"angular_velocity", MN_FRAME_FLOAT, 3, spin},
                                     {"body", MN_FRAME_INT, 1, body}};
    const mn_frame frame = {mn_world_time(world), scene->body_count, fields, 5};
    mn_status status = MN_OK;
    for (int i = 0; i < scene->frame_format_count && status == MN_OK; i++) {
        const mn_frame_format *format = mn_frame_format_find(scene->frame_formats[i]);
        char *path = NULL;
        if (!format || asprintf(&path, "%s/bodies/frame_%05d.%s", dir, number, format->extension) < 0) return MN_FAILED;
        status = format->write(path, &frame, say);
        free(path);
    }
    return status;
}
