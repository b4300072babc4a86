"""Blender add-on: imports a run of meniscus as animated objects.

File > Import > Meniscus run: choose run.yaml in the folder of a run. The particles become an object of points with the
attributes velocity (m/s), speed and id; meshes of the surface (folder surface, PLY), where the run has some, become a
second one. At every frame of the scene both are read anew from the files, so memory holds one frame only. Geometry
nodes can instance spheres on the points; motion blur takes the attribute velocity.

Frame k of the run is frame `first + k * step` of the scene. Needs Blender 3.3 or newer; no other package.
"""
import re
from pathlib import Path

import bpy
import numpy as np
from bpy.app.handlers import persistent
from bpy.props import FloatProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

bl_info = {
    "name": "Meniscus runs",
    "author": "The Meniscus authors",
    "version": (0, 1, 0),
    "blender": (3, 3, 0),
    "location": "File > Import > Meniscus run",
    "description": "Frames and meshes of a meniscus run as animated objects with velocities",
    "category": "Import-Export",
}

TYPES = {"Float32": "f4", "Float64": "f8", "Int32": "i4", "Int64": "i8", "UInt8": "u1"}
FOLDER, FIRST, STEP, SCALE, KIND = ("meniscus_folder", "meniscus_first", "meniscus_step", "meniscus_scale",
                                    "meniscus_kind")


def read_frame(path):
    """Position and fields of a frame: VTK PolyData with appended raw data."""
    data = Path(path).read_bytes()
    mark = b'<AppendedData encoding="raw">'
    at = data.index(mark)
    start = data.index(b"_", at + len(mark)) + 1
    head = data[:at].decode()
    order = "<" if 'byte_order="LittleEndian"' in head else ">"
    count = int(re.findall(r'NumberOfPoints="(\d+)"', head)[0])
    fields = {}
    array = r'<DataArray type="(\w+)" Name="([^"]+)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"'
    for kind, name, width, offset in re.findall(array, head):
        if name in ("connectivity", "offsets"):
            continue
        values = np.frombuffer(data, order + TYPES[kind], count * int(width), start + int(offset) + 8)
        fields["position" if name == "Points" else name] = values.reshape(count, int(width))
    return fields


def read_mesh(path):
    """Vertices, triangles and velocities (or None) of one of our PLY files: binary, little-endian."""
    data = Path(path).read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    names = {"float": "<f4", "double": "<f8", "uchar": "u1", "int": "<i4", "uint": "<u4"}
    rows, element, counts = {"vertex": []}, None, {}
    for line in data[:end].decode().splitlines():
        words = line.split()
        if words[:1] == ["element"]:
            element = words[1]
            counts[element] = int(words[2])
        elif words[:1] == ["property"] and element == "vertex":
            rows["vertex"].append((words[2], names[words[1]]))
    vertex = np.frombuffer(data, np.dtype(rows["vertex"]), counts["vertex"], end)
    face = np.dtype([("n", "u1"), ("v", "<i4", (3,))])
    faces = np.frombuffer(data, face, counts["face"], end + vertex.nbytes)["v"]
    known = vertex.dtype.names
    place = np.stack([vertex[a] for a in "xyz"], axis=1).astype(np.float32)
    triple = next((t for t in (("vx", "vy", "vz"), ("velocity_x", "velocity_y", "velocity_z")) if set(t) <= set(known)),
                  None)
    velocity = np.stack([vertex[a] for a in triple], axis=1).astype(np.float32) if triple else None
    return place, faces, velocity


def turned(vectors):
    """Our y is up, Blender's is z."""
    return np.ascontiguousarray(np.stack([vectors[:, 0], -vectors[:, 2], vectors[:, 1]], axis=1), dtype=np.float32)


def put(mesh, name, kind, values):
    """A point attribute with these values."""
    old = mesh.attributes.get(name)
    if old is not None:
        mesh.attributes.remove(old)
    attribute = mesh.attributes.new(name, kind, "POINT")
    attribute.data.foreach_set("vector" if kind == "FLOAT_VECTOR" else "value", np.ravel(values))


def fill(mesh, place, triangles=None):
    """New vertices and triangles."""
    mesh.clear_geometry()
    mesh.vertices.add(len(place))
    mesh.vertices.foreach_set("co", np.ravel(place))
    if triangles is not None and len(triangles):
        mesh.loops.add(3 * len(triangles))
        mesh.loops.foreach_set("vertex_index", np.ravel(triangles).astype(np.int32))
        mesh.polygons.add(len(triangles))
        mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * len(triangles), 3, dtype=np.int32))
        mesh.polygons.foreach_set("loop_total", np.full(len(triangles), 3, dtype=np.int32))
    mesh.update(calc_edges=True)


