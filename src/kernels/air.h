/* air.h -- the velocity of the air, the one place that evaluates it: for drag on liquids, bodies and whatever else stands in the wind.
 *
 *   v_a(x, t) = velocity(t) + sum of the flows whose box holds x
 *
 *   uniform   u                                                          u = along
 *   jet       U r0/b 1/(1 + (rho/b)^2)^2 along,  b = r0 + spread z       z > 0 along the axis, rho from it, U = rate: keeps its momentum
 *   vortex    U 2 r0/(rho^2 + r0^2) along x (x - point)                  fastest, U = rate, at the radius r0 from the axis
 *   shear     S ((x - point).across) along                               S = rate, 1/s
 *
 * The host has put the moment's values into par->air (src/air/air.c).
 */
INLINE own4 air_velocity(PAR, own x, own y, own z)
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
    return v;
}

/* How the air moves past something at x with velocity u; w: the speed of that. */
INLINE own4 air_past(PAR, own4 x, own4 u)
{
    own4 v = air_velocity(par, x.x, x.y, x.z);
    v.x -= u.x, v.y -= u.y, v.z -= u.z;
    v.w = own_sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    return v;
}
