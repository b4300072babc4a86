/* rules_species.c -- species, substances and reactions: names that have to be found, and the fields that species
 * add. */
#include "scene/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "meniscus/meniscus.h"

static const char SURFACE[] = "_surface";

/* -- fields -------------------------------------------------------------------------------------------------------- */

/* The species that a field belongs to, -1: none; *film: its film. */
int mn_scene_species_of(const mn_scene *scene, const char *name, bool *film)
{
    for (int k = 0; k < scene->species_count; k++) {
        const char *own = scene->species[k].name;
        const size_t length = own ? strlen(own) : 0;
        if (!own || strncmp(name, own, length) != 0) continue;
        *film = strcmp(name + length, SURFACE) == 0;
        if (*film || !name[length]) return k;
    }
    return -1;
}

int mn_scene_field_width(const mn_scene *scene, const char *name)
{
    bool film;
    const int width = mn_field_width(name);
    return width ? width : mn_scene_species_of(scene, name, &film) >= 0;
}

const char *mn_scene_field_unit(const mn_scene *scene, const char *name)
{
    bool film;
    for (int i = 0; i < mn_field_count(); i++)
        if (strcmp(mn_field_name(i), name) == 0) return mn_field_unit(i);
    return mn_scene_species_of(scene, name, &film) < 0 ? "" : film ? "mol/m^2" : "mol/m^3";
}

/* `text` at the end of a string: _ as a space, ^2 and ^3 as raised figures. */
static void put_plain(char *out, size_t size, const char *text)
{
    size_t at = strlen(out);
    for (; *text; text++) {
        const char *raised = text[0] != '^' ? NULL : text[1] == '2' ? "²" : text[1] == '3' ? "³" : NULL;
        const size_t length = raised ? strlen(raised) : 1;
        if (at + length + 1 > size) return;
        memcpy(out + at, raised ? raised : *text == '_' ? " " : text, length);
        out[at += length] = 0;
        if (raised) text++;
    }
}

void mn_scene_field_label(const mn_scene *scene, const char *name, char *out, size_t size)
{
    static const char *const plain[][2] = {{"area", "surface area of a particle"},
                                           {"delta", "how near to the surface"},
                                           {"deformation", "flattening of drops"}};
    bool film = false;
    const int species = mn_field_width(name) ? -1 : mn_scene_species_of(scene, name, &film);
    const char *called = film ? scene->species[species].name : name;
    for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k++)
        if (strcmp(name, plain[k][0]) == 0) called = plain[k][1];
    const char *unit = strcmp(name, "speed") == 0 ? "m/s" : mn_scene_field_unit(scene, name);
    out[0] = 0;
    put_plain(out, size, called);
    if (film) put_plain(out, size, " on the surface");
    if (!unit[0] || strcmp(unit, "1") == 0) return;
    put_plain(out, size, " [");
    put_plain(out, size, unit);
    put_plain(out, size, "]");
}

/* Names that stand where the scene may have fields of its own. */
void mn_check_field(mn_reader *reader, const mn_scene *scene, const mn_node *node)
{
    if (!node || node->kind != MN_SCALAR || node->broken || !node->text[0]) return;
    if (strcmp(node->text, "speed") == 0 || mn_scene_field_width(scene, node->text)) return;
    const char *names[MN_MOST_NAMES];
    char films[MN_MAX_SPECIES][40];
    int count = 0;
    for (int i = 0; i < mn_field_count(); i++) names[count++] = mn_field_name(i);
    for (int k = 0; k < scene->species_count && scene->species[k].name; k++) {
        snprintf(films[k], sizeof films[k], "%.24s%s", scene->species[k].name, SURFACE);
        names[count++] = scene->species[k].name;
        names[count++] = films[k];
    }
    mn_complain_name(reader, node, node->key ? node->key : "name", node->text, names, count);
}

static void check_fields(mn_reader *reader, const mn_scene *scene)
{
    const mn_node *root = reader->tree->root, *fields = mn_node_get(mn_node_get(root, "output"), "fields");
    for (const mn_node *child = fields ? fields->first : NULL; child; child = child->next)
        mn_check_field(reader, scene, child);
    mn_check_field(reader, scene, mn_node_get(mn_node_get(root, "camera"), "colour"));
}

/* -- names --------------------------------------------------------------------------------------------------------- */

