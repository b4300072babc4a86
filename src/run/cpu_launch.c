/* cpu_launch.c -- kernels on the CPU, in blocks of particles.
 *
 * Kernels wait in a queue until what they wrote is asked for: a sum, a field, new lists. Then they run in
 * groups and waves. Those of a group follow each other on one block while its particles are in the cache: none of
 * them reads at neighbours what another of the group writes. The groups of a wave run side by side, each so far
 * behind the one before it that all neighbours of a block are done with that: lists too long for the cache are read
 * from memory once for the whole wave.
 */
#include "run/cpu_backend.h"

#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static void fold_blocks(const double (*partial)[4], int blocks, mn_fold *fold)
{
    for (int c = 0; c < 4; c++) fold->value[c] = fold->largest && blocks ? partial[0][c] : 0.0;
    for (int k = 0; k < blocks; k++)
        for (int c = 0; c < 4; c++) {
            const double v = partial[k][c];
            if (!fold->largest) fold->value[c] += v;
            else if (v > fold->value[c]) fold->value[c] = v;
        }
}

static bool room_for_partials(mn_backend *b, int blocks)
{
    if (blocks <= b->partial_room) return true;
    free(b->partial);
    b->partial_room = blocks + blocks / 4;
    b->partial = malloc((size_t)b->partial_room * sizeof *b->partial);
    if (!b->partial) b->partial_room = 0, b->failed = "out of memory";
    return b->partial != NULL;
}

/* A kernel made ready to run block by block. */
typedef struct cpu_job {
    mn_kernel_fn run;
    real4 arg;
    void *field[MN_MAX_KERNEL_FIELDS];
    int term_at;
    mn_fold *fold;
    double (*partial)[4];
    double spent; /* seconds of all threads */
} cpu_job;

static mn_kernel_fn kernel_of(const mn_backend *b, int kernel)
{
    const mn_kernel_fn own = b->kernels->kernel[kernel];
    return own ? own : mn_kernels_scalar.kernel[kernel];
}

static bool make_job(mn_backend *b, const mn_launch *l, cpu_job *job)
{
    const mn_kernel_info *info = &mn_kernel_table[l->kernel];
    *job = (cpu_job){.run = kernel_of(b, l->kernel), .arg = l->arg, .term_at = -1, .fold = l->fold};
    for (int f = 0; f < info->count; f++) {
        const int number = info->field[f];
        if (number == MN_FIELD_term) job->term_at = f;
        else if (mn_field_table[number].type == MN_TYPE_pair) {
            mn_buffer **pairs = &b->pair[number - MN_FIRST_PAIR];
            const size_t bytes = b->index ? b->index->bytes - MN_CPU_BEYOND : 0; /* for each entry of the lists one */
            if (*pairs && (*pairs)->bytes < bytes ? !mn_cpu_extend(b, *pairs, bytes) : !mn_cpu_reserve(b, pairs, bytes))
                return false;
            job->field[f] = (*pairs)->data;
        } else job->field[f] = l->buffers[f]->data;
    }
    return true;
}

static void run_block(const mn_backend *b, const cpu_job *job, const params *par, int k, real4 *term)
{
    const int from = par->first + k * MN_BLOCK, to = from + MN_BLOCK < par->n ? from + MN_BLOCK : par->n;
    void *mine[MN_MAX_KERNEL_FIELDS];
    memcpy(mine, job->field, sizeof mine);
    /* terms live in this thread's block only; the kernel indexes them by particle */
    if (job->term_at >= 0) mine[job->term_at] = (void *)((uintptr_t)term - (uintptr_t)from * sizeof(real4));
    job->run(mine, par->first ? &b->active_lists : &b->lists, par, job->arg, from, to);
    if (job->fold && job->term_at >= 0) b->kernels->fold(term, to - from, job->fold->largest, job->partial[k]);
}

/* Whether kernel `next` must not begin with a block before `first` is done with all its neighbours: one reads there
 * what the other writes. */
static bool crosses(const mn_launch *first, const mn_launch *next)
{
    const mn_kernel_info *a = &mn_kernel_table[first->kernel], *z = &mn_kernel_table[next->kernel];
    for (int f = 0; f < a->count; f++)
        for (int g = 0; g < z->count; g++) {
            if (!first->buffers[f] || first->buffers[f] != next->buffers[g]) continue;
            const bool written = a->role[f] == MN_CHANGES || a->role[f] == MN_WRITES,
                       writes = z->role[g] == MN_CHANGES || z->role[g] == MN_WRITES;
            if ((written && z->role[g] == MN_AROUND) || (a->role[f] == MN_AROUND && writes)) return true;
        }
    return false;
}

/* begin[g]: the first kernel of group g; returns how many groups. */
static int make_groups(const mn_launch *queue, int count, int begin[MN_CPU_QUEUE + 1])
{
    int groups = 0;
    for (int s = 0; s < count; s++) {
        bool apart = s == 0;
        for (int t = groups ? begin[groups - 1] : 0; t < s && !apart; t++) apart = crosses(&queue[t], &queue[s]);
        if (apart) begin[groups++] = s;
    }
    begin[groups] = count;
    return groups;
}

typedef struct wave {
    const int *begin; /* of its groups among the jobs */
    int groups, blocks;
    int *task; /* group * blocks + block, in an order that one thread could follow */
    int tasks;
    unsigned char *done;
} wave;

