/* options.h -- a row for each option of the command line: between the tables (commands.c) and the parser (args.c). */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stddef.h>

#include "args.h"

/* What its value is. */
typedef enum cli_value_kind {
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
} cli_value_kind;

typedef struct cli_option {
    const char *commands; /* names of the commands that take it, each between spaces */
    const char *name;
    char letter;
    const char *value; /* what the help calls it; NULL for a switch */
    cli_value_kind kind;
    size_t offset;  /* of its member of cli_arguments */
    long low, high; /* COUNT: the range */
    const char *help;
    const char *choices;
} cli_option;

extern const cli_option cli_options[];
extern const int cli_option_count;

#endif
