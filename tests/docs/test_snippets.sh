#!/bin/sh
# Every block of the docs that is marked as a complete scene (```yaml scene) passes `meniscus check` without a warning; every path that the docs link to exists.
. "$(dirname "$0")/../cli/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1

# Each scene into a file of its own, named by page and line. Models of the walk in adding-a-model.md exist only there.
for page in README.md docs/*.md docs/methods/*.md; do
    [ "$page" != docs/adding-a-model.md ] || continue
    awk -v base="$work/$(echo "$page" | tr '/.' '__')" '
        /^```yaml scene/ { file = base "_" NR ".yaml"; next }
        /^```/ { file = "" }
        file { print > file }' "$page"
done
count=0
for scene in "$work"/*_*.yaml; do
    [ -e "$scene" ] || continue
    count=$((count + 1))
    exits 0 "$(basename "$scene" .yaml) is a good scene" "$MENISCUS" check "$scene"
    check "and gives no cause for a warning" sh -c '! grep "warning:" "$1"' - "$work/stderr"
done
check "there are scenes in the docs" test "$count" -ge 10

# Links to files: [text](path) or [text](path#anchor), relative to the page.
for page in README.md docs/*.md docs/methods/*.md; do
    for link in $(grep -o '](\([^)#]*\)[^)]*)' "$page" | sed 's/^](//; s/[#)].*//' | sort -u); do
        case "$link" in
            http*) ;;
            *) [ -e "$(dirname "$page")/$link" ] || fail "$page links to $link, which is not there" ;;
        esac
    done
done
pass "links were looked at"
finish
