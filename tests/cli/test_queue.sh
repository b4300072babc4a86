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
free=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc) # cores that it may use
exits 0 "at once" "$MENISCUS" run "$work/scene.yaml" -o "$work/once" -q --preview --threads "$cores"
once=$(state)
[ "$free" -gt 1 ] || skip "a thread beside the run: there is one core"
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

# Ray-traced pictures, too: the same ones, beside the run and at once, and the run has the same bits. Stopped, the ones
# that are there are whole; resumed, none is missing.
if "$MENISCUS" render "$work/once" --size 16x16 --frames 0 -o "$work/try" -q 2>/dev/null; then
    small="--set camera.size=[64,36] --set output.surface.formats=[] --until 0.012"
    for threads in 1 "$cores"; do
        exits 0 "pictures with --threads $threads" "$MENISCUS" run "$work/scene.yaml" -o "$work/drawn$threads" -q \
            --render --threads "$threads" $small
        check "the same bits with pictures" test "$(state)" = "$("$MENISCUS" run "$work/scene.yaml" -q $small \
            --overwrite -o "$work/plain" | sed -n 's/^state //p')"
    done
    check "the same pictures" sh -c 'for n in 0 1 2 3 4 5 6; do cmp "$1/render/frame_0000$n.png" \
        "$2/render/frame_0000$n.png" || exit 1; done' - "$work/drawn1" "$work/drawn$cores"
    "$MENISCUS" run "$work/scene.yaml" -o "$work/stopped" -q --render --threads 1 --set "camera.size=[320,180]" \
        --set time.end=20 >/dev/null 2>&1 &
    run=$!
    begun "$work/stopped" 8
    kill -INT $run
    wait $run
    check "exit code of an interrupted run" test $? -eq 130
    frames=$(ls "$work/stopped/frames" | wc -l)
    [ "$free" -eq 1 ] || check "some are left to draw" test "$(ls "$work/stopped/render" | grep -c png)" -lt "$frames"
    check "no half picture" sh -c '! ls "$1" | grep -q "partial\|tmp"' - "$work/stopped/render"
    exits 0 "resumed" "$MENISCUS" run "$work/scene.yaml" -o "$work/stopped" -q --render --threads 1 --resume \
        --set "camera.size=[64,36]" --set time.end=20 --steps "$frames"
    check "every frame is drawn" test "$(ls "$work/stopped/render" | grep -c 'frame_.*png')" -eq \
        "$(ls "$work/stopped/frames" | wc -l)"
    (ulimit -f 80 && "$MENISCUS" run "$work/scene.yaml" -o "$work/broken" -q --render --threads 1 \
        --set output.every=0.01 \
        --set "camera.size=[640,360]" --set "output.surface.formats=[]") >"$work/out" 2>"$work/err"
    check "a picture that cannot be written: exit code 1" test $? -eq 1
    check "the picture is named" grep -q "render/frame_00000.png: error: cannot write" "$work/err"
    exits 2 "no frames to draw" "$MENISCUS" run "$work/scene.yaml" -o "$work/none" --render --set output.every=0 \
        --set "output.surface.formats=[]"
    exits 2 "an eye inside a wall" "$MENISCUS" run "$work/scene.yaml" -o "$work/plain" --overwrite --render \
        --set 'walls.0.shapes=[{box: {size: [1, 1, 1]}}]' --set "camera.eye=[0.1,0.1,0.1]" --set "camera.target=[1,1,1]"
    check "nothing was overwritten" test -s "$work/plain/frames/frame_00001.vtp"
fi

# A failure beside the run ends it.
mkdir -p "$work/full/preview"
exits 0 "a short run" "$MENISCUS" run "$work/scene.yaml" -o "$work/full" -q --threads 1 --until 0.004
chmod 500 "$work/full/frames"
if [ "$(id -u)" -ne 0 ]; then
    exits 1 "a folder that cannot be written" "$MENISCUS" run "$work/scene.yaml" -o "$work/full" -q --threads 1 --resume
fi
chmod 700 "$work/full/frames"
finish
