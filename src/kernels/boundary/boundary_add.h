/* boundary_add.h -- the end of every kernel that gives walls their part: field += scale v at boundary point i. */
/* needs: vec.h */

INLINE void add_on_boundary(WRITTEN(real4) field, const int i, num scale, vec v)
{
    store3(field, i, add_times3(vec_here(field), scale, v), num_of(0.0f));
}
