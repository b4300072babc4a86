/* validate.c -- `meniscus validate`: the table of cases, and the report. */
#include "validate.h"

#include <stdio.h>
#include <string.h>

#include "args.h"
#include "base/message.h"
#include "report.h"

typedef struct validation_case {
    const char *name, *checks;
    validation *run;
} validation_case;

static const validation_case cases[] = {
    {"hydrostatic", "pressure under a still surface grows with depth as density times gravity", validate_hydrostatic},
    {"hydrostatic-tank", "the same in a tank with walls on all sides, away from them", validate_hydrostatic_tank},
    {"hydrostatic-floor", "the same down to the floor, pressure next to walls as of its depth",
     validate_hydrostatic_floor},
    {"tank", "pressure next to the walls of a tank is that of its depth", validate_tank},
    {"tank-iisph", "the same with IISPH", validate_tank_iisph},
    {"tank-pcisph", "the same with PCISPH", validate_tank_pcisph},
    {"hydrostatic-maps", "pressure under a still surface over a floor that is a volume map", validate_hydrostatic_maps},
    {"phases", "oil and gas at rest over water", validate_phases},
    {"rayleigh-taylor", "a wave between a heavy fluid and a light one below it grows as linear theory says",
     validate_rayleigh_taylor},
    {"oil-drop", "pressure in a drop of oil in water, by the tension between them", validate_oil_drop},
    {"rising-bubble", "a bubble rises as fast, as far and as round as in case 1 of Hysing et al. 2009",
     validate_rising_bubble},
    {"couette", "shear flow between a resting and a moving plate", validate_couette},
    {"poiseuille", "flow between resting plates under a constant force", validate_poiseuille},
    {"layer", "a layer that flows down a plate: right pressure and shear at a wall", validate_layer},
    {"martin-moyce-dfsph", "front of a collapsing column against the experiment of Martin & Moyce 1952, DFSPH",
     validate_martin_moyce_dfsph},
    {"martin-moyce-iisph", "the same with IISPH", validate_martin_moyce_iisph},
    {"density-dfsph", "mean compression in a dam break within the tolerance asked for, DFSPH", validate_density_dfsph},
    {"density-iisph", "the same with IISPH", validate_density_iisph},
    {"density-pcisph", "the same with PCISPH", validate_density_pcisph},
    {"momentum", "momentum of colliding liquids is conserved without external forces", validate_momentum},
    {"free-fall", "a block without support follows the parabola", validate_free_fall},
    {"sloshing", "no particle leaves a closed tank that is shaken for ten seconds", validate_sloshing},
    {"sloshing-iisph", "the same with IISPH", validate_sloshing_iisph},
    {"sloshing-pcisph", "the same with PCISPH", validate_sloshing_pcisph},
    {"sloshing-wcsph", "the same with WCSPH", validate_sloshing_wcsph},
    {"sloshing-maps", "the same with walls as volume maps, DFSPH", validate_sloshing_maps},
    {"sloshing-maps-iisph", "the same with IISPH", validate_sloshing_maps_iisph},
    {"sloshing-maps-pcisph", "the same with PCISPH", validate_sloshing_maps_pcisph},
    {"sloshing-maps-wcsph", "the same with WCSPH", validate_sloshing_maps_wcsph},
    {"containers",
     "no particle leaves closed containers of six shapes, shaken and turned, with any solver and either kind of walls",
     validate_containers},
    {"blows", "no particle passes containers and pistons that strike the water", validate_blows},
    {"area", "areas of balls, boxes, tori, slabs, sheets, films and water in a tank, on lattices and Poisson disks",
     validate_area},
    {"area-compared",
     "the band of surface particles: the paper's estimator against a colour gradient (Orthmann et al. 2013)",
     validate_area_compared},
    {"species", "amounts of species are conserved over 10,000 steps with every process active", validate_species},
    {"detergent-drop", "a drop of detergent: no film, a patch, a film all over (Orthmann et al. 2013)",
     validate_detergent_drop},
    {"pan", "detergent washes grease off a pan (Orthmann et al. 2013)", validate_pan},
    {"cylinder", "detergent washes a turning cylinder, which then drags less (Orthmann et al. 2013)",
     validate_cylinder},
    {"room", "a painted room is washed out (Orthmann et al. 2013)", validate_room},
    {"flood", "a flooded valley at two concentrations: paint and floating huts (Orthmann et al. 2013)", validate_flood},
    {"soap-boat", "soap behind a boat drives it forward", validate_soap_boat},
    {"soap-boat-open", "a bar of soap at its stern drives a boat forward in open water", validate_soap_boat_open},
    {"waterline", "force on a plate between clean and soapy liquid", validate_waterline},
    {"stress-drop", "pressure in a drop under a stress within its surface, lafaurie1994", validate_stress_drop},
    {"tears", "wine climbs a glass where its alcohol evaporates", validate_tears},
    {"soap-spreading", "soap on a pool is drawn outwards by the clean water around it", validate_soap_spreading},
    {"sphere", "a cube of water without weight becomes a sphere and stays still (Akinci et al. 2013)", validate_sphere},
    {"sphere-compared",
     "its particles stay apart where those of Becker 2007 and Tartakovsky 2005 cluster (Akinci et al. 2013)",
     validate_sphere_compared},
    {"cube-dropped", "a cube of water becomes a sphere, falls and is a drop again (Akinci et al. 2013)",
     validate_cube_dropped},
    {"wetting", "a bead, a dome and a film (Akinci et al. 2013)", validate_wetting},
    {"splitting", "a blade without adhesion parts a drop (Akinci et al. 2013)", validate_splitting},
    {"stream", "adhesion leads a stream round a sphere (Akinci et al. 2013)", validate_stream},
    {"plate", "a ball of water breaks into drops on a plate (Akinci et al. 2013)", validate_plate},
    {"crown", "a drop raises a crown from a pool (Akinci et al. 2013)", validate_crown},
    {"tablet", "falling water stays together on a tablet (Wang et al. 2017)", validate_tablet},
    {"cube-into-water", "a falling cube of water becomes round, without tension it does not (Wang et al. 2017)",
     validate_cube_into_water},
    {"board", "poured water wets more of a board than with Akinci et al. 2013 (Wang et al. 2017)", validate_board},
    {"jeske-sphere", "a cube becomes a sphere and stays still (Jeske et al. 2023)", validate_jeske_sphere},
    {"jeske-methods", "two cubes without weight with six methods", validate_jeske_methods},
    {"jeske-impact", "the drop that two cubes have become falls on a plane", validate_jeske_impact},
    {"jeske-impacts", "drops of six methods that lie on a plane, of similar shape", validate_jeske_impacts},
    {"jeske-crowns", "a drop into a pool with four models of tension", validate_jeske_crowns},
    {"jeske-fingers", "the rim of a crown breaks into fingers and drops (Jeske et al. 2023)", validate_jeske_fingers},
    {"jeske-viscosity", "the same tension with rising viscosity: calmer drops", validate_jeske_viscosity},
    {"jeske-bubbles", "two soap bubbles share a flat wall", validate_jeske_bubbles},
    {"jeske-foam", "27 soap bubbles stay apart, with flat walls between them", validate_jeske_foam},
    {"jeske-foam-collides", "27 soap bubbles collide at the published spacing and viscosity, and stay apart",
     validate_jeske_foam_collides},
    {"jeske-stability", "implicit tension stays calm where explicit tension boils", validate_jeske_stability},
    {"jeske-energy", "surface energy of a drop while the tension doubles, explicit and implicit",
     validate_jeske_energy},
    {"jeske-matrix", "drops stand higher with tension, lower with adhesion", validate_jeske_matrix},
    {"jeske-matrix-maps", "the same with the paper's volume maps and adhesion", validate_jeske_matrix_maps},
    {"jeske-film", "a stream covers a sphere and leaves below it", validate_jeske_film},
    {"jeske-toy", "drops bounce through a toy and merge", validate_jeske_toy},
    {"jeske-bell", "opposed jets make a bell", validate_jeske_bell},
    {"jeske-chain", "oblique jets make links at right angles", validate_jeske_chain},
    {"jeske-faucet", "a faucet drips", validate_jeske_faucet},
    {"jeske-catenoid", "a film between rings has the neck of a catenoid, and breaks when they part",
     validate_jeske_catenoid},
    {"tension", "drops of water in real units at rest and swinging: one table of all models of tension",
     validate_tension},
    {"laplace-drop", "the same with laplace: 7 and 10 spacings, two time steps, two starts", validate_laplace_drop},
    {"laplace-sizes", "the same at 6 and 15 spacings", validate_laplace_sizes},
    {"laplace-lamb", "frequency and damping of a swinging drop (Lamb)", validate_laplace_lamb},
    {"laplace-lamb-three", "the same of l = 3, 7, 10 and 15 spacings", validate_laplace_lamb_three},
    {"laplace-angle", "drops on plates with contact angles from 30 to 150 degrees", validate_laplace_angle},
    {"laplace-sides", "the same from both sides, three starts each", validate_laplace_sides},
    {"laplace-round", "the same on a ball, 30 to 120 degrees", validate_laplace_round},
    {"laplace-maps", "the same on volume maps, 60 to 120 degrees", validate_laplace_maps},
    {"laplace-advance", "thick drops spread as fast as Cox and Voinov say", validate_laplace_advance},
    {"laplace-hysteresis", "drops on leaning plates stick and slide as Furmidge says", validate_laplace_hysteresis},
    {"laplace-pattern", "contact angles that differ: by an image, over time, by the fluid", validate_laplace_pattern},
    {"laplace-rise", "water rises between plates and in a tube (Jurin)", validate_laplace_rise},
    {"laplace-jet", "a column of water breaks up (Plateau, Rayleigh)", validate_laplace_jet},
    {"laplace-catenoid", "a bridge between plates has the neck of a catenoid", validate_laplace_catenoid},
    {"laplace-merge", "two drops that touch merge in the right time", validate_laplace_merge},
    {"laplace-sheet", "a thin sheet draws back with twice its tension (Taylor, Culick)", validate_laplace_sheet},
    {"laplace-impact", "a drop strikes a plate: largest spreading", validate_laplace_impact},
    {"laplace-film", "a film flows down a plate as if it stuck to it (Nusselt)", validate_laplace_film},
    {"laplace-marangoni", "a gradient of tension drives the flow in a drop", validate_laplace_marangoni},
    {"terminal-velocity", "drops of 0.5 to 6 mm fall as fast as the paper's equations say (Gissler et al. 2017)",
     validate_terminal_velocity},
    {"falling-drop", "a drop of 5 mm from rest, with both models of deformation", validate_falling_drop},
    {"jet", "drag slows and widens the front of a jet as simulated air does", validate_jet},
    {"wiper", "water on a windshield goes elsewhere in imported air than in constant air", validate_wiper},
    {"cantilever", "a beam held at one end bends as Timoshenko's theory says", validate_cantilever},
    {"figure", "limbs of a soft figure stream upward in a wind of 80 m/s, and swing (Gissler et al. 2017)",
     validate_figure},
    {"tyre", "the air shortens the flight of a tyre's spray (Gissler et al. 2017)", validate_tyre},
    {"cannon-ball", "the air flattens the front of a viscous ball in flight (Gissler et al. 2017)",
     validate_cannon_ball},
    {"buoyancy", "bodies held under water are pushed up by the weight of what they displace", validate_buoyancy},
    {"neutral", "a body of the water's density neither sinks nor rises", validate_neutral},
    {"floating", "a box of half the density floats half submerged", validate_floating},
    {"bodies-momentum", "liquid and bodies that collide conserve their total momentum", validate_bodies_momentum},
    {"rolling-drop", "a drop rolls down a slope; figures stick to it or slip off (Akinci et al. 2013)",
     validate_rolling_drop},
    {"pendulum", "a falling pendulum swings in the air (Gissler et al. 2017)", validate_pendulum},
    {"ship", "wind drives a sailing ship over waves (Gissler et al. 2017)", validate_ship},
    {"waves", "waves break later against the wind (Gissler et al. 2017)", validate_waves},
    {"channel", "three light boxes drift through a channel, past a block (Gissler et al. 2017)", validate_channel},
    {"channel-simulated", "the same boxes in air that is simulated with them, compared with drag",
     validate_channel_simulated},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

int cli_validate_cases(const char **out, int capacity)
{
    for (int i = 0; i < CASE_COUNT && i < capacity; i++) out[i] = cases[i].name;
    return CASE_COUNT;
}

/* "deviation: 0.0032 of it (at most 0.01)", "slope: 9790 Pa/m, expected 9810, off by 0.2 % (at most 1 %)" or
 * "drops: 27 (at least 20)". */
static void print_result(const validation_result *r)
{
    printf("  %s %s: %.4g%s%s", validation_within(r) ? "PASS" : "FAIL", r->quantity, r->measured, *r->unit ? " " : "",
           r->unit);
    if (r->at_least) printf(" (at least %g)\n", r->expected);
    else if (r->expected == 0) printf(" (at most %g)\n", r->tolerance);
    else
        printf(", expected %.6g, off by %.2g %% (at most %g %%)\n", r->expected, 100 * (r->measured / r->expected - 1),
               100 * r->tolerance);
}

static bool run_case(const validation_case *the, const cli_arguments *args, const validation_setup *setup,
                     mn_messages *say, int *code)
{
    if (!args->quiet) {
        fprintf(stderr, "%s: %s ...\n", the->name, the->checks);
        fflush(stderr);
    }
    validation_report report = {0};
    const double start = cli_clock();
    mn_status status = the->run(setup, &report, say);
    if (status == MN_BAD_INPUT) status = mn_status_of_failure(say);
    bool good = status == MN_OK;
    for (int r = 0; r < report.count; r++) good = good && validation_within(&report.at[r]);
    printf("%s %s, %.1f s\n", good ? "PASS" : "FAIL", the->name, cli_clock() - start);
    for (int r = 0; r < report.count; r++) print_result(&report.at[r]);
    fputs(report.table, stdout);
    fflush(stdout);
    cli_report(say, !args->quiet);
    if (*code == MN_OK && !good) *code = status == MN_OK ? MN_FAILED : (int)status;
    return good;
}

/* --set of the command line: for one case, since no key is in the scenes of all. */
static mn_status take_sets(validation_setup *setup, const cli_arguments *args, mn_messages *say)
{
    if (args->set_count && !args->operand)
        mn_say_error(say, MN_NOWHERE, "--set: expected a CASE whose scenes it changes");
    else if (args->set_count > VALIDATION_USER_SETS)
        mn_say_error(say, MN_NOWHERE, "--set: expected at most %d of them", VALIDATION_USER_SETS);
    else {
        for (int k = 0; k < args->set_count; k++) setup->sets[k] = args->sets[k];
        return MN_OK;
    }
    return MN_BAD_INPUT;
}

int cli_validate(const cli_arguments *args)
{
    mn_messages *say = mn_messages_new();
    if (!say) cli_report(NULL, false);
    if (!say) return MN_FAILED;
    validation_setup setup = {.options = mn_default_options()};
    if (args->backend) setup.options.backend = args->backend;
    setup.options.threads = (int)args->threads;
    setup.curves = args->dir;
    int code = take_sets(&setup, args, say), passed = 0, failed = 0;
    if (code != MN_OK) {
        cli_report(say, false);
        mn_messages_free(say);
        return code;
    }
    for (int i = 0; i < CASE_COUNT; i++) {
        if (args->operand && strcmp(args->operand, cases[i].name) != 0) continue;
        if (run_case(&cases[i], args, &setup, say, &code)) passed++;
        else failed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    mn_messages_free(say);
    return code;
}
