/* The fast engine on f0: the same law as Algorithm 1, in a hundredth of the time.

   On f0 acceptance is independent of position, so it is decided first: a slot of value f waits a geometric number of
   generations for its next acceptance and then has value U(0, f). Between acceptances the population stands still and
   a rejected trial leaves one bit: was it infeasible? Such a quiet stretch is either simulated, without building
   trials, or the chance of a trial to be infeasible is computed from all donor tuples and ONE binomial number is drawn,
   whichever costs less. Accepted trials, some hundred per run, are built with the ordinary operators.

   Mutants are looked at in whole numbers of 16 bits, 32 components at a time; what is too near to a bound goes to the
   exact formula. Random numbers of a batch come from lanes: one SFC64 generator per trial, side by side.

   fast.c, fast_avx2.c and fast_avx512.c compile it for vectors of 128, 256 and 512 bits, with the same results. */
#include <math.h>
#include <string.h>
#include "loop.h"

#define BATCH 256    /* trials at a time: their columns stay in the first-level cache */
#define MARGIN 3     /* units of 1/S: more than half a unit for each of five terms */
#define UNIT 0x1p-46 /* of a chance as a whole number */
enum { TARGET, BEST, R1, R2, R3, R4, R5, ROLES }; /* in a mutation: the rows of `parents` */

/* Tables of a configuration, room for a batch of trials, where a run stands. tables.py has the same fields in the same
   order; what it writes of an array's size is not said again here. */
typedef struct {
    i64 words;               /* of 32 components: of an individual */
    i64 stride;              /* from the codes of one individual to those of the next; 0: codes are no help */
    i64 S, n_weights, n_terms;
    i64 is_exp;              /* the crossover: exp or bin? */
    i64 per_target;          /* does the chance of a trial depend on its target? */
    i64 uses_best;
    i64 draws_together;      /* are donors drawn for a whole batch, without asking the rule? */
    i64 avoids, avoids_best; /* does the donor rule avoid anybody; the best? */
    i64 targets;             /* N if the chance depends on them, else 1 */
    i64 n_tuples;            /* of donors; 0: too many to enumerate */
    i64 n_with;              /* how many of them contain a given individual */
    i64 chances_of_one;      /* how many chances change when an individual does */
    double price_of_chance, price_of_mean; /* in simulated trials */

    const double *weights, *p_feasible, *accept_chance, *gap_after, *gap_others;
    const i64 *roles, *gap_ahead, *gap_behind, *all_tuples, *tuples_with;
    const int32_t *length_choices;
    const uint32_t *starts, *all_bits;
    const uint16_t *tuples;

    /* A batch: column t is trial t */
    uint64_t *lanes;         /* a generator of random numbers */
    double *u;               /* a number of it */
    int32_t *parents;        /* who has which role */
    uint32_t *places;        /* where the codes of each term start */
    int32_t *first, *length; /* exp: the segment that it takes */
    uint32_t *mask;          /* n <= 32: the components that the crossover takes */
    int32_t *undecided;      /* a list of trials that need the exact formula */
    uint32_t *outside;       /* room for the bits of one mutant */

    /* A run */
    uint16_t *codes;
    i64 *clock;                   /* for each slot, the generation of its next acceptance */
    uint8_t *accepting, *changed; /* which slots accept in this stretch; which changed since chances were computed */
    i64 *chance, *total;          /* P(infeasible) for each target and tuple, and its sum over tuples, in UNITs */
    double *q;                    /* its mean over the tuples that the rule allows */
    i64 last_best;                /* when they were computed */
    double missed_savings;        /* what enumerating would have saved in the stretches simulated since, in trials */
    i64 generation, begin, end;   /* the one that ends this stretch, in evaluations; end = 0: no stretch is begun */
    i64 enumerated;               /* this stretch? */
    i64 done, infeasible;         /* evaluations that are simulated; infeasible trials that are not counted yet */
} Fast;

/* Go on, or start, until so many evaluations are done, an operator fails or so much work (words of mutants) is done.

   Is there more to do? Then the next call goes on as if there had been one call. */
typedef int Advance(Fast *s, Run *de, i64 until, i64 work);
Advance advance_baseline, advance_avx2, advance_avx512;

typedef struct {
    const char *name;
    Advance *advance;
    int (*works_here)(void); /* on this processor */
} Width;
extern const Width WIDTHS[]; /* from the widest to the baseline; the last name is NULL */

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_WIDE_VECTORS /* and pragmas to compile for them */
#endif

#ifdef WIDTH /* all that follows is compiled for vectors of so many bits */
#if defined(_MSC_VER) && !defined(__clang__)
#define ALWAYS_INLINE static __forceinline
#else
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#endif

