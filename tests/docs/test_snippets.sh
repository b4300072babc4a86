#!/bin/sh
# Every block of the docs that is marked as a complete scene (```yaml scene) passes `meniscus check` without a warning;
# every path and heading that the docs link to, and every file, test and case that they name, exists; the page on
# validation names every case.
. "$(dirname "$0")/../cli/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
pages="README.md CONTRIBUTING.md docs/*.md docs/methods/*.md docs/notes/*.md"

# Each scene into a file of its own, named by page and line. Models of the walks in adding-a-*.md exist only there.
for page in $pages; do
    case $page in docs/adding-a-*) continue ;; esac
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

# headings PAGE: the anchors of its headings, as GitHub makes them.
headings() {
    sed -n 's/^##* //p' "$1" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# Links to files and headings: [text](path), [text](path#anchor) or [text](#anchor), relative to the page.
for page in $pages; do
    for link in $(grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//' | sort -u); do
        path=${link%%#*}
        target=$(dirname "$page")/$path
        [ -n "$path" ] || target=$page
        case "$link" in
            http*) continue ;;
        esac
        [ -e "$target" ] || fail "$page links to $link, which is not there"
        case "$link" in
            *\#*) headings "$target" | grep -qxF "${link#*#}" ||
                fail "$page links to $link, a heading that is not there" ;;
        esac
    done
done
pass "links were looked at"

# Files, tests and cases that the pages name. What the walk in adding-a-model.md makes, and GROUP/NAME, are not there.
files=$(grep -hoE '`(src|tests|cli|tools|scenes|bench|include)/[A-Za-z0-9_./*-]+`' $pages | tr -d '`' | sort -u)
for file in $(echo "$files" | grep -v 'mueller2003\|GROUP/NAME'); do
    ls -d $file >/dev/null 2>&1 || fail "a page names $file, which is not there"
done
for test in $(grep -hoE 'build/test_[a-z0-9_]+' $pages | sed 's,^build/,,' | sort -u); do
    ls tests/*/"$test".c >/dev/null 2>&1 || fail "a page names build/$test, which no file makes"
done
for case in $(grep -hoE 'meniscus validate [a-z][a-z0-9-]+' $pages | sed 's/.* //' | sort -u); do
    grep -qF "{\"$case\"," cli/validate.c || fail "a page names the case $case, which is not there"
done
pass "files, tests and cases were looked at"

for case in $(sed -n 's/^    {"\([a-z0-9-]*\)",.*/\1/p' cli/validate.c); do
    grep -qF "\`$case\`" docs/validation.md || fail "docs/validation.md lacks the case $case"
done
pass "cases were looked at"
finish
