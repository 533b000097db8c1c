/* The operators of Differential Evolution: donors, mutations, crossovers, strategies, adaptations.

   Each is one function with its formula on top; reference.py has the same in Python. loop.c includes this file. */
#include <math.h>
#include "loop.h"

/* Every operator of a role has its arguments, whether it uses them or not. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

/* ---- Donors: r_1, r_2, ... uniform and mutually distinct --------------------------------------------------------- */

static inline int repeats(const uint64_t *r, i64 k) {
    for (i64 earlier = 0; earlier < k; earlier++)
        if (r[earlier] == r[k]) return 1;
    return 0;
}

#define DONORS_BUT(name, avoided) \
    static DONORS(name) { \
        for (i64 k = 0; k < n_donors; k++) \
            do r[k] = (uint64_t)draw(N, rng); while ((avoided) || repeats(r, k)); \
    }
DONORS_BUT(distinct, 0)
DONORS_BUT(not_target, r[k] == (uint64_t)target)
DONORS_BUT(not_parents, r[k] == (uint64_t)target || r[k] == (uint64_t)best)

/* ---- Mutations: the mutant v from the target x, the best and the donors r1, r2, ... ------------------------------- */

#define MUTANT(name, formula) \
    MUTATION(name) { \
        for (i64 i = 0; i < n; i++) v[i] = formula; \
    }
MUTATIONS(MUTANT)

/* ---- Crossovers: the trial u of the target x and the mutant v ----------------------------------------------------- */

/* u_i = v_i if U_i <= Cr or i = I, else x_i */
static CROSSOVER(binomial) {
    for (i64 i = 0; i < n; i++) u[i] = uniform01(rng);
    u[draw(n, rng)] = 0.0; /* 0 <= Cr: component I always comes from the mutant */
    for (i64 i = 0; i < n; i++) u[i] = u[i] <= Cr ? v[i] : x[i];
}

/* u_i = v_i for i = I, I+1, ... (cyclically) while U <= Cr, else x_i */
static CROSSOVER(exponential) {
    for (i64 i = 0; i < n; i++) u[i] = x[i];
    i64 start = draw(n, rng);
    for (i64 step = 0; step < n; step++) {
        i64 i = (start + step) % n;
        u[i] = v[i];
        if (uniform01(rng) > Cr) break;
    }
}

/* ---- Strategies: the new value of a component u outside [a, b]; x is the target's component, c the base's ---------- */

static const double LARGEST = 1.7976931348623157e308;
static inline double clip(double u, double a, double b) { return u < a ? a : u > b ? b : u; }
/* A power of two: with everything scaled by it no difference overflows and the width does not vanish */
static inline double scale(double a, double b) { return b - a > 1.0 ? 0.25 : 1.0; }

/* (p - q) mod period for p >= q; fmod is exact, the difference itself would round when p is far away */
static inline double excess(double p, double q, double period) {
    double d = fmod(p, period) - fmod(q, period);
    return d < 0.0 ? d + period : d >= period ? d - period : d;
}

/* p + share (q - p) for p, q in [a, b] and a share in [0, 1] */
static inline double between(double p, double q, double share, double a, double b) {
    double s = scale(a, b);
    return clip((s * p + share * (s * q - s * p)) / s, a, b);
}

static inline double violated_bound(double u, double a, double b) { return u < a ? a : b; }

/* |ln(1 + U (e^-rho - 1))| widths inward from the violated bound: exponential, truncated at rho widths */
static inline double confined(double u, double rho, double a, double b, Rng *rng) {
    double share = -log1p(uniform01(rng) * expm1(-rho));
    return u < a ? between(a, b, share, a, b) : between(b, a, share, a, b);
}

/* the violated bound */
static STRATEGY(saturation) { return isnan(u) ? x : clip(u, a, b); }

/* a + ((u - a) mod (b - a)) */
static STRATEGY(toroidal) {
    if (isnan(u)) return x;
    double s = scale(a, b), low = s * a, high = s * b, wrapped;
    u = s * clip(u, -LARGEST, LARGEST);
    if (u > high) wrapped = low + excess(u, high, high - low);
    else {
        double beyond = excess(low, u, high - low);
        wrapped = beyond > 0.0 ? high - beyond : low;
    }
    return clip(wrapped / s, a, b);
}

