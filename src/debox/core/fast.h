/* The fast engine on f0: the same law as Algorithm 1, in a hundredth of the time.

   f0 gives every point a fresh U(0, 1), so acceptance is independent of position. Three ideas follow:

   Clocks     A slot of value f waits a geometric number of generations for its next acceptance, and then has a value
              U(0, f). Until then, in a quiet stretch, the population stands still. The accepted trials, some hundred
              per run, are built with the ordinary operators.
   Count      A rejected trial leaves one bit: was it infeasible? No trial is built for it: donors are drawn, and the
              components of its mutant that lie outside are counted.
   Enumerate  If a stretch is long and there are few tuples of donors, the exact chance q of a trial to be infeasible is
              computed from all of them, and ONE Binomial(trials, q) number is drawn.

   Mutants are checked in whole numbers of 16 bits, 32 components at a time, trial by trial in batches; only components
   too near to a bound go to the exact formula. Each trial of a batch has its own generator of random numbers.

   Speed is limited by reading three to five rows of codes for each trial, hence rows that begin with a line of the
   cache; by branches that processors cannot predict, hence loops that count without one and list what is left for
   later; and, with strategies that put points on bounds, by the formula, which most tuples may need then.

   Here are the struct Fast and, where WIDTH is defined, the inner loops: fast.c includes them for vectors of 512, 256
   and 128 bits, with the same results. */
#ifndef DEBOX_FAST_H
#define DEBOX_FAST_H
#include "loop.h"

#define BATCH 256    /* trials at a time: their columns stay in the first-level cache */
#define MARGIN 3     /* units of 1/S: more than half a unit for each of five terms */
#define UNIT 0x1p-46 /* of a chance as a whole number */
enum { TARGET, BEST, R1, R2, R3, R4, R5, ROLES }; /* in a mutation: the rows of `parents` */

/* Of the components `open`, in 32 of mutant t, those that lie outside [0, 1], by the formula of the mutation */
struct Fast;
typedef uint32_t Exactly(const struct Fast *s, Run *de, i64 t, i64 word, uint32_t open);

/* Tables of a configuration, room for a batch, the state of a run. tables.py has the arrays, under the same names. */
STRUCT(Fast,
    Exactly *exactly;
    i64 words;                             /* of 32 components, per individual */
    i64 stride;                            /* between the codes of two individuals; 0: codes are no help */
    i64 S, n_weights, n_terms;
    i64 is_exp;                            /* the crossover: exp or bin? */
    i64 per_target, uses_best;             /* does the chance of a trial depend on its target; on the best? */
    i64 draws_together;                    /* are donors drawn for a whole batch, without the operator? */
    i64 avoids_target, avoids_best;        /* does the donor rule? */
    i64 n_tuples, n_with;                  /* of donors, 0: too many; of those, the ones with a given individual */

    const double *weights, *p_feasible, *accept_chance, *gap_sum;
    const i64 *roles, *all_tuples, *tuples_with;
    const int32_t *length_choices;
    const uint32_t *starts;
    const uint16_t *tuples;

    uint64_t *lanes;         /* a batch, column t for trial t: its generator, SFC64 */
    double *u;               /* a random number */
    int32_t *parents;        /* who has which role */
    uint32_t *places;        /* where the codes of each term start */
    int32_t *first, *length; /* exp: the segment that it takes */
    int32_t *undecided;      /* a list of trials that need the exact formula */

    uint16_t *codes;
    i64 *clock;                   /* for each slot, the generation of its next acceptance */
    uint8_t *accepting, *changed; /* which slots accept in this stretch; changed since chances were computed */
    i64 *chance, *total;          /* P(infeasible) for each target and tuple, and its sum over tuples, in UNITs */
    double *q;                    /* its mean over the tuples that the rule allows */
    i64 last_best;                /* when they were computed */
    double missed_savings;        /* by simulating since, in trials; see is_worthwhile */
    i64 generation, begin, end;   /* the one that ends this stretch, in evaluations; end = 0: no stretch is begun */
    i64 enumerated;               /* this stretch? */
)

typedef struct {
    const char *name;
    int (*works_here)(void);                                  /* on this processor */
    i64 (*simulate)(Fast *s, Run *de, i64 begin, i64 trials);
    void (*update_chances)(Fast *s, Run *de, i64 target, const i64 *numbers, i64 count);
} Width;
extern const Width WIDTHS[]; /* from the widest to the baseline, which works everywhere; the last name is NULL */

/* Start or continue until the run has done `until` evaluations, an operator fails or the work, in words of mutants, is
   done.   Is there more to do? Then the next call goes on as if there had been one call. */
int advance_fast(const Width *width, Fast *s, Run *de, i64 until, i64 work);
#endif

