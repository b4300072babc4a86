/* scene_place.h -- for tests that run a scene into a folder: the parsed scene, a fresh folder, and what was said. */
#ifndef TEST_SCENE_PLACE_H
#define TEST_SCENE_PLACE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meniscus/meniscus.h"

typedef struct place {
    char dir[64]; /* a fresh folder */
    mn_scene *scene;
    mn_messages *say;
} place;

/* As set-up of a cmocka test; `name` becomes part of the folder's. */
static inline int scene_place_make(void **state, const char *name, const char *text)
{
    place *p = calloc(1, sizeof *p);
    *state = p;
    if (!p) return -1;
    snprintf(p->dir, sizeof p->dir, "/tmp/meniscus-%s-XXXXXX", name);
    if (!mkdtemp(p->dir)) return -1;
    p->say = mn_messages_new();
    p->scene = mn_scene_parse(text, strlen(text), "test.yaml", NULL, 0, p->say);
    for (int i = 0; i < mn_messages_count(p->say); i++) printf("%s\n", mn_messages_get(p->say, i).text);
    return p->scene ? 0 : -1;
}

static inline int scene_place_end(void **state)
{
    place *p = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", p->dir);
    const int code = system(command); // NOLINT(cert-env33-c)
    mn_scene_free(p->scene);
    mn_messages_free(p->say);
    free(p);
    return code;
}

static inline bool said(const mn_messages *say, const char *text)
{
    for (int i = 0; i < mn_messages_count(say); i++)
        if (strstr(mn_messages_get(say, i).text, text)) return true;
    return false;
}

#endif
