/* Algorithm 1: Differential Evolution in a box, generational, every infeasible trial counted.

   propose makes the trials of a generation, select_survivors takes their values; reference.py reads the same. */
#include <string.h>
#include "operators.h"

/* new < old, where NaN is worse than anything */
static inline int is_better(double new, double old) { return new < old || (isnan(old) && !isnan(new)); }

static inline int is_outside(double u, double a, double b) { return !(a <= u && u <= b); }

/* Put components that are beyond a bound by at most TOLERANCE on it */
static void snap(double *u, const double *a, const double *b, i64 n) {
    for (i64 j = 0; j < n; j++) {
        double slack = TOLERANCE * (b[j] - a[j]);
        if (a[j] - slack <= u[j] && u[j] <= b[j] + slack) u[j] = clip(u[j], a[j], b[j]);
    }
}

static int is_inside(double *u, const double *a, const double *b, i64 n) {
    if (TOLERANCE > 0.0) snap(u, a, b, n);
    int inside = 1; /* without an early exit, so that compilers vectorise it */
    for (i64 j = 0; j < n; j++) inside &= (a[j] <= u[j]) & (u[j] <= b[j]);
    return inside;
}

static void copy_row(double *to, const double *from, i64 n) { memmove(to, from, (size_t)n * sizeof(double)); }

/* ---- A trial: draw, mutate, cross, check, repair ------------------------------------------------------------------- */

/* One of the best max(2, floor(pN + 1/2)), at random; with N = 1 that one. p ~ U(2/N, p) where it varies */
static i64 draw_p_best(const Run *de, i64 N, Rng *rng) {
    double p = de->p_varies ? 2.0 / N + uniform01(rng) * (de->p - 2.0 / N) : de->p;
    return de->order[draw(smaller(larger(2, (i64)(p * N + 0.5)), N), rng)];
}

/* Ask the donor rule; an index that nobody has, as a user's rule may draw, fails the run and is not used */
void draw_donors(Run *de, i64 N, i64 target, i64 best, uint64_t *r) {
    de->donors(N, target, best, &de->rng, de->n_donors, r, &de->failed);
    for (i64 k = 0; k < de->n_donors; k++)
        if (r[k] >= (uint64_t)N) r[k] = 0, de->failed = de->failed ? de->failed : WRONG_DONOR;
}

/* Write the mutant of target i into de->v, its base into *base */
static void draw_mutant(Run *de, i64 i, i64 best, double F, const double **base) {
    i64 n = de->n, N = de->sizes[POPULATION], archived = de->sizes[ARCHIVED], last = de->n_donors - 1;
    uint64_t r[5] = {0};
    Rng *rng = &de->rng;
    if (de->uses_p_best) best = draw_p_best(de, N, rng);
    draw_donors(de, N, i, best, r);
    if (archived > 0) { /* the last donor: each archived point is as likely as each individual that the rule allows */
        i64 allowed = N - last - (de->avoided == 2 && best == i ? 1 : de->avoided), k = draw(allowed + archived, rng);
        if (k >= allowed) r[last] = (uint64_t)(de->N + k - allowed);
    }
    double K = de->draws_K ? uniform01(rng) : 0.0;
    const double *P = de->P;
    de->mutation(P + i * n, P + best * n, P + r[0] * n, P + r[1] * n, P + r[2] * n, P + r[3] * n, P + r[4] * n, F, K,
                 de->v, n, &de->failed);
    *base = P + (de->base == BASE_R1 ? (i64)r[0] : de->base == BASE_BEST ? best : i) * n;
}

