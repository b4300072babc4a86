/* tags.h -- the tags of VTK's XML files, one after the other; whatever the file holds, nothing past its end is read. */
#ifndef MN_IO_TAGS_H
#define MN_IO_TAGS_H

#include "base/message.h"
#include "geometry/mesh_text.h"

typedef struct text {
    const char *at;
    size_t length;
} text;

enum { MOST_ATTRIBUTES = 24 };
typedef struct tag {
    text name;
    bool closing; /* </name> */
    struct {
        text key, value;
    } attribute[MOST_ATTRIBUTES];
    int count;
    const char *after; /* what follows the tag */
} tag;

typedef struct tag_reader {
    const char *data, *end, *at, *name; /* the file, where the next tag is looked for, its name for messages */
    mn_messages *say;
} tag_reader;

/* Complains, with the line of `at` (NULL: none); returns MN_BAD_INPUT. */
mn_status tag_bad(const tag_reader *in, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The next tag from in->at on. False at the end of the file; a broken tag is MN_BAD_INPUT in *status. */
bool tag_next(tag_reader *in, tag *out, mn_status *status);
bool tag_get(const tag *t, const char *key, text *out);
/* `count` numbers of an attribute; false if it is there and holds something else. */
bool tag_numbers(const tag *t, const char *key, int count, double *out);
bool tag_whole(const tag *t, const char *key, double most, double *out);

bool text_blank(char c);
bool text_same(text a, const char *b);
/* For "%.*s": what is long or unprintable is cut short. */
int text_shown(text a);
const char *text_find(const char *from, const char *end, const char *what);
/* The next word of a text, or an empty one. */
mesh_word text_word(const char **p, const char *end);

#endif
