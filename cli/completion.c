/* completion.c -- completion scripts for bash, zsh and fish, written from the table of commands and options. */
#include <stdio.h>
#include <string.h>

#include "args.h"

static const char *const shells[] = {"bash", "zsh", "fish"};

int cli_shells(const char **out, int capacity)
{
    for (int i = 0; i < 3 && i < capacity; i++) out[i] = shells[i];
    return 3;
}

static bool is_directory(const cli_option_view *opt) { return opt->value && strcmp(opt->value, "DIR") == 0; }

static bool is_setting(const cli_option_view *opt) { return opt->value && strncmp(opt->value, "KEY=", 4) == 0; }

/* Its operand is the directory of a run. */
static bool takes_run(const cli_command *command) { return command->operand && strcmp(command->operand, "RUN") == 0; }

/* Help texts go into single quotes; zsh gives a meaning to colons and brackets. */
static void quoted(const char *text, bool for_zsh)
{
    for (; *text; text++) {
        if (*text == '\'') fputs("'\\''", stdout);
        else if (*text == '\n') putchar(' ');
        else if (for_zsh && strchr(":[]", *text)) printf("\\%c", *text);
        else putchar(*text);
    }
}

static void bash_command(const cli_command *command)
{
    cli_option_view opt;
    printf("    %s)\n        case \"$previous\" in\n", command->name);
    for (int i = 0; cli_option_at(command, i, &opt); i++) {
        if (!opt.value) continue;
        printf("        --%s", opt.name);
        if (opt.letter) printf("|-%c", opt.letter);
        if (is_setting(&opt)) puts(") _meniscus_keys; return ;;");
        else if (is_directory(&opt)) puts(") mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); return ;;");
        else printf(") COMPREPLY=($(compgen -W \"%s\" -- \"$word\")); return ;;\n", opt.choices ? opt.choices : "");
    }
    fputs("        esac\n        if [[ $word == -* ]]; then\n            COMPREPLY=($(compgen -W \"", stdout);
    for (int i = 0; cli_option_at(command, i, &opt); i++) printf("%s--%s", i ? " " : "", opt.name);
    fputs("\" -- \"$word\"))\n        else\n", stdout);
    const char *names[CLI_MOST_NAMES];
    int count = cli_choices(command, names);
    if (command->more_choices) {
        const char *more[CLI_MOST_NAMES];
        const int some = command->more_choices(more, CLI_MOST_NAMES);
        fputs("            if [[ $COMP_CWORD -gt 2 ]]; then COMPREPLY=($(compgen -W \"", stdout);
        for (int i = 0; i < some; i++) printf("%s%s", i ? " " : "", more[i]);
        puts("\" -- \"$word\")); return; fi");
    }
    if (command->more && strcmp(command->more, "COLUMN") == 0) /* of the tables of the run before it */
        puts("            if [[ $COMP_CWORD -gt 2 ]]; then\n"
             "                local run=${COMP_WORDS[2]}\n"
             "                mapfile -t COMPREPLY < <(compgen -d -- \"$word\"; compgen -W \"$(head -qn 1 "
             "\"$run/stats.csv\" "
             "\"$run/measure.csv\" 2>/dev/null | tr , ' ')\" -- \"$word\")\n"
             "                return\n            fi");
    if (takes_run(command)) {
        puts("            mapfile -t COMPREPLY < <(compgen -d -- \"$word\")");
    } else if (command->open_choices) {
        puts(
            "            mapfile -t COMPREPLY < <(compgen -f -- \"$word\"; compgen -W \"$(${COMP_WORDS[0]} list scenes "
            "2>/dev/null | cut -d ' ' -f 1)\" "
            "-- \"$word\")");
    } else {
        fputs("            COMPREPLY=($(compgen -W \"", stdout);
        for (int i = 0; i < count; i++) printf("%s%s", i ? " " : "", names[i]);
        puts("\" -- \"$word\"))");
    }
    puts("        fi ;;");
}

static void bash(void)
{
    puts("# bash completion for meniscus\n"
         "# Keys for --set, with the names of the entries of the scene that the line names.\n"
         "_meniscus_keys() {\n"
         "    local keys; keys=$(${COMP_WORDS[0]} list keys \"${COMP_WORDS[2]}\" 2>/dev/null || ${COMP_WORDS[0]} list "
         "keys)\n"
         "    mapfile -t COMPREPLY < <(compgen -S = -W \"$(cut -d ' ' -f 1 <<<\"$keys\")\" -- \"$word\")\n"
         "    compopt -o nospace 2>/dev/null\n}");
    puts("_meniscus() {\n    local word=${COMP_WORDS[COMP_CWORD]} "
         "previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    COMPREPLY=()\n    if [[ $COMP_CWORD -eq 1 ]]; then");
    fputs("        COMPREPLY=($(compgen -W \"", stdout);
    for (int i = 0; i < cli_command_count; i++) printf("%s ", cli_commands[i].name);
    puts("--help --version\" -- \"$word\"))\n        return\n    fi\n    case \"${COMP_WORDS[1]}\" in");
    for (int i = 0; i < cli_command_count; i++) bash_command(&cli_commands[i]);
    puts("    esac\n}\ncomplete -o filenames -F _meniscus meniscus");
}

