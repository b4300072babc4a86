#!/bin/sh
# Ray-traced pictures of a finished run and of a mesh; what is wrong is refused before anything is written.
. "$(dirname "$0")/lib.sh"
cat >"$work/scene.yaml" <<'END'
title: A drop and a float
particles: {spacing: 0.05}
time: {step: 0.002, end: 0.02}
fluids:
  - name: pool
    shapes: [{box: {min: [0.025, 0.025, 0.025], max: [0.775, 0.275, 0.475]}}]
  - name: drop
    shapes: [{sphere: {centre: [0.4, 0.6, 0.25], radius: 0.12}}]
walls:
  - name: tank
    shapes: [{box: {min: [0, 0, 0], max: [0.8, 0.5, 0.5], inside_out: true, open: [top]}}]
  - name: block
    shapes: [{box: {min: [1, 0, 0], max: [1.3, 0.3, 0.3]}}]
    look: {colour: red}
bodies:
  - name: float
    density: 400
    shapes: [{sphere: {centre: [0.15, 0.4, 0.25], radius: 0.08}}]
output: {every: 0.01}
camera: {size: [160, 90]}
END
exits 0 "a run" "$MENISCUS" run "$work/scene.yaml" -o "$work/run" -q
if "$MENISCUS" render "$work/run" --frames 0 -o "$work/probe" -q 2>&1 | grep -q "built without Embree"; then
    skip "ray-traced pictures: there is no Embree"
    finish
fi
exits 0 "pictures of a run" "$MENISCUS" render "$work/run" --samples 4
for number in 00000 00001 00002; do check "frame $number" test -s "$work/run/render/frame_$number.png"; done
if command -v ffmpeg >/dev/null 2>&1; then
    check "a film" test -s "$work/run/render/film.mp4"
    check "a gif" test -s "$work/run/render/film.gif"
fi
size() {
    python3 -c 'import struct, sys; print("%dx%d" % struct.unpack(">II", open(sys.argv[1], "rb").read(24)[16:24]))' "$1"
}
check "the camera's size" test "$(size "$work/run/render/frame_00000.png")" = 160x90

exits 0 "one thread" "$MENISCUS" render "$work/run" --frames 2 --size 96x64 --samples 4 --threads 1 -o "$work/one" -q
exits 0 "three threads" "$MENISCUS" render "$work/run" --frames 2 --size 96x64 --samples 4 --threads 3 -o \
    "$work/three" -q
check "the same picture" cmp "$work/one/frame_00002.png" "$work/three/frame_00002.png"
check "the size that was asked for" test "$(size "$work/one/frame_00002.png")" = 96x64
exits 0 "another camera" "$MENISCUS" render "$work/run" --frames 2 --size 96x64 --samples 4 -o "$work/other" -q \
    --set "camera.eye=[0.4,0.5,3]" --set "camera.target=[0.4,0.2,0.2]" --set camera.shutter=0.01 \
    --set camera.aperture=0.02
check "another picture" test "$(cksum <"$work/one/frame_00002.png")" != "$(cksum <"$work/other/frame_00002.png")"
exits 0 "a lower ground" "$MENISCUS" render "$work/run" --frames 2 --size 96x64 --samples 4 -o "$work/ground" -q \
    --set camera.ground=-0.3
check "is seen" test "$(cksum <"$work/one/frame_00002.png")" != "$(cksum <"$work/ground/frame_00002.png")"
exits 0 "a field" "$MENISCUS" render "$work/run" --frames 0:2:2 --size 320x200 --samples 2 -o "$work/field" -q \
    --set camera.colour=density
check "every second frame" test ! -e "$work/field/frame_00001.png" -a -s "$work/field/frame_00002.png"
exits 0 "other looks" "$MENISCUS" render "$work/run" --frames 1 --size 96x64 --samples 2 -o "$work/looks" -q \
    --set walls.tank.look.material=matte --set walls.block.look.visible=false --set bodies.float.look.material=metal \
    --set 'fluids.0.look.colour="#80c040"'

