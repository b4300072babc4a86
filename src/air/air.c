/* air.c -- the air of the scene as it stands at this moment, for the kernels (kernels/air.h). */
#include <float.h>

#include "world.h"

static void put3(float to[3], const double from[3])
{
    for (int a = 0; a < 3; a++) to[a] = (float)from[a];
}

static air_flow flow_at(const mn_flow *f, double time)
{
    air_flow out = {.kind = (int)f->kind, .radius = (float)f->radius, .spread = (float)f->spread};
    double rate = 0.0, velocity[3] = {0.0, 0.0, 0.0};
    if (f->speed.count) mn_curve_at(&f->speed, time, &rate);
    if (f->velocity.count) mn_curve_at(&f->velocity, time, velocity);
    out.rate = (float)rate;
    put3(out.point, f->point);
    put3(out.along, f->kind == MN_FLOW_UNIFORM ? velocity : f->direction);
    put3(out.across, f->normal);
    for (int a = 0; a < 3; a++) {
        out.low[a] = f->bounded ? (float)f->low[a] : -FLT_MAX;
        out.high[a] = f->bounded ? (float)f->high[a] : FLT_MAX;
    }
    return out;
}

void mn_air_parameters(mn_world *w)
{
    const mn_air *air = &w->scene->air;
    air_params *p = &w->par.air;
    double v[3];
    mn_curve_at(&air->velocity, w->time, v);
    p->x = (float)v[0], p->y = (float)v[1], p->z = (float)v[2];
    p->density = (float)air->density;
    p->viscosity = (float)air->viscosity;
    p->flows = air->flow_count;
    for (int k = 0; k < air->flow_count; k++) p->flow[k] = flow_at(&air->flows[k], w->time);
}
