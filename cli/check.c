/* check.c -- `meniscus check`: everything that is wrong with a scene, or what it would run.
 * The world is made as for a run, because overlaps, particles inside walls and the stability of the time step show only
 * once particles exist. */
#include <stdio.h>
#include <stdlib.h>

#include "args.h"
#include "report.h"
#include "scene/scene.h"
#include "scenes.h"

int cli_check(const cli_arguments *args)
{
    mn_messages *say = mn_messages_new();
    char *path = NULL;
    mn_scene *scene = cli_load_scene(args, &path, say);
    mn_options options = mn_default_options();
    mn_world *world = scene ? mn_world_new(scene, &options, say) : NULL;
    if (world) mn_world_inspect(world, say);
    int code = world && mn_messages_errors(say) == 0 ? MN_OK : MN_BAD_INPUT;
    cli_report(say, !args->quiet);
    if (code == MN_OK && !args->quiet)
        printf("%s: %s fluid particles, %s wall particles, %g s\n", path, cli_grouped(mn_world_particles(world)),
               cli_grouped(mn_world_wall_particles(world)), scene->end);
    mn_world_free(world);
    mn_scene_free(scene);
    mn_messages_free(say);
    free(path);
    return code;
}
