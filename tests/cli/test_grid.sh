#!/bin/sh
# A run leaves its flow as a grid that another scene takes as its air; stopped and resumed it leaves the same grids.
. "$(dirname "$0")/lib.sh"
cat >"$work/wind.yaml" <<'END'
particles: {spacing: 0.02}
domain: {min: [0, 0, 0], max: [0.2, 0.2, 0.2], periodic: [x, y, z]}
gravity: [0, 0, 0]
time: {step: 0.005, end: 0.1}
fluids:
  - {name: air, density: 1.2, velocity: [3, 0, -1], shapes: [{box: {grid: [10, 10, 10], origin: [0.01, 0.01, 0.01]}}]}
output:
  every: 0
  grid: {min: [0, 0, 0], max: [0.1, 0.1, 0.05], spacing: 0.025, fluid: air, every: 0.04, average: 0.02}
END
exits 0 "a flow as grids" "$MENISCUS" run "$work/wind.yaml" -o "$work/wind" --quiet
check "two of them" test "$(ls "$work/wind/grids" | tr '\n' ' ')" = "frame_00001.vti frame_00002.vti "
exits 0 "half of it" "$MENISCUS" run "$work/wind.yaml" -o "$work/half" --quiet --steps 14
exits 0 "the other half" "$MENISCUS" run "$work/wind.yaml" -o "$work/half" --quiet --resume
check "the same grids" diff -rq "$work/wind/grids" "$work/half/grids"
exits 0 "overwritten" "$MENISCUS" run "$work/wind.yaml" -o "$work/half" --quiet --steps 9 --overwrite
check "the old ones are gone" test "$(ls "$work/half/grids")" = frame_00001.vti
cat >"$work/drop.yaml" <<'END'
particles: {spacing: 0.001}
gravity: [0, 0, 0]
time: {step: 0.005, end: 1}
fluids:
  - {shapes: [{box: {grid: [1, 1, 1], origin: [0.05, 0.05, 0.02]}}], drag: gissler2017}
air: {grid: {file: wind/grids/frame_00002.vti}}
END
exits 0 "another scene reads it" "$MENISCUS" check "$work/drop.yaml"
says "air grid of 5 x 5 x 3 nodes, 0.025 x 0.025 x 0.025 m apart, from (0, 0, 0) to (0.1, 0.1, 0.05), 1 slice" \
    "and says what it is"
says "1 slice, speeds of 3.162 to 3.162 m/s" "and how fast"
finish
