#!/bin/sh
# Runs every test and ends with one line: N passed, N failed. The trees build, build-clang, build-sanitize and build-fuzz are
# there already (make test makes them).
#
# A part is a command that reports its own counts, as cmocka does ("[  PASSED  ] N test(s).", "[  FAILED  ] N test(s)") or
# in a last line "N passed, N failed". A part that ends badly without a count is one failure.
cd "$(dirname "$0")/.." || exit 1
LIMIT=${LIMIT:-600} # seconds a part may take
FUZZ_SECONDS=${FUZZ_SECONDS:-10}
HOSTILE_SECONDS=${HOSTILE_SECONDS:-20}
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

# once COMMAND...: runs it with its output in the log; sets code.
once() {
    timeout "$LIMIT" "$@" >"$log" 2>&1
    code=$?
    [ $code -ne 124 ] || echo "stopped after $LIMIT s" >>"$log"
}

part() {
    name=$1
    shift
    once "$@"
    # LeakSanitizer's tracer can crash when a driver's thread ends at the same moment as the program. That is no finding, and no proof either: so
    # again, twice at most, and then without looking for leaks, which is said.
    for try in 1 2 3; do
        grep -q "LeakSanitizer has encountered a fatal error" "$log" || break
        if [ $try -lt 3 ]; then
            echo "note   LeakSanitizer itself crashed at the end of $name: once more"
            once "$@"
        else
            echo "note   LeakSanitizer itself crashed at the end of $name three times: once more without looking for leaks"
            once env ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$@"
        fi
    done
    tally "$name" $code
}

# Some containers permit no tracing, which LeakSanitizer needs: it then fails whatever the program did. A program that leaks nothing and one that leaks
# tell whether it works here.
leaks_can_be_found() {
    dir=$(mktemp -d)
    printf '#include <stdlib.h>\nint main(int n, char **v) { char *volatile p = malloc(9); p[0] = v[0][0]; if (n == 1) free(p); p = 0; return 0; }\n' >"$dir/leak.c"
    gcc -fsanitize=address -o "$dir/leak" "$dir/leak.c" >/dev/null 2>&1 && "$dir/leak" >/dev/null 2>&1
    clean=$?
    "$dir/leak" leak 2>&1 | grep -q "detected memory leaks"
    found=$?
    rm -rf "$dir"
    [ $clean -eq 0 ] && [ $found -eq 0 ]
}
if ! leaks_can_be_found; then
    echo "note   LeakSanitizer cannot work on this machine: the tests run without it"
    export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
fi

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

part "hostile scenes, $HOSTILE_SECONDS s each" python3 tests/hostile/hostile.py --seconds "$HOSTILE_SECONDS" \
    --sanitized build-sanitize/meniscus

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
