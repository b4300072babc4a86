/* tracer.c -- the triangles in Embree's tree: nearest surfaces and light that passes clear ones. */
#include <embree3/rtcore.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "render/trace.h"

struct mn_tracer {
    RTCDevice device;
    RTCScene scene;
    mn_trace_part *parts;
    int count;
    mn_studio studio;
};

const mn_studio *mn_tracer_studio(const mn_tracer *t) { return &t->studio; }

static void complain(void *user, enum RTCError code, const char *text)
{
    mn_say_failure(user, MN_NOWHERE, "Embree: %s (error %d)", text && *text ? text : "no reason given", (int)code);
}

/* ------------------------------------------------------------------------------------------- clear surfaces */

/* Light towards a matte point: what clear surfaces let pass. The distance within liquids is the sum of the
 * distances where the ray leaves them less those where it enters, so that the order in which surfaces are met does
 * not matter. */
typedef struct passage {
    struct RTCIntersectContext context;
    vec3 share;
    vec3 depth; /* 1/m times m: absorption met so far */
} passage;

float mn_fresnel(float cosine, float index)
{
    const float sine = (1 - cosine * cosine) / (index * index);
    if (sine >= 1) return 1;
    const float other = sqrtf(1 - sine);
    const float s = (cosine - index * other) / (cosine + index * other),
                p = (index * cosine - other) / (index * cosine + other);
    return 0.5f * (s * s + p * p);
}

static void pass_clear(const struct RTCFilterFunctionNArguments *a)
{
    passage *p = (passage *)a->context;
    const mn_trace_part *part = a->geometryUserPtr;
    const struct RTCRay *ray = (const struct RTCRay *)a->ray;
    const struct RTCHit *hit = (const struct RTCHit *)a->hit;
    const vec3 face = v3_unit(v3(hit->Ng_x, hit->Ng_y, hit->Ng_z));
    const float cosine = v3_dot(face, v3(ray->dir_x, ray->dir_y, ray->dir_z));
    a->valid[0] = 0; /* it goes on */
    if (part->look.material == MN_GLASS) {
        const float r = mn_fresnel(fabsf(cosine), 1.5f);
        p->share = v3_times(p->share, v3_scale(part->look.colour, (1 - r) / (1 + r)));
        return;
    }
    p->share = v3_scale(p->share, 1 - 0.7f * mn_fresnel(fabsf(cosine), part->look.index));
    p->depth = v3_along(p->depth, cosine > 0 ? ray->tfar : -ray->tfar, part->look.absorption);
}

/* What faces away is not there. */
static void pass_backs(const struct RTCFilterFunctionNArguments *a)
{
    const struct RTCRay *ray = (const struct RTCRay *)a->ray;
    const struct RTCHit *hit = (const struct RTCHit *)a->hit;
    if (hit->Ng_x * ray->dir_x + hit->Ng_y * ray->dir_y + hit->Ng_z * ray->dir_z > 0) a->valid[0] = 0;
}

/* -------------------------------------------------------------------------------------------------- building */

static void *copy_of(const void *data, size_t size)
{
    void *copy = data ? malloc(size + 1) : NULL;
    if (copy) memcpy(copy, data, size);
    return copy;
}

static bool add_mesh(mn_tracer *t, const mn_trace_mesh *mesh)
{
    mn_trace_part *part = &t->parts[t->count++];
    const size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    part->look = mesh->look;
    part->triangle = copy_of(mesh->triangle, 3 * triangles * sizeof(int32_t));
    part->normal = copy_of(mesh->normal, 3 * vertices * sizeof(float));
    part->colour = copy_of(mesh->colour, 3 * vertices * sizeof(float));
    if (!part->triangle || !part->normal != !mesh->normal || !part->colour != !mesh->colour) return false;
    RTCGeometry g = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (!g) return false;
    if (mesh->later) rtcSetGeometryTimeStepCount(g, 2);
    bool ok = true;
    for (unsigned k = 0; k < (mesh->later ? 2u : 1u); k++) {
        void *to =
            rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, k, RTC_FORMAT_FLOAT3, 3 * sizeof(float), vertices);
        if (to) memcpy(to, k ? mesh->later : mesh->position, 3 * vertices * sizeof(float));
        ok = ok && to;
    }
    void *to = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), triangles);
    if (to) memcpy(to, mesh->triangle, 3 * triangles * sizeof(unsigned));
    rtcSetGeometryUserData(g, part);
    if (part->look.material == MN_LIQUID || part->look.material == MN_GLASS)
        rtcSetGeometryOccludedFilterFunction(g, pass_clear);
    else if (part->look.one_sided) {
        rtcSetGeometryOccludedFilterFunction(g, pass_backs);
        rtcSetGeometryIntersectFilterFunction(g, pass_backs);
    }
    rtcCommitGeometry(g);
    rtcAttachGeometryByID(t->scene, g, (unsigned)(t->count - 1));
    rtcReleaseGeometry(g);
    return ok && to;
}

