#!/bin/sh
# An interrupted run continues to the same bits, whatever stopped it and however many threads continue it.
. "$(dirname "$0")/lib.sh"
scene=$work/small.yaml
run() { "$MENISCUS" run "$scene" --quiet "$@"; }

# same DIR WHAT: the run in DIR has the state, the table and the frames of the uninterrupted one.
same() {
    check "$2: same state" test "$(state)" = "$whole"
    check "$2: same table" cmp -s "$work/whole/stats.csv" "$1/stats.csv"
    check "$2: same frames" diff -rq "$work/whole/frames" "$1/frames"
    check "$2: same collection" cmp -s "$work/whole/frames.pvd" "$1/frames.pvd"
}

exits 0 "a whole run" run -o "$work/whole" --steps 40
whole=$(state)
check "it has a state" test -n "$whole"

exits 0 "half a run" run -o "$work/half" --steps 20
check "half is another state" test "$(state)" != "$whole"
exits 0 "the other half" run -o "$work/half" --steps 40 --resume
same "$work/half" "after --steps"

exits 0 "up to a time between frames" run -o "$work/until" --until 0.0331
exits 0 "the rest, on one thread" run -o "$work/until" --steps 40 --resume --threads 1
same "$work/until" "after --until"

exits 0 "an ended run resumed" run -o "$work/half" --steps 40 --resume
same "$work/half" "after resuming an ended run"

# Signals, with enough steps that they arrive in the middle.
"$MENISCUS" run "$scene" -o "$work/long" --quiet --set time.end=20 --set output.every=0 --set "title=it's long" \
    >"$work/long.out" 2>&1 &
pid=$!
begun "$work/long" 20
kill -INT $pid
wait $pid
check "SIGINT ends with 130" test $? -eq 130
continues="  meniscus run $scene -o $work/long --set time.end=20 --set output.every=0"
continues="$continues --set 'title=it'\\''s long' --resume"
check "it says how to continue" grep -qxF -- "$continues" "$work/long.out"
steps=$(sed -n 's/.*interrupted at step \([0-9]*\),.*/\1/p' "$work/long.out")
check "some steps were made" test "${steps:-0}" -gt 0
more=$((steps + 15))
exits 0 "resumed after SIGINT" run -o "$work/long" --set time.end=20 --set output.every=0 --set "title=it's long" \
    --steps $more --resume
resumed=$(state)
exits 0 "never interrupted" run -o "$work/never" --set time.end=20 --set output.every=0 --steps $more
check "SIGINT: same state" test "$(state)" = "$resumed"
check "SIGINT: same table" cmp -s "$work/never/stats.csv" "$work/long/stats.csv"

"$MENISCUS" run "$scene" -o "$work/term" --quiet --set time.end=20 >"$work/term.out" 2>&1 &
pid=$!
begun "$work/term" 1
kill -TERM $pid
wait $pid
check "SIGTERM ends with 130" test $? -eq 130

( trap '' HUP; exec "$MENISCUS" run "$scene" -o "$work/nohup" --quiet --set time.end=20 --steps 400 >"$work/nohup.out" \
    2>&1 ) &
pid=$!
begun "$work/nohup" 1
kill -HUP $pid
wait $pid
check "SIGHUP under nohup ends nothing" test $? -eq 0

# A killed process loses the work since its last checkpoint, and nothing else.
"$MENISCUS" run "$scene" -o "$work/killed" --quiet --set time.end=20 >/dev/null 2>&1 &
pid=$!
begun "$work/killed" 40 # past two checkpoints
kill -KILL $pid
wait $pid 2>/dev/null
rows=$(wc -l <"$work/killed/stats.csv")
exits 0 "resumed after SIGKILL" run -o "$work/killed" --set time.end=20 --steps $((rows + 10)) --resume
killed=$(state)
exits 0 "never killed" run -o "$work/alive" --set time.end=20 --steps $((rows + 10))
check "SIGKILL: same state" test "$(state)" = "$killed"
check "SIGKILL: same table" cmp -s "$work/alive/stats.csv" "$work/killed/stats.csv"

