/* node.c -- libyaml's events into a tree of nodes.
 *
 * Events rather than documents, because a document hides aliases (and loads cycles) and nests unchecked.
 */
#include "scene/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct mn_chunk {
    struct mn_chunk *next;
    size_t used, size;
    max_align_t bytes[];
} mn_chunk;

void *mn_tree_alloc(mn_tree *tree, size_t size)
{
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    mn_chunk *chunk = tree->chunks;
    if (!chunk || chunk->size - chunk->used < size) {
        size_t room = size > 32768 ? size : 32768;
        chunk = malloc(sizeof *chunk + room);
        if (!chunk) return NULL;
        *chunk = (mn_chunk){.next = tree->chunks, .size = room};
        tree->chunks = chunk;
    }
    void *start = (char *)chunk->bytes + chunk->used;
    chunk->used += size;
    return memset(start, 0, size);
}

void mn_tree_free(mn_tree *tree)
{
    while (tree->chunks) {
        mn_chunk *next = tree->chunks->next;
        free(tree->chunks);
        tree->chunks = next;
    }
    *tree = (mn_tree){0};
}

char *mn_tree_text(mn_tree *tree, const char *text, size_t length)
{
    char *copy = mn_tree_alloc(tree, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

mn_node *mn_node_new(mn_tree *tree, mn_node_kind kind, mn_place at)
{
    mn_node *node = mn_tree_alloc(tree, sizeof *node);
    if (!node) return NULL;
    tree->nodes++;
    node->kind = kind;
    node->at = node->key_at = at;
    return node;
}

void mn_node_append(mn_node *parent, mn_node *child)
{
    child->parent = parent;
    child->index = parent->count++;
    if (parent->last) parent->last->next = child;
    else parent->first = child;
    parent->last = child;
}

static const char *const same[][2] = {{"center", "centre"}, {"color", "colour"}, {"wall_color", "wall_colour"}};

const char *mn_key_spelling(const char *key)
{
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (strcmp(key, same[i][0]) == 0) return same[i][1];
    return NULL;
}

const char *mn_key_respelt(const char *key)
{
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (strcmp(key, same[i][1]) == 0) return same[i][0];
    return NULL;
}

void mn_default_name(const char *list, int index, char *out, size_t capacity)
{
    const bool bodies = strcmp(list, "bodies") == 0;
    snprintf(out, capacity, "%.*s%d", bodies ? 4 : (int)strlen(list) - 1, bodies ? "body" : list, index + 1);
}

void mn_node_remove(mn_node *node)
{
    mn_node *parent = node->parent, *before = NULL;
    for (mn_node *child = parent->first; child != node; child = child->next) before = child;
    if (before) before->next = node->next;
    else parent->first = node->next;
    if (parent->last == node) parent->last = before;
    parent->count--;
    for (mn_node *child = node->next; child; child = child->next) child->index--;
}

mn_node *mn_node_get(const mn_node *node, const char *key)
{
    if (!node || node->kind != MN_MAPPING) return NULL;
    for (mn_node *child = node->first; child; child = child->next)
        if (child->key && strcmp(child->key, key) == 0) return child;
    return NULL;
}

void mn_node_path(const mn_node *node, char *out, size_t capacity)
{
    const mn_node *path[MN_TREE_DEPTH + 2];
    int depth = 0;
    for (; node && node->parent && depth < MN_TREE_DEPTH + 2; node = node->parent) path[depth++] = node;
    out[0] = 0;
    for (size_t used = 0; depth-- > 0 && used < capacity;) {
        const char *dot = used ? "." : "";
        if (path[depth]->key) used += (size_t)snprintf(out + used, capacity - used, "%s%.60s", dot, path[depth]->key);
        else used += (size_t)snprintf(out + used, capacity - used, "%s%d", dot, path[depth]->index);
    }
}

void mn_node_describe(const mn_node *node, char *out, size_t capacity)
{
    if (node->kind == MN_SEQUENCE) snprintf(out, capacity, "a list of %d", node->count);
    else if (node->kind == MN_MAPPING) snprintf(out, capacity, "a mapping");
    else if (!node->quoted && node->text[0] == 0) snprintf(out, capacity, "nothing");
    else snprintf(out, capacity, "\"%.60s\"%s", node->text, strlen(node->text) > 60 ? "..." : "");
}

/* ------------------------------------------------------------------ parsing */

typedef struct parse {
    mn_tree *tree;
    yaml_parser_t yaml;
    const char *source;
    size_t length;
    const char *file; /* in the tree */
    mn_messages *say;
    int errors;
    mn_node *open[MN_TREE_DEPTH]; /* the collections around the next node */
    int depth;
    const char *key; /* read, its value yet to come */
    mn_place key_at;
    mn_node *root;
} parse;

static mn_place place(const parse *p, yaml_mark_t mark)
{
    return (mn_place){p->file, (int)mark.line + 1, (int)mark.column + 1};
}

#define FAULT(p, at, ...) ((p)->errors++, mn_say_error((p)->say, at, __VA_ARGS__))
#define NO_MEMORY(p, ...) ((p)->errors++, mn_say_failure((p)->say, MN_NOWHERE, __VA_ARGS__))

static size_t start_of_line(const parse *p, size_t line)
{
    size_t at = 0;
    for (; line && at < p->length; at++) line -= p->source[at] == '\n';
    return at;
}

/* What people coming from other formats write, seen in the line that libyaml stumbled over or the one before. */
static const char *hint(const parse *p, size_t line)
{
    size_t from = start_of_line(p, line ? line - 1 : 0), to = start_of_line(p, line + 1);
    if (memmem(p->source + from, to - from, "//", 2)) return " (a comment begins with #, not with //)";
    if (memchr(p->source + from, '\t', to - from)) return " (indent with spaces, not with tabs)";
    return "";
}

static void syntax_error(parse *p)
{
    yaml_parser_t *y = &p->yaml;
    if (y->error == YAML_MEMORY_ERROR) {
        NO_MEMORY(p, "out of memory while reading %s", p->file);
    } else if (y->error == YAML_READER_ERROR) {
        size_t line = 1, column = 1, stop = y->problem_offset < p->length ? y->problem_offset : p->length;
        for (size_t i = 0; i < stop; i++) {
            column++;
            if (p->source[i] == '\n') line++, column = 1;
        }
        mn_place at = {p->file, (int)line, (int)column};
        FAULT(p, at, "not a text file: %s; expected YAML in UTF-8", y->problem ? y->problem : "unreadable byte");
    } else {
        FAULT(p, place(p, y->problem_mark), "not valid YAML: %s%s%s%s", y->context ? y->context : "",
              y->context ? ", " : "", y->problem ? y->problem : "syntax error", hint(p, y->problem_mark.line));
    }
}

/* Puts a finished or opened node where it belongs. */
static void attach(parse *p, mn_node *node)
{
    mn_node *parent = p->depth ? p->open[p->depth - 1] : NULL;
    if (!parent) {
        p->root = node;
    } else if (parent->kind == MN_SEQUENCE) {
        mn_node_append(parent, node);
    } else {
        node->key = p->key;
        node->key_at = p->key_at;
        p->key = NULL;
        mn_node_append(parent, node);
    }
}

static int by_key(const void *a, const void *b)
{
    const mn_node *p = *(mn_node *const *)a, *q = *(mn_node *const *)b;
    int order = strcmp(p->key, q->key);
    return order ? order : (p->index > q->index) - (p->index < q->index);
}

/* By sorting, because mappings of keyframes can be long. */
static bool refuse_twins(parse *p, mn_node *mapping)
{
    if (mapping->count < 2) return true;
    mn_node **entries = malloc((size_t)mapping->count * sizeof(mn_node *));
    if (!entries) return false;
    int count = 0;
    for (mn_node *child = mapping->first; child; child = child->next) entries[count++] = child;
    qsort(entries, (size_t)count, sizeof(mn_node *), by_key);
    for (int i = 1; i < count; i++) {
        if (strcmp(entries[i - 1]->key, entries[i]->key) != 0) continue;
        entries[i]->twin = true;
        FAULT(p, entries[i]->key_at, "key \"%.60s\" is given twice, first in line %d", entries[i]->key,
              entries[i - 1]->key_at.line);
    }
    free(entries);
    return true;
}

static bool wants_key(const parse *p) { return p->depth && p->open[p->depth - 1]->kind == MN_MAPPING && !p->key; }

static bool add_scalar(parse *p, const yaml_event_t *event, mn_place at, bool broken)
{
    const char *text = broken ? "" : (const char *)event->data.scalar.value;
    size_t length = broken ? 0 : event->data.scalar.length;
    if (memchr(text, 0, length)) {
        FAULT(p, at, "a text must not contain the character \\0");
        length = strlen(text);
        broken = true;
    }
    char *copy = mn_tree_text(p->tree, text, length);
    if (!copy) return false;
    if (wants_key(p)) {
        const char *spelling = mn_key_spelling(copy);
        p->key = spelling ? spelling : copy;
        p->key_at = at;
        return true;
    }
    mn_node *node = mn_node_new(p->tree, MN_SCALAR, at);
    if (!node) return false;
    node->text = copy;
    node->quoted = !broken && event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->broken = broken;
    attach(p, node);
    return true;
}

static bool open_collection(parse *p, mn_node_kind kind, mn_place at)
{
    if (wants_key(p)) {
        FAULT(p, at, "expected a key, found a %s", kind == MN_MAPPING ? "mapping" : "list");
        return false;
    }
    if (p->depth == MN_TREE_DEPTH) {
        FAULT(p, at, "nested more than %d levels deep", MN_TREE_DEPTH);
        return false;
    }
    mn_node *node = mn_node_new(p->tree, kind, at);
    if (!node) return false;
    attach(p, node);
    p->open[p->depth++] = node;
    return true;
}

static void refuse_marks(parse *p, mn_place at, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    if (anchor)
        FAULT(p, at, "anchors (&%.40s) are not supported: write the value where it is used", (const char *)anchor);
    if (tag) FAULT(p, at, "tags (%.40s) are not supported: the type follows from the key", (const char *)tag);
}

/* One event; false ends the parse. */
static bool take(parse *p, const yaml_event_t *e, int *documents)
{
    mn_place at = place(p, e->start_mark);
    if (p->tree->nodes > MN_TREE_NODES) {
        FAULT(p, at, "more than %d values in one file", MN_TREE_NODES);
        return false;
    }
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++*documents == 1) return true;
        FAULT(p, at, "a second document begins here; expected one scene in a file");
        return false;
    case YAML_SCALAR_EVENT:
        refuse_marks(p, at, e->data.scalar.anchor, e->data.scalar.tag);
        return add_scalar(p, e, at, false);
    case YAML_ALIAS_EVENT:
        FAULT(p, at, "aliases (*%.40s) are not supported: write the value out", (const char *)e->data.alias.anchor);
        return add_scalar(p, e, at, true);
    case YAML_SEQUENCE_START_EVENT:
        refuse_marks(p, at, e->data.sequence_start.anchor, e->data.sequence_start.tag);
        return open_collection(p, MN_SEQUENCE, at);
    case YAML_MAPPING_START_EVENT:
        refuse_marks(p, at, e->data.mapping_start.anchor, e->data.mapping_start.tag);
        return open_collection(p, MN_MAPPING, at);
    case YAML_SEQUENCE_END_EVENT: p->depth--; return true;
    case YAML_MAPPING_END_EVENT: return refuse_twins(p, p->open[--p->depth]);
    default: return true;
    }
}

