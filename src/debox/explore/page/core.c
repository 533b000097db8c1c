/* The C core in the explorer's page: Algorithm 1 and the fast engine, as WebAssembly, with room for one run.

   `python -m debox.explore.build` compiles it. The page calls the functions marked EXPORT and reads the arrays that they
   return; core.js does both. Here stand what the core has from NumPy in Python (a generator of random numbers, normal
   and binomial numbers) and the tables of the fast engine, which f0/tables.py explains. */
#include "../../core/loop.c"
#include "../../core/fast.c"

#define EXPORT(name) __attribute__((export_name(#name)))
enum { MOST_N = 200, MOST_n = 100, MOST_CHANCES = 20000, MOST_TERMS = 5, WIDTH_OF_n = (MOST_n + 31) / 32 * 32 };
#define FARTHEST 100.0 /* widths of the box: codes of mutants beyond tell too little */

static Run de;
static Fast fast;
static int is_fast; /* else Algorithm 1 */

/* ---- Random numbers: SFC64 with NumPy's numbers; normal and binomial ones are not NumPy's -------------------------- */

static uint64_t state[4];

static uint64_t next_uint64(void *unused) {
    uint64_t a = state[0], b = state[1], c = state[2], out = a + b + state[3]++;
    (void)unused;
    state[0] = b ^ b >> 11, state[1] = c + (c << 3), state[2] = (c << 24 | c >> 40) + out;
    return out;
}

static double next_double(void *unused) { return (double)(next_uint64(unused) >> 11) * 0x1p-53; }

/* N(0, 1), by Box and Muller's formula */
static double normal(bitgen_t *bits) {
    double r = sqrt(-2.0 * log(1.0 - bits->next_double(NULL)));
    return r * cos(2.0 * PI * bits->next_double(NULL));
}

/* Binomial(n, p), by inversion: probabilities are taken from U, the largest first, then alternately on both sides */
static i64 binomial_number(bitgen_t *bits, double p, i64 n) {
    if (n <= 0 || p <= 0.0) return 0;
    if (p >= 1.0) return n;
    i64 mode = smaller(n, (i64)((double)(n + 1) * p)), low = mode, high = mode;
    double odds = p / (1.0 - p), k = (double)mode, rest = (double)(n - mode);
    double below = exp(lgamma((double)n + 1.0) - lgamma(k + 1.0) - lgamma(rest + 1.0) + k * log(p) + rest * log1p(-p));
    double above = below, left = bits->next_double(NULL) - below;
    while (left >= 0.0 && above + below > 1e-300) { /* else U is within rounding of 1 */
        if (high < n) above *= (double)(n - high) / (double)(high + 1) * odds, high++;
        else above = 0.0;
        if ((left -= above) < 0.0) return high;
        if (low > 0) below *= (double)low / ((double)(n - low + 1) * odds), low--;
        else below = 0.0;
        if ((left -= below) < 0.0) return low;
    }
    return mode;
}

/* ---- What a trial was before it was repaired, for the view "Inside a run" ------------------------------------------ */

typedef struct {
    double v[2], u[2]; /* of the first draw: the mutant, and the trial */
    double r[5];       /* its donors */
    double draws;
} Trace;
static Trace traces[MOST_N], *trace;
static Donors *ask_donors;
static Crossover *cross_over;

static DONORS(traced_donors) {
    ask_donors(N, target, best, rng, n_donors, r, failed);
    trace = traces + target;
    for (i64 k = 0; k < n_donors && trace->draws == 0.0; k++) trace->r[k] = (double)r[k];
    trace->draws += 1.0;
}

static CROSSOVER(traced_crossover) {
    cross_over(x, v, Cr, rng, u, n, failed);
    for (i64 j = 0; j < n && trace->draws == 1.0; j++) trace->v[j] = v[j], trace->u[j] = u[j];
}

/* ---- Tables of the fast engine: f0/tables.py has them for Python ---------------------------------------------------- */

static double term_weights[MOST_TERMS], p_feasible[MOST_n + 1], accept_chance[MOST_n], gap_sum[MOST_n + 1];
static i64 roles[MOST_TERMS], all_tuples[MOST_CHANCES], tuples_with[5 * MOST_CHANCES];
static int32_t length_choices[2 * MOST_n];
static uint32_t starts[MOST_TERMS];
static uint16_t tuples[5 * MOST_CHANCES];
static uint64_t lanes[4 * BATCH];
static double room_u[BATCH], q[MOST_N];
static int32_t parents[ROLES * BATCH], first[BATCH], length[BATCH], undecided[BATCH];
static uint32_t places[MOST_TERMS * BATCH];
static uint16_t codes[MOST_TERMS * MOST_N * WIDTH_OF_n] __attribute__((aligned(64)));
static i64 chance[MOST_CHANCES], total[MOST_N], clock_of[MOST_N];
static uint8_t accepting[MOST_N], changed[MOST_N];

