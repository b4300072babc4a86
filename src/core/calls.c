/* calls.c -- callbacks of the program at the moments of a step. */
#include <string.h>

#include "core/world.h"

static const struct {
    const char *name;
    mn_calling at;
} moments[] = {{"begin", MN_CALL_BEGIN},
               {"density", MN_CALL_DENSITY},
               {"forces", MN_CALL_FORCES},
               {"contact", MN_CALL_CONTACT},
               {"end", MN_CALL_END}};
enum { MOMENTS = sizeof moments / sizeof *moments };

static mn_status no_such_moment(const char *moment, mn_messages *say)
{
    const char *names[MOMENTS];
    for (int k = 0; k < MOMENTS; k++) names[k] = moments[k].name;
    const char *near = mn_nearest(moment, names, MOMENTS);
    mn_say_error(say, MN_NOWHERE, "no moment '%s'; expected begin, density, forces, contact or end%s%s%s", moment,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return MN_BAD_INPUT;
}

mn_status mn_world_on(mn_world *w, const char *moment, mn_callback *call, void *user, mn_messages *say)
{
    mn_calling at = MN_CALL_NONE;
    for (int k = 0; k < MOMENTS; k++)
        if (strcmp(moments[k].name, moment) == 0) at = moments[k].at;
    if (at == MN_CALL_NONE) return no_such_moment(moment, say);
    if (w->user.call_count == MN_MOST_CALLS) {
        mn_say_error(say, MN_NOWHERE, "the world has %d callbacks already; expected no more", MN_MOST_CALLS);
        return MN_BAD_INPUT;
    }
    w->user.calls[w->user.call_count++] = (mn_call){at, call, user};
    w->user.touched = true;
    return MN_OK;
}

int mn_world_off(mn_world *w, mn_callback *call, void *user)
{
    int kept = 0;
    const int before = w->user.call_count;
    for (int k = 0; k < before; k++)
        if (w->user.calls[k].call != call || w->user.calls[k].user != user) w->user.calls[kept++] = w->user.calls[k];
    w->user.call_count = kept;
    return before - kept;
}

void mn_call_user(mn_world *w, mn_calling at)
{
    mn_user *u = &w->user;
    for (int k = 0; k < u->call_count && u->answer == MN_OK && !w->failed; k++) {
        if (u->calls[k].at != at) continue;
        u->calling = at;
        u->answer = u->calls[k].call(w, u->calls[k].user, u->say);
        const mn_status mapped = mn_field_maps_end(w, u->say);
        if (u->answer == MN_OK) u->answer = mapped;
        u->calling = MN_CALL_NONE;
    }
}

mn_status mn_user_may(const mn_world *w, bool resting, const char *call, mn_messages *say)
{
    const mn_calling at = w->user.calling;
    if (at == MN_CALL_NONE || (resting && (at == MN_CALL_BEGIN || at == MN_CALL_END))) return MN_OK;
    mn_say_error(say, MN_NOWHERE, "%s was called in a callback; expected it %s", call,
                 resting ? "outside of a step, or at begin or end" : "outside of callbacks");
    return MN_BAD_INPUT;
}