static inline i64 smaller(i64 a, i64 b) { return a < b ? a : b; }
static inline i64 larger(i64 a, i64 b) { return a > b ? a : b; }

/* ---- Points: a population in whole numbers of 16 bits --------------------------------------------------------------

   A mutant component is a weighted sum of its parents' components. `codes` has, for each weight w and individual, w x
   in whole units of 1/S; a component is the sum of three to five codes. A sum is wrong by half a unit a term at most:
   more than MARGIN units from both bounds it decides, what is nearer is left to the formula. Sums wrap around at 2^16;
   S is small enough that none gets back into the box that way. */

/* floor(w x + 1/2) modulo 2^16, by truncation of a positive number; x is in [0, 1] unless a user's strategy is wrong */
static void encode(Fast *s, const Run *de, i64 i)
{
    i64 n = de->n;
    const double *x = de->P + i * n;
    for (i64 table = 0; table < s->n_weights; table++) {
        double weight = s->weights[table];
        uint16_t *restrict code = s->codes + (table * de->N + i) * s->stride;
        for (i64 j = 0; j < n; j++) {
            double inside = x[j] > 0.0 ? x[j] : 0.0;
            inside = inside < 1.0 ? inside : 1.0;
            code[j] = (uint16_t)(int32_t)(weight * inside + (0x1p17 + 0.5));
        }
    }
}

/* Where the codes for each term of the mutants of a batch start */
static void locate(Fast *s, i64 trials)
{
    for (i64 term = 0; term < s->n_terms; term++) {
        const int32_t *restrict who = s->parents + s->roles[term] * BATCH;
        uint32_t *restrict place = s->places + term * BATCH;
        uint32_t start = s->starts[term], stride = (uint32_t)s->stride;
        for (i64 t = 0; t < trials; t++) place[t] = (uint32_t)who[t] * stride + start;
    }
}

/* Of 32 components, those surely and those perhaps outside the box: with sums v modulo 2^16

   surely: v + MARGIN > S + 2 MARGIN;  perhaps: v - MARGIN > S - 2 MARGIN

   Processors before AVX-512 compare numbers with a sign: 2^15 is subtracted on both sides. */
typedef struct {
    uint32_t surely, perhaps;
} Bits;

#if WIDTH == 512
ALWAYS_INLINE Bits look(const Fast *s, i64 t, i64 word, int terms)
{
    __m512i v = _mm512_set1_epi16(MARGIN);
    for (int term = 0; term < terms; term++)
        v = _mm512_add_epi16(v, _mm512_loadu_si512(s->codes + s->places[term * BATCH + t] + 32 * word));
    __m512i down = _mm512_sub_epi16(v, _mm512_set1_epi16(2 * MARGIN));
    return (Bits){_mm512_cmpgt_epu16_mask(v, _mm512_set1_epi16((short)(s->S + 2 * MARGIN))),
                  _mm512_cmpgt_epu16_mask(down, _mm512_set1_epi16((short)(s->S - 2 * MARGIN)))};
}
#elif WIDTH == 256
ALWAYS_INLINE uint32_t more(__m256i low, __m256i high, i64 limit)
{
    __m256i most = _mm256_set1_epi16((short)(limit - 0x8000));
    __m256i both = _mm256_packs_epi16(_mm256_cmpgt_epi16(low, most), _mm256_cmpgt_epi16(high, most));
    return (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(both, 0xD8)); /* pack goes by halves */
}

ALWAYS_INLINE Bits look(const Fast *s, i64 t, i64 word, int terms)
{
    __m256i low = _mm256_set1_epi16((short)(MARGIN - 0x8000)), high = low, band = _mm256_set1_epi16(2 * MARGIN);
    for (int term = 0; term < terms; term++) {
        const __m256i *code = (const __m256i *)(s->codes + s->places[term * BATCH + t] + 32 * word);
        low = _mm256_add_epi16(low, _mm256_loadu_si256(code));
        high = _mm256_add_epi16(high, _mm256_loadu_si256(code + 1));
    }
    return (Bits){more(low, high, s->S + 2 * MARGIN),
                  more(_mm256_sub_epi16(low, band), _mm256_sub_epi16(high, band), s->S - 2 * MARGIN)};
}
#elif WIDTH == 128
ALWAYS_INLINE uint32_t more(const __m128i *v, int less, i64 limit)
{
    __m128i most = _mm_set1_epi16((short)(limit - 0x8000)), is_more[4];
    for (int k = 0; k < 4; k++) is_more[k] = _mm_cmpgt_epi16(_mm_sub_epi16(v[k], _mm_set1_epi16((short)less)), most);
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(is_more[0], is_more[1])) |
           (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(is_more[2], is_more[3])) << 16;
}

