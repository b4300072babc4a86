/* golden.c -- reads and writes the table of golden hashes, and runs its scenes. */
#include "golden/golden.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW "%16" SCNx64 " %d %39s"

char *golden_path(const char *folder, const char *name, const char *ending)
{
    char *path = NULL;
    return asprintf(&path, "%s/tests/golden/%s%s%s", MN_SOURCE_DIR, folder, name, ending) < 0 ? NULL : path;
}

int golden_read(golden_case cases[GOLDEN_MOST])
{
    char *path = golden_path("", "hashes", ".txt"), line[256];
    FILE *file = path ? fopen(path, "r") : NULL;
    int count = 0;
    while (file && count >= 0 && fgets(line, sizeof line, file)) {
        golden_case c;
        if (line[0] == '#' || line[0] == '\n') continue;
        const bool good = count < GOLDEN_MOST && sscanf(line, ROW, &c.hash, &c.steps, c.name) == 3;
        if (!good) fprintf(stderr, "%s: this row is not one of at most %d cases: %s", path, GOLDEN_MOST, line);
        if (good) cases[count] = c;
        count = good ? count + 1 : -1;
    }
    if (!file) perror(path);
    if (file) fclose(file);
    free(path);
    return file ? count : -1;
}

bool golden_write(const golden_case *cases, int count)
{
    char *path = golden_path("", "hashes", ".txt"), *fresh = golden_path("", "hashes", ".new"), line[256];
    FILE *old = path ? fopen(path, "r") : NULL, *file = old && fresh ? fopen(fresh, "w") : NULL;
    while (file && fgets(line, sizeof line, old) && (line[0] == '#' || line[0] == '\n')) fputs(line, file);
    for (int k = 0; file && k < count; k++)
        fprintf(file, "%016" PRIx64 "  %5d  %s\n", cases[k].hash, cases[k].steps, cases[k].name);
    bool good = file && !ferror(file);
    if (old) fclose(old);
    if (file) good = fclose(file) == 0 && good;
    good = good && rename(fresh, path) == 0;
    if (!good) perror(path);
    free(path), free(fresh);
    return good;
}

golden_run golden_begin(const golden_case *c, const char *backend, int threads)
{
    golden_run run = {.say = mn_messages_new()};
    char *path = golden_path("scenes/", c->name, ".yaml");
    const mn_options options = {backend, threads};
    run.scene = run.say && path ? mn_scene_load(path, NULL, 0, run.say) : NULL;
    run.world = run.scene ? mn_world_new(run.scene, &options, run.say) : NULL;
    free(path);
    return run;
}

bool golden_advance(golden_run *run, int steps)
{
    for (int s = 0; s < steps; s++)
        if (!run->world || mn_step(run->world, run->say) != MN_OK) return false;
    return true;
}

void golden_complain(const golden_run *run, const char *name)
{
    for (int m = 0; m < mn_messages_count(run->say); m++)
        fprintf(stderr, "%s: %s\n", name, mn_messages_get(run->say, m).text);
}

void golden_end(golden_run *run)
{
    mn_world_free(run->world);
    mn_scene_free(run->scene);
    mn_messages_free(run->say);
}

bool golden_hash(const golden_case *c, const char *backend, int threads, uint64_t *hash)
{
    golden_run run = golden_begin(c, backend, threads);
    const bool good = golden_advance(&run, c->steps) && run.world;
    if (good) *hash = mn_world_hash(run.world);
    if (!good) golden_complain(&run, c->name);
    golden_end(&run);
    return good;
}
