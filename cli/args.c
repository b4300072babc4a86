/* args.c -- the tables of commands and options, and the parser that reads them. */
#include "args.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "scene/quantity.h"

const cli_command cli_commands[] = {
    {"run", "SCENE", true, "simulate a scene",
     "SCENE is a YAML or JSON file, - for standard input, or the name of a scene that comes with the program (meniscus "
     "list\n"
     "scenes).\n"
     "The directory of the run receives run.yaml (the scene as run), stats.csv, timing.csv, frames and checkpoints.",
     NULL, true, .run = cli_run},
    {"check", "SCENE", true, "report everything that is wrong with a scene, without running it",
     "Prints each error and warning with file, line and column. Exit code 0: the scene can be run; 2: it cannot.\n"
     "Then a forecast: particles that emitters add, steps, time on this machine, memory, disk.",
     NULL, true, .run = cli_check},
    {"mesh", "RUN", true, "make meshes of the liquids' surfaces from the frames of a run",
     "RUN is the directory of a run. Each frame gives one closed mesh of each liquid, in the directory surface of the "
     "run or in\n"
     "DIR, with normals and all fields of the particles at its vertices; obj files hold no fields, stl files "
     "triangles\n"
     "alone.",
     NULL, true, .run = cli_mesh},
    {"render", "RUN", true, "make ray-traced pictures of a run, or of a mesh",
     "RUN is the directory of a run, a directory of meshes frame_*.ply, or a mesh (PLY, OBJ, STL). Nothing is "
     "simulated:\n"
     "camera, looks and colours may differ from the run's. Leaves frame_*.png in DIR, and of several pictures film.mp4 "
     "and\n"
     "film.gif if ffmpeg is installed.",
     NULL, true, .run = cli_render},
    {"measure", "RUN", true, "measure drops, angles, fronts and heights in the frames of a run",
     "RUN is the directory of a run. Writes measure.csv there, or FILE (-: standard output): one row a frame with the "
     "columns of\neach WHAT (meniscus list measures). drop-list writes every drop into drops.csv, height-field the "
     "height of the surface\nover the ground into heights/frame_*.csv.",
     NULL, true, .run = cli_measure, .more = "WHAT", .most = 16, .more_choices = cli_measures},
    {"view", "SOURCE", false, "show a run or a scene in the browser, and steer it",
     "SOURCE is the directory of a run, a scene (as of meniscus run), or nothing: the page then begins with the scenes "
     "that come\n"
     "with the program. A scene runs while it is shown, into a directory of its own. Opens the browser; ends with "
     "Ctrl-C.",
     NULL, true, .run = cli_view},
    {"sweep", "SCENE", true, "run a scene many times with other values",
     "Each --vary names a key and its values: A,B,C or FROM:TO:COUNT. All combinations are run (--zip: the first "
     "values "
     "together,\nthe second, ...), each in a directory of DIR named after its values. results.csv holds one row a run, "
     "results.png and\ncurves.png show it. The same command again continues where it was stopped.",
     NULL, true, .run = cli_sweep},
    {"plot", "RUN", true, "draw columns of the tables of runs over time",
     "RUN is the directory of a run, or a table (.csv); further runs and columns follow in any order. Without COLUMN, "
     "energies,\n"
     "speed, density error and iterations. COLUMN is one of stats.csv, measure.csv or timing.csv, TABLE:COLUMN of "
     "another\n"
     "table of the run (probes/wave:height), or TABLE:NAME:COLUMN of one body or solid (bodies:ship:y). Columns of one "
     "unit\nshare a panel. Writes plot.png into the run, or here for several runs.",
     NULL, true, .run = cli_plot, .more = "COLUMN", .most = 80},
    {"list", "TOPIC", false, "list models, parameters, fields, scenes, keys, units or devices",
     "Without TOPIC an overview. 'list scenes NAME' lists one folder of scenes, 'list keys SCENE' every key of a scene "
     "that\n--set takes, with the names of its entries.\n"
     "TOPIC is models, parameters, fields, scenes, devices, units, keys, measures, schema (JSON schema of scene files, "
     "for "
     "editors)\n"
     "or reference (all keys of scene files, as Markdown).",
     cli_list_topics, false, .run = cli_list, .more = "NAME", .most = 1},
    {"bench", "CASE", false, "measure speed on fixed cases",
     "Without CASE all cases are run. The column 'peer' is SPlisHSPlasH 2.16 on two cores of an AMD EPYC (AVX2), for "
     "the\n"
     "same particles, time step, tolerances and steps. Cases of meshes and pictures have the time, CPU time and\n"
     "memory of the command; mesh-1m, which simulates for minutes before, is run only when it is named.",
     cli_bench_cases, false, .run = cli_bench},
    {"validate", "CASE", false, "compare with analytic solutions and experiments",
     "Without CASE all cases are run. Exit code 0: all within their tolerance; 1: one is not. --set changes the scenes "
     "of a\nnamed case, such as particles.spacing=0.03; its criteria stay.",
     cli_validate_cases, false, .run = cli_validate},
    {"completion", "SHELL", true, "print a completion script for bash, zsh or fish",
     "bash: meniscus completion bash > ~/.local/share/bash-completion/completions/meniscus\n"
     "zsh:  source <(meniscus completion zsh), after compinit\n"
     "fish: meniscus completion fish > ~/.config/fish/completions/meniscus.fish",
     cli_shells, false, .run = cli_completion},
};
const int cli_command_count = sizeof cli_commands / sizeof *cli_commands;

