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
INLINE own4 air_in_slice(PAR, TABLE4 air_grid, int slice, int i, int j, int k, own s, own t, own u)
{
    const int nx = par->air.nodes[0], ny = par->air.nodes[1], nz = par->air.nodes[2];
    const int right = nx > 1 ? 1 : 0, up = ny > 1 ? nx : 0, front = nz > 1 ? nx * ny : 0;
    const int at = ((slice * nz + k) * ny + j) * nx + i;
    own4 v;
    v.x = v.y = v.z = v.w = 0.0f;
    for (int corner = 0; corner < 8; corner++) {
        const own4 g = air_grid[at + (corner & 1 ? right : 0) + (corner & 2 ? up : 0) + (corner & 4 ? front : 0)];
        const own w = (corner & 1 ? s : 1.0f - s) * (corner & 2 ? t : 1.0f - t) * (corner & 4 ? u : 1.0f - u);
        v.x += w * g.x, v.y += w * g.y, v.z += w * g.z;
    }
    return v;
}

/* Of one axis: the node below, at most the last but one, and how far it is to the next. */
INLINE own air_between(PAR, int axis, own x, int *node)
{
    const own last = (float)(par->air.nodes[axis] - 1), q = own_min(own_max((x - par->air.origin[axis]) * par->air.inv_spacing[axis], 0.0f), last);
    const int below = (int)q;
    *node = below < par->air.nodes[axis] - 1 || below == 0 ? below : below - 1;
    return q - (float)*node;
}

INLINE bool air_outside(PAR, int axis, own x)
{
    const own q = (x - par->air.origin[axis]) * par->air.inv_spacing[axis];
    return q < -1e-4f || q > (float)(par->air.nodes[axis] - 1) + 1e-4f;
}

INLINE own4 air_on_grid(PAR, TABLE4 air_grid, own x, own y, own z)
{
    int i, j, k;
    const own s = air_between(par, 0, x, &i), t = air_between(par, 1, y, &j), u = air_between(par, 2, z, &k);
    own4 v = air_in_slice(par, air_grid, par->air.before, i, j, k, s, t, u);
    if (par->air.between > 0.0f) {
        const own4 w = air_in_slice(par, air_grid, par->air.after, i, j, k, s, t, u);
        v.x += par->air.between * (w.x - v.x), v.y += par->air.between * (w.y - v.y), v.z += par->air.between * (w.z - v.z);
    }
    return v;
}

INLINE own4 air_velocity(PAR, TABLE4 air_grid, own x, own y, own z)
{
    own4 v;
    v.x = par->air.x, v.y = par->air.y, v.z = par->air.z, v.w = 0.0f;
    for (int k = 0; k < par->air.flows; k++) {
#define FLOW par->air.flow[k]
        if (x < FLOW.low[0] || y < FLOW.low[1] || z < FLOW.low[2] || x > FLOW.high[0] || y > FLOW.high[1] || z > FLOW.high[2]) continue;
        const own dx = x - FLOW.point[0], dy = y - FLOW.point[1], dz = z - FLOW.point[2];
        const own ax = FLOW.along[0], ay = FLOW.along[1], az = FLOW.along[2];
        const own far = dx * ax + dy * ay + dz * az, side2 = own_max(dx * dx + dy * dy + dz * dz - far * far, 0.0f);
        own u = 0.0f; /* of the direction `along` */
        if (FLOW.kind == AIR_UNIFORM) u = 1.0f;
        if (FLOW.kind == AIR_SHEAR) u = FLOW.rate * (dx * FLOW.across[0] + dy * FLOW.across[1] + dz * FLOW.across[2]);
        if (FLOW.kind == AIR_JET && far > 0.0f) {
            const own b = FLOW.radius + FLOW.spread * far, q = 1.0f + side2 / (b * b);
            u = FLOW.rate * FLOW.radius / (b * q * q);
        }
        if (FLOW.kind == AIR_VORTEX) {
            const own turn = 2.0f * FLOW.rate * FLOW.radius / (side2 + FLOW.radius * FLOW.radius);
            v.x += turn * (ay * dz - az * dy);
            v.y += turn * (az * dx - ax * dz);
            v.z += turn * (ax * dy - ay * dx);
        }
        v.x += u * ax;
        v.y += u * ay;
        v.z += u * az;
#undef FLOW
    }
    if (par->air.nodes[0] > 0 && !(par->air.zero_outside && (air_outside(par, 0, x) || air_outside(par, 1, y) || air_outside(par, 2, z)))) {
        const own4 g = air_on_grid(par, air_grid, x, y, z);
        v.x += par->air.scale * g.x, v.y += par->air.scale * g.y, v.z += par->air.scale * g.z;
    }
    return v;
}

/* How the air moves past something at x with velocity u; w: the speed of that. */
INLINE own4 air_past(PAR, TABLE4 air_grid, own4 x, own4 u)
{
    own4 v = air_velocity(par, air_grid, x.x, x.y, x.z);
    v.x -= u.x, v.y -= u.y, v.z -= u.z;
    v.w = own_sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    return v;
}
