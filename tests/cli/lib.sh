# lib.sh -- what the tests of the tool share: a scratch folder, a small scene, and checks that count themselves.
# A test sources this file, makes its checks and ends with `finish`.
MENISCUS=${MENISCUS:-$PWD/build/meniscus}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

pass() { passed=$((passed + 1)); echo "ok   $1"; }
fail() { failed=$((failed + 1)); echo "FAIL $1"; }
skip() { echo "left out: $1"; }

# check WHAT COMMAND...: the command succeeds.
check() {
    what=$1
    shift
    if "$@"; then pass "$what"; else fail "$what: $*"; fi
}

# exits CODE WHAT COMMAND...: the command exits with that code. Its output stays in $work/stdout and $work/stderr.
exits() {
    wanted=$1 what=$2
    shift 2
    "$@" >"$work/stdout" 2>"$work/stderr"
    code=$?
    if [ "$code" -eq "$wanted" ]; then
        pass "$what"
    else
        fail "$what: exit code $code instead of $wanted"
        tail -n 5 "$work/stdout" "$work/stderr"
    fi
}

# says TEXT WHAT: the last command printed the text, on stderr or stdout.
says() {
    if grep -qF -e "$1" "$work/stderr" "$work/stdout"; then
        pass "$2"
    else
        fail "$2: no '$1' in"
        cat "$work/stderr" "$work/stdout"
    fi
}

# find_python WHAT: the Python with cffi and numpy as $python, for the shared library beside the tool, $tree; without
# one of them the test ends, and says that WHAT is left out.
find_python() {
    tree=$(cd "$(dirname "$MENISCUS")" && pwd)
    python=
    for name in python3 /usr/bin/python3; do
        "$name" -c 'import cffi, numpy' 2>/dev/null && python=$name && break
    done
    if [ -z "$python" ] || [ ! -e "$tree/libmeniscus.so.0" ]; then
        skip "$1: no Python with cffi and numpy, or no shared library"
        pass "nothing to test"
        finish
    fi
}

# begun DIR STEPS: waits until a run in the background has made that many steps, however busy the machine is; two
# minutes at most.
begun() {
    tries=0
    while [ "$(cat "$1/stats.csv" 2>/dev/null | wc -l)" -le "$2" ] && [ $tries -lt 1200 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

# The hash that the last command ended with.
state() { sed -n 's/^state \([0-9a-f]\{16\}\)$/\1/p' "$work/stdout"; }

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}

# A block of 1,000 particles that falls in a box; 40 steps take well under a second.
cat >"$work/small.yaml" <<'SCENE'
title: a small dam
particles: {spacing: 0.05}
time: {step: 0.002, end: 0.2}
fluids:
  - shapes: [{box: {grid: [10, 10, 10], origin: [0.075, 0.06, 0.075]}}]
    viscosity: {model: xsph}
walls:
  - shapes: [{box: {min: [0, 0, 0], max: [1.2, 1, 0.6], inside_out: true}}]
output: {every: 0.015}
checkpoint: {every: 0.03}
SCENE
