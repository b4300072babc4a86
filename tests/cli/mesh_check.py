# mesh_check.py FILE... -- reads meshes with VTK (ply, obj, vtp, stl); ends with 1 if one is open, non-manifold or not
# like the first.
# mesh_check.py --plain FILE.ply... -- the edges alone, without VTK.
import struct, sys

def fail(path, what):
    print(f"{path}: {what}")
    sys.exit(1)

def plain(path):
    with open(path, "rb") as f:
        data = f.read()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    head = data[:end].decode().split("\n")
    if head[1] != "format binary_little_endian 1.0" or "property list uchar int vertex_indices" not in head:
        fail(path, "not the PLY that was asked for")
    counts = [int(l.split()[2]) for l in head if l.startswith("element")]
    names = [l.split()[2] for l in head if l.startswith("property") and " list " not in l]
    if names[:6] != ["x", "y", "z", "nx", "ny", "nz"]: fail(path, f"properties {names}")
    at = end + 4 * len(names) * counts[0]
    if len(data) != at + 13 * counts[1]: fail(path, "wrong length")
    edges = {}
    for t in range(counts[1]):
        n, a, b, c = struct.unpack_from("<Biii", data, at + 13 * t)
        if n != 3: fail(path, "a face that is not a triangle")
        for e in ((a, b), (b, c), (c, a)):
            if e in edges: fail(path, f"edge {e} twice")
            edges[e] = True
    for a, b in edges:
        if (b, a) not in edges: fail(path, f"edge {a} {b} is open")
    return counts

def read(path):
    kind = path.rsplit(".", 1)[1]
    from vtkmodules.vtkIOGeometry import vtkOBJReader, vtkSTLReader
    from vtkmodules.vtkIOPLY import vtkPLYReader
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
    reader = {"ply": vtkPLYReader, "obj": vtkOBJReader, "vtp": vtkXMLPolyDataReader, "stl": vtkSTLReader}[kind]()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()

def check(path, first):
    from vtkmodules.vtkFiltersCore import vtkFeatureEdges, vtkMassProperties
    mesh = read(path)
    edges = vtkFeatureEdges()
    edges.SetInputData(mesh)
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.Update()
    bad = edges.GetOutput().GetNumberOfCells()
    if bad: fail(path, f"{bad} open or non-manifold edges")
    mass = vtkMassProperties()
    mass.SetInputData(mesh)
    mass.Update()
    now = (mesh.GetNumberOfCells(), mesh.GetNumberOfPoints(), mesh.GetBounds(), mass.GetVolume())
    if now[0] == 0: fail(path, "no triangles")
    if first and (now[0] != first[0] or now[1] != first[1]): fail(path, f"{now[:2]} instead of {first[:2]}")
    if first and (any(abs(a - b) > 1e-5 for a, b in zip(now[2], first[2])) or abs(now[3] / first[3] - 1) > 1e-4):
        fail(path, f"other bounds or volume: {now[2:]} instead of {first[2:]}")
    if path.endswith(".vtp"):
        data = mesh.GetPointData()
        for name in ("normal", "velocity", "speed", "density", "pressure", "id"):
            if not data.HasArray(name): fail(path, f"no array {name}")
        if data.GetArray("velocity").GetNumberOfComponents() != 3: fail(path, "velocity is not a vector")
        if not mesh.GetFieldData().HasArray("TimeValue"): fail(path, "no time")
    return now

if sys.argv[1] == "--plain":
    for p in sys.argv[2:]: plain(p)
else:
    first = None
    for p in sys.argv[1:]: first = check(p, first) if first is None else (check(p, first), first)[1]
