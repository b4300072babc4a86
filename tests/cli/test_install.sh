#!/bin/sh
# What is installed serves a program of someone else.
. "$(dirname "$0")/lib.sh"
prefix=$work/prefix

exits 0 "install" cmake --install "$(dirname "$MENISCUS")" --prefix "$prefix"
for name in bin/meniscus include/meniscus/meniscus.h share/man/man1/meniscus.1 share/bash-completion/completions/meniscus \
    share/meniscus/scenes/basics/dam-30k.yaml; do
    check "there is $name" test -e "$prefix/$name"
done
exits 0 "the installed tool runs" "$prefix/bin/meniscus" check "$work/small.yaml"
cat >"$work/user.c" <<'C'
#include <meniscus/meniscus.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    mn_messages *say = mn_messages_new();
    mn_scene *scene = argc > 1 ? mn_scene_load(argv[1], NULL, 0, say) : NULL;
    mn_options options = mn_default_options();
    mn_world *world = scene ? mn_world_new(scene, &options, say) : NULL;
    while (world && mn_world_steps(world) < 3 && mn_step(world, say) == MN_OK) {}
    printf("%lld\n", world ? (long long)mn_world_particles(world) : -1);
    mn_world_free(world);
    mn_scene_free(scene);
    mn_messages_free(say);
    return 0;
}
C
pc=$(dirname "$(find "$prefix" -name meniscus.pc)")
# shellcheck disable=SC2046 # flags are words
exits 0 "a program builds against it" cc "$work/user.c" -o "$work/user" \
    $(PKG_CONFIG_PATH=$pc pkg-config --define-variable=prefix="$prefix" --cflags --libs meniscus)
exits 0 "and runs" "$work/user" "$work/small.yaml"
check "with the particles of the scene" test "$(cat "$work/stdout")" = 1000
finish
