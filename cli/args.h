/* args.h -- the command line as a table: commands, options, their help. Parsing, --help, completion and the tests of
 * the man page all read the same table, so an option is named in one place. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "meniscus/meniscus.h"

enum { CLI_MAX_FORMATS = 8 };

/* Frames first, first + step, ... up to last; step 0: all. */
typedef struct cli_frames {
    long first, last, step;
} cli_frames;

/* An option that may be repeated. */
typedef struct cli_words {
    const char **at;
    int count;
} cli_words;

/* What the user asked for. Strings point into argv or into storage that lives as long as the arguments. */
typedef struct cli_arguments {
    const char *operand; /* SCENE, CASE, ...; NULL if not given */
    const char **more;   /* operands after the first */
    int more_count;
    const char *dir;  /* NULL: chosen from the scene's name */
    double until;     /* s, negative: the scene's end */
    long steps;       /* negative: no limit */
    long threads;     /* 0: all cores */
    long repeat;      /* of a benchmark */
    double cell;      /* m; 0: not given */
    double smoothing; /* spacings; negative: not given */
    double hollows;   /* the same */
    cli_frames frames;
    int size[2];  /* pixels; 0: the camera's */
    long samples; /* rays a pixel; 0: the default */
    const char *backend;
    cli_words vary, results;  /* of `sweep`: KEY=A,B,C; numbers of tables */
    const char *measure;      /* of `sweep`: WHAT,WHAT */
    long jobs;                /* of `sweep`, at a time; 0: one */
    const char *x, *title;    /* of `plot`; NULL: not given */
    cli_words labels;         /* of `plot`: one for each run, or none */
    const char *fluid, *wall; /* of `measure`; NULL: not given */
    long least;               /* particles of a drop; 0: not given */
    const char **sets;        /* KEY=VALUE */
    int set_count;
    char *format_text; /* owned copy that `formats` points into */
    const char *formats[CLI_MAX_FORMATS];
    int format_count;
    const char *address, *token;
    long port;
    bool paused, stay;
    bool preview, render, resume, quiet, overwrite, apart, json, logarithmic, zip, help;
} cli_arguments;

enum { CLI_MOST_NAMES = 512 };

typedef struct cli_command {
    const char *name;
    const char *operand; /* name of its one operand in the help, or NULL */
    bool operand_required;
    const char *summary, *detail;
    int (*choices)(const char **out, int capacity);      /* the operands there are; NULL: any */
    bool open_choices;                                   /* the operand may also be something else (a file) */
    int (*run)(const cli_arguments *args);               /* returns the exit code */
    const char *more;                                    /* what the help calls operands after the first; NULL: none */
    int most;                                            /* how many of them */
    int (*more_choices)(const char **out, int capacity); /* those there are; NULL: any */
} cli_command;

/* The operands of a command, as far as there is room; how many. */
int cli_choices(const cli_command *command, const char *names[CLI_MOST_NAMES]);

extern const cli_command cli_commands[];
extern const int cli_command_count;

/* Parses what follows the command's name. On an error says what was wrong on stderr and returns MN_BAD_INPUT. */
mn_status cli_parse(const cli_command *command, int count, char **words, cli_arguments *out);
void cli_arguments_free(cli_arguments *args);

bool cli_frame_wanted(const cli_arguments *args, long number);

const cli_command *cli_find_command(const char *name);
void cli_usage(FILE *out);
void cli_command_help(const cli_command *command, FILE *out);

/* An error of the command line: one line on stderr. Returns MN_BAD_INPUT. */
mn_status cli_no_memory(void);
mn_status cli_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The subcommands. */
int cli_run(const cli_arguments *args);
int cli_check(const cli_arguments *args);
int cli_mesh(const cli_arguments *args);
int cli_render(const cli_arguments *args);
int cli_measure(const cli_arguments *args);
int cli_sweep(const cli_arguments *args);
int cli_plot(const cli_arguments *args);
int cli_list(const cli_arguments *args);
int cli_view(const cli_arguments *args);
int cli_bench(const cli_arguments *args);
int cli_validate(const cli_arguments *args);
int cli_completion(const cli_arguments *args);

/* The pictures that are left to draw when a run with `--render` has ended, and the films. */
struct mn_live_render;
mn_status cli_render_rest(struct mn_live_render *live, bool quiet, mn_messages *say);

/* Their operands, each list static. Returns how many there are, and fills at most `capacity`. */
int cli_list_topics(const char **out, int capacity);
int cli_bench_cases(const char **out, int capacity);
int cli_validate_cases(const char **out, int capacity);
int cli_measures(const char **out, int capacity);
int cli_shells(const char **out, int capacity);

/* For completion: walks the options of a command. `value` is NULL for a switch. Returns false past the last. */
typedef struct cli_option_view {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    const char *value, *help, *choices;
} cli_option_view;
bool cli_option_at(const cli_command *command, int index, cli_option_view *out);

#endif
