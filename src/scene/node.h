/* node.h -- a YAML file as a tree of nodes that know where they stand. No meaning yet: scalars stay text.
 *
 * Invariants: every node belongs to one tree and dies with it; there are no aliases, so it is a tree, at most
 * MN_TREE_DEPTH deep. Faults found here leave marks, `broken` (an alias) and `twin` (the second of two equal keys),
 * which readers pass over in silence.
 */
#ifndef MN_SCENE_NODE_H
#define MN_SCENE_NODE_H

#include "base/message.h"

enum { MN_TREE_DEPTH = 32, MN_TREE_NODES = 300000, MN_TREE_BYTES = 8 << 20 };

typedef enum mn_node_kind { MN_SCALAR, MN_SEQUENCE, MN_MAPPING } mn_node_kind;

typedef struct mn_node {
    mn_node_kind kind;
    const char *text; /* scalars */
    bool quoted;      /* scalars: a text even if it looks like a number */
    int layer;        /* 0: from the scene itself; higher: from `set` of a variation of it, then from --set */
    bool broken, twin;
    const char *key; /* of an entry of a mapping, else NULL */
    mn_place at, key_at;
    int count, index; /* children; own place among the siblings */
    struct mn_node *parent, *first, *last, *next;
} mn_node;

typedef struct mn_tree {
    struct mn_chunk *chunks; /* all memory of the tree */
    mn_node *root;
    int nodes;
} mn_tree;

/* Adds the nodes of one YAML document to the tree and returns its root; NULL after a syntax error or without memory.
 * Faults that leave a usable tree (duplicate keys, aliases) are said and counted in `errors` too. */
mn_node *mn_tree_parse(mn_tree *tree, const char *text, size_t length, const char *file, mn_messages *say, int *errors);
void mn_tree_free(mn_tree *tree);

/* NULL when out of memory. */
void *mn_tree_alloc(mn_tree *tree, size_t size);
char *mn_tree_text(mn_tree *tree, const char *text, size_t length);
mn_node *mn_node_new(mn_tree *tree, mn_node_kind kind, mn_place at);
void mn_node_append(mn_node *parent, mn_node *child);

/* How a key is spelt here: `centre` for `center`, `colour` for `color`; NULL: as it is written. */
const char *mn_key_spelling(const char *key);
const char *mn_key_respelt(const char *key); /* the inverse */
/* The name of an entry that has none: wall1 is entry 0 of `walls`. */
void mn_default_name(const char *list, int index, char *out, size_t capacity);
/* Takes a node out of its parent. */
void mn_node_remove(mn_node *node);

/* The entry of a mapping, NULL if absent (or if node is not a mapping). */
mn_node *mn_node_get(const mn_node *node, const char *key);
/* "fluids.0.density": how --set would name this node. The root is "". */
void mn_node_path(const mn_node *node, char *out, size_t capacity);
/* What a node is, for "found ...": `"text"`, `a list of 3`, `a mapping`, `nothing`. */
void mn_node_describe(const mn_node *node, char *out, size_t capacity);

/* override.c: replaces or adds the node that `path` names ("fluids.water.density") by `value`, or removes it where the
 * value is null; false after a complaint, which says `at`. */
bool mn_tree_put(mn_tree *tree, const char *path, const mn_node *value, mn_place at, int layer, mn_messages *say,
                 int *errors);
/* The same for a --set text. */
bool mn_tree_override(mn_tree *tree, const char *set, mn_messages *say, int *errors);

#endif
