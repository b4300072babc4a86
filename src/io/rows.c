/* rows.c -- a table of a run that grows by rows; see rows.h. */
#include "io/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "scene/text.h"

static mn_status fail(const char *path, const char *what, mn_messages *say)
{
    mn_say_failure(say, (mn_place){path, 0, 0}, "cannot %s this table: %s", what, strerror(errno));
    return MN_FAILED;
}

mn_status mn_rows_add(mn_rows *rows, const char *text, size_t length, mn_messages *say)
{
    rows->begun = true;
    off_t start = lseek(rows->fd, 0, SEEK_END);
    for (size_t done = 0; done < length;) {
        ssize_t part = write(rows->fd, text + done, length - done);
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) {
            mn_status status = fail(rows->path, "write", say);
            if (start >= 0 && ftruncate(rows->fd, start) != 0) errno = 0; /* the torn row is dropped on resume */
            return status;
        }
        done += (size_t)part;
    }
    return MN_OK;
}

static int commas(const char *line)
{
    int count = 0;
    for (; *line; line++) count += *line == ',';
    return count;
}

/* Remembers the row; false: no memory. `after` is what follows its step. */
static bool mark(mn_rows *rows, long *room, int64_t step, const char *after)
{
    mn_row_mark *last = rows->mark_count ? &rows->marks[rows->mark_count - 1] : NULL;
    if (last && last->step == step) {
        last->rows++;
        return true;
    }
    if (rows->mark_count == *room) {
        const long wanted = 2 * *room + 1024;
        mn_row_mark *longer = realloc(rows->marks, (size_t)wanted * sizeof *longer);
        if (!longer) return false;
        rows->marks = longer;
        *room = wanted;
    }
    char *end;
    const double time = strtod(after, &end), third = *end == ',' ? strtod(end + 1, NULL) : 0;
    rows->marks[rows->mark_count++] = (mn_row_mark){step, 1, time, third};
    return true;
}

/* Rewrites the table with its head and the whole rows up to `last_step`, which it marks. A table that is not there
 * stays away. Sets rows->begun if a head was found. */
static mn_status trim(mn_rows *rows, int64_t last_step, mn_messages *say)
{
    const char *path = rows->path;
    struct mn_c_locale locale;
    FILE *in = fopen(path, "re");
    if (!in) return errno == ENOENT ? MN_OK : fail(path, "read", say);
    mn_file *out = mn_file_begin(path, say);
    if (!out || !mn_c_locale_enter(&locale)) {
        fclose(in);
        mn_file_abandon(out);
        return MN_FAILED;
    }
    long room = 0;
    bool marked = true;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    int columns = -1;
    while ((length = getline(&line, &capacity, in)) > 0 && line[length - 1] == '\n') {
        if (columns < 0) {
            if (strncmp(line, "step,", 5) != 0) break;
            columns = commas(line);
        } else {
            char *end;
            long long step = strtoll(line, &end, 10);
            if (end == line || *end != ',' || commas(line) != columns || step > last_step) continue;
            marked = marked && mark(rows, &room, step, end + 1);
        }
        mn_file_put(out, line, (size_t)length);
    }
    free(line);
    fclose(in);
    mn_c_locale_leave(&locale);
    rows->begun = columns > 0;
    if (!marked) mn_say_failure(say, (mn_place){path, 0, 0}, "out of memory for the rows of this table");
    if (rows->begun && marked) return mn_file_commit(out, say);
    mn_file_abandon(out);
    return marked ? MN_OK : MN_FAILED;
}

mn_status mn_rows_open(mn_rows *rows, const char *dir, const char *name, int64_t resume_step, mn_messages *say)
{
    *rows = (mn_rows){.path = mn_path_join(dir, name), .fd = -1};
    if (!rows->path) {
        mn_say_failure(say, (mn_place){dir, 0, 0}, "cannot open %s: out of memory", name);
        return MN_FAILED;
    }
    if (resume_step >= 0 && trim(rows, resume_step, say) != MN_OK) return MN_FAILED;
    rows->fd = open(rows->path, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | (rows->begun ? 0 : O_TRUNC), 0666);
    return rows->fd < 0 ? fail(rows->path, "open", say) : MN_OK;
}

mn_status mn_rows_sync(mn_rows *rows, mn_messages *say)
{
    /* not every file can */
    if (!rows || rows->fd < 0 || fsync(rows->fd) == 0 || errno == EINVAL || errno == EROFS) return MN_OK;
    return fail(rows->path, "sync", say);
}

mn_status mn_rows_close(mn_rows *rows, mn_messages *say)
{
    mn_status status = MN_OK;
    if (rows->path && rows->fd >= 0 && close(rows->fd) != 0) status = fail(rows->path, "close", say);
    free(rows->path);
    free(rows->marks);
    *rows = (mn_rows){.fd = -1};
    return status;
}

mn_rows *mn_rows_new(const char *dir, const char *name, const char *head, int64_t resume_step, mn_messages *say)
{
    mn_rows *rows = calloc(1, sizeof *rows);
    if (!rows) {
        mn_say_failure(say, (mn_place){dir, 0, 0}, "cannot open %s: out of memory", name);
        return NULL;
    }
    if (mn_rows_open(rows, dir, name, resume_step, say) == MN_OK &&
        (rows->begun || mn_rows_add(rows, head, strlen(head), say) == MN_OK))
        return rows;
    mn_rows_free(rows, NULL);
    return NULL;
}

mn_status mn_rows_free(mn_rows *rows, mn_messages *say)
{
    if (!rows) return MN_OK;
    const mn_status status = mn_rows_close(rows, say);
    free(rows);
    return status;
}
