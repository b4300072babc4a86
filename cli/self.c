/* self.c -- see self.h. */
#include "self.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 16, MOST = 16 };

static char line[LONGEST];       /* the beginning of the command line, as the system has it */
static const char *loader[MOST]; /* its words up to the program's name */
static int loader_count;         /* 0: no loader */

/* A loader hides its own words from the program, but not from the system. */
void cli_self_begin(int argc)
{
    const char *starts[MOST + 1] = {0};
    int count = 0;
    FILE *file = fopen("/proc/self/cmdline", "re");
    const size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
    int all = 0;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && line[i - 1]) continue;
        if (count <= MOST) starts[count++] = line + i;
        all++;
    }
    const bool whole = file && feof(file) && all > argc && all - argc + 1 <= MOST;
    if (file) fclose(file);
    loader_count = whole ? all - argc + 1 : 0;
    for (int k = 0; k < loader_count; k++) loader[k] = starts[k];
}

char **cli_self_words(const char *const *words)
{
    size_t count = 0, at = 0;
    while (words[count]) count++;
    char **out = calloc((size_t)loader_count + count + 1, sizeof *out);
    for (int k = 0; out && k < loader_count; k++) out[at++] = (char *)loader[k];
    for (size_t k = loader_count ? 1 : 0; out && k < count; k++) out[at++] = (char *)words[k];
    return out;
}
