#!/usr/bin/env python3
"""tyre_mesh.py RADIUS WIDTH DEPTH INNER PITCHES [GROOVE GROOVES] > tyre.obj -- a tyre as an OBJ mesh, in metres, its
axis along z: a tread of blocks, parted by grooves around it and slots across it, side walls, and a bore for the rim.

    python3 tools/tyre_mesh.py 0.15 0.1 0.003 0.095 72 0.003 6 > scenes/gissler2017/tyre.obj
    python3 tools/tyre_mesh.py 0.075 0.03 0.003 0.05 24 0.003 2 > scenes/gissler2017/tyre-small.obj

RADIUS over the blocks, WIDTH of the tread, DEPTH of grooves and slots, INNER radius of the bore, PITCHES: how many
times the pattern of blocks repeats. GROOVE: width of the GROOVES grooves, 0.006 and 4 if left out."""
import math
import sys

if len(sys.argv) not in (6, 8):
    sys.exit(__doc__)
radius, width, depth, inner = (float(word) for word in sys.argv[1:5])
pitches = int(sys.argv[5])
groove, grooves = (float(sys.argv[6]), int(sys.argv[7])) if len(sys.argv) > 7 else (0.006, 4)
crown, slot = 0.01 * width, groove * pitches / (2 * math.pi * radius)  # slots are as wide as grooves
rib = (width - grooves * groove) / (grooves + 1)

# Lines across the tread and angles around it. Blocks of neighbouring ribs are staggered by half a pitch.
across, low_column = [-width / 2], []
for k in range(grooves + 1):
    across.append(across[-1] + rib), low_column.append(False)
    if k < grooves:
        across.append(across[-1] + groove), low_column.append(True)
angles, part = [], []
for p in range(pitches):
    for at, which in ((0, "even"), (slot, ""), (0.25 + slot / 2, "round"), (0.5, "odd"), (0.5 + slot, ""),
                      (0.75 + slot / 2, "round")):
        if which != "round" or pitches < 48:  # long blocks have an edge more
            angles.append(2 * math.pi * (p + at) / pitches), part.append(which)
columns, rows = len(low_column), len(angles)


def is_low(j, k):
    """Is the cell between lines j and j + 1 and angles k and k + 1 at the bottom of a groove or slot?"""
    return not 0 <= j < columns or low_column[j] or part[k % rows] == ("even" if j // 2 % 2 == 0 else "odd")


vertices, faces, index = [], [], {}


def vertex(k, z, r):
    key = (k % rows, round(z, 7), round(r, 7))
    if key not in index:
        vertices.append((r * math.cos(angles[k % rows]), r * math.sin(angles[k % rows]), z))
        index[key] = len(vertices)
    return index[key]


def level(j, low):
    return radius - crown * (2 * across[j] / width) ** 2 - (depth if low else 0)


def face(*corners):
    faces.append([vertex(*corner) for corner in corners])


for k in range(rows):
    for j in range(columns):
        low = is_low(j, k)
        face((k, across[j], level(j, low)), (k + 1, across[j], level(j, low)),
             (k + 1, across[j + 1], level(j + 1, low)), (k, across[j + 1], level(j + 1, low)))
        if is_low(j, k - 1) != low:  # the step to the cell before this one, round the tyre
            ends = (j, j + 1) if low else (j + 1, j)
            face(*((k, across[e], level(e, deep)) for e, deep in
                   ((ends[0], False), (ends[0], True), (ends[1], True), (ends[1], False))))
    for j in range(columns + 1):  # and to the one beside it
        if is_low(j - 1, k) != is_low(j, k):
            turn = (k + 1, k) if is_low(j, k) else (k, k + 1)
            face(*((t, across[j], level(j, deep)) for t, deep in
                   ((turn[0], False), (turn[0], True), (turn[1], True), (turn[1], False))))

# Side walls and bore: (distance from the middle, radius) from the foot of the tread inwards.
wall = level(0, True) - inner
side = [(width / 2, level(0, True)), (width / 2 + 0.10 * wall, inner + 0.80 * wall),
        (width / 2 + 0.15 * wall, inner + 0.55 * wall), (width / 2 + 0.08 * wall, inner + 0.25 * wall),
        (width / 2 - 0.06 * wall, inner + 0.04 * wall), (width / 2 - 0.1 * wall, inner)]
profile = side + [(-z, r) for z, r in reversed(side)]
for k in range(rows):
    for (z0, r0), (z1, r1) in zip(profile, profile[1:]):
        face((k, z0, r0), (k + 1, z0, r0), (k + 1, z1, r1), (k, z1, r1))

# Outwards: the volume that the faces enclose is above 0 when they are counter-clockwise.
volume = 0.0
for a, *rest in faces:
    for b, c in zip(rest, rest[1:]):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (vertices[i - 1] for i in (a, b, c))
        volume += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6
edges = {}
for corners in faces:
    for a, b in zip(corners, corners[1:] + corners[:1]):
        edges[a, b] = edges.get((a, b), 0) + 1
assert all(n == 1 and edges.get((b, a)) == 1 for (a, b), n in edges.items()), "the mesh is not closed"
print(f"# tyre of {2 * radius:g} x {width:g} m, made by tools/tyre_mesh.py")
for x, y, z in vertices:
    print(f"v {x:.6g} {y:.6g} {z:.6g}")
for corners in faces:
    print("f", *(corners if volume > 0 else corners[::-1]))
