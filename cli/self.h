/* self.h -- the tool starts itself: the same program, with other arguments.
 *
 * /proc/self/exe alone will not do. Started by the loader (ld-linux.so --library-path LIBS meniscus ...), as packages
 * that bring their own libraries do, it is the loader: its own arguments have to come first. */
#ifndef CLI_SELF_H
#define CLI_SELF_H

#define CLI_SELF "/proc/self/exe"

/* What to start CLI_SELF with: `words` (the first is the tool's name, NULL ends them) behind the arguments of a
 * loader, if there is one. To be freed by free() alone; NULL when out of memory. */
char **cli_self_words(const char *const *words);

/* To be called first. */
void cli_self_begin(int argc);

#endif
