/* bench_pictures.h -- the time and memory of meshes and pictures, as cases of `meniscus bench`. */
#ifndef CLI_BENCH_PICTURES_H
#define CLI_BENCH_PICTURES_H

#include "args.h"

/* Names of the cases; how many there are. */
int bench_picture_cases(const char **out, int capacity);
/* Measures those that the arguments ask for, and ends the JSON; `first`: it has no entry yet. Returns an exit code. */
int bench_pictures(const cli_arguments *args, bool first, mn_messages *say);

#endif
