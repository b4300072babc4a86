/* view.c -- `meniscus view`: arguments -> the page, and the browser that shows it. */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "args.h"
#include "report.h"
#include "scene/scene.h"
#include "scenes.h"
#include "signals.h"
#include "view/view.h"

#ifdef MN_HAVE_VIEW

static volatile sig_atomic_t stop;

/* The first signal ends the run in good order, with a checkpoint; a second one ends the process. */
static void ask_to_stop(int signal_number)
{
    (void)signal_number;
    stop = 1;
}

/* By xdg-open, whose output is dropped; without a screen there is nothing to open. */
static void open_browser(const char *url)
{
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
    const pid_t child = fork();
    if (child != 0) {
        if (child > 0) waitpid(child, NULL, 0);
        return;
    }
    if (fork() == 0) { /* not ours to wait for */
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
        execlp("xdg-open", "xdg-open", url, (char *)NULL);
    }
    _exit(0);
}

typedef struct greeting {
    const cli_arguments *args;
} greeting;

static void ready(void *user, const char *url)
{
    const greeting *g = user;
    printf("%s\n", url);
    if (!g->args->quiet) {
        const char *port = strrchr(url, ':') + 1;
        const int digits = (int)strspn(port, "0123456789");
        puts("Ctrl-C ends it.");
        if (getenv("SSH_CONNECTION") && !g->args->address)
            printf("From your own machine: ssh -L %.*s:localhost:%.*s THIS-MACHINE, then open that address there.\n",
                   digits, port, digits, port);
    }
    fflush(stdout);
    if (!g->args->stay) open_browser(url);
}

/* ------------------------------------------------------------------------------------------ the list of scenes */

typedef struct scene_list {
    mn_view_entry *entries;
    int count;
} scene_list;

static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *suite = slash;
    while (suite > path && suite[-1] != '/') suite--;
    return strndup(suite, (size_t)(strrchr(slash, '.') - suite));
}

static scene_list list_scenes(void)
{
    int count;
    char **paths = cli_all_scenes(&count);
    scene_list list = {.entries = calloc((size_t)count + 1, sizeof *list.entries)};
    for (int i = 0; i < count && list.entries; i++) {
        mn_messages *say = mn_messages_new();
        mn_scene *scene = mn_scene_load(paths[i], NULL, 0, say);
        char *name = name_of(paths[i]), *title = strdup(scene && scene->title ? scene->title : ""),
             *path = strdup(paths[i]);
        if (scene && name && title && path) {
            list.entries[list.count++] = (mn_view_entry){path, name, title};
        } else {
            free(name);
            free(title);
            free(path);
        }
        mn_scene_free(scene);
        mn_messages_free(say);
    }
    cli_free_names(paths, count);
    return list;
}

static void free_list(scene_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free((char *)list->entries[i].path);
        free((char *)list->entries[i].name);
        free((char *)list->entries[i].title);
    }
    free(list->entries);
}

/* ------------------------------------------------------------------------------------------------ the command */

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* 128 bits, as letters; false: the system gives none. */
static bool random_token(char out[33])
{
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (int i = 0; i < 16; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static bool good_token(const char *token)
{
    const size_t length = strlen(token);
    size_t good = 0;
    while (isalnum((unsigned char)token[good])) good++;
    return good == length && length >= 8 && length <= 100;
}

/* Where the source is; NULL after a message. malloc'd. */
static char *find_source(const cli_arguments *args, bool *stored, mn_messages *say)
{
    *stored = is_folder(args->operand);
    if (*stored) return strdup(args->operand);
    char *path = NULL;
    mn_scene *scene = cli_load_scene(args, &path, say);
    mn_scene_free(scene);
    if (scene && strcmp(args->operand, "-") != 0) return path;
    free(path);
    if (scene) cli_wrong("view needs a scene in a file; expected its path or the name of a scene that comes with it");
    return NULL;
}

static int serve(const cli_arguments *args, mn_view_options *opt, mn_messages *say)
{
    char token[33];
    scene_list list = list_scenes();
    greeting hello = {args};
    opt->token = args->token;
    if (!mn_access_loopback(args->address) && !args->token) opt->token = random_token(token) ? token : NULL;
    opt->scenes = list.entries;
    opt->scene_count = list.count;
    opt->stop = &stop;
    opt->ready = ready;
    opt->user = &hello;
    cli_on_stop(ask_to_stop, true);
    cli_report_failed_writes(true);
    const mn_status status = mn_view_serve(opt, say);
    cli_report(say, !args->quiet);
    free_list(&list);
    return status;
}

int cli_view(const cli_arguments *args)
{
    if (args->token && !good_token(args->token))
        return cli_wrong("--token: '%s' is not valid; expected 8 to 100 letters and digits", args->token);
    mn_messages *say = mn_messages_new();
    mn_view_options opt = {.dir = args->dir,
                           .sets = args->sets,
                           .set_count = args->set_count,
                           .world = mn_default_options(),
                           .address = args->address,
                           .port = (int)args->port,
                           .paused = args->paused};
    if (args->backend) opt.world.backend = args->backend;
    opt.world.threads = (int)args->threads;
    char *source = args->operand ? find_source(args, &opt.stored, say) : NULL;
    int code = args->operand && !source ? mn_messages_errors(say) ? mn_messages_status(say) : MN_BAD_INPUT : MN_OK;
    cli_report(say, !args->quiet);
    opt.source = source;
    if (code == MN_OK) code = serve(args, &opt, say);
    mn_messages_free(say);
    free(source);
    return code;
}

#else

int cli_view(const cli_arguments *args)
{
    (void)args;
    fputs("meniscus: error: this program was built without civetweb and has no viewer (Debian: libcivetweb-dev)\n",
          stderr);
    return MN_FAILED;
}

#endif