# A sequence that was stopped half-way.
rm "$work/run/render/frame_00001.png"
kept=$(cksum <"$work/run/render/frame_00002.png")
exits 0 "the rest of a sequence" "$MENISCUS" render "$work/run" --samples 2 --resume
says "2 pictures were there already" "says what was there"
check "what was missing is made" test -s "$work/run/render/frame_00001.png"
check "what was there stays" test "$kept" = "$(cksum <"$work/run/render/frame_00002.png")"
printf 'half a picture' >"$work/run/render/frame_00001.png"
exits 0 "a picture that is torn is made again" "$MENISCUS" render "$work/run" --samples 2 --resume
check "it is whole" test "$(head -c 4 "$work/run/render/frame_00001.png" | tail -c 3)" = PNG
rm "$work/run/render/frame_00001.png"
exits 2 "the rest in another size" "$MENISCUS" render "$work/run" --samples 2 --resume --size 40x30
says "pixels, the new ones have 40 x 30; expected --size" "which size they have"
check "none is made" test ! -e "$work/run/render/frame_00001.png"
exits 2 "both" "$MENISCUS" render "$work/run" --resume --overwrite
# A film that is missing is made; one that is there stays. The program here stands for ffmpeg.
mkdir "$work/bin"
printf '#!/bin/sh\nfor last; do :; done\necho made >"${last#file:}"\n' >"$work/bin/ffmpeg"
chmod +x "$work/bin/ffmpeg"
echo old >"$work/run/render/film.mp4"
rm -f "$work/run/render/film.gif"
exits 0 "pictures without a film" env PATH="$work/bin:$PATH" "$MENISCUS" render "$work/run" --resume
check "the film that was missing is made" grep -q made "$work/run/render/film.gif"
echo old >"$work/run/render/film.gif"
exits 0 "nothing is missing" env PATH="$work/bin:$PATH" "$MENISCUS" render "$work/run" --resume
check "a film that is there stays" grep -q old "$work/run/render/film.gif"

# What is refused, with what is said. The picture that is there stays as it is.
before=$(cksum <"$work/run/render/frame_00000.png")
refused() {
    what=$1 text=$2
    shift 2
    exits 2 "$what" "$MENISCUS" render "$@"
    says "$text" "$what: says so"
    check "$what: nothing is overwritten" test "$before" = "$(cksum <"$work/run/render/frame_00000.png")"
}
refused "a picture that is there" "already there" "$work/run"
refused "an unknown field" "unknown colour" "$work/run" --overwrite --set camera.colour=sped
refused "a field that the frames lack" "output.fields" "$work/run" --overwrite --set camera.colour=area
refused "another scene" "keys of the camera and of looks only" "$work/run" --overwrite --set particles.spacing=0.06
refused "an eye in a wall" 'inside the wall "block"' "$work/run" --overwrite --set "camera.eye=[1.1,0.1,0.1]" \
    --set "camera.target=[0,0,0]"
refused "no size" "16 to 16384" "$work/run" --overwrite --size 0x0
refused "frames that are not there" "it has 0 to 2" "$work/run" --overwrite --frames 7:9
refused "frames backwards" "whole numbers of frames" "$work/run" --overwrite --frames 9:7
mkdir "$work/empty"
refused "an empty folder" "no frames" "$work/empty"
refused "nothing at all" "cannot open it" "$work/nowhere"
cp -r "$work/run" "$work/cut"
head -c 700 "$work/run/frames/frame_00001.vtp" >"$work/cut/frames/frame_00001.vtp"
refused "a truncated frame" "frame_00001.vtp" "$work/cut" --overwrite
check "a truncated frame: its picture stays" cmp "$work/run/render/frame_00001.png" "$work/cut/render/frame_00001.png"