typedef enum value_kind {
    SWITCH,
    TEXT,
    SECONDS,
    COUNT,
    SETTING,
    BACKEND,
    FORMATS,
    LENGTH,
    SPACINGS,
    FRAMES,
    SIZE,
    WORDS,    /* may be repeated */
    WORDS_SET /* the same, KEY=VALUES each */
} value_kind;

typedef struct option {
    const char *commands; /* names of the commands that take it, each between spaces */
    const char *name;
    char letter;
    const char *value; /* what the help calls it; NULL for a switch */
    value_kind kind;
    size_t offset;    /* of its member of cli_arguments */
    long low, high;   /* COUNT: the range */
    const char *help; /* one line, or two */
    const char *choices;
} option;

#define AT(member) offsetof(cli_arguments, member)
static const option options[] = {
    {" run ", "output", 'o', "DIR", TEXT, AT(dir), 0, 0, "directory of the run (default: out/ and the scene's name)",
     NULL},
    {" view ", "output", 'o', "DIR", TEXT, AT(dir), 0, 0,
     "directory of the run of a scene (default: out/ and the scene's name, the first that is free)", NULL},
    {" view ", "port", 0, "N", COUNT, AT(port), 0, 65535, "port of the page; 0: any that is free (default)", NULL},
    {" view ", "address", 0, "ADDRESS", TEXT, AT(address), 0, 0,
     "serve at this address of the machine instead of 127.0.0.1; others need the token", NULL},
    {" view ", "token", 0, "WORD", TEXT, AT(token), 0, 0,
     "ask browsers for this word of 8 to 100 letters and digits (default: a random one with --address)", NULL},
    {" view ", "paused", 0, NULL, SWITCH, AT(paused), 0, 0, "wait before the first step of a scene", NULL},
    {" view ", "no-browser", 0, NULL, SWITCH, AT(stay), 0, 0, "only print the address", NULL},
    {" mesh ", "output", 'o', "DIR", TEXT, AT(dir), 0, 0, "directory of the meshes (default: surface in the run's)",
     NULL},
    {" render ", "output", 'o', "DIR", TEXT, AT(dir), 0, 0, "directory of the pictures (default: render in the run's)",
     NULL},
    {" measure ", "output", 'o', "FILE", TEXT, AT(dir), 0, 0,
     "table that is written (default: measure.csv in the run's)", NULL},
    {" validate ", "output", 'o', "DIR", TEXT, AT(dir), 0, 0,
     "write what some cases measure over time there, as tables for meniscus plot", NULL},
    {" sweep ", "output", 'o', "DIR", TEXT, AT(dir), 0, 0, "directory of the runs", NULL},
    {" sweep ", "vary", 0, "KEY=A,B,C", WORDS_SET, AT(vary), 0, 0, "a key and the values it takes; may be repeated",
     NULL},
    {" sweep ", "zip", 0, NULL, SWITCH, AT(zip), 0, 0, "values of several keys side by side, not all combinations",
     NULL},
    {" sweep ", "jobs", 0, "N", COUNT, AT(jobs), 1, 1024, "runs at a time (default: 1); they share the cores", NULL},
    {" sweep ", "result", 0, "COLUMN", WORDS, AT(results), 0, 0,
     "a column of results.csv: COLUMN (its last value), mean(COLUMN), min(COLUMN) or\nmax(COLUMN), as of meniscus "
     "plot; may be repeated",
     NULL},
    {" sweep ", "measure", 0, "LIST", TEXT, AT(measure), 0, 0,
     "measure each run, such as contact,shape (meniscus list measures)", NULL},
    {" plot ", "output", 'o', "FILE", TEXT, AT(dir), 0, 0, "picture that is written (PNG)", NULL},
    {" plot ", "x", 0, "COLUMN", TEXT, AT(x), 0, 0, "column along the horizontal axis (default: time)", NULL},
    {" plot ", "log", 0, NULL, SWITCH, AT(logarithmic), 0, 0, "powers of ten along the vertical axis", NULL},
    {" plot ", "title", 0, "TEXT", TEXT, AT(title), 0, 0, "above the curves (default: that of a single run)", NULL},
    {" plot ", "label", 0, "TEXT", WORDS, AT(labels), 0, 0,
     "what the legend calls a run (default: the name of its directory); once for each run", NULL},
    {" measure ", "fluid", 0, "NAME", TEXT, AT(fluid), 0, 0, "only this fluid (default: all)", NULL},
    {" measure ", "wall", 0, "NAME", TEXT, AT(wall), 0, 0,
     "contact: the wall that a drop stands on (default: the first with a plane or a box)", NULL},
    {" measure ", "least", 0, "N", COUNT, AT(least), 1, 1000000000, "drops: particles that make one (default: 8)",
     NULL},
    {" measure mesh render ", "frames", 0, "A:B:STEP", FRAMES, AT(frames), 0, 0,
     "only every STEP-th frame from A to B; A alone is one frame, A: all from A on", NULL},
    {" mesh ", "cell", 0, "X", LENGTH, AT(cell), 0, 0,
     "width of the grid's cells in m (default: half the particle spacing)", NULL},
    {" plot ", "size", 0, "WxH", SIZE, AT(size), 0, 0, "width and height in pixels (default: 1280 wide)", NULL},
    {" render ", "size", 0, "WxH", SIZE, AT(size), 0, 0,
     "width and height in pixels, such as 1920x1080 (default: the camera's)", NULL},
    {" render ", "samples", 0, "N", COUNT, AT(samples), 1, 4096,
     "most rays a pixel (default: 16; 64 with a lens or an exposure)", NULL},
    {" sweep run ", "until", 0, "SECONDS", SECONDS, AT(until), 0, 0,
     "stop at this simulated time instead of the scene's end", NULL},
    {" sweep run bench ", "steps", 0, "N", COUNT, AT(steps), 0, 1000000000, "stop after step N of the run", NULL},
    {" sweep run view check mesh render bench validate ", "threads", 0, "N", COUNT, AT(threads), 0, 1024,
     "threads to use; 0: all cores (default)", NULL},
    {" sweep run view check bench validate ", "backend", 0, "NAME", BACKEND, AT(backend), 0, 0,
     "cpu (default), cpu-scalar, opencl or opencl:DEVICE (a number or part of a name of\n'meniscus list devices'); "
     "cpu:SET takes "
     "avx512, avx2 or plain instead of the best",
     "cpu cpu-scalar opencl"},
    {" sweep run view check render validate ", "set", 0, "KEY=VALUE", SETTING, AT(sets), 0, 0,
     "change a key of the scene, such as time.step=0.001; may be repeated", NULL},
    {" run ", "format", 0, "LIST", FORMATS, AT(formats), 0, 0, "formats of frames, separated by commas: vtp, bgeo, ply",
     "vtp bgeo ply"},
    {" mesh ", "smoothing", 0, "X", SPACINGS, AT(smoothing), 0, 0,
     "smooth away waves shorter than X particle spacings; 0: none (default: 7)", NULL},
    {" mesh ", "hollows", 0, "X", SPACINGS, AT(hollows), 0, 0,
     "fill closed hollows smaller than a cube of X particle spacings; 0: none (default: 2)", NULL},
    {" mesh ", "format", 0, "LIST", FORMATS, AT(formats), 0, 0,
     "formats of meshes, separated by commas: ply (default), obj, vtp, stl", "ply obj vtp stl"},
    {" mesh ", "per-fluid", 0, NULL, SWITCH, AT(apart), 0, 0,
     "one mesh for each fluid, also where several are the same liquid", NULL},
    {" run ", "preview", 0, NULL, SWITCH, AT(preview), 0, 0,
     "also write a picture of each frame (PNG), and a film if ffmpeg is installed", NULL},
    {" run ", "render", 0, NULL, SWITCH, AT(render), 0, 0,
     "also make ray-traced pictures of all frames (see meniscus render)", NULL},
    {" run ", "resume", 0, NULL, SWITCH, AT(resume), 0, 0, "continue the run in DIR from its last good checkpoint",
     NULL},
    {" render ", "resume", 0, NULL, SWITCH, AT(resume), 0, 0, "keep the pictures that DIR holds, make the others",
     NULL},
    {" mesh ", "resume", 0, NULL, SWITCH, AT(resume), 0, 0, "keep the meshes that DIR holds, make the others", NULL},
    {" run ", "overwrite", 0, NULL, SWITCH, AT(overwrite), 0, 0, "replace the run that DIR holds", NULL},
    {" measure plot ", "overwrite", 0, NULL, SWITCH, AT(overwrite), 0, 0, "replace what is there", NULL},
    {" mesh render ", "overwrite", 0, NULL, SWITCH, AT(overwrite), 0, 0, "replace what DIR holds of these frames",
     NULL},
    {" sweep run view check measure plot mesh render validate ", "quiet", 'q', NULL, SWITCH, AT(quiet), 0, 0,
     "print only warnings, errors and the result", NULL},
    {" bench ", "repeat", 0, "N", COUNT, AT(repeat), 1, 100, "run each case N times and keep each step's shortest time",
     NULL},
    {" run ", "json", 0, NULL, SWITCH, AT(json), 0, 0,
     "print progress, messages and the summary as JSON, one object a line", NULL},
    {" bench ", "json", 0, NULL, SWITCH, AT(json), 0, 0, "print JSON instead of a table", NULL},
    {NULL, "help", 'h', NULL, SWITCH, AT(help), 0, 0, "print this help", NULL},
};
enum { OPTION_COUNT = sizeof options / sizeof *options };

