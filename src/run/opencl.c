/* opencl.c -- the OpenCL backend: memory, kernels and sums on a device.
 *
 * The host waits for the device only where it needs a number: bounds, counts and sums. Everything else is queued.
 */
#include "run/opencl.h"
#include "base/lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool mn_cl_fail(mn_backend *b, const char *call, cl_int code)
{
    const bool memory =
        code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_INVALID_BUFFER_SIZE;
    snprintf(b->failed, sizeof b->failed, "%s: %s (%d)%s, with %.1f MB in use", call, mn_cl_error_name(code), (int)code,
             memory ? ", out of device memory" : "", (double)b->bytes * 1e-6);
    return false;
}

/* A piece of memory that the device did not give. */
static void fail_alloc(mn_backend *b, size_t bytes, cl_int code)
{
    cl_ulong all = 0, most = 0;
    clGetDeviceInfo(b->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, NULL);
    clGetDeviceInfo(b->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL);
    snprintf(b->failed, sizeof b->failed,
             "clCreateBuffer: %s (%d): the device has no room for another %.1f MB, with %.1f MB in use; it has "
             "%.1f MB, and allocates at most %.1f MB at once",
             mn_cl_error_name(code), (int)code, (double)bytes * 1e-6, (double)b->bytes * 1e-6, (double)all * 1e-6,
             (double)most * 1e-6);
}

/* -- memory -------------------------------------------------------------------------------------------------------- */

bool mn_cl_zero(mn_backend *b, mn_buffer *buffer, size_t bytes)
{
    static const cl_int zero[4];
    const cl_int e =
        bytes ? clEnqueueFillBuffer(b->queue, buffer->data, zero, sizeof zero, 0, (bytes + 15) / 16 * 16, 0, NULL, NULL)
              : CL_SUCCESS;
    return e ? mn_cl_fail(b, "clEnqueueFillBuffer", e) : true;
}

mn_buffer *mn_cl_alloc(mn_backend *b, size_t bytes)
{
    mn_buffer *buffer = malloc(sizeof *buffer);
    if (!buffer) {
        snprintf(b->failed, sizeof b->failed, "out of memory");
        return NULL;
    }
    buffer->bytes = (bytes + 64) / 64 * 64;
    cl_int e;
    buffer->data = clCreateBuffer(b->context, CL_MEM_READ_WRITE, buffer->bytes, NULL, &e);
    if (e) {
        fail_alloc(b, buffer->bytes, e);
        free(buffer);
        return NULL;
    }
    b->bytes += buffer->bytes;
    if (mn_cl_zero(b, buffer, buffer->bytes)) return buffer; /* drivers may take the memory only now */
    mn_cl_release(b, buffer);
    return NULL;
}

void mn_cl_release(mn_backend *b, mn_buffer *buffer)
{
    if (!buffer) return;
    b->bytes -= buffer->bytes;
    b->bounds_known = false; /* its handle may come back as another buffer's */
    b->released++;
    clReleaseMemObject(buffer->data);
    free(buffer);
}

bool mn_cl_reserve(mn_backend *b, mn_buffer **buffer, size_t bytes)
{
    if (*buffer && (*buffer)->bytes >= bytes) return true;
    mn_cl_release(b, *buffer);
    *buffer = mn_cl_alloc(b, bytes);
    return *buffer != NULL;
}

static bool put(mn_backend *b, mn_buffer *buffer, size_t offset, const void *host, size_t bytes)
{
    b->bounds_known = false;
    if (!bytes) return true;
    const cl_int e = clEnqueueWriteBuffer(b->queue, buffer->data, CL_TRUE, offset, bytes, host, 0, NULL, NULL);
    if (!e) b->sent_count = 0;
    return e ? mn_cl_fail(b, "clEnqueueWriteBuffer", e) : true;
}

