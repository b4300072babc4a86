/* vec.h -- what loops over neighbours have in common: arithmetic of vectors (x, y, z; their w is what a field keeps
 * there, else 0), sums, and stores.
 *
 * dot3 and add_scaled3 round once a component (fma); inner3, square3 and add_times3 round every operation. Results
 * differ in the last bit: a kernel keeps to what it began with, or its golden hashes are renewed.
 */

INLINE vec vec_of(num x, num y, num z)
{
    vec r;
    r.x = x, r.y = y, r.z = z, r.w = num_of(0.0f);
    return r;
}
INLINE vec zero3(void) { return vec_of(num_of(0.0f), num_of(0.0f), num_of(0.0f)); }
INLINE vec add3(vec a, vec b) { return vec_of(a.x + b.x, a.y + b.y, a.z + b.z); }
INLINE vec sub3(vec a, vec b) { return vec_of(a.x - b.x, a.y - b.y, a.z - b.z); }
INLINE vec scale3(num s, vec a) { return vec_of(s * a.x, s * a.y, s * a.z); }
/* a + s b */
INLINE vec add_scaled3(vec a, num s, vec b)
{
    return vec_of(fma_of(s, b.x, a.x), fma_of(s, b.y, a.y), fma_of(s, b.z, a.z));
}
INLINE num dot3(vec a, vec b) { return fma_of(a.z, b.z, fma_of(a.y, b.y, a.x * b.x)); }
INLINE vec cross3(vec a, vec b)
{
    return vec_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
INLINE vec add_times3(vec a, num s, vec b) { return vec_of(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z); }
INLINE num inner3(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
INLINE num square3(vec a) { return inner3(a, a); }

/* a where c > 0, else b */
INLINE vec choose3(num c, vec a, vec b)
{
    const num none = num_of(0.0f);
    return vec_of(choose(c > none, a.x, b.x), choose(c > none, a.y, b.y), choose(c > none, a.z, b.z));
}

/* A symmetric matrix, and the sums c x and c x x^T over neighbours. */
typedef struct six {
    num xx, yy, zz, xy, xz, yz;
} six;
typedef struct moments {
    vec first;
    six second;
} moments;

INLINE six six_zero(void)
{
    six m;
    m.xx = m.yy = m.zz = m.xy = m.xz = m.yz = num_of(0.0f);
    return m;
}
/* m + s x x^T, from s x */
INLINE six six_plus(six m, vec sx, vec x)
{
    m.xx += sx.x * x.x, m.yy += sx.y * x.y, m.zz += sx.z * x.z;
    m.xy += sx.x * x.y, m.xz += sx.x * x.z, m.yz += sx.y * x.z;
    return m;
}
/* m + (s x^T + x s^T)/2 */
INLINE six six_plus_both(six m, vec s, vec x)
{
    m.xx += s.x * x.x, m.yy += s.y * x.y, m.zz += s.z * x.z;
    m.xy += 0.5f * (s.x * x.y + s.y * x.x), m.xz += 0.5f * (s.x * x.z + s.z * x.x);
    m.yz += 0.5f * (s.y * x.z + s.z * x.y);
    return m;
}
/* m + s k; s m */
INLINE six six_plus_times(six m, num s, six k)
{
    m.xx += s * k.xx, m.yy += s * k.yy, m.zz += s * k.zz, m.xy += s * k.xy, m.xz += s * k.xz, m.yz += s * k.yz;
    return m;
}
INLINE six six_times(num s, six m)
{
    m.xx = s * m.xx, m.yy = s * m.yy, m.zz = s * m.zz, m.xy = s * m.xy, m.xz = s * m.xz, m.yz = s * m.yz;
    return m;
}
INLINE six six_adjugate(six m)
{
    six a;
    a.xx = m.yy * m.zz - m.yz * m.yz, a.yy = m.xx * m.zz - m.xz * m.xz, a.zz = m.xx * m.yy - m.xy * m.xy;
    a.xy = m.xz * m.yz - m.xy * m.zz, a.xz = m.xy * m.yz - m.xz * m.yy, a.yz = m.xy * m.xz - m.xx * m.yz;
    return a;
}
INLINE vec six_times_vec(six m, vec x)
{
    return vec_of(m.xx * x.x + m.xy * x.y + m.xz * x.z, m.xy * x.x + m.yy * x.y + m.yz * x.z,
                  m.xz * x.x + m.yz * x.y + m.zz * x.z);
}
/* A : B, and A A */
INLINE num six_inner(six a, six b)
{
    return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + 2.0f * (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}
INLINE six six_square(six a)
{
    six s;
    s.xx = a.xx * a.xx + a.xy * a.xy + a.xz * a.xz, s.yy = a.xy * a.xy + a.yy * a.yy + a.yz * a.yz;
    s.zz = a.xz * a.xz + a.yz * a.yz + a.zz * a.zz, s.xy = a.xx * a.xy + a.xy * a.yy + a.xz * a.yz;
    s.xz = a.xx * a.xz + a.xy * a.yz + a.xz * a.zz, s.yz = a.xy * a.xz + a.yy * a.yz + a.yz * a.zz;
    return s;
}
/* x.M x */
INLINE num six_along(six m, vec x)
{
    return x.x * x.x * m.xx + x.y * x.y * m.yy + x.z * x.z * m.zz +
           2.0f * (x.x * x.y * m.xy + x.x * x.z * m.xz + x.y * x.z * m.yz);
}
INLINE moments moments_zero(void)
{
    moments m;
    m.first = zero3(), m.second = six_zero();
    return m;
}
INLINE moments moments_plus(moments m, num c, vec x)
{
    const vec cx = scale3(c, x);
    m.first = add3(m.first, cx), m.second = six_plus(m.second, cx, x);
    return m;
}

/* Stores at i: (v, w); or v scaled and added to what is there, whose w stays. */
INLINE void store3(WRITTEN(real4) field, const int i, vec v, num w) { set_vec(field, v.x, v.y, v.z, w); }
INLINE void store_sum3(WRITTEN(real4) field, const int i, num scale, vec v)
{
    const vec old = vec_here(field);
    store3(field, i, add_times3(old, scale, v), old.w);
}
