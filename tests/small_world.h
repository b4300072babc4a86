/* small_world.h -- for tests that step a scene without a folder: the scene, its world, and what was said. Include
 * cmocka.h first. */
#ifndef TEST_SMALL_WORLD_H
#define TEST_SMALL_WORLD_H

#include <string.h>

#include "meniscus/meniscus.h"

typedef struct small_world {
    mn_messages *say;
    mn_scene *scene;
    mn_world *world;
} small_world;

/* world is NULL where it cannot be made. */
static inline small_world small_world_try(const char *text, const char *backend, int threads)
{
    small_world s = {.say = mn_messages_new()};
    mn_options options = mn_default_options();
    options.backend = backend;
    options.threads = threads;
    s.scene = mn_scene_parse(text, strlen(text), "test.yaml", NULL, 0, s.say);
    s.world = s.scene ? mn_world_new(s.scene, &options, s.say) : NULL;
    return s;
}

/* On one thread; fails the test where it cannot be made. */
static inline small_world small_world_new(const char *text, const char *backend)
{
    const small_world s = small_world_try(text, backend, 1);
    for (int k = 0; k < mn_messages_count(s.say) && !s.world; k++) print_error("%s\n", mn_messages_get(s.say, k).text);
    if (!s.world) fail_msg("no world of\n%s", text);
    return s;
}

static inline void small_world_free(small_world *s)
{
    mn_world_free(s->world);
    mn_scene_free(s->scene);
    mn_messages_free(s->say);
}

#endif