static void zsh_command(const cli_command *command)
{
    cli_option_view opt;
    printf("    %s)\n        _arguments", command->name);
    for (int i = 0; cli_option_at(command, i, &opt); i++) {
        printf(" \\\n            '%s--%s[", is_setting(&opt) ? "*" : "", opt.name);
        quoted(opt.help, true);
        putchar(']');
        if (is_directory(&opt)) printf(":%s:_directories", opt.value);
        else if (is_setting(&opt)) printf(":%s:_meniscus_keys", opt.value);
        else if (opt.value) printf(":%s:(%s)", opt.value, opt.choices ? opt.choices : "");
        putchar('\'');
    }
    const char *names[CLI_MOST_NAMES];
    int count = cli_choices(command, names);
    printf(" \\\n            '1:%s:", command->operand);
    if (command->open_choices) {
        fputs(takes_run(command) ? "_directories" : "_meniscus_scenes", stdout);
    } else {
        for (int i = 0; i < count; i++) printf("%s%s", i ? " " : "(", names[i]);
        if (count) putchar(')');
    }
    if (command->more) printf("' \\\n            '*:%s:", command->more);
    if (command->more_choices) {
        const char *more[CLI_MOST_NAMES];
        const int some = command->more_choices(more, CLI_MOST_NAMES);
        for (int i = 0; i < some; i++) printf("%s%s", i ? " " : "(", more[i]);
        putchar(')');
    } else if (command->more) {
        fputs("_files", stdout);
    }
    puts("' ;;");
}

static void zsh(void)
{
    puts("#compdef meniscus\n"
         "_meniscus_keys() {\n"
         "    local -a keys\n"
         "    keys=(${(f)\"$(meniscus list keys \"$words[2]\" 2>/dev/null || meniscus list keys)\"})\n"
         "    compadd -S = -- ${keys%% *}\n}\n"
         "_meniscus_scenes() {\n"
         "    local -a scenes\n"
         "    scenes=(${(f)\"$(meniscus list scenes 2>/dev/null)\"})\n"
         "    compadd -- ${scenes%% *}\n"
         "    _files\n}");
    puts("_meniscus() {\n    local -a commands\n    commands=(");
    for (int i = 0; i < cli_command_count; i++) {
        printf("        '%s:", cli_commands[i].name);
        quoted(cli_commands[i].summary, true);
        puts("'");
    }
    puts("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
         "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in");
    for (int i = 0; i < cli_command_count; i++) zsh_command(&cli_commands[i]);
    /* Called as the function of a file in fpath, it completes; read by `source`, it makes itself known. */
    puts("    esac\n}\nif [ \"$funcstack[1]\" = _meniscus ]; then _meniscus \"$@\"; else compdef _meniscus meniscus; "
         "fi");
}

static void fish_command(const cli_command *command)
{
    const char *when = "__fish_seen_subcommand_from";
    cli_option_view opt;
    for (int i = 0; cli_option_at(command, i, &opt); i++) {
        printf("complete -c meniscus -n '%s %s' -l %s", when, command->name, opt.name);
        if (opt.letter) printf(" -s %c", opt.letter);
        if (is_directory(&opt)) fputs(" -r -a '(__fish_complete_directories)'", stdout);
        else if (is_setting(&opt)) fputs(" -x -a '(__meniscus_keys)'", stdout);
        else if (opt.value) printf(" -x -a '%s'", opt.choices ? opt.choices : "");
        fputs(" -d '", stdout);
        quoted(opt.help, false);
        puts("'");
    }
    const char *names[CLI_MOST_NAMES];
    int count = cli_choices(command, names);
    if (command->open_choices) printf("complete -c meniscus -n '%s %s' -F\n", when, command->name);
    if (command->open_choices && !takes_run(command))
        printf("complete -c meniscus -n '%s %s' -a '(__meniscus_scenes)'\n", when, command->name);
    if (command->more_choices) {
        const char *more[CLI_MOST_NAMES];
        const int some = command->more_choices(more, CLI_MOST_NAMES);
        printf("complete -c meniscus -n '%s %s' -a '", when, command->name);
        for (int i = 0; i < some; i++) printf("%s%s", i ? " " : "", more[i]);
        puts("'");
    }
    if (count == 0) return;
    printf("complete -c meniscus -n '%s %s' -a '", when, command->name);
    for (int i = 0; i < count; i++) printf("%s%s", i ? " " : "", names[i]);
    puts("'");
}

static void fish(void)
{
    puts("# fish completion for meniscus\n"
         "function __meniscus_keys\n"
         "    set -l words (commandline -opc)\n"
         "    meniscus list keys $words[3] 2>/dev/null | string replace -r ' .*' =\n"
         "end\n"
         "function __meniscus_scenes\n"
         "    meniscus list scenes 2>/dev/null | string replace -r ' .*' ''\n"
         "end\n"
         "complete -c meniscus -f");
    for (int i = 0; i < cli_command_count; i++) {
        printf("complete -c meniscus -n __fish_use_subcommand -a %s -d '", cli_commands[i].name);
        quoted(cli_commands[i].summary, false);
        puts("'");
    }
    for (int i = 0; i < cli_command_count; i++) fish_command(&cli_commands[i]);
}

int cli_completion(const cli_arguments *args)
{
    if (strcmp(args->operand, "bash") == 0) bash();
    else if (strcmp(args->operand, "zsh") == 0) zsh();
    else fish();
    return MN_OK;
}
