/* synced.c -- to be preloaded: notes in the file $SYNC_LOG what is synced and what is renamed to, in this order. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void tell(const char *what, const char *path)
{
    char line[5000];
    const char *log = getenv("SYNC_LOG"), *slash = strrchr(path, '/');
    const int length = snprintf(line, sizeof line, "%s %s\n", what, slash ? slash + 1 : path);
    const int fd = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    if (fd >= 0 && write(fd, line, (size_t)length) == length) close(fd);
}

int fsync(int fd)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length > 0) path[length] = 0, tell("sync", path);
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}

int rename(const char *from, const char *to)
{
    tell("rename", to);
    return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
}