mn_tracer *mn_tracer_new(const mn_trace_mesh *meshes, int count, const mn_studio *studio, mn_messages *say)
{
    mn_tracer *t = calloc(1, sizeof *t);
    if (t) t->parts = calloc((size_t)count + 1, sizeof *t->parts);
    bool ok = t && t->parts;
    /* One thread builds the tree: where two triangles meet, which of them is found must not depend on the threads. */
    if (ok) t->device = rtcNewDevice("threads=1,set_affinity=0");
    ok = ok && t->device;
    if (ok) {
        rtcSetDeviceErrorFunction(t->device, complain, say);
        t->studio = *studio;
        t->scene = rtcNewScene(t->device);
        rtcSetSceneFlags(t->scene, RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION);
    }
    for (int k = 0; k < count && ok; k++)
        if (meshes[k].triangle_count > 0) ok = add_mesh(t, &meshes[k]);
    if (ok) rtcCommitScene(t->scene);
    if (ok) rtcSetDeviceErrorFunction(t->device, complain, NULL);
    if (ok) return t;
    mn_say_failure(say, MN_NOWHERE, "cannot make the tree of triangles for a picture: out of memory, or Embree failed");
    mn_tracer_free(t);
    return NULL;
}

void mn_tracer_free(mn_tracer *t)
{
    if (!t) return;
    if (t->scene) rtcReleaseScene(t->scene);
    if (t->device) rtcReleaseDevice(t->device);
    for (int k = 0; k < t->count; k++) {
        free(t->parts[k].normal);
        free(t->parts[k].colour);
        free(t->parts[k].triangle);
    }
    free(t->parts);
    free(t);
}

/* --------------------------------------------------------------------------------------------------- asking */

static struct RTCRay ray_of(vec3 from, vec3 direction, float time, float reach)
{
    return (struct RTCRay){.org_x = from.x,
                           .org_y = from.y,
                           .org_z = from.z,
                           .dir_x = direction.x,
                           .dir_y = direction.y,
                           .dir_z = direction.z,
                           .tfar = reach,
                           .time = time,
                           .mask = 0xffffffffu};
}

static vec3 between(const float *values, const int32_t *corner, float u, float v)
{
    const vec3 a = v3_of(values + 3 * (size_t)corner[0]), b = v3_of(values + 3 * (size_t)corner[1]),
               c = v3_of(values + 3 * (size_t)corner[2]);
    return v3_add(v3_scale(a, 1 - u - v), v3_add(v3_scale(b, u), v3_scale(c, v)));
}

mn_hit mn_trace_nearest(const mn_tracer *t, vec3 from, vec3 direction, float time, float reach)
{
    const mn_studio *s = &t->studio;
    const float fall = v3_dot(direction, s->up), above = v3_dot(from, s->up) - s->height;
    mn_hit out = {.distance = INFINITY};
    if (s->ground && fall < 0 && above > 0 && above < -fall * reach) {
        out = (mn_hit){
            .distance = above / -fall, .ground = true, .face = s->up, .normal = s->up, .colour = s->ground_colour};
        reach = out.distance;
    }
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit r = {.ray = ray_of(from, direction, time, reach), .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    rtcIntersect1(t->scene, &context, &r);
    if (r.hit.geomID != RTC_INVALID_GEOMETRY_ID) {
        const mn_trace_part *part = &t->parts[r.hit.geomID];
        const int32_t *corner = part->triangle + 3 * (size_t)r.hit.primID;
        out.distance = r.ray.tfar;
        out.ground = false;
        out.look = &part->look;
        out.face = v3_unit(v3(r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z));
        out.normal = part->normal ? v3_unit(between(part->normal, corner, r.hit.u, r.hit.v)) : out.face;
        out.colour = part->colour ? between(part->colour, corner, r.hit.u, r.hit.v) : part->look.colour;
    }
    out.point = v3_along(from, isfinite(out.distance) ? out.distance : 0, direction);
    return out;
}

vec3 mn_trace_passing(const mn_tracer *t, vec3 from, vec3 direction, float time)
{
    passage p = {.share = {1, 1, 1}};
    rtcInitIntersectContext(&p.context);
    struct RTCRay ray = ray_of(from, direction, time, INFINITY);
    rtcOccluded1(t->scene, &p.context, &ray);
    if (ray.tfar < 0) return v3_all(0);
    /* A sum below 0 is a ray that began inside a film whose other side it touches. */
    return v3_times(p.share, v3(expf(-fmaxf(p.depth.x, 0)), expf(-fmaxf(p.depth.y, 0)), expf(-fmaxf(p.depth.z, 0))));
}
