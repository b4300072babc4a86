#!/bin/sh
# Follows docs/adding-a-model.md and docs/adding-a-part.md literally: in a copy of the tree, with the files taken out of
# the pages' blocks and nothing else. Then does the same with the model and the part of tests/docs/walk, which a reader
# of the pages wrote. About 60 s on one core.
. "$(dirname "$0")/../cli/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
page=$root/docs/adding-a-model.md
part=$root/docs/adding-a-part.md

# block HEAD [PAGE]: the text of the fenced block whose fence says HEAD.
block() { awk -v head="\`\`\`$1" '$0 == head { on = 1; next } on && /^```/ { exit } on' "${2:-$page}"; }

mkdir "$work/tree"
(cd "$root" && tar cf - --exclude='./build*' --exclude=./.git --exclude=./out .) | tar xf - -C "$work/tree"
cd "$work/tree" || exit 1

block "c src/kernels/tension/kordilla2013.h" >src/kernels/tension/kordilla2013.h
cp "$root/tests/docs/walk/test_kordilla2013.c" tests/kernels
block "yaml scene kordilla2013.yaml" >kordilla2013.yaml
line=$(block "c src/scene/models.def")
check "the page has a kernel, a line and a scene" \
    test -s src/kernels/tension/kordilla2013.h -a -n "$line" -a -s kordilla2013.yaml
check "and names the test" grep -q tests/docs/walk/test_kordilla2013.c "$page"
check "the model is a file of under 30 lines" test "$(wc -l <src/kernels/tension/kordilla2013.h)" -lt 30
echo "$line" >>src/scene/models.def

mkdir src/heat
for file in kernel.h heat.c; do block "c src/heat/$file" "$part" >"src/heat/$file"; done
block "yaml scene heat.yaml" "$part" >heat.yaml
block "c src/scene/models.def" "$part" >>src/scene/models.def
check "a part is a folder and a line" test -s src/heat/kernel.h -a -s src/heat/heat.c -a -s heat.yaml -a \
    "$(block "c src/scene/models.def" "$part" | wc -l)" -eq 1

walk=$root/tests/docs/walk
cp "$walk/warren2003.h" src/kernels/tension
cp -r "$walk/cooling" src
cat "$walk/models.def" >>src/scene/models.def
check "a reader's model is a file of under 30 lines" test "$(wc -l <"$walk/warren2003.h")" -lt 30

# -O1: it compiles faster and gives the same bits.
cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1 -DMN_TESTS=ON >"$work/log" 2>&1
nice ninja -j "${JOBS:-1}" -C build meniscus >>"$work/log" 2>&1
if [ ! -x build/meniscus ]; then
    tail -n 30 "$work/log"
    fail "the tree builds"
    finish
fi
pass "the tree builds"
tool=$work/tree/build/meniscus

# A picture of the page with another name: the page's files are made anew.
if [ -e build/gen/view_assets.c ]; then
    thumb=$(ls view/thumbs | head -n 1)
    mv "view/thumbs/$thumb" "view/thumbs/renamed-$thumb"
    nice ninja -C build gen/view_assets.c >>"$work/log" 2>&1
    check "a renamed picture gets into the page" grep -q "/thumbs/renamed-$thumb" build/gen/view_assets.c
    mv "view/thumbs/renamed-$thumb" "view/thumbs/$thumb"
fi

# Every line that the page shows of a listing is one of the listing's.
for what in models parameters; do
    "$tool" list "$what" >"$work/listing"
    block "text meniscus list $what" >"$work/shown"
    check "list $what is as the page shows" sh -c 'test -s "$1" && ! grep -vxF -f "$2" "$1"' - "$work/shown" \
        "$work/listing"
done
"$tool" list schema >"$work/schema"
check "the schema knows the model" grep -q kordilla2013 "$work/schema"
"$tool" list reference >"$work/reference"
check "the reference knows the model" grep -q '^### tension: kordilla2013' "$work/reference"

exits 0 "its scene is good" "$tool" check kordilla2013.yaml
sed 's/adhesion: 0.01/adhesoin: 0.01/' kordilla2013.yaml >slip.yaml
exits 2 "a misspelt key is refused" "$tool" check slip.yaml
says "$(block 'text meniscus check, with adhesoin for adhesion')" "with the message of the page"