ALWAYS_INLINE Bits look(const Fast *s, i64 t, i64 word, int terms)
{
    __m128i shift = _mm_set1_epi16((short)(MARGIN - 0x8000)), v[4] = {shift, shift, shift, shift};
    for (int term = 0; term < terms; term++) {
        const __m128i *code = (const __m128i *)(s->codes + s->places[term * BATCH + t] + 32 * word);
        for (int k = 0; k < 4; k++) v[k] = _mm_add_epi16(v[k], _mm_loadu_si128(code + k));
    }
    return (Bits){more(v, 0, s->S + 2 * MARGIN), more(v, 2 * MARGIN, s->S - 2 * MARGIN)};
}
#else
/* Of 16 numbers v, a bit for each v + shift > limit: as a sum, for compilers to vectorise */
ALWAYS_INLINE uint32_t more(const uint16_t *v, i64 shift, i64 limit)
{
    static const uint16_t BIT[16] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    uint16_t word = 0;
    for (int j = 0; j < 16; j++) word |= (uint16_t)(v[j] + shift) > (uint16_t)limit ? BIT[j] : 0;
    return word;
}

ALWAYS_INLINE Bits look(const Fast *s, i64 t, i64 word, int terms)
{
    uint16_t v[32] = {0};
    i64 up = s->S + 2 * MARGIN, down = s->S - 2 * MARGIN;
    for (int term = 0; term < terms; term++) {
        const uint16_t *code = s->codes + s->places[term * BATCH + t] + 32 * word;
        for (int j = 0; j < 32; j++) v[j] = (uint16_t)(v[j] + code[j]);
    }
    return (Bits){more(v, MARGIN, up) | more(v + 16, MARGIN, up) << 16,
                  more(v, -MARGIN, down) | more(v + 16, -MARGIN, down) << 16};
}
#endif

/* How many bits are set; processors with wide vectors, and others than x86, have an instruction for it */
typedef struct {
    i64 least, most;
} Counts;

ALWAYS_INLINE Counts count_bits(Bits b)
{
#if WIDTH >= 256 || (defined(__GNUC__) && !defined(__x86_64__))
    return (Counts){__builtin_popcount(b.surely), __builtin_popcount(b.perhaps)};
#else
    uint64_t x = b.surely | (uint64_t)b.perhaps << 32; /* sums of 2, 4, 8 and 32 bits */
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F;
    x *= 0x01010101;
    return (Counts){x >> 24 & 255, x >> 56};
#endif
}

/* ---- Is a trial infeasible? -----------------------------------------------------------------------------------------

   Crossover takes components of the mutant: bin, as far as is known here, all of them; exp L of them from I on. With k
   of those outside the box a trial of exp is infeasible if k > 0, one of bin if U >= p_feasible[k], which is
   (1 - k/n)(1 - Cr)^k, the chance that none of the k is exchanged. */

/* Which of 32 components of mutant t lie outside [0, 1], exactly */
static uint32_t apply_formula(Fast *s, Run *de, i64 t, i64 word)
{
    const double *parent[ROLES];
    double v[32] = {0.0};
    uint32_t outside = 0;
    for (int role = 0; role < ROLES; role++)
        parent[role] = de->P + s->parents[role * BATCH + t] * de->n + 32 * word;
    de->mutation(parent[TARGET], parent[BEST], parent[R1], parent[R2], parent[R3], parent[R4], parent[R5], de->F, 0.0,
                 v, smaller(32, de->n - 32 * word), &de->failed);
    for (int j = 0; j < 32; j++) outside |= (uint32_t)((v[j] < -TOLERANCE) | (v[j] > 1.0 + TOLERANCE)) << j;
    return outside;
}

ALWAYS_INLINE Bits taken_of(Bits b, uint32_t taken) { return (Bits){b.surely & taken, b.perhaps & taken}; }

static inline uint32_t low_bits(i64 k) { return (uint32_t)(((uint64_t)1 << smaller(larger(k, 0), 32)) - 1); }

/* Of 32 components from `begin` on, a bit for each that belongs to the segment; after the last comes the first */
static inline uint32_t segment_bits(i64 n, i64 first, i64 length, i64 begin)
{
    i64 end = first + length;
    return (low_bits(smaller(end, n) - begin) & ~low_bits(first - begin)) | low_bits(end - n - begin);
}

/* Are so many components outside enough for trial t to be infeasible? */
ALWAYS_INLINE int is_infeasible(const Fast *s, i64 t, i64 outside, int is_exp)
{
    return is_exp ? outside > 0 : s->u[t] >= s->p_feasible[outside];
}