enum { SLACK = 2 }; /* blocks, so that no thread waits for one that has only just begun */

static bool plan_wave(mn_backend *b, wave *w)
{
    const size_t tasks = (size_t)w->groups * (size_t)w->blocks;
    if (!mn_cpu_reserve(b, &b->plan, tasks * 5)) return false;
    w->task = b->plan->data;
    w->done = (unsigned char *)b->plan->data + tasks * 4;
    memset(w->done, 0, tasks);
    int next[MN_CPU_QUEUE] = {0};
    while (w->tasks < (int)tasks) {
        if (next[0] < w->blocks) w->task[w->tasks++] = next[0]++;
        for (int s = 1; s < w->groups; s++)
            while (next[s] < w->blocks && (next[s - 1] == w->blocks || next[s - 1] > b->needs[next[s]] + SLACK))
                w->task[w->tasks++] = s * w->blocks + next[s]++;
    }
    return true;
}

static void ride_wave(const mn_backend *b, const wave *w, cpu_job *jobs, const params *par, int *ticket)
{
    real4 term[MN_BLOCK];
    int ready[MN_CPU_QUEUE] = {0}; /* blocks of each group known to be done */
    double spent[MN_CPU_QUEUE] = {0};
    for (;;) {
        const int t = __atomic_fetch_add(ticket, 1, __ATOMIC_RELAXED);
        if (t >= w->tasks) break;
        const int s = w->task[t] / w->blocks, k = w->task[t] % w->blocks;
        if (s > 0)
            for (int tries = 0; ready[s - 1] <= b->needs[k];) {
                if (__atomic_load_n(&w->done[(s - 1) * w->blocks + ready[s - 1]], __ATOMIC_ACQUIRE))
                    ready[s - 1]++, tries = 0;
                else if (++tries > 100) sched_yield();
            }
        double since = omp_get_wtime();
        for (int j = w->begin[s]; j < w->begin[s + 1]; j++) {
            run_block(b, &jobs[j], par, k, term);
            const double now = omp_get_wtime();
            spent[j - w->begin[0]] += now - since;
            since = now;
        }
        if (s + 1 < w->groups) __atomic_store_n(&w->done[s * w->blocks + k], 1, __ATOMIC_RELEASE);
    }
#pragma omp critical(mn_wave)
    for (int j = w->begin[0]; j < w->begin[w->groups]; j++) jobs[j].spent += spent[j - w->begin[0]];
}

/* Groups that may follow each other before what the first has read leaves the cache. */
static int deepest(const mn_backend *b, int blocks)
{
    enum { FIELDS = 128 }; /* bytes of a particle, about */
    double bytes = (double)MN_BLOCK * FIELDS + (double)b->index->bytes / blocks;
    for (int p = 0; p < MN_PAIR_FIELDS; p++) bytes += b->pair[p] ? (double)b->pair[p]->bytes / blocks : 0.0;
    const double behind = (double)(b->need_most + SLACK) * bytes;
    return behind * 2 > b->cache ? 2 : behind * MN_CPU_QUEUE < b->cache ? MN_CPU_QUEUE : 1 + (int)(b->cache / behind);
}

bool mn_cpu_finish(mn_backend *b)
{
    const int count = b->queued, blocks = (b->queue_par.n - b->queue_par.first + MN_BLOCK - 1) / MN_BLOCK;
    const params *par = &b->queue_par;
    cpu_job jobs[MN_CPU_QUEUE];
    int begin[MN_CPU_QUEUE + 1];
    if (!count) return true;
    const double start = omp_get_wtime();
    b->queued = 0;
    if (!room_for_partials(b, count * blocks)) return false;
    for (int s = 0; s < count; s++) {
        if (!make_job(b, &b->queue[s], &jobs[s])) return false;
        jobs[s].partial = blocks ? b->partial + (ptrdiff_t)s * blocks : NULL; /* no particles, no partial sums */
    }
    const int groups = make_groups(b->queue, count, begin);
    const int depth = !par->first && blocks && b->need_count == blocks ? deepest(b, blocks) : 1;
    for (int g = 0; g < groups; g += depth) {
        wave w = {.begin = begin + g, .groups = g + depth < groups ? depth : groups - g, .blocks = blocks};
        if (!plan_wave(b, &w)) return false;
        int ticket = 0;
#pragma omp parallel num_threads(b->threads) if (blocks > 2)
        ride_wave(b, &w, jobs, par, &ticket);
    }
    double all = 0.0;
    for (int s = 0; s < count; s++) {
        if (jobs[s].fold) fold_blocks((const double(*)[4])jobs[s].partial, blocks, jobs[s].fold);
        all += jobs[s].spent;
    }
    const double took = omp_get_wtime() - start;
    for (int s = 0; s < count && all > 0.0; s++)
        if (b->queue[s].seconds) *b->queue[s].seconds += took * jobs[s].spent / all;
    b->busy += all > 0.0 ? took : 0.0;
    return true;
}

bool mn_cpu_launch(mn_backend *b, const mn_launch *l, const params *par)
{
    if (b->queued && (b->queued == MN_CPU_QUEUE || memcmp(par, &b->queue_par, sizeof *par) != 0) && !mn_cpu_finish(b))
        return false;
    if (!b->queued) b->queue_par = *par;
    b->queue[b->queued++] = *l;
    return (l->fold && !l->fold->later) || par->first ? mn_cpu_finish(b) : true;
}
