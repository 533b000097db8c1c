/* Algorithm 1: what an operator of each role looks like in C, and the state of a run. */
#ifndef DEBOX_LOOP_H
#define DEBOX_LOOP_H
#include <stddef.h>
#include <stdint.h>

typedef int64_t i64;

/* Random numbers: NumPy's bit generators, by the layout of their bitgen_t, and two of NumPy's distributions, as pointers:
   nothing here needs NumPy's headers or libraries. */
#ifndef NUMPY_CORE_INCLUDE_NUMPY_RANDOM_BITGEN_H_ /* where NumPy's own header is included, it comes first */
typedef struct bitgen {
    void *state;
    uint64_t (*next_uint64)(void *state);
    uint32_t (*next_uint32)(void *state);
    double (*next_double)(void *state);
    uint64_t (*next_raw)(void *state);
} bitgen_t;
#endif

typedef struct {
    bitgen_t bits; /* a copy of NumPy's; first, so that a Rng is at the address of a bitgen_t */
    double (*normal)(bitgen_t *);                 /* N(0, 1) */
    i64 (*binomial)(bitgen_t *, double p, i64 n); /* successes in n trials */
} Rng;

/* U(0, 1), without 1 */
static inline double uniform01(Rng *rng) { return rng->bits.next_double(rng->bits.state); }

/* Uniform on 0..k-1: floor(kU) (off by less than k/2^53) */
static inline i64 draw(i64 k, Rng *rng) { return (i64)(uniform01(rng) * k); }

/* By how much, in widths of the box, a component may be beyond a bound and count as on it: not at all. Builds with
   another TOLERANCE, for a reading of the paper's text (benchmarks/variants.py), are never shipped. */
#ifndef TOLERANCE
#define TOLERANCE 0.0
#endif

/* Operators. One that cannot go on, such as a Python function that raised, sets *failed, which ends the run. */
#define DONORS(name) void name(i64 N, i64 target, i64 best, Rng *rng, i64 n_donors, uint64_t *r, i64 *failed)
#define MUTATION(name) \
    void name(const double *x, const double *best, const double *r1, const double *r2, const double *r3, \
              const double *r4, const double *r5, double F, double K, double *restrict v, i64 n, i64 *failed)
#define CROSSOVER(name) \
    void name(const double *x, const double *v, double Cr, Rng *rng, double *restrict u, i64 n, i64 *failed)
#define STRATEGY(name) double name(double u, double x, double c, double a, double b, Rng *rng, i64 *failed)
#define WHOLE(name) \
    void name(double *u, const double *x, const double *c, const double *a, const double *b, Rng *rng, i64 n, i64 *failed)
#define SAMPLE(name) void name(i64 i, const double *memory, i64 cells, Rng *rng, double *F_Cr, i64 N, i64 *failed)
#define LEARN(name) \
    i64 name(const double *F_Cr, i64 N, double *gain, i64 trials, double *memory, i64 cells, i64 cell, i64 *failed)
typedef DONORS(Donors);
typedef MUTATION(Mutation);
typedef CROSSOVER(Crossover);
typedef STRATEGY(Strategy);
typedef WHOLE(Whole);
typedef SAMPLE(Sample);
typedef LEARN(Learn);

/* Component i of the mutant: operators.h makes operators of these formulas, fast.c checks of single components. */
#define MUTATIONS(FORMULA) \
    FORMULA(rand_1, r1[i] + F * (r2[i] - r3[i])) \
    FORMULA(rand_2, r1[i] + F * (r2[i] - r3[i]) + F * (r4[i] - r5[i])) \
    FORMULA(best_1, best[i] + F * (r1[i] - r2[i])) \
    FORMULA(best_2, best[i] + F * (r1[i] - r2[i]) + F * (r3[i] - r4[i])) \
    FORMULA(current_to_best_1, x[i] + F * (best[i] - x[i]) + F * (r1[i] - r2[i])) \
    FORMULA(current_to_best_2, x[i] + F * (best[i] - x[i]) + F * (r1[i] - r2[i]) + F * (r3[i] - r4[i])) \
    FORMULA(rand_to_best_1, r1[i] + F * (best[i] - r1[i]) + F * (r2[i] - r3[i])) \
    FORMULA(rand_to_best_2, r1[i] + F * (best[i] - r1[i]) + F * (r2[i] - r3[i]) + F * (r4[i] - r5[i])) \
    FORMULA(current_to_rand_1, x[i] + K * (r1[i] - x[i]) + K * F * (r2[i] - r3[i])) \
    FORMULA(current_to_pbest_1, x[i] + F * (best[i] - x[i]) + F * (r1[i] - r2[i])) /* best: one of the p-best */