# fallen FILE LEAST MOST: how far the drop has come down, mm, from its potential energy m g y at g = 1 m/s^2.
fallen() {
    awk -F, -v least="$2" -v most="$3" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
             { height = $column["potential_energy"] / (144 * 1000 * 0.005 ^ 3) }
             NR == 2 { first = height }
             END { down = 1000 * (first - height); print "down by " down " mm"
                   exit !(down > least && down < most) }' "$1"
}
runs() { # BACKEND
    exits 0 "it runs on $1" "$tool" run kordilla2013.yaml -o "out/$1" --backend "$1" --threads 1 --quiet
    check "the drop hangs, on $1" fallen "out/$1/stats.csv" -1 1
}
runs cpu
lanes=$(state)
runs cpu-scalar
scalar=$(state)
check "cpu ends in the state of cpu-scalar" test -n "$scalar" -a "$scalar" = "$lanes"
sed 's/, adhesion: 0.01//' kordilla2013.yaml >falls.yaml
exits 0 "it runs without adhesion" "$tool" run falls.yaml -o out/falls --threads 1 --quiet
check "and the drop falls" fallen out/falls/stats.csv 5 8
if "$tool" list devices | grep -q '^opencl:'; then
    runs opencl
    check "opencl ends in the state of cpu-scalar" test -n "$scalar" -a "$scalar" = "$(state)"
else
    skip "no OpenCL device"
fi

# spread FILE: the last row's mean temperature is 350 K, and the spread that of the exact solution within 1 %.
spread() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
             { mean = $column["temperature_mean"]; spread = $column["temperature_spread"] }
             END { print "mean " mean " K, spread " spread " K"
                   exit !((mean - 350) ^ 2 < 0.01 ^ 2 && (spread / 31.15 - 1) ^ 2 < 0.01 ^ 2) }' "$1"
}
for backend in cpu cpu-scalar $("$tool" list devices | grep -q '^opencl:' && echo opencl); do
    exits 0 "heat on $backend" "$tool" run heat.yaml -o "out/heat-$backend" --backend "$backend" --threads 1 --quiet
    check "is conducted" spread "out/heat-$backend/stats.csv"
    heat=${heat:-$(state)}
    check "to the same bits" test -n "$heat" -a "$heat" = "$(state)"
done
exits 0 "half of it" "$tool" run heat.yaml -o out/half --steps 50 --quiet
exits 0 "and the rest" "$tool" run heat.yaml -o out/half --resume --quiet
check "end in the same state" test "$heat" = "$(state)"
check "with the same temperatures" cmp out/heat-cpu/stats.csv out/half/stats.csv

# A reader's model: the drop rises to the plate, or falls without adhesion. A reader's part: T - T_0 falls as exp(-t).
sed 's/kordilla2013/warren2003/' kordilla2013.yaml >warren.yaml
sed 's/kordilla2013/warren2003/' falls.yaml >warren-falls.yaml
cat >cooling.yaml <<'YAML'
particles: {spacing: 0.01}
gravity: [0, 0, 0]
time: {step: 0.004, end: 0.4}
fluids:
  - shapes: [{box: {grid: [8, 8, 8]}}]
    cooling: {model: newton, rate: 1}
output: {every: 0}
YAML
cooled() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next } { mean = $column["warmth_mean"] }
             END { print mean " K"; exit !((mean - 293 - 57 * exp(-0.4)) ^ 2 < 0.1 ^ 2) }' "$1"
}
model= cooling=
for backend in cpu cpu-scalar $("$tool" list devices | grep -q '^opencl:' && echo opencl); do
    exits 0 "a reader's model on $backend" "$tool" run warren.yaml -o "out/w-$backend" --backend "$backend" -q
    model=${model:-$(state)}
    check "to the same bits" test -n "$model" -a "$model" = "$(state)"
    exits 0 "a reader's part on $backend" "$tool" run cooling.yaml -o "out/c-$backend" --backend "$backend" -q
    cooling=${cooling:-$(state)}
    check "to the same bits, too" test -n "$cooling" -a "$cooling" = "$(state)"
done
check "the drop comes up" fallen out/w-cpu/stats.csv -20 -1
exits 0 "without adhesion" "$tool" run warren-falls.yaml -o out/w-falls --threads 1 -q
check "it falls" fallen out/w-falls/stats.csv 5 15
check "the liquid cools" cooled out/c-cpu/stats.csv
exits 0 "a part is stopped" "$tool" run cooling.yaml -o out/c-half --steps 50 -q
exits 0 "and resumed" "$tool" run cooling.yaml -o out/c-half --resume -q
check "its own state too" test "$cooling" = "$(state)"
check "and its columns" cmp out/c-cpu/stats.csv out/c-half/stats.csv

if grep -q 'build test_kordilla2013:' build/build.ninja; then
    nice ninja -j "${JOBS:-1}" -C build test_kordilla2013 >"$work/log" 2>&1 || tail -n 30 "$work/log"
    exits 0 "its unit test passes" build/test_kordilla2013
else
    skip "no cmocka"
fi
finish