def files_of(thing):
    """The files of an object by number of frame."""
    surface = thing[KIND] == "surface"
    folder = Path(bpy.path.abspath(thing[FOLDER])) / ("surface" if surface else "frames")
    found = {}
    for path in sorted(folder.glob("frame_*.ply" if surface else "frame_*.vtp")):
        found.setdefault(int(re.findall(r"frame_(\d+)", path.name)[0]), path)
    return found


def show(thing, scene_frame):
    """Reads the frame that belongs to this frame of the scene; between two frames the earlier one stays."""
    files = files_of(thing)
    number = (scene_frame - thing[FIRST]) // max(1, thing[STEP])
    there = [k for k in files if k <= number] or sorted(files)[:1]
    if not there:
        return
    mesh, scale = thing.data, thing[SCALE]
    if thing[KIND] == "surface":
        place, triangles, velocity = read_mesh(files[max(there)])
        fill(mesh, scale * turned(place), triangles)
        if velocity is not None:
            put(mesh, "velocity", "FLOAT_VECTOR", scale * turned(velocity))
        return
    fields = read_frame(files[max(there)])
    fill(mesh, scale * turned(fields["position"]))
    for name, values in fields.items():
        if name == "velocity":
            put(mesh, name, "FLOAT_VECTOR", scale * turned(values))
            put(mesh, "speed", "FLOAT", np.linalg.norm(values, axis=1).astype(np.float32))
        elif name != "position" and values.shape[1] == 1:
            whole = values.dtype.kind == "i"
            put(mesh, name, "INT" if whole else "FLOAT", values.astype(np.int32 if whole else np.float32))


@persistent
def follow(scene, _depsgraph=None):
    """Called by Blender whenever the frame changes."""
    for thing in scene.objects:
        if FOLDER in thing:
            show(thing, scene.frame_current)


def import_run(folder, first=1, step=1, scale=1.0):
    """The objects of a run: particles, and the surface where it has meshes."""
    made = []
    for kind in ("particles", "surface"):
        name = f"{Path(folder).name} {kind}"
        thing = bpy.data.objects.new(name, bpy.data.meshes.new(name))
        thing[FOLDER], thing[FIRST], thing[STEP], thing[SCALE], thing[KIND] = str(folder), first, step, scale, kind
        files = files_of(thing)
        if not files:
            bpy.data.objects.remove(thing)
            continue
        bpy.context.scene.collection.objects.link(thing)
        show(thing, bpy.context.scene.frame_current)
        bpy.context.scene.frame_end = max(bpy.context.scene.frame_end, first + step * max(files))
        made.append(thing)
    return made


class ImportMeniscusRun(bpy.types.Operator, ImportHelper):
    """Import a run of meniscus: choose run.yaml in its folder"""

    bl_idname = "import_scene.meniscus_run"
    bl_label = "Import Meniscus run"
    bl_options = {"REGISTER", "UNDO"}
    filename_ext = ".yaml"
    filter_glob: StringProperty(default="*.yaml", options={"HIDDEN"})
    first: IntProperty(name="First frame", default=1, description="frame of the scene that shows frame 0 of the run")
    step: IntProperty(name="Step", default=1, min=1, description="frames of the scene for each of the run")
    scale: FloatProperty(name="Scale", default=1.0, min=1e-6, description="Blender units for a metre")

    def execute(self, context):
        """Imports, or says what is missing."""
        folder = Path(self.filepath).parent
        if not (folder / "run.yaml").is_file():
            self.report({"ERROR"}, f"{folder} holds no run; expected run.yaml in it")
            return {"CANCELLED"}
        if not import_run(folder, self.first, self.step, self.scale):
            self.report({"ERROR"}, f"{folder} has no frames in VTP; expected `output: {{formats: [vtp]}}`")
            return {"CANCELLED"}
        return {"FINISHED"}


def menu(self, _context):
    """The line in File > Import."""
    self.layout.operator(ImportMeniscusRun.bl_idname, text="Meniscus run (run.yaml)")


def register():
    """Called by Blender when the add-on is switched on."""
    bpy.utils.register_class(ImportMeniscusRun)
    bpy.types.TOPBAR_MT_file_import.append(menu)
    bpy.app.handlers.frame_change_pre.append(follow)


def unregister():
    """And off."""
    bpy.app.handlers.frame_change_pre.remove(follow)
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    bpy.utils.unregister_class(ImportMeniscusRun)


if __name__ == "__main__":
    register()
