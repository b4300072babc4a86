/* map_points.h -- walls as volume maps (Bender et al. 2019). A map gives for a particle at x_i the distance phi of the
 * wall, its normal n, and the volume V of the solid within the support radius (geometry/volume_map.c). It acts like one
 * boundary point for each fluid particle and wall,
 *
 *   x* = x_i - D n,   D = max(phi + d/4, d),   volume V, velocity of the wall at x*
 *
 * which map_walls puts into the particle's own slots behind the boundary points; the list of the particle ends with the
 * slots that are in use. All other kernels see boundary points. D <= h for phi < 0.875 h: beyond, nothing is felt.
 *
 * V = V_flat(phi) + map_excess; V_flat is that of a half space. map_node = (gradient of phi, phi). Maps lie in the
 * frame in which the scene gives the shapes. Rows of map_place for each map: 0 to 2 from x - centre to cells from the
 * first node; 3 nodes along x, y, z, number of the first node/1024; 4 centre, 1 for a container (solid outside its
 * grid); 5 where the periodic box begins, relative to the centre, and the index of the wall; 6 velocity of the centre,
 * distance of the nodes; 7 rate of turn, 1 where the map has shares of a contact pattern.
 */
#define volume_map_OWNS(F)                                                                      \
    F(map_place, real4, "m", TABLE, COPY, FLUID, "frames of the volume maps")                   \
    F(map_node, real4, "1, m", TABLE, COPY, FLUID, "gradient of the distance; w: the distance") \
    F(map_excess, real, "m^3", TABLE, COPY, FLUID, "volume beyond that of a half space")        \
    F(map_share, real, "1", TABLE, COPY, FLUID, "share of the contact pattern at the wall below")

#define map_walls_FIELDS(X)                                                                                \
    X(TABLE, real4, map_place) X(TABLE, real4, map_node) X(TABLE, real, map_excess) X(TABLE, real, map_share) \
    X(CHANGES, real4, pos) X(CHANGES, real4, vel)

/* The nearest image of a place relative to the centre. */
INLINE num map_image(num x, num low, num span)
{
    if (span == 0.0f) return x;
    return x < low ? x + span : (x >= low + span ? x - span : x);
}

/* 0.8 int_{|y|<h} gamma(phi + y.n) dy for a half space, q = phi/h in [0, 1]; supports of more than two spacings: a
   part of it, for the same distance at rest */
INLINE num map_flat(PAR, num q)
{
    return 2.51327412f * par->maps.part * par->h * par->h * par->h *
           (1.01041667f - q * (0.825f + q * (0.375f - 0.333333333f * q)));
}

/* A map around a place: distance, its gradient along the grid's axes, volume beyond that of a half space. */
typedef struct map_value {
    num phi, gu, gv, gw, volume;
} map_value;

/* At the cell coordinates u, v, w: the mean of what the eight nodes around expect by their gradients: exact for planes,
   and in edges halfway between them. size: as row 3 of map_place; cell: distance of the nodes. */
INLINE map_value map_value_at(TABLE4 map_node, FIELD(real) map_excess, vec size, num cell, num u, num v, num w)
{
    const int nx = (int)size.x, ny = (int)size.y, nz = (int)size.z, first = 1024 * (int)size.w;
    const int cx = min_of((int)u, nx - 2), cy = min_of((int)v, ny - 2), cz = min_of((int)w, nz - 2);
    const num tx = u - (num)cx, ty = v - (num)cy, tz = w - (num)cz;
    map_value m;
    m.phi = m.gu = m.gv = m.gw = m.volume = 0.0f;
    for (int c = 0; c < 8; c++) {
        const int px = c & 1, py = (c >> 1) & 1, pz = c >> 2, at = first + ((cz + pz) * ny + cy + py) * nx + cx + px;
        const num ex = tx - (num)px, ey = ty - (num)py, ez = tz - (num)pz;
        const num weight = (px ? tx : 1.0f - tx) * (py ? ty : 1.0f - ty) * (pz ? tz : 1.0f - tz);
        const vec node = vec_at(map_node, at);
        m.phi += weight * (node.w + cell * (ex * node.x + ey * node.y + ez * node.z));
        m.gu += weight * node.x;
        m.gv += weight * node.y;
        m.gw += weight * node.z;
        m.volume += weight * map_excess[at];
    }
    return m;
}

/* The share of the contact pattern there, linear between the nodes. */
INLINE num map_share_at(FIELD(real) map_share, vec size, num u, num v, num w)
{
    const int nx = (int)size.x, ny = (int)size.y, nz = (int)size.z, first = 1024 * (int)size.w;
    const int cx = min_of((int)u, nx - 2), cy = min_of((int)v, ny - 2), cz = min_of((int)w, nz - 2);
    const num tx = u - (num)cx, ty = v - (num)cy, tz = w - (num)cz;
    num share = 0.0f;
    for (int c = 0; c < 8; c++) {
        const int px = c & 1, py = (c >> 1) & 1, pz = c >> 2;
        share += (px ? tx : 1.0f - tx) * (py ? ty : 1.0f - ty) * (pz ? tz : 1.0f - tz) *
                 map_share[first + ((cz + pz) * ny + cy + py) * nx + cx + px];
    }
    return max_of(min_of(share, 1.0f), 0.0f);
}

