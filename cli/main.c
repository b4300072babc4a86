/* main.c -- finds the command, parses its arguments, runs it. The exit codes are those of mn_status. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "self.h"
#include "signals.h"

static int hint(const char *command)
{
    fprintf(stderr, "Try 'meniscus%s%s --help'.\n", command ? " " : "", command ? command : "");
    return MN_BAD_INPUT;
}

/* Output that did not reach its file (a full disk, a closed pipe) is a failure, not a success. */
static int finish(int code)
{
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == MN_OK) {
        fputs("meniscus: error: cannot write to standard output\n", stderr);
        return MN_FAILED;
    }
    return code;
}

/* OpenMP's threads by default spin while they wait, which on a machine with other work to do makes a run up to ten
 * times slower; asleep at once, small scenes take twice as long, since waking them costs more than their work. So
 * they spin for about ten microseconds, then sleep. The runtime reads its policy when it is loaded, so the tool
 * starts itself once more, unless the user has chosen. */
static void wait_asleep(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || getenv("KMP_BLOCKTIME")) return;
    char **words = cli_self_words((const char *const *)argv);
    if (words && setenv("GOMP_SPINCOUNT", "300", 1) == 0 && setenv("OMP_WAIT_POLICY", "passive", 1) == 0)
        execv(CLI_SELF, words); /* where that fails, it runs as it is */
    free(words);
}

/* Standard streams that were closed would give their numbers to the first files of the run, and messages would be
 * written into these. Opened for reading only, they stay what they were: nothing can be written there. */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) return; /* the lowest free number is this one */
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    cli_report_failed_writes(false);
    cli_self_begin(argc);
    wait_asleep(argv);
    if (argc < 2) {
        cli_usage(stderr);
        return MN_BAD_INPUT;
    }
    const bool asks_help = strcmp(argv[1], "help") == 0;
    if ((asks_help && argc == 2) || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cli_usage(stdout);
        return finish(MN_OK);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts("meniscus " MN_VERSION);
        return finish(MN_OK);
    }
    const cli_command *command = cli_find_command(argv[asks_help ? 2 : 1]);
    if (!command) return hint(NULL);
    if (asks_help) {
        cli_command_help(command, stdout);
        return finish(MN_OK);
    }
    cli_arguments args;
    int code = cli_parse(command, argc - 2, argv + 2, &args);
    if (args.help) {
        cli_command_help(command, stdout);
        code = MN_OK;
    } else if (code == MN_BAD_INPUT) {
        code = hint(command->name);
    } else if (code == MN_OK) {
        code = command->run(&args);
    }
    cli_arguments_free(&args);
    return finish(code);
}
