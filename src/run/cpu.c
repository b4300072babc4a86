/* cpu.c -- the CPU backends: OpenMP over fixed blocks of particles, kernels of the best instruction set the machine
 * has. Its sort, lists and copies stand in cpu_sort.c, cpu_lists.c and cpu_copies.c.
 *
 * Buffers are host memory. Nothing here depends on the number of threads: kernels only gather (cpu_launch.c), sums
 * fold in fixed blocks, and the sort ends in the order (cell, id) whichever thread comes first.
 */
#include "run/cpu_backend.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- memory -------------------------------------------------------------------------------------------------------- */

enum { LINE = 64 };

/* Large pieces move without being copied. */
bool mn_cpu_extend(mn_backend *b, mn_buffer *buffer, size_t bytes)
{
    const size_t whole = (bytes + MN_CPU_BEYOND + LINE - 1) / LINE * LINE,
                 before = buffer->block ? (size_t)((char *)buffer->data - (char *)buffer->block) : 0;
    char *block = realloc(buffer->block, whole + LINE);
    if (!block) return b->failed = "out of memory", false;
    const size_t shift = (LINE - (uintptr_t)block % LINE) % LINE;
    if (buffer->bytes && shift != before) memmove(block + shift, block + before, buffer->bytes);
    b->bytes += whole - buffer->bytes;
    *buffer = (mn_buffer){whole, block + shift, block};
    return true;
}

/* Memory that is written before it is read. */
static mn_buffer *alloc_raw(mn_backend *b, size_t bytes)
{
    mn_buffer *buffer = calloc(1, sizeof *buffer);
    if (buffer && mn_cpu_extend(b, buffer, bytes)) return buffer;
    free(buffer);
    b->failed = "out of memory";
    return NULL;
}

static mn_buffer *cpu_alloc(mn_backend *b, size_t bytes)
{
    mn_buffer *buffer = alloc_raw(b, bytes);
    if (buffer) memset(buffer->data, 0, buffer->bytes);
    return buffer;
}

void mn_cpu_drop(mn_backend *b, mn_buffer *buffer)
{
    if (!buffer) return;
    b->bytes -= buffer->bytes;
    free(buffer->block);
    free(buffer);
}

bool mn_cpu_reserve(mn_backend *b, mn_buffer **buffer, size_t bytes)
{
    if (*buffer && (*buffer)->bytes >= bytes) return true;
    mn_cpu_drop(b, *buffer);
    *buffer = alloc_raw(b, bytes);
    return *buffer != NULL;
}

static void cpu_release(mn_backend *b, mn_buffer *buffer)
{
    mn_cpu_finish(b);
    mn_cpu_drop(b, buffer);
}

static bool cpu_put(mn_backend *b, mn_buffer *buffer, size_t offset, const void *host, size_t bytes)
{
    if (!mn_cpu_finish(b)) return false;
    memcpy((char *)buffer->data + offset, host, bytes);
    return true;
}

static bool cpu_get(mn_backend *b, mn_buffer *buffer, size_t offset, void *host, size_t bytes)
{
    if (!mn_cpu_finish(b)) return false;
    memcpy(host, (const char *)buffer->data + offset, bytes);
    return true;
}

static void *cpu_host(mn_backend *b, mn_buffer *buffer) { return mn_cpu_finish(b) ? buffer->data : NULL; }

static bool cpu_bounds(mn_backend *b, mn_buffer *pos, mn_buffer *vel, int n, mn_bounds *out)
{
    if (!mn_cpu_finish(b)) return false;
    const real4 *x = pos->data, *v = vel->data;
    float lx = 1e30f, ly = 1e30f, lz = 1e30f, hx = -1e30f, hy = -1e30f, hz = -1e30f;
    int bad = n;
#pragma omp parallel for num_threads(b->threads) if (n > 4096) reduction(min                                           \
                                                                         : lx, ly, lz, bad) reduction(max              \
                                                                                                      : hx, hy, hz)
    for (int i = 0; i < n; i++) {
        const float sum = x[i].x + x[i].y + x[i].z + v[i].x + v[i].y + v[i].z;
        if (!(sum - sum == 0.0f) && i < bad) bad = i;
        lx = x[i].x < lx ? x[i].x : lx, hx = x[i].x > hx ? x[i].x : hx;
        ly = x[i].y < ly ? x[i].y : ly, hy = x[i].y > hy ? x[i].y : hy;
        lz = x[i].z < lz ? x[i].z : lz, hz = x[i].z > hz ? x[i].z : hz;
    }
    *out = (mn_bounds){{lx, ly, lz}, {hx, hy, hz}, bad < n ? bad : -1};
    return true;
}