static bool get(mn_backend *b, mn_buffer *buffer, size_t offset, void *host, size_t bytes)
{
    if (!bytes) return true;
    const cl_int e = clEnqueueReadBuffer(b->queue, buffer->data, CL_TRUE, offset, bytes, host, 0, NULL, NULL);
    if (!e) b->sent_count = 0;
    return e ? mn_cl_fail(b, "clEnqueueReadBuffer", e) : true;
}

static void drop_staging(mn_backend *b)
{
    if (b->staged) clEnqueueUnmapMemObject(b->queue, b->staging, b->staged, 0, NULL, NULL);
    if (b->staging) clReleaseMemObject(b->staging);
    b->staging = NULL, b->staged = NULL, b->staging_bytes = 0;
}

const void *mn_cl_fetch(mn_backend *b, const mn_buffer *buffer, size_t offset, size_t bytes)
{
    cl_int e = CL_SUCCESS;
    if (bytes > b->staging_bytes) {
        drop_staging(b);
        const size_t room = bytes + bytes / 4 + 65536;
        b->staging = clCreateBuffer(b->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, room, NULL, &e);
        if (e) return mn_cl_fail(b, "clCreateBuffer", e), NULL;
        b->staged =
            clEnqueueMapBuffer(b->queue, b->staging, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, room, 0, NULL, NULL, &e);
        if (e) return mn_cl_fail(b, "clEnqueueMapBuffer", e), NULL;
        b->staging_bytes = room;
    }
    e = clEnqueueReadBuffer(b->queue, buffer->data, CL_TRUE, offset, bytes, b->staged, 0, NULL, NULL);
    if (e) return mn_cl_fail(b, "clEnqueueReadBuffer", e), NULL;
    b->sent_count = 0;
    return b->staged;
}

/* -- kernels ------------------------------------------------------------------------------------------------------- */

static const char *kernel_name(int kernel)
{
    static const char *const own[] = {
#define NAME(name) #name,
        MN_CL_OWN_KERNELS(NAME)
#undef NAME
    };
    return kernel < MN_KERNEL_COUNT ? mn_kernel_table[kernel].name : own[kernel - MN_KERNEL_COUNT];
}

static bool fail_at(mn_backend *b, const char *call, int kernel, cl_int code)
{
    char words[96];
    snprintf(words, sizeof words, "%s of %s", call, kernel_name(kernel));
    return mn_cl_fail(b, words, code);
}

/* Sets those arguments that the kernel does not hold already. */
static cl_int set_args(mn_backend *b, int kernel, const mn_cl_arg *args, int count)
{
    mn_cl_held *held = &b->held[kernel];
    const bool known = held->after == b->released;
    held->after = 0;
    for (int a = 0; a < count; a++) {
        const bool kept = a < MN_CL_ARGS && args[a].size <= sizeof held->value[a];
        if (known && kept && memcmp(held->value[a], args[a].value, args[a].size) == 0) continue;
        const cl_int e = clSetKernelArg(b->kernel[kernel], (cl_uint)a, args[a].size, args[a].value);
        if (e) return e;
        if (kept) memcpy(held->value[a], args[a].value, args[a].size);
    }
    held->after = b->released;
    return CL_SUCCESS;
}

bool mn_cl_run(mn_backend *b, int kernel, size_t items, size_t group, const mn_cl_arg *args, int count)
{
    cl_int e = CL_SUCCESS;
    const size_t global = (items + group - 1) / group * group;
    if (!global) return true;
    if (!b->kernel[kernel]) {
        b->kernel[kernel] = clCreateKernel(b->program, kernel_name(kernel), &e);
        if (e) return b->kernel[kernel] = NULL, fail_at(b, "clCreateKernel", kernel, e);
    }
    e = set_args(b, kernel, args, count);
    if (e) return fail_at(b, "clSetKernelArg", kernel, e);
    e = clEnqueueNDRangeKernel(b->queue, b->kernel[kernel], 1, NULL, &global, &group, 0, NULL, NULL);
    return e ? fail_at(b, "clEnqueueNDRangeKernel", kernel, e) : true;
}

