/* opencl_device.c -- choosing a device by name and compiling the kernels for it.
 *
 * A device is wanted as "gpu", "cpu", a number of the list of all devices, or a part of its name; ",fast" behind it,
 * or alone, lets the compiler contract a * b + c. Otherwise every operation rounds as in C, and results equal the
 * scalar CPU's bit for bit.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/device.h"
#include "run/opencl.h"

static const char kernel_text[] =
#include "kernel_text.h"
    ;
static const char search_text[] =
#include "search_text.h"
    ;

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 64 };

typedef struct entry {
    cl_device_id device;
    cl_device_type type;
    bool doubles;
    char name[128]; /* "platform: device" */
} entry;

const char *mn_cl_error_name(cl_int code)
{
    static const struct {
        cl_int code;
        const char *name;
    } names[] = {
#define CODE(name) {name, #name}
        CODE(CL_DEVICE_NOT_FOUND),
        CODE(CL_DEVICE_NOT_AVAILABLE),
        CODE(CL_COMPILER_NOT_AVAILABLE),
        CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        CODE(CL_OUT_OF_RESOURCES),
        CODE(CL_OUT_OF_HOST_MEMORY),
        CODE(CL_BUILD_PROGRAM_FAILURE),
        CODE(CL_MAP_FAILURE),
        CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
        CODE(CL_INVALID_VALUE),
        CODE(CL_INVALID_DEVICE),
        CODE(CL_INVALID_CONTEXT),
        CODE(CL_INVALID_COMMAND_QUEUE),
        CODE(CL_INVALID_MEM_OBJECT),
        CODE(CL_INVALID_BUILD_OPTIONS),
        CODE(CL_INVALID_PROGRAM),
        CODE(CL_INVALID_PROGRAM_EXECUTABLE),
        CODE(CL_INVALID_KERNEL_NAME),
        CODE(CL_INVALID_KERNEL),
        CODE(CL_INVALID_ARG_INDEX),
        CODE(CL_INVALID_ARG_VALUE),
        CODE(CL_INVALID_ARG_SIZE),
        CODE(CL_INVALID_KERNEL_ARGS),
        CODE(CL_INVALID_WORK_GROUP_SIZE),
        CODE(CL_INVALID_WORK_ITEM_SIZE),
        CODE(CL_INVALID_BUFFER_SIZE),
        CODE(CL_INVALID_GLOBAL_WORK_SIZE),
        {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
#undef CODE
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].code == code) return names[k].name;
    return "error";
}

/* -- devices ------------------------------------------------------------------------------------------------------- */

static void describe_device(cl_platform_id platform, cl_device_id device, entry *out)
{
    char vendor[64] = "", name[64] = "";
    cl_device_fp_config doubles = 0;
    *out = (entry){.device = device};
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof vendor, vendor, NULL);
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof out->type, &out->type, NULL);
    clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL);
    out->doubles = doubles != 0;
    vendor[sizeof vendor - 1] = name[sizeof name - 1] = 0;
    snprintf(out->name, sizeof out->name, "%.60s: %.63s", vendor, name);
}

/* All devices of all platforms, in the loader's order. A machine without any driver has none. */
static int find_devices(entry *out, int capacity)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint platform_count = 0;
    int count = 0;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &platform_count) != CL_SUCCESS) return 0;
    for (cl_uint p = 0; p < platform_count && p < MAX_PLATFORMS; p++) {
        cl_device_id devices[MAX_DEVICES];
        cl_uint device_count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &device_count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < device_count && d < MAX_DEVICES && count < capacity; d++)
            describe_device(platforms[p], devices[d], &out[count++]);
    }
    return count;
}

int mn_devices(char out[][128], int capacity)
{
    entry devices[MAX_DEVICES];
    const int count = find_devices(devices, MAX_DEVICES);
    for (int d = 0; d < count && d < capacity; d++) memcpy(out[d], devices[d].name, sizeof devices[d].name);
    return count;
}

/* The first device of the type, one that knows double precision if there is one; -1: none. */
static int first_of_type(const entry *devices, int count, cl_device_type type)
{
    for (int d = 0; d < count; d++)
        if (devices[d].type & type && devices[d].doubles) return d;
    for (int d = 0; d < count; d++)
        if (devices[d].type & type) return d;
    return -1;
}

static int choose(const entry *devices, int count, const char *wanted)
{
    if (!*wanted) {
        const int gpu = first_of_type(devices, count, CL_DEVICE_TYPE_GPU),
                  cpu = first_of_type(devices, count, CL_DEVICE_TYPE_CPU);
        return gpu >= 0 ? gpu : cpu >= 0 ? cpu : 0;
    }
    if (strcasecmp(wanted, "gpu") == 0) return first_of_type(devices, count, CL_DEVICE_TYPE_GPU);
    if (strcasecmp(wanted, "cpu") == 0) return first_of_type(devices, count, CL_DEVICE_TYPE_CPU);
    if (strspn(wanted, "0123456789") == strlen(wanted))
        return strlen(wanted) < 4 && atoi(wanted) < count ? atoi(wanted) : -1;
    for (int d = 0; d < count; d++)
        if (strcasestr(devices[d].name, wanted)) return d;
    return -1;
}

