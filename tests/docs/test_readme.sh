#!/bin/sh
# The README's program compiles against what is installed, and runs the README's scene.
. "$(dirname "$0")/../cli/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

# block INFO: the text between ```INFO and the next ```.
block() {
    awk -v info="\`\`\`$1" '$0 == info { on = 1; next } /^```/ { on = 0 } on' "$root/README.md"
}
block 'yaml scene' >"$work/dam.yaml"
block 'c program' >"$work/dam.c"
exits 0 "install" cmake --install "$(dirname "$MENISCUS")" --prefix "$work/prefix"
pc=$(dirname "$(find "$work/prefix" -name meniscus.pc)")
# shellcheck disable=SC2046 # flags are words
exits 0 "the program builds" cc -std=c17 -Wall -Wextra -Werror "$work/dam.c" -o "$work/dam" \
    $(PKG_CONFIG_PATH=$pc pkg-config --define-variable=prefix="$work/prefix" --cflags --libs meniscus)
LD_LIBRARY_PATH=$(dirname "$pc") # as ldconfig does for folders of the system
export LD_LIBRARY_PATH
cd "$work" || exit 1
exits 0 "and runs" ./dam
says "0.10" "to the time asked for"
check "without a message" test ! -s "$work/stderr"
mv dam.yaml gone.yaml
exits 0 "without its scene" ./dam
says "cannot open the scene" "it says what is missing"
finish
