#!/bin/sh
# Whether all sources are formatted as .clang-format says.
cd "$(dirname "$0")/.." || exit 1
git ls-files -co --exclude-standard 'cli/*.[ch]' 'src/*.[ch]' 'include/*.h' 'tests/*.[ch]' 'examples/*.[ch]' |
    xargs -n 40 clang-format --dry-run -Werror 2>&1 |
    sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: error: .*/\1 is not formatted; make format does it/p; /clang-format:/p' |
    sort -u |
    awk '{ print } END { exit NR > 0 }'
