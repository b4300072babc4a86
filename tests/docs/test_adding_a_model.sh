#!/bin/sh
# Follows docs/adding-a-model.md literally: in a copy of the tree, with the files taken out of the page's blocks. About 30 s on one core.
. "$(dirname "$0")/../cli/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
page=$root/docs/adding-a-model.md

# block HEAD: the text of the fenced block whose fence says HEAD.
block() { awk -v head="\`\`\`$1" '$0 == head { on = 1; next } on && /^```/ { exit } on' "$page"; }

mkdir "$work/tree"
(cd "$root" && tar cf - --exclude='./build*' --exclude=./.git --exclude=./out .) | tar xf - -C "$work/tree"
cd "$work/tree" || exit 1

block "c src/kernels/mueller2003.h" >src/kernels/mueller2003.h
block "c tests/kernels/test_mueller2003.c" >tests/kernels/test_mueller2003.c
block "yaml scene mueller2003.yaml" >mueller2003.yaml
line=$(block "c src/scene/models.def")
check "the page has a kernel, a line, a test and a scene" \
    test -s src/kernels/mueller2003.h -a -n "$line" -a -s tests/kernels/test_mueller2003.c -a -s mueller2003.yaml
# After the last viscosity that is explicit: "among the viscosities".
awk -v line="$line" '{ print } /^MODEL\(viscosity, xsph,/ { print line }' src/scene/models.def >models.new && mv models.new src/scene/models.def
check "the line is in the table" grep -q '^MODEL(viscosity, mueller2003,' src/scene/models.def

cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release -DMN_TESTS=ON >"$work/log" 2>&1
nice ninja -j "${JOBS:-1}" -C build meniscus >>"$work/log" 2>&1
if [ ! -x build/meniscus ]; then
    tail -n 30 "$work/log"
    fail "the tree builds"
    finish
fi
pass "the tree builds"
tool=$work/tree/build/meniscus

# Every line that the page shows of a listing is one of the listing's.
for what in models parameters; do
    "$tool" list "$what" >"$work/listing"
    block "text meniscus list $what" >"$work/shown"
    check "list $what is as the page shows" sh -c 'test -s "$1" && ! grep -vxF -f "$2" "$1"' - "$work/shown" "$work/listing"
done
"$tool" list schema >"$work/schema"
check "the schema knows the model" grep -q mueller2003 "$work/schema"
"$tool" list reference >"$work/reference"
check "the reference knows the model" grep -q '^### viscosity: mueller2003' "$work/reference"

exits 0 "its scene is good" "$tool" check mueller2003.yaml
sed 's/mueller2003, viscosity:/mueller2003, viscosty:/' mueller2003.yaml >slip.yaml
exits 2 "a slip of the pen is refused" "$tool" check slip.yaml
says "$(block 'text meniscus check, with viscosty for viscosity')" "with the message of the page"

# Kinetic energy at 0.3 s over that at 0.1 s against exp(-2 nu k^2 0.2 s).
decays() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
             { t = $column["time"]; if (t < 0.1 + 1e-9) before = $column["kinetic_energy"]; after = $column["kinetic_energy"] }
             END { ratio = after / before / exp(-2 * 0.05 * 4 * 3.14159265 ^ 2 * 0.2); print "energy over the formula: " ratio
                   exit !(t > 0.299 && ratio > 0.98 && ratio < 1.02) }' "$1"
}
runs() { # BACKEND
    exits 0 "it runs on $1" "$tool" run mueller2003.yaml -o "out/$1" --backend "$1" --threads 1 --quiet
    check "the layers come to rest as the formula says, on $1" decays "out/$1/stats.csv"
}
runs cpu
runs cpu-scalar
scalar=$(state)
if "$tool" list devices | grep -q '^opencl:'; then
    runs opencl
    check "opencl ends in the state of cpu-scalar" test -n "$scalar" -a "$scalar" = "$(state)"
else
    skip "no OpenCL device"
fi

if grep -q 'build test_mueller2003:' build/build.ninja; then
    nice ninja -j "${JOBS:-1}" -C build test_mueller2003 >"$work/log" 2>&1 || tail -n 30 "$work/log"
    exits 0 "its unit test passes" build/test_mueller2003
else
    skip "no cmocka"
fi
finish