# Bad checkpoints.
exits 0 "a run to damage" run -o "$work/bad" --steps 33
size=$(wc -c <"$work/bad/checkpoint.h5")
truncate -s $((size / 2)) "$work/bad/checkpoint.h5"
exits 0 "resumed past a truncated checkpoint" "$MENISCUS" run "$scene" -o "$work/bad" --steps 40 --resume
says "checkpoint.h5: warning: this checkpoint was refused" "says that the newer one was refused"
says "checkpoint.prev.h5: note: resumed at step" "says which one it took"
same "$work/bad" "after a truncated checkpoint"
: >"$work/bad/checkpoint.h5"
: >"$work/bad/checkpoint.prev.h5"
exits 2 "no good checkpoint" run -o "$work/bad" --steps 40 --resume
says "no checkpoint of this run can be used" "says that none is good"

# A mesh that changes while its name stays is another scene; a state that diverged leaves the one before it.
printf 'v 0 0 0\nv 1.2 0 0\nv 0 1 0\nv 1.2 1 0\nv 0 0 0.6\nv 1.2 0 0.6\nv 0 1 0.6\nv 1.2 1 0.6\n' >"$work/tank.obj"
printf 'f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n' >>"$work/tank.obj"
sed 's/box: {min.*inside_out/mesh: {file: tank.obj, inside_out/' "$work/small.yaml" >"$work/mesh.yaml"
exits 0 "a run in a mesh" "$MENISCUS" run "$work/mesh.yaml" -q -o "$work/mesh" --steps 5
exits 0 "goes on in it" "$MENISCUS" run "$work/mesh.yaml" -q -o "$work/mesh" --steps 10 --resume
sed -i 's/1\.2/1.3/' "$work/tank.obj"
exits 2 "not in another one" "$MENISCUS" run "$work/mesh.yaml" -q -o "$work/mesh" --steps 15 --resume
says 'tank.obj" is not the one that the run began with' "names the mesh that changed"
rm "$work/mesh/run.yaml"
exits 2 "nor without run.yaml" "$MENISCUS" run "$work/mesh.yaml" -q -o "$work/mesh" --steps 15 --resume
says 'tank.obj" is not the one that the run began with' "names the mesh that changed, from the checkpoint"
cat >"$work/diverges.yaml" <<'SCENE'
particles: {spacing: 0.05}
time: {step: 0.01, end: 1}
gravity: {0: [0, 0, 0], 0.5: [0, -1e5, 0]}
fluids: [{shapes: [{sphere: {radius: 0.2}}]}]
SCENE
exits 3 "a run diverges" "$MENISCUS" run "$work/diverges.yaml" -o "$work/diverges" --set output.every=0
last=$(sed -n 's/.*kept:.* the state of step \([0-9]*\),.*/\1/p' "$work/stderr")
says "diverged at step $((last + 1))," "the state kept is the last good one"
exits 0 "which is there" "$MENISCUS" run "$work/diverges.yaml" -q -o "$work/diverges" --set output.every=0 \
    --steps "$last" --resume
kept=$(state)
exits 0 "up to there" "$MENISCUS" run "$work/diverges.yaml" -q -o "$work/good" --set output.every=0 --steps "$last"
check "the same state" test "$(state)" = "$kept"

# Emitters, sinks, walls that move, bodies, solids, species, wind, periodic axes, keyframes, all at once, from backend
# to backend.
all=$(dirname "$0")/../golden/scenes/everything.yaml
exits 0 "everything at once" "$MENISCUS" run "$all" -q -o "$work/all" --threads 2
whole_all=$(state)
step=0
for backend in "cpu --threads 1" opencl cpu-scalar "cpu:plain --threads 2" "cpu --threads 3"; do
    if [ "$backend" = opencl ] && "$MENISCUS" list devices | grep -q "^no "; then
        skip "opencl: there is no device"
        continue
    fi
    step=$((step + 25))
    until="--steps $step"
    [ "$backend" != "cpu --threads 3" ] || until=
    # shellcheck disable=SC2086
    exits 0 "part of it on $backend" "$MENISCUS" run "$all" -q -o "$work/parts" --resume --backend $backend $until
done
check "everything: same state" test "$(state)" = "$whole_all"
for name in stats.csv bodies.csv solids.csv frames.pvd frames grids bodies solids; do
    check "everything: same $name" diff -rq "$work/all/$name" "$work/parts/$name"
