#!/bin/sh
# What clang builds comes to the hashes that gcc's build is held to by tests/golden/test_hashes.c; so does the tool
# itself, with its folder, tables and checkpoints.
. "$(dirname "$0")/lib.sh"
here=$(dirname "$0")/../golden

# row TOOL HASH STEPS NAME: the tool ends this scene with this hash.
row() {
    "$1" run "$here/scenes/$4.yaml" -q -o "$work/$4" --overwrite --set output.every=0 --steps "$3" >"$work/stdout" \
        2>"$work/stderr" || cat "$work/stderr"
    check "$4: $2 after $3 steps" test "$(state)" = "$2"
}

# Only pictures and charts may call functions whose last bit changes with the version of the C library
# (src/base/exact.h).
inexact='sin|cos|tan|sincos|asin|acos|atan|atan2|exp|exp2|expm1|log|log2|log10|log1p|pow|powl|cbrt|hypot'
calls=$(nm -A "$(dirname "$MENISCUS")/libmeniscus.a" 2>/dev/null |
    sed -nE "s/^[^:]*:([^:]*): *U ($inexact)f?\$/\1 \2/p" |
    grep -v '^\(preview\|water\|shade\|colour\|light\|tracer\|draw\|stage\|axis\|stroke\)')
check "no function of the math library reaches the state ($calls)" test -z "$calls"

tools=$MENISCUS
if [ -x "${MENISCUS_CLANG:-}" ]; then tools="$tools $MENISCUS_CLANG"; else skip "no build by clang"; fi
for tool in $tools; do
    echo "== $tool"
    while read -r hash steps name; do
        case $hash in '#'* | '') ;; *) row "$tool" "$hash" "$steps" "$name" ;; esac
    done <"$here/hashes.txt"
done
finish
