/* message.h -- how the library speaks: lists of located messages, and the nearest valid name for a wrong one. */
#ifndef MN_BASE_MESSAGE_H
#define MN_BASE_MESSAGE_H

#include "meniscus/meniscus.h"

/* A place in an input file. line and column are 1-based; 0 means unknown. */
typedef struct mn_place {
    const char *file;
    int line, column;
} mn_place;

/* Each adds one message; `say` may be NULL. Repeats after 200 messages are counted, not stored. */
void mn_say(mn_messages *say, mn_severity severity, mn_place at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Tells who watches the list how far something is. Only from the thread that the caller came in. */
void mn_say_progress(const mn_messages *say, const char *what, double part);
#define mn_say_error(say, at, ...) mn_say(say, MN_ERROR, at, __VA_ARGS__)
/* An error that the input did not cause: memory, files that cannot be written, devices. */
void mn_say_failure(mn_messages *say, mn_place at, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define mn_say_warning(say, at, ...) mn_say(say, MN_WARNING, at, __VA_ARGS__)
#define MN_NOWHERE ((mn_place){NULL, 0, 0})

/* Adds the messages of `from` to `to` (may be NULL), and leaves `from` empty. */
void mn_messages_move(mn_messages *to, mn_messages *from);

/* The status of something that did not work and left its reasons in `say`: MN_FAILED or MN_BAD_INPUT. */
mn_status mn_status_of_failure(const mn_messages *say);

/* The candidate with the smallest edit distance to `word`, or the first that begins with it (three letters or
 * more); NULL if none is close (distance > 1 + length/3). */
const char *mn_nearest(const char *word, const char *const *candidates, int count);

#endif