/* reflect at the violated bound until inside: period 2(b - a), no loop */
static STRATEGY(mirror) {
    if (isnan(u)) return x;
    double s = scale(a, b), low = s * a, high = s * b, width = high - low, d, reflected;
    u = s * clip(u, -LARGEST, LARGEST);
    if (u > high) {
        d = excess(u, high, 2.0 * width);
        reflected = d <= width ? high - d : low + (d - width);
    } else {
        d = excess(low, u, 2.0 * width);
        reflected = d <= width ? low + d : high - (d - width);
    }
    return clip(reflected / s, a, b);
}

/* a + |N(0, (b - a)/3)| or b - |N(0, (b - a)/3)| at the violated bound, again until inside */
static STRATEGY(cotn) {
    double s = scale(a, b), sigma = (s * b - s * a) / 3.0 / s;
    while (!(a <= u && u <= b)) {
        double step = sigma * fabs(rng->normal(&rng->bits));
        u = u > b ? b - step : a + step;
    }
    return u;
}

/* a + U (b - a) */
static STRATEGY(uniform) { return between(a, b, uniform01(rng), a, b); }
/* g/2 + x_t/2, g the violated bound */
static STRATEGY(midpoint_target) { return isnan(u) ? x : clip(violated_bound(u, a, b) / 2.0 + x / 2.0, a, b); }
/* g/2 + c/2, g the violated bound, c the base */
static STRATEGY(midpoint_base) { return isnan(u) ? x : clip(violated_bound(u, a, b) / 2.0 + c / 2.0, a, b); }
/* x_t + U (g - x_t), g the violated bound */
static STRATEGY(rand_target) { return isnan(u) ? x : between(x, violated_bound(u, a, b), uniform01(rng), a, b); }
/* c + U (g - c), g the violated bound, c the base */
static STRATEGY(rand_base) { return isnan(u) ? x : between(c, violated_bound(u, a, b), uniform01(rng), a, b); }

/* |ln(1 + U (e^-rho - 1))| (b - a) inward from the violated bound g, rho = |x_t - g|/(b - a) */
static STRATEGY(exp_target) {
    if (isnan(u)) return x;
    double s = scale(a, b);
    return confined(u, fabs(s * x - s * violated_bound(u, a, b)) / (s * b - s * a), a, b, rng);
}

/* |ln(1 + U (e^-rho - 1))| (b - a) inward from the violated bound, rho = 1/2 */
static STRATEGY(exp_center) { return isnan(u) ? x : confined(u, 0.5, a, b, rng); }
/* |ln(1 + U (e^-rho - 1))| (b - a) inward from the violated bound, rho = 1 */
static STRATEGY(exp_spread) { return isnan(u) ? x : confined(u, 1.0, a, b, rng); }

/* a + U min(a - u, b - a) or b - U min(u - b, b - a) at the violated bound */
static STRATEGY(reflect_random) {
    if (isnan(u)) return x;
    double s = scale(a, b), width = s * b - s * a, beyond = u < a ? s * a - s * u : s * u - s * b;
    double share = uniform01(rng) * fmin(1.0, beyond / width);
    return u < a ? between(a, b, share, a, b) : between(b, a, share, a, b);
}

/* donors and crossover drawn again until the trial is inside (loop.c: redraws); then the violated bound */
static STRATEGY(resample) { return saturation(u, x, c, a, b, rng, failed); }

/* Strategies of the whole trial change the vector u. */

