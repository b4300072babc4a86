/* sanitized.h -- whether a test is its twin under the sanitizers, where code runs some five times as slowly: what it
 * proves of numbers the plain build proves, so the twin may take fewer starts, never other code. */
#ifndef MN_TESTS_SANITIZED_H
#define MN_TESTS_SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#endif
