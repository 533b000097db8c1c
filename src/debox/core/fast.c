/* The fast engine: its clock, the choice between simulating and enumerating, and fast.h for each width of vectors */
#include <math.h>
#include <string.h>
#include "fast.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "fast.h gathers bits from the bytes of little-endian processors"
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define ALWAYS_INLINE static __forceinline
ALWAYS_INLINE i64 lowest_bit(uint32_t bits) {
    unsigned long k;
    _BitScanForward(&k, bits);
    return (i64)k;
}
#else
#define ALWAYS_INLINE static inline __attribute__((always_inline))
ALWAYS_INLINE i64 lowest_bit(uint32_t bits) { return __builtin_ctz(bits); } /* its number; one must be set */
#endif

/* ---- What the inner loops of every width use ------------------------------------------------------------------------ */

typedef struct { uint32_t surely, perhaps; } Bits; /* of 32 components: which are outside the box? */
typedef struct { i64 least, most; } Counts;

/* Is trial t infeasible, given the number of its components outside? */
ALWAYS_INLINE int is_infeasible(const Fast *s, i64 t, i64 outside, int is_exp) {
    return is_exp ? outside > 0 : s->u[t] >= s->p_feasible[outside];
}

static inline uint32_t low_bits(i64 k) { return (uint32_t)(((uint64_t)1 << smaller(larger(k, 0), 32)) - 1); }

/* Of 32 components from `begin` on, a bit for each that belongs to the segment; after the last comes the first */
ALWAYS_INLINE uint32_t segment_bits(i64 n, i64 first, i64 length, i64 begin, int one_word) {
    if (one_word) {
        uint64_t segment = (((uint64_t)1 << length) - 1) << first;
        return (uint32_t)((segment | segment >> n) & (((uint64_t)1 << n) - 1));
    }
    i64 end = first + length;
    return (low_bits(smaller(end, n) - begin) & ~low_bits(first - begin)) | low_bits(end - n - begin);
}

/* Write the targets of the next trials from an evaluation on; those that are accepted are none of them */
static void list_targets(Fast *s, i64 N, i64 evaluation, i64 trials) {
    for (i64 t = 0, slot = evaluation % N; t < trials; evaluation++) {
        s->parents[TARGET * BATCH + t] = (int32_t)slot;
        t += !(evaluation >= s->begin && s->accepting[slot]);
        slot = slot + 1 < N ? slot + 1 : 0;
    }
}

/* Donors by the ordinary operator, trial by trial */
static void draw_by_rule(Fast *s, Run *de, i64 trials) {
    uint64_t r[5] = {0};
    for (i64 t = 0; t < trials; t++) {
        draw_donors(de, de->N, s->parents[TARGET * BATCH + t], de->best, r);
        for (i64 k = 0; k < de->n_donors; k++) s->parents[(R1 + k) * BATCH + t] = (int32_t)r[k];
    }
}

/* ---- The formula of the mutation ------------------------------------------------------------------------------------

   Inlined where it is debox's own: open components are few, and a call takes longer. */

/* More donors may be drawn than the mutation has, beyond those there are */
#define ROW(role) (de->P + s->parents[((role) < R1 + de->n_donors ? (role) : TARGET) * BATCH + t] * de->n + 32 * word)
#define EXACTLY(name, formula) \
    static uint32_t exactly_##name(const Fast *s, Run *de, i64 t, i64 word, uint32_t open) { \
        const double *x = ROW(TARGET), *best = ROW(BEST), F = de->F, K = 0.0; \
        const double *r1 = ROW(R1), *r2 = ROW(R2), *r3 = ROW(R3), *r4 = ROW(R4), *r5 = ROW(R5); \
        uint32_t outside = 0; \
        (void)x, (void)best, (void)r1, (void)r2, (void)r3, (void)r4, (void)r5, (void)F, (void)K; \
        for (; open; open &= open - 1) { \
            i64 i = lowest_bit(open); \
            double v = formula; \
            outside |= (uint32_t)((v < -TOLERANCE) | (v > 1.0 + TOLERANCE)) << i; \
        } \
        return outside; \
    }
MUTATIONS(EXACTLY)

