// The exact chance of a trial of generation 1 to be infeasible (docs/spec.md, section 5; src/debox/f0/theory.py).

import { DONORS, MUTATIONS, uses } from "./mutation.js";

/** P(sum of w_j U_j outside [0, 1]) = 2/(k! prod w_j) sum over v in {0,1}^k of (-1)^|v| max(0, -w.v)^k; sum of w is 1 */
export function chanceOutside(weights) {
  const k = weights.length;
  let total = 0, scale = 2;
  for (let v = 0; v < 2 ** k; v++) {
    let sum = 0, sign = 1;
    for (let j = 0; j < k; j++) {
      if (!((v >> j) & 1)) continue;
      sum -= weights[j];
      sign = -sign;
    }
    if (sum > 0) total += sign * sum ** k;
  }
  for (let j = 0; j < k; j++) scale /= (j + 1) * weights[j];
  return Math.max(0, scale * total);
}

/** Every way to draw k donors of N, with its chance; one number stands for all that are no parents */
function* donorWays(k, N, parents, avoided) {
  if (k === 0) {
    yield [[], 1];
    return;
  }
  const left = N - avoided.length, free = [...new Set(parents)].filter((one) => !avoided.includes(one));
  const ways = [...free.map((one) => [one, 1]), [N + k, left - free.length]];
  for (const [donor, count] of ways) {
    if (count <= 0) continue;
    for (const [others, chance] of donorWays(k - 1, N, parents, [...avoided, donor])) {
      yield [[donor, ...others], (chance * count) / left];
    }
  }
}

/** The weight of each role in a mutant */
function weightOf(mutation, F, individuals) {
  const total = new Map(), add = (role, weight) => {
    total.set(individuals[role], (total.get(individuals[role]) ?? 0) + weight);
  };
  add(MUTATIONS[mutation].base, 1);
  for (const [plus, minus] of MUTATIONS[mutation].differences) {
    add(plus, F);
    add(minus, -F);
  }
  return [...total.values()].filter((weight) => Math.abs(weight) > 1e-12).sort((a, b) => a - b);
}

/** For each way in which parents coincide, the chance of a component to be outside, and the chance of that way */
export function componentChances({ mutation, donors = "distinct", N, F }) {
  const rule = DONORS[donors], mixed = new Map();
  for (const [best, pBest] of [[0, 1 / N], [1, 1 - 1 / N]]) {
    const avoided = new Set([...(rule.target ? [0] : []), ...(rule.best && uses(mutation, "best") ? [best] : [])]);
    for (const [drawn, chance] of donorWays(MUTATIONS[mutation].donors, N, [0, best], [...avoided])) {
      const individuals = { target: 0, best };
      drawn.forEach((donor, k) => { individuals[`r${k + 1}`] = donor; });
      const weights = weightOf(mutation, F, individuals), key = weights.map((w) => w.toFixed(9)).join();
      mixed.set(key, [weights, (mixed.get(key)?.[1] ?? 0) + pBest * chance]);
    }
  }
  return [...mixed.values()].map(([weights, chance]) => [chanceOutside(weights), chance]);
}

/** bin: 1 - (1 - p)(1 - Cr p)^(n-1); exp: the sum of Cr^l (1 - p)^l p for l = 0..n-1 */
function trialChance(p, crossover, Cr, n) {
  if (crossover === "bin") return 1 - (1 - p) * (1 - Cr * p) ** (n - 1);
  let sum = 0, term = p;
  for (let l = 0; l < n; l++) {
    sum += term;
    term *= Cr * (1 - p);
  }
  return sum;
}

/** (1 - N/budget) P(a trial of generation 1 is infeasible): POIS of a run whose population never moves */
export function firstGeneration(config) {
  const { crossover, N, Cr, n, budget } = config;
  let sum = 0;
  for (const [p, chance] of componentChances(config)) sum += chance * trialChance(p, crossover, Cr, n);
  return (1 - N / budget) * sum;
}

/** The same; NaN if an operator has no formula here */
export function exactStart(config) {
  const { mutation, crossover, donors, adaptation = "fixed" } = config;
  const known = adaptation === "fixed" && Object.hasOwn(MUTATIONS, mutation) && Object.hasOwn(DONORS, donors) && ["bin", "exp"].includes(crossover);
  return known ? firstGeneration(config) : NaN;
}