static const char *const backend_names[] = {"cpu", "cpu-scalar", "opencl"};

mn_status cli_no_memory(void)
{
    fputs("meniscus: error: out of memory\n", stderr);
    return MN_FAILED;
}

mn_status cli_wrong(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("meniscus: error: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    return MN_BAD_INPUT;
}

static bool takes(const cli_command *command, const option *opt)
{
    if (!opt->commands) return true;
    char name[32];
    snprintf(name, sizeof name, " %s ", command->name);
    return strstr(opt->commands, name) != NULL;
}

bool cli_option_at(const cli_command *command, int index, cli_option_view *out)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!takes(command, &options[i]) || index-- > 0) continue;
        *out = (cli_option_view){options[i].name, options[i].letter, options[i].value, options[i].help,
                                 options[i].choices};
        return true;
    }
    return false;
}

static void wrong_command(const char *name, const char *const *names)
{
    char all[400] = "";
    for (int i = 0; i < cli_command_count; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s",
                 i == 0                       ? ""
                 : i == cli_command_count - 1 ? " or "
                                              : ", ",
                 names[i]);
    cli_wrong("there is no command '%s'; expected %s", name, all);
}

const cli_command *cli_find_command(const char *name)
{
    const char *names[CLI_MOST_NAMES];
    for (int i = 0; i < cli_command_count; i++) {
        if (strcmp(cli_commands[i].name, name) == 0) return &cli_commands[i];
        names[i] = cli_commands[i].name;
    }
    const char *near = mn_nearest(name, names, cli_command_count);
    if (near) cli_wrong("there is no command '%s'; did you mean '%s'?", name, near);
    else wrong_command(name, names);
    return NULL;
}

