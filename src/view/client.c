/* client.c -- one browser: what it asks for, and the thread that sends to it. Nothing is queued but short notes: the
 * thread looks at what there is and at what the client has. */
#include <civetweb.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/message.h"
#include "scene/node.h"
#include "scene/text.h"
#include "view/hub.h"

enum { TABLE_BYTES = 256 << 10, MOST_SETS = 200 };
static const char *const tables[MN_VIEW_TABLES] = {"stats", "bodies", "solids"};
static const double TABLE_WALL = 0.25, STATE_WALL = 0.05; /* s between looks */

/* ---------------------------------------------------------------------------------------------------- sending */

static bool send_text(const mn_client *client, const char *text)
{
    return mg_websocket_write(client->connection, MG_WEBSOCKET_OPCODE_TEXT, text, strlen(text)) > 0;
}

/* All of these are called under the lock and give it back while they send. `false`: the client is gone. */
static bool send_away(mn_client *client, char *text)
{
    pthread_mutex_unlock(&client->hub->lock);
    const bool good = text && send_text(client, text);
    free(text);
    pthread_mutex_lock(&client->hub->lock);
    return good;
}

static bool send_state(mn_client *client, const mn_show *show)
{
    char *text = mn_describe_state(show);
    client->state_wall = mn_view_clock();
    if (!text || (client->state && strcmp(client->state, text) == 0)) {
        free(text);
        return true;
    }
    free(client->state);
    client->state = strdup(text);
    return send_away(client, text);
}

static bool send_note(mn_client *client)
{
    char *text = client->note[0];
    client->note_count--;
    memmove(client->note, client->note + 1, (size_t)client->note_count * sizeof *client->note);
    return send_away(client, text);
}

static char *failure_text(int generation, int frame, mn_messages *say)
{
    char *list = mn_describe_messages(say), *text = NULL;
    if (!list || asprintf(&text, "{\"type\":\"noframe\",\"generation\":%d,\"frame\":%d,\"messages\":%s}", generation,
                          frame, list) < 0)
        text = NULL;
    free(list);
    return text;
}

static bool send_shot(mn_client *client, const mn_show *show, const mn_view_shot *shot, const char *field)
{
    size_t size;
    unsigned char *data = mn_encode(&client->sent, show->generation, shot, field, &size);
    const bool good =
        data && mg_websocket_write(client->connection, MG_WEBSOCKET_OPCODE_BINARY, (const char *)data, size) > 0;
    free(data);
    return good;
}

static bool send_stored(mn_client *client, mn_show *show)
{
    const int number = client->frame;
    char field[MN_VIEW_NAME];
    client->seen_step = -1; /* back at the running world, it needs all again */
    snprintf(field, sizeof field, "%s", client->field);
    client->wants = false;
    show->refs++;
    pthread_mutex_unlock(&client->hub->lock);
    mn_messages *say = mn_messages_new();
    mn_view_shot *shot = mn_show_frame(show, number, field, say);
    char *text = shot ? NULL : failure_text(show->generation, number, say);
    const bool good = shot ? send_shot(client, show, shot, field) : text && send_text(client, text);
    mn_view_shot_free(shot);
    free(text);
    mn_messages_free(say);
    pthread_mutex_lock(&client->hub->lock);
    mn_show_release(show);
    return good;
}

/* Whether the running world has something that this client has not. */
static bool shot_is_new(const mn_client *client, const mn_view_shot *shot)
{
    if (!shot) return false;
    bool there = !client->field[0];
    for (int f = 0; f < shot->field_count; f++) there = there || strcmp(shot->field[f].name, client->field) == 0;
    return there && (shot->step != client->seen_step || strcmp(client->seen_field, client->field) != 0);
}

static bool send_live(mn_client *client, mn_show *show)
{
    mn_view_shot *shot = show->shot;
    char field[MN_VIEW_NAME];
    snprintf(field, sizeof field, "%s", client->field);
    client->wants = false;
    client->seen_step = shot->step;
    snprintf(client->seen_field, sizeof client->seen_field, "%s", field);
    show->refs++;
    shot->refs++;
    pthread_mutex_unlock(&client->hub->lock);
    const bool good = send_shot(client, show, shot, field);
    pthread_mutex_lock(&client->hub->lock);
    if (--shot->refs == 0) mn_view_shot_free(shot);
    mn_show_release(show);
    return good;
}

