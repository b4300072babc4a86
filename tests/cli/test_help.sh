#!/bin/sh
# Help, version, completion and man page, all of the same table.
. "$(dirname "$0")/lib.sh"
root=$(dirname "$0")/../..
man=$root/docs/meniscus.1

exits 0 "--version" "$MENISCUS" --version
check "the version is a number" grep -qE '^meniscus [0-9]+\.[0-9]+\.[0-9]+$' "$work/stdout"
exits 0 "--help" "$MENISCUS" --help
commands=$(sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p' "$work/stdout")
check "there are commands" test -n "$commands"
for command in $commands; do
    exits 0 "$command --help" "$MENISCUS" "$command" --help
    says "usage: meniscus $command" "$command --help prints its usage"
    check "the man page has $command" grep -q "meniscus $command" "$man"
    for option in $(sed -n 's/^ *\(-., \)\?--\([a-z]*\).*/\2/p' "$work/stdout"); do
        grep -qF -- "\\-\\-$option" "$man" || fail "the man page lacks --$option"
        for shell in bash zsh fish; do
            "$MENISCUS" completion $shell | grep -qE -- "(--|-l )$option" || fail "$shell completion lacks --$option"
        done
    done
done

exits 0 "help run" "$MENISCUS" help run
says "usage: meniscus run" "help run prints its usage"
if command -v groff >/dev/null 2>&1; then
    check "the man page renders without a warning" test -z "$(groff -ww -man -Tutf8 "$man" 2>&1 >/dev/null)"
fi

exits 0 "list" "$MENISCUS" list models
for topic in models parameters fields scenes devices schema reference; do
    exits 0 "list $topic" "$MENISCUS" list $topic
    check "list $topic prints something" test -s "$work/stdout"
done
"$MENISCUS" list schema >"$work/schema.json"
check "the schema knows both spellings" sh \
    -c 'for k in centre center colour color; do grep -q "\"$k\": {" "$1" || exit 1; done' - "$work/schema.json"
check "the schema is JSON" python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/schema.json"

for shell in bash zsh fish; do
    exits 0 "completion $shell" "$MENISCUS" completion $shell
    cp "$work/stdout" "$work/completion"
    if command -v $shell >/dev/null 2>&1; then check "$shell can read it" $shell -n "$work/completion"; fi
done
"$MENISCUS" completion bash >"$work/completion"
answer=$(bash -c '. "$1"; COMP_WORDS=(meniscus run --ov); COMP_CWORD=2; _meniscus; echo "${COMPREPLY[*]}"' bash \
    "$work/completion")
check "bash completes --overwrite" test "$answer" = "--overwrite"
answer=$(bash -c '. "$1"; COMP_WORDS=(meniscus list de); COMP_CWORD=2; _meniscus; echo "${COMPREPLY[*]}"' bash \
    "$work/completion")
check "bash completes devices" test "$answer" = "devices"
answer=$(bash -c '. "$1"; COMP_WORDS=("$2" run dam-10); COMP_CWORD=2; _meniscus; echo "${COMPREPLY[*]}"' bash \
    "$work/completion" "$MENISCUS")
check "bash completes names of scenes" test "$answer" = "dam-100k"
if command -v fish >/dev/null 2>&1; then
    "$MENISCUS" completion fish >"$work/meniscus.fish"
    tool=$(cd "$(dirname "$MENISCUS")" && pwd)
    answer=$(HOME=$work PATH="$tool:$PATH" fish -c 'source $argv[1]
        complete -C "meniscus run --ov"
        complete -C "meniscus run dam-10"
        complete -C "meniscus run dam-30k --set grav"' "$work/meniscus.fish" | cut -f 1 | tr '\n' ' ')
    check "fish completes options, scenes and keys, found $answer" test "$answer" = "--overwrite dam-100k gravity= "
else
    skip "fish is not there"
fi
: >"$work/my scene.yaml"
answer=$(cd "$work" && bash -c '. "$1"; COMP_WORDS=("$2" check my); COMP_CWORD=2; _meniscus
    echo "${#COMPREPLY[@]} ${COMPREPLY[0]}"' bash completion "$MENISCUS")
check "bash completes names with spaces" test "$answer" = "1 my scene.yaml"
if [ -w /dev/full ]; then
    "$MENISCUS" --help >/dev/full 2>/dev/null
    check "a full standard output is a failure" test $? -eq 1
fi
calls=$(sed -n 's/^MN_API.*[ *]\(mn_[a-z_]*\)(.*/\1/p' "$root/include/meniscus/meniscus.h")
check "the header declares calls" test "$(echo "$calls" | wc -l)" -gt 60
for call in $calls; do
    grep -qw "$call" "$root/docs/meniscus.3" || fail "the man page of the library lacks $call"
done
finish
