// Runs of Differential Evolution on the random function f0: the law of Algorithm 1 with almost none of its work.
//
// On f0 acceptance does not depend on position. So it is decided first: a slot of value f waits a geometric number of
// generations, then has value U(0, f). Between acceptances the population stands still, and a rejected trial leaves one
// bit: was it infeasible? Such a quiet stretch is simulated without building trials, or the chance of a trial is
// computed from all tuples of donors and one binomial number is drawn, whichever costs less.

import {
  CROSSOVERS, DONORS, MUTATIONS, STRATEGIES, draw, drawDonors, mutantAt, repair, rolesOf, uses,
} from "./operators.js";
import { Enumeration } from "./enumeration.js";

// What a browser does in reasonable time: names, and for numbers the least and the most.
export const LIMITS = { N: [2, 200], F: [0, 2], Cr: [0, 1], n: [1, 100], budget: [2, 1000000] };
const CHOICES = { mutation: MUTATIONS, crossover: CROSSOVERS, strategy: STRATEGIES, donors: DONORS };

/** How many individuals a mutation needs under a rule for donors */
export function smallestPopulation(mutation, donors) {
  const { target, best } = DONORS[donors];
  return MUTATIONS[mutation].donors + target + (best && uses(mutation, "best"));
}

/** The configuration with its defaults; an error names what is not allowed and what is */
export function checked(configuration) {
  const found = { donors: "distinct", reevaluate: true, n: 30, budget: 300000, ...configuration };
  for (const [slot, table] of Object.entries(CHOICES)) {
    if (Object.hasOwn(table, found[slot])) continue;
    throw new RangeError(`${slot} must be one of ${Object.keys(table).join(", ")}, got ${found[slot]}`);
  }
  for (const [name, [least, most]] of Object.entries(LIMITS)) {
    const value = found[name], whole = name !== "F" && name !== "Cr";
    if (value >= least && value <= most && (!whole || Number.isInteger(value)) && (name !== "F" || value > 0)) continue;
    throw new RangeError(`${name} must be ${whole ? "a whole number " : ""}from ${least} to ${most}, got ${value}`);
  }
  const fewest = smallestPopulation(found.mutation, found.donors);
  if (found.N < fewest) throw new RangeError(`N must be at least ${fewest} for ${found.mutation}, got ${found.N}`);
  if (found.budget < found.N) throw new RangeError(`budget must be at least N = ${found.N}, got ${found.budget}`);
  return found;
}

/** For bin, the chance that none of k infeasible components is taken: (1 - k/n)(1 - Cr)^k for k = 0..n */
export function keepTable(n, Cr) {
  return Float64Array.from({ length: n + 1 }, (_, k) => (1 - k / n) * (1 - Cr) ** k);
}

/** For exp, the chance that more than d components are taken: Cr^d for d = 0..n-1, and 0 for n */
export function survivalTable(n, Cr) {
  return Float64Array.from({ length: n + 1 }, (_, d) => (d < n ? Cr ** d : 0));
}

/** The runs of one configuration. */
export class Engine {
  constructor(configuration) {
    const config = checked(configuration), { N, n, mutation, donors } = config, rule = DONORS[donors];
    this.config = config;
    this.exp = config.crossover === "exp";
    this.two = MUTATIONS[mutation].differences.length > 1;
    this.roles = rolesOf(mutation);
    this.donorCount = MUTATIONS[mutation].donors;
    this.avoidsTarget = rule.target;
    this.avoidsBest = rule.best && uses(mutation, "best");
    this.table = this.exp ? survivalTable(n, config.Cr) : keepTable(n, config.Cr);
    this.crossover = CROSSOVERS[config.crossover];
    this.P = new Float64Array(N * n);
    this.f = new Float64Array(N);
    this.clock = new Float64Array(N);
    this.parents = new Int32Array(7); // target, best, r1, ..., r5
    this.r = this.parents.subarray(2);
    this.v = new Float64Array(n);
    this.trials = Array.from({ length: N }, () => new Float64Array(n));
    this.accepting = new Uint8Array(N); // has the coming generation a trial of this slot that is accepted?
    this.outside = new Uint8Array(N); // is that infeasible?
    this.enumeration = new Enumeration(this);
  }