/* Count trial t if it is surely infeasible, list it if it is perhaps; without a branch */
ALWAYS_INLINE void note(Fast *s, i64 t, Counts outside, int is_exp, i64 *infeasible, i64 *undecided)
{
    int surely = is_infeasible(s, t, outside.least, is_exp), perhaps = is_infeasible(s, t, outside.most, is_exp);
    s->undecided[*undecided] = (int32_t)t;
    *undecided += perhaps - surely;
    *infeasible += surely;
}

/* How many of a batch of trials are infeasible; n <= 32 */
ALWAYS_INLINE i64 scan_word(Fast *s, Run *de, i64 trials, int terms, int is_exp)
{
    i64 infeasible = 0, undecided = 0;
    for (i64 t = 0; t < trials; t++) {
        Bits b = taken_of(look(s, t, 0, terms), s->mask[t]);
        note(s, t, is_exp ? (Counts){b.surely, b.perhaps} : count_bits(b), is_exp, &infeasible, &undecided);
    }
    for (i64 p = 0; p < undecided; p++) {
        i64 t = s->undecided[p];
        Bits b = {apply_formula(s, de, t, 0) & s->mask[t], 0};
        infeasible += is_infeasible(s, t, count_bits(b).least, is_exp);
    }
    return infeasible;
}

/* The same for any n: the words of a trial one by one, of exp those that its segment spans, until it is decided */
ALWAYS_INLINE Counts count_outside(Fast *s, Run *de, i64 t, int terms, int is_exp, int exactly)
{
    i64 n = de->n, words = s->words, word = 0, span = words;
    Counts outside = {0, 0};
    if (is_exp) {
        i64 last = (i64)s->first[t] + s->length[t] - 1;
        word = s->first[t] / 32;
        span = smaller((last < n ? last / 32 : words + (last - n) / 32) - word + 1, words);
    }
    for (i64 done = 0; done < span; done++, word = word + 1 < words ? word + 1 : 0) {
        if (done % 4 == 0 && is_infeasible(s, t, outside.least, is_exp)) break; /* to ask costs as much as a word */
        uint32_t taken = is_exp ? segment_bits(n, s->first[t], s->length[t], 32 * word) : s->all_bits[word];
        Bits b = taken_of(look(s, t, word, terms), taken);
        if (exactly && b.surely != b.perhaps) b.surely = apply_formula(s, de, t, word) & taken;
        Counts more = count_bits(b);
        outside.least += more.least, outside.most += more.most;
    }
    return outside;
}

ALWAYS_INLINE i64 scan_words(Fast *s, Run *de, i64 trials, int terms, int is_exp)
{
    i64 infeasible = 0, undecided = 0;
    for (i64 t = 0; t < trials; t++)
        note(s, t, count_outside(s, de, t, terms, is_exp, 0), is_exp, &infeasible, &undecided);
    for (i64 p = 0; p < undecided; p++) {
        i64 t = s->undecided[p];
        infeasible += is_infeasible(s, t, count_outside(s, de, t, terms, is_exp, 1).least, is_exp);
    }
    return infeasible;
}

ALWAYS_INLINE i64 scan_terms(Fast *s, Run *de, i64 trials, int terms)
{
    if (s->words == 1) return s->is_exp ? scan_word(s, de, trials, terms, 1) : scan_word(s, de, trials, terms, 0);
    return s->is_exp ? scan_words(s, de, trials, terms, 1) : scan_words(s, de, trials, terms, 0);
}

static i64 scan(Fast *s, Run *de, i64 trials)
{
    locate(s, trials);
    switch (s->n_terms) {
    case 3: return scan_terms(s, de, trials, 3);
    case 4: return scan_terms(s, de, trials, 4);
    default: return scan_terms(s, de, trials, 5);
    }
}

/* ---- A quiet stretch, trial by trial ----------------------------------------------------------------------------- */

/* 2^-53 floor(x/2^11) */
ALWAYS_INLINE double unit_interval(uint64_t x)
{
#if WIDTH == 256 || WIDTH == 128 /* no vectors of whole numbers become doubles there: these are put into two of them */
    uint64_t high = x >> 43 | 0x41E0000000000000, low = (x >> 11 & 0xFFFFFFFF) | 0x3FE0000000000000;
    double a, b;
    memcpy(&a, &high, 8), memcpy(&b, &low, 8); /* 2^31 + 2^-21 (x >> 43), 1/2 + 2^-53 (...) */
    return (a - (0x1p31 + 0.5)) + b;
#else
    return (double)(i64)(x >> 11) * 0x1p-53;
#endif
}

