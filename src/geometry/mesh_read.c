/* mesh_read.c -- a mesh from a file: loads the bytes, finds the format, hands over to its reader.
 *
 * Content decides where it is unmistakable ("ply" in the first line), the extension otherwise. Whatever the bytes
 * say, memory grows only with what has really been read.
 */
#include "geometry/mesh_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static bool starts_with(const char *data, size_t length, const char *word)
{
    return length >= strlen(word) && strncasecmp(data, word, strlen(word)) == 0;
}

typedef mn_status reader(mesh_reader *in);

static reader *find_reader(const char *data, size_t length, const char *name)
{
    const char *dot = strrchr(name, '.');
    if (starts_with(data, length, "ply\n") || starts_with(data, length, "ply\r")) return mesh_read_ply;
    if (dot && strcasecmp(dot, ".obj") == 0) return mesh_read_obj;
    if (dot && strcasecmp(dot, ".ply") == 0) return mesh_read_ply;
    if (dot && strcasecmp(dot, ".stl") == 0) return mesh_read_stl;
    return NULL;
}

mn_status mn_mesh_parse(const char *data, size_t length, const char *name, mn_mesh *out, mn_messages *say)
{
    *out = (mn_mesh){0};
    mesh_reader in = {.data = data, .end = data + length, .at = data, .line = 1, .name = name, .say = say};
    reader *read = find_reader(data, length, name);
    if (!read) {
        mn_say_error(say, (mn_place){name, 0, 0}, "unknown mesh format, expected a file ending in .obj, .ply or .stl");
        return MN_BAD_INPUT;
    }
    mn_status status = length ? read(&in) : mesh_bad(&in, "the file is empty");
    if (status == MN_OK && in.mesh.triangle_count == 0) {
        mn_say_error(say, (mn_place){name, 0, 0}, "the mesh has no triangles (%d vertices)", in.mesh.vertex_count);
        status = MN_BAD_INPUT;
    }
    if (status == MN_OK) *out = in.mesh;
    else mn_mesh_free(&in.mesh);
    return status;
}

/* malloc'd; NULL after a message. */
static char *load(const char *path, size_t *length, mn_messages *say)
{
    mn_place at = {path, 0, 0};
    struct stat info;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not hang us */
    FILE *file = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (!file || fstat(fileno(file), &info) != 0) {
        mn_say_error(say, at, "cannot open the mesh: %s", strerror(errno));
        if (file) fclose(file);
        else if (fd >= 0) close(fd);
        return NULL;
    }
    if (!S_ISREG(info.st_mode)) {
        mn_say_error(say, at, "not a regular file, expected an .obj, .ply or .stl mesh");
        fclose(file);
        return NULL;
    }
    *length = (size_t)info.st_size;
    char *data = malloc(*length + 1);
    if (!data) {
        mn_say_failure(say, at, "out of memory for the %zu bytes of the mesh", *length);
    } else if (fread(data, 1, *length, file) != *length) {
        mn_say_error(say, at, "cannot read the mesh: %s",
                     ferror(file) ? strerror(errno) : "it shrank while being read");
        free(data);
        data = NULL;
    }
    fclose(file);
    return data;
}

mn_status mn_mesh_read(const char *path, mn_mesh *out, mn_messages *say)
{
    *out = (mn_mesh){0};
    size_t length = 0;
    char *data = load(path, &length, say);
    if (!data) return MN_BAD_INPUT;
    mn_status status = mn_mesh_parse(data, length, path, out, say);
    free(data);
    return status;
}

void mn_mesh_free(mn_mesh *mesh)
{
    free(mesh->vertex);
    free(mesh->colour);
    free(mesh->triangle);
    *mesh = (mn_mesh){0};
}
