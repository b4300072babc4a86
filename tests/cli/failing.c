/* failing.c -- preloaded into a program: its FAIL_AT-th request for memory fails, of those that its own code makes;
 * what libraries ask for is left alone. FAIL_COUNT names a file for the number of requests; FAIL_LEAST: only requests
 * of at least so many bytes count. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static uintptr_t low = UINTPTR_MAX, high;
static long fail_at, requests;
static size_t least;

static int first_only(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size, (void)user;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[k];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X)) continue;
        if (info->dlpi_addr + p->p_vaddr < low) low = info->dlpi_addr + p->p_vaddr;
        if (info->dlpi_addr + p->p_vaddr + p->p_memsz > high) high = info->dlpi_addr + p->p_vaddr + p->p_memsz;
    }
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("FAIL_AT"), *bytes = getenv("FAIL_LEAST");
    dl_iterate_phdr(first_only, NULL);
    fail_at = text ? atol(text) : -1;
    least = bytes ? (size_t)atol(bytes) : 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_COUNT");
    FILE *out = path ? fopen(path, "w") : NULL;
    if (out) fprintf(out, "%ld\n", requests), fclose(out);
}

static int fails(const void *caller, size_t bytes)
{
    if (bytes < least || (uintptr_t)caller < low || (uintptr_t)caller >= high) return 0;
    if (__atomic_add_fetch(&requests, 1, __ATOMIC_RELAXED) != fail_at) return 0;
    errno = ENOMEM;
    return 1;
}

#define CALLER __builtin_return_address(0)
void *malloc(size_t n) { return fails(CALLER, n) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return fails(CALLER, n * m) ? NULL : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return fails(CALLER, n) ? NULL : __libc_realloc(p, n); }
void *aligned_alloc(size_t a, size_t n) { return fails(CALLER, n) ? NULL : __libc_memalign(a, n); }
int posix_memalign(void **out, size_t a, size_t n)
{
    if (fails(CALLER, n)) return ENOMEM;
    *out = __libc_memalign(a, n);
    return *out ? 0 : ENOMEM;
}
