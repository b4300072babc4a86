#!/bin/sh
# landscape.sh room|valley N -- a closed mesh of a block whose top has N cells along x, as ascii PLY with colours on
# standard output.
# room: what a depth camera would give of a floor with table, sofa and cupboard, 2 x 1.4 m: irregular points, rough by a
# centimetre, steps that are slopes, and three paints in the vertex colours (red furniture, green carpet, blue stains).
# valley: 4 x 2 m that falls along x, red on the slopes.
# The files in scenes/orthmann2013 are made by  sh tools/landscape.sh room 56  and  sh tools/landscape.sh valley 40.
set -eu
exec awk -v kind="$1" -v n="$2" '
function block(x, z, ax, az, bx, bz, h) { return x >= ax && x <= bx && z >= az && z <= bz ? h : 0 }
function max(a, b) { return a > b ? a : b }
function noise(i, j, k,  u) { u = 43758.5453 * sin(12.9898 * i + 78.233 * j + 37.719 * k); return u - int(u) }
function height(x, z) {
    if (kind == "room")
        return max(max(block(x, z, 0.7, 0.5, 1.2, 0.9, 0.24), block(x, z, 1.5, 0.2, 1.8, 1.2, 0.16)),
                   block(x, z, 0.5, 0, 1.0, 0.2, 0.4))
    return 0.30 - 0.06 * x + 0.45 * (z - 1 - 0.15 * sin(2 * x)) ^ 2 + 0.03 * sin(7 * x) * cos(6 * z)
}
function paint(x, z, y, channel) {
    if (kind == "valley") return channel == 0 ? (y > 0.38 ? 220 : 40) : channel == 1 ? 120 : 90
    if (channel == 0) return y > 0.08 ? 230 : 0
    if (channel == 1)
        return y <= 0.08 && \
               ((x - 0.45) ^ 2 + (z - 0.8) ^ 2 < 0.09 + 0.02 * sin(20 * x) || x > 1.25 && x < 1.5) ? 200 : 0
    return sin(9 * x + 2) * sin(8 * z) > 0.55 ? 220 : 0
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
                x = long * i / n; z = wide * j / m; y = side ? low : height(x, z); fade = 1
                if (kind == "room" && !side) {
                    if (i > 0 && i < n) x += 0.35 * long / n * noise(i, j, 1)
                    if (j > 0 && j < m) z += 0.35 * wide / m * noise(i, j, 2)
                    y = height(x, z) + 0.006 * noise(i, j, 3); fade = 0.85 + 0.15 * noise(i, j, 4)
                }
                printf "%.4f %.4f %.4f", x, y, z
                for (c = 0; c < 3; c++)
                    printf " %d", (side && (c == 0 || kind == "room") ? 0 : fade * paint(x, z, y, c))
                print ""
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