/* Whole lines of a table from the client's place on; malloc'd. */
static char *more_rows(const char *dir, int table, long *offset)
{
    char *path = NULL, *out = NULL, name[32];
    snprintf(name, sizeof name, "%s.csv", tables[table]);
    path = mn_path_join(dir, name);
    const int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    char *bytes = fd >= 0 ? malloc(TABLE_BYTES + 1) : NULL;
    ssize_t got = bytes ? pread(fd, bytes, TABLE_BYTES, *offset) : 0;
    while (got > 0 && bytes[got - 1] != '\n') got--;
    if (got > 0) {
        mn_text text = {0};
        bytes[got] = 0;
        mn_put(&text, "{\"type\":\"rows\",\"table\":\"%s\",\"first\":%s,\"text\":", tables[table],
               *offset == 0 ? "true" : "false");
        mn_put_quoted(&text, bytes);
        mn_put(&text, "}");
        out = mn_text_done(&text);
        *offset += got;
    }
    if (fd >= 0) close(fd);
    free(bytes);
    free(path);
    return out;
}

/* A run that another process writes grows. */
static int count_frames(mn_show *show)
{
    pthread_mutex_lock(&show->files);
    const int count = mn_replay_update(show->replay) ? mn_replay_count(show->replay) : show->frames;
    pthread_mutex_unlock(&show->files);
    return count;
}

static bool send_rows(mn_client *client, mn_show *show)
{
    bool good = true;
    client->table_wall = mn_view_clock();
    show->refs++;
    if (show->kind == MN_SHOW_STORED) {
        pthread_mutex_unlock(&client->hub->lock);
        const int frames = count_frames(show);
        pthread_mutex_lock(&client->hub->lock);
        show->frames = frames;
    }
    for (int t = 0; t < MN_VIEW_TABLES && good && client->generation == show->generation; t++) {
        long offset = client->offset[t];
        pthread_mutex_unlock(&client->hub->lock);
        char *text = more_rows(show->dir, t, &offset);
        good = !text || send_text(client, text);
        free(text);
        pthread_mutex_lock(&client->hub->lock);
        if (client->generation == show->generation && client->hub->show == show) client->offset[t] = offset;
    }
    mn_show_release(show);
    return good;
}

static bool begin_show(mn_client *client, mn_show *show)
{
    if (show->kind != MN_SHOW_NONE && !show->description) return true; /* not yet */
    client->generation = show->generation;
    client->values_version = -1;
    memset(client->offset, 0, sizeof client->offset);
    return send_away(client, strdup(show->description ? show->description : client->hub->list));
}

/* Sends one thing, if there is one. *done: there was. False: the client is gone. */
static bool send_next(mn_client *client, bool *done)
{
    mn_show *show = client->hub->show;
    const double now = mn_view_clock();
    *done = true;
    if (client->note_count) return send_note(client);
    if (client->generation != show->generation && (show->kind == MN_SHOW_NONE || show->description))
        return begin_show(client, show);
    if (now - client->state_wall > STATE_WALL) return send_state(client, show);
    if (client->generation == show->generation) {
        if (client->wants && client->frame >= 0 && show->kind != MN_SHOW_NONE) return send_stored(client, show);
        if (client->wants && client->frame < 0 && shot_is_new(client, show->shot)) return send_live(client, show);
        if (client->values_version < 0) {
            client->values_version = 0;
            if (show->start) return send_away(client, strdup(show->start));
        }
        if (client->values_version != show->values_version && show->values) {
            client->values_version = show->values_version;
            return send_away(client, strdup(show->values));
        }
        if (show->dir && now - client->table_wall > TABLE_WALL) return send_rows(client, show);
    }
    *done = false;
    return true;
}

