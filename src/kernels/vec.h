/* vec.h -- arithmetic of vectors: x, y, z. Their w is what a field keeps there, else 0. */

INLINE vec vec_of(lane x, lane y, lane z)
{
    vec r;
    r.x = x, r.y = y, r.z = z, r.w = splat(0.0f);
    return r;
}
INLINE vec add3(vec a, vec b) { return vec_of(a.x + b.x, a.y + b.y, a.z + b.z); }
INLINE vec sub3(vec a, vec b) { return vec_of(a.x - b.x, a.y - b.y, a.z - b.z); }
INLINE vec scale3(lane s, vec a) { return vec_of(s * a.x, s * a.y, s * a.z); }
INLINE vec add_scaled3(vec a, lane s, vec b) { return vec_of(lane_fma(s, b.x, a.x), lane_fma(s, b.y, a.y), lane_fma(s, b.z, a.z)); } /* a + s b */
INLINE lane dot3(vec a, vec b) { return lane_fma(a.z, b.z, lane_fma(a.y, b.y, a.x * b.x)); }
