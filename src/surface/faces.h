/* faces.h -- the unsmoothed mesh: four-sided faces around the crossed edges of the grid, one vertex for each patch of
 * surface in a cell.
 *
 * No face of the grid has corners inside and outside by turns (grid.c fills one), so each face of a cell is crossed
 * once or not at all. Then two cells share at most one edge of the mesh, each edge belongs to two faces, and the
 * faces around a vertex form one fan: the mesh is closed and manifold by construction, whatever the values are.
 */
#ifndef MN_SURFACE_FACES_H
#define MN_SURFACE_FACES_H

#include "surface/grid.h"

typedef enum skin_kind {
    SKIN_FREE,    /* between liquid and air (or another liquid) */
    SKIN_WALL,    /* on a wall */
    SKIN_CONTACT, /* where the free surface meets a wall */
    SKIN_FIXED    /* where walls meet */
} skin_kind;

typedef struct skin {
    int32_t count;  /* vertices */
    float *u;       /* 3 a vertex, spacings */
    uint8_t *kind;  /* skin_kind */
    bool *border;   /* between two liquids: not smoothed, so that both have it at the same place */
    float *normal;  /* 3 a vertex; while smoothing, of those on a wall the wall's, into the liquid */
    float *bulk;    /* 0 to 1: how much liquid is near, none in thin parts */
    int32_t *piece; /* which piece of liquid the vertex belongs to; 0: the bulk */
    int32_t piece_count;
    int32_t face_count;
    int32_t *face;  /* 4 vertices each, counter-clockwise from outside */
    int32_t *first; /* neighbours of vertex v: next[first[v]] to next[first[v + 1]] */
    int32_t *next;
    int32_t *around; /* in the same places: the faces around it */
} skin;

/* False: out of memory. */
bool skin_new(skin *out, const grid *g, const liquid_field *field);
void skin_free(skin *s);

/* Smooths away waves shorter than `wave` spacings, without shrinking. Then pieces that touch no wall get the volume
 * of their particles. */
bool skin_smooth(skin *s, const liquid_field *field, const float *particles, double wave, double cell);
/* Puts vertices of walls onto them once more. */
void skin_meet_walls(skin *s, const liquid_field *field);
/* Normals of the mesh, outwards. */
void skin_normals(skin *s);

#endif
