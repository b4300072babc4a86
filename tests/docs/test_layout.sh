#!/bin/sh
# What can be counted about the sources: lines of at most 120 columns, functions of at most 60 lines. A longer function
# says why in the comment above it, after the word "Long:".
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
        /^\}/ { if (open && FNR - open >= 60 && !reason) print FILENAME ":" open ": " FNR - open + 1 " lines"; open = 0; words = "" }' "$@"
}

check "no line is wider than 120 columns" test -z "$(wide $(sources))"
check "no function is longer than 60 lines" test -z "$(long $(sources))"

# Both are found.
awk 'BEGIN { printf "int a; /* %120s */\nint f(void)\n{\n", ""; for (k = 0; k < 60; k++) print "    f();"; print "}" }' >"$work/bad.c"
check "a wide line is found" test "$(wide "$work/bad.c")" = "$work/bad.c:1: 133 columns"
check "a long function is found" test "$(long "$work/bad.c")" = "$work/bad.c:3: 62 lines"
sed 's|^int f|/* Long: a table. */\nint f|' "$work/bad.c" >"$work/good.c"
check "a reason is enough" test -z "$(long "$work/good.c")"
finish
