#!/bin/sh
# Probes of a scene: what they measure is known; resumed runs leave the same tables; wrong ones are refused.
. "$(dirname "$0")/lib.sh"

# Water at rest, 0.6 m deep, and a jet of 0.1 m x 0.1 m at 2 m/s beside it.
cat >"$work/probes.yaml" <<'SCENE'
particles: {spacing: 0.05}
time: {end: 0.6, adaptive: {max: 0.005}}
pressure: {tolerance: 0.005}
fluids:
  - name: water
    shapes: [{box: {grid: [10, 12, 10], origin: [0.055, 0.055, 0.055]}}]
    viscosity: {model: standard, viscosity: 0.01}
  - name: jet
    emitters: [{box: {size: [0.2, 0.2]}, position: [5, 10, 0], direction: [0, -1, 0], speed: 2}]
walls:
  - shapes: [{box: {min: [0, 0, 0], max: [0.56, 1.2, 0.56], open: [top], inside_out: true}}]
output:
  every: 0.1
  probes:
    - name: deep
      point: {position: [0.28, 0.18, 0.28], fields: [pressure, velocity, acceleration]}
    - name: level
      gauge: {point: [0.28, 0, 0.28], radius: 6 cm}
      every: 0.05
    - name: dry
      gauge: {point: [3, 0, 0.28]}
    - name: stream
      plane: {point: [5, 9.8, 0], normal: [0, -2, 0], size: [1, 1]}
    - name: none
      plane: {point: [5, 9.8, 0], normal: [0, -2, 0]}
      fluid: water
stats: {every: 0.1}
SCENE
exits 0 "a run with probes" "$MENISCUS" run "$work/probes.yaml" -o "$work/out" -q
# near FILE COLUMN VALUE BOUND: the mean of the last ten rows.
near() {
    x=$(awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        NR > 1 { v[NR] = $c }
        END { for (i = NR - 9; i <= NR; i++) s += v[i]; print s / 10 }' "$work/out/probes/$1.csv")
    check "$2 of $1 is about $3, found $x" awk -v x="$x" -v y="$3" -v e="$4" 'BEGIN { exit !(x - y < e && y - x < e) }'
}
near deep pressure 4600 700
near deep filled 1 0.06
near deep velocity_y 0 0.1
near deep acceleration_y -9.81 0.01
near level height 0.63 0.05
near stream speed 2.41 0.41 # 2 m/s at the opening, 2.82 after a free fall of 0.2 m
near stream flow 0.08 0.012
near none flow 0 1e-9
check "a row every 0.05 s" test "$(wc -l <"$work/out/probes/level.csv")" -eq 13
check "a dry gauge is empty" test -z "$(tail -n 1 "$work/out/probes/dry.csv" | cut -d , -f 3)"
check "run.yaml holds the probes" grep -q 'gauge:' "$work/out/run.yaml"

exits 0 "the first half" "$MENISCUS" run "$work/probes.yaml" -o "$work/two" -q --until 0.31
exits 0 "resumed" "$MENISCUS" run "$work/probes.yaml" -o "$work/two" -q --resume
for probe in deep level dry stream none; do
    check "the table of $probe is that of the whole run" cmp "$work/out/probes/$probe.csv" "$work/two/probes/$probe.csv"
done
exits 0 "other threads" "$MENISCUS" run "$work/probes.yaml" -o "$work/one" -q --threads 1 --backend cpu-scalar \
    --until 0.1
check "and another backend give the same table" sh \
    -c "head -n 20 '$work/one/probes/stream.csv' | cmp - '$work/out/probes/stream.csv' 2>&1 | grep -q EOF"
exits 0 "without probes" "$MENISCUS" run "$work/probes.yaml" -o "$work/out" -q --overwrite --set output.probes=null \
    --steps 1
check "the old tables are gone" test ! -e "$work/out/probes/deep.csv"

# wrong TEXT SET
wrong() {
    exits 2 "refuses $2" "$MENISCUS" check "$work/probes.yaml" --set "$2"
    says "$1" "it says: $1"
}
wrong "expected one of point, plane and gauge, found none" "output.probes=[{name: a}]"
wrong "found several" "output.probes=[{name: a, gauge: {point: [0, 0, 0]}, point: {position: [0, 0, 0]}}]"
wrong "is missing" "output.probes=[{point: {position: [0, 0, 0]}}]"
wrong 'did you mean "pressure"?' "output.probes.0.point.fields=[presure]"
wrong 'did you mean "water"?' "output.probes.0.fluid=watr"
wrong "is taken by an earlier entry" "output.probes.1.name=deep"
wrong "it is the name of a file" "output.probes.1.name=a/b"
wrong "vector of length 0" "output.probes.stream.plane.normal=[0, 0, 0]"
finish
