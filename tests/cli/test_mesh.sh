#!/bin/sh
# meniscus mesh: frames of real scenes become closed meshes that others can read; what is wrong is said, and nothing is
# overwritten.
. "$(dirname "$0")/lib.sh"
here=$(dirname "$0")
mesh() { "$MENISCUS" mesh "$@"; }
# A Python with VTK: that of the system, where another stands in front of it.
python=
for p in python3 /usr/bin/python3; do
    if [ -z "$python" ] && $p -c 'import vtkmodules.vtkIOPLY' 2>/dev/null; then python=$p; fi
done

# frames of five scenes: splash, tank, body, drop, two fluids
n=0
for scene in dam-30k tank floating-box cube-20 double-droplet-akinci2013-small; do
    n=$((n + 1))
    exits 0 "runs $scene" "$MENISCUS" run "$scene" -o "$work/$n" -q --steps 12 --set output.every=0.002
    exits 0 "meshes of $scene" mesh "$work/$n"
    says "triangles" "tells what it made of $scene"
    check "closed meshes of $scene" python3 "$here/mesh_check.py" --plain "$work/$n"/surface/frame_*.ply
done

# formats
run=$work/2
exits 0 "all formats" mesh "$run" -o "$work/all" --frames 0:2:2 --format ply,obj,vtp,stl
check "fields are in ply and vtp" test -z "$(grep 'without fields' "$work/stdout")"
exits 0 "formats that hold no fields" mesh "$run" -o "$work/bare" --frames 0 --format obj,stl
check "which is said" grep -q "without fields of the particles: obj and stl hold none" "$work/stdout"
check "frames 0 and 2 alone" test "$(ls "$work/all" | tr '\n' ' ')" = \
    "frame_00000.obj frame_00000.ply frame_00000.stl frame_00000.vtp \
frame_00002.obj frame_00002.ply frame_00002.stl frame_00002.vtp frames.pvd "
check "a collection of both" test "$(grep -c '<DataSet' "$work/all/frames.pvd")" -eq 2
if [ -n "$python" ]; then
    for k in 0 2; do
        check "VTK reads all formats of frame $k" "$python" "$here/mesh_check.py" "$work/all/frame_0000$k.ply" \
            "$work/all/frame_0000$k.obj" "$work/all/frame_0000$k.vtp" "$work/all/frame_0000$k.stl"
    done
else
    skip "reading the meshes with VTK: there is no python3-vtk9"
fi

# frames in other formats give the same mesh, with any number of threads; so does the run itself
exits 0 "frames in three formats" "$MENISCUS" run tank -o "$work/three" -q --steps 6 --set output.every=0.002 \
    --format vtp,bgeo,ply --set 'output.surface.formats=[ply,vtp]'
