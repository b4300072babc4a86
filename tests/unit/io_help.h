/* io_help.h -- what the tests of files share: a folder of their own, whole-file reading, a limit on file sizes. */
#ifndef MN_TESTS_IO_HELP_H
#define MN_TESTS_IO_HELP_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

static char folder[64];
static mn_messages *say;

/* A path in the test's folder; valid until the eighth call after this one. */
static inline const char *in_folder(const char *name)
{
    static char paths[8][256];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static inline int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/mn-test-XXXXXX");
    say = mn_messages_new();
    return mkdtemp(folder) && say ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    mn_messages_free(say);
    return system(command);
}

static inline bool exists(const char *path) { return access(path, F_OK) == 0; }

/* The text of the last message; fails if there is none. Clears the list. */
static inline const char *last_message(void)
{
    static char text[512];
    int count = mn_messages_count(say);
    assert_true(count > 0);
    snprintf(text, sizeof text, "%s", mn_messages_get(say, count - 1).text);
    mn_messages_clear(say);
    return text;
}

static inline void assert_says(const char *part)
{
    const char *text = last_message();
    if (!strstr(text, part)) fail_msg("expected a message with \"%s\", got \"%s\"", part, text);
}

/* As on a disk with `bytes` left for each file. RLIM_INFINITY lifts the limit. */
static inline void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

#endif
