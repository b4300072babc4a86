/* args.c -- reads the command line, and prints its help, by the tables of commands.c. */
#include "args.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "options.h"
#include "scene/quantity.h"

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

static bool takes(const cli_command *command, const cli_option *opt)
{
    if (!opt->commands) return true;
    char name[32];
    snprintf(name, sizeof name, " %s ", command->name);
    return strstr(opt->commands, name) != NULL;
}

bool cli_option_at(const cli_command *command, int index, cli_option_view *out)
{
    for (int i = 0; i < cli_option_count; i++) {
        if (!takes(command, &cli_options[i]) || index-- > 0) continue;
        *out = (cli_option_view){cli_options[i].name, cli_options[i].letter, cli_options[i].value, cli_options[i].help,
                                 cli_options[i].choices};
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
    const char *names[CLI_MOST_NAMES] = {NULL};
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

static mn_status wrong_value(const cli_option *opt, const char *text, const char *expected)
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

static mn_status read_seconds(const cli_option *opt, const char *text, double *out)
{
    if (!read_number(text, "s", out) || *out < 0) return wrong_value(opt, text, "a number of seconds, 0 or more");
    return MN_OK;
}

static mn_status read_count(const cli_option *opt, const char *text, long *out)
{
    char expected[80], *end;
    snprintf(expected, sizeof expected, "a whole number from %ld to %ld", opt->low, opt->high);
    errno = 0;
    *out = strtol(text, &end, 10);
    bool digits = *text && text[strspn(text, "0123456789")] == 0;
    if (!digits || errno == ERANGE || *out < opt->low || *out > opt->high) return wrong_value(opt, text, expected);
    return MN_OK;
}

static mn_status read_backend(const cli_option *opt, const char *text, const char **out)
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

static mn_status unknown_format(const cli_option *opt, const char *word, const char names[CLI_MAX_FORMATS][8],
                                int count)
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

static mn_status read_formats(const cli_option *opt, const char *text, cli_arguments *out)
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

static mn_status read_length(const cli_option *opt, const char *text, double *out)
{
    if (!read_number(text, "m", out) || !(*out > 0)) return wrong_value(opt, text, "a length in m, above 0");
    return MN_OK;
}

static mn_status read_spacings(const cli_option *opt, const char *text, double *out)
{
    if (!read_number(text, NULL, out) || *out < 0 || *out > 20)
        return wrong_value(opt, text, "a number of spacings from 0 to 20");
    return MN_OK;
}

/* A, A:, A:B, :B or A:B:STEP, whole numbers. */
static mn_status read_frames(const cli_option *opt, const char *text, cli_frames *out)
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

static mn_status read_size(const cli_option *opt, const char *text, int out[2])
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

static mn_status add_setting(const cli_option *opt, const char *text, cli_arguments *out)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) return wrong_value(opt, text, "KEY=VALUE, for example time.step=0.001");
    const char **grown = realloc(out->sets, (size_t)(out->set_count + 1) * sizeof *grown);
    if (!grown) return cli_no_memory();
    out->sets = grown;
    out->sets[out->set_count++] = text;
    return MN_OK;
}

static mn_status add_word(const cli_option *opt, const char *text, cli_words *out)
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

static mn_status store(const cli_option *opt, const char *text, cli_arguments *out)
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
    const char *names[CLI_MOST_NAMES];
    int count = 0;
    for (int i = 0; i < cli_option_count; i++) {
        if (takes(command, &cli_options[i])) names[count++] = cli_options[i].name;
        else if (strcmp(cli_options[i].name, asked) == 0)
            return cli_wrong("'meniscus %s' does not take --%s", command->name, asked);
    }
    const char *near = mn_nearest(asked, names, count);
    if (near) return cli_wrong("'meniscus %s' has no option '%s'; did you mean '--%s'?", command->name, word, near);
    return cli_wrong("'meniscus %s' has no option '%s'", command->name, word);
}

/* The option a word names. `value` is what follows '=' (or the letter), or NULL. */
static const cli_option *find_option(const cli_command *command, const char *word, const char **value)
{
    bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    size_t length = is_long ? strcspn(name, "=") : 1;
    for (int i = 0; i < cli_option_count; i++) {
        bool same = is_long ? strlen(cli_options[i].name) == length && strncmp(cli_options[i].name, name, length) == 0
                            : cli_options[i].letter == *name;
        if (!same || !takes(command, &cli_options[i])) continue;
        *value = name[length] ? name + length + (is_long ? 1 : 0) : NULL;
        return &cli_options[i];
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
            const cli_option *opt = find_option(command, word, &value);
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

/* A text in lines of at most 100 columns, from `column` on: the first begins where the output stands. */
static void put_filled(FILE *out, const char *text, int column)
{
    enum { WIDTH = 100 };
    for (int at = column; *text;) {
        const int length = (int)strcspn(text, " \n");
        if (at > column && at + 1 + length > WIDTH) fprintf(out, "\n%*s", column, ""), at = column;
        at += fprintf(out, "%s%.*s", at > column ? " " : "", length, text);
        text += length;
        if (*text == '\n') fprintf(out, "\n%*s", column, ""), at = column;
        if (*text) text++;
    }
    fputc('\n', out);
}

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
    fprintf(out, " [OPTION ...]\n\n%c%s.\n", command->summary[0] - 'a' + 'A', command->summary + 1);
    put_filled(out, command->detail, 0);
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
        fprintf(out, "  %-24s ", left);
        put_filled(out, opt.help, 27);
    }
}
