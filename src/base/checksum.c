/* checksum.c -- see checksum.h. Words are read little-endian, so that every machine gives the same sum. */
#include "base/checksum.h"

#include <string.h>

/* Odd, with bits spread evenly: fractional parts of the square roots of 2, 3 and 5. */
static const uint64_t ROOT2 = 0x6a09e667f3bcc909u, ROOT3 = 0xbb67ae8584caa73bu, ROOT5 = 0x3c6ef372fe94f82bu;

static uint64_t turn(uint64_t x, int by) { return x << by | x >> (64 - by); }

static uint64_t word(const unsigned char *bytes)
{
    uint64_t w;
    memcpy(&w, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap64(w);
#endif
    return w;
}

static uint64_t step(uint64_t lane, uint64_t w) { return turn(lane ^ w * ROOT2, 29) * ROOT3; }

mn_checksum mn_checksum_start(void) { return (mn_checksum){{ROOT2, ROOT3, ROOT5, ROOT2 ^ ROOT5}, 0, {0}}; }

static void rounds(mn_checksum *sum, const unsigned char *bytes, size_t count)
{
    uint64_t a = sum->lane[0], b = sum->lane[1], c = sum->lane[2], d = sum->lane[3];
    for (size_t r = 0; r < count; r++, bytes += 32) {
        a = step(a, word(bytes));
        b = step(b, word(bytes + 8));
        c = step(c, word(bytes + 16));
        d = step(d, word(bytes + 24));
    }
    sum->lane[0] = a, sum->lane[1] = b, sum->lane[2] = c, sum->lane[3] = d;
}

void mn_checksum_add(mn_checksum *sum, const void *bytes, size_t size)
{
    const unsigned char *in = bytes;
    size_t held = sum->length % 32;
    sum->length += size;
    if (held > 0) {
        size_t part = size < 32 - held ? size : 32 - held;
        memcpy(sum->rest + held, in, part);
        if (held + part < 32) return;
        rounds(sum, sum->rest, 1);
        in += part;
        size -= part;
    }
    rounds(sum, in, size / 32);
    if (size % 32) memcpy(sum->rest, in + size / 32 * 32, size % 32);
}

uint64_t mn_checksum_end(mn_checksum *sum)
{
    size_t held = sum->length % 32;
    if (held > 0) {
        memset(sum->rest + held, 0, 32 - held);
        rounds(sum, sum->rest, 1);
    }
    uint64_t mix = sum->length * ROOT5;
    for (int l = 0; l < 4; l++) mix = step(mix, sum->lane[l]);
    mix = (mix ^ mix >> 32) * ROOT2;
    return mix ^ mix >> 29;
}