/* A fresh U(0, 1) for each of so many trials, each from its SFC64 (C. Doty-Humphrey), as NumPy's of the same state */
static void uniforms(Fast *s, i64 trials)
{
    uint64_t *restrict A = s->lanes, *restrict B = A + BATCH, *restrict C = B + BATCH, *restrict D = C + BATCH;
    double *restrict u = s->u;
    for (i64 t = 0; t < trials; t++) {
        uint64_t a = A[t], b = B[t], c = C[t], counter = D[t], out = a + b + counter;
        A[t] = b ^ (b >> 11);
        B[t] = c + (c << 3);
        C[t] = ((c << 24) | (c >> 40)) + out;
        D[t] = counter + 1;
        u[t] = unit_interval(out);
    }
}

static inline int32_t min32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t max32(int32_t a, int32_t b) { return a > b ? a : b; }

/* The k-th index, counted without the one drawn: k + 1 from there on */
static inline int32_t skip_past(int32_t drawn, int32_t k) { return k + (k >= drawn); }

/* Mutually distinct donors: the k-th is uniform on the N - k not yet drawn; two or three from one U */
static void draw_distinct(Fast *s, i64 N, i64 n_donors, i64 trials)
{
    uniforms(s, trials);
    const double *restrict u = s->u;
    int32_t *restrict p1 = s->parents + R1 * BATCH, *restrict p2 = p1 + BATCH, *restrict p3 = p2 + BATCH;
    double all = (double)N, but_1 = (double)(N - 1), but_2 = (double)(N - 2);
    for (i64 t = 0; t < trials; t++) {
        double x = u[t] * all;
        int32_t r1 = (int32_t)x;
        x = (x - r1) * but_1;
        int32_t r2 = (int32_t)x;
        p1[t] = r1, p2[t] = r2, p3[t] = (int32_t)((x - r2) * but_2);
    }
    for (i64 t = 0; t < trials; t++) {
        int32_t r1 = p1[t], r2 = skip_past(r1, p2[t]), r3 = p3[t];
        p2[t] = r2;
        p3[t] = n_donors > 2 ? skip_past(max32(r1, r2), skip_past(min32(r1, r2), r3)) : r3;
    }
}

/* The fourth and fifth from another */
static void draw_two_more(Fast *s, i64 N, i64 trials)
{
    uniforms(s, trials);
    const double *restrict u = s->u;
    const int32_t *restrict p1 = s->parents + R1 * BATCH, *restrict p2 = p1 + BATCH, *restrict p3 = p2 + BATCH;
    int32_t *restrict p4 = s->parents + R4 * BATCH, *restrict p5 = p4 + BATCH;
    double but_3 = (double)(N - 3), but_4 = (double)(N - 4);
    for (i64 t = 0; t < trials; t++) {
        double x = u[t] * but_3;
        int32_t r4 = (int32_t)x;
        p4[t] = r4, p5[t] = (int32_t)((x - r4) * but_4);
    }
    for (i64 t = 0; t < trials; t++) {
        int32_t r3 = p3[t], r4 = p4[t], r5 = p5[t], low = min32(p1[t], p2[t]), high = max32(p1[t], p2[t]);
        int32_t first = min32(low, r3), middle = max32(low, min32(high, r3)), last = max32(high, r3);
        r4 = skip_past(last, skip_past(middle, skip_past(first, r4)));
        r5 = skip_past(min32(first, r4), r5);
        r5 = skip_past(max32(first, min32(middle, r4)), r5);
        r5 = skip_past(max32(middle, min32(last, r4)), r5);
        p4[t] = r4, p5[t] = skip_past(max32(last, r4), r5);
    }
}

/* By the ordinary operator, trial by trial */
static void draw_by_rule(Fast *s, Run *de, i64 trials)
{
    uint64_t r[5] = {0};
    for (i64 t = 0; t < trials; t++) {
        de->donors(de->N, s->parents[TARGET * BATCH + t], de->best, &de->rng, de->n_donors, r, &de->failed);
        for (i64 k = 0; k < de->n_donors; k++) s->parents[(R1 + k) * BATCH + t] = (int32_t)r[k];
    }
}

/* exp: I = floor(nU), and L from the alias table with what is left of U */
static void draw_segments(Fast *s, i64 n, i64 trials)
{
    double *restrict u = s->u, all = (double)n;
    int32_t *restrict first = s->first, *restrict length = s->length;
    for (i64 t = 0; t < trials; t++) {
        double x = u[t] * all;
        first[t] = (int32_t)x;
        u[t] = (x - first[t]) * all;
    }
    const double *restrict accept_chance = s->accept_chance;
    const int32_t *restrict choices = s->length_choices;
    uint32_t *restrict mask = s->mask, all_bits = s->all_bits[0];
    if (s->words > 1)
        for (i64 t = 0; t < trials; t++) {
            i64 i = (i64)u[t];
            length[t] = choices[2 * i + (u[t] - (double)i < accept_chance[i])]; /* a choice without a branch */
        }
    else
        for (i64 t = 0; t < trials; t++) {
            i64 i = (i64)u[t];
            uint64_t segment = ((uint64_t)1 << choices[2 * i + (u[t] - (double)i < accept_chance[i])]) - 1;
            segment <<= first[t];
            mask[t] = (uint32_t)(segment | segment >> n) & all_bits; /* after the last component comes the first */
        }
}

