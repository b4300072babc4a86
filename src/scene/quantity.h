/* quantity.h -- numbers as people write them: `2 mm`, `72.8 mN/m`, `2*pi/60`, `0.5 * 2 cm + 1 mm`.
 *
 * A unit stands after the product that it belongs to: `2*pi/60 rad/s` is (2 pi/60) rad/s. A number without any unit is
 * in the unit of its key. A single decimal number with a decimal unit has the bits of the plain SI number: `72.8 mN/m`
 * is 0.0728 to the last bit.
 */
#ifndef MN_SCENE_QUANTITY_H
#define MN_SCENE_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

/* The value of a text in `unit` (NULL: a pure number; "A or B": either). False: `why` says why not, and is empty where
 * the text does not even begin like a number. Runs in the C locale. */
bool mn_quantity_read(const char *text, const char *unit, double *out, char *why, size_t capacity);

/* Digits with a point and an exponent, nothing else: no hexadecimal, no infinity. */
bool mn_is_decimal(const char *text);

typedef struct mn_unit_info {
    const char *name, *help; /* help: what it measures, or what it is */
    bool prefixes;           /* takes n, u, m, c, d, k, M, G before its name */
} mn_unit_info;
int mn_unit_count(void);
mn_unit_info mn_unit_at(int index);

#endif
