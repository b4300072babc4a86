/* air.h -- the velocity of the air, the one place that evaluates it: for drag on liquids, bodies and whatever else stands in the wind.
 *
 *   v_a(x, t) = velocity(t) + sum of the flows whose box holds x + scale(t) times the imported grid, linear in between its nodes and slices
 *
 *   uniform   u                                                          u = along
 *   jet       U r0/b 1/(1 + (rho/b)^2)^2 along,  b = r0 + spread z       z > 0 along the axis, rho from it, U = rate: keeps its momentum
 *   vortex    U 2 r0/(rho^2 + r0^2) along x (x - point)                  fastest, U = rate, at the radius r0 from the axis
 *   shear     S ((x - point).across) along                               S = rate, 1/s
 *
 * The host has put the moment's values into par->air (src/air/air.c).
 */

#define air_OWNS(F)                                                                  \
    F(air_grid, real4, "m/s", TABLE, COPY, FLUID, "velocities of the imported grid")

INLINE own4 air_in_slice(PAR, TABLE4 air_grid, int slice, const own_int node[3], const own part[3])
{
    const int nx = par->air.nodes[0], ny = par->air.nodes[1], nz = par->air.nodes[2];
    const int right = nx > 1 ? 1 : 0, up = ny > 1 ? nx : 0, front = nz > 1 ? nx * ny : 0;
    const own_int at = ((slice * nz + node[2]) * ny + node[1]) * nx + node[0];
    own4 v;
    v.x = v.y = v.z = v.w = own_of(0.0f);
    for (int corner = 0; corner < 8; corner++) {
        const own4 g = load4_at(air_grid, at + ((corner & 1 ? right : 0) + (corner & 2 ? up : 0) + (corner & 4 ? front : 0)));
        const own w = (corner & 1 ? part[0] : 1.0f - part[0]) * (corner & 2 ? part[1] : 1.0f - part[1]) * (corner & 4 ? part[2] : 1.0f - part[2]);
        v.x += w * g.x, v.y += w * g.y, v.z += w * g.z;
    }
    return v;
}

/* Of one axis, the place x in steps of the grid. */
INLINE own air_place(PAR, int axis, own x) { return (x - par->air.origin[axis]) * par->air.inv_spacing[axis]; }

/* Of one axis: the node below, at most the last but one, and how far it is to the next. */
INLINE own air_between(PAR, int axis, own x, own_int *node)
{
    const own last = own_of((float)(par->air.nodes[axis] - 1)), q = own_min(own_max(air_place(par, axis, x), own_of(0.0f)), last);
    const own below = own_real(own_whole(q)), chosen = own_pick(below < last, below, own_max(below - 1.0f, own_of(0.0f)));
    *node = own_whole(chosen);
    return q - chosen;
}

/* 1 beyond the grid, else 0 */
INLINE own air_beyond(PAR, int axis, own x)
{
    const own q = air_place(par, axis, x);
    return own_pick((q < own_of(-1e-4f)) | (q > own_of((float)(par->air.nodes[axis] - 1) + 1e-4f)), own_of(1.0f), own_of(0.0f));
}

INLINE own4 air_on_grid(PAR, TABLE4 air_grid, own4 x)
{
    own_int node[3];
    own part[3];
    part[0] = air_between(par, 0, x.x, &node[0]), part[1] = air_between(par, 1, x.y, &node[1]), part[2] = air_between(par, 2, x.z, &node[2]);
    own4 v = air_in_slice(par, air_grid, par->air.before, node, part);
    if (par->air.between > 0.0f) {
        const own4 w = air_in_slice(par, air_grid, par->air.after, node, part);
        v.x += par->air.between * (w.x - v.x), v.y += par->air.between * (w.y - v.y), v.z += par->air.between * (w.z - v.z);
    }
    return v;
}

/* What formula k adds. */
INLINE own4 air_flow_at(PAR, int k, own4 p)
{
#define FLOW par->air.flow[k]
    const own dx = p.x - FLOW.point[0], dy = p.y - FLOW.point[1], dz = p.z - FLOW.point[2];
    const float ax = FLOW.along[0], ay = FLOW.along[1], az = FLOW.along[2];
    const own far = dx * ax + dy * ay + dz * az, side2 = own_max(dx * dx + dy * dy + dz * dz - far * far, own_of(0.0f));
    own u = own_of(0.0f), turn = own_of(0.0f); /* along the direction `along`, and around it */
    if (FLOW.kind == AIR_UNIFORM) u = own_of(1.0f);
    if (FLOW.kind == AIR_SHEAR) u = FLOW.rate * (dx * FLOW.across[0] + dy * FLOW.across[1] + dz * FLOW.across[2]);
    if (FLOW.kind == AIR_JET) {
        const own b = FLOW.radius + FLOW.spread * own_max(far, own_of(0.0f)), q = 1.0f + side2 / (b * b);
        u = own_pick(far > own_of(0.0f), FLOW.rate * FLOW.radius / (b * q * q), own_of(0.0f));
    }
    if (FLOW.kind == AIR_VORTEX) turn = 2.0f * FLOW.rate * FLOW.radius / (side2 + FLOW.radius * FLOW.radius);
    own4 v;
    v.x = turn * (ay * dz - az * dy) + u * ax;
    v.y = turn * (az * dx - ax * dz) + u * ay;
    v.z = turn * (ax * dy - ay * dx) + u * az;
    v.w = own_of(0.0f);
    return v;
#undef FLOW
}

INLINE own4 air_velocity(PAR, TABLE4 air_grid, own4 p)
{
    own4 v;
    v.x = own_of(par->air.x), v.y = own_of(par->air.y), v.z = own_of(par->air.z), v.w = own_of(0.0f);
    for (int k = 0; k < par->air.flows; k++) {
#define EDGE(side, axis) own_of(par->air.flow[k].side[axis])
        const own_int here = (p.x >= EDGE(low, 0)) & (p.y >= EDGE(low, 1)) & (p.z >= EDGE(low, 2)) & (p.x <= EDGE(high, 0)) & (p.y <= EDGE(high, 1)) & (p.z <= EDGE(high, 2));
#undef EDGE
        const own4 f = air_flow_at(par, k, p);
        v.x += own_pick(here, f.x, own_of(0.0f)), v.y += own_pick(here, f.y, own_of(0.0f)), v.z += own_pick(here, f.z, own_of(0.0f));
    }
    if (par->air.nodes[0] > 0) {
        own scale = own_of(par->air.scale);
        if (par->air.zero_outside)
            scale = own_pick(air_beyond(par, 0, p.x) + air_beyond(par, 1, p.y) + air_beyond(par, 2, p.z) > own_of(0.0f), own_of(0.0f), scale);
        const own4 g = air_on_grid(par, air_grid, p);
        v.x += scale * g.x, v.y += scale * g.y, v.z += scale * g.z;
    }
    return v;
}

/* How the air moves past something at x with velocity u; w: the speed of that. */
INLINE own4 air_past(PAR, TABLE4 air_grid, own4 x, own4 u)
{
    own4 v = air_velocity(par, air_grid, x);
    v.x -= u.x, v.y -= u.y, v.z -= u.z;
    v.w = own_sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    return v;
}