/* How many of the evaluations begin..end-1 are accepted */
static i64 count_accepting(const Fast *s, i64 begin, i64 end)
{
    i64 accepted = 0;
    for (i64 i = larger(begin - s->begin, 0); i < end - s->begin; i++) accepted += s->accepting[i];
    return accepted;
}

/* Write the targets of the evaluations begin..end-1 that are not accepted, if they matter; returns how many they are */
static i64 list_targets(Fast *s, i64 N, i64 begin, i64 end)
{
    if (!s->per_target) return end - begin - count_accepting(s, begin, end);
    i64 trials = 0, slot = begin % N;
    for (i64 evaluation = begin; evaluation < end; evaluation++) {
        s->parents[TARGET * BATCH + trials] = (int32_t)slot;
        trials += !(evaluation >= s->begin && s->accepting[slot]);
        slot = slot + 1 < N ? slot + 1 : 0;
    }
    return trials;
}

/* How many of the trials of a batch of evaluations are infeasible, without those that are accepted */
static i64 simulate(Fast *s, Run *de, i64 begin, i64 end)
{
    i64 trials = list_targets(s, de->N, begin, end);
    if (!s->draws_together) draw_by_rule(s, de, trials);
    else {
        draw_distinct(s, de->N, de->n_donors, trials);
        if (de->n_donors > 3) draw_two_more(s, de->N, trials);
    }
    uniforms(s, trials);
    if (s->is_exp) draw_segments(s, de->n, trials);
    return scan(s, de, trials);
}

/* ---- Or: the exact chance of a trial to be infeasible, and one binomial number ----------------------------------- */

/* How many feasible components come last, with those of one more byte */
static inline i64 next_gap(const Fast *s, i64 gap, uint32_t byte) { return s->gap_behind[byte] + (gap + 8) * !byte; }

/* (1/n) sum Cr^d over all starts I, d the distance from I to the next infeasible component; 0 if there is none

   Eight components at a time, without a branch. The gap before the first infeasible one of a byte began in a byte
   before it; the one before the very first began at the end, where the last bits of the last word are no components. */
static double chance_exp(const Fast *s, i64 n)
{
    i64 gap = 0, words = s->words;
    const uint32_t *outside = s->outside;
    for (i64 word = 0; word < words; word++)
        for (int shift = 0; shift < 32; shift += 8) gap = next_gap(s, gap, outside[word] >> shift & 255);
    gap -= 32 * words - n;
    double of_firsts = 0.0, of_others = 0.0;
    for (i64 word = 0; word < words; word++)
        for (int shift = 0; shift < 32; shift += 8) {
            uint32_t byte = outside[word] >> shift & 255;
            of_firsts += s->gap_after[(gap + s->gap_ahead[byte]) * !!byte];
            of_others += s->gap_others[byte];
            gap = next_gap(s, gap, byte);
        }
    return (of_firsts + of_others) / (double)n;
}

/* Write the chances of the tuples of these numbers, whose donors `parents` has; by how much their sum changed */
ALWAYS_INLINE i64 chances_of_terms(Fast *s, Run *de, i64 *chance, const i64 *numbers, i64 trials, int terms)
{
    i64 change = 0;
    for (i64 t = 0; t < trials; t++) {
        i64 outside = 0;
        for (i64 word = 0; word < s->words; word++) {
            Bits b = taken_of(look(s, t, word, terms), s->all_bits[word]);
            if (b.surely != b.perhaps) b.surely = apply_formula(s, de, t, word) & s->all_bits[word];
            s->outside[word] = b.surely;
            if (!s->is_exp) outside += count_bits(b).least;
        }
        double p = s->is_exp ? chance_exp(s, de->n) : 1.0 - s->p_feasible[outside];
        i64 units = (i64)(p / UNIT);
        change += units - chance[numbers[t]];
        chance[numbers[t]] = units;
    }
    return change;
}