static void *sender(void *user)
{
    mn_client *client = user;
    mn_hub *hub = client->hub;
    pthread_mutex_lock(&hub->lock);
    while (!client->closing && !hub->closing) {
        bool done;
        if (!send_next(client, &done)) break;
        if (!done) pthread_cond_wait(&hub->news, &hub->lock);
    }
    client->wants = false;
    client->unreachable = true;
    const bool leaves = hub->closing && !client->closing;
    pthread_mutex_unlock(&hub->lock);
    static const char bye[] = "\x03\xe9"; /* 1001: going away */
    if (leaves) mg_websocket_write(client->connection, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, bye, 2);
    return NULL;
}

/* ------------------------------------------------------------------------------------------- coming and going */

bool mn_client_open(mn_hub *hub, struct mg_connection *connection)
{
    pthread_mutex_lock(&hub->lock);
    mn_client *client = NULL;
    for (int c = 0; c < MN_VIEW_CLIENTS && !client && !hub->closing; c++)
        if (!hub->client[c].number) client = &hub->client[c];
    if (client) {
        *client = (mn_client){.hub = hub,
                              .connection = connection,
                              .number = ++hub->numbers,
                              .seen_step = -1,
                              .frame = -1,
                              .field = "speed"};
        if (pthread_create(&client->thread, NULL, sender, client) != 0) *client = (mn_client){0}, client = NULL;
    }
    pthread_mutex_unlock(&hub->lock);
    return client != NULL;
}

static mn_client *find(mn_hub *hub, const struct mg_connection *connection)
{
    for (int c = 0; c < MN_VIEW_CLIENTS; c++)
        if (hub->client[c].number && hub->client[c].connection == connection) return &hub->client[c];
    return NULL;
}

bool mn_client_room(mn_hub *hub)
{
    bool room = false;
    pthread_mutex_lock(&hub->lock);
    for (int c = 0; c < MN_VIEW_CLIENTS; c++) room = room || !hub->client[c].number;
    pthread_mutex_unlock(&hub->lock);
    return room;
}

bool mn_client_served(mn_hub *hub, const struct mg_connection *connection)
{
    pthread_mutex_lock(&hub->lock);
    const mn_client *client = find(hub, connection);
    const bool served = client && !client->unreachable;
    pthread_mutex_unlock(&hub->lock);
    return served;
}

void mn_client_close(mn_hub *hub, const struct mg_connection *connection)
{
    pthread_mutex_lock(&hub->lock);
    mn_client *client = find(hub, connection);
    if (client) client->closing = true;
    pthread_cond_broadcast(&hub->news);
    pthread_mutex_unlock(&hub->lock);
    if (!client) return;
    pthread_join(client->thread, NULL);
    pthread_mutex_lock(&hub->lock);
    for (int i = 0; i < client->note_count; i++) free(client->note[i]);
    free(client->state);
    mn_sent_free(&client->sent);
    *client = (mn_client){0};
    pthread_mutex_unlock(&hub->lock);
}

void mn_hub_note(mn_hub *hub, int number, char *text)
{
    for (int c = 0; c < MN_VIEW_CLIENTS; c++) {
        mn_client *client = &hub->client[c];
        if (!client->number || (number && client->number != number)) continue;
        char *copy = strdup(text);
        if (copy && client->note_count < MN_VIEW_NOTES) client->note[client->note_count++] = copy;
        else free(copy); /* who does not read its notes loses them */
    }
    free(text);
    pthread_cond_broadcast(&hub->news);
}

/* ------------------------------------------------------------------------------------------------ what it says */

typedef struct request {
    mn_hub *hub;
    int client; /* its number */
    const mn_node *root;
} request;

static const char *word(const request *r, const char *key)
{
    const mn_node *node = mn_node_get(r->root, key);
    return node && node->kind == MN_SCALAR ? node->text : NULL;
}

/* A whole number, or -1 where there is none. */
static long whole(const request *r, const char *key)
{
    const char *text = word(r, key);
    char *end;
    errno = 0;
    const long value = text && *text ? strtol(text, &end, 10) : -1;
    return text && *text && *end == 0 && errno == 0 && value >= -1 && value <= 2000000000 ? value : -1;
}

