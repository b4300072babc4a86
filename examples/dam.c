/* dam.c -- a column of water falls: a scene as text, steps, and numbers. */
#include <meniscus/meniscus.h>
#include <stdio.h>
#include <string.h>

static const char dam[] = "particles: {spacing: 0.02}\n"
                          "time: {adaptive: {max: 0.002}, end: 1}\n"
                          "fluids:\n"
                          "  - name: water\n"
                          "    viscosity: {model: artificial, alpha: 0.02}\n"
                          "    shapes: [{box: {min: [0.02, 0.02, 0.02], max: [0.2, 0.3, 0.2]}}]\n"
                          "walls:\n"
                          "  - shapes: [{box: {min: [0, 0, 0], max: [0.6, 0.4, 0.22], inside_out: true}}]\n";

static int fail(mn_messages *say)
{
    for (int k = 0; k < mn_messages_count(say); k++) {
        const mn_message m = mn_messages_get(say, k);
        fprintf(stderr, "%s:%d:%d: %s\n", m.file ? m.file : "dam", m.line, m.column, m.text);
    }
    return 1;
}

int main(void)
{
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(dam, strlen(dam), "dam", NULL, 0, say);
    mn_world *world = scene ? mn_world_new(scene, NULL, say) : NULL;
    mn_scene_free(scene); /* the world has its own */
    while (world && mn_world_time(world) < 0.1 && mn_step(world, say) == MN_OK) {}
    if (!world || mn_messages_errors(say)) return fail(say);
    const mn_stats stats = mn_world_stats(world);
    printf("meniscus %s: %lld particles, step %lld, time %.3f s, fastest %.2f m/s\n", mn_version(),
           (long long)stats.particles, (long long)stats.step, stats.time, stats.max_speed);
    mn_world_free(world);
    mn_messages_free(say);
    return 0;
}
