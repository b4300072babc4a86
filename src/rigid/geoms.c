/* geoms.c -- shapes as geometry of ODE.
 *
 * Box, ball, cylinder and capsule are ODE's own. Cone, torus and mesh are triangles. A container is made of thick
 * slabs, one behind each closed face, since a sheet of triangles lets fast bodies through; so is a plane. Other
 * shapes inside out are triangles that face inwards.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rigid/ode_parts.h"
#include "geometry/shape.h"

typedef struct mn_geom_mesh {
    struct mn_geom_mesh *next;
    float *vertex;
    dTriIndex *index;
    dTriMeshDataID data;
} mn_geom_mesh;

typedef struct mn_geom_place {
    double at[3];
    dMatrix3 turn;
} mn_geom_place;

typedef struct maker {
    mn_geoms *geoms;
    const mn_shape *shape;
    dBodyID body;
    double centre[3];
    bool failed;
} maker;

static void keep(maker *m, dGeomID geom, const double local[3], bool along_z)
{
    if (m->geoms->count == m->geoms->room) {
        const int room = 2 * m->geoms->room + 4;
        dGeomID *grown = realloc(m->geoms->geom, (size_t)room * sizeof *grown);
        if (!grown) {
            dGeomDestroy(geom);
            m->failed = true;
            return;
        }
        m->geoms->geom = grown, m->geoms->room = room;
    }
    m->geoms->geom[m->geoms->count++] = geom;
    double at[3] = {m->centre[0], m->centre[1], m->centre[2]};
    dMatrix3 turn = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    if (local) {
        mn_shape_place(m->shape, local, at);
        for (int r = 0; r < 3; r++) {
            const double *row = m->shape->rotation + 3 * r;
            /* Along z in ODE, along y here. */
            turn[4 * r] = row[0], turn[4 * r + 1] = along_z ? -row[2] : row[1],
                     turn[4 * r + 2] = along_z ? row[1] : row[2];
        }
    }
    if (m->body) {
        dGeomSetBody(geom, m->body);
        dGeomSetOffsetPosition(geom, at[0] - m->centre[0], at[1] - m->centre[1], at[2] - m->centre[2]);
        dGeomSetOffsetRotation(geom, turn);
    } else {
        dGeomSetPosition(geom, at[0], at[1], at[2]);
        dGeomSetRotation(geom, turn);
    }
}

static void add_slab(maker *m, const double low[3], const double high[3])
{
    const double middle[3] = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])};
    keep(m, dCreateBox(0, high[0] - low[0], high[1] - low[1], high[2] - low[2]), middle, false);
}

/* One slab for each closed face, behind it (container) or about it (a hollow box with an opening). */
static void add_faces(maker *m, const mn_shape_def *def, double behind, double before)
{
    const double *half = m->shape->half;
    for (int face = 0; face < 6; face++) {
        if (def->open[face]) continue;
        const int axis = face / 2;
        double low[3], high[3];
        for (int k = 0; k < 3; k++) {
            low[k] = -half[k] - (def->open[2 * k] ? 0 : behind);
            high[k] = half[k] + (def->open[2 * k + 1] ? 0 : behind);
        }
        if (face % 2) low[axis] = half[axis] - before, high[axis] = half[axis] + behind;
        else high[axis] = -half[axis] + before, low[axis] = -half[axis] - behind;
        add_slab(m, low, high);
    }
}

static void add_mesh(maker *m, double edge, mn_messages *say)
{
    mn_mesh skin;
    if (mn_shape_skin(m->shape, edge, &skin, say) != MN_OK) {
        m->failed = true;
        return;
    }
    const size_t vertices = 3 * (size_t)skin.vertex_count, indices = 3 * (size_t)skin.triangle_count;
    mn_geom_mesh *mesh = calloc(1, sizeof *mesh);
    if (mesh) {
        mesh->vertex = malloc(vertices * sizeof *mesh->vertex);
        mesh->index = malloc(indices * sizeof *mesh->index);
        mesh->next = m->geoms->meshes;
        m->geoms->meshes = mesh;
    }
    if (mesh && mesh->vertex && mesh->index) {
        for (size_t i = 0; i < vertices; i++) mesh->vertex[i] = (float)(skin.vertex[i] - m->centre[i % 3]);
        for (size_t i = 0; i < indices; i++) mesh->index[i] = (dTriIndex)skin.triangle[i];
        mesh->data = dGeomTriMeshDataCreate();
        dGeomTriMeshDataBuildSingle(mesh->data, mesh->vertex, 3 * sizeof(float), skin.vertex_count, mesh->index,
                                    (int)indices, 3 * sizeof(dTriIndex));
        dGeomTriMeshDataPreprocess2(mesh->data, 1u << dTRIDATAPREPROCESS_BUILD_FACE_ANGLES, NULL);
        keep(m, dCreateTriMesh(0, mesh->data, NULL, NULL, NULL), NULL, false);
    } else {
        mn_say_failure(say, MN_NOWHERE, "out of memory for the contacts of a mesh");
        m->failed = true;
    }
    mn_mesh_free(&skin);
}

