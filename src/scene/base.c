/* base.c -- a scene that is a variation of another one: `base` names its file, `set` holds what differs, by the
 * paths of --set. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scene/read.h"

enum { MOST_BASES = 8 };

/* The file's tree; NULL after a complaint. */
static mn_node *parse_base(mn_reader *reader, const mn_node *base, char *path)
{
    struct stat info;
    size_t length = 0;
    if (stat(path, &info) != 0) {
        mn_complain(reader, base, "cannot open the scene \"%s\": %s", path, strerror(errno));
        return NULL;
    }
    if (!S_ISREG(info.st_mode)) {
        mn_complain(reader, base, "\"%s\" is not a file", path);
        return NULL;
    }
    char *text = mn_read_file(path, &length, base->at, reader->say);
    if (!text) {
        reader->errors++;
        return NULL;
    }
    mn_node *root = mn_tree_parse(reader->tree, text, length, path, reader->say, &reader->errors);
    free(text);
    if (root && root->kind == MN_MAPPING) return root;
    if (root) mn_complain_expected(reader, &(mn_key){.type = MN_KEY_MAP}, root);
    return NULL;
}

/* Nothing but `title`, `base` and `set`, each of its kind. */
static bool is_variation(mn_reader *reader, const mn_node *own)
{
    const mn_node *base = mn_node_get(own, "base"), *set = mn_node_get(own, "set");
    const int before = reader->errors;
    for (const mn_node *child = own->first; child; child = child->next)
        if (strcmp(child->key, "title") != 0 && child != base && child != set && !child->twin)
            mn_complain(reader, child,
                        "a scene with `base` has only `title`, `base` and `set`; put this key under `set`");
    if (base->kind != MN_SCALAR || !base->text[0]) mn_complain_expected(reader, &(mn_key){.type = MN_KEY_TEXT}, base);
    if (set && set->kind != MN_MAPPING) mn_complain_expected(reader, &(mn_key){.type = MN_KEY_MAP}, set);
    return reader->errors == before;
}

/* The layer of what this scene sets, -1 after a complaint. */
static int put_base(mn_reader *reader, int depth)
{
    const mn_node *own = reader->tree->root, *base = mn_node_get(own, "base");
    if (!base) return 0;
    if (!is_variation(reader, own)) return -1;
    if (depth == MOST_BASES) {
        mn_complain(reader, base, "expected at most %d scenes that build on each other; do they form a loop?",
                    MOST_BASES);
        return -1;
    }
    char *path = mn_relative_path(reader, base, base->text);
    reader->tree->root = path ? parse_base(reader, base, path) : NULL;
    free(path);
    if (!reader->tree->root) return -1;
    const int layer = put_base(reader, depth + 1) + 1;
    if (layer == 0) return -1;
    const mn_node *title = mn_node_get(own, "title"), *set = mn_node_get(own, "set");
    if (title) mn_tree_put(reader->tree, "title", title, title->key_at, layer, reader->say, &reader->errors);
    for (const mn_node *child = set ? set->first : NULL; child; child = child->next)
        mn_tree_put(reader->tree, child->key, child, child->key_at, layer, reader->say, &reader->errors);
    return layer;
}

bool mn_read_base(mn_reader *reader) { return put_base(reader, 0) >= 0; }
