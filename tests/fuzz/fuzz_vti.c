/* fuzz_vti.c -- libFuzzer target for VTK image data.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -Isrc -Iinclude \
 *         tests/fuzz/fuzz_vti.c src/io/vti.c src/geometry/mesh_*.c src/base/file.c src/base/message.c \
 *         -lm -o fuzz_vti &&
 *     ./fuzz_vti -max_total_time=60 tests/fuzz/corpus/vti
 */
#include "io/vti.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mn_messages *say = mn_messages_new();
    mn_vti grid;
    const mn_status status = mn_vti_parse((const char *)data, size, "fuzz.vti", NULL, &grid, say);
    /* Either a grid of finite vectors, or a message. */
    if (status == MN_OK) {
        const long count = 3L * grid.dims[0] * grid.dims[1] * grid.dims[2];
        if (count < 3 || grid.fastest < grid.slowest) abort();
        for (long i = 0; i < count; i++)
            if (!(grid.vector[i] > -1e7f && grid.vector[i] < 1e7f)) abort();
        mn_vti_free(&grid);
    } else if (mn_messages_errors(say) == 0) {
        abort();
    }
    mn_messages_free(say);
    return 0;
}
