/* couple.c -- two programs in step: ours simulates the water, ODE a pendulum that stirs it. The pendulum pushes the
 * particles around it, and feels what it does to them. Any other library is coupled likewise. */
#include "common.h"
#include <math.h>
#include <ode/ode.h>

typedef struct stirrer {
    dWorldID ode;
    dBodyID ball;
    double radius;
    double given[3]; /* N s, what it gave to the water so far */
} stirrer;

/* A soft sphere: who is inside is pushed out, and pushes back. */
static mn_status stir(mn_world *world, void *user, mn_messages *say)
{
    stirrer *s = (stirrer *)user;
    const double *at = dBodyGetPosition(s->ball), mass = 1000.0 * 0.02 * 0.02 * 0.02, dt = 0.002;
    mn_mapped x, a;
    mn_status status = mn_field_map(world, "position", MN_READ, &x, say);
    if (status == MN_OK) status = mn_field_map(world, "acceleration", MN_WRITE, &a, say);
    if (status != MN_OK) return status;
    double force[3] = {0, 0, 0};
    for (int64_t k = 0; k < x.count; k++) {
        double away[3], far2 = 1e-12;
        for (int c = 0; c < 3; c++) away[c] = (double)x.data[k * x.stride + c] - at[c], far2 += away[c] * away[c];
        const double far1 = sqrt(far2), push = 2000.0 * fmax(0.0, s->radius - far1);
        for (int c = 0; c < 3; c++) {
            a.data[k * a.stride + c] += (float)(push * away[c] / far1);
            force[c] -= mass * push * away[c] / far1;
        }
    }
    dBodyAddForce(s->ball, force[0], force[1], force[2]);
    dWorldQuickStep(s->ode, dt);
    for (int c = 0; c < 3; c++) s->given[c] -= force[c] * dt;
    return MN_OK;
}

int main(void)
{
    mn_messages *say = mn_messages_new();
    mn_world *world = new_drop(say);
    dInitODE();
    stirrer s = {dWorldCreate(), NULL, 0.05, {0, 0, 0}};
    dWorldSetGravity(s.ode, 0, -9.81, 0);
    s.ball = dBodyCreate(s.ode);
    dMass mass;
    dMassSetSphereTotal(&mass, 0.5, s.radius);
    dBodySetMass(s.ball, &mass);
    dBodySetPosition(s.ball, -0.2, 0.05, 0);
    const dJointID thread = dJointCreateBall(s.ode, NULL);
    dJointAttach(thread, s.ball, NULL);
    dJointSetBallAnchor(thread, 0, 0.3, 0);
    mn_status status = world ? mn_world_on(world, "forces", stir, &s, say) : MN_FAILED;
    for (int k = 0; k < 100 && status == MN_OK; k++) status = mn_step(world, say);
    if (status == MN_OK)
        printf("ball at %.3f %.3f m; water has %.4f kg m/s along x, was given %.4f\n", dBodyGetPosition(s.ball)[0],
               dBodyGetPosition(s.ball)[1], mn_world_stats(world).momentum[0], s.given[0]);
    mn_world_free(world);
    dWorldDestroy(s.ode);
    dCloseODE();
    status = (mn_status)told(say, status);
    mn_messages_free(say);
    return status;
}
