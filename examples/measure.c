/* measure.c -- numbers that describe a shape: a drop falls onto a floor; contact angle, wetted area, drops, flow. */
#include "common.h"

static const char scene_text[] = "particles: {spacing: 0.02}\n"
                                 "time: {step: 0.002, end: 0.2}\n"
                                 "fluids:\n"
                                 "  - name: water\n"
                                 "    viscosity: {model: standard, viscosity: 0.02}\n"
                                 "    shapes: [{sphere: {radius: 0.1, centre: [0, 0.15, 0]}}]\n"
                                 "walls: [{name: floor, shapes: [{plane: {size: [1, 1]}}]}]\n";

static mn_status measure(mn_world *world, mn_messages *say)
{
    double contact[MN_MEASURE_COLUMNS]; /* angle, height, radius of the base, wetted area: mn_measure_at tells */
    const double middle[3] = {0, 0.1, 0}, down[3] = {0, -1, 0}, all[2] = {0, 0};
    const mn_drop *drops;
    int count;
    mn_flux through;
    mn_measured *m = mn_measured_new(world, NULL, say);
    mn_status status = m ? mn_measured_take(m, "contact", contact, say) : mn_messages_status(say);
    if (status == MN_OK) status = mn_measured_drops(m, &drops, &count, NULL, say);
    if (status == MN_OK) status = mn_measured_flux(m, middle, down, all, &through, say);
    if (status == MN_OK)
        printf("%.2f s: angle %.0f degrees, wetted %.4f m^2, %d drop(s), the first of %.3g m^3; %.3g m^3/s at 0.1 m\n",
               mn_measured_time(m), contact[0], contact[3], count, count ? drops[0].volume : 0, through.flow);
    mn_measured_free(m);
    return status;
}

int main(void)
{
    mn_messages *say = mn_messages_new();
    mn_scene *scene = mn_scene_parse(scene_text, strlen(scene_text), "drop", NULL, 0, say);
    mn_world *world = scene ? mn_world_new(scene, NULL, say) : NULL;
    mn_status status = world ? MN_OK : mn_messages_status(say);
    for (int k = 0; k <= 100 && status == MN_OK; k++) {
        if (k % 20 == 0) status = measure(world, say);
        if (status == MN_OK) status = mn_step(world, say);
    }
    mn_world_free(world);
    mn_scene_free(scene);
    status = (mn_status)told(say, status);
    mn_messages_free(say);
    return status;
}