static double call(Run *de, const double *x, const double *best, const double *r1, const double *r2, const double *r3,
                   const double *r4, const double *r5) {
    double v;
    de->mutation(x, best, r1, r2, r3, r4, r5, de->F, 0.0, &v, 1, &de->failed);
    return v;
}
EXACTLY(by_call, call(de, x + i, best + i, r1 + i, r2 + i, r3 + i, r4 + i, r5 + i))

/* 2^-53 floor(x/2^11), by way of two doubles: processors before AVX-512 convert no vectors of such integers */
ALWAYS_INLINE double unit_interval(uint64_t x) {
    uint64_t high = x >> 43 | 0x41E0000000000000, low = (x >> 11 & 0xFFFFFFFF) | 0x3FE0000000000000;
    double a, b;
    memcpy(&a, &high, 8), memcpy(&b, &low, 8); /* 2^31 + 2^-21 (x >> 43), 1/2 + 2^-53 (...) */
    return (a - (0x1p31 + 0.5)) + b;
}

/* ---- The widths ------------------------------------------------------------------------------------------------------ */

/* A loop compiled for each crossover, one word or several, and each number of terms of a mutation */
#define BY_TERMS(loop, ...) \
    (s->n_terms == 3 ? loop(__VA_ARGS__, 3) : s->n_terms == 4 ? loop(__VA_ARGS__, 4) : loop(__VA_ARGS__, 5))
#define BY_WORDS(loop, ...) (s->words == 1 ? BY_TERMS(loop, __VA_ARGS__, 1) : BY_TERMS(loop, __VA_ARGS__, 0))
#define BY_SHAPE(loop, ...) (s->is_exp ? BY_WORDS(loop, __VA_ARGS__, 1) : BY_WORDS(loop, __VA_ARGS__, 0))
#define NAME(name, width) name##_##width
#define JOIN(name, width) NAME(name, width)
#define V(name) JOIN(name, WIDTH) /* this function for vectors of WIDTH bits */

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_WIDE_VECTORS
#include <cpuid.h>
#include <immintrin.h>

#define WIDTH 512
#define WIDE __attribute__((target("avx512bw,avx512dq,avx512vl,bmi2,popcnt")))
#include "fast.h"
#undef WIDTH
#undef WIDE
#define WIDTH 256
#define WIDE __attribute__((target("avx2,bmi2,popcnt")))
#include "fast.h"
#undef WIDTH
#undef WIDE

/* Has the processor these features, and does the operating system keep these registers? By hand: what
   __builtin_cpu_supports needs of the compiler's library is missing in some cross-compilers. */
static int has(uint32_t features, uint32_t registers) {
    uint32_t a, b, c, d, kept;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_POPCNT) || !(c & bit_OSXSAVE)) return 0;
    __asm__("xgetbv" : "=a"(kept), "=d"(d) : "c"(0));
    return (kept & registers) == registers && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & features) == features;
}

static int has_avx2(void) { return has(bit_AVX2 | bit_BMI2, 0x06); }
static int has_avx512(void) { return has(bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL | bit_BMI2, 0xE6); }
#endif

#define WIDE
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define WIDTH 128
#else
#define WIDTH 16
#endif
#include "fast.h"
static int always(void) { return 1; }

const Width WIDTHS[] = {
#ifdef HAS_WIDE_VECTORS
    {"avx512", has_avx512, simulate_512, update_chances_512},
    {"avx2", has_avx2, simulate_256, update_chances_256},
#endif
    {"baseline", always, V(simulate), V(update_chances)},
    {0},
};

/* ---- Enumerate, or simulate? ----------------------------------------------------------------------------------------- */

/* Prices of a chance and of a test of a tuple, in simulated trials; with others runs differ, but not their law */
#define PRICE_EXP 2.5
#define PRICE_BIN 0.6
#define PRICE_TEST 0.1

static i64 count_changed(const Fast *s, i64 N) {
    i64 changed = 0;
    for (i64 i = 0; i < N; i++) changed += s->changed[i];
    return changed;
}

/* Has every chance changed, since a new best is in every trial? */
static int is_stale(const Fast *s, i64 best) { return s->uses_best && (s->last_best != best || s->changed[best]); }

/* Does it cost less to enumerate than to simulate this number of trials?

   Once computed, chances cost little to keep up to date. So the savings that were missed by simulating are added up,
   stretch by stretch; when their sum exceeds the price, the chances are computed. */