static i64 chances(Fast *s, Run *de, i64 *chance, const i64 *numbers, i64 trials)
{
    locate(s, trials);
    switch (s->n_terms) {
    case 3: return chances_of_terms(s, de, chance, numbers, trials, 3);
    case 4: return chances_of_terms(s, de, chance, numbers, trials, 4);
    default: return chances_of_terms(s, de, chance, numbers, trials, 5);
    }
}

/* Compute the chances of these tuples for this target */
static void update_chances(Fast *s, Run *de, i64 target, const i64 *numbers, i64 count)
{
    int32_t *parents = s->parents;
    for (i64 t = 0; t < smaller(count, BATCH); t++)
        parents[TARGET * BATCH + t] = (int32_t)target, parents[BEST * BATCH + t] = (int32_t)de->best;
    for (i64 begin = 0; begin < count; begin += BATCH) {
        i64 trials = smaller(count - begin, BATCH);
        for (i64 k = 0; k < de->n_donors; k++)
            for (i64 t = 0; t < trials; t++) parents[(R1 + k) * BATCH + t] = s->tuples[5 * numbers[begin + t] + k];
        s->total[target] += chances(s, de, s->chance + target * s->n_tuples, numbers + begin, trials);
    }
}

static i64 count_changed(const Fast *s, i64 N)
{
    i64 changed = 0;
    for (i64 i = 0; i < N; i++) changed += s->changed[i];
    return changed;
}

/* Has every chance changed, since a new best is in every trial? */
static int is_stale(const Fast *s, i64 best) { return s->uses_best && (s->last_best != best || s->changed[best]); }

/* Does it cost less to enumerate than to simulate this number of trials?

   Once computed, chances cost little to keep up to date. So what enumerating would have saved in each simulated stretch
   is added up, and when the sum exceeds the price the chances are computed. */
static int is_worthwhile(Fast *s, const Run *de, i64 trials)
{
    if (!s->n_tuples) return 0;
    i64 all = s->targets * s->n_tuples, some = count_changed(s, de->N) * s->chances_of_one;
    i64 number = is_stale(s, de->best) ? all : smaller(all, some);
    if ((double)number * s->price_of_chance + s->price_of_mean < (double)trials + s->missed_savings) return 1;
    double saved = (double)trials - (double)s->chances_of_one * s->price_of_chance - s->price_of_mean;
    s->missed_savings += saved > 0.0 ? saved : 0.0;
    return 0;
}

/* The mean over the tuples that the rule allows for this target */
static double mean_chance(const Fast *s, const Run *de, i64 target)
{
    i64 tuples = s->n_tuples, total = 0, allowed = 0, avoided_too = s->avoids_best ? de->best : target;
    if (!s->avoids) return (double)s->total[target] / (double)tuples;
    for (i64 k = 0; k < tuples; k++) {
        int is_allowed = 1;
        for (i64 d = 0; d < de->n_donors; d++)
            is_allowed &= (s->tuples[5 * k + d] != target) & (s->tuples[5 * k + d] != avoided_too);
        total += s->chance[target * tuples + k] * is_allowed;
        allowed += is_allowed;
    }
    return (double)total / (double)allowed;
}

/* For every target that matters, the chance q of its trial to be infeasible */
static void enumerate_chances(Fast *s, Run *de)
{
    i64 N = de->N;
    int all_changed = is_stale(s, de->best) || count_changed(s, N) * s->n_with > s->n_tuples;
    for (i64 target = 0; target < s->targets; target++) {
        if (all_changed || (s->per_target && s->changed[target]))
            update_chances(s, de, target, s->all_tuples, s->n_tuples);
        else
            for (i64 i = 0; i < N; i++)
                if (s->changed[i]) update_chances(s, de, target, s->tuples_with + i * s->n_with, s->n_with);
        s->q[target] = mean_chance(s, de, target) * UNIT;
    }
    memset(s->changed, 0, (size_t)N);
    s->last_best = de->best;
    s->missed_savings = 0.0;
}

/* Binomial(trials, q), for every target if q depends on it; accepted trials are left out */
static i64 draw_count(const Fast *s, Run *de, i64 begin, i64 end)
{
    i64 infeasible = 0, N = de->N;
    Rng *rng = &de->rng;
    if (s->targets == 1) return rng->binomial(&rng->bits, s->q[0], end - begin - count_accepting(s, begin, end));
    for (i64 i = 0; i < N; i++) {
        i64 visits = (end - i + N - 1) / N - (begin - i + N - 1) / N;
        visits -= s->accepting[i] && begin <= s->begin + i && s->begin + i < end;
        infeasible += rng->binomial(&rng->bits, s->q[i], visits);
    }
    return infeasible;
}

/* ---- The clock --------------------------------------------------------------------------------------------------- */

