/* boundary_force.h -- what the fluid does to the boundary points that move or feel: minus what they do to the fluid,
 * pair by pair.
 *
 *   boundary_force    N, of the models that act as forces
 *   boundary_impulse  N s, of those that change velocities
 *
 * Each model that acts against walls has a kernel <model>_on_boundary, which runs over those points (i = b, j the fluid
 * particles around it) right after the model and adds to one of the two. Here: the beginning of a step, and the
 * pressure.
 *
 * Not hand-tuned.
 */
/* needs: spline.h vec.h boundary_add.h */
#define boundary_force_OWNS(F)                                                     \
    F(boundary_force, real4, "N", STEP, COPY, POINTS, "force on a boundary point") \
    F(boundary_impulse, real4, "N s", STEP, COPY, POINTS, "impulse on a boundary point")

#define boundary_begin_FIELDS(X) X(WRITES, real4, boundary_force) X(WRITES, real4, boundary_impulse)

KERNEL(boundary_begin)
{
    set_vec(boundary_force, 0.0f, 0.0f, 0.0f, 0.0f);
    set_vec(boundary_impulse, 0.0f, 0.0f, 0.0f, 0.0f);
}

#define pressure_on_boundary_FIELDS(X) X(AROUND, real4, trial) X(HERE, real4, pos) X(CHANGES, real4, boundary_impulse)

/* c beta V_b sum_i V_i k_i gradW_ib for trial = (x_i, V_i k_i), the k that moved the fluid; arg.x = c as in
   pressure_apply. */
KERNEL(pressure_on_boundary)
{
    const vec a = vec_here(pos);
    vec sum = zero3();
    FOR_FLUID(j)
        const vec b = vec_there(trial, j), x = sub3(a, b);
        sum = add_times3(sum, b.w * kernel_wf(par, square3(x)).f, x);
    END
    add_on_boundary(boundary_impulse, i, -arg.x * par->boundary.weight * a.w, sum);
}