/* The slot of a wall's volume after `used` others, -1: none. More walls than slots: the largest volumes stay, and those
   the particle is inside of. */
INLINE int map_slot(PAR, FIELD(real4) pos, const int i, int used, num volume)
{
    if (used < par->maps.slots) return used;
    int slot = -1;
    num least = volume < 0.0f ? 1e30f : volume;
    for (int s = 0; s < par->maps.slots; s++) {
        const num other = vec_at(pos, par->maps.at + s * par->maps.stride + i).w;
        if (other >= 0.0f && other < least) slot = s, least = other;
    }
    return slot;
}

/* Writes at i's own slots of pos and vel only. A slot that is not in use has volume 0; of a particle inside the wall,
   pos.w = phi - d < 0. */
BRANCHING_KERNEL(map_walls)
{
    const vec a = vec_here(pos);
    int used = 0;
    for (int s = 0; s < par->maps.slots; s++)
        set_vec_at(pos, par->maps.at + s * par->maps.stride + i, 1e12f, 1e12f, 1e12f, 0.0f);
    for (int k = 0; k < par->maps.count; k++) {
        const vec to_x = vec_at(map_place, 8 * k), to_y = vec_at(map_place, 8 * k + 1),
                  to_z = vec_at(map_place, 8 * k + 2), size = vec_at(map_place, 8 * k + 3);
        const vec centre = vec_at(map_place, 8 * k + 4), box = vec_at(map_place, 8 * k + 5);
        const num x = map_image(a.x - centre.x, box.x, par->span_x), y = map_image(a.y - centre.y, box.y, par->span_y);
        const num z = map_image(a.z - centre.z, box.z, par->span_z);
        num u = to_x.x * x + to_x.y * y + to_x.z * z + to_x.w, v = to_y.x * x + to_y.y * y + to_y.z * z + to_y.w;
        num w = to_z.x * x + to_z.y * y + to_z.z * z + to_z.w;
        const bool outside = u < 0.0f || v < 0.0f || w < 0.0f || u > size.x - 1.0f || v > size.y - 1.0f ||
                             w > size.z - 1.0f;
        if (outside && centre.w == 0.0f) continue;
        u = max_of(min_of(u, size.x - 1.0f), 0.0f);
        v = max_of(min_of(v, size.y - 1.0f), 0.0f);
        w = max_of(min_of(w, size.z - 1.0f), 0.0f);
        const vec drift = vec_at(map_place, 8 * k + 6);
        const num cell = drift.w;
        const map_value m = map_value_at(map_node, map_excess, size, cell, u, v, w);
        const num phi = m.phi;
        if (!(phi < 0.875f * par->h)) continue;
        const num gx = cell * (to_x.x * m.gu + to_y.x * m.gv + to_z.x * m.gw),
                  gy = cell * (to_x.y * m.gu + to_y.y * m.gv + to_z.y * m.gw);
        const num gz = cell * (to_x.z * m.gu + to_y.z * m.gv + to_z.z * m.gw), length = sqrt_of(gx * gx + gy * gy + gz *
        gz); if (!(length > 1e-3f)) continue; /* 1 but for a place as far from one side as from the other */
        const num volume = phi > 0.0f ? max_of(m.volume + map_flat(par, phi * par->inv_h), 0.0f) : phi - par->spacing;
        const num away = max_of(phi + 0.25f * par->spacing, par->spacing) / length;
        const num dx = away * gx, dy = away * gy, dz = away * gz;
        const int slot = map_slot(par, pos, i, used++, volume);
        if (slot < 0) continue;
        const vec turn = vec_at(map_place, 8 * k + 7);
        const num rx = x - dx, ry = y - dy, rz = z - dz;
        const int at = par->maps.at + slot * par->maps.stride + i;
        const num mark = turn.w > 0.0f ? box.w + 0.5f * map_share_at(map_share, size, u, v, w) : box.w;
        set_vec_at(pos, at, a.x - dx, a.y - dy, a.z - dz, volume);
        set_vec_at(vel, at, drift.x + turn.y * rz - turn.z * ry, drift.y + turn.z * rx - turn.x * rz,
                   drift.z + turn.x * ry - turn.y * rx, mark);
    }
}

#define map_stop_FIELDS(X) X(HERE, real4, pos) X(CHANGES, real4, vel)

/* A particle inside a wall, where no map can hold it, leaves along the normal, d/20 in a step. */
BRANCHING_KERNEL(map_stop)
{
    const vec a = vec_here(pos);
    vec u = vec_here(vel);
    for (int s = 0; s < par->maps.slots; s++) {
        const int at = par->maps.at + s * par->maps.stride + i;
        const vec b = vec_at(pos, at);
        if (!(b.w < 0.0f)) continue;
        const vec v = vec_at(vel, at);
        const num inv = 1.0f / par->spacing, x = inv * (a.x - b.x), y = inv * (a.y - b.y), z = inv * (a.z - b.z);
        const num lack = 0.05f * par->spacing * par->inv_dt - (x * (u.x - v.x) + y * (u.y - v.y) + z * (u.z - v.z));
        if (lack > 0.0f) u.x += lack * x, u.y += lack * y, u.z += lack * z;
    }
    set_vec(vel, u.x, u.y, u.z, u.w);
}
