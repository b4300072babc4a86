/* json.h -- a run as JSON on stdout, one object a line, for scripts: `run --json`.
 *
 *     {"event": "start", "scene": "...", "dir": "..."}
 *     {"event": "message", "severity": "warning", "file": "...", "line": 3, "column": 5, "text": "..."}
 *     {"event": "progress", "step": 12, "time": 0.02, "end": 0.5, "particles": 1000, ...}
 *     {"event": "summary", "status": "done", "exit": 0, "steps": 100, "state": "0123456789abcdef", ...}
 *
 * The summary comes last, whatever happens after the arguments were understood. Numbers that are not finite are null.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "session/session.h"

/* The messages so far, each as a line; clears them. */
void cli_json_messages(mn_messages *say, bool notes);
void cli_json_start(const char *scene, const char *dir);
/* For mn_session_options.progress; `user` is the mn_messages of the run. */
void cli_json_progress(void *user, const mn_session_progress *now);
/* `sum` NULL: the run never began. */
void cli_json_summary(mn_status status, const mn_session_summary *sum, const char *dir);

#endif
