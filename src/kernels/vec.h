/* vec.h -- arithmetic of vectors: x, y, z. Their w is what a field keeps there, else 0. */

INLINE vec vec_of(num x, num y, num z)
{
    vec r;
    r.x = x, r.y = y, r.z = z, r.w = num_of(0.0f);
    return r;
}
INLINE vec add3(vec a, vec b) { return vec_of(a.x + b.x, a.y + b.y, a.z + b.z); }
INLINE vec sub3(vec a, vec b) { return vec_of(a.x - b.x, a.y - b.y, a.z - b.z); }
INLINE vec scale3(num s, vec a) { return vec_of(s * a.x, s * a.y, s * a.z); }
/* a + s b */
INLINE vec add_scaled3(vec a, num s, vec b)
{
    return vec_of(fma_of(s, b.x, a.x), fma_of(s, b.y, a.y), fma_of(s, b.z, a.z));
}
INLINE num dot3(vec a, vec b) { return fma_of(a.z, b.z, fma_of(a.y, b.y, a.x * b.x)); }
