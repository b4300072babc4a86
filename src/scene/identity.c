/* identity.c -- what a state depends on: the scene as run and the files that it names. As a text it goes into
 * run.yaml and into checkpoints; two
 * of them are compared key by key.
 *
 *     [ the scene as mn_scene_write gives it ]
 *     [ # file CHECKSUM "PATH"                   a line for each file: a mesh may change while its name stays ]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "scene/node.h"
#include "scene/scene.h"
#include "scene/text.h"

static const char FILE_LINE[] = "# file ";
enum { DIGITS = 16, SHOWN = 4, LONGEST_VALUE = 80 };

/* What may change while a run goes on: it changes no particle, and no row or frame but by its form. Checkpoints hold
 * the changes that were made by then apart. */
static const char *const harmless[] = {"title", "time.end", "output.formats", "checkpoint", "camera", "changes"};
static const char LOOK[] = "look"; /* of whatever */

/* ------------------------------------------------------------------------------------------------ the text */

static bool checksum_of(const char *path, uint64_t *out)
{
    enum { BLOCK = 1 << 16 };
    mn_checksum sum = mn_checksum_start();
    FILE *file = fopen(path, "rbe");
    char *block = malloc(BLOCK);
    bool good = file && block;
    for (size_t got = BLOCK; good && got == BLOCK;) {
        got = fread(block, 1, BLOCK, file);
        mn_checksum_add(&sum, block, got);
        good = !ferror(file);
    }
    free(block);
    if (file) fclose(file);
    *out = mn_checksum_end(&sum);
    return good;
}

static void put_file(void *user, const char *path, const mn_shape_def *mesh)
{
    (void)mesh;
    uint64_t sum;
    if (!checksum_of(path, &sum)) return;
    mn_put(user, "%s%0*" PRIx64 " ", FILE_LINE, DIGITS, sum);
    mn_put_quoted(user, path);
    mn_put(user, "\n");
}

char *mn_scene_identity(const mn_scene *scene)
{
    mn_text text = {0};
    char *keys = mn_scene_write(scene);
    if (keys) mn_put(&text, "%s", keys);
    if (keys) mn_scene_files(scene, put_file, &text);
    else text.failed = true;
    free(keys);
    return mn_text_done(&text);
}

/* ------------------------------------------------------------------------------------------- key by key */

typedef struct difference {
    const char *where; /* who holds the first scene */
    mn_text text;      /* "KEY: A in the checkpoint, B in the scene; ..." */
    int count;
} difference;

/* A node in one line, cut where it is long. */
static void put_node(mn_text *out, const mn_node *node)
{
    static const char *const open[] = {"", "[", "{"}, *const close[] = {"", "]", "}"};
    if (!node) mn_put(out, "nothing");
    if (!node) return;
    if (node->kind == MN_SCALAR) {
        if (node->quoted) mn_put_quoted(out, node->text);
        else mn_put(out, "%s", node->text);
        return;
    }
    mn_put(out, "%s", open[node->kind]);
    for (const mn_node *child = node->first; child; child = child->next) {
        if (child->key) mn_put(out, "%s: ", child->key);
        put_node(out, child);
        if (child->next) mn_put(out, ", ");
    }
    mn_put(out, "%s", close[node->kind]);
}

static void put_value(mn_text *out, const mn_node *node)
{
    mn_text value = {0};
    put_node(&value, node);
    char *text = mn_text_done(&value);
    if (!text) {
        out->failed = true;
        return;
    }
    int length = LONGEST_VALUE;
    while (length > 0 && strlen(text) > LONGEST_VALUE && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
    mn_put(out, "%.*s%s", length, text, strlen(text) > LONGEST_VALUE ? "..." : "");
    free(text);
}

/* `either` has the path; was and is: the two values, NULL where there is none. */
static void note(difference *d, const mn_node *either, const mn_node *was, const mn_node *is)
{
    char path[400];
    if (d->count++ >= SHOWN) return;
    mn_node_path(either, path, sizeof path);
    mn_put(&d->text, "%s%s: ", d->count > 1 ? "; " : "", path);
    put_value(&d->text, was);
    mn_put(&d->text, " in %s, ", d->where);
    put_value(&d->text, is);
    mn_put(&d->text, " in the scene");
}

static bool is_harmless(const mn_node *node)
{
    char path[400];
    if (node->key && strcmp(node->key, LOOK) == 0) return true;
    mn_node_path(node, path, sizeof path);
    for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++)
        if (strcmp(path, harmless[k]) == 0) return true;
    return false;
}

/* A vector is one value. */
static bool is_vector(const mn_node *node)
{
    for (const mn_node *child = node->first; child; child = child->next)
        if (child->kind != MN_SCALAR) return false;
    return node->kind == MN_SEQUENCE;
}

