#!/bin/sh
# The Blender add-on imports frames and meshes of a run, in background mode; left out where there is no Blender.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v blender >/dev/null 2>&1; then
    skip "the Blender add-on: there is no Blender"
    check "but it is Python" python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' \
        "$root/tools/blender_meniscus.py"
    finish
fi
exits 0 "a run with meshes" "$MENISCUS" run "$work/small.yaml" -q -o "$work/run" --until 0.04 \
    --set 'output.surface={formats: [ply]}'
cat >"$work/import.py" <<'PYTHON'
import sys

import bpy

sys.path.insert(0, sys.argv[-2])
import blender_meniscus as addon

addon.register()
assert bpy.ops.import_scene.meniscus_run(filepath=sys.argv[-1] + "/run.yaml", scale=2.0) == {"FINISHED"}
points, surface = (next(o for o in bpy.data.objects if o.name == "run " + kind) for kind in ("particles", "surface"))


def lowest(thing):
    return min(v.co.z for v in thing.data.vertices)


bpy.context.scene.frame_set(1)
assert len(points.data.vertices) == 1000 and len(surface.data.polygons) > 500
before = lowest(points), lowest(surface)
bpy.context.scene.frame_set(3)
fastest = max(abs(a.vector.z) for a in points.data.attributes["velocity"].data)
print("lowest", before, "->", lowest(points), lowest(surface), "fastest", fastest)
assert lowest(points) < before[0] and fastest > 0.1
assert {"velocity", "speed", "density", "id"} <= set(points.data.attributes.keys())
assert "velocity" in surface.data.attributes
assert not surface.data.validate(), "the mesh had to be repaired"
addon.unregister()
print("imported")
PYTHON
exits 0 "Blender imports it" blender --background --factory-startup --python-exit-code 1 --python "$work/import.py" -- \
    "$root/tools" "$work/run"
says "imported" "with points that fall, velocities and a sound mesh"
finish
