/* pair.h -- the words of models that act between two particles. Such a model is its equation, the acceleration of
 * particle i by ONE neighbour:
 *
 *   #define <model>_READS(X) X(AROUND, real, dens) ...   fields of particles, besides pos, vel, film_factor;
 *                                                        X(PAIR, pair, pair_f): p.f from the list
 *   PAIR_ACCELERATION(model, kind) { return ...; }       by particle j, a vec
 *   PAIR_FACTOR(model, kind) { return ...; }             the same, its factor of p.x
 *       kind  TENSION: within one liquid and as pairs of fluids say, weakened by a film; STRESS: the same, but the
 *             fields of READS know of the film; VISCOSITY: between all fluids that use the model
 *   WALL_ACCELERATION(model, kind, key) { return ...; }  by boundary point b
 *   WALL_FACTOR(model, kind, key) { return ...; }        the same, its factor of p.x
 *       kind  ADHESION, FRICTION: per 1 of that property of the wall, of the film's, and of the parameter `key`;
 *             STRESS: per 1 of `key` alone
 *
 *   #define <model>_PLACE field                          where neighbours' places are read, else pos
 *   #define <model>_BLOCK name                           whose parameters these are, else its own
 *
 *   i, j  particles: x, v, volume (at rest), rho (density at rest), the fields of READS, the parameters of their fluid
 *   b     boundary point: x, v, volume, object (index of its wall, body or solid)
 *   p     the two: x = x_i - x_j, r2, r, f = W'(r)/r, so that gradW = f x
 *
 * Which pairs count, films, the loop, its sums, and what moving walls feel of it stand in pair_loop.h, once for all
 * models. A force with a factor is central: where the two of a pair are equal and opposite, angular momentum is kept
 * too.
 */
/* needs: spline.h vec.h */

INLINE num mean_of(num a, num b) { return sqrt_of(a * b); } /* geometric: nothing where one has nothing */

typedef struct separation {
    vec x;
    num r2, r, f;
} separation;

typedef struct boundary_point {
    vec x, v;
    num volume, object;
} boundary_point;

INLINE separation separation_of(PAR, vec a, vec b)
{
    separation p;
    p.x = sub3(a, b);
    p.r2 = dot3(p.x, p.x);
    p.r = sqrt_of(p.r2);
    p.f = kernel_wf(par, p.r2).f;
    return p;
}

INLINE boundary_point boundary_point_of(vec pos, vec vel)
{
    boundary_point b;
    b.x = pos, b.v = vel, b.volume = pos.w, b.object = vel.w;
    return b;
}

/* Nothing acts from the support radius on, where the padding of lists is, whatever an equation says there. */
INLINE vec add_acceleration(PAR, vec sum, separation p, vec a)
{
    const num none = num_of(0.0f), h2 = num_of(par->h * par->h);
    return add3(sum, vec_of(choose(p.r2 < h2, a.x, none), choose(p.r2 < h2, a.y, none), choose(p.r2 < h2, a.z, none)));
}
INLINE vec add_factor(PAR, vec sum, separation p, num c)
{
    return add_scaled3(sum, choose(p.r2 < num_of(par->h * par->h), c, num_of(0.0f)), p.x);
}

/* Fluids are one liquid where their rest density is the same and no pair of the scene says otherwise: their
   attraction is 1 then, else 0. Of two particles' films the mean acts: forces stay equal and opposite. */
#define SHARE_TENSION (0.5f * (i.film.x + j.film.x) * of_pair(attraction, i.v.w, j.v.w))
#define SHARE_STRESS of_pair(attraction, i.v.w, j.v.w)
#define SHARE_VISCOSITY num_of(1.0f)
#define WALL_SHARE_ADHESION (i.film.y * of_object(adhesion, b.object))
#define WALL_SHARE_FRICTION (i.film.z * of_object(friction, b.object))
#define WALL_SHARE_STRESS num_of(1.0f)

