/* tables_species.c -- keys of scene files: species, substances on walls, and reactions. */
#include "scene/tables.h"

static const char *const law_names[] = {"linear", "langmuir", NULL};
const char *const mn_channel_names[] = {"none", "red", "green", "blue", "grey", NULL};

/* What the writer leaves out. */
static bool starts_in_shape(const void *record) { return ((const mn_species_start *)record)->shape.scale > 0; }
bool mn_has_patch(const void *record) { return ((const mn_pattern *)record)->shape.scale > 0; }
bool mn_has_image(const void *record)
{
    return ((const mn_pattern *)record)->image && ((const mn_pattern *)record)->image[0];
}

static const mn_key film_rows[] = {
    {"adsorption", MN_KEY_NUMBER, "m^3/(mol s)", "0", 0, 1e12, "k_a: how fast the surface takes it up; 0: no film",
     IN(mn_species, surface.adsorption), .live = MN_LIVE},
    {"desorption", MN_KEY_NUMBER, "1/s", "0", 0, 1e9, "k_f: how fast the surface gives it back",
     IN(mn_species, surface.desorption), .live = MN_LIVE},
    {"capacity", MN_KEY_NUMBER, "mol/m^2", "0", AMOUNTS, "S_0: what a full surface holds; needed with `adsorption`",
     IN(mn_species, surface.capacity), .live = MN_LIVE},
    {"diffusion", MN_KEY_NUMBER, "m^2/s", "0", 0, 1e6, "D_s: along the surface", IN(mn_species, surface.diffusion),
     .live = MN_LIVE},
    {"feedback", MN_KEY_NUMBER, "1/s", "5", 0, 1e9,
     "how fast particles that left the surface return what they held to the bulk", IN(mn_species, surface.feedback),
     .live = MN_LIVE},
    {"evaporation", MN_KEY_NUMBER, "1/s", "0", 0, 1e9,
     "k_e: how fast what the surface holds is lost to the air; from thin films the liquid below is used up first. "
     "Needs a "
     "`capacity`",
     IN(mn_species, surface.evaporation), .live = MN_LIVE},
};
static const mn_table film_table = {"surface", "The film of a species on the liquid's surface.", ROWS(film_rows),
                                    sizeof(mn_species)};

static const mn_key effect_rows[] = {
    {"law", MN_KEY_CHOICE, NULL, "linear", 0, 0,
     "with coverage c = S/S_0: `linear` 1 - tension c, `langmuir` 1 + tension ln(1 - c), never below 0",
     IN(mn_species, effect.law), .words = law_names, .live = MN_LIVE},
    {"tension", MN_KEY_NUMBER, NULL, "0", -10, 10,
     "what a full surface takes from the surface tension, as a fraction of it", IN(mn_species, effect.tension),
     .live = MN_LIVE},
    {"adhesion", MN_KEY_NUMBER, NULL, "0", -10, 10, "the same for the adhesion to walls",
     IN(mn_species, effect.adhesion), .live = MN_LIVE},
    {"friction", MN_KEY_NUMBER, NULL, "0", -10, 10, "the same for the friction at walls",
     IN(mn_species, effect.friction), .live = MN_LIVE},
};
static const mn_table effect_table = {"effect", "What the film does to the flow.", ROWS(effect_rows),
                                      sizeof(mn_species)};

static const mn_key start_rows[] = {
    {"concentration", MN_KEY_NUMBER, "mol/m^3", NULL, AMOUNTS, "dissolved in the bulk",
     IN(mn_species_start, concentration)},
    {"fluid", MN_KEY_TEXT, NULL, "\"\"", 0, 60, "name of the fluid it is in; left out: all",
     IN(mn_species_start, fluid)},
    {"shape", MN_KEY_SHAPE, NULL, "-", 0, 0, "only particles within this shape", IN(mn_species_start, shape),
     .written = starts_in_shape},
};
static const mn_table start_table = {"start",
                                     "Where a species is at the start; of several entries that apply, the last counts.",
                                     ROWS(start_rows), sizeof(mn_species_start), .at = AT(mn_species_start, at)};