/* The sum of codes that makes a mutant component, from the weights of target, best, r1, ... */
static void make_terms(const double *weights) {
    double lowest = 0.0, highest = 0.0;
    i64 terms = 0, width = (de.n + 31) / 32 * 32;
    for (i64 role = 0; role < ROLES; role++) {
        lowest += fmin(weights[role], 0.0), highest += fmax(weights[role], 0.0);
        terms += weights[role] != 0.0;
    }
    double reach = fmax(highest, 1.0 - lowest);
    int helps = terms <= MOST_TERMS && reach <= FARTHEST;
    fast.words = width / 32, fast.stride = helps ? width : 0, fast.S = (i64)((65536 - 4 * MARGIN) / (helps ? reach : 1.0));
    fast.n_weights = fast.n_terms = 0;
    for (i64 role = 0; role < ROLES && helps; role++) {
        if (weights[role] == 0.0) continue;
        i64 table = 0;
        while (table < fast.n_weights && term_weights[table] != weights[role] * (double)fast.S) table++;
        if (table == fast.n_weights) term_weights[fast.n_weights++] = weights[role] * (double)fast.S;
        roles[fast.n_terms] = role, starts[fast.n_terms++] = (uint32_t)(table * de.N * width);
    }
    if (!helps) memset(codes, 0, (size_t)width * sizeof codes[0]);
    for (; fast.n_terms < 3; fast.n_terms++) roles[fast.n_terms] = TARGET, starts[fast.n_terms] = 0;
}

/* Walker's alias table of the segment's length under exp, P(L = l) = Cr^(l-1) (1 - Cr), and Cr^(n-1) for l = n */
static void make_lengths(i64 n, double Cr) {
    double share[MOST_n];
    i64 small[MOST_n], large[MOST_n], n_small = 0, n_large = 0;
    gap_sum[0] = 0.0;
    for (i64 i = 0; i < n; i++) {
        share[i] = pow(Cr, (double)i) * (i < n - 1 ? 1.0 - Cr : 1.0) * (double)n;
        accept_chance[i] = 1.0, length_choices[2 * i] = length_choices[2 * i + 1] = (int32_t)(i + 1);
        gap_sum[i + 1] = gap_sum[i] + pow(Cr, (double)i);
        if (share[i] < 1.0) small[n_small++] = i;
        else large[n_large++] = i;
    }
    while (n_small && n_large) {
        i64 low = small[--n_small], high = large[--n_large];
        accept_chance[low] = share[low], length_choices[2 * low] = (int32_t)(high + 1);
        share[high] -= 1.0 - share[low];
        if (share[high] < 1.0) small[n_small++] = high;
        else large[n_large++] = high;
    }
}

/* All tuples of donors, unless they are too many, and for each individual those with it */
static void make_tuples(i64 N, i64 k, i64 targets) {
    i64 counts[MOST_N] = {0}, number = 1;
    for (i64 d = 0; d < k && number <= MOST_CHANCES; d++) number *= N - d;
    fast.n_tuples = number * targets <= MOST_CHANCES ? number : 0;
    fast.n_with = fast.n_tuples * k / N;
    for (i64 t = 0; t < fast.n_tuples; t++) {
        uint16_t *tuple = tuples + 5 * t;
        i64 left = t;
        for (i64 d = k - 1; d >= 0; d--) tuple[d] = (uint16_t)(left % (N - d)), left /= N - d;
        for (i64 d = 1; d < k; d++) { /* the tuple[d]-th of those that are not before it */
            uint16_t free = tuple[d], who = 0;
            for (;; who++) {
                int taken = 0;
                for (i64 e = 0; e < d; e++) taken |= tuple[e] == who;
                if (!taken && !free--) break;
            }
            tuple[d] = who;
        }
        all_tuples[t] = t;
        for (i64 d = 0; d < k; d++) tuples_with[tuple[d] * fast.n_with + counts[tuple[d]]++] = t;
    }
}

/* ---- A configuration, and runs of it -------------------------------------------------------------------------------- */

EXPORT(name_of) const char *name_of(int k) { return OPERATORS[k].name; }
static double weights[ROLES];
EXPORT(weights_of_parents) double *weights_of_parents(void) { return weights; }

/* Operators by their numbers, what the table of operators says of them, and numbers; the weights are in their place.
   With `traces` it is Algorithm 1, and each trial is noted. */
