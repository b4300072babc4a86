/* text.h -- a text that grows, for what the tables write. After a failed allocation it stays as it is and `failed`
 * tells. */
#ifndef MN_SCENE_TEXT_H
#define MN_SCENE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mn_text {
    char *data;
    size_t length, capacity;
    bool failed;
} mn_text;

void mn_put(mn_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* the fewest digits that read back to the same bits; infinity is .inf */
void mn_put_number(mn_text *text, double value);
/* In double quotes, escaped so that YAML and JSON both read it back. The name of a file may be bytes that are no
 * UTF-8: byte b becomes character 0x10ff00 + b, and mn_unquote_bytes, in place, makes a byte of it again. */
void mn_put_quoted(mn_text *text, const char *s);
void mn_unquote_bytes(char *s);
void mn_put_indent(mn_text *text, int columns);
char *mn_text_done(mn_text *text); /* the malloc'd result, NULL if memory ran out */

/* Numbers are read and written with a decimal point whatever the program's locale: run between these two. */
struct mn_c_locale {
    void *own, *before;
};
bool mn_c_locale_enter(struct mn_c_locale *locale);
void mn_c_locale_leave(struct mn_c_locale *locale);

#endif
