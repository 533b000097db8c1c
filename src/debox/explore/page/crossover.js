// Crossover, as src/debox/reference.py has it: the trial u takes components of the mutant v, the others of the target x.

import { draw } from "./mutation.js";

/** u_i = v_i if U_i <= Cr or i = I, else x_i */
export function binomialCrossover(x, v, Cr, random, u) {
  const n = u.length;
  for (let i = 0; i < n; i++) u[i] = random.random();
  u[draw(n, random)] = 0; // 0 <= Cr: component I always comes from the mutant
  for (let i = 0; i < n; i++) u[i] = u[i] <= Cr ? v[i] : x[i];
}

/** u_i = v_i for i = I, I+1, ... (cyclically) while U <= Cr, else x_i */
export function exponentialCrossover(x, v, Cr, random, u) {
  const n = u.length, start = draw(n, random);
  for (let i = 0; i < n; i++) u[i] = x[i];
  for (let step = 0; step < n; step++) {
    const i = (start + step) % n;
    u[i] = v[i];
    if (random.random() > Cr) break;
  }
}

export const CROSSOVERS = { bin: binomialCrossover, exp: exponentialCrossover };
