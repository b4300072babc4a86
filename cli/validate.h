/* validate.h -- a case of `meniscus validate`: one comparison of the program with a known answer. A case is one function
 * and one line in the table of validate.c. */
#ifndef CLI_VALIDATE_H
#define CLI_VALIDATE_H

#include "meniscus/meniscus.h"

typedef struct validation_result {
    double measured, expected; /* in `unit` */
    double tolerance;          /* relative to `expected`, or absolute where `expected` is 0 */
    const char *quantity, *unit;
} validation_result;

/* Returns MN_OK when something was measured, whether or not it is within the tolerance. */
typedef mn_status validation(const mn_options *options, validation_result *out, mn_messages *say);

typedef struct validation_case {
    const char *name, *checks;
    validation *run;
} validation_case;

/* The shipped scene of that name as a world; `scene` and the world are the caller's to free. NULL on failure. */
mn_world *validation_world(const char *name, const mn_options *options, mn_scene **scene, mn_messages *say);

validation validate_hydrostatic;

#endif
