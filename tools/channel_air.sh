#!/bin/sh
# channel_air.sh > scenes/gissler2017/channel-air.vti -- the air of gissler2017/channel-boxes: flow without viscosity through a channel 1 m long and 0.3 m high,
# 1 m/s at the inflow, over a block on its floor from 0.32 m to 0.33 m, 4 cm high. Stream function on nodes 1 cm apart, Laplace's equation by successive over-relaxation:
# 0 on floor and block, 0.3 m^2/s at the ceiling, even at the inflow, no change along x at the outflow. One layer: it is the same across.
exec awk 'BEGIN {
    nx = 101; ny = 31; d = 0.01
    for (j = 0; j < ny; j++) for (i = 0; i < nx; i++) { p[i, j] = j * d; solid[i, j] = (i == 32 || i == 33) && j <= 4; if (solid[i, j]) p[i, j] = 0 }
    for (round = 0; round < 500; round++) {
        for (j = 1; j < ny - 1; j++) {
            for (i = 1; i < nx - 1; i++)
                if (!solid[i, j]) p[i, j] += 1.85 * ((p[i - 1, j] + p[i + 1, j] + p[i, j - 1] + p[i, j + 1]) / 4 - p[i, j])
            p[nx - 1, j] = p[nx - 2, j]
        }
    }
    print "<?xml version=\"1.0\"?>"
    print "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\">"
    printf "<ImageData WholeExtent=\"0 %d 0 %d 0 0\" Origin=\"0 0 0.15\" Spacing=\"%g %g %g\">\n", nx - 1, ny - 1, d, d, d
    printf "<Piece Extent=\"0 %d 0 %d 0 0\">\n<PointData Vectors=\"velocity\">\n", nx - 1, ny - 1
    print "<DataArray type=\"Float32\" Name=\"velocity\" NumberOfComponents=\"3\" format=\"ascii\">"
    for (j = 0; j < ny; j++) for (i = 0; i < nx; i++) {
        w = i > 0 ? i - 1 : i; e = i < nx - 1 ? i + 1 : i; s = j > 0 ? j - 1 : j; n = j < ny - 1 ? j + 1 : j
        u = (p[i, n] - p[i, s]) / ((n - s) * d); v = -(p[e, j] - p[w, j]) / ((e - w) * d)
        if (solid[i, j] && j < 4) u = v = 0
        printf "%.4f %.4f 0\n", u, v
    }
    print "</DataArray>\n</PointData>\n</Piece>\n</ImageData>\n</VTKFile>"
}'
