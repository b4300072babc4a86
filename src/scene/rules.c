/* rules.c -- rules that a single row cannot state: values derived from others, alternatives, and what has to fit
 * together.
 *
 * Every test asks "is it bad?", never "is it not good?", so that a number that was refused before (NaN) is not
 * refused twice.
 */
#include "base/exact.h"
#include "base/colour.h"
#include "scene/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Refuses an interval that ends before it begins. */
static void check_interval(mn_reader *reader, const mn_node *node, double start, double stop)
{
    if (stop <= start)
        mn_complain(reader, mn_node_get(node, "stop"), "expected a time after start, which is %g s, found %g", start,
                    stop);
}

void mn_finish_emitter(mn_reader *reader, const mn_node *node, void *record)
{
    mn_emitter *emitter = record;
    bool disc = mn_node_get(node, "disc"), box = mn_node_get(node, "box");
    if (disc == box)
        mn_complain(reader, node, "expected one opening, disc: {radius} or box: {size}, found %s",
                    disc ? "both" : "none");
    emitter->disc = disc;
    if (!mn_normalise(emitter->direction))
        mn_complain(reader, mn_node_get(node, "direction"), "expected a direction, found a vector of length 0");
    if (mn_node_get(node, "stop")) check_interval(reader, node, emitter->start, emitter->stop);
}

void mn_finish_sink(mn_reader *reader, const mn_node *node, void *record)
{
    mn_sink *sink = record;
    if (mn_node_get(node, "stop")) check_interval(reader, node, sink->start, sink->stop);
    if (sink->shape.grid[0] > 0) mn_complain(reader, node, "a box by grid is for fluids only");
}

/* Makes a unit vector of a direction that was given; the key may be that of another kind and absent. */
static void check_direction(mn_reader *reader, const mn_node *node, const char *key, double direction[3])
{
    const mn_node *given = mn_node_get(node, key);
    if (given && !mn_normalise(direction))
        mn_complain(reader, given, "expected a direction, found a vector of length 0");
}

void mn_finish_flow(mn_reader *reader, const mn_node *node, void *record)
{
    static const char *const kinds[] = {"uniform", "jet", "vortex", "shear"};
    mn_flow *flow = record;
    int found = 0;
    for (int k = 0; k < 4; k++) {
        const mn_node *body = mn_node_get(node, kinds[k]);
        if (!body) continue;
        found++;
        flow->kind = (mn_flow_kind)k;
        check_direction(reader, body, k == MN_FLOW_VORTEX ? "axis" : "direction", flow->direction);
        check_direction(reader, body, "normal", flow->normal);
    }
    if (found != 1)
        mn_complain(reader, node, "expected one of uniform, jet, vortex or shear, found %s",
                    found ? "several" : "none of them");
    const mn_node *low = mn_node_get(node, "min"), *high = mn_node_get(node, "max");
    flow->bounded = low && high;
    if (!low != !high)
        mn_complain(reader, node, "\"%s\" is missing: the box of a flow has min and max", low ? "max" : "min");
    for (int i = 0; i < 3 && flow->bounded; i++)
        if (flow->high[i] <= flow->low[i])
            mn_complain(reader, high, "expected max above min in %c, found %g to %g", "xyz"[i], flow -> low[i],
                        flow -> high[i]);
}

void mn_finish_air_slice(mn_reader *reader, const mn_node *node, void *record)
{
    mn_resolve_file(reader, mn_node_get(node, "file"), "air grid", &((mn_air_slice *)record)->file);
}

void mn_finish_air_grid(mn_reader *reader, const mn_node *node, void *record)
{
    mn_air_grid *grid = record;
    if (!node) return;
    if (!grid->file == !grid->slice_count)
        mn_complain(reader, node, "expected either file or slices, found %s", grid->file ? "both" : "none");
    mn_resolve_file(reader, mn_node_get(node, "file"), "air grid", &grid->file);
    for (int k = 1; k < grid->slice_count; k++)
        if (grid->slices[k].time <= grid->slices[k - 1].time)
            mn_complain(reader, mn_node_get(node, "slices"), "the times of slices must increase, but %g s follows %g s",
                        grid->slices[k].time, grid->slices[k - 1].time);
}