/* How many generations until a U(0, 1) number is <= f: geometric, by inversion; `limit` if more */
static i64 wait_for(double f, i64 limit, Rng *rng)
{
    double generations = log(1.0 - uniform01(rng)) / log1p(-f);
    return generations < (double)limit ? 1 + (i64)generations : limit;
}

/* A generation beyond the end */
static i64 never(const Run *de) { return de->budget / de->N + 1; }

/* Count evaluations up to the next mark or before it */
static void count(Run *de, i64 evaluations, i64 infeasible)
{
    i64 *counts = de->counts;
    counts[EVALUATIONS] += evaluations, counts[INFEASIBLE] += infeasible;
    while (counts[MARKS_PASSED] < de->n_marks && de->marks[counts[MARKS_PASSED]] <= counts[EVALUATIONS])
        de->infeasible_at[counts[MARKS_PASSED]++] = counts[INFEASIBLE];
}

/* The initial population, P and f, is there */
static void start(Fast *s, Run *de)
{
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

/* Build the trials that will be accepted, and choose how to count the others */
static void begin_stretch(Fast *s, Run *de, i64 until)
{
    i64 N = de->N, generation = s->clock[0];
    for (i64 i = 1; i < N; i++) generation = smaller(generation, s->clock[i]);
    s->generation = generation;
    s->begin = smaller(generation * N, until), s->end = smaller((generation + 1) * N, until);
    for (i64 i = 0; i < s->end - s->begin && !de->failed; i++)
        if (s->clock[i] == generation) {
            s->accepting[i] = 1;
            de->infeasible[i] = (uint8_t)build(de, i, de->best, de->F, de->Cr, de->U + i * de->n);
        }
    s->done = de->counts[EVALUATIONS], s->infeasible = 0;
    s->enumerated = is_worthwhile(s, de, s->end - s->done);
    if (s->enumerated) enumerate_chances(s, de);
    else if (s->uses_best)
        for (i64 t = 0; t < BATCH; t++) s->parents[BEST * BATCH + t] = (int32_t)de->best;
}

/* Count its trials from mark to mark, as far as work allows; returns what is left of it */
static i64 go_through_stretch(Fast *s, Run *de, i64 work)
{
    i64 *counts = de->counts;
    while (counts[EVALUATIONS] < s->end && !de->failed) {
        i64 begin = counts[EVALUATIONS], passed = counts[MARKS_PASSED];
        i64 stop = passed < de->n_marks ? smaller(de->marks[passed], s->end) : s->end;
        if (s->enumerated) s->infeasible = draw_count(s, de, begin, stop);
        else
            while (s->done < stop) {
                if (work <= 0 || de->failed) return work;
                i64 batch = smaller(stop - s->done, BATCH);
                s->infeasible += simulate(s, de, s->done, s->done + batch);
                s->done += batch, work -= batch * s->words;
            }
        for (i64 i = larger(begin - s->begin, 0); i < stop - s->begin; i++)
            s->infeasible += s->accepting[i] & de->infeasible[i];
        count(de, stop - begin, s->infeasible);
        s->done = stop, s->infeasible = 0;
    }
    return work - larger(s->end - s->begin, 1) * s->words;
}

static int differ(const double *x, const double *y, i64 n)
{
    int differs = 0;
    for (i64 j = 0; j < n; j++) differs |= x[j] != y[j];
    return differs;
}

/* Slots take their trials and a value U(0, f), and wait for the next */
static void end_stretch(Fast *s, Run *de)
{
    i64 n = de->n;
    for (i64 i = 0; i < s->end - s->begin; i++)
        if (s->accepting[i]) {
            double *x = de->P + i * n, *u = de->U + i * n;
            s->accepting[i] = 0;
            if (de->fate == COMPETES || !de->infeasible[i]) {
                de->f[i] *= 1.0 - uniform01(&de->rng);
                s->changed[i] |= (uint8_t)differ(x, u, n);
                memcpy(x, u, (size_t)n * sizeof(double));
                encode(s, de, i);
                de->counts[ACCEPTED]++;
            }
            s->clock[i] = s->generation + wait_for(de->f[i], never(de) - s->generation, &de->rng);
            if (de->f[i] < de->f[de->best]) de->best = i; /* values only fall */
        }
    s->end = 0;
}

int ADVANCE(Fast *s, Run *de, i64 until, i64 work)
{
    if (de->counts[EVALUATIONS] == 0) start(s, de);
    while (de->counts[EVALUATIONS] < until && !de->failed) {
        if (work <= 0) return 1;
        if (!s->end) begin_stretch(s, de, until);
        work = go_through_stretch(s, de, work);
        if (de->counts[EVALUATIONS] >= s->end && !de->failed) end_stretch(s, de);
    }
    return 0;
}
#endif
