#!/bin/sh
# landscape.sh room|valley N -- a closed mesh of a block whose top has N cells along x, as ascii PLY with colours on standard output.
# room: floor, table, sofa and cupboard of 2 x 1.4 m, red where it is painted; valley: 4 x 2 m that falls along x, red on the slopes.
# The files in scenes/orthmann2013 are made by  sh tools/landscape.sh room 40  and  sh tools/landscape.sh valley 40.
set -eu
exec awk -v kind="$1" -v n="$2" '
function block(x, z, ax, az, bx, bz, h) { return x >= ax && x <= bx && z >= az && z <= bz ? h : 0 }
function max(a, b) { return a > b ? a : b }
function height(x, z) {
    if (kind == "room") return max(max(block(x, z, 0.7, 0.5, 1.2, 0.9, 0.24), block(x, z, 1.5, 0.2, 1.8, 1.2, 0.16)), block(x, z, 0.5, 0, 1.0, 0.2, 0.4))
    return 0.30 - 0.06 * x + 0.45 * (z - 1 - 0.15 * sin(2 * x)) ^ 2 + 0.03 * sin(7 * x) * cos(6 * z)
}
function red(x, z, y) {
    if (kind == "room") return y > 0.05 ? 230 : (sin(9 * x) * sin(8 * z) > 0 ? 130 : 0)
    return y > 0.38 ? 220 : 40
}
BEGIN {
    long = kind == "room" ? 2 : 4; wide = kind == "room" ? 1.4 : 2; low = -0.2
    m = int(n * wide / long + 0.5); count = (n + 1) * (m + 1)
    edge = 2 * (n + m)
    print "ply\nformat ascii 1.0\ncomment made by tools/landscape.sh " kind " " n
    print "element vertex " 2 * count "\nproperty float x\nproperty float y\nproperty float z"
    print "property uchar red\nproperty uchar green\nproperty uchar blue"
    print "element face " 4 * n * m + 2 * edge "\nproperty list uchar int vertex_indices\nend_header"
    for (side = 0; side < 2; side++)
        for (j = 0; j <= m; j++)
            for (i = 0; i <= n; i++) {
                x = long * i / n; z = wide * j / m; y = side ? low : height(x, z)
                r = side ? 0 : red(x, z, y)
                printf "%.4f %.4f %.4f %d %d %d\n", x, y, z, r, 120, 90
            }
    for (j = 0; j < m; j++)
        for (i = 0; i < n; i++) {
            a = j * (n + 1) + i; b = a + 1; c = a + n + 1; d = c + 1
            print "3", a, c, b "\n3", b, c, d                                           # top
            print "3", count + a, count + b, count + c "\n3", count + b, count + d, count + c # bottom
        }
    for (i = 0; i < n; i++) { wall(i + 1, i); wall(m * (n + 1) + i, m * (n + 1) + i + 1) }
    for (j = 0; j < m; j++) { wall(j * (n + 1), (j + 1) * (n + 1)); wall((j + 1) * (n + 1) + n, j * (n + 1) + n) }
}
function wall(a, b) { print "3", a, count + a, b "\n3", b, count + a, count + b }
' </dev/null
