/* joints.c -- joints of the scene as joints of ODE, made while all bodies are in their rest pose. */
#include <math.h>

#include "rigid/ode_parts.h"
#include "scene/scene.h"

static const double degree = 3.14159265358979323846 / 180;

/* Some unit vector at a right angle to the axis. */
static void across(const double axis[3], double out[3])
{
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(axis[k]) < fabs(axis[least])) least = k;
    const double e[3] = {least == 0, least == 1, least == 2};
    double length = 0;
    for (int k = 0; k < 3; k++) {
        out[k] = axis[(k + 1) % 3] * e[(k + 2) % 3] - axis[(k + 2) % 3] * e[(k + 1) % 3];
        length += out[k] * out[k];
    }
    for (int k = 0; k < 3; k++) out[k] /= sqrt(length);
}

static void limit_ball(dJointID motor, const mn_joint *joint)
{
    const double twist = joint->twist < 180 ? joint->twist * degree : dInfinity;
    const double swing = joint->swing < 180 ? joint->swing * degree : dInfinity;
    dJointSetAMotorParam(motor, dParamLoStop1, -twist), dJointSetAMotorParam(motor, dParamHiStop1, twist);
    dJointSetAMotorParam(motor, dParamLoStop2, -swing), dJointSetAMotorParam(motor, dParamHiStop2, swing);
    dJointSetAMotorParam(motor, dParamLoStop3, -swing), dJointSetAMotorParam(motor, dParamHiStop3, swing);
}

void mn_joint_limit(dJointID id, const mn_joint *joint)
{
    const double low = joint->limits[0], high = joint->limits[1];
    if (joint->kind == MN_BALL && dJointGetData(id)) limit_ball(dJointGetData(id), joint);
    if (joint->kind == MN_HINGE && joint->limited)
        dJointSetHingeParam(id, dParamLoStop, low * degree), dJointSetHingeParam(id, dParamHiStop, high * degree);
    if (joint->kind == MN_SLIDER && joint->limited)
        dJointSetSliderParam(id, dParamLoStop, low), dJointSetSliderParam(id, dParamHiStop, high);
}

/* Euler angles: the first about the axis along the limb (twist), the two others across it (swing). */
static dJointID add_ball_limits(dWorldID world, const mn_joint *joint, dBodyID first, dBodyID second)
{
    double side[3];
    across(joint->axis, side);
    dJointID motor = dJointCreateAMotor(world, 0);
    dJointAttach(motor, first, second);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, joint->axis[0], joint->axis[1], joint->axis[2]);
    dJointSetAMotorAxis(motor, 2, 2, side[0], side[1], side[2]);
    return motor;
}

dJointID mn_joint_make(dWorldID world, const mn_joint *joint, dBodyID first, dBodyID second)
{
    const double *a = joint->anchor, *u = joint->axis;
    dJointID id = NULL;
    switch (joint->kind) {
    case MN_BALL:
        id = dJointCreateBall(world, 0);
        dJointAttach(id, first, second);
        dJointSetBallAnchor(id, a[0], a[1], a[2]);
        if (joint->swing < 180 || joint->twist < 180) dJointSetData(id, add_ball_limits(world, joint, first, second));
        break;
    case MN_HINGE:
        id = dJointCreateHinge(world, 0);
        dJointAttach(id, first, second);
        dJointSetHingeAnchor(id, a[0], a[1], a[2]);
        dJointSetHingeAxis(id, u[0], u[1], u[2]);
        break;
    case MN_SLIDER:
        id = dJointCreateSlider(world, 0);
        dJointAttach(id, first, second);
        dJointSetSliderAxis(id, u[0], u[1], u[2]);
        break;
    case MN_GLUED:
        id = dJointCreateFixed(world, 0);
        dJointAttach(id, first, second);
        dJointSetFixed(id);
        break;
    }
    mn_joint_limit(id, joint);
    return id;
}