#define DECLARE(name, formula) MUTATION(name);
MUTATIONS(DECLARE)

enum { EVALUATIONS, INFEASIBLE, ACCEPTED, NANS, MARKS_PASSED }; /* places of counts */
enum { POPULATION, ARCHIVED, CELL };                            /* places of sizes */
enum { BASE_R1, BASE_BEST, BASE_TARGET };                       /* to what a mutation adds differences */
enum { RAISED = 1, WRONG_DONOR };                               /* why a run has failed */
enum { COMPETES, LOSES, UNSEEN };                               /* the fate of an infeasible trial */

/* A struct, and its fields as a text, by which Python knows them */
#define STRUCT(name, ...) \
    typedef struct name { \
        __VA_ARGS__ \
    } name; \
    static inline const char *fields_of_##name(void) { return #__VA_ARGS__; }

/* A run: its configuration, its box, its state. In loop.py they have the same names. */
STRUCT(Run,
    Donors *donors;
    Mutation *mutation;
    Crossover *crossover;
    Whole *whole;                /* if not NULL, repairs the whole trial in place of the strategies */
    Sample *sample;              /* NULL: F and Cr are fixed and the population is not ranked */
    Learn *learn;
    Strategy **strategies;       /* those in use */
    const uint16_t *strategy_of; /* for each variable, the index of its strategy */
    const uint8_t *periodic;     /* for each variable, is it wrapped before the check? NULL: none is */

    i64 n, N, budget;
    i64 n_donors, base, draws_K;
    i64 n_own_strategies; /* strategies from this index on are a user's: they are never asked about NaN */
    i64 redraws;          /* how often an infeasible trial is drawn again before it is repaired */
    i64 repairs_mutant, fate, frozen;
    i64 uses_p_best, p_varies, keeps_ties;
    i64 avoided;                /* number of parents, target and best, that the donor rule avoids */
    i64 least;                  /* N at the end of the budget */
    i64 belongs_to_individuals; /* column i of the memory belongs to individual i */
    i64 cells, n_marks;
    i64 trials;      /* of the generation that is proposed; 0: none is */
    i64 generations; /* finished, the initial population not counted; -1: that is not evaluated yet */
    i64 best, failed;
    double F, Cr, p, archives, target;

    const double *a, *b;            /* n bounds */
    double *P, *f;                  /* N individuals, then the archive; N values */
    double *U, *f_U;                /* the trials and their values */
    double *F_Cr, *memory, *gain;   /* 2 x N, 2 x cells, N */
    double *v, *taken;              /* room for a mutant, and for 3 x n numbers: a mask, zeros, ones */
    i64 *sizes, *order;             /* individuals, archived points, next cell; individuals from best to worst */
    i64 *counts, *infeasible_at;    /* what a run counts; infeasible trials at each mark that is passed */
    i64 *outside, *pending;         /* 3 x n components: below and above their bounds, wrapped; of finished generations,
                                       of the trials proposed */
    i64 *violations_at;             /* 2 x n at each mark, as best_at and spread_at at the end of its generation */
    double *best_at, *spread_at;    /* f of the best; standard deviation in widths of the box, mean over variables */
    const i64 *marks;               /* rising numbers of evaluations */
    uint8_t *infeasible;            /* of each trial */
    Rng rng;
)

static inline i64 smaller(i64 a, i64 b) { return a < b ? a : b; }
static inline i64 larger(i64 a, i64 b) { return a > b ? a : b; }

i64 propose(Run *de);
i64 select_survivors(Run *de);
int step_on_f0(Run *de, i64 until);
int build(Run *de, i64 i, i64 best, double F, double Cr, double *u);
i64 best_of(const double *f, i64 N);
void count(Run *de, i64 evaluations, i64 infeasible);
void draw_donors(Run *de, i64 N, i64 target, i64 best, uint64_t *r);

typedef struct {
    const char *name;
    void (*address)(void);
} Named;
extern const Named OPERATORS[]; /* those of operators.h by their names; the last name is NULL */

#endif