/* m + alpha (u - m), m = p/2 + q/2, with the largest alpha <= 1 that ends inside; NaN is replaced by the target first */
static void project(double *u, const double *x, const double *p, const double *q, const double *a, const double *b,
                    i64 n) {
    double alpha = 1.0;
    for (i64 i = 0; i < n; i++) {
        u[i] = isnan(u[i]) ? x[i] : clip(u[i], -LARGEST, LARGEST);
        if (!(a[i] <= u[i] && u[i] <= b[i])) {
            double s = scale(a[i], b[i]), g = violated_bound(u[i], a[i], b[i]);
            double m = s * p[i] / 2.0 + s * q[i] / 2.0;
            alpha = s * u[i] != m && s * g != m ? fmin(alpha, (s * g - m) / (s * u[i] - m)) : 0.0;
        }
    }
    for (i64 i = 0; i < n; i++) u[i] = between(p[i] / 2.0 + q[i] / 2.0, u[i], alpha, a[i], b[i]);
}

/* m + alpha (u - m), m the middle of the box, alpha = min (g - m)/(u - m) over the violated bounds g */
static WHOLE(project_midpoint) { project(u, x, a, b, a, b, n); }
/* c + alpha (u - c), c the base, alpha = min (g - c)/(u - c) over the violated bounds g */
static WHOLE(project_base) { project(u, x, c, c, a, b, n); }
/* the whole trial becomes the base */
static WHOLE(conservatism) { for (i64 i = 0; i < n; i++) u[i] = c[i]; }
/* the whole trial becomes the target */
static WHOLE(dismiss) { for (i64 i = 0; i < n; i++) u[i] = x[i]; }
/* counted as an evaluation without one, never accepted (loop.h: UNSEEN): its components do not matter */
static WHOLE(penalty) { dismiss(u, x, c, a, b, rng, n, failed); }
/* evaluated outside, where it is */
static WHOLE(none) {}

/* ---- Adaptations: F and Cr of each trial from a memory, which learns from trials that beat their targets ----------- */

#define PI 3.14159265358979323846
#define TERMINAL -1.0 /* in the place of a Cr: from this cell Cr = 0 for good */
#define M_F memory
#define M_Cr (memory + cells)
#define F_of F_Cr
#define Cr_of (F_Cr + N)

/* F ~ Cauchy(mean, 0.1), drawn again while F <= 0, cut at 1 */
static double draw_F(double mean, Rng *rng) {
    double F = 0.0;
    while (F <= 0.0) F = mean + 0.1 * tan(PI * (uniform01(rng) - 0.5));
    return fmin(F, 1.0);
}

/* Cr ~ N(mean, 0.1), cut to [0, 1] */
static double draw_Cr(double mean, Rng *rng) { return fmin(fmax(mean + 0.1 * rng->normal(&rng->bits), 0.0), 1.0); }

/* sum w s / sum w or, Lehmer's mean, sum w s^2 / sum w s; 0 if all weights are 0 */
enum { ARITHMETIC, LEHMER };
static double mean(const double *w, const double *s, i64 n, int kind) {
    double weight = 0.0, weighted = 0.0;
    for (i64 i = 0; i < n; i++) {
        double w_i = kind == LEHMER ? w[i] * s[i] : w[i];
        weight += w_i, weighted += w_i * s[i];
    }
    return weight > 0.0 ? weighted / weight : 0.0;
}

/* Turn gains into weights D/max D, 0 without success; was there a success? Infinite gains share the weight */
static int weigh(double *gain, i64 n) {
    double largest = 0.0;
    for (i64 i = 0; i < n; i++) largest = fmax(largest, gain[i]);
    for (i64 i = 0; i < n; i++)
        if (isinf(largest)) gain[i] = isinf(gain[i]) ? 1.0 : 0.0;
        else gain[i] = gain[i] > 0.0 ? gain[i] / largest : 0.0;
    return largest > 0.0;
}

/* F and Cr are the same for all trials */
static SAMPLE(sample_fixed) { F_of[i] = M_F[0], Cr_of[i] = M_Cr[0]; }

/* The memory stays as it is */
static LEARN(learn_nothing) { return cell; }

/* F = 0.1 + 0.9 U with chance 0.1, Cr = U with chance 0.1, else those of the individual */
static SAMPLE(sample_jde) {
    F_of[i] = uniform01(rng) < 0.1 ? 0.1 + 0.9 * uniform01(rng) : M_F[i];
    Cr_of[i] = uniform01(rng) < 0.1 ? uniform01(rng) : M_Cr[i];
}