done

mkdir "$work/pipe"
mkfifo "$work/pipe/run.yaml"
exits 2 "a pipe as run.yaml does not hang" timeout 20 "$MENISCUS" run "$scene" -q -o "$work/pipe" --resume
exits 2 "another scene" run -o "$work/half" --resume --set fluids.0.density=900
says "fluids.0.density: 1000 in run.yaml, 900 in the scene" "names the key that differs"

# The checkpoint itself knows of which scene it is.
refused() {
    what=$1 key=$2
    shift 2
    exits 2 "$what" "$MENISCUS" run "$scene" -o "$work/other" --steps 40 --resume "$@"
    says "checkpoint.h5: warning: this checkpoint was refused: this belongs to another scene: $key" \
        "$what: names what differs"
    says "no checkpoint of this run can be used" "$what: ends there"
}
exits 0 "a run without its run.yaml" run -o "$work/other" --steps 20
cp "$work/other/stats.csv" "$work/stats.before"
rm "$work/other/run.yaml"
refused "another density" "fluids.0.density: 1000 in the checkpoint, 900 in the scene" --set fluids.0.density=900
refused "another amount" "fluids.0.shapes.0.box.grid: [10, 10, 10] in the checkpoint, [10, 9, 10] in the scene" \
    --set "fluids.0.shapes.0={box: {grid: [10, 9, 10], origin: [0.075, 0.06, 0.075]}}"
refused "a sink more" "sinks: [] in the checkpoint, [{shape: " --set "sinks=[{shape: {sphere: {radius: 0.1}}}]"
refused "another gravity" "gravity: [0, -9.81, 0] in the checkpoint, [0, -1.62, 0] in the scene" \
    --set "gravity=[0, -1.62, 0]"
check "nothing is lost" cmp -s "$work/stats.before" "$work/other/stats.csv"
exits 0 "the same scene, with what may change" run -o "$work/other" --steps 40 --resume --set title=other \
    --set time.end=3 --set camera.fov=50 --set checkpoint.every=1 --set fluids.0.look.colour=red --backend cpu-scalar
check "the same state" test "$(state)" = "$whole"
check "the same table" cmp -s "$work/whole/stats.csv" "$work/other/stats.csv"
exits 0 "a run with more water" run -o "$work/more" --steps 20 \
    --set "fluids.0.shapes.0={box: {grid: [12, 10, 10], origin: [0.075, 0.06, 0.075]}}"
cp "$work/more/checkpoint.h5" "$work/half/checkpoint.h5"
exits 0 "its checkpoint is passed over" "$MENISCUS" run "$scene" -o "$work/half" --steps 40 --resume
says "checkpoint.h5: warning: this checkpoint was refused: this belongs to another scene: fluids.0.shapes.0.box.grid" \
    "says why"
says "checkpoint.prev.h5: note: resumed at step" "and takes the one before"
same "$work/half" "after a checkpoint of another scene"

# Rows and frames that are gone are said, and no others.
exits 0 "a run to lose from" run -o "$work/lost" --steps 30
sed -i -e '/^4,/d' -e '/^1[1-4],/d' -e '/^30,/d' "$work/lost/stats.csv"
rm "$work/lost/timing.csv" "$work/lost/frames/frame_00001.vtp" "$work/lost/frames/frame_00003.vtp"
exits 0 "goes on" "$MENISCUS" run "$scene" -o "$work/lost" --steps 40 --resume
says "lost/stats.csv: warning: rows are missing, of step 4, 11 to 14, 30;" "names the rows"
says "lost/timing.csv: warning: rows are missing, of step 1 to 30;" "names the table"
says "lost/frames: warning: missing: frame 1, 3;" "names the frames"
check "nothing else" test "$(grep -c warning "$work/stderr")" -eq 3
exits 0 "whole, in another format" "$MENISCUS" run "$scene" -o "$work/fine" --steps 20
exits 0 "goes on" "$MENISCUS" run "$scene" -o "$work/fine" --steps 40 --resume --format ply
check "nothing is said" test "$(grep -c warning "$work/stderr")" -eq 0
exits 0 "rows at intervals" run -o "$work/seldom" --steps 40 --set stats.every=0.01
exits 0 "go on" "$MENISCUS" run "$scene" -o "$work/seldom" --steps 45 --resume --set stats.every=0.01
check "nothing is said" test "$(grep -c warning "$work/stderr")" -eq 0
sed -i '4,5d' "$work/seldom/stats.csv"
exits 0 "without two" "$MENISCUS" run "$scene" -o "$work/seldom" --steps 50 --resume --set stats.every=0.01
says "seldom/stats.csv: warning: rows are missing, of step 16, 21;" "names the steps that another table has"
says "seldom/stats.csv: warning: rows are missing between the times 0.021 and 0.049 s;" "and the times"