  /** One run: infeasible trials, those up to each mark (rising numbers of evaluations), accepted trials, best value */
  run(random, marks = []) {
    const { N, n, budget, reevaluate, strategy } = this.config, { P, f, clock, accepting, outside } = this;
    const never = Math.floor(budget / N) + 1; // a generation beyond the end
    for (let i = 0; i < N * n; i++) P[i] = random.random();
    for (let i = 0; i < N; i++) f[i] = random.random();
    for (let i = 0; i < N; i++) clock[i] = wait(f[i], never, random);
    this.enumeration.begin();
    let done = N, infeasible = 0, accepted = 0, best = bestOf(f);
    const ends = [...marks, budget], infeasibleAt = ends.map(() => 0);
    let mark = 0;
    for (; mark < ends.length && ends[mark] <= N; mark++) infeasibleAt[mark] = 0;
    while (done < budget) {
      const generation = earliest(clock), begin = Math.min(generation * N, budget);
      const end = Math.min(begin + N, budget);
      for (let i = 0; i < end - begin; i++) {
        if (clock[i] !== generation) continue;
        accepting[i] = 1;
        outside[i] = this.build(i, best, random) ? 1 : 0;
      }
      const enumerated = this.enumeration.prepare(end - done, best);
      while (done < end) {
        const stop = Math.min(end, ends[mark]);
        infeasible += enumerated
          ? this.enumeration.drawCount(done, stop, begin, random)
          : this.simulate(done, stop, begin, best, random);
        for (let e = Math.max(done, begin); e < stop; e++) infeasible += accepting[e - begin] & outside[e - begin];
        done = stop;
        for (; mark < ends.length && ends[mark] <= done; mark++) infeasibleAt[mark] = infeasible;
      }
      for (let i = 0; i < end - begin; i++) {
        if (!accepting[i]) continue;
        accepting[i] = 0;
        if (reevaluate || !(strategy === "dismiss" && outside[i])) {
          f[i] *= 1 - random.random();
          P.set(this.trials[i], i * n);
          accepted += 1;
          this.enumeration.change(i);
        }
        clock[i] = generation + wait(f[i], never, random);
        if (f[i] < f[best]) best = i; // values only fall
      }
    }
    return { infeasible, infeasibleAt: infeasibleAt.slice(0, marks.length), accepted, best: f[best] };
  }

  /** Draw donors for a target */
  choose(target, best, random) {
    const { parents, avoidsTarget, avoidsBest } = this;
    parents[0] = target;
    parents[1] = best;
    drawDonors(this.config.N, avoidsTarget ? target : -1, avoidsBest ? best : -1, random, this.r, this.donorCount);
  }

  /** The trial of slot i in full, repaired; was it infeasible? */
  build(i, best, random) {
    const { P, v, two, parents, roles } = this, { n, F, Cr, strategy } = this.config;
    this.choose(i, best, random);
    const [base, plus, minus, plus2, minus2] = Array.from(roles, (role) => parents[role] * n);
    for (let j = 0; j < n; j++) v[j] = mutantAt(P, base, plus, minus, plus2, minus2, two, F, j);
    const x = P.subarray(i * n, (i + 1) * n), u = this.trials[i];
    this.crossover(x, v, Cr, random, u);
    return repair(u, x, strategy, random);
  }

  /** How many of the trials `from`..`to` - 1 that are not accepted are infeasible, by drawing each of them */
  simulate(from, to, begin, best, random) {
    const { N, n } = this.config, { accepting } = this;
    let infeasible = 0;
    for (let e = from; e < to; e++) {
      if (e >= begin && accepting[e - begin]) continue;
      this.choose(e % N, best, random);
      const w = random.random();
      infeasible += this.exp ? this.takesOutside(draw(n, random), w) : this.countReaches(w);
    }
    return infeasible;
  }

  /** bin: are there so many infeasible components k that w >= keep[k]? 1 or 0 */
  countReaches(w) {
    const { P, parents, roles, two, table } = this, { n, F } = this.config;
    const base = parents[roles[0]] * n, plus = parents[roles[1]] * n, minus = parents[roles[2]] * n;
    const plus2 = parents[roles[3]] * n, minus2 = parents[roles[4]] * n;
    let needed = 1;
    while (w < table[needed]) needed++;
    for (let i = 0; i < n; i++) {
      const v = mutantAt(P, base, plus, minus, plus2, minus2, two, F, i);
      if ((v < 0 || v > 1) && --needed === 0) return 1;
    }
    return 0;
  }

  /** exp: is there an infeasible component among those taken, from `first` on while w < survival? 1 or 0 */
  takesOutside(first, w) {
    const { P, parents, roles, two, table } = this, { n, F } = this.config;
    const base = parents[roles[0]] * n, plus = parents[roles[1]] * n, minus = parents[roles[2]] * n;
    const plus2 = parents[roles[3]] * n, minus2 = parents[roles[4]] * n;
    for (let d = 0, i = first; w < table[d]; d++) {
      const v = mutantAt(P, base, plus, minus, plus2, minus2, two, F, i);
      if (v < 0 || v > 1) return 1;
      i = i + 1 < n ? i + 1 : 0;
    }
    return 0;
  }
}

/** How many generations until a U(0, 1) number is at most f: geometric, by inversion; `limit` if more */
export function wait(f, limit, random) {
  const generations = Math.log(1 - random.random()) / Math.log1p(-f);
  return generations < limit ? 1 + Math.floor(generations) : limit;
}

/** The next generation with an acceptance */
function earliest(clock) {
  let least = clock[0];
  for (let i = 1; i < clock.length; i++) if (clock[i] < least) least = clock[i];
  return least;
}

/** The index of the smallest value */
export function bestOf(f) {
  let best = 0;
  for (let i = 1; i < f.length; i++) if (f[i] < f[best]) best = i;
  return best;
}
