/* file.h -- files that appear whole or not at all.
 *
 * A file is written to PATH.partial next to its target, synced, renamed onto the target, and the folder is synced.
 * Whatever goes wrong (a full disk, a killed process, a lost power line), PATH is either the old file or the whole
 * new one; a left-over PATH.partial is overwritten by the next attempt.
 *
 *     mn_file *file = mn_file_begin(path, say);
 *     mn_file_put(file, bytes, size);      any number of times; errors are kept until the end
 *     status = mn_file_commit(file, say);  or mn_file_abandon(file)
 *
 * A file-size limit (ulimit -f) raises SIGXFSZ: a program that wants the message instead of the signal ignores it.
 */
#ifndef MN_BASE_FILE_H
#define MN_BASE_FILE_H

#include "base/message.h"

typedef struct mn_file mn_file;

/* NULL, with a message, if the file cannot be made. */
mn_file *mn_file_begin(const char *path, mn_messages *say);
/* Does nothing for a NULL file or after a failure, so that writers need not check each call. */
void mn_file_put(mn_file *file, const void *bytes, size_t size);
/* Text; numbers always with a decimal point, whatever the locale. */
void mn_file_print(mn_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Room for `size` bytes in the file's buffer (at most MN_FILE_BUFFER), to be filled before the next call: for
 * writers that convert as they write. NULL after a failure. */
enum { MN_FILE_BUFFER = 1 << 20 };
void *mn_file_room(mn_file *file, size_t size);
bool mn_file_failed(const mn_file *file);
/* Both free `file`. A NULL file gives MN_FAILED without a message: mn_file_begin has given it. */
mn_status mn_file_commit(mn_file *file, mn_messages *say);
void mn_file_abandon(mn_file *file);

/* mn_file_begin, put, commit in one. */
mn_status mn_file_write(const char *path, const void *bytes, size_t size, mn_messages *say);

/* The whole file, malloc'd, with a zero byte behind it that *size does not count. Files above `limit` bytes are
 * refused. */
char *mn_file_read(const char *path, size_t limit, size_t *size, mn_messages *say);

/* False, with a message, where a file has the name of that folder, or of one above it. */
bool mn_folder_possible(const char *dir, mn_messages *say);
/* Makes a folder and its parents; one that is already there is fine. MN_BAD_INPUT where a file has that name. */
mn_status mn_folder_make(const char *path, mn_messages *say);

/* "DIR/NAME", malloc'd; NULL when out of memory. */
char *mn_path_join(const char *dir, const char *name);

/* snprintf with a decimal point whatever the locale. */
int mn_format(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
