/* fuzz_scene.c -- any bytes as a scene: parsed, asked for its files whatever it is, and if it is one, written, read
 * back and written again to the same text. What follows a zero byte is taken as an override. */
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void round_trip(const mn_scene *scene)
{
    char *first = mn_scene_write(scene);
    if (!first) abort();
    mn_messages *say = mn_messages_new();
    mn_scene *again = mn_scene_parse(first, strlen(first), "/tmp/again.yaml", NULL, 0, say);
    if (!again) abort();
    char *second = mn_scene_write(again);
    if (!second || strcmp(first, second) != 0) abort();
    free(first);
    free(second);
    mn_scene_free(again);
    mn_messages_free(say);
}

static void name_of(void *user, const char *path, const mn_shape_def *mesh)
{
    (void)user;
    if (!*path || (mesh && mesh->kind != MN_MESH)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    size_t length = zero ? (size_t)(zero - data) : size;
    char *set = zero ? strndup((const char *)zero + 1, size - length - 1) : NULL;
    const char *sets[] = {set};
    mn_messages *say = mn_messages_new();
    bool good = false;
    mn_scene *scene = mn_scene_parse_draft((const char *)data, length, "fuzz.yaml", sets, set ? 1 : 0, &good, say);
    if (good != (mn_messages_errors(say) == 0)) abort();
    if (scene) mn_scene_files(scene, name_of, NULL);
    if (scene && good) round_trip(scene);
    mn_scene_free(scene);
    mn_messages_free(say);
    free(set);
    return 0;
}