# What clings to walls is in frames of its own, and is shown as colours.
cat >"$work/grease.yaml" <<'END'
particles: {spacing: 0.05}
time: {step: 0.002, end: 0.004}
fluids: [{shapes: [{box: {min: [0.1, 0.05, 0.1], max: [0.3, 0.25, 0.3]}}], surface: orthmann2013}]
walls: [{name: plate, shapes: [{plane: {size: [1, 1]}}]}]
species: [{name: soap, surface: {adsorption: 1, capacity: 0.01}}]
substances:
  - name: grease
    coats: [{wall: plate, coverage: 0.01, shape: {box: {min: [0, -0.1, -0.5], max: [0.5, 0.1, 0.5]}}}]
output: {every: 0.002}
camera: {size: [200, 120], wall_colour: grease, caption: false}
END
exits 0 "a run with grease" "$MENISCUS" run "$work/grease.yaml" -o "$work/grease" -q
check "frames of what clings to walls" test -s "$work/grease/coats/frame_00001.vtp"
exits 0 "grease on walls" "$MENISCUS" render "$work/grease" --frames 1 --samples 2 -q
exits 0 "without its colours" "$MENISCUS" render "$work/grease" --frames 1 --samples 2 -q -o "$work/bare" \
    --set 'camera.wall_colour=""'
greasy=$(cksum <"$work/grease/render/frame_00001.png")
check "the two differ" test "$greasy" != "$(cksum <"$work/bare/frame_00001.png")"
rm "$work/grease/coats/frame_00001.vtp"
exits 2 "a frame of the coats is missing" "$MENISCUS" render "$work/grease" --frames 1 --overwrite -q
says "folder coats" "and it says so"

# A painted liquid that is cut open shows what is inside of it, in the colours of its field.
cat >"$work/inside.yaml" <<'END'
particles: {spacing: 0.05}
time: {step: 0.001, end: 0.001}
gravity: [0, 0, 0]
fluids: [{shapes: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}], surface: orthmann2013}]
species: [{name: dye, start: [{concentration: 1, shape: {box: {min: [-1, -1, -1], max: [2, 2, 0.5]}}}]}]
output: {every: 0.001, fields: [dye]}
camera: {eye: [0.5, 0.5, 4], target: [0.5, 0.5, 0], fov: 20, size: [64, 48], caption: false,
         look: field, colour: dye, range: [0, 1]}
END
exits 0 "a block with dye in its far half" "$MENISCUS" run "$work/inside.yaml" -o "$work/inside" -q
for cut in 0 3.7; do
    exits 0 "a cut at $cut" "$MENISCUS" render "$work/inside" --frames 0 -q -o "$work/inside$cut" --set camera.cut=$cut
done
check "the dye shows where it is cut" python3 - \
    "$work/inside0/frame_00000.png" "$work/inside3.7/frame_00000.png" <<'PYTHON'
import os, sys
sys.path.insert(0, os.path.join(os.getcwd(), "tools"))
from gallery import read_png
dark, light = (read_png(path)[24][96:99] for path in sys.argv[1:])
# blue is none, yellow all of it
assert dark[2] > dark[0] and light[0] > 2 * dark[0] and min(light[:2]) > 100 > light[2], (list(dark), list(light))
PYTHON
# Behind glass a painted liquid has one colour up to its edge: its faces there have the wall's normal.
exits 0 "a tank from the front" "$MENISCUS" render "$work/run" --frames 0 -q -o "$work/front" --size 64x64 \
    --set camera.look=field --set camera.colour=speed --set "camera.range=[0, 1]" --set camera.caption=false \
    --set "camera.eye=[0.55, 0.2, 3]" --set "camera.target=[0.55, 0.2, 0.5]" --set camera.fov=6