EXPORT(configure)
void configure(int donors, int mutation, int crossover, int strategy, int n_donors, int base, int uses_best,
               int uses_target, int avoided, int is_exp, int is_whole, int redraws, int fate, int N, int n, int budget,
               double F, double Cr, int is_traced) {
    static double P[MOST_N * MOST_n], f[MOST_N], U[MOST_N * MOST_n], f_U[MOST_N], a[MOST_n], b[MOST_n], v[MOST_n];
    static double taken[3 * MOST_n], F_Cr[2 * MOST_N], memory[2], gain[MOST_N];
    static i64 sizes[3], order[MOST_N], counts[5], outside[3 * MOST_n], pending[3 * MOST_n];
    static uint8_t infeasible[MOST_N];
    static uint16_t strategy_of[MOST_n];
    static Strategy *strategies[1];
    i64 per_target = uses_target || avoided, targets = per_target ? N : 1;
    strategies[0] = is_whole ? saturation : (Strategy *)OPERATORS[strategy].address;
    for (int j = 0; j < MOST_n; j++) b[j] = 1.0;
    for (int i = 0; i < N; i++) F_Cr[i] = F, F_Cr[N + i] = Cr;
    ask_donors = (Donors *)OPERATORS[donors].address, cross_over = (Crossover *)OPERATORS[crossover].address;
    de = (Run){
        .donors = is_traced ? traced_donors : ask_donors, .mutation = (Mutation *)OPERATORS[mutation].address,
        .crossover = is_traced ? traced_crossover : cross_over,
        .whole = is_whole ? (Whole *)OPERATORS[strategy].address : NULL, .strategies = strategies,
        .strategy_of = strategy_of, .n = n, .N = N, .budget = budget, .n_donors = n_donors, .base = base,
        .n_own_strategies = is_whole ? 0 : 1, .redraws = redraws, .fate = fate, .avoided = avoided, .least = N,
        .F = F, .Cr = Cr, .target = -INFINITY, .a = a, .b = b, .P = P, .f = f, .U = U, .f_U = f_U, .F_Cr = F_Cr,
        .memory = memory, .gain = gain, .v = v, .taken = taken, .sizes = sizes, .order = order, .counts = counts,
        .outside = outside, .pending = pending, .infeasible = infeasible,
        .rng = {{NULL, next_uint64, NULL, next_double, next_uint64}, normal, binomial_number},
    };
    is_fast = !is_traced && budget >= 3 * N;
    fast = (Fast){
        .is_exp = is_exp, .per_target = per_target, .uses_best = uses_best, .draws_together = !avoided,
        .avoids_target = avoided > 0, .avoids_best = avoided > 1, .weights = term_weights, .p_feasible = p_feasible,
        .accept_chance = accept_chance, .gap_sum = gap_sum, .roles = roles, .all_tuples = all_tuples,
        .tuples_with = tuples_with, .length_choices = length_choices, .starts = starts, .tuples = tuples,
        .lanes = lanes, .u = room_u, .parents = parents, .places = places, .first = first, .length = length,
        .undecided = undecided, .codes = codes, .clock = clock_of, .accepting = accepting, .changed = changed,
        .chance = chance, .total = total, .q = q,
    };
    if (!is_fast) return;
    make_terms(weights);
    make_tuples(N, n_donors, targets);
    for (i64 k = 0; k <= n; k++) p_feasible[k] = (1.0 - (double)k / n) * pow(1.0 - Cr, (double)k);
    if (is_exp) make_lengths(n, Cr);
}

EXPORT(state_of_generator) uint64_t *state_of_generator(void) { return state; }
EXPORT(uniform_number) double uniform_number(void) { return uniform01(&de.rng); }
EXPORT(normal_number) double normal_number(void) { return normal(&de.rng.bits); }
EXPORT(binomial_number_of) double binomial_number_of(int n, double p) {
    return (double)binomial_number(&de.rng.bits, p, n);
}

/* The numbers of a stream: a state for each seed and run, which 18 steps mix */
EXPORT(seed) void seed(int seed, int run) {
    state[0] = (uint32_t)seed, state[1] = (uint32_t)run, state[2] = 0, state[3] = 1;
    for (int k = 0; k < 18; k++) next_uint64(NULL);
}

/* A run from a random population, as f0/engines.py begins one */
EXPORT(begin) void begin(void) {
    memset(de.counts, 0, 5 * sizeof(i64)), memset(fast.chance, 0, sizeof chance), memset(fast.total, 0, sizeof total);
    memset(de.outside, 0, (size_t)(3 * de.n) * sizeof(i64));
    de.sizes[POPULATION] = de.N, de.trials = 0, de.generations = -1;
    for (i64 k = 0; k < de.N * de.n; k++) de.P[k] = uniform01(&de.rng);
    for (i64 i = 0; i < de.N && is_fast; i++) de.f[i] = uniform01(&de.rng);
    for (i64 k = 0; k < 4 * BATCH && is_fast; k++) lanes[k] = next_uint64(NULL);
}

/* On f0: go on until this number of evaluations; how many trials were infeasible so far */
EXPORT(advance) double advance(int until) {
    while (is_fast ? advance_fast(WIDTHS, &fast, &de, until, INT64_MAX) : step_on_f0(&de, until)) {}
    return (double)de.counts[INFEASIBLE];
}
EXPORT(count_of) double count_of(int place) { return (double)de.counts[place]; }

/* ---- A run step by step, whose values the page gives ----------------------------------------------------------------- */

EXPORT(make_trials) int make_trials(void) {
    memset(traces, 0, sizeof traces);
    return (int)propose(&de);
}
EXPORT(replace) void replace(void) { select_survivors(&de); }
EXPORT(best) int best(void) { return (int)de.best; }
EXPORT(population) double *population(void) { return de.P; }
EXPORT(values) double *values(void) { return de.f; }
EXPORT(trials) double *trials(void) { return de.U; }
EXPORT(values_of_trials) double *values_of_trials(void) { return de.f_U; }
EXPORT(traces_of_trials) Trace *traces_of_trials(void) { return traces; }