/* An individual takes F and Cr of the trial that replaces it */
static LEARN(learn_jde) {
    for (i64 i = 0; i < trials; i++)
        if (gain[i] >= 0.0) M_F[i] = F_of[i], M_Cr[i] = Cr_of[i];
    return cell;
}

/* F ~ Cauchy(mu_F, 0.1), Cr ~ N(mu_Cr, 0.1) */
static SAMPLE(sample_jade) { F_of[i] = draw_F(M_F[0], rng), Cr_of[i] = draw_Cr(M_Cr[0], rng); }

/* mu_F <- 0.9 mu_F + 0.1 sum F^2/sum F, mu_Cr <- 0.9 mu_Cr + 0.1 mean(Cr), over the successes */
static LEARN(learn_jade) {
    for (i64 i = 0; i < trials; i++) gain[i] = gain[i] > 0.0 ? INFINITY : 0.0; /* all successes weigh the same */
    if (weigh(gain, trials)) {
        M_F[0] = 0.9 * M_F[0] + 0.1 * mean(gain, F_of, trials, LEHMER);
        M_Cr[0] = 0.9 * M_Cr[0] + 0.1 * mean(gain, Cr_of, trials, ARITHMETIC);
    }
    return cell;
}

/* F ~ Cauchy(M_F, 0.1), Cr ~ N(M_Cr, 0.1), M a random cell of the memory; Cr = 0 from a terminal cell (L-SHADE) */
static SAMPLE(sample_shade) {
    i64 cell = draw(cells, rng);
    F_of[i] = draw_F(M_F[cell], rng);
    Cr_of[i] = M_Cr[cell] == TERMINAL ? 0.0 : draw_Cr(M_Cr[cell], rng);
}

/* M_F <- sum w F^2/sum w F, M_Cr <- sum w Cr/sum w over the successes, w = D; one cell after the other */
static LEARN(learn_shade) {
    if (!weigh(gain, trials)) return cell;
    M_F[cell] = mean(gain, F_of, trials, LEHMER);
    M_Cr[cell] = mean(gain, Cr_of, trials, ARITHMETIC);
    return (cell + 1) % cells;
}

/* M <- sum w s^2/sum w s over the successes, for s = F and s = Cr, w = D; if all these Cr are 0, the cell is terminal */
static LEARN(learn_lshade) {
    double largest = 0.0;
    for (i64 i = 0; i < trials; i++)
        if (gain[i] > 0.0) largest = fmax(largest, Cr_of[i]);
    int is_terminal = M_Cr[cell] == TERMINAL || largest == 0.0;
    if (!weigh(gain, trials)) return cell;
    M_F[cell] = mean(gain, F_of, trials, LEHMER);
    M_Cr[cell] = is_terminal ? TERMINAL : mean(gain, Cr_of, trials, LEHMER);
    return (cell + 1) % cells;
}

#define NAMED(name) {#name, (void (*)(void))name}
#define NAMED_MUTATION(name, formula) NAMED(name),
const Named OPERATORS[] = {
    NAMED(distinct), NAMED(not_target), NAMED(not_parents),
    MUTATIONS(NAMED_MUTATION)
    NAMED(binomial), NAMED(exponential),
    NAMED(saturation), NAMED(toroidal), NAMED(mirror), NAMED(cotn), NAMED(uniform), NAMED(midpoint_target),
    NAMED(midpoint_base), NAMED(rand_target), NAMED(rand_base), NAMED(exp_target), NAMED(exp_center),
    NAMED(exp_spread), NAMED(reflect_random), NAMED(resample),
    NAMED(project_midpoint), NAMED(project_base), NAMED(conservatism), NAMED(dismiss), NAMED(penalty), NAMED(none),
    NAMED(sample_fixed), NAMED(learn_nothing), NAMED(sample_jde), NAMED(learn_jde), NAMED(sample_jade),
    NAMED(learn_jade), NAMED(sample_shade), NAMED(learn_shade), NAMED(learn_lshade),
    {NULL, NULL},
};
