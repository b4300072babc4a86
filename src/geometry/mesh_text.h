/* mesh_text.h -- what the mesh readers share: a cursor over the bytes of a file, and a mesh under construction. */
#ifndef MN_GEOMETRY_MESH_TEXT_H
#define MN_GEOMETRY_MESH_TEXT_H

#include "geometry/geometry.h"

/* Coordinates beyond this are refused: their squares and cubes must stay finite. */
#define MN_MAX_COORDINATE 1e30

typedef struct mesh_reader {
    const char *data, *end; /* the whole file */
    const char *at;         /* next byte */
    int line;               /* of `at`, 1-based */
    const char *name;
    mn_messages *say;
    mn_mesh mesh;
    size_t vertex_capacity, triangle_capacity;
} mesh_reader;

/* A run of characters other than white space; empty at the end of the line or file. */
typedef struct mesh_word {
    const char *text;
    int length;
} mesh_word;

/* Next word on this line, or (any_line) anywhere after. */
mesh_word mesh_next_word(mesh_reader *in, bool any_line);
void mesh_skip_line(mesh_reader *in);
bool mesh_word_is(mesh_word word, const char *text); /* whatever the case */
/* The whole word as a number; false if it is not one. "nan" and "inf" are numbers. Never depends on the locale. */
bool mesh_number(mesh_word word, double *out);
bool mesh_integer(mesh_word word, long *out);

/* Complains at the current line; returns MN_BAD_INPUT. */
mn_status mesh_bad(const mesh_reader *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* For use in "%.*s" of a message: long or unprintable words are cut short. */
int mesh_show(mesh_word word);

mn_status mesh_add_vertex(mesh_reader *in, const double x[3]);
mn_status mesh_add_triangle(mesh_reader *in, int a, int b, int c);
/* The coordinate check of all formats; `where` says which vertex in words of the format. */
mn_status mesh_check_coordinates(mesh_reader *in, const double x[3], const char *where, long number);

mn_status mesh_read_obj(mesh_reader *in);
mn_status mesh_read_ply(mesh_reader *in);
mn_status mesh_read_stl(mesh_reader *in);

#endif
