#!/bin/sh
# The benchmark's JSON has what it promises; the numbers are for people to judge.
. "$(dirname "$0")/lib.sh"

exits 0 "a short benchmark" "$MENISCUS" bench dam-30k --steps 3 --json
check "its JSON is whole" python3 - "$work/stdout" <<'PYTHON'
import json, sys
cases = json.load(open(sys.argv[1]))
assert len(cases) == 1 and cases[0]["case"] == "dam-30k"
case = cases[0]
assert case["particles"] == 29791 and case["boundary_points"] == 17426 and case["steps"] == 3, case
for key in ("ms_per_step", "ns_per_particle_step", "pressure_iterations", "bytes_per_particle"):
    assert case[key] > 0, key
assert case["density_error_avg"] >= 0 and case["backend"] and case["threads"] >= 1
assert case["stages"] and all(ms >= 0 for ms in case["stages"].values())
assert sum(case["stages"].values()) < 1.05 * case["ms_per_step"] + 1
assert {"dfsph", "standard", "boundary", "step"} <= set(case["parts"]), case["parts"]
assert abs(sum(case["parts"].values()) - sum(case["stages"].values())) < 0.01
PYTHON
if "$MENISCUS" list devices | grep -q :; then
    exits 0 "the same on a device" "$MENISCUS" bench dam-30k --steps 3 --json --backend opencl
    check "at most 400 bytes a particle there" python3 \
        -c 'import json, sys; assert 0 < json.load(open(sys.argv[1]))[0]["bytes_per_particle"] <= 400' "$work/stdout"
else
    skip "no OpenCL device"
fi
exits 0 "a dam in the wind" "$MENISCUS" bench dam-wind --steps 20 --json
check "drag is a small part of it" python3 - "$work/stdout" <<'PYTHON'
import json, sys
case = json.load(open(sys.argv[1]))[0]
share = case["stages"]["air"]/sum(case["stages"].values())
print("drag takes %.1f %% of the first 20 steps" % (100*share))
assert 0 < share < 0.1, share # on a busy machine; quiet it is 0.05
PYTHON
exits 0 "the same as a table" "$MENISCUS" bench dam-30k --steps 2
says "ms/step" "the table has a head"
exits 0 "a mesh" "$MENISCUS" bench mesh-30k --json
check "its time and memory" python3 - "$work/stdout" <<'PYTHON'
import json, sys
cases = json.load(open(sys.argv[1]))
assert [case["case"] for case in cases] == ["mesh-30k"] and cases[0]["particles"] == 29791, cases
assert cases[0]["seconds"] > 0 and cases[0]["cpu_seconds"] > 0 and 1e6 < cases[0]["peak_bytes"] < 2e8, cases
PYTHON
exits 2 "a case that is not there" "$MENISCUS" bench mesh-2m
says "mesh-1m" "the nearest name"

# Started by the loader the tool's own file is not /proc/self/exe; it starts itself all the same.
loader=$(ls /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1 2>/dev/null | head -n 1)
if [ -n "$loader" ] && "$loader" --verify "$MENISCUS" 2>/dev/null; then
    exits 0 "a mesh by the loader" env -u OMP_WAIT_POLICY "$loader" --library-path "$(dirname "$MENISCUS")" \
        "$MENISCUS" bench mesh-30k --json
    says '"case": "mesh-30k"' "it is measured"
else
    skip "the loader cannot start $MENISCUS"
fi
finish
