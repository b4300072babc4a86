/* drag_force.h -- the force of the air on each particle, in the wind and with the deformation that gissler2017.h has found; equations there. */

/* x^(1/3), x > 0: from x^(5/16), by Halley's iteration */
INLINE own cube_root(own x)
{
    const own q = own_sqrt(own_sqrt(x));
    own y = q * own_sqrt(own_sqrt(q));
    for (int k = 0; k < 3; k++) {
        const own c = y * y * y;
        y *= (c + x + x) / (c + c + x);
    }
    return y;
}

#define gissler2017_force_FIELDS(X) X(NB, real4, pos) X(OWN, real4, vel) X(OWN, real, deform) X(OWN, real4, wind) X(UPD, real4, acc)

/* arg.x: no step is longer than this */
LANES(gissler2017_force)
{
    ITEM();
    const own4 v = load4_i(wind, i);
    const own s = v.w;
    if (!own_any(s > own_of(0.0f))) return;
    const own4 a = load4_i(pos, i), u = load4_i(vel, i);
    const own some = own_max(s, own_of(1e-6f)), ex = v.x / some, ey = v.y / some, ez = v.z / some;
    lane count = splat(0.0f), cover = splat(0.0f); /* cover: the square of the largest cosine */
    FOR_FLUID(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz, near = within_support(par, r2);
        const lane ahead = lane_max(ex * dx + ey * dy + ez * dz, splat(0.0f));
        count += near;
        cover = lane_max(cover, near * ahead * ahead / lane_max(r2, splat(1e-30f)));
    END
    FOR_WALLS(j)
        const lane4 b = load4_j(pos, j);
        const lane dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const lane r2 = dx * dx + dy * dy + dz * dz;
        const lane ahead = lane_max(ex * dx + ey * dy + ez * dz, splat(0.0f));
        cover = lane_max(cover, within_support(par, r2) * ahead * ahead / lane_max(r2, splat(1e-30f)));
    END
    const own exposed = own_max(1.0f - own_sqrt(largest(cover)), own_of(0.0f));
    if (!own_any(exposed > own_of(0.0f))) return;

    const float radius = 0.620350491f * par->spacing;
    const own y = load1_i(deform, i);
    const own reynolds = own_max(2.0f * par->air.density * s * radius / par->air.viscosity, own_of(1e-3f)), root = cube_root(reynolds);
    const own sphere = own_pick(reynolds > own_of(1000.0f), own_of(0.424f), 24.0f / reynolds + 4.0f / root);
    const own f = own_min(total(count) * (1.5f / 38.0f), own_of(1.0f)), wide = radius * (1.0f + 0.5f * y);
    const own coefficient = (1.0f - f) * sphere * (1.0f + 2.632f * y) + f;
    const own area = (1.0f - f) * 3.14159265f * wide * wide + f * par->spacing * par->spacing;
    const own push = 0.5f * AT(gissler2017, strength, u.w) * par->air.density * s * coefficient * area * exposed;
    const own rate = own_min(push * CORE_AT(inv_density, u.w) / a.w, own_of(0.5f / arg.x));
    const own4 old = load4_i(acc, i);
    store4_i(acc, i, old.x + rate * v.x, old.y + rate * v.y, old.z + rate * v.z, old.w);
}
