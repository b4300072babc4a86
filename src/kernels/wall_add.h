/* wall_add.h -- the end of every kernel that gives walls their part: field += scale (x, y, z) at
 * boundary point i. */

INLINE void add_on_boundary(WRITTEN(real4) field, const int i, num scale, num x, num y, num z)
{
    const vec had = vec_here(field);
    set_vec(field, had.x + scale * x, had.y + scale * y, had.z + scale * z, num_of(0.0f));
}
