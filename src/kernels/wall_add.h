/* wall_add.h -- the end of every kernel that gives walls their part: field += scale (x, y, z) at the wall point i. */

INLINE void add_on_wall(WRITTEN(real4) field, const int i, own scale, lane x, lane y, lane z)
{
    const vec had = vec_i(field, i);
    store4_i(field, i, had.x + scale * x, had.y + scale * y, had.z + scale * z, splat(0.0f));
}