/* All events of the stream; false after a fault that leaves no usable tree. */
static bool take_all(parse *p)
{
    int documents = 0;
    for (bool done = false; !done;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&p->yaml, &event)) {
            syntax_error(p);
            return false;
        }
        int before = p->errors;
        done = event.type == YAML_STREAM_END_EVENT;
        bool good = take(p, &event, &documents);
        yaml_event_delete(&event);
        if (good) continue;
        if (p->errors == before) NO_MEMORY(p, "out of memory while reading %s", p->file);
        return false;
    }
    if (!p->root) FAULT(p, ((mn_place){p->file, 1, 1}), "the file is empty; expected a scene");
    return p->root;
}

mn_node *mn_tree_parse(mn_tree *tree, const char *text, size_t length, const char *file, mn_messages *say, int *errors)
{
    parse p = {.tree = tree, .source = text, .length = length, .say = say};
    p.file = mn_tree_text(tree, file, strlen(file));
    bool good = false;
    if (length > MN_TREE_BYTES) {
        FAULT(&p, ((mn_place){file, 0, 0}), "the file has %zu bytes; expected at most %d", length, MN_TREE_BYTES);
    } else if (!p.file || !yaml_parser_initialize(&p.yaml)) {
        NO_MEMORY(&p, "out of memory while reading %s", file);
    } else {
        yaml_parser_set_input_string(&p.yaml, (const unsigned char *)text, length);
        good = take_all(&p);
        yaml_parser_delete(&p.yaml);
    }
    *errors += p.errors;
    return good ? p.root : NULL;
}
