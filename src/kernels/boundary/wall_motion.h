/* wall_motion.h -- walls that follow their keyframes are put in their places on the device: what the host sends is
 * their pose.
 *
 *   x = R r + c        v = v_c + omega x R r        r = where a point stands at rest, from the centre of the motion
 *
 * wall_rest = (r, V_b) of each active point; six rows of wall_pose a wall: (R, c), then ([omega]x R, v_c).
 * boundary/points.c writes both.
 */
#define wall_motion_OWNS(F)                                                                                       \
    F(wall_rest, real4, "m, m^3", TABLE, COPY, FLUID, "where boundary points stand at rest; w: volume")           \
    F(wall_mark, real, "1", TABLE, COPY, FLUID, "vel.w of boundary points: wall and half of its pattern's share") \
    F(wall_pose, real4, "m, m/s", TABLE, COPY, FLUID, "poses of moving walls")

#define wall_motion_FIELDS(X)                                                                                 \
    X(TABLE, real4, wall_rest) X(TABLE, real, wall_mark) X(TABLE, real4, wall_pose) X(WRITES, real4, pos) \
    X(WRITES, real4, vel)

/* arg = (first entry modulo 65536, and over it; the wall's rows) */
BRANCHING_KERNEL(wall_motion)
{
    const int entry_of = i - par->first + (int)arg.x + 65536 * (int)arg.y;
    const real4 r = wall_rest[entry_of];
    const int at = 6 * (int)arg.z;
    const real4 a = wall_pose[at], b = wall_pose[at + 1], c = wall_pose[at + 2];
    const real4 u = wall_pose[at + 3], v = wall_pose[at + 4], w = wall_pose[at + 5];
    set_vec(pos, a.x * r.x + a.y * r.y + a.z * r.z + a.w, b.x * r.x + b.y * r.y + b.z * r.z + b.w,
            c.x * r.x + c.y * r.y + c.z * r.z + c.w, r.w);
    set_vec(vel, u.x * r.x + u.y * r.y + u.z * r.z + u.w, v.x * r.x + v.y * r.y + v.z * r.z + v.w,
            w.x * r.x + w.y * r.y + w.z * r.z + w.w, wall_mark[entry_of]);
}
