/* gaps.h -- rows and frames from before its checkpoint that a resumed run finds missing. They are lost, and a message
   says so. */
#ifndef MN_SESSION_GAPS_H
#define MN_SESSION_GAPS_H

#include "io/rows.h"
#include "scene/scene.h"

/* How many whole intervals have passed by a time; a step that ends at a multiple, but for rounding, has reached it. */
double mn_intervals(double time, double interval);

/* A table, and how many rows it gets at a time. */
typedef struct mn_gaps_table {
    mn_rows *rows; /* NULL: the scene has none */
    int each;
} mn_gaps_table;

enum { MN_GAPS_TABLES = 4 };
/* The first table is stats.csv. A warning for each table and folder that lacks something, which says what. */
void mn_gaps_say(const mn_scene *scene, const char *dir, const mn_world *world,
                 const mn_gaps_table tables[MN_GAPS_TABLES], mn_messages *say);

#endif
