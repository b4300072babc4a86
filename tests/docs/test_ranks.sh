#!/bin/sh
# Folders have ranks (src/RANKS): no file includes one of a higher rank, or of another folder of its own rank.
cd "$(dirname "$0")/../.." || exit 1
. tests/cli/lib.sh

# wrong ROOT: "FILE includes INCLUDED" for each include against the ranks.
wrong() {
    (cd "$1" && find src -name '*.[ch]' -exec grep -H '^#include "' {} +) | awk -v ranks="$1/src/RANKS" '
        BEGIN {
            while ((getline line < ranks) > 0) {
                split(line, w, /[ \t]+/)
                if (w[1] ~ /^[0-9]+$/) rank[w[2]] = w[1] + 0
            }
        }
        {
            split($0, part, ":"); file = part[1]; split(file, f, "/")
            included = $0; sub(/^[^"]*"/, "", included); sub(/".*/, "", included); split(included, i, "/")
            if (!(f[2] in rank)) rank[f[2]] = rank["*"]
            if (!(i[1] in rank) || i[1] == f[2]) next # generated files, the public header, its own folder
            if (rank[i[1]] >= rank[f[2]]) print file " includes " included
        }' | sort -u
}

check "every folder keeps its rank" test -z "$(wrong .)"

# A file that reaches upwards or sideways is found.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R src "$copy/src"
printf '#include "session/session.h"\n' >>"$copy/src/core/step.c"
printf '#include "air/air.h"\n' >>"$copy/src/species/film_step.c"
mkdir "$copy/src/heat"
printf '#include "methods/methods.h"\n#include "session/session.h"\n' >"$copy/src/heat/heat.c"
check "a new folder is a part of the world" test "$(wrong "$copy" | grep heat)" = \
    "src/heat/heat.c includes session/session.h"
check "upwards is found" sh -c 'printf "%s" "$1" | grep -q "src/core/step.c includes session/session.h"' \
    - "$(wrong "$copy")"
check "sideways is found" sh -c 'printf "%s" "$1" | grep -q "src/species/film_step.c includes air/air.h"' \
    - "$(wrong "$copy")"
finish