/* Parameters travel only when they changed; the write is not waited for, so its source stays untouched until the
 * queue was empty. */
static bool send_params(mn_backend *b, const params *par)
{
    if (b->sent_at >= 0 && memcmp(&b->sent[b->sent_at], par, sizeof *par) == 0) return true;
    if (b->sent_count == MN_CL_PARAMS_SENT - 1) {
        const cl_int e = clFinish(b->queue);
        if (e) return mn_cl_fail(b, "clFinish", e);
        b->sent_count = 0;
    }
    b->sent_at = (b->sent_at + 1) % MN_CL_PARAMS_SENT;
    b->sent_count++;
    b->sent[b->sent_at] = *par;
    const cl_int e =
        clEnqueueWriteBuffer(b->queue, b->par->data, CL_FALSE, 0, sizeof *par, &b->sent[b->sent_at], 0, NULL, NULL);
    if (e) b->sent_at = -1;
    return e ? mn_cl_fail(b, "clEnqueueWriteBuffer", e) : true;
}

static bool fold_terms(mn_backend *b, int n, mn_fold *fold)
{
    const size_t blocks = ((size_t)n + MN_BLOCK - 1) / MN_BLOCK;
    for (int c = 0; c < 4; c++) fold->value[c] = 0.0;
    if (!blocks) return true;
    const cl_int count = n, largest = fold->largest;
    if (!mn_cl_reserve(b, &b->partial, blocks * 4 * sizeof(double))) return false;
    if (!MN_CL_RUN(b, MN_CL_fold_block, blocks * MN_CL_LANES, MN_CL_LANES, MN_CL_BUFFER(b->term), MN_CL_VALUE(count),
                   MN_CL_VALUE(largest), MN_CL_BUFFER(b->partial)))
        return false;
    const double(*partial)[4] = mn_cl_fetch(b, b->partial, 0, blocks * 4 * sizeof(double));
    if (!partial) return false;
    if (fold->largest) memcpy(fold->value, partial[0], sizeof fold->value);
    for (size_t k = 0; k < blocks; k++)
        for (int c = 0; c < 4; c++) {
            const double v = partial[k][c];
            if (!fold->largest) fold->value[c] += v;
            else if (v > fold->value[c]) fold->value[c] = v;
        }
    return true;
}

/* Before the first search every row is empty. */
static bool room_for_rows(mn_backend *b, mn_cl_lists *lists, int n)
{
    return mn_cl_reserve(b, &lists->rows, mn_cl_row_bytes(n)) && mn_cl_reserve(b, &lists->index, 64);
}

static bool launch(mn_backend *b, const mn_launch *l, const params *par)
{
    const int kernel = l->kernel;
    const mn_kernel_info *info = &mn_kernel_table[kernel];
    const int n = par->n - par->first;
    mn_cl_lists *lists = par->first ? &b->active_lists : &b->lists;
    if (!room_for_rows(b, lists, n) || !send_params(b, par)) return false;
    mn_cl_arg args[MN_MAX_KERNEL_FIELDS + 4];
    for (int f = 0; f < info->count; f++) {
        const int number = info->field[f];
        mn_buffer *buffer = l->buffers[f];
        if (number == MN_FIELD_term) {
            const size_t bytes = (size_t)n * sizeof(real4); /* where particles are added some will follow */
            if (!mn_cl_reserve(b, &b->term, b->term && b->term->bytes < bytes ? bytes + bytes / 8 : bytes))
                return false;
            buffer = b->term;
        } else if (mn_field_table[number].type == MN_TYPE_pair) {
            mn_buffer **pairs = &b->pair[number - MN_FIRST_PAIR];
            if (!mn_cl_reserve(b, pairs, b->lists.index->bytes - 64)) return false;
            buffer = *pairs;
        }
        args[f] = MN_CL_BUFFER(buffer);
        if (number == MN_FIELD_pos || number == MN_FIELD_vel)
            b->bounds_known = b->bounds_known && (info->role[f] == MN_AROUND || info->role[f] == MN_HERE);
    }
    mn_cl_arg *rest = args + info->count;
    rest[0] = MN_CL_BUFFER(lists->rows);
    rest[1] = MN_CL_BUFFER(lists->index);
    rest[2] = MN_CL_BUFFER(b->par);
    rest[3] = MN_CL_VALUE(l->arg);
    if (!mn_cl_run(b, kernel, (size_t)n, b->group, args, info->count + 4)) return false;
    return !l->fold || fold_terms(b, n, l->fold);
}