/* Of an equation that follows: the share of a pair that acts, and how `s` times what it returns is added. */
#define PAIR_WORD(model, kind, type, add)                                                                   \
    INLINE type model##_pair(PAR, model##_particle i, model##_particle j, separation p);                    \
    INLINE num model##_share(PAR, model##_particle i, model##_particle j) { return i.on * j.on * SHARE_##kind; } \
    INLINE vec model##_add_pair(PAR, vec sum, model##_particle i, model##_particle j, separation p,         \
        num s) { return add; }                                                                              \
    INLINE type model##_pair(PAR, model##_particle i, model##_particle j, separation p)
#define WALL_WORD(model, kind, key, type, add)                                                                       \
    INLINE type model##_wall(PAR, model##_particle i, boundary_point b, separation p);                               \
    INLINE num model##_strength(model##_particle i) { return i.on * i.key; }                                         \
    INLINE num model##_wall_share(PAR, model##_particle i, boundary_point b)                                         \
    { return i.on * i.key * WALL_SHARE_##kind; }                                                                     \
    INLINE vec model##_add_wall(PAR, vec sum, model##_particle i, boundary_point b, separation p, num s)             \
    { return add; }                                                                                                  \
    INLINE type model##_wall(PAR, model##_particle i, boundary_point b, separation p)
#define PAIR_ACCELERATION(model, kind) \
    PAIR_WORD(model, kind, vec, add_acceleration(par, sum, p, scale3(s, model##_pair(par, i, j, p))))
#define PAIR_FACTOR(model, kind) PAIR_WORD(model, kind, num, add_factor(par, sum, p, s * model##_pair(par, i, j, p)))
#define WALL_ACCELERATION(model, kind, key) \
    WALL_WORD(model, kind, key, vec, add_acceleration(par, sum, p, scale3(s, model##_wall(par, i, b, p))))
#define WALL_FACTOR(model, kind, key) \
    WALL_WORD(model, kind, key, num, add_factor(par, sum, p, s * model##_wall(par, i, b, p)))

/* Rows of READS and PARAMS become members, pointers and loads; the structs <model>_particle and <model>_fields are
   written by kernel_tables.sh. */
#define PAIR_FIELDS(X) X(AROUND, real4, pos) X(AROUND, real4, vel) X(AROUND, real4, film_factor)
#define PARTICLE_MEMBERS vec x, v, film; num volume, rho, on;
#define MEMBER_OF_READ(role, type, name) MEMBER_##role(MEMBER_##type, name)
#define MEMBER_AROUND(type, name) type name;
#define MEMBER_PAIR(type, name)
#define MEMBER_real num
#define MEMBER_real4 vec
#define MEMBER_pair num
#define MEMBER_OF_PARAM(key, value, unit, low, high, help) num key;
#define POINTER_MEMBER(role, type, name) DEVICE_MEMORY const type *name;
#define POINTER_VALUE(role, type, name) name,
#define LOAD_READ_I(role, type, name) LOAD_I_##role(type, name)
#define LOAD_I_AROUND(type, name) a.name = LOAD_I_##type(f.name);
#define LOAD_I_PAIR(type, name)
#define LOAD_I_real(field) num_here(field)
#define LOAD_I_real4(field) vec_here(field)
#define LOAD_READ_J(role, type, name) LOAD_J_##role(type, name)
#define LOAD_J_AROUND(type, name) a.name = LOAD_J_##type(f.name, j);
#define LOAD_J_PAIR(type, name)
#define LOAD_J_real(field, j) num_there(field, j)
#define LOAD_J_real4(field, j) vec_there(field, j)
#define LOAD_LISTED(role, type, name) LISTED_##role(name)
#define LISTED_AROUND(name)
#define LISTED_PAIR(name) p.f = pair_value(f.name);
#define LOAD_PARAM(key, value, unit, low, high, help) a.key = parameter(MODEL_BLOCK, key, fluid);
#define COPY_PARAM(key, value, unit, low, high, help) a.key = i.key;
