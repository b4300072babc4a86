#!/bin/sh
# The same bits for any number of threads and either compiler.
. "$(dirname "$0")/lib.sh"
scene=$work/small.yaml

exits 0 "one thread" "$MENISCUS" run "$scene" -q -o "$work/one" --steps 30 --threads 1
one=$(state)
check "it has a state" test -n "$one"
for threads in 2 3 7; do
    exits 0 "$threads threads" "$MENISCUS" run "$scene" -q -o "$work/$threads" --steps 30 --threads $threads
    check "$threads threads: same state" test "$(state)" = "$one"
    check "$threads threads: same table" cmp -s "$work/one/stats.csv" "$work/$threads/stats.csv"
done
if [ -x "${MENISCUS_CLANG:-}" ]; then
    exits 0 "built by clang" "$MENISCUS_CLANG" run "$scene" -q -o "$work/clang" --steps 30
    check "built by clang: same state" test "$(state)" = "$one"
else
    skip "no build by clang"
fi
finish