/* -- opening ------------------------------------------------------------------------------------------------------- */

static void drop_device(mn_backend *b)
{
    if (!b) return;
    mn_buffer *own[] = {b->par,        b->term,        b->partial,           b->nothing,
                        b->own_start,  b->active_room, b->active_start,      b->block_sum,
                        b->count_up,   b->copy_end,    b->copy_span,         b->resting_span,
                        b->lists.rows, b->lists.index, b->active_lists.rows, b->active_lists.index,
                        b->strip_key,  b->strip_find,  b->strip_near,        b->strip_bits,
                        b->strip_rank, b->strip_mark,  b->map_rank,          b->map};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) mn_cl_release(b, own[k]);
    for (int p = 0; p < MN_PAIR_FIELDS; p++) mn_cl_release(b, b->pair[p]);
    mn_strips_free(&b->strips);
    if (b->queue) drop_staging(b), clFinish(b->queue);
    for (int k = 0; k < MN_CL_KERNEL_COUNT; k++)
        if (b->kernel[k]) clReleaseKernel(b->kernel[k]);
    if (b->program) clReleaseProgram(b->program);
    if (b->queue) clReleaseCommandQueue(b->queue);
    if (b->context) clReleaseContext(b->context);
    free(b);
}

static mn_backend *new_device(const char *device, mn_messages *say)
{
    mn_backend *b = calloc(1, sizeof *b);
    if (!b) {
        mn_say_failure(say, MN_NOWHERE, "out of memory");
        return NULL;
    }
    b->sent_at = -1, b->released = 1;
    bool ok = mn_cl_open(b, device, say);
    if (ok) {
        ok = mn_cl_reserve(b, &b->par, sizeof(params)) && mn_cl_reserve(b, &b->nothing, 64);
        if (!ok) mn_say_failure(say, MN_NOWHERE, "opencl: %s", b->failed);
    }
    if (ok) return b;
    drop_device(b);
    return NULL;
}

/* Loaders of drivers stumble where several threads look for them at once for the first time. */
static mn_backend *open_device(const char *device, int threads, mn_messages *say)
{
    (void)threads;
    mn_lock_take(MN_LOCK_OPENCL);
    mn_backend *b = new_device(device, say);
    mn_lock_give(MN_LOCK_OPENCL);
    return b;
}

static void close_device(mn_backend *b)
{
    mn_lock_take(MN_LOCK_OPENCL);
    drop_device(b);
    mn_lock_give(MN_LOCK_OPENCL);
}

static const char *describe(mn_backend *b) { return b->words; }
static const char *failure(mn_backend *b) { return b->failed; }
static size_t bytes_in_use(mn_backend *b) { return b->bytes; }

static double memory_in_all(mn_backend *b)
{
    cl_ulong all = 0;
    clGetDeviceInfo(b->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, NULL);
    return (double)all;
}

const mn_backend_api mn_backend_opencl = {
    .key = "opencl",
    .open = open_device,
    .close = close_device,
    .describe = describe,
    .failure = failure,
    .bytes = bytes_in_use,
    .memory = memory_in_all,
    .alloc = mn_cl_alloc,
    .release = mn_cl_release,
    .put = put,
    .get = get,
    .launch = launch,
    .bounds = mn_cl_bounds,
    .sort = mn_cl_sort,
    .lists = mn_cl_list,
    .copies = mn_cl_copies,
    .copy_order = mn_cl_copy_order,
    .refresh = mn_cl_refresh,
};
