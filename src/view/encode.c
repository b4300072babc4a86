/* encode.c -- a shot as a message: 16 bits a coordinate and a value, and of blocks of 64 particles only those that
 * differ from what the client has. Little-endian:
 *
 *     u32  "MNF1", generation; i32 frame (-1: live); u32 count, flags
 *     u32  blocks of positions, blocks of values, poses
 *     f64  time, step (-1: unknown)
 *     f32  low[3], span[3] of the box; least and most value; ends of a round scale
 *     f32  poses * 7
 *     u32  numbers of the blocks of positions    (flag 1: all blocks, no numbers)
 *     u16  3 * 64 a block
 *     u32  numbers of the blocks of values       (flag 2: all; flag 8: there is no value at all)
 *     u16  64 a block
 *     u8   groups, one a particle                (flag 4: they are there)
 * The last block is filled up with zeros, every part to four bytes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/preview.h"
#include "view/hub.h"

enum { ALL_POSITIONS = 1, ALL_VALUES = 2, GROUPS = 4, NO_VALUE = 8, HEAD = 5 * 4 + 3 * 4 + 2 * 8 + 10 * 4 };

void mn_sent_free(mn_sent *sent)
{
    free(sent->position);
    free(sent->value);
    free(sent->group);
    *sent = (mn_sent){0};
}

/* Whether all particles lie in the box that the client knows, and this is not far too wide. */
static bool fits(const mn_sent *sent, const double low[3], const double high[3])
{
    double widest = 0, extent = 0;
    for (int a = 0; a < 3; a++) {
        if (low[a] < (double)sent->low[a] || high[a] > (double)sent->low[a] + (double)sent->span[a]) return false;
        widest = fmax(widest, (double)sent->span[a]);
        extent = fmax(extent, high[a] - low[a]);
    }
    return widest < 4 * extent + 1e-9;
}

/* A wider box, so that it holds for many frames. */
static void choose_box(mn_sent *sent, const double low[3], const double high[3])
{
    double widest = 1e-9;
    for (int a = 0; a < 3; a++) widest = fmax(widest, high[a] - low[a]);
    for (int a = 0; a < 3; a++) {
        sent->low[a] = (float)(low[a] - 0.25 * widest);
        sent->span[a] = (float)(high[a] - low[a] + 0.5 * widest);
    }
}

static void pack_positions(const mn_sent *sent, const mn_view_shot *shot, uint16_t *out)
{
    float scale[3];
    for (int a = 0; a < 3; a++) scale[a] = 65535.0f / sent->span[a];
    for (long i = 0; i < shot->count; i++)
        for (int a = 0; a < 3; a++) {
            const float part = (shot->position[3 * i + a] - sent->low[a]) * scale[a];
            out[3 * i + a] = part > 0 ? part < 65535.0f ? (uint16_t)lrintf(part) : 65535 : 0; /* and NaN is 0 */
        }
}

static const float *value_of(const mn_view_shot *shot, const char *field)
{
    for (int f = 0; f < shot->field_count; f++)
        if (strcmp(shot->field[f].name, field) == 0) return shot->field[f].value;
    return NULL;
}

static void pack_values(const float *value, long count, double least, double most, uint16_t *out)
{
    const double scale = most > least ? 65535.0 / (most - least) : 0;
    for (long i = 0; i < count; i++) {
        const double part = ((double)value[i] - least) * scale;
        out[i] = part > 0 ? part < 65535.0 ? (uint16_t)lrint(part) : 65535 : 0;
    }
}

typedef struct writer {
    unsigned char *data;
    size_t size;
} writer;

static void put(writer *w, const void *data, size_t size)
{
    memcpy(w->data + w->size, data, size);
    w->size += size;
}
static void put_u32(writer *w, uint32_t v) { put(w, &v, 4); }
static void put_f32(writer *w, double v) { put(w, &(float){(float)v}, 4); }
static void put_f64(writer *w, double v) { put(w, &v, 8); }

