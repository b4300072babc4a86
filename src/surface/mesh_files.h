/* mesh_files.h -- meshes as files. All are written whole or not at all.
 *
 *     ply   binary little-endian: x y z, nx ny nz, then the fields (velocity as vx vy vz, other vectors NAME_x, NAME_y,
 *           NAME_z); triangles as list uchar int vertex_indices
 *     obj   positions, normals, triangles
 *     vtp   VTK PolyData with all fields as point data
 *     stl   binary: triangles alone, each with its own corners
 */
#ifndef MN_SURFACE_MESH_FILES_H
#define MN_SURFACE_MESH_FILES_H

#include "surface/surface.h"

typedef struct mn_surface_format {
    const char *key, *help; /* the key is the extension too */
    mn_status (*write)(const char *path, const mn_surface *surface, mn_messages *say);
} mn_surface_format;

enum { MN_SURFACE_FORMATS = 4 };
extern const mn_surface_format mn_surface_formats[MN_SURFACE_FORMATS];
const mn_surface_format *mn_surface_format_find(const char *key); /* NULL: there is none */

#endif
