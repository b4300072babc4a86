/* air_velocity.h -- the velocity of the air, the one place that evaluates it: for drag on liquids, bodies and whatever
 * else stands in the wind.
 *
 *   v_a(x, t) = velocity(t) + sum of the flows whose box holds x + scale(t) times the imported grid
 *
 *   uniform   u                                                          u = along
 *   jet       U r0/b 1/(1 + (rho/b)^2)^2 along,  b = r0 + spread z       z > 0 along the axis, rho from it, U = rate
 *   vortex    U 2 r0/(rho^2 + r0^2) along x (x - point)                  fastest, U = rate, at r0 from the axis
 *   shear     S ((x - point).across) along                               S = rate, 1/s
 *
 * A jet keeps its momentum. The grid is linear between its nodes and its slices.
 *
 * The host has put the moment's values into par->air (src/air/air.c).
 */

#define air_OWNS(F) \
    F(air_grid, real4, "m/s", TABLE, COPY, FLUID, "velocities of the imported grid")

INLINE vec air_in_slice(PAR, TABLE4 air_grid, int slice, const whole node[3], const num part[3])
{
    const int nx = par->air.nodes[0], ny = par->air.nodes[1], nz = par->air.nodes[2];
    const int right = nx > 1 ? 1 : 0, up = ny > 1 ? nx : 0, front = nz > 1 ? nx * ny : 0;
    const whole at = ((slice * nz + node[2]) * ny + node[1]) * nx + node[0];
    vec v;
    v.x = v.y = v.z = v.w = num_of(0.0f);
    for (int corner = 0; corner < 8; corner++) {
        const vec g = vec_at(air_grid,
                             at + ((corner & 1 ? right : 0) + (corner & 2 ? up : 0) + (corner & 4 ? front : 0)));
        const num w = (corner & 1 ? part[0] : 1.0f - part[0]) * (corner & 2 ? part[1] : 1.0f - part[1]) *
                      (corner & 4 ? part[2] : 1.0f - part[2]);
        v.x += w * g.x, v.y += w * g.y, v.z += w * g.z;
    }
    return v;
}

/* Of one axis, the place x in steps of the grid. */
INLINE num air_place(PAR, int axis, num x) { return (x - par->air.origin[axis]) * par->air.inv_spacing[axis]; }

/* Of one axis: the node below, at most the last but one, and how far it is to the next. */
INLINE num air_between(PAR, int axis, num x, whole *node)
{
    const num last = num_of((float)(par->air.nodes[axis] - 1)),
              q = min_of(max_of(air_place(par, axis, x), num_of(0.0f)), last);
    const num below = real_of(whole_of(q)), chosen = choose(below < last, below, max_of(below - 1.0f, num_of(0.0f)));
    *node = whole_of(chosen);
    return q - chosen;
}

/* 1 beyond the grid, else 0 */
INLINE num air_beyond(PAR, int axis, num x)
{
    const num q = air_place(par, axis, x);
    return choose((q < num_of(-1e-4f)) | (q > num_of((float)(par->air.nodes[axis] - 1) + 1e-4f)), num_of(1.0f),
                  num_of(0.0f));
}

INLINE vec air_on_grid(PAR, TABLE4 air_grid, vec x)
{
    whole node[3];
    num part[3];
    part[0] = air_between(par, 0, x.x, &node[0]), part[1] = air_between(par, 1, x.y, &node[1]),
    part[2] = air_between(par, 2, x.z, &node[2]);
    vec v = air_in_slice(par, air_grid, par->air.before, node, part);
    if (par->air.between > 0.0f) {
        const vec w = air_in_slice(par, air_grid, par->air.after, node, part);
        v.x += par->air.between * (w.x - v.x), v.y += par->air.between * (w.y - v.y),
            v.z += par->air.between * (w.z - v.z);
    }
    return v;
}

/* What formula k adds. */
INLINE vec air_flow_at(PAR, int k, vec p)
{
#define FLOW par->air.flow[k]
    const num dx = p.x - FLOW.point[0], dy = p.y - FLOW.point[1], dz = p.z - FLOW.point[2];
    const float ax = FLOW.along[0], ay = FLOW.along[1], az = FLOW.along[2];
    const num far = dx * ax + dy * ay + dz * az, side2 = max_of(dx * dx + dy * dy + dz * dz - far * far, num_of(0.0f));
    num u = num_of(0.0f), turn = num_of(0.0f); /* along the direction `along`, and around it */
    if (FLOW.kind == AIR_UNIFORM) u = num_of(1.0f);
    if (FLOW.kind == AIR_SHEAR) u = FLOW.rate * (dx * FLOW.across[0] + dy * FLOW.across[1] + dz * FLOW.across[2]);
    if (FLOW.kind == AIR_JET) {
        const num b = FLOW.radius + FLOW.spread * max_of(far, num_of(0.0f)), q = 1.0f + side2 / (b * b);
        u = choose(far > num_of(0.0f), FLOW.rate * FLOW.radius / (b * q * q), num_of(0.0f));
    }
    if (FLOW.kind == AIR_VORTEX) turn = 2.0f * FLOW.rate * FLOW.radius / (side2 + FLOW.radius * FLOW.radius);
    vec v;
    v.x = turn * (ay * dz - az * dy) + u * ax;
    v.y = turn * (az * dx - ax * dz) + u * ay;
    v.z = turn * (ax * dy - ay * dx) + u * az;
    v.w = num_of(0.0f);
    return v;
#undef FLOW
}

INLINE vec air_velocity(PAR, TABLE4 air_grid, vec p)
{
    vec v;
    v.x = num_of(par->air.x), v.y = num_of(par->air.y), v.z = num_of(par->air.z), v.w = num_of(0.0f);
    for (int k = 0; k < par->air.flows; k++) {
#define EDGE(side, axis) num_of(par->air.flow[k].side[axis])
        const whole here = (p.x >= EDGE(low, 0)) & (p.y >= EDGE(low, 1)) & (p.z >= EDGE(low, 2)) &
                           (p.x <= EDGE(high, 0)) & (p.y <= EDGE(high, 1)) & (p.z <= EDGE(high, 2));
#undef EDGE
        const vec f = air_flow_at(par, k, p);
        v.x += choose(here, f.x, num_of(0.0f)), v.y += choose(here, f.y, num_of(0.0f)),
            v.z += choose(here, f.z, num_of(0.0f));
    }
    if (par->air.nodes[0] > 0) {
        num scale = num_of(par->air.scale);
        if (par->air.zero_outside)
            scale = choose(air_beyond(par, 0, p.x) + air_beyond(par, 1, p.y) + air_beyond(par, 2, p.z) > num_of(0.0f),
                           num_of(0.0f), scale);
        const vec g = air_on_grid(par, air_grid, p);
        v.x += scale * g.x, v.y += scale * g.y, v.z += scale * g.z;
    }
    return v;
}

/* How the air moves past something at x with velocity u; w: the speed of that. */
INLINE vec air_past(PAR, TABLE4 air_grid, vec x, vec u)
{
    vec v = air_velocity(par, air_grid, x);
    v.x -= u.x, v.y -= u.y, v.z -= u.z;
    v.w = sqrt_of(v.x * v.x + v.y * v.y + v.z * v.z);
    return v;
}
