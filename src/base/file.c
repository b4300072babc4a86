/* file.c -- whole-or-nothing files; see file.h.
 *
 * Invariant: PATH is touched by one call only, rename(). The first failure is kept in `error` and makes every later
 * call a no-op.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct mn_file {
    int fd;
    int error; /* errno of the first failure, 0 so far */
    char *path, *partial;
    char *buffer;
    size_t used;
};

static mn_place in_file(const char *path) { return (mn_place){path, 0, 0}; }

static char *with_suffix(const char *path, const char *suffix)
{
    size_t a = strlen(path), b = strlen(suffix) + 1;
    char *joined = malloc(a + b);
    if (!joined) return NULL;
    memcpy(joined, path, a);
    memcpy(joined + a, suffix, b);
    return joined;
}

char *mn_path_join(const char *dir, const char *name)
{
    size_t a = strlen(dir), b = strlen(name) + 1;
    bool slash = a > 0 && dir[a - 1] != '/';
    char *joined = malloc(a + slash + b);
    if (!joined) return NULL;
    memcpy(joined, dir, a);
    if (slash) joined[a] = '/';
    memcpy(joined + a + slash, name, b);
    return joined;
}

static void release(mn_file *file)
{
    if (file->fd >= 0) close(file->fd);
    free(file->path);
    free(file->partial);
    free(file->buffer);
    free(file);
}

/* Opens and locks the partial file. A lock held elsewhere means that another process is writing the same file right
 * now: the two must not share a partial. Returns -1 with errno. */
static int open_partial(const char *partial)
{
    for (int attempt = 0; attempt < 16; attempt++) {
        int fd = open(partial, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd < 0) return -1;
        struct stat mine, named;
        if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            close(fd);
            errno = EBUSY;
            return -1;
        }
        /* Its last writer may have renamed it away between open and lock: then it is a target now, not a partial. */
        if (fstat(fd, &mine) == 0 && stat(partial, &named) == 0 && mine.st_ino == named.st_ino &&
            mine.st_dev == named.st_dev) {
            if (ftruncate(fd, 0) == 0) return fd;
            int error = errno;
            close(fd);
            errno = error;
            return -1;
        }
        close(fd);
    }
    errno = EBUSY;
    return -1;
}

mn_file *mn_file_begin(const char *path, mn_messages *say)
{
    struct stat old;
    if (stat(path, &old) == 0 && !S_ISREG(old.st_mode)) {
        mn_say_error(say, in_file(path), "cannot write this file: there is a %s of that name",
                     S_ISDIR(old.st_mode) ? "folder" : "device or pipe");
        return NULL;
    }
    mn_file *file = calloc(1, sizeof *file);
    if (file) {
        file->fd = -1;
        file->path = with_suffix(path, "");
        file->partial = with_suffix(path, ".partial");
        file->buffer = malloc(MN_FILE_BUFFER);
    }
    if (!file || !file->path || !file->partial || !file->buffer) {
        mn_say_failure(say, in_file(path), "cannot write this file: out of memory");
        if (file) release(file);
        return NULL;
    }
    file->fd = open_partial(file->partial);
    if (file->fd < 0) {
        const char *why = strerror(errno);
        if (errno == EBUSY) mn_say_error(say, in_file(path), "cannot write this file: another process is writing it");
        else if (errno == ENOENT || errno == ENOTDIR)
            mn_say_error(say, in_file(path), "cannot write this file: %s", why);
        else mn_say_failure(say, in_file(path), "cannot write this file: %s", why);
        release(file);
        return NULL;
    }
    return file;
}

static void write_all(mn_file *file, const char *bytes, size_t size)
{
    while (size > 0 && !file->error) {
        size_t most = size < (1u << 30) ? size : (1u << 30);
        ssize_t done = write(file->fd, bytes, most);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            file->error = done < 0 ? errno : EIO;
            return;
        }
        bytes += done;
        size -= (size_t)done;
    }
}

static void flush(mn_file *file)
{
    write_all(file, file->buffer, file->used);
    file->used = 0;
}

void mn_file_put(mn_file *file, const void *bytes, size_t size)
{
    if (!file || file->error || size == 0) return;
    if (size > MN_FILE_BUFFER - file->used) flush(file);
    if (size >= MN_FILE_BUFFER) {
        write_all(file, bytes, size);
        return;
    }
    memcpy(file->buffer + file->used, bytes, size);
    file->used += size;
}

void *mn_file_room(mn_file *file, size_t size)
{
    if (!file || size > MN_FILE_BUFFER) return NULL;
    if (size > MN_FILE_BUFFER - file->used) flush(file);
    if (file->error) return NULL;
    void *room = file->buffer + file->used;
    file->used += size;
    return room;
}