/* ------------------------------------------------------------------------------------------------ values */

static mn_status wrong_value(const option *opt, const char *text, const char *expected)
{
    return cli_wrong("--%s: '%s' is not valid; expected %s", opt->name, text, expected);
}

/* A number in `unit`, or with a unit of its own: "0.002", "2 ms". The tool never calls setlocale, so the decimal point
 * is a point. */
static bool read_number(const char *text, const char *unit, double *out)
{
    char why[200];
    return mn_quantity_read(text, unit, out, why, sizeof why);
}

static mn_status read_seconds(const option *opt, const char *text, double *out)
{
    if (!read_number(text, "s", out) || *out < 0) return wrong_value(opt, text, "a number of seconds, 0 or more");
    return MN_OK;
}

static mn_status read_count(const option *opt, const char *text, long *out)
{
    char expected[80], *end;
    snprintf(expected, sizeof expected, "a whole number from %ld to %ld", opt->low, opt->high);
    errno = 0;
    *out = strtol(text, &end, 10);
    bool digits = *text && text[strspn(text, "0123456789")] == 0;
    if (!digits || errno == ERANGE || *out < opt->low || *out > opt->high) return wrong_value(opt, text, expected);
    return MN_OK;
}

static mn_status read_backend(const option *opt, const char *text, const char **out)
{
    *out = text;
    for (int i = 0; i < 3; i++)
        if (strcmp(text, backend_names[i]) == 0) return MN_OK;
    if (strncmp(text, "opencl:", 7) == 0 && text[7]) return MN_OK;
    if (strncmp(text, "cpu:", 4) == 0 && text[4]) return MN_OK;
    const char *near = mn_nearest(text, backend_names, 3);
    return cli_wrong("--%s: there is no backend '%s'; expected cpu, cpu-scalar, opencl or opencl:DEVICE%s%s%s",
                     opt->name, text, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* The words of `choices`, each in its own storage: they are those of the table. */
static int split_choices(const char *choices, char names[CLI_MAX_FORMATS][8])
{
    int count = 0;
    for (const char *p = choices; *p && count < CLI_MAX_FORMATS; p += strcspn(p, " "), p += strspn(p, " "))
        snprintf(names[count++], sizeof *names, "%.*s", (int)strcspn(p, " "), p);
    return count;
}

static mn_status unknown_format(const option *opt, const char *word, const char names[CLI_MAX_FORMATS][8], int count)
{
    const char *pointers[CLI_MAX_FORMATS];
    char all[80] = "";
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(all);
        pointers[i] = names[i];
        snprintf(all + used, sizeof all - used, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", names[i]);
    }
    const char *near = mn_nearest(word, pointers, count);
    return cli_wrong("--%s: there is no format '%s'; expected %s, separated by commas%s%s%s", opt->name, word, all,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static mn_status read_formats(const option *opt, const char *text, cli_arguments *out)
{
    char names[CLI_MAX_FORMATS][8];
    const int count = split_choices(opt->choices, names);
    free(out->format_text);
    out->format_count = 0;
    out->format_text = strdup(text);
    if (!out->format_text) return cli_no_memory();
    char *rest = out->format_text, *word;
    while ((word = strsep(&rest, ","))) {
        int known = 0;
        while (known < count && strcmp(word, names[known]) != 0) known++;
        if (known == count) return unknown_format(opt, word, (const char(*)[8])names, count);
        for (int i = 0; i < out->format_count; i++)
            if (strcmp(out->formats[i], word) == 0) return cli_wrong("--%s: '%s' is named twice", opt->name, word);
        out->formats[out->format_count++] = word;
    }
    return MN_OK;
}

static mn_status read_length(const option *opt, const char *text, double *out)
{
    if (!read_number(text, "m", out) || !(*out > 0)) return wrong_value(opt, text, "a length in m, above 0");
    return MN_OK;
}

static mn_status read_spacings(const option *opt, const char *text, double *out)
{
    if (!read_number(text, NULL, out) || *out < 0 || *out > 20)
        return wrong_value(opt, text, "a number of spacings from 0 to 20");
    return MN_OK;
}

/* A, A:, A:B, :B or A:B:STEP, whole numbers. */
static mn_status read_frames(const option *opt, const char *text, cli_frames *out)
{
    static const char expected[] = "A:B:STEP, whole numbers of frames, for example 0:100:5, 12 or 10:";
    long part[3] = {0, LONG_MAX, 1};
    int parts = 0;
    for (const char *p = text;; parts++) {
        const size_t digits = strspn(p, "0123456789");
        if (parts == 3 || digits > 9 || (p[digits] && p[digits] != ':')) return wrong_value(opt, text, expected);
        if (digits) part[parts] = strtol(p, NULL, 10);
        else if (parts == 2) return wrong_value(opt, text, expected);
        if (!p[digits]) break;
        p += digits + 1;
    }
    if (parts == 0) part[1] = part[0];
    if (!*text || part[2] < 1 || part[1] < part[0]) return wrong_value(opt, text, expected);
    *out = (cli_frames){part[0], part[1], part[2]};
    return MN_OK;
}

bool cli_frame_wanted(const cli_arguments *args, long number)
{
    const cli_frames *f = &args->frames;
    return f->step == 0 || (number >= f->first && number <= f->last && (number - f->first) % f->step == 0);
}

static mn_status read_size(const option *opt, const char *text, int out[2])
{
    char *end;
    const bool digits = text[0] >= '0' && text[0] <= '9' && strlen(text) < 12;
    const long width = digits ? strtol(text, &end, 10) : 0;
    const long height = digits && *end == 'x' && end[1] >= '0' && end[1] <= '9' ? strtol(end + 1, &end, 10) : 0;
    if (!digits || *end || width < 16 || height < 16 || width > 16384 || height > 16384)
        return wrong_value(opt, text, "WIDTHxHEIGHT in pixels, 16 to 16384 each, such as 1280x720");
    out[0] = (int)width;
    out[1] = (int)height;
    return MN_OK;
}

static mn_status add_setting(const option *opt, const char *text, cli_arguments *out)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) return wrong_value(opt, text, "KEY=VALUE, for example time.step=0.001");
    const char **grown = realloc(out->sets, (size_t)(out->set_count + 1) * sizeof *grown);
    if (!grown) return cli_no_memory();
    out->sets = grown;
    out->sets[out->set_count++] = text;
    return MN_OK;
}

static mn_status add_word(const option *opt, const char *text, cli_words *out)
{
    const char *equals = strchr(text, '=');
    if (opt->kind == WORDS_SET && (!equals || equals == text || !equals[1]))
        return wrong_value(opt, text, "KEY=A,B,C, for example particles.spacing=0.01,0.02");
    if (!*text) return cli_wrong("--%s: expected %s, not an empty value", opt->name, opt->value);
    const char **grown = realloc(out->at, (size_t)(out->count + 1) * sizeof *grown);
    if (!grown) return cli_no_memory();
    out->at = grown;
    out->at[out->count++] = text;
    return MN_OK;
}

static mn_status store(const option *opt, const char *text, cli_arguments *out)
{
    void *member = (char *)out + opt->offset;
    switch (opt->kind) {
    case SWITCH: *(bool *)member = true; return MN_OK;
    case TEXT:
        if (!*text) return cli_wrong("--%s: expected %s, not an empty value", opt->name, opt->value);
        *(const char **)member = text;
        return MN_OK;
    case SECONDS: return read_seconds(opt, text, member);
    case COUNT: return read_count(opt, text, member);
    case BACKEND: return read_backend(opt, text, member);
    case FORMATS: return read_formats(opt, text, out);
    case LENGTH: return read_length(opt, text, member);
    case SPACINGS: return read_spacings(opt, text, member);
    case FRAMES: return read_frames(opt, text, member);
    case SIZE: return read_size(opt, text, member);
    case SETTING: return add_setting(opt, text, out);
    case WORDS:
    case WORDS_SET: return add_word(opt, text, member);
    }
    return MN_BAD_INPUT;
}

/* ----------------------------------------------------------------------------------------------- parsing */

static mn_status unknown_option(const cli_command *command, const char *word, const char *name, size_t length)
{
    char asked[64];
    snprintf(asked, sizeof asked, "%.*s", (int)(length < 60 ? length : 60), name);
    const char *names[OPTION_COUNT];
    int count = 0;
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (takes(command, &options[i])) names[count++] = options[i].name;
        else if (strcmp(options[i].name, asked) == 0)
            return cli_wrong("'meniscus %s' does not take --%s", command->name, asked);
    }
    const char *near = mn_nearest(asked, names, count);
    if (near) return cli_wrong("'meniscus %s' has no option '%s'; did you mean '--%s'?", command->name, word, near);
    return cli_wrong("'meniscus %s' has no option '%s'", command->name, word);
}

/* The option a word names. `value` is what follows '=' (or the letter), or NULL. */
static const option *find_option(const cli_command *command, const char *word, const char **value)
{
    bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    size_t length = is_long ? strcspn(name, "=") : 1;
    for (int i = 0; i < OPTION_COUNT; i++) {
        bool same = is_long ? strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0
                            : options[i].letter == *name;
        if (!same || !takes(command, &options[i])) continue;
        *value = name[length] ? name + length + (is_long ? 1 : 0) : NULL;
        return &options[i];
    }
    unknown_option(command, word, name, is_long ? length : strlen(name));
    return NULL;
}

int cli_choices(const cli_command *command, const char *names[CLI_MOST_NAMES])
{
    const int count = command->choices ? command->choices(names, CLI_MOST_NAMES) : 0;
    return count < CLI_MOST_NAMES ? count : CLI_MOST_NAMES; /* they tell how many there are, not how many they gave */
}

static mn_status check_operand(const cli_command *command, const char *operand)
{
    const char *names[CLI_MOST_NAMES];
    const int count = cli_choices(command, names);
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], operand) == 0) return MN_OK;
    if (command->open_choices) return MN_OK;
    const char *near = mn_nearest(operand, names, count);
    if (near) return cli_wrong("'meniscus %s': there is no '%s'; did you mean '%s'?", command->name, operand, near);
    char all[4096] = "";
    for (int i = 0; i < count; i++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
    }
    return cli_wrong("'meniscus %s': there is no '%s'; expected one of: %s", command->name, operand, all);
}

