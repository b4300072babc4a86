#!/bin/sh
# meniscus sweep: runs, results, resuming; run --json.
. "$(dirname "$0")/lib.sh"

# --- run --json
exits 0 "run --json" "$MENISCUS" run "$work/small.yaml" -o "$work/json" --json --steps 5
cat >"$work/events.py" <<'PYTHON'
import json, sys
events = [json.loads(line) for line in open(sys.argv[1])]
kinds = [event["event"] for event in events]
assert kinds[0] == sys.argv[2], kinds
assert kinds[-1] == "summary" and set(kinds) <= {"start", "progress", "message", "summary"}, kinds
assert events[-1]["exit"] == int(sys.argv[3]), events[-1]
if events[-1]["exit"] == 0:
    assert events[-1]["steps"] == 5 and len(events[-1]["state"]) == 16 and events[-1]["stages"], events[-1]
else:
    message = events[kinds.index("message")]
    assert message["severity"] == "error" and "did you mean" in message["text"] and message["line"] > 0, message
PYTHON
check "every line is an object" python3 "$work/events.py" "$work/stdout" start 0
check "and nothing is said elsewhere" test ! -s "$work/stderr"
sed 's/spacing/spacin/' "$work/small.yaml" >"$work/bad.yaml"
exits 2 "a wrong scene" "$MENISCUS" run "$work/bad.yaml" -o "$work/none" --json
check "is told as JSON" python3 "$work/events.py" "$work/stdout" message 2

# --- sweep
sweep() { "$MENISCUS" sweep "$work/small.yaml" --vary "gravity=[0, -9.81, 0],[0, -5, 0]" \
    --vary fluids.0.viscosity.strength=0.1:0.3:3 -o "$work/grid" --steps 10 --threads 1 "$@"; }
exits 0 "a grid" sweep --jobs 2
check "six runs" test "$(wc -l <"$work/grid/results.csv")" -eq 7
check "each in its folder" test -s "$work/grid/gravity=-0---5--0-_strength=0.2/stats.csv"
results='run,gravity,fluids.0.viscosity.strength,exit,steps,time,last_kinetic_energy,max_max_speed'
check "with the usual results" grep -q "^$results" "$work/grid/results.csv"
check "which differ" test "$(tail -n 6 "$work/grid/results.csv" | sed 's/.*,//' | sort -u | wc -l)" -eq 6
check "and curves" test -s "$work/grid/curves.png"
cp "$work/grid/results.csv" "$work/before.csv"
rm -r "$work/grid/gravity=-0---5--0-_strength=0.2"
exits 0 "once more" sweep
check "makes what is missing, to the same table" cmp "$work/before.csv" "$work/grid/results.csv"
exits 0 "steps further" sweep --steps 12 -q
check "goes on" grep -q ',0,12,' "$work/grid/results.csv"

exits 0 "side by side, with measures" "$MENISCUS" sweep "$work/small.yaml" --zip \
    --vary fluids.0.viscosity.strength=0.1,0.2 \
    --vary fluids.0.density=1000,900 -o "$work/zip" --until 0.03 --measure front,volume -q
check "two runs" test "$(wc -l <"$work/zip/results.csv")" -eq 3
check "columns of the measures" grep -q ',x_max,.*,volume,particles,state' "$work/zip/results.csv"
check "a chart over the first key" test -s "$work/zip/results.png"
exits 0 "results by name" "$MENISCUS" sweep "$work/small.yaml" --vary fluids.0.viscosity.strength=0.1,0.2 \
    -o "$work/zip2" --steps 3 --result "min(dt)" --result kinetic_energy -q
check "in the order asked for" grep -q ',min_dt,last_kinetic_energy,state' "$work/zip2/results.csv"
exits 0 "the table can be drawn" "$MENISCUS" plot "$work/zip2/results.csv" last_kinetic_energy \
    --x fluids.0.viscosity.strength -o "$work/table.png"

# A run that diverges is told, the others go on.
exits 3 "one that diverges" "$MENISCUS" sweep "$work/small.yaml" --vary time.step=1e-7,10 --set pressure.model=wcsph \
    --set pressure.sound_speed=100000 --set time.end=100 --set output.every=0 -o "$work/wild" --steps 20 -q
check "is in the table" grep -q ',3,' "$work/wild/results.csv"
check "and so is the other" grep -q ',0,20,' "$work/wild/results.csv"

# wrong TEXT WORDS...
wrong() {
    text=$1
    shift
    exits 2 "refuses $*" "$MENISCUS" sweep "$work/small.yaml" -o "$work/no" "$@"
    says "$text" "it says: $text"
}
wrong "needs --vary"
wrong 'did you mean "density"?' --vary fluids.0.densty=1,2
wrong "expected a number in s" --vary time.step=0.001,abc
wrong "expected equal numbers" --zip --vary time.step=0.001,0.002 --vary time.end=1
wrong "is given twice" --vary time.end=1 --vary time.end=2
wrong "an empty value" --vary time.end=1,,2
wrong "there is no 'shap'" --vary time.end=1,2 --measure shap
wrong "--result" --vary time.end=1,2 --result "median(dt)"
check "nothing was begun" test ! -e "$work/no"

# Interrupted, and continued.
"$MENISCUS" sweep "$work/small.yaml" --vary fluids.0.viscosity.strength=0.1,0.2 -o "$work/stop" --set time.end=20 \
    --set output.every=0 --threads 1 >"$work/stdout" 2>"$work/stderr" &
begun "$work/stop/strength=0.1" 3
kill -INT $!
wait $!
check "interrupted" test $? -eq 130
exits 0 "and continued" "$MENISCUS" sweep "$work/small.yaml" --vary fluids.0.viscosity.strength=0.1,0.2 \
    -o "$work/stop" --set time.end=20 --set output.every=0 --threads 1 --steps 30 -q
check "to its end" test "$(wc -l <"$work/stop/results.csv")" -eq 3
exits 2 "a result that no table has" "$MENISCUS" sweep "$work/small.yaml" --vary time.step=0.001,0.002 --steps 2 -q \
    --result max_sped -o "$work/lacks"
says "did you mean 'max_speed'?" "names the nearest"
check "the runs are kept" test "$(wc -l <"$work/lacks/results.csv")" -eq 3
finish