static void note(const request *r, const char *type, mn_messages *say, const char *path, const char *text)
{
    mn_text out = {0};
    char *list = mn_describe_messages(say);
    mn_put(&out, "{\"type\":\"%s\",\"messages\":%s", type, list ? list : "[]");
    if (path) {
        mn_put(&out, ",\"path\":");
        mn_put_quoted(&out, path);
    }
    if (text) {
        mn_put(&out, ",\"text\":");
        mn_put_quoted(&out, text);
    }
    mn_put(&out, "}");
    free(list);
    char *whole_text = mn_text_done(&out);
    pthread_mutex_lock(&r->hub->lock);
    if (whole_text) mn_hub_note(r->hub, r->client, whole_text);
    pthread_mutex_unlock(&r->hub->lock);
}

/* The texts of a list, borrowed. False: it is none, or too long. */
static bool read_sets(const request *r, const char *sets[MOST_SETS], int *count)
{
    const mn_node *list = mn_node_get(r->root, "sets");
    *count = 0;
    if (!list) return true;
    if (list->kind != MN_SEQUENCE || list->count > MOST_SETS) return false;
    for (const mn_node *child = list->first; child; child = child->next) {
        if (child->kind != MN_SCALAR || !strchr(child->text, '=')) return false;
        sets[(*count)++] = child->text;
    }
    return true;
}

static bool want_frame(const request *r)
{
    const char *field = word(r, "field");
    const long number = whole(r, "number");
    pthread_mutex_lock(&r->hub->lock);
    for (int c = 0; c < MN_VIEW_CLIENTS; c++) {
        mn_client *client = &r->hub->client[c];
        if (client->number != r->client) continue;
        client->frame = (int)number;
        client->wants = true;
        if (field) snprintf(client->field, sizeof client->field, "%.*s", MN_VIEW_NAME - 1, field);
    }
    pthread_cond_broadcast(&r->hub->news);
    pthread_mutex_unlock(&r->hub->lock);
    return true;
}

/* Under the lock. */
static bool add_todo(mn_show *show, const char *set)
{
    char **grown = show->live.todo_count < 1000
                       ? realloc(show->live.todo, ((size_t)show->live.todo_count + 1) * sizeof *grown)
                       : NULL;
    if (!grown) return false;
    show->live.todo = grown;
    const size_t length = strcspn(set, "=") + 1;
    for (int i = 0; i < show->live.todo_count; i++) { /* only the last position of a slider counts */
        if (strncmp(grown[i], set, length) != 0) continue;
        free(grown[i]);
        memmove(grown + i, grown + i + 1, (size_t)(show->live.todo_count - i - 1) * sizeof *grown);
        show->live.todo_count--;
        break;
    }
    char *copy = strdup(set);
    if (copy) grown[show->live.todo_count++] = copy;
    return copy != NULL;
}

/* Under the lock. By its id, or by its place in the last shot. */
static void add_pick(mn_show *show, int client, long index, long id)
{
    const mn_view_shot *seen = show->shot;
    if (show->live.pick_count >= MN_VIEW_PICKS || !seen || (id < 0 && (index < 0 || index >= seen->count))) return;
    show->live.pick[show->live.pick_count++] =
        (mn_pick){client, id < 0 ? seen->id[index] : (int32_t)id, id < 0 ? index : -1};
}

/* play, pause, step, set, pick: what the run's thread does. */
static bool ask_run(const request *r, const char *what)
{
    const char *set = word(r, "set");
    const bool sets = strcmp(what, "set") == 0, picks = strcmp(what, "pick") == 0;
    if (sets && (!set || strlen(set) > 1000 || !strchr(set, '='))) return false;
    pthread_mutex_lock(&r->hub->lock);
    mn_show *show = r->hub->show;
    if (strcmp(what, "play") == 0) show->live.paused = false;
    if (strcmp(what, "pause") == 0) show->live.paused = true, show->live.singles = 0;
    if (strcmp(what, "step") == 0 && show->live.singles < 1000) show->live.paused = true, show->live.singles++;
    if (sets && show->kind == MN_SHOW_LIVE) add_todo(show, set);
    if (picks) add_pick(show, r->client, whole(r, "index"), whole(r, "id"));
    pthread_cond_broadcast(&r->hub->news);
    pthread_mutex_unlock(&r->hub->lock);
    return true;
}

