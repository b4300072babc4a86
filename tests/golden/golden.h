/* golden.h -- the scenes whose states are kept: one table, hashes.txt, of what each of scenes/NAME.yaml must come
 * to. */
#ifndef GOLDEN_H
#define GOLDEN_H

#include "meniscus/meniscus.h"

enum { GOLDEN_MOST = 64 };

typedef struct golden_case {
    char name[40];
    int steps;
    uint64_t hash;
} golden_case;

/* Reads the table; returns how many cases, -1 where it cannot be read. */
int golden_read(golden_case cases[GOLDEN_MOST]);
/* Writes it anew, with the text above its first case as it was; false where that fails. */
bool golden_write(const golden_case *cases, int count);
/* The path of a file in this folder, in memory of its own. */
char *golden_path(const char *folder, const char *name, const char *ending);

typedef struct golden_run {
    mn_messages *say;
    mn_scene *scene;
    mn_world *world; /* NULL where something failed; `say` has it */
} golden_run;

golden_run golden_begin(const golden_case *c, const char *backend, int threads);
bool golden_advance(golden_run *run, int steps);
void golden_complain(const golden_run *run, const char *name);
void golden_end(golden_run *run);

/* From the start to the end of the case; false, and said, where it does not get there. */
bool golden_hash(const golden_case *c, const char *backend, int threads, uint64_t *hash);

#endif
