// Algorithm 1, trial by trial, in two variables: what the view "Inside a run" shows.

import { CROSSOVERS } from "./crossover.js";
import { bestOf } from "./engine.js";
import { DONORS, MUTATIONS, Mutants, uses } from "./mutation.js";
import { STRATEGIES, isInside, repair } from "./strategies.js";

const ripple = (z) => z * z - 10 * Math.cos(2 * Math.PI * z) + 10;

// The landscapes; each is minimised in the unit square.
export const LANDSCAPES = {
  "f0 (random)": (x, random) => random.random(),
  "sphere near a wall": ([x, y]) => (x - 0.96) ** 2 + (y - 0.3) ** 2,
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
    this.mutants = new Mutants(config.mutation, config.F, 2, this.P);
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

  /** The present target's trial as it comes from mutation and crossover, and the points that it is made of */
  draw() {
    const { config, random, P, target, best, mutants } = this, rule = DONORS[config.donors];
    const avoidsBest = rule.best && uses(config.mutation, "best");
    mutants.draw(target, best, rule.target ? target : -1, avoidsBest ? best : -1, random);
    const mutant = [mutants.at(0), mutants.at(1)], trial = new Float64Array(2), at = (row) => [P[row], P[row + 1]];
    CROSSOVERS[config.crossover](this.point(target), mutant, config.Cr, random, trial);
    const { base, plus, minus, plus2, minus2, plus3, minus3 } = mutants;
    const pairs = [plus, minus, plus2, minus2, plus3, minus3].slice(0, 2 * MUTATIONS[config.mutation].differences.length);
    return { base: at(base), pairs: pairs.map(at), mutant, trial };
  }

  /** One trial: its parents, the mutant, the trial before and after repair, was it outside, is it accepted, its value */
  step() {
    const { target, random, mutants, generation } = this, { strategy } = this.config, { redraws = 0, loses } = STRATEGIES[strategy];
    const first = this.draw(), outside = !isInside(first.trial), x = Float64Array.from(this.point(target));
    let u = first.trial.slice(), drawn = 1;
    for (; drawn <= redraws && !isInside(u); drawn++) u = this.draw().trial;
    repair(u, x, this.P.subarray(mutants.base, mutants.base + 2), strategy, random);
    const repaired = Array.from(u), before = this.f[target];
    const f = outside && loses ? Infinity : this.value(repaired, random), accepted = f <= before;
    const record = { ...first, trial: Array.from(first.trial), target, x: Array.from(x), outside, repaired, accepted, generation, drawn, f, before, refused: outside && Boolean(loses) };
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