static void check_word(mn_reader *reader, const char *list, int index, const char *name, const char *earlier)
{
    char path[80];
    snprintf(path, sizeof path, "%s.%d.name", list, index);
    const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", *digits = "0123456789";
    bool good = name[0] && strchr(letters, name[0]);
    for (const char *c = name; *c; c++) good = good && (strchr(letters, *c) || strchr(digits, *c));
    if (!good)
        mn_complain_at(reader, path, "expected a name of letters, digits and _ that begins with a letter, found \"%s\"",
                       name);
    else if (earlier) mn_complain_at(reader, path, "the name \"%s\" is taken by an earlier entry", name);
    else if (mn_field_width(name) || strcmp(name, "speed") == 0)
        mn_complain_at(reader, path, "the name \"%s\" is taken: every particle has a field of that name", name);
    const size_t length = strlen(name), tail = strlen(SURFACE);
    if (good && length > tail && strcmp(name + length - tail, SURFACE) == 0)
        mn_complain_at(reader, path, "a name cannot end with %s: the field of its film has that ending", SURFACE);
}

static void check_words(mn_reader *reader, const mn_scene *scene)
{
    for (int i = 0; i < scene->species_count; i++) {
        const char *name = scene->species[i].name, *earlier = NULL;
        for (int j = 0; j < i && name; j++)
            if (scene->species[j].name && strcmp(scene->species[j].name, name) == 0) earlier = name;
        if (name) check_word(reader, "species", i, name, earlier);
    }
    for (int i = 0; i < scene->substance_count; i++) {
        const char *name = scene->substances[i].name, *earlier = NULL;
        for (int j = 0; j < i && name; j++)
            if (scene->substances[j].name && strcmp(scene->substances[j].name, name) == 0) earlier = name;
        for (int j = 0; j < scene->species_count && name; j++)
            if (scene->species[j].name && strcmp(scene->species[j].name, name) == 0) earlier = name;
        if (name) check_word(reader, "substances", i, name, earlier);
    }
}

int mn_find_name(mn_reader *reader, const char *path, const char *what, const char *name, const void *records,
                 int count, size_t size)
{
    const char *names[MN_MOST_NAMES];
    int known = 0;
    if (!name || !name[0]) return -1;
    for (int i = 0; i < count && known < MN_MOST_NAMES; i++) {
        const char *own = *(char *const *)((const char *)records + (size_t)i * size);
        if (!own) continue;
        if (strcmp(own, name) == 0) return i;
        names[known++] = own;
    }
    const char *near = mn_nearest(name, names, known);
    if (near) mn_complain_at(reader, path, "there is no %s \"%.60s\"; did you mean \"%s\"?", what, name, near);
    else
        mn_complain_at(reader, path, "there is no %s \"%.60s\"; expected the name of a %s of this scene", what, name,
                       what);
    return -1;
}

static bool has_model(const mn_fluid *fluid, const char *key)
{
    for (int m = 0; m < fluid->model_count; m++)
        if (strcmp(fluid->models[m].model->key, key) == 0) return true;
    return false;
}

/* Films need areas, and so does a tension within the surface. */
static void check_surfaces(mn_reader *reader, const mn_scene *scene)
{
    for (int f = 0; f < scene->fluid_count; f++) {
        char path[80];
        snprintf(path, sizeof path, "fluids.%d.tension", f);
        if (has_model(&scene->fluids[f], "lafaurie1994") && !has_model(&scene->fluids[f], "orthmann2013"))
            mn_complain_at(reader, path, "lafaurie1994 acts on areas; give the fluid `surface: orthmann2013`");
    }
    bool areas = false;
    for (int f = 0; f < scene->fluid_count; f++)
        for (int m = 0; m < scene->fluids[f].model_count; m++)
            areas = areas || strcmp(scene->fluids[f].models[m].model->kind, "surface") == 0;
    for (int k = 0; k < scene->species_count && !areas; k++) {
        char path[80];
        snprintf(path, sizeof path, "species.%d.surface.adsorption", k);
        if (scene->species[k].surface.adsorption > 0)
            mn_complain_at(reader, path, "no fluid has a surface to adsorb to; give one `surface: orthmann2013`");
    }
}

