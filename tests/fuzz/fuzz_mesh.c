/* fuzz_mesh.c -- libFuzzer target for the mesh readers: the first byte picks the format, the rest is the file.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -Isrc -Iinclude \
 *         tests/fuzz/fuzz_mesh.c src/geometry/mesh_*.c src/base/message.c -lm -o fuzz_mesh &&
 *     ./fuzz_mesh -max_total_time=60 tests/fuzz/corpus/mesh
 */
#include "geometry/geometry.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[3] = {"fuzz.obj", "fuzz.ply", "fuzz.stl"};
    if (size == 0) return 0;
    mn_messages *say = mn_messages_new();
    mn_mesh mesh;
    mn_status status = mn_mesh_parse((const char *)data + 1, size - 1, names[data[0] % 3], &mesh, say);
    /* Either a mesh whose every index is good, or a message. */
    if (status == MN_OK) {
        if (mesh.triangle_count < 1) abort();
        for (int i = 0; i < 3 * mesh.triangle_count; i++)
            if (mesh.triangle[i] < 0 || mesh.triangle[i] >= mesh.vertex_count) abort();
        mn_mesh_check_watertight(&mesh, MN_NOWHERE, say);
        mn_mesh_free(&mesh);
    } else if (mn_messages_errors(say) == 0) {
        abort();
    }
    mn_messages_free(say);
    return 0;
}