void mn_finish_grid_output(mn_reader *reader, const mn_node *node, void *record)
{
    const mn_grid_output *grid = record;
    for (int i = 0; i < 3; i++)
        if (grid->high[i] < grid->low[i])
            mn_complain(reader, mn_node_get(node, "max"), "expected max above min in %c, found %g to %g", "xyz"[i],
                        grid -> low[i], grid -> high[i]);
    if (grid->average > grid->every)
        mn_complain(reader, mn_node_get(node, "average"), "expected at most every, which is %g s, found %g",
                    grid->every, grid->average);
}

const mn_node *mn_shape_node(const mn_node *node, int index)
{
    const mn_node *shapes = mn_node_get(node, "shapes"), *shape = shapes ? shapes->first : NULL;
    while (shape && index-- > 0) shape = shape->next;
    return shape ? shape : node;
}

void mn_check_closed(mn_reader *reader, const mn_node *node, const mn_shape_def *shapes, int count, const char *what)
{
    for (int i = 0; i < count; i++) {
        const mn_node *at = mn_shape_node(node, i);
        if (shapes[i].kind == MN_PLANE) mn_complain(reader, at, "a plane encloses no volume; use a box");
        if (shapes[i].inside_out)
            mn_complain(reader, at, "a %s cannot be the outside of a shape (inside_out is for walls and sinks)", what);
    }
}

void mn_finish_fluid(mn_reader *reader, const mn_node *node, void *record)
{
    mn_fluid *fluid = record;
    mn_check_closed(reader, node, fluid->shapes, fluid->shape_count, "fluid");
    const mn_node *holes = mn_node_get(node, "holes"), *at = holes ? holes->first : NULL;
    for (int i = 0; i < fluid->hole_count; i++, at = at ? at->next : NULL) {
        if (fluid->holes[i].grid[0] > 0)
            mn_complain(reader, at ? at : node, "a hole is not filled; give its box by min and max");
        if (fluid->holes[i].kind == MN_PLANE)
            mn_complain(reader, at ? at : node, "a plane encloses no volume to leave out; use a box");
    }
    if (fluid->hole_count && !fluid->shape_count)
        mn_complain(reader, holes ? holes : node, "holes without shapes to cut them from");
    mn_use_surface_tension(reader, mn_node_get(node, "surface_tension"), fluid);
    mn_finish_viscosity(reader, mn_node_get(node, "viscosity"), fluid);
}