static bool equal(const mn_node *a, const mn_node *b)
{
    if (a->kind != b->kind || a->count != b->count) return false;
    if (a->kind == MN_SCALAR) return strcmp(a->text, b->text) == 0;
    const mn_node *x = a->first, *y = b->first;
    for (; x && y && equal(x, y); x = x->next, y = y->next)
        if (x->key && strcmp(x->key, y->key) != 0) return false;
    return !x && !y;
}

static void compare(difference *d, const mn_node *was, const mn_node *is);

static void compare_entries(difference *d, const mn_node *was, const mn_node *is)
{
    for (const mn_node *child = was->first; child; child = child->next) {
        const mn_node *other = mn_node_get(is, child->key);
        if (other) compare(d, child, other);
        else if (!is_harmless(child)) note(d, child, child, NULL);
    }
    for (const mn_node *child = is->first; child; child = child->next)
        if (!mn_node_get(was, child->key) && !is_harmless(child)) note(d, child, NULL, child);
}

static void compare(difference *d, const mn_node *was, const mn_node *is)
{
    if (is_harmless(was)) return;
    if (was->kind != is->kind || was->kind == MN_SCALAR || is_vector(was) || is_vector(is)) {
        if (!equal(was, is)) note(d, was, was, is);
        return;
    }
    if (was->kind == MN_MAPPING) {
        compare_entries(d, was, is);
        return;
    }
    const mn_node *x = was->first, *y = is->first;
    for (; x && y; x = x->next, y = y->next) compare(d, x, y);
    for (; x; x = x->next) note(d, x, x, NULL);
    for (; y; y = y->next) note(d, y, NULL, y);
}

/* False: one of them is not a tree of keys. */
static bool compare_keys(difference *d, const char *was, const char *is)
{
    mn_tree trees[2] = {{0}, {0}};
    int errors = 0;
    const mn_node *a = mn_tree_parse(&trees[0], was, strlen(was), "before", NULL, &errors);
    const mn_node *b = mn_tree_parse(&trees[1], is, strlen(is), "now", NULL, &errors);
    const bool good = a && b && !errors && a->kind == MN_MAPPING && b->kind == MN_MAPPING;
    if (good) compare_entries(d, a, b);
    mn_tree_free(&trees[0]);
    mn_tree_free(&trees[1]);
    return good;
}

/* The scene of an older program has no keys that are newer than it: read and written by this one it has their
   defaults. NULL: it cannot be read, or a file that it names is gone. */
static char *renewed(const char *text)
{
    mn_scene *scene = mn_scene_parse(text, strlen(text), "before", NULL, 0, NULL);
    char *written = scene ? mn_scene_write(scene) : NULL;
    mn_scene_free(scene);
    return written;
}

/* ------------------------------------------------------------------------------------------------ the files */

static const char *next_line(const char *line)
{
    return line + strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
}

static const char *next_file(const char *line)
{
    while (*line && strncmp(line, FILE_LINE, sizeof FILE_LINE - 1) != 0) line = next_line(line);
    return line;
}

/* The first file of which `was` has another checksum than `is`, or `is` none: its quoted path. NULL: none. */
static const char *changed_file(const char *was, const char *is)
{
    enum { HEAD = sizeof FILE_LINE - 1, NAME = HEAD + DIGITS + 1 };
    for (const char *old = next_file(was); *old; old = next_file(next_line(old))) {
        const size_t length = strcspn(old, "\n");
        bool same = length <= NAME; /* not one of ours */
        for (const char *now = next_file(is); *now && !same; now = next_file(next_line(now)))
            same = strcspn(now, "\n") == length && memcmp(old, now, length) == 0;
        if (!same) return old + NAME;
    }
    return NULL;
}

static mn_status refuse(const difference *d, mn_place at, mn_messages *say)
{
    char more[60] = "";
    if (d->count > SHOWN) snprintf(more, sizeof more, "; and %d more", d->count - SHOWN);
    mn_say_error(say, at, "this belongs to another scene: %s%s; expected the same scene to resume", d->text.data, more);
    return MN_BAD_INPUT;
}

mn_status mn_scene_compare(const char *was, const char *is, const char *where, mn_place at, mn_messages *say)
{
    if (strcmp(was, is) == 0) return MN_OK;
    difference d = {.where = where};
    char *newer = renewed(was);
    const bool read = compare_keys(&d, newer ? newer : was, is);
    mn_status status = MN_OK;
    const char *file = changed_file(was, is);
    if (d.text.failed) {
        mn_say_failure(say, at, "out of memory");
        status = MN_FAILED;
    } else if (!read) {
        mn_say_error(say, at, "the scene in %s cannot be read; expected the same scene to resume", where);
        status = MN_BAD_INPUT;
    } else if (d.count) {
        status = refuse(&d, at, say);
    } else if (file) {
        mn_say_error(say, at, "the file %.*s is not the one that the run began with; expected the same to resume",
                     (int)strcspn(file, "\n"), file);
        status = MN_BAD_INPUT;
    }
    free(mn_text_done(&d.text));
    free(newer);
    return status;
}