# Killed at any moment, and again, it loses nothing that its checkpoint holds.
exits 0 "the run not killed" "$MENISCUS" run "$scene" -q -o "$work/calm" --set time.step=0.0005 \
    --set checkpoint.every=0.004 --steps 300
calm=$(state)
for pause in 0.05 0.13 0.31 0.22 0.4 0.17; do
    "$MENISCUS" run "$scene" -q -o "$work/murdered" --set time.step=0.0005 --set checkpoint.every=0.004 --steps 300 \
        --resume >/dev/null 2>"$work/murder" &
    pid=$!
    sleep $pause
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    check "no warning after $pause s" test "$(grep -c warning "$work/murder")" -eq 0
done
exits 0 "killed six times" "$MENISCUS" run "$scene" -o "$work/murdered" --set time.step=0.0005 \
    --set checkpoint.every=0.004 --steps 300 --resume
check "killed: nothing is missing" test "$(grep -c warning "$work/stderr")" -eq 0
check "killed: same state" test "$(state)" = "$calm"
check "killed: same table" cmp -s "$work/calm/stats.csv" "$work/murdered/stats.csv"
check "killed: same frames" diff -rq "$work/calm/frames" "$work/murdered/frames"

# Folders of any name hold scenes with meshes.
sed -i 's/1\.3/1.2/' "$work/tank.obj"
for name in 'a\tb' 'a\nb' 'a\377b' 'a\001b' 'a\302\205b'; do
    # shellcheck disable=SC2059
    folder="$work/$(printf "$name")"
    mkdir "$folder"
    cp "$work/mesh.yaml" "$work/tank.obj" "$folder"
    exits 0 "begun in $name" "$MENISCUS" run "$folder/mesh.yaml" -q -o "$folder/out" --steps 3
    exits 0 "resumed in $name" "$MENISCUS" run "$folder/mesh.yaml" -q -o "$folder/out" --steps 6 --resume \
        --set time.end=0.3
    exits 0 "its run.yaml is a scene" "$MENISCUS" check "$folder/out/run.yaml"
done
: >"$work/file"
exits 2 "a file in place of the folder" run -o "$work/file"
says "file\" is a file; expected a folder" "says so"
exits 2 "nor is what would lie in it" run -o "$work/file/sub"
says "file\" is a file; expected a folder" "says so"
exits 2 "nor for meshes" "$MENISCUS" mesh "$work/whole" -o "$work/file"
says "file\" is a file; expected a folder" "says so"
exits 2 "nor for a sweep" "$MENISCUS" sweep "$scene" --vary fluids.0.density=900,1000 -o "$work/file"
says "file\" is a file; expected a folder" "says so"

# Rows are on the disk before the checkpoint that counts on them.
if ${CC:-cc} -shared -fPIC -O1 -o "$work/synced.so" "$(dirname "$0")/synced.c" 2>"$work/stderr"; then
    SYNC_LOG="$work/syncs" LD_PRELOAD="$work/synced.so" "$MENISCUS" run "$scene" -q -o "$work/synced" --steps 6 \
        >"$work/stdout" 2>"$work/stderr"
    order=$(awk '/^sync (stats|timing).csv$/ { n++ } /^rename checkpoint.h5$/ { printf "%d ", n; n = 0 }' "$work/syncs")
    check "tables are synced before each checkpoint ($order)" \
        sh -c 'test -n "$1" && for n in $1; do test "$n" -ge 2 || exit 1; done' sh "$order"
else
    skip "what is synced: no C compiler"
fi

exits 0 "nothing to resume yet" run -o "$work/fresh" --steps 40 --resume
same "$work/fresh" "resumed from nothing"
finish
