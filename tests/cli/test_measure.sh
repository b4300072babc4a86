#!/bin/sh
# meniscus measure: tables of what is known of a scene.
. "$(dirname "$0")/lib.sh"

# Two balls and a cube of 8 spacings that fly without weight over a floor.
cat >"$work/balls.yaml" <<'SCENE'
particles: {spacing: 0.05}
gravity: [0, 0, 0]
time: {step: 0.005, end: 0.1}
fluids:
  - name: water
    velocity: [1, 0, 0]
    shapes: [{sphere: {radius: 0.3, centre: [0, 1, 0]}}, {sphere: {radius: 0.2, centre: [2, 1, 0]}}]
  - name: oil
    velocity: [0, 0, 2]
    shapes: [{box: {grid: [8, 8, 8], origin: [-2, 0.1, 0]}}]
walls:
  - name: floor
    shapes: [{plane: {size: [8, 8]}}]
  - name: ball
    shapes: [{sphere: {radius: 0.1, centre: [5, 5, 5]}}]
output: {every: 0.05, fields: [velocity]}
SCENE
exits 0 "a run" "$MENISCUS" run "$work/balls.yaml" -o "$work/out" -q
exits 0 "all measures" "$MENISCUS" measure "$work/out" volume shape drops contact front height speed drop-list \
    height-field
check "a row a frame" test "$(wc -l <"$work/out/measure.csv")" -eq 4
# column NAME FRAME: a number of the table.
column() { awk -F, -v name="$1" -v frame="$2" \
    'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR > 1 && $1 == frame { print $c }' \
    "$work/out/measure.csv"; }
# near NAME FRAME VALUE BOUND
near() { check "$1 of frame $2 is about $3" awk -v x="$(column "$1" "$2")" -v y="$3" -v e="$4" \
    'BEGIN { exit !(x != "" && x - y < e && y - x < e) }'; }
near drops 0 3 0.1
near drops 2 3 0.1
near largest_volume 0 0.113 0.006
near x_max 0 2.2 0.03
near x_max 2 2.3 0.03
near z_max 2 0.575 0.03
near speed_max 2 2 0.02
near y_min 0 0.075 0.03
check "the drops are listed" test "$(wc -l <"$work/out/drops.csv")" -eq 10
check "heights of a frame" grep -q '^x,z,height' "$work/out/heights/frame_00002.csv"
exits 2 "a table that is there" "$MENISCUS" measure "$work/out" volume
says "--overwrite" "is kept"
exits 0 "one fluid" "$MENISCUS" measure "$work/out" volume contact --fluid oil --frames 1 --overwrite
near particles 1 512 0.1
near wetted_area 1 0.16 0.01
exits 0 "what does not touch" "$MENISCUS" measure "$work/out" contact --fluid water --frames 1 --overwrite
check "has no angle" test -z "$(column contact_angle 1)"
exits 0 "on standard output" "$MENISCUS" measure "$work/out" volume -o -
says "frame,time,volume,particles" "the table"
exits 2 "an unknown measure" "$MENISCUS" measure "$work/out" volum
says "did you mean 'volume'?" "names the nearest"
exits 2 "an unknown fluid" "$MENISCUS" measure "$work/out" volume --fluid watr -o -
says 'did you mean "water"?' "names the nearest"
exits 2 "a wall that is not a floor" "$MENISCUS" measure "$work/out" contact --wall ball -o -
says "is not a floor" "says so"
exits 2 "no frames" "$MENISCUS" measure "$work/out" volume --frames 9 -o -
exits 2 "no run" "$MENISCUS" measure "$work" volume
exits 2 "no measure" "$MENISCUS" measure "$work/out"
exits 2 "a table in a folder that is not there" "$MENISCUS" measure "$work/out" volume -o "$work/none/m.csv"
if [ -d /sys/kernel ]; then # where not even root may write
    exits 1 "a table where none may be written" "$MENISCUS" measure "$work/out" volume -o /sys/kernel/m.csv
    says "cannot write this file" "says so"
fi
finish
