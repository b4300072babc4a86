#!/bin/sh
# Wrong command lines: exit code 2, one line that says what was expected, and a hint.
. "$(dirname "$0")/lib.sh"

exits 2 "no command" "$MENISCUS"
says "usage: meniscus" "no command prints the usage"

# wrong TEXT WORDS...: refused with that text and the hint.
wrong() {
    text=$1
    shift
    exits 2 "refused: $*" "$MENISCUS" "$@"
    says "$text" "said why: $*"
    says "--help" "said where to look: $*"
}
scene=$work/small.yaml
wrong "did you mean 'run'" rnu "$scene"
wrong "there is no command 'xyzzy'" xyzzy
wrong "needs a SCENE" run
wrong "needs a SCENE" check --quiet
wrong "did you mean '--steps'" run "$scene" --stpes 3
wrong "does not take --json" check "$scene" --json
wrong "a whole number from 0 to" run "$scene" --steps -3
wrong "a whole number from 0 to" run "$scene" --steps 1.5
wrong "a whole number from 0 to" run "$scene" --steps 99999999999999999999
wrong "a whole number from 0 to 1024" run "$scene" --threads 4096
wrong "a number of seconds" run "$scene" --until nan
wrong "a number of seconds" run "$scene" --until -1
wrong "a number of seconds" run "$scene" --until 1e999
wrong "--until needs a value" run "$scene" --until
wrong "takes no value" run "$scene" --preview=yes
wrong "did you mean 'vtp'" run "$scene" --format vtk
wrong "'ply' is named twice" run "$scene" --format ply,ply
wrong "there is no format ''" run "$scene" --format ""
wrong "did you mean 'opencl'" run "$scene" --backend opncl
wrong "expected KEY=VALUE" run "$scene" --set time.step
wrong "expected KEY=VALUE" check "$scene" --set =3
wrong "takes one SCENE" run "$scene" other.yaml
wrong "exclude each other" run "$scene" --resume --overwrite
wrong "did you mean 'models'" list modls
wrong "expected one of: models" list everything
wrong "did you mean 'dam-30k'" bench dam-30
wrong "did you mean 'hydrostatic'" validate hydrostatics
wrong "expected one of: bash" completion powershell
wrong "not an empty value" run "$scene" -o ""

exits 2 "a scene that is not there" "$MENISCUS" run "$work/nothing.yaml" -o "$work/none"
says "nothing.yaml: error:" "names the missing scene"
check "a refused run makes no folder" test ! -e "$work/none"
exits 2 "a near miss of a shipped scene" "$MENISCUS" check dam-30kk
says "dam-30k" "names the scene that was meant"
exits 2 "a folder as a scene" "$MENISCUS" run "$work" -o "$work/none"
exits 2 "a benchmark of no steps" "$MENISCUS" bench dam-30k --steps 0
mkdir "$work/dam-30k"
exits 0 "a folder called like a shipped scene" sh -c 'cd "$1" && "$2" check dam-30k' sh "$work" "$MENISCUS"
mkdir "$work/elsewhere"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >"$work/corner.obj"
sed 's/box: {grid.*}}]$/mesh: {file: corner.obj}}]/' "$scene" >"$work/corner.yaml"
exits 0 "a scene from standard input, its mesh from here" sh -c 'cd "$1" && "$2" check - <corner.yaml' sh "$work" \
    "$MENISCUS"
exits 2 "nothing from standard input" "$MENISCUS" check - </dev/null
exits 2 "endless standard input" "$MENISCUS" check - </dev/zero
exits 2 "an unknown key in --set" "$MENISCUS" check "$scene" --set tiem.step=0.1
exits 2 "an unknown key for a case" "$MENISCUS" validate free-fall --set tiem.step=0.1
says 'did you mean "time"' "offers the key"
exits 2 "--set for all cases" "$MENISCUS" validate --set time.step=0.001
says "expected a CASE whose scenes it changes" "asks for the case"
exits 2 "an instruction set that is not there" "$MENISCUS" run "$scene" --backend cpu:mmx -o "$work/none" --steps 1
exits 2 "a device that is not there" "$MENISCUS" run "$scene" --backend opencl:no-such-device -o "$work/none" --steps 1
exits 2 "a machine without devices" env OCL_ICD_VENDORS="$work/none" OCL_ICD_FILENAMES= "$MENISCUS" run "$scene" \
    --backend opencl -o "$work/none" --steps 1
exits 0 "a good scene" "$MENISCUS" check "$scene"
says "1,000 fluid particles" "check counts particles"
cat >"$work/stiff.yaml" <<'SCENE'
particles: {spacing: 0.01}
time: {step: 0.01, end: 1}
fluids: [{shapes: [{sphere: {radius: 0.05}}], tension: {model: akinci2013, cohesion: 1000}}]
SCENE
exits 0 "a step too long for an explicit model" "$MENISCUS" check "$work/stiff.yaml"
says "time.step of 0.01 s is far too long for this scene" "shows when it is tried"
for name in dam-30k dam-100k hydrostatic hydrostatic-tank couette poiseuille sloshing martin-moyce tank; do
    exits 0 "$name" "$MENISCUS" check "$name"
    check "nothing to warn of in $name" test ! -s "$work/stderr"
done
finish
