/* fuzz_frame.c -- libFuzzer target for frames that are read back: the first byte picks the format, the rest is the
 * file. */
#include "io/frames.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[3] = {"fuzz.vtp", "fuzz.ply", "fuzz.bgeo"};
    if (size == 0) return 0;
    mn_messages *say = mn_messages_new();
    mn_frame frame;
    /* Either a frame with finite positions whose every number can be read, or a message. */
    if (mn_frame_parse((const char *)data + 1, size - 1, names[data[0] % 3], &frame, say) == MN_OK) {
        uint32_t sum = 0;
        for (int f = 0; f < frame.field_count; f++)
            for (long i = 0; i < frame.count * frame.fields[f].width; i++)
                sum += ((const uint32_t *)frame.fields[f].data)[i];
        for (long i = 0; i < 3 * frame.count; i++)
            if (!isfinite(((const float *)frame.fields[0].data)[i])) abort();
        if (sum == 1 && frame.field_count > 300) abort();
        mn_frame_free(&frame);
    } else if (mn_messages_errors(say) == 0) {
        abort();
    }
    mn_messages_free(say);
    return 0;
}
