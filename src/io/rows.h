/* rows.h -- a table of a run that grows by rows: "step,..." as its head, then one line a row. Every row is written
 * at once, so that a killed run loses none that it finished. */
#ifndef MN_IO_ROWS_H
#define MN_IO_ROWS_H

#include "base/message.h"

/* A step that a table was resumed with. */
typedef struct mn_row_mark {
    int64_t step;
    int rows;
    double time, third; /* the numbers of the second and third column; third 0: a word */
} mn_row_mark;

typedef struct mn_rows {
    char *path;
    int fd;
    bool begun;         /* its head is in the file */
    mn_row_mark *marks; /* of the rows that a resumed table holds, in their order */
    long mark_count;
} mn_rows;

/* Opens DIR/name. resume_step < 0: a new table. Else the rows of later steps, and a last row that was cut short, are
 * dropped. On failure rows->fd is negative. */
mn_status mn_rows_open(mn_rows *rows, const char *dir, const char *name, int64_t resume_step, mn_messages *say);
/* What was added survives a power cut from here on. NULL: nothing to do. */
mn_status mn_rows_sync(mn_rows *rows, mn_messages *say);
/* Appends whole lines. A row that did not fit is taken back, so that the table never holds half of one. */
mn_status mn_rows_add(mn_rows *rows, const char *text, size_t length, mn_messages *say);
mn_status mn_rows_close(mn_rows *rows, mn_messages *say); /* MN_OK if it was never opened */

/* A table of its own with this head, opened; NULL on failure. And its end; NULL: MN_OK. */
mn_rows *mn_rows_new(const char *dir, const char *name, const char *head, int64_t resume_step, mn_messages *say);
mn_status mn_rows_free(mn_rows *rows, mn_messages *say);

#endif
