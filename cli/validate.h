/* validate.h -- cases of `meniscus validate`: comparisons of the program with known answers. A case is one function
 * and one line in the table of validate.c. The tests of tests/physics run the same functions, with `sets` that make
 * them smaller. */
#ifndef CLI_VALIDATE_H
#define CLI_VALIDATE_H

#include "meniscus/meniscus.h"

typedef struct validation_result {
    double measured, expected; /* in `unit` */
    double tolerance;          /* relative to `expected`, or absolute where `expected` is 0 */
    const char *quantity, *unit;
    bool at_least; /* `expected` or more; no tolerance */
} validation_result;

enum { VALIDATION_MOST = 64, VALIDATION_SETS = 16, VALIDATION_USER_SETS = 8 };
typedef struct validation_report {
    validation_result at[VALIDATION_MOST];
    int count;
    char table[4096]; /* more numbers, without bars of their own, as lines of text; may be empty */
} validation_report;

typedef struct validation_setup {
    mn_options options;
    const char *sets[VALIDATION_SETS + 1]; /* KEY=VALUE, changes of the scene; NULL after the last */
    bool too_many;                         /* one more did not fit: no scene is opened */
    double end;                            /* s; 0: the scene's own */
    const char *curves;                    /* directory that receives what cases measure over time; NULL: none */
} validation_setup;

/* Returns MN_OK when everything was measured, whether or not it is within the tolerance. */
typedef mn_status validation(const validation_setup *setup, validation_report *out, mn_messages *say);
validation validate_hydrostatic, validate_hydrostatic_floor, validate_hydrostatic_tank, validate_tank,
    validate_tank_iisph, validate_tank_pcisph, validate_couette, validate_poiseuille, validate_layer,
    validate_martin_moyce_dfsph, validate_martin_moyce_iisph, validate_sloshing, validate_density_dfsph,
    validate_density_iisph, validate_density_pcisph, validate_momentum, validate_free_fall, validate_hydrostatic_maps,
    validate_phases, validate_rayleigh_taylor, validate_oil_drop, validate_rising_bubble;
validation validate_sloshing_iisph, validate_sloshing_pcisph, validate_sloshing_wcsph, validate_sloshing_maps,
    validate_sloshing_maps_iisph, validate_sloshing_maps_pcisph, validate_sloshing_maps_wcsph, validate_containers,
    validate_blows;

validation validate_area, validate_area_compared, validate_species, validate_detergent_drop, validate_pan,
    validate_cylinder, validate_room, validate_soap_boat, validate_soap_spreading, validate_tears, validate_flood,
    validate_stress_drop, validate_waterline, validate_soap_boat_open;

validation validate_sphere, validate_sphere_compared, validate_cube_dropped, validate_wetting, validate_splitting,
    validate_stream, validate_crown, validate_tablet, validate_board, validate_cube_into_water, validate_plate,
    validate_jeske_impact, validate_jeske_toy, validate_jeske_methods, validate_jeske_crowns, validate_jeske_fingers,
    validate_jeske_viscosity, validate_jeske_bubbles, validate_jeske_foam, validate_jeske_foam_collides,
    validate_jeske_impacts;

validation validate_jeske_sphere, validate_jeske_stability, validate_jeske_energy, validate_jeske_matrix,
    validate_jeske_matrix_maps, validate_jeske_film, validate_jeske_bell, validate_jeske_chain, validate_jeske_faucet,
    validate_jeske_catenoid;

validation validate_tension, validate_laplace_drop, validate_laplace_sizes, validate_laplace_lamb,
    validate_laplace_lamb_three, validate_laplace_angle, validate_laplace_sides, validate_laplace_maps,
    validate_laplace_round, validate_laplace_hysteresis, validate_laplace_advance, validate_laplace_pattern,
    validate_laplace_jet, validate_laplace_catenoid, validate_laplace_merge, validate_laplace_impact,
    validate_laplace_marangoni, validate_laplace_rise, validate_laplace_film, validate_laplace_sheet;
validation validate_terminal_velocity, validate_falling_drop, validate_jet, validate_wiper;

validation validate_cantilever, validate_figure, validate_cannon_ball, validate_tyre;
validation validate_buoyancy, validate_neutral, validate_floating, validate_bodies_momentum, validate_rolling_drop,
    validate_pendulum, validate_ship, validate_waves, validate_channel, validate_channel_simulated;

bool validation_within(const validation_result *result);

/* -- for the cases themselves -- */

/* A scene in motion. `position`, `velocity`, `density` and `pressure` have room for the particles that it starts
 * with. */
typedef struct validation_run {
    mn_scene *scene;
    mn_world *world;
    mn_messages *say;
    double end;
    int64_t count;
    float *position, *velocity, *density, *pressure;
} validation_run;

/* The set-up with one more change of the scene after the others, or as it is where `set` is NULL. */
validation_setup validation_with(const validation_setup *setup, const char *set);

/* Opens the shipped scene of that name with the set-up's changes and, if given, one more. False: `say` tells why;
 * close it all the same. */
bool validation_open(validation_run *run, const validation_setup *setup, const char *scene, const char *set,
                     mn_messages *say);
/* The same for the text of a scene. */
bool validation_open_text(validation_run *run, const validation_setup *setup, const char *text, mn_messages *say);
void validation_close(validation_run *run);
/* One step, never beyond `until`; loses no particle. */
mn_status validation_step(validation_run *run, double until);
mn_status validation_read(validation_run *run, const char *field, float *out);

void validation_add(validation_report *out, double measured, double expected, double tolerance, const char *quantity,
                    const char *unit);
/* A number that has to be `least` or more. */
void validation_least(validation_report *out, double measured, double least, const char *quantity, const char *unit);

/* Leaves a curve in the directory of the set-up as CASE-NAME.csv, columns time and `column`, for `meniscus plot`. */
mn_status validation_curve(const validation_setup *setup, const char *the_case, const char *name, const char *column,
                           const double *time, const double *value, int count, mn_messages *say);

#endif
