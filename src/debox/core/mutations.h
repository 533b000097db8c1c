/* The mutations: component i of the mutant from the target x, the best and the donors r1, r2, ...

   operators.h makes operators of these formulas, fast.c checks of single components. */
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