static mn_status add_operand(const cli_command *command, const char *word, cli_arguments *out)
{
    if (out->more_count == command->most)
        return cli_wrong("'meniscus %s': '%s' is one %s too many; expected at most %d", command->name, word,
                         command->more, command->most);
    const char **grown = realloc(out->more, (size_t)(out->more_count + 1) * sizeof *grown);
    if (!grown) return cli_no_memory();
    out->more = grown;
    out->more[out->more_count++] = word;
    return MN_OK;
}

static mn_status take_operand(const cli_command *command, char *word, cli_arguments *out)
{
    if (!command->operand) return cli_wrong("'meniscus %s' takes no operand, but was given '%s'", command->name, word);
    if (out->operand && !command->most)
        return cli_wrong("'meniscus %s' takes one %s, but was given '%s' and '%s'", command->name, command->operand,
                         out->operand, word);
    if (!*word) return cli_wrong("'meniscus %s': %s is empty", command->name, command->operand);
    if (out->operand) return add_operand(command, word, out);
    out->operand = word;
    return check_operand(command, word);
}

mn_status cli_parse(const cli_command *command, int count, char **words, cli_arguments *out)
{
    *out = (cli_arguments){.until = -1, .steps = -1, .smoothing = -1, .hollows = -1, .repeat = 1};
    bool only_operands = false;
    for (int i = 0; i < count; i++) {
        char *word = words[i];
        if (!only_operands && strcmp(word, "--") == 0) {
            only_operands = true;
            continue;
        }
        mn_status status;
        if (only_operands || word[0] != '-' || !word[1]) {
            status = take_operand(command, word, out);
        } else {
            const char *value = NULL;
            const option *opt = find_option(command, word, &value);
            if (!opt) return MN_BAD_INPUT;
            if (opt->kind == SWITCH && value)
                return cli_wrong("--%s takes no value, but was given '%s'", opt->name, value);
            if (opt->kind != SWITCH && !value && i + 1 < count) value = words[++i];
            if (opt->kind != SWITCH && !value) return cli_wrong("--%s needs a value: %s", opt->name, opt->value);
            status = store(opt, value, out);
        }
        if (status != MN_OK) return status;
    }
    if (command->operand_required && !out->operand && !out->help)
        return cli_wrong("'meniscus %s' needs a %s", command->name, command->operand);
    if (out->resume && out->overwrite) return cli_wrong("--resume and --overwrite exclude each other");
    return MN_OK;
}

