/* cloud.c -- see cloud.h. */
#include "surface/cloud.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AXIS_BITS = 21, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static uint64_t key_at(int x, int y, int z)
{
    return (uint64_t)(uint32_t)z << (2 * AXIS_BITS) | (uint64_t)(uint32_t)y << AXIS_BITS | (uint64_t)(uint32_t)x;
}

static int bin_of(float u) { return (int)(u * (1 / CLOUD_REACH)); }

typedef struct entry {
    uint64_t key;
    int32_t point;
} entry;

/* By key, equal keys in their order: one digit after the other, those that all share left out. */
static bool sort_entries(entry *data, int32_t count)
{
    entry *other = malloc(((size_t)count + 1) * sizeof *other), *from = data, *to = other;
    if (!other) return false;
    uint64_t differ = 0;
    for (int32_t i = 1; i < count; i++) differ |= data[i].key ^ data[0].key;
    for (int shift = 0; shift < 3 * AXIS_BITS; shift += DIGIT_BITS) {
        if (!(differ >> shift & (DIGITS - 1))) continue;
        int32_t start[DIGITS + 1] = {0};
        for (int32_t i = 0; i < count; i++) start[(from[i].key >> shift & (DIGITS - 1)) + 1]++;
        for (int d = 0; d < DIGITS; d++) start[d + 1] += start[d];
        for (int32_t i = 0; i < count; i++) to[start[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
        entry *swap = from;
        from = to;
        to = swap;
    }
    if (from != data) memcpy(data, from, (size_t)count * sizeof *data);
    free(other);
    return true;
}

static uint32_t hash_of(uint64_t key)
{
    key *= 0x9e3779b97f4a7c15ull;
    return (uint32_t)(key >> 32);
}

static int32_t find_bin(const cloud *c, int x, int y, int z)
{
    if (x < 0 || y < 0 || z < 0) return -1;
    const uint64_t key = key_at(x, y, z);
    for (uint32_t s = hash_of(key) & c->mask; c->slot[s]; s = (s + 1) & c->mask)
        if (c->key[c->slot[s] - 1] == key) return (int32_t)c->slot[s] - 1;
    return -1;
}

static bool make_bins(cloud *c, const entry *sorted)
{
    int32_t bins = 0;
    for (int32_t i = 0; i < c->count; i++) bins += i == 0 || sorted[i].key != sorted[i - 1].key;
    uint32_t size = 16;
    while (size < 2 * (uint32_t)bins) size *= 2;
    c->key = malloc(((size_t)bins + 1) * sizeof *c->key);
    c->first = malloc(((size_t)bins + 1) * sizeof *c->first);
    c->slot = calloc(size, sizeof *c->slot);
    if (!c->key || !c->first || !c->slot) return false;
    c->mask = size - 1;
    for (int32_t i = 0; i < c->count; i++) {
        if (i > 0 && sorted[i].key == sorted[i - 1].key) continue;
        c->key[c->bin_count] = sorted[i].key;
        c->first[c->bin_count++] = i;
        uint32_t s = hash_of(sorted[i].key) & c->mask;
        while (c->slot[s]) s = (s + 1) & c->mask;
        c->slot[s] = (uint32_t)c->bin_count;
    }
    c->first[c->bin_count] = c->count;
    return true;
}

bool cloud_new(cloud *out, const float *u, const int32_t *index, int32_t count, const double origin[3], double spacing)
{
    *out = (cloud){.count = count, .spacing = spacing};
    for (int k = 0; k < 3; k++) out->origin[k] = origin[k];
    const size_t room = (size_t)count + 8; /* loops may look a few past the end */
    entry *list = malloc(room * sizeof *list);
    out->x = calloc(room, sizeof(float));
    out->y = calloc(room, sizeof(float));
    out->z = calloc(room, sizeof(float));
    out->index = calloc(room, sizeof(int32_t));
    bool good = list && out->x && out->y && out->z && out->index;
    for (int32_t i = 0; good && i < count; i++) {
        const float *p = u + 3 * (size_t)i;
        list[i] = (entry){key_at(bin_of(p[0]), bin_of(p[1]), bin_of(p[2])), i};
    }
    good = good && sort_entries(list, count) && make_bins(out, list);
    for (int32_t i = 0; good && i < count; i++) {
        const float *p = u + 3 * (size_t)list[i].point;
        out->x[i] = p[0];
        out->y[i] = p[1];
        out->z[i] = p[2];
        out->index[i] = index ? index[list[i].point] : list[i].point;
    }
    free(list);
    if (!good) cloud_free(out);
    return good;
}

void cloud_free(cloud *c)
{
    free(c->x);
    free(c->y);
    free(c->z);
    free(c->index);
    free(c->key);
    free(c->first);
    free(c->slot);
    *c = (cloud){0};
}

void cloud_bin_place(const cloud *c, int32_t bin, int place[3])
{
    for (int k = 0; k < 3; k++) place[k] = (int)(c->key[bin] >> (AXIS_BITS * k) & ((1u << AXIS_BITS) - 1));
}

int cloud_runs(const cloud *c, const float low[3], const float high[3], cloud_run runs[64])
{
    int a[3], b[3], count = 0;
    for (int k = 0; k < 3; k++) {
        a[k] = low[k] > 0 ? bin_of(low[k]) : 0;
        b[k] = high[k] >= 0 ? bin_of(high[k]) : -1;
    }
    for (int z = a[2]; z <= b[2]; z++)
        for (int y = a[1]; y <= b[1]; y++) {
            int32_t from = -1, to = -1;
            for (int x = a[0]; x <= b[0] && from < 0; x++) from = find_bin(c, x, y, z);
            for (int x = b[0]; from >= 0 && to < 0; x--) to = find_bin(c, x, y, z);
            if (from >= 0 && count < 64) runs[count++] = (cloud_run){c->first[from], c->first[to + 1]};
        }
    return count;
}