mn_status mn_geoms_add(mn_geoms *geoms, const mn_shape *s, const mn_shape_def *def, dBodyID body,
                       const double centre[3], double thickness, double edge, mn_messages *say)
{
    static const double middle[3] = {0, 0, 0};
    maker m = {.geoms = geoms, .shape = s, .body = body};
    for (int k = 0; k < 3; k++) m.centre[k] = centre[k];
    const bool open = mn_shape_is_open(def);
    const double widest = fmax(s->half[0], fmax(s->half[1], s->half[2]));
    if (s->kind == MN_BOX && s->inside_out) add_faces(&m, def, widest, 0);
    else if (s->kind == MN_BOX && open) add_faces(&m, def, 0.5 * thickness, 0.5 * thickness);
    else if (s->kind == MN_PLANE && !s->inside_out)
        add_slab(&m, (double[3]){-s->half[0], -widest, -s->half[2]}, (double[3]){s->half[0], 0, s->half[2]});
    else if (s->kind == MN_PLANE)
        add_slab(&m, (double[3]){-s->half[0], 0, -s->half[2]}, (double[3]){s->half[0], widest, s->half[2]});
    else if (s->kind == MN_BOX) keep(&m, dCreateBox(0, 2 * s->half[0], 2 * s->half[1], 2 * s->half[2]), middle, false);
    else if (s->kind == MN_SPHERE && !s->inside_out) keep(&m, dCreateSphere(0, s->radius), middle, false);
    else if (s->kind == MN_CYLINDER && !s->inside_out && !open)
        keep(&m, dCreateCylinder(0, s->radius, s->height), middle, true);
    else if (s->kind == MN_CAPSULE && !s->inside_out) keep(&m, dCreateCapsule(0, s->radius, s->height), middle, true);
    else add_mesh(&m, edge, say);
    return m.failed ? MN_FAILED : MN_OK;
}

bool mn_geoms_attach(mn_geoms *geoms, dBodyID body, const double centre[3])
{
    geoms->at_rest = calloc((size_t)geoms->count + 1, sizeof *geoms->at_rest);
    for (int k = 0; k < geoms->count && geoms->at_rest; k++) {
        mn_geom_place *place = &geoms->at_rest[k];
        memcpy(place->at, dGeomGetPosition(geoms->geom[k]), sizeof place->at);
        memcpy(place->turn, dGeomGetRotation(geoms->geom[k]), sizeof place->turn);
        dGeomSetBody(geoms->geom[k], body);
        dGeomSetOffsetPosition(geoms->geom[k], place->at[0] - centre[0], place->at[1] - centre[1],
                               place->at[2] - centre[2]);
        dGeomSetOffsetRotation(geoms->geom[k], place->turn);
    }
    return geoms->at_rest != NULL;
}

void mn_geoms_detach(mn_geoms *geoms)
{
    for (int k = 0; k < geoms->count && geoms->at_rest; k++) {
        const mn_geom_place *place = &geoms->at_rest[k];
        dGeomSetBody(geoms->geom[k], NULL);
        dGeomSetPosition(geoms->geom[k], place->at[0], place->at[1], place->at[2]);
        dGeomSetRotation(geoms->geom[k], place->turn);
    }
    free(geoms->at_rest);
    geoms->at_rest = NULL;
}

void mn_geoms_free(mn_geoms *geoms)
{
    for (int k = 0; k < geoms->count; k++) dGeomDestroy(geoms->geom[k]);
    free(geoms->geom), free(geoms->at_rest);
    while (geoms->meshes) {
        mn_geom_mesh *mesh = geoms->meshes;
        geoms->meshes = mesh->next;
        if (mesh->data) dGeomTriMeshDataDestroy(mesh->data);
        free(mesh->vertex);
        free(mesh->index);
        free(mesh);
    }
    *geoms = (mn_geoms){0};
}
