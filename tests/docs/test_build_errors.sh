#!/bin/sh
# Misspelt names in kernel files and in models.def end the build, and the message says where. Seconds.
. "$(dirname "$0")/../cli/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$work/gen" "$work/src/scene"
cp -r "$root/src/kernels" "$work/kernels"
tables() { sh "$root/tools/kernel_tables.sh" "$work/kernels" "$work/gen"; }

# slip FILE FROM TO: the kernel file with one word changed, until `undo`.
slip() { sed -i "s/$2/$3/" "$work/kernels/$1" && ! cmp -s "$work/kernels/$1" "$root/src/kernels/$1" ||
    fail "no '$2' in $1"; }
undo() { cp "$root/src/kernels/$1" "$work/kernels/$1"; }

# Warnings are errors here, and not for those who install or package it.
flags() {
    cmake -G Ninja -S "$root" -B "$work/flags" "$@" && grep -c -e ' -Werror ' "$work/flags/compile_commands.json"
}
exits 0 "tests are built with warnings as errors" flags -DMN_WERROR=ON
exits 1 "not for those who install it" flags -DMN_WERROR=OFF
exits 1 "nor where no tests are built" flags -UMN_WERROR -DMN_TESTS=OFF

exits 0 "the kernel files as they are" tables
slip surface/surface_normal.h 'X(WRITES, real4, normal)' 'X(WRITES, real4, norml)'
exits 1 "a misspelt field" tables
says 'field "norml" is not registered' "the message names the field"
says 'surface_normal.h:' "and the file"
undo surface/surface_normal.h
slip surface/surface_normal.h 'X(WRITES, real4, normal)' 'X(WRITES, real, normal)'
exits 1 "a field of another type" tables
says 'field "normal" is real here, but real4 in surface/surface_normal.h' "the message says both types"
undo surface/surface_normal.h
slip tension/he2014.h 'F(colour, real,' 'F(area, real,'
exits 1 "a field of two owners" tables
says 'field "area" is registered twice' "the message says so"
undo tension/he2014.h
exits 0 "the files as they were" tables

slip step/density.h 'needs: spline.h' 'needs: splin.h'
exits 1 "a misspelt helper" tables
says 'needs "splin.h", which is not a kernel file' "the message names it"
undo step/density.h
echo '/* needs: density.h */' >>"$work/kernels/spline.h"
exits 1 "files that need each other" tables
says 'files need each other' "the message says so"
undo spline.h
exits 0 "the files as they were, again" tables

# A file names all that it needs: each compiles with these alone.
path_of() { (cd "$root/src/kernels" && ls "$1" ./*/"$1" 2>/dev/null); }
needs() { sed -n 's,^/\* needs: \(.*\) \*/$,\1,p' "$root/src/kernels/$1"; }
with_needs() { for need in $(needs "$1"); do with_needs "$(path_of "$need")"; done; echo "$1"; }
alone() {
    with_needs "$1" | awk '!seen[$0]++ {
            print "#include \"kernels/" $0 "\""
            if ($0 == "pair.h") print "#include \"kernel_pairs.h\""
        }' | "${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -DMN_LANES=1 \
        -fsyntax-only -I"$work/gen" -I"$root/src" -I"$root/include" -include run/cpu_kernels.h -x c -
}
for file in "$root"/src/kernels/*.h "$root"/src/kernels/*/*.h; do
    case $file in */port*.h | */pair_loop.h | *_params.h) continue ;; esac
    file=${file#"$root"/src/kernels/}
    alone "$file" 2>"$work/stderr" || { cat "$work/stderr"; fail "$file needs more than it says"; }
done
pass "kernel files name what they need"

# No kernel is unused: models.def, a method or the core names each kernel; <name>_on_boundary follows its model.
unused=$(sed -n 's/^KERNEL_ENTRY(\(.*\))$/\1/p' "$work/gen/kernel_list.h" | while read -r kernel; do
    grep -rqw -e "K($kernel)" -e "MN_KERNEL_$kernel" "$root/src" --include=*.c --include=*.h --include=*.def ||
        grep -qw "K(${kernel%_on_boundary})" "$root/src/scene/models.def" || echo "$kernel"
done)
check "every kernel is run by something ($unused)" test -z "$unused"

# The table of models, with the compiler's check alone.
compile() { "${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -fsyntax-only -I"$work/gen" -I"$work/src" -I"$root/src" \
    -I"$root/include" "$root/src/methods/model_code.c"; }
cp "$root/src/scene/models.def" "$work/src/scene"
exits 0 "models.def as it is" compile
sed -i 's/K(akinci2013)/K(akinci2031)/' "$work/src/scene/models.def"
exits 1 "a misspelt kernel" compile
says 'MN_KERNEL_akinci2031' "the message names the kernel"
finish
