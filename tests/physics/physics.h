/* physics.h -- tests of physics run the cases of `meniscus validate`, most of them smaller, with the same bars. */
#ifndef TEST_PHYSICS_H
#define TEST_PHYSICS_H

#include "validate.h"

/* Runs a case and fails the cmocka test unless all of its results are within their tolerances. Changes of the scene
 * (VALIDATION_SETS at most), then NULL; end 0: the scene's own. */
void assert_validates(validation *run, double end, const char *const sets[]);

#endif