static void say_unknown(const entry *devices, int count, const char *wanted, mn_messages *say)
{
    char list[1024];
    size_t used = 0;
    for (int d = 0; d < count && used < sizeof list - 1; d++) {
        const int more = snprintf(list + used, sizeof list - used, "%s%d (%s)", d ? ", " : "", d, devices[d].name);
        if (more > 0) used += (size_t)more;
    }
    mn_say_error(say, MN_NOWHERE, "no OpenCL device '%s'; expected gpu, cpu, a number or part of a name of: %s", wanted,
                 list);
}

/* Cuts ",fast" off the wish. */
static bool wants_fast(char *wanted)
{
    char *comma = strrchr(wanted, ','), *word = comma ? comma + 1 : wanted;
    if (strcmp(word, "fast") != 0) return false;
    *(comma ? comma : wanted) = 0;
    return true;
}

/* -- compiling ----------------------------------------------------------------------------------------------------- */

/* The compiler's first complaints, as one line. */
static void say_build_log(mn_backend *b, const char *name, cl_int code, mn_messages *say)
{
    size_t size = 0;
    clGetProgramBuildInfo(b->program, b->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = calloc(size + 1, 1);
    if (log && size) clGetProgramBuildInfo(b->program, b->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    const char *from = log ? strstr(log, "error") : NULL;
    if (from)
        while (from > log && from[-1] != '\n') from--;
    else from = log ? log : "";
    char text[600];
    snprintf(text, sizeof text, "%s", from);
    for (char *c = text; *c; c++)
        if (iscntrl((unsigned char)*c)) *c = ' ';
    mn_say_failure(say, MN_NOWHERE, "clBuildProgram: %s (%d): the kernels do not compile on %s: %s",
                   mn_cl_error_name(code), (int)code, name, *text ? text : "no log");
    free(log);
}

static bool compile(mn_backend *b, const char *name, bool fast, mn_messages *say)
{
    const char *text[] = {kernel_text, search_text};
    cl_int e;
    b->program = clCreateProgramWithSource(b->context, 2, text, NULL, &e);
    if (e) {
        mn_say_failure(say, MN_NOWHERE, "clCreateProgramWithSource on %s: %s (%d)", name, mn_cl_error_name(e), (int)e);
        return false;
    }
    cl_device_fp_config single = 0;
    clGetDeviceInfo(b->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof single, &single, NULL);
    const bool exact = single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    char options[160];
    snprintf(options, sizeof options, "-w -cl-std=CL1.2 %s%s", fast ? "-cl-mad-enable" : "-DSTRICT",
             exact && !fast ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
    e = clBuildProgram(b->program, 1, &b->device, options, NULL, NULL);
    if (e) say_build_log(b, name, e, say);
    return e == CL_SUCCESS;
}

/* -- opening ------------------------------------------------------------------------------------------------------- */

static bool usable(const entry *device, mn_messages *say)
{
    size_t lanes = 0;
    cl_ulong constant = 0;
    clGetDeviceInfo(device->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof lanes, &lanes, NULL);
    clGetDeviceInfo(device->device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, sizeof constant, &constant, NULL);
    if (!device->doubles)
        mn_say_error(
            say, MN_NOWHERE,
            "%s has no double precision (cl_khr_fp64), which sums need; choose another device with opencl:DEVICE",
            device->name);
    else if (lanes < MN_CL_LANES)
        mn_say_error(say, MN_NOWHERE, "%s runs at most %zu work items in a group; %d are needed", device->name, lanes,
                     (int)MN_CL_LANES);
    else if (constant < sizeof(params))
        mn_say_error(say, MN_NOWHERE, "%s has %llu bytes of constant memory; %zu are needed", device->name,
                     (unsigned long long)constant, sizeof(params));
    else return true;
    return false;
}

bool mn_cl_open(mn_backend *b, const char *wanted, mn_messages *say)
{
    entry devices[MAX_DEVICES];
    char wish[128];
    snprintf(wish, sizeof wish, "%s", wanted ? wanted : "");
    const bool fast = wants_fast(wish);
    const int count = find_devices(devices, MAX_DEVICES);
    if (!count) {
        mn_say_error(
            say, MN_NOWHERE,
            "no OpenCL device on this machine: install the driver of your GPU, or pocl-opencl-icd to use the CPU, or "
            "choose backend cpu");
        return false;
    }
    const int chosen = choose(devices, count, wish);
    if (chosen < 0) return say_unknown(devices, count, wish, say), false;
    const entry *device = &devices[chosen];
    if (!usable(device, say)) return false;
    b->device = device->device;
    b->group = device->type & CL_DEVICE_TYPE_GPU ? 128 : 64;
    snprintf(b->words, sizeof b->words, "opencl%s, %s", fast ? " fast" : "", device->name);
    cl_int e;
    b->context = clCreateContext(NULL, 1, &b->device, NULL, NULL, &e);
    if (!e) b->queue = clCreateCommandQueue(b->context, b->device, 0, &e);
    if (e) {
        mn_say_failure(say, MN_NOWHERE, "%s on %s: %s (%d)", b->context ? "clCreateCommandQueue" : "clCreateContext",
                       device->name, mn_cl_error_name(e), (int)e);
        return false;
    }
    return compile(b, device->name, fast, say);
}