/* Bring u, of target x and base c, back into the box: each violated component, or the whole, by its strategy */
static void repair(Run *de, double *u, const double *x, const double *c) {
    const double *a = de->a, *b = de->b;
    if (de->whole) {
        for (i64 j = 0; j < de->n && de->n_own_strategies == 0; j++) u[j] = isnan(u[j]) ? x[j] : u[j];
        if (!is_inside(u, a, b, de->n)) de->whole(u, x, c, a, b, &de->rng, de->n, &de->failed);
        return;
    }
    for (i64 j = 0; j < de->n; j++)
        if (is_outside(u[j], a[j], b[j])) {
            i64 k = de->strategy_of[j];
            u[j] = isnan(u[j]) && k >= de->n_own_strategies
                       ? x[j]
                       : de->strategies[k](u[j], x[j], c[j], a[j], b[j], &de->rng, &de->failed);
        }
}

/* Wrap periodic components of u, of target x; is it inside then? Of a trial that counts, count what was outside */
static int check(Run *de, double *u, const double *x, i64 *counted) {
    const double *a = de->a, *b = de->b;
    i64 n = de->n;
    for (i64 j = 0; de->periodic && j < n; j++)
        if (de->periodic[j] && is_outside(u[j], a[j], b[j])) {
            u[j] = toroidal(u[j], x[j], x[j], a[j], b[j], &de->rng, &de->failed);
            if (counted) counted[2 * n + j]++;
        }
    int inside = is_inside(u, a, b, n);
    if (!inside && counted) /* NaN is above its bound */
        for (i64 j = 0; j < n; j++) counted[j] += u[j] < a[j], counted[n + j] += !(u[j] <= b[j]);
    return inside;
}

/* Cross target x and mutant; where the mutant is repaired, all trials of a target take the same components from it */
static void cross(Run *de, const double *x, double Cr, double *u) {
    if (!de->repairs_mutant) de->crossover(x, de->v, Cr, &de->rng, u, de->n, &de->failed);
    else
        for (i64 j = 0; j < de->n; j++) u[j] = de->taken[j] == 1.0 ? de->v[j] : x[j];
}

/* The trial u of target i; was it infeasible? Only the first one counts; it may be drawn again before it is repaired.
   With repairs_mutant this happens to the mutant, before crossover. */
int build(Run *de, i64 i, i64 best, double F, double Cr, double *u) {
    i64 n = de->n;
    const double *x = de->P + i * n, *c, *zeros = de->taken + n, *ones = de->taken + 2 * n;
    int infeasible = 0, inside = 0;
    for (i64 k = 0; k == 0 || (k <= de->redraws && !inside && !de->failed); k++) {
        draw_mutant(de, i, best, F, &c);
        if (k == 0 && de->repairs_mutant) de->crossover(zeros, ones, Cr, &de->rng, de->taken, n, &de->failed);
        cross(de, x, Cr, u);
        inside = check(de, u, x, k == 0 ? de->pending : NULL);
        if (k == 0) infeasible = !inside;
        if (de->repairs_mutant) inside = check(de, de->v, x, NULL);
    }
    if (!inside) repair(de, de->repairs_mutant ? de->v : u, x, c);
    if (de->repairs_mutant) cross(de, x, Cr, u);
    return infeasible;
}

/* Make the trials of the next generation, unless they wait for values; returns their number, 0 if the run is over,
   -1 if an operator failed */
i64 propose(Run *de) {
    i64 n = de->n, left = de->budget - de->counts[EVALUATIONS];
    if (de->trials) return de->trials;
    memset(de->pending, 0, (size_t)(3 * n) * sizeof(i64));
    if (de->generations < 0) { /* the initial population is evaluated first */
        memcpy(de->U, de->P, (size_t)(de->N * n) * sizeof(double));
        memset(de->infeasible, 0, (size_t)de->N);
        return de->trials = de->N;
    }
    if (left <= 0 || de->f[de->best] <= de->target) return 0;
    i64 trials = smaller(de->sizes[POPULATION], left);
    double *F = de->F_Cr, *Cr = de->F_Cr + de->N;
    for (i64 i = 0; i < trials && !de->failed; i++) {
        if (de->sample) de->sample(i, de->memory, de->cells, &de->rng, de->F_Cr, de->N, &de->failed);
        de->infeasible[i] = (uint8_t)build(de, i, de->best, F[i], Cr[i], de->U + i * n);
    }
    return de->failed ? -1 : (de->trials = trials);
}