void mn_finish_look(mn_reader *reader, const mn_node *node, void *record)
{
    const mn_look *look = record;
    float colour[3];
    if (!look->colour || !look->colour[0] || mn_colour_parse(look->colour, colour)) return;
    const char *near = mn_nearest(look->colour, mn_colour_names, MN_COLOURS);
    mn_complain(reader, mn_node_get(node, "colour"),
                "there is no colour \"%s\"; expected a name such as orange, or \"#rrggbb\"%s%s%s", look->colour,
                near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

void mn_finish_wall(mn_reader *reader, const mn_node *node, void *record)
{
    mn_wall *wall = record;
    if (!mn_node_get(node, "method")) wall->method = -1; /* the scene's */
    for (int i = 0; i < wall->shape_count; i++)
        if (wall->shapes[i].grid[0] > 0)
            mn_complain(reader, mn_shape_node(node, i), "a box by grid is for fluids only; give min and max");
}

void mn_finish_solid(mn_reader *reader, const mn_node *node, void *record)
{
    mn_soft_def *solid = record;
    mn_check_closed(reader, node, solid->shapes, solid->shape_count, "solid");
    for (int i = 0; i < solid->fixed_count; i++)
        if (solid->fixed[i].grid[0] > 0)
            mn_complain(reader, mn_node_get(node, "fixed"),
                        "a box by grid is to be filled with particles; give min and max");
    const bool young = mn_node_get(node, "young"), poisson = mn_node_get(node, "poisson"),
               lambda = mn_node_get(node, "lambda"), mu = mn_node_get(node, "mu");
    if ((young || poisson) && (lambda || mu))
        mn_complain(reader, node, "the material is given twice: expected young and poisson, or lambda and mu");
    else if (young || poisson) {
        if (!young || !poisson)
            mn_complain(reader, node, "\"%s\" is missing: a material is young and poisson",
                        young ? "poisson" : "young");
        solid->mu = solid->young / (2 * (1 + solid->poisson));
        solid->lambda = 2 * solid->mu * solid->poisson / (1 - 2 * solid->poisson);
    } else if (lambda || mu) {
        if (!lambda || !mu)
            mn_complain(reader, node, "\"%s\" is missing: a material is lambda and mu", lambda ? "mu" : "lambda");
    } else mn_complain(reader, node, "the material is missing: expected young and poisson, or lambda and mu");
    solid->young = solid->mu * (3 * solid->lambda + 2 * solid->mu) / (solid->lambda + solid->mu);
    solid->poisson = solid->lambda / (2 * (solid->lambda + solid->mu));
    if (solid->motion.moving && !solid->fixed_count)
        mn_complain(reader, mn_node_get(node, "motion"), "a motion moves the fixed particles, and nothing is fixed");
}

static bool is_still(const mn_curve *curve)
{
    for (int i = 0; i < curve->count * curve->width; i++)
        if (curve->value[i] != 0) return false;
    return true;
}

void mn_finish_motion(mn_reader *reader, const mn_node *node, void *record)
{
    (void)reader, (void)node;
    mn_motion *motion = record;
    motion->moving = !is_still(&motion->translation) || !is_still(&motion->rotation);
    for (int i = 0; i < 3; i++) motion->moving |= motion->velocity[i] != 0 || motion->angular_velocity[i] != 0;
    if (motion->moving) return;
    for (mn_curve *curve = &motion->translation;; curve = &motion->rotation) {
        if (curve->count > 1) curve->count = 1, curve->time[0] = 0;
        if (curve == &motion->rotation) break;
    }
}

void mn_finish_domain(mn_reader *reader, const mn_node *node, void *record)
{
    mn_scene *scene = record;
    scene->bounded = true;
    for (int i = 0; i < 3; i++)
        if (scene->high[i] <= scene->low[i])
            mn_complain(reader, mn_node_get(node, "max"), "expected max above min in %c, found %g to %g", "xyz"[i],
                        scene -> low[i], scene -> high[i]);
}

/* `step` or `adaptive`; where one of the two comes from --set, or from a variation, it wins over the scene's. */
void mn_finish_time(mn_reader *reader, const mn_node *node, void *record)
{
    mn_scene *scene = record;
    const mn_node *step = mn_node_get(node, "step"), *adaptive = mn_node_get(node, "adaptive");
    bool both = step && adaptive;
    if (both && step->layer == adaptive->layer)
        mn_complain(reader, step, "expected either step (fixed) or adaptive, found both");
    scene->adaptive = both ? adaptive->layer > step->layer : !step;
    if (scene->adaptive) {
        if (mn_node_get(adaptive, "min") && scene->step_min > scene->step_max)
            mn_complain(reader, mn_node_get(adaptive, "min"), "expected at most max, which is %g s, found %g",
                        scene->step_max, scene->step_min);
        scene->step = scene->step_max;
    } else {
        scene->step_min = scene->step_max = scene->step;
    }
}

void mn_finish_camera(mn_reader *reader, const mn_node *node, void *record)
{
    mn_camera *camera = record;
    const mn_node *eye = mn_node_get(node, "eye"), *target = mn_node_get(node, "target");
    camera->automatic = !eye;
    camera->grounded = mn_node_get(node, "ground") != NULL;
    if (!eye != !target)
        mn_complain(reader, node, "\"%s\" is missing: a camera has eye and target, or neither", eye ? "target" : "eye");
    double view[3], up[3];
    for (int i = 0; i < 3; i++) view[i] = camera->target[i] - camera->eye[i], up[i] = camera->up[i];
    bool looks = mn_normalise(view), stands = mn_normalise(up);
    if (eye && target && !looks) mn_complain(reader, target, "the target is where the eye is");
    if (!stands) mn_complain(reader, mn_node_get(node, "up"), "expected a direction, found a vector of length 0");
    if (eye && looks && stands && fabs(view[0] * up[0] + view[1] * up[1] + view[2] * up[2]) > 1 - 1e-12)
        mn_complain(reader, node, "the camera looks along its up direction; set up to another one");
    if (camera->range[0] > camera->range[1])
        mn_complain(reader, mn_node_get(node, "range"), "expected [low, high], found %g above %g", camera->range[0],
                    camera->range[1]);
}

/* ------------------------------------------------------- the scene as a whole */

static void check_name(mn_reader *reader, const char *list, int index, char **name, const char *earlier)
{
    char path[80], standard[40];
    snprintf(path, sizeof path, "%s.%d.name", list, index);
    if (!*name) {
        mn_default_name(list, index, standard, sizeof standard);
        *name = mn_need(reader, strdup(standard));
    }
    if (!*name) return;
    if (strchr(*name, '.') || strchr(*name, '=') || ((*name)[0] >= '0' && (*name)[0] <= '9'))
        mn_complain_at(reader, path, "expected a name that does not begin with a digit and has no . or =, found \"%s\"",
                       *name);
    if (earlier) mn_complain_at(reader, path, "the name \"%s\" is taken by an earlier entry", *name);
}

/* Names of one list of the scene: `count` records of `size` bytes, the name at `offset`. */
static void check_names_of(mn_reader *reader, const char *list, void *records, int count, size_t size, size_t offset)
{
    char *at = count > 0 ? (char *)records + offset : NULL;
    for (int i = 0; i < count; i++) {
        char **name = (char **)(at + (size_t)i * size);
        const char *earlier = NULL;
        for (int j = 0; j < i && *name; j++) {
            const char *other = *(char **)(at + (size_t)j * size);
            if (other && strcmp(other, *name) == 0) earlier = *name;
        }
        check_name(reader, list, i, name, earlier);
    }
}

static void check_names(mn_reader *reader, mn_scene *s)
{
    check_names_of(reader, "fluids", s->fluids, s->fluid_count, sizeof *s->fluids, offsetof(mn_fluid, name));
    check_names_of(reader, "walls", s->walls, s->wall_count, sizeof *s->walls, offsetof(mn_wall, name));
    check_names_of(reader, "solids", s->solids, s->solid_count, sizeof *s->solids, offsetof(mn_soft_def, name));
    check_names_of(reader, "bodies", s->bodies, s->body_count, sizeof *s->bodies, offsetof(mn_body, name));
    check_names_of(reader, "joints", s->joints, s->joint_count, sizeof *s->joints, offsetof(mn_joint, name));
}

static void check_domain(mn_reader *reader, const mn_scene *scene)
{
    static const char axes[] = "xyz";
    const double d = scene->spacing, least = 4 * scene->support * d;
    const char *solver = scene->outside > 0 && scene->pressure.model ? scene->pressure.model->key : "dfsph";
    if (strcmp(solver, "dfsph") != 0 && strcmp(solver, "iisph") != 0)
        mn_complain_at(reader, "domain.pressure",
                       "the solver %s has no pressure at open ends; expected dfsph or iisph, or 0", solver);
    if (scene->outside > 0 && scene->periodic[0] && scene->periodic[1] && scene->periodic[2])
        mn_complain_at(reader, "domain.pressure",
                       "nothing leaves this domain; expected an axis that is not periodic, or 0");
    for (int i = 0; i < 3; i++) {
        double width = scene->high[i] - scene->low[i];
        if (scene->periodic[i] && width < least)
            mn_complain_at(reader, "domain.periodic",
                           "a periodic axis has to be at least 4 supports (%g spacings, %g m) wide; %c has %g m",
                           4 * scene->support, least, axes[i], width);
        else if (scene->bounded && width < 4 * d)
            mn_complain_at(reader, "domain.max", "the domain has to be at least 4 spacings (%g m) wide; %c has %g m",
                           4 * d, axes[i], width);
        else if (scene->bounded && width > 1e6 * d)
            mn_complain_at(reader, "particles.spacing",
                           "the domain is %.3g spacings wide along %c; expected at most 1e6", width / d, axes[i]);
    }
}

static void check_grid_output(mn_reader *reader, mn_scene *scene)
{
    mn_grid_output *grid = &scene->grid_output;
    double nodes = 1;
    if (!(grid->every > 0)) return;
    for (int i = 0; i < 3; i++) nodes *= floor((grid->high[i] - grid->low[i]) / grid->spacing) + 1;
    if (nodes > 2e7)
        mn_complain_at(reader, "output.grid.spacing", "this spacing makes %.3g nodes; expected at most 2e7", nodes);
    grid->fluid_index = -1;
    const char *names[MN_MAX_FLUIDS];
    for (int i = 0; i < scene->fluid_count && i < MN_MAX_FLUIDS; i++) {
        names[i] = scene->fluids[i].name ? scene->fluids[i].name : "";
        if (grid->fluid && grid->fluid[0] && strcmp(grid->fluid, names[i]) == 0) grid->fluid_index = i;
    }
    if (grid->fluid && grid->fluid[0] && grid->fluid_index < 0) {
        const char *near = mn_nearest(grid->fluid, names, scene->fluid_count);
        mn_complain_at(reader, "output.grid.fluid", "no fluid \"%s\"%s%s%s", grid->fluid,
                       near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    }
}

static void check_surface_output(mn_reader *reader, mn_scene *scene)
{
    mn_surface_output *surface = &scene->surface_output;
    if (surface->format_count && !(scene->frame_interval > 0))
        mn_complain_at(reader, "output.surface", "meshes are made with frames; expected output.every above 0");
    if (surface->cell > scene->spacing)
        mn_complain_at(reader, "output.surface.cell", "expected at most particles.spacing, which is %g m, found %g",
                       scene->spacing, surface->cell);
    else if (surface->cell > 0 && surface->cell < 0.05 * scene->spacing)
        mn_complain_at(reader, "output.surface.cell",
                       "expected at least a twentieth of particles.spacing, which is %g m, found %g",
                       0.05 * scene->spacing, surface->cell);
}

/* A box by grid gets its size and place. */
static void fit_grid(mn_shape_def *shape, double spacing)
{
    for (int c = 0; c < 3 && shape->grid[0] > 0; c++) {
        shape->size[c] = shape->grid[c] * spacing;
        shape->translate[c] = shape->origin[c] + 0.5 * (shape->grid[c] - 1) * spacing;
    }
}

/* What depends on the scene as a whole: boxes by grid, walls and solids without a spacing or method of their own. */
static void derive_from_scene(mn_scene *scene)
{
    for (int i = 0; i < scene->fluid_count; i++)
        for (int k = 0; k < scene->fluids[i].shape_count; k++) fit_grid(&scene->fluids[i].shapes[k], scene->spacing);
    for (int i = 0; i < scene->wall_count; i++) {
        if (scene->walls[i].spacing == 0) scene->walls[i].spacing = scene->spacing;
        if (scene->walls[i].map_spacing == 0) scene->walls[i].map_spacing = scene->spacing;
        if (scene->walls[i].method < 0) scene->walls[i].method = scene->wall_method;
    }
    for (int i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].spacing == 0) scene->bodies[i].spacing = scene->spacing;
    for (int i = 0; i < scene->solid_count; i++) {
        if (scene->solids[i].spacing == 0) scene->solids[i].spacing = scene->spacing;
        for (int k = 0; k < scene->solids[i].shape_count; k++)
            fit_grid(&scene->solids[i].shapes[k], scene->solids[i].spacing);
    }
}

/* What a scene leaves out and its size decides. The least step ends runs whose steps would shrink without end, and must
 * not be longer than the steps that small scenes need: particles may cross a spacing in it at 200 m/s. Between two
 * frames liquid at 1 m/s goes ten spacings at most. */
static void derive_times(const mn_reader *reader, mn_scene *scene)
{
    const mn_node *root = reader->tree->root, *time = mn_node_get(root, "time"), *output = mn_node_get(root, "output");
    const mn_node *adaptive = mn_node_get(time, "adaptive");
    if (scene->adaptive && !mn_node_get(adaptive, "min"))
        scene->step_min = fmax(fmin(scene->step_max / 1000, scene->spacing / 200), 1e-12);
    if (!mn_node_get(output, "every")) scene->frame_interval = fmin(scene->frame_interval, 10 * scene->spacing);
}

static void derive_output_grids(mn_scene *scene)
{
    if (scene->grid_output.spacing == 0) scene->grid_output.spacing = 2 * scene->spacing;
    if (scene->surface_output.cell == 0) scene->surface_output.cell = 0.5 * scene->spacing;
}

static void check_fluids(mn_reader *reader, const mn_scene *scene)
{
    int filled = 0;
    for (int i = 0; i < scene->fluid_count; i++)
        filled += scene->fluids[i].shape_count > 0 || scene->fluids[i].emitter_count > 0;
    const mn_node *list = mn_node_get(reader->tree->root, "fluids");
    if (list && list->count > 0 && filled == 0 && scene->body_count + scene->solid_count == 0)
        mn_complain_at(reader, "fluids.0", "no fluid has shapes or emitters: there is nothing to simulate");
    for (int i = 0; i < scene->fluid_count && filled; i++) {
        const mn_fluid *fluid = &scene->fluids[i];
        if (!fluid->shape_count && !fluid->emitter_count)
            mn_say_warning(reader->say, fluid->at, "fluids.%d: the fluid \"%s\" has neither shapes nor emitters", i,
                           fluid->name ? fluid->name : "");
    }
}

/* An open mesh has no inside: only walls of particles, which are surfaces, may be one. */
static void refuse_rims(mn_reader *reader, const mn_shape_def *shapes, int count, const char *what)
{
    for (int k = 0; k < count; k++)
        if (shapes[k].kind == MN_MESH && shapes[k].rim)
            mn_complain_place(reader, shapes[k].at,
                              "mesh: open is for walls with method: particles; %s needs a watertight mesh", what);
}

/* Faces left out, too, are for walls; volume maps of some of these are known. */
static void refuse_open(mn_reader *reader, const mn_shape_def *shapes, int count, const char *what)
{
    refuse_rims(reader, shapes, count, what);
    for (int k = 0; k < count; k++)
        if (mn_shape_is_open(&shapes[k]))
            mn_complain_place(reader, shapes[k].at, "%s: open is for walls; %s needs a closed shape",
                              mn_shape_names[shapes[k].kind], what);
}

static void check_open(mn_reader *reader, const mn_scene *scene)
{
    for (int i = 0; i < scene->fluid_count; i++) {
        refuse_open(reader, scene->fluids[i].shapes, scene->fluids[i].shape_count, "a fluid");
        refuse_open(reader, scene->fluids[i].holes, scene->fluids[i].hole_count, "a hole in a fluid");
    }
    for (int i = 0; i < scene->wall_count; i++)
        if (scene->walls[i].method == MN_WALL_MAPS)
            refuse_rims(reader, scene->walls[i].shapes, scene->walls[i].shape_count, "a volume map");
    for (int i = 0; i < scene->body_count; i++)
        refuse_open(reader, scene->bodies[i].shapes, scene->bodies[i].shape_count, "a body");
    for (int i = 0; i < scene->solid_count; i++) {
        refuse_open(reader, scene->solids[i].shapes, scene->solids[i].shape_count, "a solid");
        refuse_open(reader, scene->solids[i].fixed, scene->solids[i].fixed_count, "the fixed part of a solid");
    }
    for (int i = 0; i < scene->wall_count; i++)
        refuse_open(reader, &scene->walls[i].contact.pattern.pattern.shape, 1, "a patch");
    for (int i = 0; i < scene->body_count; i++)
        refuse_open(reader, &scene->bodies[i].contact.pattern.pattern.shape, 1, "a patch");
    for (int i = 0; i < scene->sink_count; i++) refuse_open(reader, &scene->sinks[i].shape, 1, "a sink");
    for (int i = 0; i < scene->species_count; i++)
        for (int k = 0; k < scene->species[i].start_count; k++)
            refuse_open(reader, &scene->species[i].start[k].shape, 1, "a region of the liquid");
    for (int i = 0; i < scene->substance_count; i++)
        for (int k = 0; k < scene->substances[i].coat_count; k++)
            refuse_open(reader, &scene->substances[i].coats[k].pattern.shape, 1, "a patch");
}

/* An interval beyond what a clock in double can count would never end. */
static void check_frames(mn_reader *reader, const mn_scene *scene)
{
    const double most = 99999999, frames = scene->frame_interval > 0 ? scene->end / scene->frame_interval : 0;
    if (frames > most)
        mn_complain_at(reader, "output.every",
                       "a frame every %g s makes %.3g until the end at %g s; expected at most %.0f",
                       scene->frame_interval, frames, scene->end, most);
}

void mn_finish_scene(mn_reader *reader, mn_scene *scene)
{
    derive_from_scene(scene);
    derive_times(reader, scene);
    derive_output_grids(scene);
    check_names(reader, scene);
    mn_check_joints(reader, scene);
    check_fluids(reader, scene);
    check_open(reader, scene);
    mn_check_contact(reader, scene);
    check_frames(reader, scene);
    check_grid_output(reader, scene);
    check_surface_output(reader, scene);
    check_domain(reader, scene);
    mn_check_counts(reader, scene);
    mn_check_species(reader, scene);
    mn_check_pairs(reader, scene);
    mn_check_probes(reader, scene);
    mn_check_changes(reader, scene);
}
