#!/bin/sh
# run.sh BUILD SECONDS -- runs each fuzz target of a build for so many seconds on the kept corpus, and counts those
# without a finding. New inputs gather under BUILD/corpus; a finding is left in BUILD as NAME-crash-..., -timeout-...,
# -oom-...
build=$1
seconds=$2
here=$(dirname "$0")
passed=0
failed=0
for target in "$build"/fuzz_*; do
    [ -f "$target" ] && [ -x "$target" ] || continue
    name=${target##*/fuzz_}
    mkdir -p "$build/corpus/$name"
    set -- "-max_total_time=$seconds" -timeout=20 -rss_limit_mb=2500 -verbosity=0 "-artifact_prefix=$build/$name-"
    [ ! -f "$here/$name.dict" ] || set -- "$@" "-dict=$here/$name.dict"
    set -- "$@" "$build/corpus/$name"
    [ ! -d "$here/corpus/$name" ] || set -- "$@" "$here/corpus/$name"
    if "$target" "$@"; then
        echo "ok   $name"
        passed=$((passed + 1))
    else
        echo "FAIL $name"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