check "its water is as light at its upper edge as below" python3 - "$work/front/frame_00000.png" <<'PYTHON'
import os, sys
sys.path.insert(0, os.path.join(os.getcwd(), "tools"))
from gallery import read_png
light = [sum(row) / len(row) for row in read_png(sys.argv[1])]
edge = max(y for y in range(63) if light[y] > 1.3 * light[63])  # what is seen above the water is far lighter
inside = light[edge + 2:edge + 14]
assert edge > 5 and min(inside) > 0.9 * max(inside), (edge, [round(v) for v in light])
PYTHON
check "tiles of the gallery are joined as they are" python3 - "$work" <<'PYTHON'
import os, sys
sys.path.insert(0, os.path.join(os.getcwd(), "tools"))
from gallery import join_tiles, read_png
tiles = [os.path.join(sys.argv[1], name, "frame_00000.png") for name in ("inside0", "inside3.7")]
join_tiles(tiles + tiles[:1], 2, os.path.join(sys.argv[1], "joined.png"))
rows, a, b = read_png(os.path.join(sys.argv[1], "joined.png")), *(read_png(tile) for tile in tiles)
assert len(rows) == 2 * 48 + 6 and all(len(row) == 3 * (2 * 64 + 6) for row in rows)
assert all(rows[y][:192] == a[y] and rows[y][210:] == b[y] and rows[y + 54][:192] == a[y] for y in range(48))
PYTHON

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >"$work/tetra.obj"
exits 0 "a mesh" "$MENISCUS" render "$work/tetra.obj" --size 64x48 --samples 2 -q
check "its picture" test -s "$work/tetra-render/frame_00000.png"

# Meshes of a run, in several formats: one picture a frame, with the fields that are in them; liquids together.
exits 0 "meshes in three formats" "$MENISCUS" mesh "$work/run" -q -o "$work/meshes" --format ply,obj,stl
exits 0 "their pictures" "$MENISCUS" render "$work/meshes" --frames 1:2 --size 64x48 --samples 2
says "2 pictures in" "one for each frame"
check "the first format there is" sh -c 'rm "$1"/*.obj "$1"/*.stl && "$2" render "$1" --frames 2 --size 64x48 \
    --samples 2 -q -o "$1/plain" && cmp "$1/render/frame_00002.png" "$1/plain/frame_00002.png"' - "$work/meshes" \
    "$MENISCUS"
for key in camera.look=field camera.shutter=0.02; do
    exits 0 "meshes with $key" "$MENISCUS" render "$work/meshes" --frames 2 --size 64x48 --samples 2 -q \
        -o "$work/meshes/$key" --set $key
    check "$key is seen" test "$(cksum <"$work/meshes/plain/frame_00002.png")" != \
        "$(cksum <"$work/meshes/$key/frame_00002.png")"
    exits 2 "a mesh without fields and $key" "$MENISCUS" render "$work/tetra.obj" -o "$work/no" --set $key
    says "obj and stl hold none" "says why"
done
exits 2 "a field that the meshes lack" "$MENISCUS" render "$work/meshes" -o "$work/no" --set camera.colour=area
says 'has no field "area"' "says which there are"
exits 0 "a mesh for each fluid" "$MENISCUS" mesh "$work/run" --frames 0 --per-fluid -q -o "$work/apart"
for colour in orange teal; do
    exits 0 "both in one picture, one of them $colour" "$MENISCUS" render "$work/apart" --size 64x48 --samples 2 \
        -o "$work/$colour" --set fluids.drop.look.colour=$colour
    says "1 picture in" "one for the frame"
done
check "the colour is seen" test "$(cksum <"$work/orange/frame_00000.png")" != "$(cksum <"$work/teal/frame_00000.png")"

exits 0 "run --render" "$MENISCUS" run "$work/scene.yaml" -o "$work/again" -q --render \
    --set "camera.size=[64,48]" --until 0.01
check "its pictures" test -s "$work/again/render/frame_00001.png"
exits 0 "the run anew" "$MENISCUS" run "$work/scene.yaml" -o "$work/again" -q --overwrite --steps 1
check "the old pictures are gone" sh -c '! ls "$1" 2>/dev/null | grep -q .' - "$work/again/render"
finish
