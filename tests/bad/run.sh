#!/bin/sh
# run.sh [TOOL] -- broken scenes, meshes and command lines: each has to end with exit code 2 and say what NAME.expect
# lists, line by line. NAME.yaml is given to `TOOL check`; NAME.args holds the words of a whole command line.
tool=${1:-${MENISCUS:-build/meniscus}}
case $tool in
    /*) ;;
    *) tool=$PWD/$tool ;;
esac
cd "$(dirname "$0")" || exit 1
passed=0
failed=0
said=$(mktemp)
trap 'rm -f "$said"' EXIT
for expect in *.expect; do
    name=${expect%.expect}
    if [ -e "$name.args" ]; then
        # shellcheck disable=SC2046 # words
        timeout 60 "$tool" $(cat "$name.args") >/dev/null 2>"$said" </dev/null
    else
        timeout 60 "$tool" check "$name.yaml" >/dev/null 2>"$said" </dev/null
    fi
    code=$?
    why=
    [ $code -eq 2 ] || why="exit code $code, expected 2"
    while IFS= read -r text; do
        grep -qF -- "$text" "$said" || why="${why:+$why; }did not say: $text"
    done <"$expect"
    if [ -z "$why" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name: $why"
        [ -z "$VERBOSE" ] || sed 's/^/    /' "$said"
    fi
done
echo "bad: $passed passed, $failed failed"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
