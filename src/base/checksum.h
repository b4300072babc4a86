/* checksum.h -- a fast 64-bit checksum against damage (not against forgery).
 *
 * Four lanes take eight bytes each in turn. Every step is a bijection of the lane for a given word and of the word
 * for a given lane, and so is the final mix of each lane: a change confined to one eight-byte word always changes
 * the sum.
 */
#ifndef MN_BASE_CHECKSUM_H
#define MN_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct mn_checksum {
    uint64_t lane[4];
    uint64_t length;
    unsigned char rest[32]; /* bytes that do not fill a round yet: length % 32 of them */
} mn_checksum;

mn_checksum mn_checksum_start(void);
void mn_checksum_add(mn_checksum *sum, const void *bytes, size_t size);
uint64_t mn_checksum_end(mn_checksum *sum);

#endif
