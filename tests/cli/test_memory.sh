#!/bin/sh
# Each request for memory of the program may fail: it then ends with 1 and a message, or with 0 and the right result;
# never with 2, which blames the scene, with 3, or with another state. A sweep over all requests takes minutes
# (SWEEP=1); here every 13th of a small run, every 45th of one with everything in it, each large one of a run with the
# area of surfaces (the lattices that its constants come from), and some of meshes and pictures of the run with
# everything.
. "$(dirname "$0")/lib.sh"
here=$(dirname "$0")
if ! ${CC:-cc} -shared -fPIC -O1 -o "$work/failing.so" "$here/failing.c" 2>"$work/stderr"; then
    skip "memory that fails: no C compiler, or a C library that is not glibc"
    finish
fi

# sweep NAME STRIDE ARGS...: `run ARGS`, of which one request fails each time.
sweep() {
    name=$1 stride=${SWEEP:-$2}
    shift 2
    FAIL_COUNT="$work/count" LD_PRELOAD="$work/failing.so" \
        "$MENISCUS" run "$@" -q --threads 1 -o "$work/$name" --overwrite >"$work/stdout" 2>"$work/stderr"
    good=$(state)
    count=$(cat "$work/count")
    check "$name: it runs, with $count requests" test -n "$good" -a "$count" -ge "${LEAST_COUNT:-100}"
    wrong=0
    n=1
    while [ $n -le "$count" ]; do
        FAIL_AT=$n LD_PRELOAD="$work/failing.so" timeout 60 \
            "$MENISCUS" run "$@" -q --threads 1 -o "$work/$name" --overwrite >"$work/stdout" 2>"$work/stderr"
        code=$?
        if grep -q ': *$' "$work/stderr"; then
            wrong=$((wrong + 1))
            echo "request $n fails: a message without its end"
            cat "$work/stderr"
        fi
        if [ $code -ne 1 ] || [ ! -s "$work/stderr" ]; then
            if [ $code -ne 0 ] || [ "$(state)" != "$good" ]; then
                wrong=$((wrong + 1))
                echo "request $n fails: exit code $code, state $(state)"
                cat "$work/stderr"
            fi
        fi
        n=$((n + stride))
    done
    check "$name: each failure is one" test $wrong -eq 0
}
sweep small 13 "$work/small.yaml" --steps 4 --set output.every=0.004 --set checkpoint.every=0.004 \
    --set fluids.0.viscosity=weiler2018
sweep everything 45 "$here/../golden/scenes/everything.yaml" --steps 3 --set output.every=0.004 \
    --set checkpoint.every=0.004 --set output.grid.every=0.004

printf 'particles: {spacing: 0.05}\ntime: {end: 0.1}\nfluids:\n  - {surface: orthmann2013, %s}\n' \
    'shapes: [{box: {grid: [6, 6, 6]}}]' >"$work/surface.yaml"
export FAIL_LEAST=20000 LEAST_COUNT=5
sweep surface 1 "$work/surface.yaml" --steps 1
unset FAIL_LEAST LEAST_COUNT

# after COMMAND STRIDE ARGS...: `COMMAND FOLDER ARGS` on the last run.
after() {
    command=$1 stride=${SWEEP:-$2}
    shift 2
    set -- "$command" "$work/everything" "$@" -q --frames 0 --threads 1 --overwrite -o "$work/made"
    FAIL_COUNT="$work/count" LD_PRELOAD="$work/failing.so" "$MENISCUS" "$@" >"$work/stdout" 2>"$work/stderr"
    count=$(cat "$work/count")
    check "$command: it works, with $count requests" test -n "$(ls "$work/made")" -a "$count" -gt 100
    wrong=0
    n=1
    while [ $n -le "$count" ]; do
        FAIL_AT=$n LD_PRELOAD="$work/failing.so" timeout 60 "$MENISCUS" "$@" >"$work/stdout" 2>"$work/stderr"
        code=$?
        if [ $code -gt 1 ] || { [ $code -eq 1 ] && [ ! -s "$work/stderr" ]; }; then
            wrong=$((wrong + 1))
            echo "request $n fails: exit code $code"
            cat "$work/stderr"
        fi
        n=$((n + stride))
    done
    check "$command: each failure is one" test $wrong -eq 0
}
after mesh 37
if "$MENISCUS" render "$work/everything" -q --frames 0 --size 16x16 -o "$work/made" 2>/dev/null; then
    after render 41 --size 32x32
else
    skip "memory that fails in pictures: built without Embree"
fi

# A folder that holds a run stays taken whatever fails.
exits 0 "a run" "$MENISCUS" run "$work/small.yaml" -q -o "$work/taken" --steps 3
lost=0
for n in $(seq 1 "${SWEEP:-7}" 160); do
    FAIL_AT=$n LD_PRELOAD="$work/failing.so" "$MENISCUS" run "$work/small.yaml" -q -o "$work/taken" --steps 2 \
        >"$work/stdout" 2>&1 && lost=$((lost + 1))
done
check "no run begins in a taken folder" test $lost -eq 0
check "and it is as it was" test "$(wc -l <"$work/taken/stats.csv")" -eq 4

# Without room for anything the answer is the same.
(
    ulimit -v 400000
    exits 1 "more particles than memory" "$MENISCUS" run "$work/small.yaml" -q -o "$work/large" \
        --set particles.spacing=0.05 \
        --set "fluids.0.shapes.0={box: {grid: [300, 300, 300], origin: [0.075, 0.06, 0.075]}}"
    exit $failed
)
check "out of memory does not blame the scene" test $? -eq 0
finish
