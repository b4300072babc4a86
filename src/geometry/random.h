/* random.h -- the random numbers of the samplers: equal on every machine. */
#ifndef MN_GEOMETRY_RANDOM_H
#define MN_GEOMETRY_RANDOM_H

#include <stdint.h>

#include "geometry/vectors.h"

/* splitmix64: a counter and a mixing function, so that any (seed, index) gives its own independent stream. */
typedef struct random_stream {
    uint64_t state;
} random_stream;

static inline uint64_t random_bits(random_stream *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static inline random_stream random_from(int seed, uint64_t index)
{
    random_stream r = {(uint64_t)(uint32_t)seed * 0xd1342543de82ef95ull + index};
    r.state = random_bits(&r);
    return r;
}

/* Uniform in [0, 1). */
static inline double random_unit(random_stream *r) { return (double)(random_bits(r) >> 11) * 0x1p-53; }

/* Uniform in the unit ball. */
static inline void random_in_ball(random_stream *r, double out[3])
{
    do
        for (int k = 0; k < 3; k++) out[k] = 2 * random_unit(r) - 1;
    while (dot3(out, out) > 1);
}

#endif
