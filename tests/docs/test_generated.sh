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
finish
