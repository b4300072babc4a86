/* json.c -- `run --json`; see json.h. */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"

/* Bytes of the character at s; 0: it is no UTF-8. */
static int length_of(const unsigned char *s)
{
    const int length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    for (int k = 1; k < length; k++)
        if ((s[k] & 0xc0) != 0x80) return 0;
    return length;
}

static void put_text(const char *text)
{
    putchar('"');
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const int length = length_of(s);
        if (length == 0) fputs("\\ufffd", stdout);
        else if (*s == '"' || *s == '\\') printf("\\%c", *s);
        else if (*s < 32 || *s == 127) printf("\\u%04x", *s);
        else printf("%.*s", length, (const char *)s);
        s += length > 0 ? length : 1;
    }
    putchar('"');
}

static void put_key(const char *key)
{
    fputs(", ", stdout);
    put_text(key);
    fputs(": ", stdout);
}

static void text(const char *key, const char *value)
{
    put_key(key);
    if (value) put_text(value);
    else fputs("null", stdout);
}

static void number(const char *key, double value)
{
    put_key(key);
    if (!isfinite(value)) fputs("null", stdout);
    else if (value == floor(value) && fabs(value) < 1e15) printf("%.0f", value);
    else printf("%.17g", value);
}

static void begin(const char *event) { printf("{\"event\": \"%s\"", event); }
static void end(void)
{
    puts("}");
    fflush(stdout);
}

void cli_json_messages(mn_messages *say, bool notes)
{
    static const char *const severities[] = {[MN_NOTE] = "note", [MN_WARNING] = "warning", [MN_ERROR] = "error"};
    for (int i = 0; i < mn_messages_count(say); i++) {
        const mn_message m = mn_messages_get(say, i);
        if (m.severity == MN_NOTE && !notes) continue;
        begin("message");
        text("severity", severities[m.severity]);
        text("file", m.file);
        number("line", m.line);
        number("column", m.column);
        text("text", m.text);
        end();
    }
    mn_messages_clear(say);
}

void cli_json_start(const char *scene, const char *dir)
{
    begin("start");
    text("scene", scene);
    text("dir", dir);
    end();
}

void cli_json_progress(void *user, const mn_session_progress *now)
{
    cli_json_messages(user, true);
    const double done = now->stats.time - now->begin;
    begin("progress");
    number("step", (double)now->stats.step);
    number("time", now->stats.time);
    number("end", now->end);
    number("particles", (double)now->stats.particles);
    number("dt", now->stats.dt);
    number("max_speed", now->stats.max_speed);
    number("pressure_iterations", now->stats.pressure_iterations);
    number("wall", now->wall);
    number("left", done > 0 ? now->wall * (now->end - now->stats.time) / done : NAN);
    end();
}

static const char *word_of(mn_status status)
{
    switch (status) {
    case MN_OK: return "done";
    case MN_BAD_INPUT: return "wrong input";
    case MN_DIVERGED: return "diverged";
    case MN_INTERRUPTED: return "interrupted";
    default: return "failed";
    }
}

void cli_json_summary(mn_status status, const mn_session_summary *sum, const char *dir)
{
    char hash[20];
    begin("summary");
    text("status", word_of(status));
    number("exit", (double)status);
    text("dir", dir);
    if (sum) {
        snprintf(hash, sizeof hash, "%016" PRIx64, sum->hash);
        text("backend", sum->backend);
        number("first_step", (double)sum->first_step);
        number("steps", (double)sum->steps);
        number("time", sum->time);
        number("particles", (double)sum->particles);
        number("boundary_points", (double)sum->boundary_points);
        number("drained", (double)sum->drained);
        number("lost", (double)sum->lost);
        number("wall", sum->wall);
        number("particle_steps", sum->particle_steps);
        number("memory", (double)sum->bytes);
        number("density_error_avg", sum->density_error_avg);
        number("density_error_max", sum->density_error_max);
        number("pressure_iterations", sum->pressure_iterations);
        number("frames", sum->frames);
        number("checkpoints", sum->checkpoints);
        text("state", sum->hash ? hash : NULL);
        fputs(", \"stages\": {", stdout);
        for (int i = 0; i < sum->stage_count; i++) {
            if (i) fputs(", ", stdout);
            put_text(sum->stages[i].name);
            printf(": %.6f", sum->stages[i].seconds);
        }
        putchar('}');
    }
    end();
}
