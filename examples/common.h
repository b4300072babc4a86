/* common.h -- what the examples share: a drop of water, and what to do with messages. */
#ifndef EXAMPLES_COMMON_H
#define EXAMPLES_COMMON_H

#include <meniscus/meniscus.h>
#include <stdio.h>
#include <string.h>

static const char drop[] = "particles: {spacing: 0.02}\n"
                           "gravity: [0, 0, 0]\n"
                           "time: {step: 0.002, end: 0.2}\n"
                           "output: {every: 0.04}\n"
                           "fluids:\n"
                           "  - name: water\n"
                           "    viscosity: {model: standard, viscosity: 5}\n"
                           "    shapes: [{sphere: {radius: 0.1}}]\n";

/* Prints what was said; the status. */
static inline int told(mn_messages *say, int status)
{
    for (int k = 0; k < mn_messages_count(say); k++) {
        const mn_message m = mn_messages_get(say, k);
        fprintf(stderr, "%s:%d:%d: %s\n", m.file ? m.file : "-", m.line, m.column, m.text);
    }
    mn_messages_clear(say);
    return status;
}

static inline mn_world *new_drop(mn_messages *say)
{
    mn_scene *scene = mn_scene_parse(drop, strlen(drop), "drop", NULL, 0, say);
    mn_world *world = scene ? mn_world_new(scene, NULL, say) : NULL;
    mn_scene_free(scene);
    return world;
}

#endif