/* The blocks that differ, or all of them; returns how many. */
static uint32_t put_blocks(writer *w, const uint16_t *now, const uint16_t *before, long blocks, size_t width)
{
    const size_t size = MN_VIEW_BLOCK * width * sizeof *now;
    uint32_t changed = 0;
    if (before)
        for (long b = 0; b < blocks; b++) {
            const size_t at = (size_t)b * MN_VIEW_BLOCK * width;
            if (memcmp(now + at, before + at, size) == 0) continue;
            put_u32(w, (uint32_t)b);
            changed++;
        }
    if (!before) {
        put(w, now, (size_t)blocks * size);
        return (uint32_t)blocks;
    }
    const unsigned char *list = w->data + w->size - 4 * (size_t)changed;
    for (uint32_t k = 0; k < changed; k++) {
        uint32_t b;
        memcpy(&b, list + 4 * (size_t)k, 4);
        put(w, now + (size_t)b * MN_VIEW_BLOCK * width, size);
    }
    return changed;
}

typedef struct scale {
    double least, most, low, high;
} scale;

static scale scale_of(const float *value, long count)
{
    scale s = {INFINITY, -INFINITY, 0, 0};
    for (long i = 0; i < count; i++)
        if (isfinite(value[i])) s.least = fmin(s.least, (double)value[i]), s.most = fmax(s.most, (double)value[i]);
    if (!(s.least <= s.most)) s.least = s.most = 0;
    mn_preview_range(value, count, &s.low, &s.high);
    return s;
}

static void put_head(writer *w, const mn_sent *sent, const mn_view_shot *shot, const scale *s, int generation)
{
    put_u32(w, 0x31464e4d);
    put_u32(w, (uint32_t)generation);
    put_u32(w, (uint32_t)shot->number);
    put_u32(w, (uint32_t)shot->count);
    w->size += 12; /* flags and blocks, when they are known */
    put_u32(w, (uint32_t)shot->pose_count);
    put_f64(w, shot->time);
    put_f64(w, (double)shot->step);
    for (int a = 0; a < 3; a++) put_f32(w, (double)sent->low[a]);
    for (int a = 0; a < 3; a++) put_f32(w, (double)sent->span[a]);
    put_f32(w, s->least), put_f32(w, s->most), put_f32(w, s->low), put_f32(w, s->high);
}

unsigned char *mn_encode(mn_sent *sent, int generation, const mn_view_shot *shot, const char *field, size_t *size)
{
    const long blocks = (shot->count + MN_VIEW_BLOCK - 1) / MN_VIEW_BLOCK;
    const size_t room = (size_t)blocks * MN_VIEW_BLOCK, poses = (size_t)shot->pose_count;
    uint16_t *position = calloc(3 * room + 1, sizeof *position), *value = calloc(room + 1, sizeof *value);
    unsigned char *group = calloc(room + 4, 1);
    writer w = {.data = malloc(HEAD + 28 * poses + 9 * room + 8 * (size_t)blocks + 8)};
    if (!position || !value || !group || !w.data) {
        free(position), free(value), free(group), free(w.data);
        return NULL;
    }
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    mn_preview_bounds(shot->position, shot->count, low, high);
    const bool known = sent->position && sent->generation == generation && sent->count == shot->count;
    const bool same_box = known && fits(sent, low, high);
    if (!same_box && !(sent->position && sent->generation == generation && fits(sent, low, high)))
        choose_box(sent, low, high);
    const float *from = value_of(shot, field);
    const scale s = from ? scale_of(from, shot->count) : (scale){0, 0, 0, 0};
    pack_positions(sent, shot, position);
    if (from) pack_values(from, shot->count, s.least, s.most, value);
    memcpy(group, shot->group, (size_t)shot->count);
    put_head(&w, sent, shot, &s, generation);
    if (poses) put(&w, shot->pose, 28 * poses);
    const bool old_values = from && known && sent->has_value;
    uint32_t flags = (same_box ? 0 : ALL_POSITIONS) | (old_values ? 0 : ALL_VALUES) | (from ? 0 : NO_VALUE);
    const uint32_t places = put_blocks(&w, position, same_box ? sent->position : NULL, blocks, 3);
    const uint32_t values = from ? put_blocks(&w, value, old_values ? sent->value : NULL, blocks, 1) : 0;
    if (!known || memcmp(group, sent->group, (size_t)shot->count) != 0) {
        flags |= GROUPS;
        put(&w, group, ((size_t)shot->count + 3) / 4 * 4);
    }
    memcpy(w.data + 16, (const uint32_t[3]){flags, places, values}, 12);
    free(sent->position), free(sent->value), free(sent->group);
    sent->position = position, sent->value = value, sent->group = group;
    sent->generation = generation, sent->count = shot->count, sent->has_value = from != NULL;
    *size = w.size;
    return w.data;
}