void cli_arguments_free(cli_arguments *args)
{
    free(args->sets);
    free(args->more);
    free(args->vary.at);
    free(args->results.at);
    free(args->labels.at);
    free(args->format_text);
    *args = (cli_arguments){0};
}

/* -------------------------------------------------------------------------------------------------- help */

void cli_usage(FILE *out)
{
    fputs("usage: meniscus COMMAND ...\n\nSimulates liquids with smoothed particles.\n\ncommands\n", out);
    for (int i = 0; i < cli_command_count; i++)
        fprintf(out, "  %-12s %s\n", cli_commands[i].name, cli_commands[i].summary);
    fputs("\n  --help       print this help; after a command, the help of that command\n"
          "  --version    print the version\n"
          "\nexit codes: 0 done, 1 internal or I/O failure, 2 wrong input, 3 diverged, 130 interrupted\n",
          out);
}

void cli_command_help(const cli_command *command, FILE *out)
{
    fprintf(out, "usage: meniscus %s", command->name);
    if (command->operand) fprintf(out, command->operand_required ? " %s" : " [%s]", command->operand);
    if (command->more) fprintf(out, command->most > 1 ? " [%s ...]" : " [%s]", command->more);
    fprintf(out, " [OPTION ...]\n\n%c%s.\n%s\n", command->summary[0] - 'a' + 'A', command->summary + 1,
            command->detail);
    const char *names[CLI_MOST_NAMES];
    const int count = cli_choices(command, names);
    if (count > 0) fprintf(out, "\n%s is one of:", command->operand);
    for (int i = 0; i < count; i++) fprintf(out, " %s", names[i]);
    fputs(count > 0 ? "\n\noptions\n" : "\noptions\n", out);
    cli_option_view opt;
    for (int i = 0; cli_option_at(command, i, &opt); i++) {
        char left[64], letter[8] = "    ";
        if (opt.letter) snprintf(letter, sizeof letter, "-%c, ", opt.letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, opt.name, opt.value ? " " : "", opt.value ? opt.value : "");
        const size_t first = strcspn(opt.help, "\n");
        fprintf(out, "  %-24s %.*s\n", left, (int)first, opt.help);
        if (opt.help[first]) fprintf(out, "%27s%s\n", "", opt.help + first + 1);
    }
}