static const mn_key carried_rows[] = {
    {"concentration", MN_KEY_CURVE, "mol/m^3", NULL, AMOUNTS, "of the liquid as it leaves the opening",
     IN(mn_species_inflow, concentration), 1},
    {"fluid", MN_KEY_TEXT, NULL, "\"\"", 0, 60, "name of the fluid whose emitters carry it; left out: all",
     IN(mn_species_inflow, fluid)},
    {"emitter", MN_KEY_INTEGER, NULL, "-1", -1, 1000, "number of the emitter within the fluid, from 0; -1: all",
     IN(mn_species_inflow, emitter)},
};
static const mn_table carried_table = {
    "inflow", "Which emitters carry a species; of several entries that apply, the last counts.", ROWS(carried_rows),
    sizeof(mn_species_inflow), .at = AT(mn_species_inflow, at)};

static const mn_key species_rows[] = {
    {"name", MN_KEY_TEXT, NULL, NULL, 1, 24,
     "letters, digits and _; `NAME` (mol/m^3) and `NAME_surface` (mol/m^2) are fields of frames and pictures",
     IN(mn_species, name)},
    {"diffusion", MN_KEY_NUMBER, "m^2/s", "0", 0, 1e6, "D_b: in the bulk", IN(mn_species, diffusion), .live = MN_LIVE},
    {"surface", MN_KEY_MAP, NULL, "-", 0, 0, "its film on the surface", 0, .sub = &film_table},
    {"effect", MN_KEY_MAP, NULL, "-", 0, 0, "what the film does to the flow", 0, .sub = &effect_table},
    {"start", MN_KEY_LIST, NULL, "[]", 0, 1000, "where it is at the start", IN(mn_species, start),
     .count_offset = AT(mn_species, start_count), .sub = &start_table, .live = MN_START},
    {"inflow", MN_KEY_LIST, NULL, "[]", 0, 1000, "which emitters carry it", IN(mn_species, inflow),
     .count_offset = AT(mn_species, inflow_count), .sub = &carried_table},
};
const mn_table mn_species_table = {"species",
                                   "What is dissolved in the liquid and gathers at its surface: detergent, dye, salt.",
                                   ROWS(species_rows),
                                   sizeof(mn_species),
                                   .at = AT(mn_species, at),
                                   .finish = mn_finish_species};

static const mn_key coat_rows[] = {
    {"wall", MN_KEY_TEXT, NULL, NULL, 1, 60, "name of the wall or body", IN(mn_coat, wall)},
    {"coverage", MN_KEY_NUMBER, "mol/m^2", NULL, AMOUNTS, "at the start", IN(mn_coat, coverage)},
    PATTERN_ROWS(mn_coat, pattern),
};
static const mn_table coat_table = {"coats",
                                    "Where on which wall; coats of one point add up.",
                                    ROWS(coat_rows),
                                    sizeof(mn_coat),
                                    .at = AT(mn_coat, at),
                                    .finish = mn_finish_pattern};

static const mn_key substance_rows[] = {
    {"name", MN_KEY_TEXT, NULL, NULL, 1, 24, "letters, digits and _", IN(mn_substance, name)},
    {"coats", MN_KEY_LIST, NULL, "[]", 0, 1000, "where it lies at the start", IN(mn_substance, coats),
     .count_offset = AT(mn_substance, coat_count), .sub = &coat_table, .live = MN_START},
};
const mn_table mn_substance_table = {"substances", "Substances on walls: grease, dirt.", ROWS(substance_rows),
                                     sizeof(mn_substance), .at = AT(mn_substance, at)};

static const mn_key reaction_rows[] = {
    {"species", MN_KEY_TEXT, NULL, NULL, 1, 24, "what is used up at the surface of the liquid",
     IN(mn_reaction, species)},
    {"substance", MN_KEY_TEXT, NULL, NULL, 1, 24, "what is used up on the wall", IN(mn_reaction, substance)},
    {"product", MN_KEY_TEXT, NULL, "\"\"", 0, 24,
     "the species that it becomes in the bulk; left out: it is not followed", IN(mn_reaction, product)},
    {"rate", MN_KEY_NUMBER, "m^2/(mol s)", NULL, 0, 1e12,
     "k_r: the substance decays at k_r times the coverage of the liquid's surface", IN(mn_reaction, rate),
     .live = MN_LIVE},
    {"coefficients", MN_KEY_NUMBERS, NULL, "[1, 1, 1]", 0, 1000,
     "mol of species and of substance that one mol of reaction uses up, and of product that it makes; whole numbers",
     IN(mn_reaction, coefficients), 3, .live = MN_LIVE},
};
const mn_table mn_reaction_table = {"reactions", "What a species at the surface does to a substance on walls.",
                                    ROWS(reaction_rows), sizeof(mn_reaction), .at = AT(mn_reaction, at)};
