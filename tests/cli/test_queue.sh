#!/bin/sh
# Frames, meshes and pictures made beside the run by a thread of its own: the same files as made at once, and none is
# lost on Ctrl-C.
. "$(dirname "$0")/lib.sh"
cat >"$work/scene.yaml" <<'END'
particles: {spacing: 0.05}
time: {step: 0.002, end: 0.06}
fluids: [{shapes: [{box: {min: [0.05, 0.05, 0.05], max: [0.5, 0.6, 0.5]}}]}]
walls: [{shapes: [{box: {min: [0, 0, 0], max: [1, 1, 0.55], inside_out: true, open: [top]}}]}]
bodies: [{density: 500, shapes: [{sphere: {centre: [0.75, 0.3, 0.25], radius: 0.1}}]}]
output: {every: 0.002, surface: {formats: [ply]}}
camera: {size: [160, 90]}
END
cores=$(getconf _NPROCESSORS_ONLN)
exits 0 "at once" "$MENISCUS" run "$work/scene.yaml" -o "$work/once" -q --preview --threads "$cores"
once=$(state)
[ "$cores" -gt 1 ] || skip "a thread beside the run: there is one core"
exits 0 "beside the run" "$MENISCUS" run "$work/scene.yaml" -o "$work/beside" -q --preview --threads 1
check "the same bits" test "$once" = "$(state)"
for folder in frames preview surface bodies; do
    check "the same $folder" diff -r "$work/once/$folder" "$work/beside/$folder"
done
check "the same list of frames" cmp "$work/once/frames.pvd" "$work/beside/frames.pvd"

# Stopped in the middle, every frame up to the checkpoint is there; resumed, all are.
"$MENISCUS" run "$work/scene.yaml" -o "$work/cut" -q --preview --threads 1 --set time.end=20 >/dev/null 2>&1 &
run=$!
begun "$work/cut" 8
kill -INT $run
wait $run
steps=$(($(wc -l <"$work/cut/stats.csv") - 1))
check "it was stopped" test "$steps" -lt 10000
check "no frame is lost" test "$(ls "$work/cut/frames" | wc -l)" -eq $((steps + 1))
check "no picture is lost" test "$(ls "$work/cut/preview" | grep -c png)" -eq $((steps + 1))
check "no mesh is lost" test "$(ls "$work/cut/surface" | grep -c ply)" -eq $((steps + 1))

# A failure beside the run ends it.
mkdir -p "$work/full/preview"
exits 0 "a short run" "$MENISCUS" run "$work/scene.yaml" -o "$work/full" -q --threads 1 --until 0.004
chmod 500 "$work/full/frames"
if [ "$(id -u)" -ne 0 ]; then
    exits 1 "a folder that cannot be written" "$MENISCUS" run "$work/scene.yaml" -o "$work/full" -q --threads 1 --resume
fi
chmod 700 "$work/full/frames"
finish
