/* report.c -- messages on stderr, and numbers as people read them. */
#include "report.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const severities[] = {[MN_NOTE] = "note", [MN_WARNING] = "warning", [MN_ERROR] = "error"};

/* A name on one line, whatever bytes are in it; of a long `--set KEY=VALUE` the beginning. */
static void print_name(const char *name)
{
    enum { LONGEST = 160 };
    const bool set = strncmp(name, "--set ", 6) == 0;
    for (int i = 0; name[i]; i++) {
        if (set && i == LONGEST) {
            fputs("...", stderr);
            break;
        }
        fputc((unsigned char)name[i] < 32 || name[i] == 127 ? '?' : name[i], stderr);
    }
}

static void print_message(mn_message message)
{
    print_name(message.file ? message.file : "meniscus");
    if (message.file && message.line > 0) fprintf(stderr, ":%d", message.line);
    if (message.file && message.line > 0 && message.column > 0) fprintf(stderr, ":%d", message.column);
    fprintf(stderr, ": %s: %s\n", severities[message.severity], message.text);
}

void cli_report(mn_messages *say, bool notes)
{
    int count = mn_messages_count(say);
    if (!say) print_message((mn_message){.severity = MN_ERROR, .text = "out of memory"});
    for (int i = 0; i < count; i++) {
        mn_message message = mn_messages_get(say, i);
        if (message.severity != MN_NOTE || notes) print_message(message);
    }
    mn_messages_clear(say);
}

double cli_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static char *next_text(void)
{
    static char texts[8][40];
    static int next;
    return texts[next++ % 8];
}

const char *cli_grouped(long long value)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%lld", value);
    char *text = next_text(), *out = text;
    for (int i = 0; i < length; i++) {
        if (i > (value < 0) && (length - i) % 3 == 0) *out++ = ',';
        *out++ = digits[i];
    }
    *out = 0;
    return text;
}

const char *cli_scaled(double value)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T"};
    int power = 0;
    while (value >= 999.5 && power < 4) {
        value /= 1000;
        power++;
    }
    char *text = next_text();
    snprintf(text, 40, "%.3g%s%s", value, power ? " " : "", prefixes[power]);
    return text;
}
