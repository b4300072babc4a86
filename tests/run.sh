#!/bin/sh
# Runs every test and ends with one line: N passed, N failed. The trees build, build-clang, build-sanitize and
# build-fuzz are there already (make test makes them).
#
# A part is a command that reports its own counts, as cmocka does ("[  PASSED  ] N test(s).", "[  FAILED  ] N test(s)")
# or in a last line "N passed, N failed". A part that ends badly without a count is one failure. JOBS parts run side by
# side, those that took longest the last time first.
#
#   tests/run.sh               all parts
#   tests/run.sh --only TEXT   those with TEXT in their name
#   tests/run.sh --part NAME COMMAND...   one part: what the others are started by
cd "$(dirname "$0")/.." || exit 1
LIMIT=${LIMIT:-600} # seconds a part may take
FUZZ_SECONDS=${FUZZ_SECONDS:-10}
HOSTILE_SECONDS=${HOSTILE_SECONDS:-30}
JOBS=${JOBS:-2}
export OMP_WAIT_POLICY=passive # waiting threads sleep: other work may share the cores

# tally NAME CODE LOG: leaves the counts in the folder of results; shows the log of what failed.
tally() {
    good=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s).*/\1/p; s/^\([0-9]*\) passed, [0-9]* failed$/\1/p' "$3" |
        tail -n 1)
    bad=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) test(s).*/\1/p; s/^[0-9]* passed, \([0-9]*\) failed$/\1/p' "$3" |
        tail -n 1)
    good=${good:-0}
    bad=${bad:-0}
    if [ "$2" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    if [ "$2" -eq 0 ] && [ "$good$bad" = 00 ]; then good=1; fi
    echo "$good $bad" >"$3.counts"
    if [ "$bad" -gt 0 ]; then
        { cat "$3"; echo "FAILED $1: $bad of $((good + bad)), exit code $2"; } >"$3.shown"
        cat "$3.shown"
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

if [ "$1" = --part ]; then
    name=$2
    shift 2
    log=$(mktemp "$RESULTS/XXXXXX")
    start=$(date +%s)
    once "$@"
    # LeakSanitizer's tracer can crash when a driver's thread ends at the same moment as the program. That is no
    # finding, and no proof either: so again, twice at most, and then without looking for leaks, which is said.
    for try in 1 2 3; do
        grep -q "LeakSanitizer has encountered a fatal error" "$log" || break
        if [ $try -lt 3 ]; then
            echo "note   LeakSanitizer itself crashed at the end of $name: once more"
            once "$@"
        else
            echo "note   LeakSanitizer itself crashed at the end of $name three times: now without looking for leaks"
            once env ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$@"
        fi
    done
    printf '%s\t%s\n' $(($(date +%s) - start)) "$name" >"$log.time"
    tally "$name" $code "$log"
    exit 0
fi

only=
[ "$1" != --only ] || only=$2
RESULTS=$(mktemp -d)
export RESULTS LIMIT
trap 'rm -rf "$RESULTS"' EXIT

# Some containers permit no tracing, which LeakSanitizer needs: it then fails whatever the program did. A program that
# leaks nothing and one that leaks tell whether it works here.
leaks_can_be_found() {
    dir=$RESULTS/leak
    mkdir "$dir"
    cat >"$dir/leak.c" <<'LEAK'
#include <stdlib.h>
int main(int n, char **v) { char *volatile p = malloc(9); p[0] = v[0][0]; if (n == 1) free(p); p = 0; return 0; }
LEAK
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

# LLVM inside PoCL sets the signal stack of a thread to its own, which AddressSanitizer then fails to give back
export ASAN_OPTIONS="use_sigaltstack=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp:print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
export MENISCUS="$PWD/build/meniscus"
export MENISCUS_CLANG="$PWD/build-clang/meniscus"

# All parts, a line each: name, tab, command.
parts() {
    printf 'hostile scenes, %s s each\t%s --seconds %s --jobs 1 --sanitized build-sanitize/meniscus\n' \
        "$HOSTILE_SECONDS" "python3 tests/hostile/hostile.py" "$HOSTILE_SECONDS"
    if ls build-fuzz/fuzz_* >/dev/null 2>&1; then
        printf 'fuzzing, %s s each\tsh tests/fuzz/run.sh build-fuzz %s\n' "$FUZZ_SECONDS" "$FUZZ_SECONDS"
    fi
    # units and kernels in both trees, under the sanitizers too; physics and hashes only where they run at full speed
    for source in tests/physics/test_*.c tests/golden/test_*.c tests/kernels/test_*.c tests/unit/test_*.c; do
        name=$(basename "$source" .c)
        case "$source" in
            tests/unit/* | tests/kernels/*) printf '%s (sanitizers)\tbuild-sanitize/%s\n' "$name" "$name" ;;
        esac
        printf '%s\tbuild/%s\n' "$name" "$name"
    done
    for script in tests/cli/test_*.sh tests/docs/*.sh tests/bad/run.sh tests/format.sh; do
        printf '%s\tsh %s\n' "$script" "$script"
    done
}

# Longest first: what is not known to be short may be long.
times=build/test-times
touch "$times"
parts | grep -F -- "$only" | awk -F '\t' -v times="$times" '
    BEGIN { while ((getline < times) > 0) took[$2] = $1 }
    { printf "%s\t%s\n", ($1 in took) ? took[$1] : 1000, $0 }' |
    sort -s -t "$(printf '\t')" -k 1,1nr | cut -f 2- >"$RESULTS/list"
tr '\n' '\0' <"$RESULTS/list" | xargs -0 -r -P "$JOBS" -n 1 sh -c '
    name=${1%%"$(printf "\t")"*}
    command=${1#*"$(printf "\t")"}
    exec sh tests/run.sh --part "$name" $command' part

cat "$RESULTS"/*.time "$times" 2>/dev/null | awk -F '\t' '!seen[$2]++' | sort -nr >"$RESULTS/times"
cp "$RESULTS/times" "$times"
echo "longest: $(head -n 6 "$times" | awk -F '\t' '{printf "%s%s %s s", (NR > 1 ? ", " : ""), $2, $1}')"
for shown in "$RESULTS"/*.shown; do
    if [ -e "$shown" ]; then tail -n 1 "$shown"; fi
done
# a part that left no counts, because it was killed, is a failure
cat "$RESULTS"/*.counts 2>/dev/null | awk -v parts="$(wc -l <"$RESULTS/list")" '
    { good += $1; bad += $2 }
    END { bad += parts - NR; printf "%d passed, %d failed\n", good, bad; exit bad > 0 || good == 0 }'
