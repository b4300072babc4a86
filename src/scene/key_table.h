/* key_table.h -- the language of scene files as data: one table for each kind of mapping, one row for each key.
 *
 * Reader, defaults, writer (run.yaml), release, JSON schema and the Markdown reference all walk these rows; a key is
 * listed nowhere else. Parameters of models come from models.h and are treated as rows made on the fly.
 */
#ifndef MN_SCENE_KEY_TABLE_H
#define MN_SCENE_KEY_TABLE_H

#include "scene/scene.h"

/* Lengths of shapes, m. */
#define MN_LENGTH_LEAST 1e-9
#define MN_LENGTH_MOST 1e6

typedef enum mn_key_type {
    MN_KEY_NUMBER,   /* double */
    MN_KEY_INTEGER,  /* int */
    MN_KEY_LONG,     /* long */
    MN_KEY_FLAG,     /* bool: true or false */
    MN_KEY_TEXT,     /* char *, malloc'd */
    MN_KEY_WORD,     /* char *, malloc'd: one of the row's names */
    MN_KEY_CHOICE,   /* int: index of one of the row's names */
    MN_KEY_NAMES,    /* char ** and int: several of the row's names */
    MN_KEY_MARKS,    /* bool[width]: a list of the row's names, each with its place */
    MN_KEY_NUMBERS,  /* double[width] */
    MN_KEY_INTEGERS, /* int[width] */
    MN_KEY_CURVE,    /* mn_curve of that width: constant or keyframes */
    MN_KEY_ROTATION, /* double[9]: rotation vector in degrees, {axis, angle}, or matrix */
    MN_KEY_MODEL,    /* mn_model_use: model and parameters, whose keys stand beside this one */
    MN_KEY_MAP,      /* a record inside this one, by `sub` */
    MN_KEY_LIST,     /* a malloc'd array of records, by `sub`, and its int count */
    MN_KEY_SHAPE,    /* mn_shape_def */
    MN_KEY_SHAPES    /* mn_shape_def * and int */
} mn_key_type;

typedef struct mn_table mn_table;

/* Why a key cannot change while the scene runs; keys of a mapping or list that say nothing are as that is. */
typedef enum mn_live_kind {
    MN_MADE_OF, /* the world is built from it */
    MN_LIVE,    /* it can */
    MN_START,   /* it tells how the run begins */
    MN_FILES,   /* it tells what is written */
    MN_PICTURES /* it tells how pictures look */
} mn_live_kind;

/* `standard` is the default as YAML; NULL: the key must be given; "-": it may be absent and then means nothing;
   "=words": derived, the words say how and the table's `finish` does it. */
typedef struct mn_key {
    const char *name;
    mn_key_type type;
    const char *unit; /* NULL: none */
    const char *standard;
    double min, max; /* inclusive, of every number; of a list, its count */
    const char *help;
    size_t offset; /* in the record */
    int width;
    size_t count_offset;                          /* NAMES, LIST, SHAPES */
    const char *const *words;                     /* WORD, CHOICE, NAMES, MARKS: its names, ended by NULL, or */
    int (*names)(const char **out, int capacity); /* a function that lists them; TEXT may have them too */
    bool same;                                    /* NUMBERS: one number may stand for all of them */
    bool path;                                    /* TEXT: of a file, with any byte in it */
    mn_live_kind live;                            /* whether it may change while the scene runs, as curves may */
    /* WORD, NAMES: the scene may have further names; mn_finish_scene looks at them */
    bool open;
    const mn_table *sub;                 /* MAP, LIST */
    bool (*written)(const void *record); /* NULL: always; else whether the writer shows the key */
} mn_key;

typedef enum mn_extra { MN_PLAIN, MN_FLUID_MODELS, MN_PRESSURE_PARAMETERS } mn_extra;

struct mn_reader;
struct mn_node;

struct mn_table {
    const char *name, *help; /* heading and introduction in the reference */
    const mn_key *keys;
    int count;
    size_t size;    /* of the record */
    mn_extra extra; /* which keys it takes beyond the rows */
    size_t at;      /* offset of the record's mn_place, 0: none */
    /* Derived values and rules between the keys of one mapping. `node` is NULL where the mapping is absent. */
    void (*finish)(struct mn_reader *reader, const struct mn_node *node, void *record);
};

extern const mn_table mn_scene_table;
/* `written` of keys that another key replaces: the writer never shows them. */
bool mn_never_written(const void *record);

/* A shape as written, before its centre, axis and corners have become size, rotation and translation. */
typedef struct mn_draft {
    mn_shape_def shape;
    double min[3], max[3], centre[3], axis[3];
} mn_draft;

enum { MN_SHAPE_KINDS = 8 };
extern const mn_table mn_shape_tables[MN_SHAPE_KINDS]; /* by mn_shape_kind; records are mn_draft */
extern const char *const mn_shape_names[MN_SHAPE_KINDS];

enum { MN_MOST_NAMES = 128 };
/* The names that a row takes, 0: it takes none. */
int mn_key_names(const mn_key *key, const char **out, int capacity);
/* A parameter of a model as a row. */
mn_key mn_key_of_param(const mn_param_info *param);
/* All names a mapping takes: rows, model kinds, parameters of `model` (may be NULL). */
int mn_table_names(const mn_table *table, const mn_model_info *model, const char **out, int capacity);
const mn_key *mn_table_find(const mn_table *table, const char *name);
/* "a number in m/s from 0 to 10": what a row expects. */
void mn_key_expects(const mn_key *key, char *out, size_t capacity);
/* The models of a kind, or the kinds chosen per fluid, as names. */
int mn_models_of_kind(const char *kind, const char **out, int capacity);
int mn_fluid_kinds(const char **out, int capacity);

/* Releases what a record owns. */
void mn_table_release(const mn_table *table, void *record);
void mn_curve_release(mn_curve *curve);
void mn_model_use_release(mn_model_use *use);

#endif