static bool pick_stored(const request *r)
{
    mn_messages *say = mn_messages_new();
    mn_show *show = mn_hub_hold(r->hub);
    char *text = show->kind == MN_SHOW_NONE
                     ? NULL
                     : mn_show_pick_stored(show, (int)whole(r, "number"), whole(r, "index"), whole(r, "id"), say);
    mn_hub_let_go(show);
    pthread_mutex_lock(&r->hub->lock);
    if (text) mn_hub_note(r->hub, r->client, text);
    pthread_mutex_unlock(&r->hub->lock);
    mn_messages_free(say);
    return true;
}

static bool save(const request *r)
{
    const char *sets[MOST_SETS];
    int count;
    char *path = NULL;
    if (!read_sets(r, sets, &count)) return false;
    mn_messages *say = mn_messages_new();
    mn_show *show = mn_hub_hold(r->hub);
    char *text = show->kind == MN_SHOW_NONE ? NULL : mn_show_save(show, sets, count, &path, say);
    mn_hub_let_go(show);
    note(r, "saved", say, path, text);
    free(text);
    free(path);
    mn_messages_free(say);
    return true;
}

static const char *scene_path(const mn_view_options *opt, const char *name)
{
    for (int i = 0; i < opt->scene_count; i++)
        if (strcmp(opt->scenes[i].name, name) == 0) return opt->scenes[i].path;
    return NULL;
}

/* open: a scene of the list, none that the page made up. restart: the one that is shown, with other values. */
static bool begin(const request *r, bool again)
{
    const char *sets[MOST_SETS], *name = word(r, "name");
    int count;
    const char *found = again ? NULL : name ? scene_path(r->hub->opt, name) : NULL;
    if (!read_sets(r, sets, &count) || (!again && !found)) return false;
    mn_messages *say = mn_messages_new();
    pthread_mutex_lock(&r->hub->opening);
    mn_show *before = mn_hub_hold(r->hub);
    const char *path = again ? before->path : found;
    const char *dir = again ? before->dir : NULL;
    const char *wait = word(r, "paused");
    mn_show *show =
        path ? mn_show_live(r->hub, path, dir, false, sets, count, wait && strcmp(wait, "true") == 0, say) : NULL;
    if (show) mn_hub_show(r->hub, show);
    else note(r, "note", say, NULL, NULL);
    mn_hub_let_go(before);
    pthread_mutex_unlock(&r->hub->opening);
    mn_messages_free(say);
    return true;
}

static bool tell_scenes(const request *r)
{
    pthread_mutex_lock(&r->hub->lock);
    char *copy = strdup(r->hub->list);
    if (copy) mn_hub_note(r->hub, r->client, copy);
    pthread_mutex_unlock(&r->hub->lock);
    return true;
}

static bool obey(const request *r)
{
    static const char *const to_run[] = {"play", "pause", "step", "set", "pick"};
    const char *what = word(r, "do");
    if (!what) return false;
    for (size_t i = 0; i < sizeof to_run / sizeof *to_run; i++)
        if (strcmp(what, to_run[i]) == 0) return ask_run(r, what);
    if (strcmp(what, "frame") == 0) return want_frame(r);
    if (strcmp(what, "pickstored") == 0) return pick_stored(r);
    if (strcmp(what, "save") == 0) return save(r);
    if (strcmp(what, "open") == 0) return begin(r, false);
    if (strcmp(what, "restart") == 0) return begin(r, true);
    if (strcmp(what, "list") == 0) return tell_scenes(r);
    return false;
}

bool mn_client_hear(mn_hub *hub, const struct mg_connection *connection, const char *text, size_t length)
{
    pthread_mutex_lock(&hub->lock);
    const mn_client *client = find(hub, connection);
    request r = {.hub = hub, .client = client ? client->number : 0};
    pthread_mutex_unlock(&hub->lock);
    if (!r.client || length > MN_VIEW_MESSAGE) return false;
    mn_tree tree = {0};
    int errors = 0;
    r.root = mn_tree_parse(&tree, text, length, "message", NULL, &errors); /* JSON is YAML */
    const bool good = r.root && !errors && r.root->kind == MN_MAPPING && obey(&r);
    mn_tree_free(&tree);
    return good;
}
