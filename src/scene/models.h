/* models.h -- the table of models, derived from models.def and the PARAMS lines of the kernel files.
 *
 * A model is chosen in the scene by kind and key (`viscosity: {model: xsph, strength: 0.1}`). Its parameters, with
 * key, unit, default, range and help, are listed once in its kernel file; scene reader, help, schema and docs read
 * this table.
 */
#ifndef MN_MODELS_H
#define MN_MODELS_H

#include <stdbool.h>

typedef struct mn_param_info {
    const char *key, *unit, *help;
    double value;    /* default */
    double min, max; /* inclusive range */
} mn_param_info;

typedef struct mn_model_info {
    const char *kind;  /* pressure, viscosity, tension, ... : the key in the scene */
    const char *key;   /* dfsph, xsph, akinci2013, ... */
    const char *title; /* one line */
    const char *paper;
    const mn_param_info *params;
    int param_count;
    bool per_fluid; /* false: chosen once for the scene (pressure) */
} mn_model_info;

int mn_model_count(void);
const mn_model_info *mn_model_at(int index);
const mn_model_info *mn_model_find(const char *kind, const char *key); /* NULL if there is none */
int mn_model_index(const mn_model_info *model);

/* The kinds in table order, each once. */
int mn_model_kinds(const char **out, int capacity);

#endif
