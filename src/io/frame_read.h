/* frame_read.h -- what the readers of the frame formats share; callers use mn_frame_read of frames.h. */
#ifndef MN_IO_FRAME_READ_H
#define MN_IO_FRAME_READ_H

#include <stdbool.h>

#include "io/frames.h"

/* Each fills `out`, which begins empty; on failure what it holds is freed by the caller. */
mn_status mn_frame_parse_vtp(const char *bytes, size_t size, const char *name, mn_frame *out, mn_messages *say);
mn_status mn_frame_parse_ply(const char *bytes, size_t size, const char *name, bool mesh, mn_frame *out,
                             mn_messages *say); /* mesh: triangles follow, which are left out */
mn_status mn_frame_parse_bgeo(const char *bytes, size_t size, const char *name, mn_frame *out, mn_messages *say);

/* Adds a field, and takes `data` (malloc'd) over, whatever happens. */
mn_status mn_frame_add(mn_frame *frame, const char *word, mn_frame_type type, int width, void *data, const char *name,
                       mn_messages *say);
mn_status mn_frame_no_memory(const char *name, mn_messages *say);

#endif