#ifdef WIDTH
/* ---- Codes: a population in whole numbers of 16 bits ----------------------------------------------------------------

   A mutant component is a weighted sum of its parents' components. `codes` has, for each weight w and individual, w x
   in whole units of 1/S; a component is the sum of three to five codes. A sum is wrong by half a unit a term at most:
   more than MARGIN units from both bounds it decides, otherwise the formula does. Sums wrap around at 2^16;
   S is small enough that none gets back into the box that way. */

/* Where the codes for each term of the mutants of a batch start */
WIDE static void V(locate)(Fast *s, i64 trials) {
    for (i64 term = 0; term < s->n_terms; term++) {
        const int32_t *restrict who = s->parents + s->roles[term] * BATCH;
        uint32_t *restrict place = s->places + term * BATCH;
        uint32_t start = s->starts[term], stride = (uint32_t)s->stride;
        for (i64 t = 0; t < trials; t++) place[t] = (uint32_t)who[t] * stride + start;
    }
}

/* Vectors of WIDTH bits, and V(more): of 32 numbers, a bit for each that is > limit */
#if WIDTH == 512
typedef __m512i V(Vector);
#define MM(name) _mm512_##name
WIDE ALWAYS_INLINE uint32_t V(more)(const V(Vector) *v, short limit) {
    return _mm512_cmpgt_epi16_mask(v[0], _mm512_set1_epi16(limit));
}
#elif WIDTH == 256
typedef __m256i V(Vector);
#define MM(name) _mm256_##name
WIDE ALWAYS_INLINE uint32_t V(more)(const V(Vector) *v, short limit) {
    __m256i most = _mm256_set1_epi16(limit);
    __m256i both = _mm256_packs_epi16(_mm256_cmpgt_epi16(v[0], most), _mm256_cmpgt_epi16(v[1], most));
    return (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(both, 0xD8)); /* pack goes by halves */
}
#elif WIDTH == 128
typedef __m128i V(Vector);
#define MM(name) _mm_##name
WIDE ALWAYS_INLINE uint32_t V(more)(const V(Vector) *v, short limit) {
    __m128i most = _mm_set1_epi16(limit);
    __m128i low = _mm_packs_epi16(_mm_cmpgt_epi16(v[0], most), _mm_cmpgt_epi16(v[1], most));
    __m128i high = _mm_packs_epi16(_mm_cmpgt_epi16(v[2], most), _mm_cmpgt_epi16(v[3], most));
    return (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
}
#else /* one number: compilers make vectors of what they can */
typedef int16_t V(Vector);
#define MM(name) one_##name
static inline int16_t one_set1_epi16(short x) { return x; }
static inline int16_t one_add_epi16(int16_t x, int16_t y) { return (int16_t)(x + y); }
WIDE ALWAYS_INLINE uint32_t V(more)(const V(Vector) *v, short limit) {
    uint8_t is_more[32];
    uint64_t eight;
    uint32_t bits = 0;
    for (int k = 0; k < 32; k++) is_more[k] = v[k] > limit;
    for (int k = 0; k < 32; k += 8) {
        memcpy(&eight, is_more + k, 8);
        bits |= (uint32_t)(eight * 0x0102040810204080 >> 56) << k; /* the highest byte gets a bit of each */
    }
    return bits;
}
#endif

/* Of 32 components, those surely and those perhaps outside the box: with sums v modulo 2^16

   surely: v + MARGIN > S + 2 MARGIN;  perhaps: v - MARGIN > S - 2 MARGIN

   Vectors are compared as numbers with a sign: 2^15 is subtracted on both sides. */
WIDE ALWAYS_INLINE Bits V(look)(const Fast *s, i64 t, i64 word, int terms) {
    V(Vector) v[512 / WIDTH];
    for (int k = 0; k < 512 / WIDTH; k++) v[k] = MM(set1_epi16)((short)(MARGIN - 0x8000));
    for (int term = 0; term < terms; term++) {
        const V(Vector) *code = (const V(Vector) *)(s->codes + s->places[term * BATCH + t] + 32 * word);
        for (int k = 0; k < 512 / WIDTH; k++) v[k] = MM(add_epi16)(v[k], code[k]);
    }
    uint32_t surely = V(more)(v, (short)(s->S + 2 * MARGIN - 0x8000));
    for (int k = 0; k < 512 / WIDTH; k++) v[k] = MM(add_epi16)(v[k], MM(set1_epi16)(-2 * MARGIN));
    return (Bits){surely, V(more)(v, (short)(s->S - 2 * MARGIN - 0x8000))};
}
#undef MM

/* The number of bits set; processors with wide vectors, and others than x86, have an instruction for it */
WIDE ALWAYS_INLINE Counts V(count_bits)(Bits b) {
#if WIDTH != 128 && defined(__GNUC__)
    return (Counts){__builtin_popcount(b.surely), __builtin_popcount(b.perhaps)};
#else
    uint64_t x = b.surely | (uint64_t)b.perhaps << 32; /* sums of 2, 4, 8 and 32 bits */
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = ((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x01010101;
    return (Counts){x >> 24 & 255, x >> 56};
#endif
}

/* ---- Is a trial infeasible? -----------------------------------------------------------------------------------------

   Crossover takes components of the mutant: bin, as far as is known here, all of them; exp L of them from I on. With k
   of those outside the box a trial of exp is infeasible if k > 0, one of bin if U >= p_feasible[k], which is
   (1 - k/n)(1 - Cr)^k, the chance that none of the k is exchanged. */

/* As V(look), among the components `taken`; if `exactly`, surely and perhaps are the same */
WIDE ALWAYS_INLINE Bits V(find_outside)(Fast *s, Run *de, i64 t, i64 word, uint32_t taken, int exactly, int terms) {
    Bits b = V(look)(s, t, word, terms);
    b.surely &= taken, b.perhaps &= taken;
    if (exactly && b.surely != b.perhaps)
        b.surely = b.perhaps = b.surely | s->exactly(s, de, t, word, b.surely ^ b.perhaps);
    return b;
}

/* Bounds of k for trial t, or k exactly; of exp, of any number that is positive where k is. Word by word, of exp those
   of its segment, until the trial is decided; to check that costs as much as a word. */
WIDE ALWAYS_INLINE Counts V(count_outside)(Fast *s, Run *de, i64 t, int exactly, int is_exp, int one_word, int terms) {
    i64 words = one_word ? 1 : s->words, word = is_exp && !one_word ? s->first[t] / 32 : 0;
    Counts outside = {0, 0};
    for (i64 done = 0; done < words; done++, word = word + 1 < words ? word + 1 : 0) {
        if (!one_word && done % 4 == 0 && is_infeasible(s, t, outside.least, is_exp)) break;
        uint32_t taken = low_bits(de->n - 32 * word);
        if (is_exp) taken = segment_bits(de->n, s->first[t], s->length[t], 32 * word, one_word);
        if (is_exp && !taken) break;
        Bits b = V(find_outside)(s, de, t, word, taken, exactly, terms);
        Counts more = is_exp ? (Counts){b.surely, b.perhaps} : V(count_bits)(b);
        outside.least += more.least, outside.most += more.most;
    }
    return outside;
}

WIDE ALWAYS_INLINE i64 V(scan)(Fast *s, Run *de, i64 trials, int is_exp, int one_word, int terms) {
    i64 infeasible = 0, undecided = 0;
    for (i64 t = 0; t < trials; t++) { /* without a branch: count if surely infeasible, list if perhaps */
        Counts outside = V(count_outside)(s, de, t, 0, is_exp, one_word, terms);
        int surely = is_infeasible(s, t, outside.least, is_exp), perhaps = is_infeasible(s, t, outside.most, is_exp);
        s->undecided[undecided] = (int32_t)t;
        undecided += perhaps - surely, infeasible += surely;
    }
    for (i64 k = 0; k < undecided; k++) {
        i64 t = s->undecided[k];
        infeasible += is_infeasible(s, t, V(count_outside)(s, de, t, 1, is_exp, one_word, terms).least, is_exp);
    }
    return infeasible;
}

/* ---- A quiet stretch, trial by trial ----------------------------------------------------------------------------- */

/* A fresh U(0, 1) for each trial, from its SFC64 (C. Doty-Humphrey), as NumPy's of the same state */
WIDE static void V(uniforms)(Fast *s, i64 trials) {
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

/* Mutually distinct donors: the k-th is uniform on the N - k not yet drawn. Three are drawn from one U, digit by digit,
   and then counted without those before them, in rising order. */
WIDE ALWAYS_INLINE void V(draw_some)(Fast *s, i64 N, i64 trials, int donors) {
    double *restrict u = s->u;
    int32_t *restrict r = s->parents + R1 * BATCH, rising[5][BATCH];
    for (int k = 0; k < donors; k++) {
        double left = (double)(N - k);
        if (k % 3 == 0) V(uniforms)(s, trials);
        for (i64 t = 0; t < trials; t++) {
            double x = u[t] * left;
            r[k * BATCH + t] = (int32_t)x;
            u[t] = x - (int32_t)x;
        }
    }
    for (int k = 0; k < donors; k++) {
        int32_t *restrict drawn = r + k * BATCH, *restrict highest = rising[k];
        for (int i = 0; i < k; i++)
            for (i64 t = 0; t < trials; t++) drawn[t] += drawn[t] >= rising[i][t];
        for (i64 t = 0; t < trials; t++) highest[t] = drawn[t];
        for (int i = 0; i < k && k < donors - 1; i++)
            for (i64 t = 0; t < trials; t++) {
                int32_t a = rising[i][t], b = highest[t];
                rising[i][t] = a < b ? a : b;
                highest[t] = a < b ? b : a;
            }
    }
}

/* exp: I = floor(nU), and L from the alias table with the rest of U */
WIDE static void V(draw_segments)(Fast *s, i64 n, i64 trials) {
    double *restrict u = s->u, all = (double)n;
    int32_t *restrict first = s->first, *restrict length = s->length;
    for (i64 t = 0; t < trials; t++) {
        double x = u[t] * all;
        first[t] = (int32_t)x;
        u[t] = (x - first[t]) * all;
    }
    for (i64 t = 0; t < trials; t++) { /* without a branch */
        i64 column = (i64)u[t];
        length[t] = s->length_choices[2 * column + (u[t] - (double)column < s->accept_chance[column])];
    }
}

/* The number of infeasible trials among the next, at most a batch */
WIDE static i64 V(simulate)(Fast *s, Run *de, i64 begin, i64 trials) {
    if (s->per_target) list_targets(s, de->N, begin, trials);
    if (!s->draws_together) draw_by_rule(s, de, trials);
    else if (de->n_donors > 3) V(draw_some)(s, de->N, trials, 5);
    else V(draw_some)(s, de->N, trials, 3);
    V(uniforms)(s, trials);
    if (s->is_exp) V(draw_segments)(s, de->n, trials);
    V(locate)(s, trials);
    return BY_SHAPE(V(scan), s, de, trials);
}

/* ---- Or: the exact chance of a trial to be infeasible -------------------------------------------------------------- */

/* The chance of mutant t in UNITs: of bin by k; of exp (1/n) sum Cr^d over all starts I, with d the distance from I to
   the next component outside, 0 if there is none. One such component adds gap_sum[its distance from the one before]. */
WIDE ALWAYS_INLINE i64 V(chance_of)(Fast *s, Run *de, i64 t, int is_exp, int one_word, int terms) {
    i64 outside = 0, first = -1, last = -1;
    double sum = 0.0;
    for (i64 word = 0; word < (one_word ? 1 : s->words); word++) {
        Bits b = V(find_outside)(s, de, t, word, low_bits(de->n - 32 * word), 1, terms);
        if (!is_exp) outside += V(count_bits)(b).least;
        else
            for (uint32_t left = b.surely; left; left &= left - 1) {
                i64 j = 32 * word + lowest_bit(left);
                if (last < 0) first = j;
                else sum += s->gap_sum[j - last];
                last = j;
            }
    }
    if (!is_exp) return (i64)((1.0 - s->p_feasible[outside]) / UNIT);
    return last < 0 ? 0 : (i64)((sum + s->gap_sum[first + de->n - last]) / (double)de->n / UNIT);
}

/* Write the chances of the tuples of these numbers, whose donors `parents` has; by how much their sum changed */
WIDE ALWAYS_INLINE i64 V(write_chances)(Fast *s, Run *de, i64 *chance, const i64 *numbers, i64 trials, int is_exp,
                                        int one_word, int terms) {
    i64 change = 0;
    for (i64 t = 0; t < trials; t++) { /* not as in scan: with points on bounds nearly every tuple needs the formula */
        i64 now = V(chance_of)(s, de, t, is_exp, one_word, terms);
        change += now - chance[numbers[t]];
        chance[numbers[t]] = now;
    }
    return change;
}

/* Compute the chances of these tuples for this target */
WIDE static void V(update_chances)(Fast *s, Run *de, i64 target, const i64 *numbers, i64 count) {
    int32_t *parents = s->parents;
    i64 *chance = s->chance + target * s->n_tuples;
    for (i64 t = 0; t < smaller(count, BATCH); t++)
        parents[TARGET * BATCH + t] = (int32_t)target, parents[BEST * BATCH + t] = (int32_t)de->best;
    for (; count > 0; count -= BATCH, numbers += BATCH) {
        i64 trials = smaller(count, BATCH);
        for (i64 k = 0; k < de->n_donors; k++)
            for (i64 t = 0; t < trials; t++) parents[(R1 + k) * BATCH + t] = s->tuples[5 * numbers[t] + k];
        V(locate)(s, trials);
        s->total[target] += BY_SHAPE(V(write_chances), s, de, chance, numbers, trials);
    }
}
#endif