check "meshes with the frames" test -e "$work/three/surface/frame_00002.ply" -a -e "$work/three/surface/frames.pvd"
mesh "$work/three" -o "$work/a" -q --threads 1
rm "$work"/three/frames/*.vtp
mesh "$work/three" -o "$work/b" -q --threads 3
rm "$work"/three/frames/*.ply
mesh "$work/three" -o "$work/c" -q
for k in 1 2; do
    check "the mesh that the run left, frame $k" cmp "$work/a/frame_0000$k.ply" "$work/three/surface/frame_0000$k.ply"
    check "from ply frames, frame $k" cmp "$work/a/frame_0000$k.ply" "$work/b/frame_0000$k.ply"
done
check "from bgeo frames" cmp "$work/a/frame_00000.ply" "$work/c/frame_00000.ply"
exits 0 "a run with meshes is replaced" "$MENISCUS" run tank -o "$work/three" -q --steps 1 --overwrite
check "and its meshes are gone" test ! -e "$work/three/surface/frame_00002.ply" -a ! -e "$work/three/surface/frames.pvd"

# a soft solid cuts the liquid where it is now, as a wall does: it sinks, and no vertex lies in it
exits 0 "a soft solid in water" "$MENISCUS" run - -o "$work/soft" -q --steps 60 <<'YAML'
particles: {spacing: 0.02}
time: {step: 0.001, end: 1}
fluids:
  - shapes: [{box: {grid: [18, 11, 18], origin: [0.03, 0.03, 0.03]}}]
    holes: [{box: {min: [0.13, 0.13, 0.13], max: [0.27, 0.3, 0.27]}}]
walls: [{shapes: [{box: {min: [0, 0, 0], max: [0.4, 0.4, 0.4], inside_out: true, open: [top]}}]}]
solids:
  - {shapes: [{box: {min: [0.14, 0.14, 0.14], max: [0.26, 0.3, 0.26]}}], density: 8000, young: 1e6, poisson: 0.3}
output: {every: 0.03, surface: {formats: [ply]}}
YAML
mesh "$work/soft" -o "$work/soft/later" -q
check "the same mesh during the run and after it" cmp "$work/soft/surface/frame_00002.ply" \
    "$work/soft/later/frame_00002.ply"
check "it is closed" python3 "$here/mesh_check.py" --plain "$work/soft"/surface/frame_*.ply
check "it ends at the solid" python3 - "$work/soft" <<'PYTHON'
import csv, math, struct, sys
rows = [r for r in csv.DictReader(open(sys.argv[1] + "/solids.csv"))]
sunk = float(rows[-1]["centre_y"]) - 0.22
assert -0.05 < sunk < -0.008, sunk
data = open(sys.argv[1] + "/surface/frame_00002.ply", "rb").read()
at = data.index(b"end_header\n") + 11
head = data[:at].decode().split("\n")
count = int(next(line for line in head if line.startswith("element vertex")).split()[2])
first = [line.startswith("element face") for line in head].index(True)
width = 4 * sum(line.startswith("property") for line in head[:first])
depth = []
for k in range(count):
    x = struct.unpack_from("<3f", data, at + k * width)
    q = [abs(x[a] - c) - h for a, (c, h) in enumerate(((0.2, 0.06), (0.22 + sunk, 0.08), (0.2, 0.06)))]
    depth.append(math.hypot(*(max(v, 0) for v in q)) if max(q) > 0 else max(q))
assert min(depth) > -0.1 * 0.02, min(depth) / 0.02
assert sum(abs(d) < 0.1 * 0.02 for d in depth) > 500, sum(abs(d) < 0.1 * 0.02 for d in depth)
PYTHON

# several liquids, and fluids that are one
exits 0 "oil and water" "$MENISCUS" run - -o "$work/oil" -q --steps 2 <<'YAML'
particles: {spacing: 0.02}
gravity: [0, -9.81, 0]
time: {step: 0.001, end: 1}
fluids:
  - {name: water, density: 1000, shapes: [{box: {grid: [8, 4, 8], origin: [0.02, 0.02, 0.02]}}]}
  - {name: more water, density: 1000, shapes: [{box: {grid: [8, 4, 8], origin: [0.02, 0.10, 0.02]}}]}
  - {name: oil/fat, density: 900, shapes: [{box: {grid: [8, 4, 8], origin: [0.02, 0.18, 0.02]}}]}
walls:
  - {name: tank, shapes: [{box: {min: [0, 0, 0], max: [0.18, 0.4, 0.18], inside_out: true}}]}
output: {every: 0.001}
YAML
exits 0 "two meshes" mesh "$work/oil" --frames 1
check "one for each liquid" test "$(ls "$work/oil/surface" | tr '\n' ' ')" = \
    "frame_oil_fat_00001.ply frame_water_00001.ply "
exits 0 "three meshes" mesh "$work/oil" --frames 1 --per-fluid -o "$work/apart"
check "one for each fluid" test "$(ls "$work/apart" | wc -l)" -eq 3
check "closed" python3 "$here/mesh_check.py" --plain "$work"/oil/surface/*.ply "$work"/apart/*.ply

# bad input
refused() {
    text=$1 what=$2
    shift 2
    exits 2 "$what" "$@"
    says "$text" "$what: says why"
}
before=$(cat "$work/all/frame_00000.ply" | cksum)
refused "already there" "meshes that are there" mesh "$run" -o "$work/all" --format ply
check "is not overwritten" test "$(cat "$work/all/frame_00000.ply" | cksum)" = "$before"
exits 0 "--overwrite" mesh "$run" -o "$work/all" -q --overwrite

# a sequence that was stopped half-way: what is there stays, in each format
echo mine >"$work/all/frame_00000.ply"
rm "$work/all/frame_00000.obj" "$work/all/frames.pvd"
exits 0 "--resume" mesh "$run" -o "$work/all" --resume --frames 0:2:2 --format ply,obj,vtp,stl
says "1 frame was there already" "says what was there"
check "what is there stays" grep -q mine "$work/all/frame_00000.ply"
check "what is missing is made" test -s "$work/all/frame_00000.obj" -a -s "$work/all/frames.pvd"
rm "$work/all/frames.pvd"
exits 0 "--resume with nothing to do" mesh "$run" -o "$work/all" --resume --frames 0:2:2 --format vtp
says "2 frames were there already" "says that all were there"
check "the collection is made again" test -s "$work/all/frames.pvd"
refused "exclude each other" "both" mesh "$run" -o "$work/all" --resume --overwrite
refused "expected some of 0 to" "frames to resume that are not there" mesh "$run" --resume --frames 900
mkdir "$work/empty"
refused "no run" "a folder without a run" mesh "$work/empty"
refused "no run" "a folder that is not there" mesh "$work/nowhere"
mkdir "$work/frameless" && cp "$run/run.yaml" "$work/frameless/"
refused "no frames" "a run without frames" mesh "$work/frameless"
mkdir "$work/frameless/frames"
refused "no frames" "a run with an empty folder of frames" mesh "$work/frameless"
cp -r "$run" "$work/cut"
rm -rf "$work/cut/surface"
head -c 20000 "$run/frames/frame_00001.vtp" >"$work/cut/frames/frame_00001.vtp"
refused "truncated" "a truncated frame" mesh "$work/cut"
check "the frame before it has its mesh" test -e "$work/cut/surface/frame_00000.ply"
check "the truncated one has none" test ! -e "$work/cut/surface/frame_00001.ply"
: >"$work/cut/frames/frame_00000.vtp"
refused "frame_00000.vtp" "an empty frame file" mesh "$work/cut" --overwrite
refused "GB" "a cell too small for the memory" mesh "$run" -o "$work/tiny" --cell 1e-6
refused "cell" "a cell far too small" mesh "$run" -o "$work/tiny" --cell 1e-300
check "nothing was made" test ! -e "$work/tiny"
refused "at most the spacing" "a cell too large" mesh "$run" -o "$work/tiny" --cell 1
refused "above 0" "a cell of nothing" mesh "$run" --cell 0
refused "above 0" "a cell that is not finite" mesh "$run" --cell inf
refused "0 to 20" "too much smoothing" mesh "$run" --smoothing 21
refused "0 to 20" "less than no smoothing" mesh "$run" --smoothing -1
refused "did you mean 'stl'" "an unknown format" mesh "$run" --format slt
refused "named twice" "a format named twice" mesh "$run" --format ply,ply
refused "expected some of 0 to" "frames that are not there" mesh "$run" --frames 900
for frames in 5:1 1:2:0 a 1:2:3:4 '' -1 1::; do
    refused "--frames" "--frames '$frames'" mesh "$run" --frames "$frames"
done
refused "needs a RUN" "no run" mesh
refused "output.surface" "meshes without frames" "$MENISCUS" check tank --set 'output.surface.formats=[ply]' \
    --set output.every=0
refused "did you mean \"stl\"" "an unknown format in a scene" "$MENISCUS" check tank \
    --set 'output.surface.formats=[slt]'
refused "at most particles.spacing" "a cell too large in a scene" "$MENISCUS" check tank --set output.surface.cell=1
finish
