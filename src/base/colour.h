/* colour.h -- colours by name or as #rrggbb, in linear light. */
#ifndef MN_BASE_COLOUR_H
#define MN_BASE_COLOUR_H

#include <stdbool.h>

enum { MN_COLOURS = 12 };
extern const char *const mn_colour_names[MN_COLOURS];
extern const float mn_colour_values[MN_COLOURS][3];

/* A name of the list, or # and six hexadecimal digits (sRGB). False: it is neither, and `out` is untouched. */
bool mn_colour_parse(const char *text, float out[3]);

#endif
