/* halve.h -- a triangle whose long sides are cut in two. */
#ifndef MN_HALVE_H
#define MN_HALVE_H

/* The pieces of a triangle whose sides 0-1, 1-2 and 2-0 (bits 0, 1, 2 of `sides`) are halved, the others not: 1 to 4 of
 * three corners each, each corner the middle of two of the whole's. Where neighbours halve the side that they share,
 * there are no gaps. */
typedef int mn_halved[12][2];

/* No surface is cut into more than this. */
enum { MN_MOST_HALVED = 2000000 };
#define MN_HALVED_TOO_FEW                                                                                              \
    "'%s' would need more than two million triangles to have none with sides above %g m, its spacing; meshes and "     \
    "pictures show it with fewer, larger ones"

static inline int mn_halve(int sides, const mn_halved **pieces)
{
    static const int count[8] = {1, 2, 2, 3, 2, 3, 3, 4};
    static const mn_halved all[8] = {
        {{0, 0}, {1, 1}, {2, 2}},
        {{0, 0}, {0, 1}, {2, 2}, {0, 1}, {1, 1}, {2, 2}},
        {{0, 0}, {1, 1}, {1, 2}, {0, 0}, {1, 2}, {2, 2}},
        {{0, 1}, {1, 1}, {1, 2}, {0, 0}, {0, 1}, {1, 2}, {0, 0}, {1, 2}, {2, 2}},
        {{0, 0}, {1, 1}, {2, 0}, {2, 0}, {1, 1}, {2, 2}},
        {{0, 0}, {0, 1}, {2, 0}, {0, 1}, {1, 1}, {2, 2}, {0, 1}, {2, 2}, {2, 0}},
        {{1, 2}, {2, 2}, {2, 0}, {0, 0}, {1, 1}, {1, 2}, {0, 0}, {1, 2}, {2, 0}},
        {{0, 0}, {0, 1}, {2, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 0}, {1, 2}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}};
    *pieces = &all[sides];
    return count[sides];
}

#endif
