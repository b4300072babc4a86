/* colour.c -- colours by name or as #rrggbb. */
#include "base/colour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const mn_colour_names[MN_COLOURS] = {"orange", "red",   "yellow", "green", "teal", "purple",
                                                 "pink",   "brown", "white",  "black", "grey", "blue"};
const float mn_colour_values[MN_COLOURS][3] = {{0.80f, 0.30f, 0.05f}, {0.62f, 0.05f, 0.05f}, {0.80f, 0.60f, 0.06f},
                                               {0.10f, 0.45f, 0.10f}, {0.03f, 0.38f, 0.40f}, {0.28f, 0.10f, 0.48f},
                                               {0.85f, 0.25f, 0.42f}, {0.25f, 0.12f, 0.05f}, {0.80f, 0.80f, 0.80f},
                                               {0.04f, 0.04f, 0.04f}, {0.38f, 0.39f, 0.40f}, {0.06f, 0.20f, 0.62f}};

static float linear(long byte)
{
    const float x = (float)byte / 255;
    return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

bool mn_colour_parse(const char *text, float out[3])
{
    for (int k = 0; k < MN_COLOURS; k++) {
        if (strcmp(text, mn_colour_names[k]) != 0) continue;
        memcpy(out, mn_colour_values[k], 3 * sizeof *out);
        return true;
    }
    if (text[0] != '#' || strlen(text) != 7 || text[1 + strspn(text + 1, "0123456789abcdefABCDEF")]) return false;
    const long all = strtol(text + 1, NULL, 16);
    for (int c = 0; c < 3; c++) out[c] = linear(all >> (16 - 8 * c) & 255);
    return true;
}
