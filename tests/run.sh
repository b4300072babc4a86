#!/bin/sh
# Runs every test and ends with one line: N passed, N failed. The trees build, build-clang, build-sanitize and build-fuzz are
# there already (make test makes them).
#
# A part is a command that reports its own counts, as cmocka does ("[  PASSED  ] N test(s).", "[  FAILED  ] N test(s)") or
# in a last line "N passed, N failed". A part that ends badly without a count is one failure.
cd "$(dirname "$0")/.." || exit 1
LIMIT=${LIMIT:-600} # seconds a part may take
FUZZ_SECONDS=${FUZZ_SECONDS:-10}
export OMP_WAIT_POLICY=passive # waiting threads sleep: other work may share the cores
passed=0
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# tally NAME CODE: adds the counts in the log; shows the log of what failed.
tally() {
    good=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s).*/\1/p; s/^\([0-9]*\) passed, [0-9]* failed$/\1/p' "$log" | tail -n 1)
    bad=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test(s).*/\1/p; s/^[0-9]* passed, \([0-9]*\) failed$/\1/p' "$log" | tail -n 1)
    good=${good:-0}
    bad=${bad:-0}
    if [ "$2" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    if [ "$2" -eq 0 ] && [ "$good$bad" = 00 ]; then good=1; fi
    passed=$((passed + good))
    failed=$((failed + bad))
    if [ "$bad" -gt 0 ]; then
        cat "$log"
        echo "FAILED $1: $bad of $((good + bad)), exit code $2"
    else
        echo "ok     $1 ($good)"
    fi
}

part() {
    name=$1
    shift
    timeout "$LIMIT" "$@" >"$log" 2>&1
    code=$?
    [ $code -ne 124 ] || echo "stopped after $LIMIT s" >>"$log"
    tally "$name" $code
}

# The tests of units and kernels in both trees, under the sanitizers too; physics and hashes only where they run at full speed.
for source in tests/unit/test_*.c tests/kernels/test_*.c tests/physics/test_*.c tests/golden/test_*.c; do
    [ -e "$source" ] || continue
    name=$(basename "$source" .c)
    part "$name" "build/$name"
    case "$source" in
        tests/unit/* | tests/kernels/*) part "$name (sanitizers)" "build-sanitize/$name" ;;
    esac
done

export MENISCUS="$PWD/build/meniscus"
export MENISCUS_CLANG="$PWD/build-clang/meniscus"
for script in tests/bad/run.sh tests/cli/test_*.sh tests/docs/*.sh; do
    [ ! -e "$script" ] || part "$script" sh "$script"
done

formatted() {
    code=0
    for source in $(git ls-files -co --exclude-standard 'cli/*.[ch]' 'src/*.[ch]' 'include/*.h' 'tests/*.[ch]'); do
        clang-format --dry-run -Werror "$source" >/dev/null 2>&1 && continue
        echo "$source is not formatted; make format does it"
        code=1
    done
    return $code
}
formatted >"$log" 2>&1
tally "formatting" $?

if [ -e tests/fuzz/run.sh ] && ls build-fuzz/fuzz_* >/dev/null 2>&1; then
    part "fuzzing, $FUZZ_SECONDS s each" sh tests/fuzz/run.sh build-fuzz "$FUZZ_SECONDS"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
