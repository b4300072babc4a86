#!/bin/sh
# What clang builds comes to the hashes that gcc's build is held to by tests/golden/test_hashes.c; so does the tool itself, with its
# folder, tables and checkpoints.
. "$(dirname "$0")/lib.sh"
here=$(dirname "$0")/../golden

# row TOOL HASH STEPS NAME: the tool ends this scene with this hash.
row() {
    "$1" run "$here/scenes/$4.yaml" -q -o "$work/$4" --overwrite --set output.every=0 --steps "$3" >"$work/stdout" 2>"$work/stderr" || cat "$work/stderr"
    check "$4: $2 after $3 steps" test "$(state)" = "$2"
}

tools=$MENISCUS
if [ -x "${MENISCUS_CLANG:-}" ]; then tools="$tools $MENISCUS_CLANG"; else skip "no build by clang"; fi
for tool in $tools; do
    echo "== $tool"
    while read -r hash steps name; do
        case $hash in '#'* | '') ;; *) row "$tool" "$hash" "$steps" "$name" ;; esac
    done <"$here/hashes.txt"
done
finish