static void check_places(mn_reader *reader, mn_scene *scene)
{
    char path[80];
    for (int k = 0; k < scene->species_count; k++) {
        mn_species *species = &scene->species[k];
        for (int i = 0; i < species->start_count; i++) {
            snprintf(path, sizeof path, "species.%d.start.%d.fluid", k, i);
            species->start[i].fluid_index = mn_find_name(reader, path, "fluid", species->start[i].fluid, scene->fluids,
                                                         scene->fluid_count, sizeof *scene->fluids);
        }
        for (int i = 0; i < species->inflow_count; i++) {
            mn_species_inflow *in = &species->inflow[i];
            snprintf(path, sizeof path, "species.%d.inflow.%d.fluid", k, i);
            in->fluid_index = mn_find_name(reader, path, "fluid", in->fluid, scene->fluids, scene->fluid_count,
                                           sizeof *scene->fluids);
            if (in->fluid_index < 0 || in->emitter < scene->fluids[in->fluid_index].emitter_count) continue;
            snprintf(path, sizeof path, "species.%d.inflow.%d.emitter", k, i);
            mn_complain_at(reader, path, "the fluid \"%s\" has %d emitters, counted from 0; found %d", in->fluid,
                           scene->fluids[in->fluid_index].emitter_count, in->emitter);
        }
    }
    for (int k = 0; k < scene->substance_count; k++)
        for (int i = 0; i < scene->substances[k].coat_count; i++) {
            mn_coat *coat = &scene->substances[k].coats[i];
            snprintf(path, sizeof path, "substances.%d.coats.%d.wall", k, i);
            coat->object = -1;
            for (int b = 0; b < scene->body_count && coat->wall; b++)
                if (scene->bodies[b].name && strcmp(scene->bodies[b].name, coat->wall) == 0)
                    coat->object = scene->wall_count + b;
            if (coat->object < 0)
                coat->object = mn_find_name(reader, path, "wall or body", coat->wall, scene->walls, scene->wall_count,
                                            sizeof *scene->walls);
            const int wall = coat->object < scene->wall_count ? coat->object : -1;
            if (wall >= 0 && scene->walls[wall].method == MN_WALL_MAPS)
                mn_complain_at(reader, path,
                               "the wall \"%s\" is a volume map, which has no points to coat; expected a wall with "
                               "method: particles",
                               scene->walls[wall].name);
        }
    for (int k = 0; k < scene->reaction_count; k++) {
        mn_reaction *r = &scene->reactions[k];
        snprintf(path, sizeof path, "reactions.%d.species", k);
        r->species_index = mn_find_name(reader, path, "species", r->species, scene->species, scene->species_count,
                                        sizeof *scene->species);
        snprintf(path, sizeof path, "reactions.%d.product", k);
        r->product_index = mn_find_name(reader, path, "species", r->product, scene->species, scene->species_count,
                                        sizeof *scene->species);
        snprintf(path, sizeof path, "reactions.%d.substance", k);
        r->substance_index = mn_find_name(reader, path, "substance", r->substance, scene->substances,
                                          scene->substance_count, sizeof *scene->substances);
        for (int c = 0; c < 3; c++)
            if (r->coefficients[c] != (double)(int)r->coefficients[c]) {
                snprintf(path, sizeof path, "reactions.%d.coefficients", k);
                mn_complain_at(reader, path, "expected whole numbers, so that amounts stay exact, found %g",
                               r->coefficients[c]);
                break;
            }
    }
}

void mn_check_species(mn_reader *reader, mn_scene *scene)
{
    check_words(reader, scene);
    check_places(reader, scene);
    check_surfaces(reader, scene);
    check_fields(reader, scene);
    mn_find_name(reader, "camera.wall_colour", "substance", scene->camera.wall_colour, scene->substances,
                 scene->substance_count, sizeof *scene->substances);
}

/* -- each by itself ------------------------------------------------------------------------------------------------ */

void mn_finish_species(mn_reader *reader, const mn_node *node, void *record)
{
    const mn_species *species = record;
    const mn_node *surface = mn_node_get(node, "surface");
    if (species->surface.adsorption > 0 && species->surface.capacity == 0)
        mn_complain(reader, surface, "adsorption needs a capacity above 0: what a full surface holds, in mol/m^2");
    else if (species->surface.evaporation > 0 && species->surface.capacity == 0)
        mn_complain(reader, surface,
                    "evaporation needs a surface that takes the species up: adsorption and capacity above 0");
}