/* ---- The next generation ------------------------------------------------------------------------------------------- */

/* Count evaluations up to the next mark or before it, and note at each mark how many were infeasible */
void count(Run *de, i64 evaluations, i64 infeasible) {
    i64 *counts = de->counts;
    counts[EVALUATIONS] += evaluations, counts[INFEASIBLE] += infeasible;
    while (counts[MARKS_PASSED] < de->n_marks && de->marks[counts[MARKS_PASSED]] <= counts[EVALUATIONS])
        de->infeasible_at[counts[MARKS_PASSED]++] = counts[INFEASIBLE];
}

/* mean over j of the standard deviation of (x_j - a_j) / (b_j - a_j) in the population */
static double spread(const Run *de) {
    i64 n = de->n, N = de->sizes[POPULATION];
    double sum = 0.0;
    for (i64 j = 0; j < n; j++) {
        double a = de->a[j], width = de->b[j] - a, mean = 0.0, squares = 0.0;
        for (i64 i = 0; i < N; i++) mean += (de->P[i * n + j] - a) / width;
        mean /= (double)N;
        for (i64 i = 0; i < N; i++) {
            double d = (de->P[i * n + j] - a) / width - mean;
            squares += d * d;
        }
        sum += sqrt(squares / (double)N);
    }
    return isnan(sum) ? NAN : sum / (double)n;
}

/* Note the state after a generation at the marks that it passed */
static void note(Run *de, i64 marks_before) {
    double now = marks_before < de->counts[MARKS_PASSED] ? spread(de) : 0.0;
    for (i64 k = marks_before; k < de->counts[MARKS_PASSED]; k++) {
        memcpy(de->violations_at + 2 * de->n * k, de->outside, (size_t)(2 * de->n) * sizeof(i64));
        de->best_at[k] = de->f[de->best], de->spread_at[k] = now;
    }
}

/* Is it the target, as after dismiss? */
static int is_same(const double *u, const double *x, i64 n) {
    int same = 1;
    for (i64 j = 0; j < n && same; j++) same = u[j] == x[j];
    return same;
}

/* Let trials replace their targets; the archive takes targets that a better trial replaces */
static void replace_targets(Run *de) {
    i64 n = de->n;
    for (i64 i = 0; i < de->trials; i++) {
        double *x = de->P + i * n, *u = de->U + i * n, new = de->f_U[i], old = de->f[i];
        de->gain[i] = -1.0;
        if (de->fate != COMPETES && de->infeasible[i]) continue;
        if (de->keeps_ties ? !is_better(new, old) : is_better(old, new)) continue;
        if (de->learn && !is_same(u, x, n)) de->gain[i] = is_better(new, old) ? isnan(old) ? INFINITY : old - new : 0.0;
        if (de->archives > 0.0 && de->gain[i] > 0.0) copy_row(de->P + (de->N + de->sizes[ARCHIVED]++) * n, x, n);
        copy_row(x, u, n);
        de->f[i] = new;
        de->counts[ACCEPTED]++;
    }
}

/* The index of the smallest value */
i64 best_of(const double *f, i64 N) {
    i64 best = 0;
    for (i64 i = 1; i < N; i++)
        if (is_better(f[i], f[best])) best = i;
    return best;
}

/* Of two that are as good the first one comes first: the order depends on f alone */
static inline int is_before(const double *f, i64 i, i64 k) {
    return is_better(f[i], f[k]) || (i < k && !is_better(f[k], f[i]));
}

/* Sort the individuals by value, the best first, by Shell's sort: most are in their place since last time */
static void sort(i64 *order, const double *f, i64 N) {
    i64 distance = 1;
    while (distance < N) distance = 8 * distance + 1;
    while (distance > 1) {
        distance /= 8;
        for (i64 k = distance; k < N; k++) {
            i64 i = order[k], place = k;
            for (; place >= distance && is_before(f, i, order[place - distance]); place -= distance)
                order[place] = order[place - distance];
            order[place] = i;
        }
    }
}

