#!/bin/sh
# Values on the command line and in variations: removal, spelling, default names, scale of meshes; names of scenes.
. "$(dirname "$0")/lib.sh"

cat >"$work/two.yaml" <<'SCENE'
particles: {spacing: 0.05}
time: {step: 0.002, end: 0.02}
fluids:
  - shapes: [{box: {size: [0.2, 0.2, 0.2], center: [0, 1, 0]}}]
domain: {min: [-2, -2, -2], max: [2, 2, 2]}
walls:
  - shapes: [{plane: {size: [1, 1]}}]
  - name: second
    shapes: [{plane: {size: [1, 1], point: [0, -0.5, 0]}}]
output: {every: 0}
SCENE

# run WORDS...: runs it, and leaves run.yaml in $work/out.
run() { exits 0 "$*" "$MENISCUS" run "$work/two.yaml" -o "$work/out" --overwrite -q --steps 1 "$@"; }
run
check "center is read as centre" grep -q 'centre: \[0, 1, 0\]' "$work/out/run.yaml"
run --set fluids.fluid1.shapes.0.box.center="[0, 2 - 0.5, 0]" --set walls.wall1.friction=0.5
check "--set takes center" grep -q 'centre: \[0, 1.5, 0\]' "$work/out/run.yaml"
check "--set takes the default name of an entry" grep -q 'friction: 0.5' "$work/out/run.yaml"
run --set domain=null --set walls.wall1=~
check "a section is removed" test "$(grep -c '^domain' "$work/out/run.yaml")" -eq 0
check "an entry is removed, and only that" test \
    "$(grep -c '  - name: "second"\|  - name: "wall' "$work/out/run.yaml")" -eq 1
printf 'base: two.yaml\nset: {domain: null, walls: null}\n' >"$work/bare.yaml"
exits 0 "a variation removes sections" "$MENISCUS" run "$work/bare.yaml" -o "$work/out" --overwrite -q --steps 1
check "the variation has no walls" grep -q '^walls: \[\]' "$work/out/run.yaml"
exits 2 "what is not there cannot be removed" "$MENISCUS" check "$work/two.yaml" --set camera=null
says 'there is no key "camera" to remove' "it says so"
exits 2 "a required section cannot be removed" "$MENISCUS" check "$work/two.yaml" --set particles=null
says 'the key "particles" is missing' "it says so"
check "and nothing else is blamed" test "$(grep -c error "$work/stderr")" -eq 1

# A mesh, a cube of 0.2, stretched to 0.2 x 0.4 x 0.6.
cat >"$work/cube.obj" <<'OBJ'
v 0 0 0
v 0.2 0 0
v 0 0.2 0
v 0.2 0.2 0
v 0 0 0.2
v 0.2 0 0.2
v 0 0.2 0.2
v 0.2 0.2 0.2
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
OBJ
run --set "fluids.0.shapes=[{mesh: {file: cube.obj, scale: [1, 2, 3]}}]" --set domain=null --set walls=null
check "run.yaml keeps three scales" grep -q 'scale: \[1, 2, 3\]' "$work/out/run.yaml"
check "a stretched mesh is filled" grep -q '^1,.*,384,' "$work/out/stats.csv"
run --set "fluids.0.shapes=[{mesh: {file: cube.obj, scale: 2}}]" --set domain=null --set walls=null
check "run.yaml keeps one scale" grep -q 'scale: 2,' "$work/out/run.yaml"
exits 2 "two scales" "$MENISCUS" check "$work/two.yaml" \
    --set "fluids.0.shapes=[{mesh: {file: cube.obj, scale: [1, 2]}}]"
says "expected a number or a list of 3 numbers" "it says what is expected"

# Names of scenes.
check "every scene that comes with the program has its own name" test \
    -z "$("$MENISCUS" list scenes | cut -d ' ' -f 1 | sort | uniq -d)"
mkdir -p "$work/scenes/a" "$work/scenes/b"
cp "$work/two.yaml" "$work/scenes/a/pool.yaml"
cp "$work/two.yaml" "$work/scenes/b/pool.yaml"
MENISCUS_SCENES=$work/scenes
export MENISCUS_SCENES
exits 2 "a name of two scenes" "$MENISCUS" check pool
says "several scenes are named 'pool'; expected one of a/pool, b/pool" "it names both"
exits 0 "the name with its folder" "$MENISCUS" check b/pool
exits 0 "one folder is listed" "$MENISCUS" list scenes a
check "with its scene" grep -q '^pool' "$work/stdout"
exits 2 "an unknown folder" "$MENISCUS" list scenes c
unset MENISCUS_SCENES

exits 0 "the overview" "$MENISCUS" list
says "jeske2023" "it names models"
exits 0 "keys of a scene" "$MENISCUS" list keys "$work/two.yaml"
check "with the names of entries" grep -q '^walls.second.contact_angle  *degrees' "$work/stdout"
for key in $(cut -d ' ' -f 1 "$work/stdout" | grep '^walls.*spacing$\|^walls.*friction$'); do
    exits 0 "--set $key" "$MENISCUS" check -q "$work/two.yaml" --set "$key=0.05"
done
"$MENISCUS" completion bash >"$work/completion"
answer=$(bash -c '. "$1"; COMP_WORDS=("$2" run "$3" --set walls.second.adh); COMP_CWORD=4; _meniscus
    echo "${COMPREPLY[*]}"' bash "$work/completion" "$MENISCUS" "$work/two.yaml")
check "bash completes keys of the scene" test "$answer" = "walls.second.adhesion="
# What is written on the command line comes back on one line, without its control characters, and not at any length.
exits 2 "a control character" "$MENISCUS" check "$work/small.yaml" --set "$(printf 'time.end=\033[31m')"
check "is not sent to the terminal" test "$(grep -c "$(printf '\033')" "$work/stderr")" -eq 0
exits 2 "a long value" "$MENISCUS" check "$work/small.yaml" --set "time.end=$(printf '%03000d' 0)x"
check "is cut in the message" test "$(wc -c <"$work/stderr")" -lt 600
finish
