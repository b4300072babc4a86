/* wall_add.h -- the end of a kernel that gives walls their part: field += scale (x, y, z) at the wall point i. */
#define wall_add_IN_LANES

#define ADD_ON_WALL_(field, scale, sum_x, sum_y, sum_z)                                                        \
    const own4 had = load4_i(field, i);                                                                       \
    const own by = (scale);                                                                                   \
    store4_i(field, i, had.x + by * (sum_x), had.y + by * (sum_y), had.z + by * (sum_z), 0.0f)
