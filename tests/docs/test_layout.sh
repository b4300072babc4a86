#!/bin/sh
# What can be counted about the sources: lines of at most 120 columns, functions of at most 60 lines, no passage of more
# than eight lines twice in src, a short step.c and world.h, no replaced words. A longer function says why in the
# comment above it, after the word "Long:".
cd "$(dirname "$0")/../.." || exit 1
. tests/cli/lib.sh

sources() { git ls-files -co --exclude-standard '*.c' '*.h' '*.cl' '*.def' src/RANKS; }

# wide FILE...: lines of more than 120 characters.
wide() { awk 'length($0) > 120 { print FILENAME ":" FNR ": " length($0) " columns" }' "$@"; }

# long FILE...: functions of more than 60 lines without a reason. A body begins with { and ends with } in the first
# column.
long() {
    awk 'FNR == 1 { open = 0; words = "" }
        /^\/\*/ { words = "" }
        /^(\/\*| \*|   )/ && !open { words = words $0 }
        /^\{/ { open = FNR; reason = words ~ /Long:/ }
        /^\}/ && open && FNR - open >= 60 && !reason { print FILENAME ":" open ": " FNR - open + 1 " lines" }
        /^\}/ { open = 0; words = "" }' "$@"
}

# long_js FILE...: the same of the page. A function or method ends with } in the column in which it begins.
long_js() {
    awk 'FNR == 1 { open = 0; words = "" }
        /^ *\/\// && !open { words = words $0; next }
        /^(  )?[a-z].*\) \{$/ && !open { match($0, /^ */); ends = "^" substr($0, 1, RLENGTH) "}"; open = FNR
            reason = words ~ /Long:/ }
        open && $0 ~ ends { if (FNR - open >= 60 && !reason) print FILENAME ":" open ": " FNR - open + 1 " lines"
            open = 0 }
        !open { words = "" }' "$@"
}

# twice FILE...: where nine lines in a row stand for the second time, whatever their spaces and tabs; comments, includes
# and lone brackets do not count.
twice() {
    awk 'FNR == 1 { count = 0; told = 0 }
        { line = $0; gsub(/[ \t]+/, "", line) }
        line ~ /^(\/\*|\*|\/\/|#include|$)/ || line ~ /^[][(){};,\\]*$/ { next }
        {
            last[count++ % 9] = line
            if (count < 9) next
            passage = ""
            for (k = 0; k < 9; k++) passage = passage last[(count + k) % 9] "\n"
            if (passage in at && told < FNR) { print FILENAME ":" FNR ": as at " at[passage]; told = FNR + 9 }
            if (!(passage in at)) at[passage] = FILENAME ":" FNR
        }' "$@"
}

check "no line is wider than 120 columns" test -z "$(wide $(sources))"
check "nor of scripts, of the page and of what builds" test -z "$(wide CMakeLists.txt cmake/* Makefile Dockerfile \
    $(git ls-files -co --exclude-standard '*.sh' '*.py' '*.mjs' 'view/src/*'))"
check "no function is longer than 60 lines" test -z "$(long $(sources))"
check "nor one of the page" test -z "$(long_js view/src/*.js)"
check "no nine lines stand twice in src" test -z "$(twice $(sources | grep '^src/.*\.[chl]*$' | grep -v io/font.h))"

# A name says one thing: no two files have it.
check "no two files have the same name" test -z "$(git ls-files -co --exclude-standard 'src/*.[ch]' 'cli/*.[ch]' |
    sed 's,.*/,,' | sort | uniq -d)"

# The heart stays small: what a world is in under 60 lines, and a step that names no model and no part.
check "world.h is short" test "$(wc -l <src/core/world.h)" -lt 60
names=$(sed -n 's/^MODEL([a-z]*, *\([a-z0-9]*\),.*/\1/p' src/scene/models.def
    sed -n 's/^SYSTEM(\([a-z_]*\)).*/\1/p' src/core/systems.def | grep -v -e pressure -e models)
check "step.c names no model and no part" sh -c '! grep -nwF "$1" src/core/step.c' - "$names"
check "and no paper" sh -c '! grep -nE "et al|[12][09][0-9][0-9]" src/core/step.c'
check "step.c fits on a screen" test "$(wc -l <src/core/step.c)" -lt 80

# Kernels with loops written by hand say what is hand-tuned and why, or that nothing is.
untold() {
    for file in $(grep -lE '^ *FOR_(FLUID|BOUNDARY|ALL)\(' src/kernels/*/*.h); do
        sed '/\*\//q' "$file" | grep -qi 'hand-tuned' || echo "$file"
    done
}
check "kernels with loops say at the top what is hand-tuned" test -z "$(untold)"

# Words that were replaced by those of the field (docs/glossary.md) do not come back.
old='crowd|wall_particles|deaf|lodgers?|nobody|anybody|FOR_WALLS|MN_WALLS|mn_wall_points|mn_walls_[a-z]*|mn_form'
old="$old|body_at|mn_solids|first_unseen|deformable|[a-z]*_push|ghosts?|hush|chance decides"
check "replaced words stay away" sh -c '! git grep -nwIiE "$1" -- . ":!view/dist" ":!tests/docs/test_layout.sh" \
    ":!tests/golden/renewals.txt"' - "$old"

# All are found.
awk 'BEGIN { printf "int a; /* %120s */\nint f(void)\n{\n", ""; for (k = 0; k < 60; k++) print "    f();"
    print "}" }' >"$work/bad.c"
check "a wide line is found" test "$(wide "$work/bad.c")" = "$work/bad.c:1: 133 columns"
check "a long function is found" test "$(long "$work/bad.c")" = "$work/bad.c:3: 62 lines"
sed 's|^int f|/* Long: a table. */\nint f|' "$work/bad.c" >"$work/good.c"
awk 'BEGIN { print "  draw(a) {"; for (k = 0; k < 60; k++) print "    f();"; print "  }" }' >"$work/bad.js"
check "a long one of the page, too" test "$(long_js "$work/bad.js")" = "$work/bad.js:1: 62 lines"
awk 'BEGIN { for (k = 0; k < 9; k++) print "    f(" k ");" }' >"$work/nine.c"
sed 's/    f(/\tf ( /' "$work/nine.c" >"$work/again.c"
check "a passage that stands twice is found" test "$(twice "$work/nine.c" "$work/again.c")" = \
    "$work/again.c:9: as at $work/nine.c:9"
check "a reason is enough" test -z "$(long "$work/good.c")"
finish