/* -- opening ------------------------------------------------------------------------------------------------------- */

/* Of the largest cache, as far as the machine tells. */
static double cache_bytes(void)
{
    const long usual = 16L << 20;
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long told = sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
    const long told = 0;
#endif
    return (double)(told > 0 ? told : usual);
}

static mn_backend *open_with(const mn_cpu_kernels *kernels, const char *words, int threads, mn_messages *say)
{
    mn_backend *b = calloc(1, sizeof *b);
    if (!b) {
        mn_say_failure(say, MN_NOWHERE, "out of memory");
        return NULL;
    }
    b->kernels = kernels;
    b->threads = threads > 0 ? threads : omp_get_num_procs();
    b->cache = cache_bytes();
    snprintf(b->words, sizeof b->words, "%s, %d thread%s", words, b->threads, b->threads == 1 ? "" : "s");
    return b;
}

/* The same physics, and the same bits, for machines of different age; the best that this one has is taken, or the
 * one that was named. */
static mn_backend *open_lanes(const char *device, int threads, mn_messages *say)
{
    __builtin_cpu_init();
    const struct {
        const char *key, *words;
        const mn_cpu_kernels *kernels;
        bool here;
    } sets[] = {
#ifdef MN_HAVE_AVX
        {"avx512", "cpu, 8 lanes, AVX-512", &mn_kernels_avx512,
         __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512cd")},
        {"avx2", "cpu, 8 lanes, AVX2", &mn_kernels_avx2,
         __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")},
#endif
        {"plain", "cpu, 8 lanes", &mn_kernels_lanes, true},
    };
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        if (sets[k].here && (!device || !*device || strcmp(device, sets[k].key) == 0))
            return open_with(sets[k].kernels, sets[k].words, threads, say);
    mn_say_error(
        say, MN_NOWHERE,
        "cpu:%s: this machine has no such instruction set; expected avx512, avx2 or plain, or cpu alone for the best",
        device);
    return NULL;
}

static mn_backend *open_scalar(const char *device, int threads, mn_messages *say)
{
    (void)device;
    return open_with(&mn_kernels_scalar, "cpu, scalar", threads, say);
}

static void cpu_close(mn_backend *b)
{
    if (!b) return;
    mn_buffer *own[] = {b->rows, b->index, b->active_rows, b->active_index, b->point_cells, b->plan, b->resting_runs};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) mn_cpu_drop(b, own[k]);
    for (int s = 0; s < SOURCES; s++) mn_cpu_drop(b, b->start[s]), mn_cpu_drop(b, b->index_of[s]);
    for (int p = 0; p < MN_PAIR_FIELDS; p++) mn_cpu_drop(b, b->pair[p]);
    free(b->partial);
    free(b->needs);
    free(b->missed);
    mn_strips_free(&b->strips);
    free(b);
}

static const char *cpu_describe(mn_backend *b) { return b->words; }
static const char *cpu_failure(mn_backend *b) { return b->failed ? b->failed : ""; }
static size_t cpu_bytes(mn_backend *b) { return b->bytes; }
static double cpu_busy(mn_backend *b) { return b->busy; }

#define CPU_FUNCTIONS                                                                                                  \
    .close = cpu_close, .describe = cpu_describe, .failure = cpu_failure, .bytes = cpu_bytes, .busy = cpu_busy,        \
    .alloc = cpu_alloc, .release = cpu_release, .put = cpu_put, .get = cpu_get, .host = cpu_host,                      \
    .launch = mn_cpu_launch, .bounds = cpu_bounds, .sort = mn_cpu_sort, .lists = mn_cpu_lists,                         \
    .copies = mn_cpu_copies, .copy_order = mn_cpu_copy_order, .refresh = mn_cpu_refresh

const mn_backend_api mn_backend_cpu = {.key = "cpu", .open = open_lanes, CPU_FUNCTIONS};
const mn_backend_api mn_backend_scalar = {.key = "cpu-scalar", .open = open_scalar, CPU_FUNCTIONS};
