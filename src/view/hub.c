/* hub.c -- the show and its clients together; serving until it is told to stop. */
#include "view/hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/message.h"
#include "scene/text.h"
#include "view/assets.h"

double mn_view_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

mn_show *mn_hub_hold(mn_hub *hub)
{
    pthread_mutex_lock(&hub->lock);
    mn_show *show = hub->show;
    show->refs++;
    pthread_mutex_unlock(&hub->lock);
    return show;
}

void mn_hub_let_go(mn_show *show)
{
    mn_hub *hub = show->hub;
    pthread_mutex_lock(&hub->lock);
    mn_show_release(show);
    pthread_mutex_unlock(&hub->lock);
}

void mn_hub_show(mn_hub *hub, mn_show *show)
{
    pthread_mutex_lock(&hub->lock);
    mn_show *before = hub->show;
    hub->show = show;
    for (int c = 0; c < MN_VIEW_CLIENTS; c++) {
        hub->client[c].seen_step = -1;
        memset(hub->client[c].offset, 0, sizeof hub->client[c].offset);
    }
    pthread_cond_broadcast(&hub->news);
    pthread_mutex_unlock(&hub->lock);
    mn_show_end(before);
    mn_hub_let_go(before);
    if (show->kind == MN_SHOW_LIVE) mn_live_begin(show);
}

/* suite-scene; of a variation (crown-small) that of the scene itself, and at last that of the suite. False: there is no
 * picture. */
static bool find_thumb(const char *name, char *out, size_t room)
{
    char path[240];
    snprintf(out, room, "%s", name);
    char *slash = strchr(out, '/');
    if (!slash) return false;
    *slash = '-';
    for (char *end = out + strlen(out); end && end >= slash; end = strrchr(out, '-')) {
        *end = 0;
        snprintf(path, sizeof path, "/thumbs/%s.jpg", out);
        if (mn_asset_find(path)) return true;
    }
    return false;
}

/* The list of scenes, as the page shows it. */
static char *list_scenes(const mn_view_options *opt)
{
    mn_text out = {0};
    mn_put(&out, "{\"type\":\"list\",\"version\":\"%s\",\"scenes\":[", MN_VERSION);
    for (int i = 0; i < opt->scene_count; i++) {
        mn_put(&out, "%s{\"name\":", i ? "," : "");
        mn_put_quoted(&out, opt->scenes[i].name);
        mn_put(&out, ",\"title\":");
        mn_put_quoted(&out, opt->scenes[i].title);
        char thumb[200];
        if (find_thumb(opt->scenes[i].name, thumb, sizeof thumb)) {
            mn_put(&out, ",\"thumb\":");
            mn_put_quoted(&out, thumb);
        }
        mn_put(&out, "}");
    }
    mn_put(&out, "]}");
    return mn_text_done(&out);
}

static mn_show *first_show(mn_hub *hub, mn_messages *say)
{
    const mn_view_options *opt = hub->opt;
    mn_show *show = !opt->source ? mn_show_none(hub)
                    : opt->stored
                        ? mn_show_stored(hub, opt->source, say)
                        : mn_show_live(hub, opt->source, opt->dir, true, opt->sets, opt->set_count, opt->paused, say);
    if (!show && !mn_messages_errors(say)) mn_say_failure(say, MN_NOWHERE, "out of memory");
    return show;
}

static void serve(mn_hub *hub)
{
    const struct timespec pause = {0, 100000000};
    while (!*hub->opt->stop) {
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&hub->lock);
        pthread_cond_broadcast(&hub->news); /* senders look at their tables */
        pthread_mutex_unlock(&hub->lock);
    }
    pthread_mutex_lock(&hub->lock);
    hub->closing = true;
    pthread_cond_broadcast(&hub->news);
    pthread_mutex_unlock(&hub->lock);
}

mn_status mn_view_serve(const mn_view_options *opt, mn_messages *say)
{
    mn_hub *hub = calloc(1, sizeof *hub);
    char url[256];
    if (!hub) {
        mn_say_failure(say, MN_NOWHERE, "out of memory");
        return MN_FAILED;
    }
    hub->opt = opt;
    pthread_mutex_init(&hub->lock, NULL);
    pthread_mutex_init(&hub->opening, NULL);
    pthread_cond_init(&hub->news, NULL);
    hub->list = list_scenes(opt);
    hub->show = first_show(hub, say);
    pthread_mutex_lock(&hub->opening); /* a first browser waits until the run has begun */
    mn_listener *listener = hub->show && hub->list ? mn_listen(hub, url, say) : NULL;
    if (listener && hub->show->kind == MN_SHOW_LIVE) mn_live_begin(hub->show);
    pthread_mutex_unlock(&hub->opening);
    if (listener) {
        if (opt->ready) opt->ready(opt->user, url);
        serve(hub);
        mn_listener_close(listener);
    }
    if (hub->show) {
        mn_show_end(hub->show);
        mn_hub_let_go(hub->show);
    }
    free(hub->list);
    pthread_cond_destroy(&hub->news);
    pthread_mutex_destroy(&hub->opening);
    pthread_mutex_destroy(&hub->lock);
    free(hub);
    return listener ? MN_OK : mn_status_of_failure(say);
}
