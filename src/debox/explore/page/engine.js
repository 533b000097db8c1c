// Runs of Differential Evolution on the random function f0: the law of Algorithm 1 with almost none of its work.
//
// On f0 acceptance does not depend on position. So it is decided first: a slot of value f waits a geometric number of
// generations, then has value U(0, f). Between acceptances the population stands still, and a rejected trial leaves one
// bit: was it infeasible? Such a quiet stretch is simulated without building trials, or the chance of a trial is
// computed from all tuples of donors and one binomial number is drawn, whichever costs less.

import { CROSSOVERS } from "./crossover.js";
import { Enumeration } from "./enumeration.js";
import { checked } from "./limits.js";
import { DONORS, Mutants, draw, uses } from "./mutation.js";
import { STRATEGIES, isInside, repair } from "./strategies.js";

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
    const config = checked(configuration), { N, n, F, mutation, strategy } = config, rule = DONORS[config.donors];
    this.config = config;
    this.exp = config.crossover === "exp";
    this.avoidsTarget = rule.target;
    this.avoidsBest = rule.best && uses(mutation, "best");
    this.table = this.exp ? survivalTable(n, config.Cr) : keepTable(n, config.Cr);
    this.crossover = CROSSOVERS[config.crossover];
    this.redraws = STRATEGIES[strategy].redraws ?? 0;
    this.loses = STRATEGIES[strategy].loses ?? (strategy === "dismiss" && !config.reevaluate); // an infeasible trial
    this.P = new Float64Array(N * n);
    this.mutants = new Mutants(mutation, F, n, this.P);
    this.f = new Float64Array(N);
    this.clock = new Float64Array(N);
    this.v = new Float64Array(n);
    this.trials = Array.from({ length: N }, () => new Float64Array(n));
    this.accepting = new Uint8Array(N); // has the coming generation a trial of this slot that is accepted?
    this.outside = new Uint8Array(N); // is that infeasible?
    this.enumeration = new Enumeration(this);
  }

  /** One run: infeasible trials, those up to each mark (rising numbers of evaluations), accepted trials, best value */
  run(random, marks = []) {
    const { N, n, budget } = this.config, { P, f, clock, accepting, outside, loses } = this;
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
        if (!(loses && outside[i])) {
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
    this.mutants.draw(target, best, this.avoidsTarget ? target : -1, this.avoidsBest ? best : -1, random);
  }

  /** The trial of slot i as it comes from mutation and crossover */
  drawTrial(i, best, random) {
    const { P, v, mutants, trials } = this, { n, Cr } = this.config;
    this.choose(i, best, random);
    for (let j = 0; j < n; j++) v[j] = mutants.at(j);
    this.crossover(P.subarray(i * n, (i + 1) * n), v, Cr, random, trials[i]);
  }

  /** The trial of slot i in full, repaired; was it infeasible? */
  build(i, best, random) {
    const { P, mutants } = this, { n, strategy } = this.config, u = this.trials[i];
    this.drawTrial(i, best, random);
    if (isInside(u)) return false;
    for (let again = 0; again < this.redraws && !isInside(u); again++) this.drawTrial(i, best, random);
    repair(u, P.subarray(i * n, (i + 1) * n), P.subarray(mutants.base, mutants.base + n), strategy, random);
    return true;
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
    const { mutants, table } = this, { n } = this.config;
    let needed = 1;
    while (w < table[needed]) needed++;
    for (let i = 0; i < n; i++) {
      const v = mutants.at(i);
      if ((v < 0 || v > 1) && --needed === 0) return 1;
    }
    return 0;
  }

  /** exp: is there an infeasible component among those taken, from `first` on while w < survival? 1 or 0 */
  takesOutside(first, w) {
    const { mutants, table } = this, { n } = this.config;
    for (let d = 0, i = first; w < table[d]; d++) {
      const v = mutants.at(i);
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