static int is_worthwhile(Fast *s, const Run *de, i64 trials) {
    if (!s->n_tuples) return 0;
    i64 targets = s->per_target ? de->N : 1, all = targets * s->n_tuples;
    i64 of_one = targets * s->n_with + s->per_target * s->n_tuples; /* change when an individual does */
    i64 number = is_stale(s, de->best) ? all : smaller(all, count_changed(s, de->N) * of_one);
    double price = s->is_exp ? PRICE_EXP : PRICE_BIN, price_of_means = de->avoided ? (double)all * PRICE_TEST : 0.0;
    if ((double)number * price + price_of_means < (double)trials + s->missed_savings) return 1;
    double saved = (double)trials - (double)of_one * price - price_of_means;
    s->missed_savings += saved > 0.0 ? saved : 0.0;
    return 0;
}

/* The mean over the tuples that the rule allows for this target */
static double mean_chance(const Fast *s, const Run *de, i64 target) {
    i64 tuples = s->n_tuples, total = 0, allowed = 0;
    i64 not_target = s->avoids_target ? target : -1, not_best = s->avoids_best ? de->best : -1;
    if (!de->avoided) return (double)s->total[target] / (double)tuples;
    for (i64 k = 0; k < tuples; k++) {
        int is_allowed = 1;
        for (i64 d = 0; d < de->n_donors; d++)
            is_allowed &= (s->tuples[5 * k + d] != not_target) & (s->tuples[5 * k + d] != not_best);
        total += s->chance[target * tuples + k] * is_allowed, allowed += is_allowed;
    }
    return (double)total / (double)allowed;
}

/* For every target that matters, the chance q of its trial to be infeasible */
static void enumerate_chances(const Width *width, Fast *s, Run *de) {
    i64 N = de->N, targets = s->per_target ? N : 1;
    int all_changed = is_stale(s, de->best) || count_changed(s, N) * s->n_with > s->n_tuples;
    for (i64 target = 0; target < targets; target++) {
        if (all_changed || (s->per_target && s->changed[target]))
            width->update_chances(s, de, target, s->all_tuples, s->n_tuples);
        else
            for (i64 i = 0; i < N; i++)
                if (s->changed[i]) width->update_chances(s, de, target, s->tuples_with + i * s->n_with, s->n_with);
        s->q[target] = mean_chance(s, de, target) * UNIT;
    }
    memset(s->changed, 0, (size_t)N);
    s->last_best = de->best;
    s->missed_savings = 0.0;
}

/* Binomial(trials, q), for every target if q depends on it */
static i64 draw_count(const Fast *s, Run *de, i64 begin, i64 end, i64 trials) {
    i64 infeasible = 0, N = de->N;
    Rng *rng = &de->rng;
    if (!s->per_target) return rng->binomial(&rng->bits, s->q[0], trials);
    for (i64 i = 0; i < N; i++) {
        i64 visits = (end - i + N - 1) / N - (begin - i + N - 1) / N;
        visits -= s->accepting[i] && begin <= s->begin + i && s->begin + i < end;
        infeasible += rng->binomial(&rng->bits, s->q[i], visits);
    }
    return infeasible;
}

/* ---- The clock ------------------------------------------------------------------------------------------------------- */

/* The number of generations until a U(0, 1) number is <= f: geometric, by inversion; `limit` if more */
static i64 wait_for(double f, i64 limit, Rng *rng) {
    double generations = log(1.0 - uniform01(rng)) / log1p(-f);
    return generations < (double)limit ? 1 + (i64)generations : limit;
}

/* A generation beyond the end */
static i64 never(const Run *de) { return de->budget / de->N + 1; }

/* floor(w x + 1/2) modulo 2^16, by truncation of a positive number; x is in [0, 1] */
static void encode(Fast *s, const Run *de, i64 i) {
    const double *x = de->P + i * de->n;
    for (i64 table = 0; table < s->n_weights; table++) {
        uint16_t *restrict code = s->codes + (table * de->N + i) * s->stride;
        double weight = s->weights[table];
        for (i64 j = 0; j < de->n; j++) code[j] = (uint16_t)(int32_t)(weight * x[j] + (0x1p17 + 0.5));
    }
}

