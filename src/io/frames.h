/* frames.h -- what a frame holds, and the formats it can be written in. All are written whole or not at all.
 *
 *     vtp   VTK PolyData for ParaView and VisIt; mn_pvd_write makes the .pvd that strings them into an animation
 *     bgeo  classic Houdini geometry, version 5: point attributes P, v, id, ...
 *     ply   binary PLY for Blender, MeshLab, CloudCompare
 */
#ifndef MN_IO_FRAMES_H
#define MN_IO_FRAMES_H

#include "base/message.h"

typedef enum mn_frame_type { MN_FRAME_FLOAT, MN_FRAME_INT } mn_frame_type; /* float, int32_t */

typedef struct mn_frame_field {
    const char *name; /* letters, digits and _ */
    mn_frame_type type;
    int width;        /* 1 or 3 */
    const void *data; /* width * count numbers */
} mn_frame_field;

/* fields[0] is the position: float, width 3, in metres. */
typedef struct mn_frame {
    double time; /* s */
    long count;  /* particles */
    const mn_frame_field *fields;
    int field_count;
} mn_frame;

mn_status mn_frame_write_vtp(const char *path, const mn_frame *frame, mn_messages *say);
mn_status mn_frame_write_bgeo(const char *path, const mn_frame *frame, mn_messages *say);
mn_status mn_frame_write_ply(const char *path, const mn_frame *frame, mn_messages *say);

/* Reads back a frame of this program, by the extension of its name. Refuses, with a message, foreign, truncated and
 * contradictory files and positions that are not finite. A format that keeps no time (bgeo) gives NAN. Fields and
 * data are malloc'd: mn_frame_free. */
mn_status mn_frame_read(const char *path, mn_frame *out, mn_messages *say);
/* The same from memory; the target of the fuzzer. */
mn_status mn_frame_parse(const char *bytes, size_t size, const char *name, mn_frame *out, mn_messages *say);
/* The vertices of a mesh as a frame, with their fields: a PLY file of triangles that this program wrote. */
mn_status mn_frame_read_vertices(const char *path, mn_frame *out, mn_messages *say);
void mn_frame_free(mn_frame *frame);                                          /* only of frames that were read */
const mn_frame_field *mn_frame_find(const mn_frame *frame, const char *name); /* NULL: none */

typedef struct mn_frame_format {
    const char *key, *extension, *help; /* extension without the dot */
    mn_status (*write)(const char *path, const mn_frame *frame, mn_messages *say);
} mn_frame_format;

enum { MN_FRAME_FORMATS = 3 };
extern const mn_frame_format mn_frame_formats[MN_FRAME_FORMATS];
const mn_frame_format *mn_frame_format_find(const char *key); /* NULL if there is none */

/* A ParaView collection of `count` frame files with their times; names are relative to the collection. */
mn_status mn_pvd_write(const char *path, const char *const *names, const double *times, int count, mn_messages *say);

/* MN_BAD_INPUT, with a message, if the frame breaks what is said above or has more particles than 32-bit indices
 * reach. */
mn_status mn_frame_check(const char *path, const mn_frame *frame, mn_messages *say);

#endif
