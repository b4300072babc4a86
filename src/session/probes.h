/* probes.h -- the probes of a scene (output.probes) in the folder of its run: probes/NAME.csv, one row whenever one is
 * due. Equal runs give equal files; a resumed run goes on where its checkpoint was. */
#ifndef MN_SESSION_PROBES_H
#define MN_SESSION_PROBES_H

#include "scene/scene.h"

typedef struct mn_probes mn_probes;
/* NULL without a message if the scene has none. */
mn_probes *mn_probes_open(const mn_scene *scene, const char *dir, int64_t resume_step, mn_messages *say);
/* The rows that the step from `before` to now brings. MN_OK for NULL, as below. */
mn_status mn_probes_step(mn_probes *probes, mn_world *world, double before, mn_messages *say);
mn_status mn_probes_sync(mn_probes *probes, mn_messages *say);
mn_status mn_probes_close(mn_probes *probes, mn_messages *say);

#endif
