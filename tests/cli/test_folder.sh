#!/bin/sh
# What a run leaves in its folder, and that nothing of an old run is lost unasked.
. "$(dirname "$0")/lib.sh"
scene=$work/small.yaml
dir=$work/run

exits 0 "a run" "$MENISCUS" run "$scene" -o "$dir" --until 0.06 --format vtp,bgeo,ply
for name in run.yaml stats.csv timing.csv checkpoint.h5 frames.pvd; do check "there is $name" test -s "$dir/$name"; done
for format in vtp bgeo ply; do
    check "five frames of $format" test "$(find "$dir/frames" -name "frame_0000[0-4].$format" | wc -l)" -eq 5
done
check "nothing is left half written" test -z "$(find "$dir" -name '*.partial')"
check "the collection names five frames" test "$(grep -c 'DataSet' "$dir/frames.pvd")" -eq 5
head="step,time,dt,particles,density_error_avg,density_error_max,kinetic_energy,potential_energy"
head="$head,momentum_x,momentum_y,momentum_z"
head="$head,pressure_iterations,velocity_iterations,max_speed,drained,lost"
check "stats.csv has its columns" test "$(head -n 1 "$dir/stats.csv")" = "$head"
check "frames lie at exact times" grep -q '^[0-9]*,0.015,' "$dir/stats.csv"
says "particle-steps/s" "the summary has the speed"
says "density error" "the summary has the density error"
check "the summary ends with the state" sh -c "tail -n 1 '$work/stdout' | grep -qE '^state [0-9a-f]{16}\$'"
exits 0 "run.yaml is a scene" "$MENISCUS" check "$dir/run.yaml"

before=$(cat "$dir"/*.csv "$dir"/*.h5 "$dir"/frames/* | cksum)
exits 2 "the folder is taken" "$MENISCUS" run "$scene" -o "$dir"
says "already holds a run" "says that it is taken"
echo "particles: {spacing: -1}" >"$work/broken.yaml"
exits 2 "a broken scene does not replace a run" "$MENISCUS" run "$work/broken.yaml" -o "$dir" --overwrite
check "nothing was lost" test "$before" = "$(cat "$dir"/*.csv "$dir"/*.h5 "$dir"/frames/* | cksum)"
echo mine >"$dir/notes.txt"
exits 0 "overwritten when asked" "$MENISCUS" run "$scene" -o "$dir" --until 0.02 --overwrite
check "old frames are gone" test ! -e "$dir/frames/frame_00004.vtp"
check "other files are not" test -e "$dir/notes.txt"

"$MENISCUS" run "$scene" -o "$work/busy" --quiet --set time.end=20 >/dev/null 2>&1 &
pid=$!
begun "$work/busy" 1
exits 2 "two runs in one folder" "$MENISCUS" run "$scene" -o "$work/busy" --resume --set time.end=20
says "another run is writing" "says that it is in use"
kill -INT $pid
wait $pid

echo file >"$work/file"
exits 2 "a file where the folder should be" "$MENISCUS" run "$scene" -o "$work/file" --steps 1
exits 3 "a step far too large diverges" "$MENISCUS" run "$scene" -o "$work/diverged" --set pressure.model=wcsph \
    --set pressure.sound_speed=100000 --set time.step=10 --set time.end=100 --set output.every=0
says "error: " "says where it diverged"
check "no frame of a diverged state" test -z "$(grep -il nan "$work"/diverged/stats.csv)"

exits 0 "pictures" "$MENISCUS" run "$scene" -o "$work/pictures" --until 0.03 --preview
check "three pictures" test "$(find "$work/pictures/preview" -name '*.png' | wc -l)" -eq 3

exits 0 "a folder whose name means something elsewhere" "$MENISCUS" run "$scene" -q -o "$work/50%d: 'it" --until 0.03 \
    --preview
if command -v ffmpeg >/dev/null 2>&1; then check "has its film" test -s "$work/50%d: 'it/preview.mp4"; fi
mkdir "$work/bin"
printf '#!/bin/sh\necho none of this >&2\nexit 1\n' >"$work/bin/ffmpeg"
chmod +x "$work/bin/ffmpeg"
exits 0 "a run without its film is whole" env PATH="$work/bin:$PATH" "$MENISCUS" run "$scene" -o "$work/no-film" \
    --until 0.03 --preview
says "warning: no film: ffmpeg ended with status 1: none of this" "says why there is no film"
says "state " "and ends with its state"
# Streams that are closed are not mistaken for the files that would get their numbers.
( exec "$MENISCUS" run "$scene" -o "$work/closed" --until 0.03 <&- >&- 2>&- )
check "without standard streams" test $? -eq 1
check "the tables stay clean" test "$(cat "$work"/closed/*.csv | grep -cE '^(step|[0-9]+),[a-z0-9.e-]+,')" \
    -eq "$(cat "$work"/closed/*.csv | wc -l)"

# Beyond 256 frames the collection is no longer written with each of them, but at the end it has all.
cat >"$work/many.yaml" <<'SCENE'
particles: {spacing: 0.02}
time: {step: 0.001, end: 0.261}
fluids: [{shapes: [{box: {grid: [1, 1, 1]}}]}]
output: {every: 0.001, fields: [velocity]}
SCENE
exits 0 "many frames" "$MENISCUS" run "$work/many.yaml" -o "$work/many" --quiet
check "the collection names 262 frames" test "$(grep -c 'DataSet' "$work/many/frames.pvd")" -eq 262

# A disk of 1 MB, if one may be mounted.
mkdir "$work/disk"
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=1200k none "$work/disk" 2>/dev/null; then
    "$MENISCUS" run "$scene" -o "$work/disk/run" --set time.end=20 --set output.every=0.002 >"$work/stdout" \
        2>"$work/stderr"
    check "a full disk ends with 1" test $? -eq 1
    says "No space left on device" "says that the disk is full"
    says "--resume continues from its checkpoint of step" "says what is lost"
    rm -rf "$work/disk/run/frames"
    exits 0 "its last checkpoint is good" "$MENISCUS" run "$scene" -o "$work/disk/run" --quiet --set time.end=20 \
        --set output.every=0.002 --resume --steps 1
    check "and was taken after the beginning" test -s "$work/disk/run/checkpoint.h5"
    umount "$work/disk"
else
    skip "full disk: no tmpfs may be mounted here"
fi
finish
