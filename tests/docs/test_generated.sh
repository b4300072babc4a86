#!/bin/sh
# What `make docs` writes is what the program says now.
. "$(dirname "$0")/../cli/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
for pair in reference:scene-reference.md schema:scene.schema.json; do
    "$MENISCUS" list "${pair%%:*}" >"$work/now"
    check "docs/${pair#*:} is up to date (make docs)" cmp "$work/now" "$root/docs/${pair#*:}"
done
# Each model has a page, or a place in one.
for model in $("$MENISCUS" list models | sed -n 's/^  \([a-z0-9]*\) .*/\1/p'); do
    check "docs/methods has $model" grep -qs "\`$model\`" "$root"/docs/methods/*.md
done
# A page of a method is a manual: equation, parameters, how to choose them, limits, a picture.
for page in "$root"/docs/methods/*.md; do
    case ${page##*/} in README.md | core.md | comparison-tension.md) continue ;; esac
    check "${page##*/} has equation, parameters, how to choose them, limits and a picture" sh -c \
        'grep -q "^## .*[Ee]quation" "$1" && grep -q "^## .*[Pp]arameters" "$1" &&
         grep -q "^## .*[Hh]ow to choose" "$1" && grep -q "^## Limits" "$1" && grep -q "^!\[" "$1"' - "$page"
done
# Each picture of the gallery and of validation is made by their script, of scenes that are there.
(cd "$root" && python3 tools/gallery.py "$MENISCUS" --list --large) >"$work/list"
awk '{ print $1 }' "$work/list" | sort >"$work/made"
grep -oE 'images/(gallery|validation)/[a-z0-9-]*' "$root/docs/gallery.md" "$root/docs/validation.md" | sed 's#.*/##' |
    sort -u >"$work/shown"
check "tools/gallery.py makes what docs/gallery.md and docs/validation.md show" diff "$work/made" "$work/shown"
ls "$root/docs/images/gallery" "$root/docs/images/validation" | sed -n 's/\.png$//p' | sort -u >"$work/there"
check "and these are all pictures that are there" diff "$work/made" "$work/there"
check "1280 pixels wide or more" python3 - "$root" <<'PYTHON'
import glob, sys
files = glob.glob(f"{sys.argv[1]}/docs/images/gallery/*.png")
narrow = [name for name in files if int.from_bytes(open(name, "rb").read(20)[16:], "big") < 1280]
assert files and not narrow, narrow
PYTHON
check "of scenes that are there" python3 - "$root" <<'PYTHON'
import os, sys
sys.path.insert(0, os.path.join(sys.argv[1], "tools"))
import gallery
missing = [run.scene for run in gallery.RUNS.values() if not os.path.exists(f"{sys.argv[1]}/scenes/{run.scene}.yaml")]
assert not missing, missing
PYTHON
finish