/* The initial population, P and f, is there */
static void start(Fast *s, Run *de) {
    s->exactly = exactly_by_call;
#define CHOOSE(name, formula) \
    if (de->mutation == name) s->exactly = exactly_##name;
    MUTATIONS(CHOOSE)
    for (i64 i = 0; i < de->N; i++) {
        encode(s, de, i);
        s->clock[i] = de->frozen ? never(de) : wait_for(de->f[i], never(de), &de->rng);
        s->changed[i] = 1, s->accepting[i] = 0;
    }
    s->missed_savings = 0.0;
    s->end = 0;
    de->best = best_of(de->f, de->N);
    count(de, de->N, 0);
}

/* Does an accepted trial take its target's place, and perhaps that of the best, at once, not in the next generation?
   Builds in which it does, for a reading of the paper's text (benchmarks/variants.py), are never shipped. */
#ifndef IMMEDIATE
#define IMMEDIATE 0
#endif

/* Build the trials that will be accepted, and choose how to count the others */
static void begin_stretch(const Width *width, Fast *s, Run *de, i64 until) {
    i64 N = de->N, generation = s->clock[0];
    for (i64 i = 1; i < N; i++) generation = smaller(generation, s->clock[i]);
    s->generation = generation;
    s->begin = smaller(generation * N, until), s->end = smaller((generation + 1) * N, until);
    for (i64 i = 0; i < s->end - s->begin && !de->failed; i++)
        if (s->clock[i] == generation) {
            s->accepting[i] = 1;
            de->infeasible[i] = (uint8_t)build(de, i, de->best, de->F, de->Cr, de->U + i * de->n);
            if (IMMEDIATE) s->end = s->begin + i + 1; /* the rest of the generation begins the next stretch */
        }
    s->enumerated = is_worthwhile(s, de, s->end - de->counts[EVALUATIONS]);
    if (s->enumerated) enumerate_chances(width, s, de);
    else if (s->uses_best)
        for (i64 t = 0; t < BATCH; t++) s->parents[BEST * BATCH + t] = (int32_t)de->best;
}

/* Count its next trials: all up to a mark if they are enumerated, else a batch; returns the work it was */
static i64 go_on(const Width *width, Fast *s, Run *de) {
    i64 begin = de->counts[EVALUATIONS], passed = de->counts[MARKS_PASSED], accepted = 0, infeasible = 0;
    i64 end = passed < de->n_marks ? smaller(de->marks[passed], s->end) : s->end;
    if (!s->enumerated) end = smaller(end, begin + BATCH);
    for (i64 i = larger(begin - s->begin, 0); i < end - s->begin; i++)
        accepted += s->accepting[i], infeasible += s->accepting[i] & de->infeasible[i];
    i64 others = end - begin - accepted;
    infeasible += s->enumerated ? draw_count(s, de, begin, end, others) : width->simulate(s, de, begin, others);
    count(de, end - begin, infeasible);
    return (s->enumerated ? de->N : end - begin) * s->words;
}

/* Slots take their trials and a value U(0, f), and wait for the next */
static void end_stretch(Fast *s, Run *de) {
    i64 n = de->n;
    for (i64 i = 0; i < s->end - s->begin; i++) {
        double *x = de->P + i * n, *u = de->U + i * n;
        if (!s->accepting[i]) continue;
        s->accepting[i] = 0;
        if (de->fate == COMPETES || !de->infeasible[i]) {
            de->f[i] *= 1.0 - uniform01(&de->rng);
            for (i64 j = 0; j < n; j++) s->changed[i] |= x[j] != u[j];
            memcpy(x, u, (size_t)n * sizeof(double));
            encode(s, de, i);
            de->counts[ACCEPTED]++;
        }
        s->clock[i] = s->generation + wait_for(de->f[i], never(de) - s->generation, &de->rng);
        if (de->f[i] < de->f[de->best]) de->best = i; /* values only fall */
    }
    s->end = 0;
}

int advance_fast(const Width *width, Fast *s, Run *de, i64 until, i64 work) {
    if (de->counts[EVALUATIONS] == 0) start(s, de);
    while (de->counts[EVALUATIONS] < until && !de->failed) {
        if (work <= 0) return 1;
        if (!s->end) begin_stretch(width, s, de, until);
        while (de->counts[EVALUATIONS] < s->end && work > 0 && !de->failed) work -= go_on(width, s, de);
        if (de->counts[EVALUATIONS] == s->end && !de->failed) end_stretch(s, de);
    }
    return 0;
}
