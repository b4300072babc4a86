/* message.c -- the list of messages and the search for the nearest name.
 *
 * Invariants: a list owns copies of its texts and file names; count is what is stored, at most KEEP plus one closing
 * note; `errors` counts every error said, stored or not, so that a full list or a failed allocation never turns bad
 * input into good; `failures` counts those that the input did not cause.
 */
#include "base/message.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEEP = 200, LONGEST_TEXT = 2000, LONGEST_WORD = 64 };

typedef struct entry {
    mn_severity severity;
    char *file, *text; /* malloc'd; file may be NULL, text NULL means it could not be stored */
    int line, column;
} entry;

struct mn_messages {
    entry *entries;
    int count, capacity;
    int errors, failures, dropped;
    mn_progress *tell;
    void *listener;
    char closing[80]; /* "N more messages", the text of the last message once some were dropped */
};

mn_messages *mn_messages_new(void) { return calloc(1, sizeof(mn_messages)); }

void mn_messages_clear(mn_messages *list)
{
    if (!list) return;
    for (int i = 0; i < list->count; i++) {
        free(list->entries[i].file);
        free(list->entries[i].text);
    }
    list->count = list->errors = list->failures = list->dropped = 0;
}

void mn_messages_move(mn_messages *to, mn_messages *from)
{
    if (!from) return;
    for (int i = 0; i < mn_messages_count(from); i++) {
        const mn_message m = mn_messages_get(from, i);
        mn_say(to, m.severity, (mn_place){m.file, m.line, m.column}, "%s", m.text);
    }
    if (to) to->failures += from->failures;
    mn_messages_clear(from);
}

void mn_messages_free(mn_messages *list)
{
    if (!list) return;
    mn_messages_clear(list);
    free(list->entries);
    free(list);
}

int mn_messages_count(const mn_messages *list) { return list ? list->count + (list->dropped > 0) : 0; }

int mn_messages_errors(const mn_messages *list) { return list ? list->errors : 0; }

mn_status mn_messages_status(const mn_messages *list)
{
    if (!mn_messages_errors(list)) return MN_OK;
    return list->failures ? MN_FAILED : MN_BAD_INPUT;
}

mn_status mn_status_of_failure(const mn_messages *say)
{
    const mn_status status = mn_messages_status(say);
    return status == MN_OK ? MN_FAILED : status; /* nothing could be said */
}

mn_message mn_messages_get(const mn_messages *list, int index)
{
    if (!list || index < 0 || index >= mn_messages_count(list)) return (mn_message){.severity = MN_NOTE, .text = ""};
    if (index == list->count) return (mn_message){.severity = MN_NOTE, .text = list->closing};
    const entry *e = &list->entries[index];
    return (mn_message){e->severity, e->file, e->line, e->column,
                        e->text ? e->text : "out of memory while storing a message"};
}

/* Messages are one line whatever bytes the input put into them. */
static void make_one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 32 || *text == 127) *text = ' ';
}

static bool grow(mn_messages *list)
{
    if (list->count < list->capacity) return true;
    int capacity = list->capacity ? 2 * list->capacity : 16;
    entry *entries = realloc(list->entries, (size_t)capacity * sizeof *entries);
    if (!entries) return false;
    list->entries = entries;
    list->capacity = capacity;
    return true;
}

static void add(mn_messages *say, mn_severity severity, mn_place at, const char *format, va_list args)
{
    if (severity == MN_ERROR) say->errors++;
    if (say->count >= KEEP || !grow(say)) {
        say->dropped++;
        snprintf(say->closing, sizeof say->closing, "%d more message%s not shown", say->dropped,
                 say->dropped == 1 ? "" : "s");
        return;
    }
    char text[LONGEST_TEXT];
    vsnprintf(text, sizeof text, format, args);
    make_one_line(text);
    say->entries[say->count++] = (entry){severity, at.file ? strdup(at.file) : NULL, strdup(text), at.line, at.column};
}

void mn_say(mn_messages *say, mn_severity severity, mn_place at, const char *format, ...)
{
    if (!say) return;
    va_list args;
    va_start(args, format);
    add(say, severity, at, format, args);
    va_end(args);
}

void mn_say_failure(mn_messages *say, mn_place at, const char *format, ...)
{
    if (!say) return;
    say->failures++;
    va_list args;
    va_start(args, format);
    add(say, MN_ERROR, at, format, args);
    va_end(args);
}

void mn_messages_watch(mn_messages *list, mn_progress *tell, void *user)
{
    if (list) list->tell = tell, list->listener = user;
}

void mn_say_progress(const mn_messages *say, const char *what, double part)
{
    if (say && say->tell) say->tell(say->listener, what, part);
}

static int smallest(int a, int b, int c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }

/* Edit distance without regard to case, '-' equal to '_', a swap of neighbours counting once. */
static int distance(const char *a, size_t m, const char *b, size_t n)
{
    int rows[3][LONGEST_WORD + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= n; j++) last[j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            int p = a[i - 1] == '-' ? '_' : tolower((unsigned char)a[i - 1]);
            int q = b[j - 1] == '-' ? '_' : tolower((unsigned char)b[j - 1]);
            row[j] = smallest(last[j] + 1, row[j - 1] + 1, last[j - 1] + (p != q));
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && before[j - 2] + 1 < row[j]) row[j] = before[j - 2] + 1;
        }
        int *free_row = before;
        before = last, last = row, row = free_row;
    }
    return last[n];
}

const char *mn_nearest(const char *word, const char *const *candidates, int count)
{
    size_t length = word ? strlen(word) : 0;
    if (length == 0 || length > LONGEST_WORD) return NULL;
    const char *best = NULL;
    int best_distance = 1 + (int)length / 3;
    for (int i = 0; i < count; i++) {
        if (!candidates[i]) continue;
        size_t n = strlen(candidates[i]);
        if (n > LONGEST_WORD) continue;
        int d = distance(word, length, candidates[i], n);
        if (d < best_distance || (d == best_distance && !best)) best = candidates[i], best_distance = d;
    }
    /* "akinci" for akinci2013: too many letters are missing, but those that are there are right */
    for (int i = 0; i < count && !best && length > 2; i++)
        if (candidates[i] && strncmp(candidates[i], word, length) == 0) best = candidates[i];
    if (best) return best;
    /* "poisson_ratio" for poisson: the longest name that it begins with */
    size_t longest = 3;
    for (int i = 0; i < count; i++) {
        const size_t n = candidates[i] ? strlen(candidates[i]) : 0;
        if (n > longest && strncmp(candidates[i], word, n) == 0) best = candidates[i], longest = n;
    }
    return best;
}