/* The index of the best; runs with an adaptation or p-best keep the whole population in order */
static i64 rank(Run *de) {
    if (!de->learn) return best_of(de->f, de->N);
    sort(de->order, de->f, de->sizes[POPULATION]);
    return de->order[0];
}

/* The worst leave until N = max(least, floor(N_0 + (least - N_0) evaluations/budget + 1/2)); the last individual takes
   the place of one that leaves */
static void shrink(Run *de) {
    double scheduled = de->N + (de->least - de->N) * (double)de->counts[EVALUATIONS] / de->budget + 0.5;
    i64 n = de->n, N = larger((i64)scheduled, de->least);
    if (de->sizes[POPULATION] <= N) return;
    rank(de);
    double *place = de->gain; /* in the order, of each individual: gains are no longer needed */
    for (i64 k = 0; k < de->sizes[POPULATION]; k++) place[de->order[k]] = (double)k;
    while (de->sizes[POPULATION] > N) {
        i64 last = --de->sizes[POPULATION], worst = de->order[last];
        copy_row(de->P + worst * n, de->P + last * n, n);
        de->f[worst] = de->f[last], de->f[last] = NAN;
        if (de->belongs_to_individuals) {
            de->memory[worst] = de->memory[last];
            de->memory[de->cells + worst] = de->memory[de->cells + last];
        }
        de->order[(i64)place[last]] = worst, place[worst] = place[last];
    }
}

/* Points leave the archive at random until floor(archives N + 1/2) are left */
static void cut_archive(Run *de) {
    i64 n = de->n, most = (i64)(de->archives * de->sizes[POPULATION] + 0.5);
    double *archive = de->P + de->N * n;
    while (de->sizes[ARCHIVED] > most) {
        i64 leaves = draw(de->sizes[ARCHIVED], &de->rng), last = --de->sizes[ARCHIVED];
        copy_row(archive + leaves * n, archive + last * n, n);
    }
}

/* Take the values f_U of the trials: count, replace targets, learn, shrink; returns the number of marks passed, or -1 if
   an operator failed */
i64 select_survivors(Run *de) {
    i64 marks_before = de->counts[MARKS_PASSED];
    for (i64 i = 0; i < de->trials; i++) {
        count(de, 1, de->infeasible[i]);
        de->counts[NANS] += isnan(de->f_U[i]) != 0;
    }
    for (i64 j = 0; j < 3 * de->n; j++) de->outside[j] += de->pending[j];
    if (de->generations < 0) memcpy(de->f, de->f_U, (size_t)de->N * sizeof(double));
    else if (!de->frozen) replace_targets(de);
    if (de->generations >= 0 && !de->frozen && de->learn) {
        i64 cell = de->learn(de->F_Cr, de->N, de->gain, de->trials, de->memory, de->cells, de->sizes[CELL], &de->failed);
        de->sizes[CELL] = smaller(larger(cell, 0), de->cells - 1); /* a user's may return any number */
        shrink(de);
        cut_archive(de);
    }
    de->best = rank(de);
    note(de, marks_before);
    de->generations++;
    de->trials = 0;
    return de->failed ? -1 : de->counts[MARKS_PASSED] - marks_before;
}

/* One generation on f0, where every evaluation is a fresh U(0, 1), unless the run is at its end or at `until` */
int step_on_f0(Run *de, i64 until) {
    if (de->counts[EVALUATIONS] >= until || propose(de) <= 0) return 0;
    for (i64 i = 0; i < de->trials; i++)
        de->f_U[i] = de->fate == UNSEEN && de->infeasible[i] ? INFINITY : uniform01(&de->rng);
    select_survivors(de);
    return 1;
}
