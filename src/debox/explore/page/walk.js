// Algorithm 1, trial by trial, in two variables: what the view "Inside a run" shows.

import { bestOf } from "./engine.js";
import { CROSSOVERS, DONORS, MUTATIONS, drawDonors, mutantAt, repair, rolesOf, uses } from "./operators.js";

const ripple = (z) => z * z - 10 * Math.cos(2 * Math.PI * z) + 10;

// The landscapes; each is minimised in the unit square.
export const LANDSCAPES = {
  "f0, the random function": (x, random) => random.random(),
  "sphere, its optimum near a wall": ([x, y]) => (x - 0.96) ** 2 + (y - 0.3) ** 2,
  "Rastrigin": ([x, y]) => (ripple(6 * x - 3) + ripple(6 * y - 3)) / 60,
};

/** A run that is done one trial at a time; every trial is described in full. */
export class Walk {
  constructor(config, landscape, random) {
    this.config = config;
    this.random = random;
    this.value = LANDSCAPES[landscape];
    const { N } = config;
    this.P = new Float64Array(2 * N).map(() => random.random());
    this.f = Float64Array.from({ length: N }, (_, i) => this.value(this.point(i), random));
    this.next = []; // trials that are accepted wait for the end of the generation
    this.evaluations = N;
    this.infeasible = 0;
    this.accepted = 0;
    this.generation = 1;
    this.target = 0;
    this.best = bestOf(this.f);
  }

  point(i) {
    return [this.P[2 * i], this.P[2 * i + 1]];
  }

  /** One trial: donors, mutant, trial before and after repair, whether it was outside and whether it is accepted */
  step() {
    const { config, random, P, target, best } = this, { mutation, crossover, strategy, donors, N, F, Cr } = config;
    const rule = DONORS[donors], parents = new Int32Array(7);
    parents.set([target, best]);
    const avoidsBest = rule.best && uses(mutation, "best");
    drawDonors(N, rule.target ? target : -1, avoidsBest ? best : -1, random, parents.subarray(2), MUTATIONS[mutation].donors);
    const roles = Array.from(rolesOf(mutation), (role) => parents[role]), rows = roles.map((one) => 2 * one);
    const two = MUTATIONS[mutation].differences.length > 1;
    const mutant = Float64Array.of(mutantAt(P, ...rows, two, F, 0), mutantAt(P, ...rows, two, F, 1));
    const x = Float64Array.from(this.point(target)), u = new Float64Array(2);
    CROSSOVERS[crossover](x, mutant, Cr, random, u);
    const trial = Array.from(u), outside = repair(u, x, strategy, random), repaired = Array.from(u);
    const f = this.value(repaired, random), accepted = f <= this.f[target];
    const [base, ...pairs] = roles;
    const record = { target, x: Array.from(x), base: this.point(base), pairs: (two ? pairs : pairs.slice(0, 2)).map((i) => this.point(i)),
      mutant: Array.from(mutant), trial, outside, repaired, accepted, generation: this.generation };
    this.count(record, f);
    return record;
  }

  /** Count a trial; at the end of the generation the accepted ones replace their targets */
  count({ target, outside, accepted, repaired }, f) {
    this.evaluations += 1;
    this.infeasible += outside;
    this.accepted += accepted;
    if (accepted) this.next.push([target, repaired, f]);
    this.target = (target + 1) % this.config.N;
    if (this.target) return;
    for (const [i, point, value] of this.next) {
      this.P.set(point, 2 * i);
      this.f[i] = value;
    }
    this.next = [];
    this.generation += 1;
    this.best = bestOf(this.f);
  }
}