/* vsnprintf in the C locale of numbers. */
static int format_plain(char *out, size_t size, const char *format, va_list args)
{
    static locale_t plain;
    if (!__atomic_load_n(&plain, __ATOMIC_ACQUIRE)) {
        locale_t fresh = newlocale(LC_ALL_MASK, "C", (locale_t)0), none = (locale_t)0;
        if (fresh && !__atomic_compare_exchange_n(&plain, &none, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            freelocale(fresh);
    }
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    int length = vsnprintf(out, size, format, args);
    if (before) uselocale(before);
    return length;
}

int mn_format(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = format_plain(out, size, format, args);
    va_end(args);
    return length;
}

void mn_file_print(mn_file *file, const char *format, ...)
{
    if (!file || file->error) return;
    char text[4096];
    va_list args;
    va_start(args, format);
    int length = format_plain(text, sizeof text, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof text) file->error = EOVERFLOW;
    else mn_file_put(file, text, (size_t)length);
}

bool mn_file_failed(const mn_file *file) { return !file || file->error; }

/* Makes the rename itself survive a power cut. Some file systems cannot sync folders (EINVAL): nothing to be done
 * there. */
static int sync_folder_of(const char *path)
{
    char *folder = with_suffix(path, "");
    if (!folder) return ENOMEM;
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = 0;
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd < 0) return 0; /* a folder that may be written but not read */
    int error = fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
    close(fd);
    return error;
}

void mn_file_abandon(mn_file *file)
{
    if (!file) return;
    unlink(file->partial);
    release(file);
}

mn_status mn_file_commit(mn_file *file, mn_messages *say)
{
    if (!file) return MN_FAILED;
    flush(file);
    if (!file->error && fsync(file->fd) != 0 && errno != EINVAL) file->error = errno;
    if (!file->error && rename(file->partial, file->path) != 0) file->error = errno;
    if (file->error) {
        mn_say_failure(say, in_file(file->path), "cannot write this file: %s%s", strerror(file->error),
                       access(file->path, F_OK) == 0 ? "; the previous file is kept" : "");
        mn_file_abandon(file);
        return MN_FAILED;
    }
    int error = sync_folder_of(file->path);
    if (error)
        mn_say_failure(say, in_file(file->path), "the file is written, but its folder could not be synced: %s",
                       strerror(error));
    release(file);
    return error ? MN_FAILED : MN_OK;
}

mn_status mn_file_write(const char *path, const void *bytes, size_t size, mn_messages *say)
{
    mn_file *file = mn_file_begin(path, say);
    mn_file_put(file, bytes, size);
    return mn_file_commit(file, say);
}

/* Reads to the end rather than to st_size: pipes and files that grow are read as well, up to the limit. */
static char *read_all(int fd, size_t expected, size_t limit, size_t *size)
{
    size_t capacity = (expected < limit ? expected : limit) + 2, used = 0;
    char *text = malloc(capacity);
    while (text) {
        ssize_t got = read(fd, text + used, capacity - 1 - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) break;
        if (got == 0) {
            text[used] = 0;
            *size = used;
            return text;
        }
        used += (size_t)got;
        if (used > limit) {
            errno = EFBIG;
            break;
        }
        if (capacity - 1 - used > 0) continue;
        capacity += capacity / 2 + 4096;
        char *longer = realloc(text, capacity);
        if (!longer) break;
        text = longer;
    }
    int error = errno;
    free(text);
    errno = error;
    return NULL;
}

char *mn_file_read(const char *path, size_t limit, size_t *size, mn_messages *say)
{
    *size = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) {
        mn_say_error(say, in_file(path), "cannot read this file: %s", strerror(errno));
        if (fd >= 0) close(fd);
        return NULL;
    }
    char *text = NULL;
    if (limit > SIZE_MAX / 4) limit = SIZE_MAX / 4;
    if (S_ISDIR(info.st_mode)) errno = EISDIR;
    else if (info.st_size > 0 && (uintmax_t)info.st_size > limit) errno = EFBIG;
    else text = read_all(fd, info.st_size > 0 ? (size_t)info.st_size : 0, limit, size);
    if (!text && errno == EFBIG)
        mn_say_error(say, in_file(path), "cannot read this file: it is larger than %zu bytes", limit);
    else if (!text && errno == ENOMEM) mn_say_failure(say, in_file(path), "cannot read this file: out of memory");
    else if (!text) mn_say_error(say, in_file(path), "cannot read this file: %s", strerror(errno));
    close(fd);
    return text;
}

bool mn_folder_possible(const char *dir, mn_messages *say)
{
    char *path = strdup(dir);
    if (!path) return true; /* the next one to ask for memory says so */
    struct stat info;
    bool file = false;
    for (size_t end = strlen(path); end > 0 && !file;) {
        path[end] = 0;
        if (stat(path, &info) == 0) {
            file = !S_ISDIR(info.st_mode);
            break;
        }
        while (end > 0 && path[end - 1] != '/') end--;
        while (end > 1 && path[end - 1] == '/') end--;
    }
    if (file)
        mn_say_error(say, in_file(dir), "\"%s\" is a file; expected a folder to write files into, or an unused name",
                     path);
    free(path);
    return !file;
}

mn_status mn_folder_make(const char *path, mn_messages *say)
{
    if (!mn_folder_possible(path, say)) return MN_BAD_INPUT;
    char *part = with_suffix(path, "");
    bool made = part && *part;
    if (!part) errno = ENOMEM;
    else if (!*part) errno = ENOENT;
    for (char *at = part; made; at++) {
        if ((*at != '/' && *at) || at == part) continue;
        char kept = *at;
        *at = 0;
        made = mkdir(part, 0777) == 0 || errno == EEXIST;
        *at = kept;
        if (!kept) break;
    }
    int error = errno;
    struct stat info;
    if (made && (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))) {
        made = false;
        error = ENOTDIR;
    }
    free(part);
    if (made) return MN_OK;
    mn_say_error(say, in_file(path), "cannot make this folder: %s", strerror(error));
    return MN_FAILED;
}
