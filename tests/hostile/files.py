"""files.py -- what random scenes name beside themselves: a mesh with colours, an open one, wind, an image."""
import os
import struct
import zlib

CUBE = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def ply():
    """A cube of width 1 about the origin; a colour for each corner."""
    head = "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n" \
        "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 6\n" \
        "property list uchar int vertex_indices\nend_header\n"
    colours = [(255 * (v[0] > 0), 30 * k, 255 - 30 * k) for k, v in enumerate(CUBE)]
    corners = "".join("%g %g %g %d %d %d\n" % (v + c) for v, c in zip(CUBE, colours))
    return (head + corners + "".join("4 %d %d %d %d\n" % f for f in FACES)).encode()


def sheet():
    """A square of width 1 that looks up, bent in the middle."""
    return b"v -0.5 0 -0.5\nv -0.5 0 0.5\nv 0.5 0 0.5\nv 0.5 0 -0.5\nv 0 -0.1 0\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n"


def wind():
    """3 x 3 x 3 velocities, half a metre apart."""
    numbers = " ".join("%g %g %g" % (k % 5 - 2, k % 3 - 1, 0.1 * k) for k in range(27))
    return ('<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt64">\n'
            '<ImageData WholeExtent="0 2 0 2 0 2" Origin="-0.2 -0.2 -0.2" Spacing="0.5 0.5 0.5">\n'
            '<Piece Extent="0 2 0 2 0 2">\n<PointData>\n'
            '<DataArray type="Float32" Name="U" NumberOfComponents="3" format="ascii">%s</DataArray>\n'
            '</PointData>\n</Piece>\n</ImageData>\n</VTKFile>\n' % numbers).encode()


def png():
    """8 x 8 grey pixels, dark to bright."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes(4 * (8 * y + x) for x in range(8)) for y in range(8))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def write(folder):
    """All of them, where they are not there yet."""
    for name, make in (("cube.ply", ply), ("sheet.obj", sheet), ("wind.vti", wind), ("spots.png", png)):
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            with open(path, "wb") as file:
                file.write(make())
