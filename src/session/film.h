/* film.h -- numbered pictures into a film, by ffmpeg where there is one. */
#ifndef MN_SESSION_FILM_H
#define MN_SESSION_FILM_H

#include "base/message.h"

/* Makes `path` (.mp4) of the pictures that `pattern` names with one %d, numbered from 0. MN_OK, without a film, if there is no
   ffmpeg. MN_FAILED, with a warning, if it fails. `rate`: pictures a second. */
mn_status mn_film(const char *pattern, double rate, const char *path, mn_messages *say);

#endif
