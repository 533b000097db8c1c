// A quiet stretch in one draw: the exact chance of a trial to be infeasible, over all tuples of donors.

import { uses } from "./mutation.js";

const MOST_CHANCES = 20000; // tuples of donors x targets worth a table
const PRICE = { bin: 0.6, exp: 0.9 }; // of one chance, in simulated trials

/** All ordered tuples of k different numbers below N, one after the other */
export function donorTuples(N, k) {
  let tuples = [[]];
  for (let place = 0; place < k; place++) {
    tuples = tuples.flatMap((t) => Array.from({ length: N }, (_, i) => i).filter((i) => !t.includes(i)).map((i) => [...t, i]));
  }
  return tuples;
}

/** N (N - 1) ... (N - k + 1) */
function countTuples(N, k) {
  return k ? N * countTuples(N - 1, k - 1) : 1;
}

/** The chances of the trials of an engine, kept up to date with its population. */
export class Enumeration {
  constructor(engine) {
    const { N, mutation, crossover } = engine.config, k = engine.mutants.donors;
    this.engine = engine;
    this.targets = uses(mutation, "target") || engine.avoidsTarget ? N : 1; // does the chance depend on the target?
    this.usesBest = uses(mutation, "best");
    this.usesTarget = uses(mutation, "target");
    this.possible = this.targets * countTuples(N, k) <= MOST_CHANCES;
    this.tuples = this.possible ? donorTuples(N, k).map((t) => Int32Array.from(t)) : [];
    this.tuplesWithOne = Math.round((this.tuples.length * k) / N);
    this.chance = new Float64Array(this.targets * this.tuples.length);
    this.q = new Float64Array(this.targets);
    this.changed = new Uint8Array(N);
    this.outside = new Uint8Array(engine.config.n);
    this.price = PRICE[crossover];
    this.begin();
  }

  /** A new run: nothing is known of its population. */
  begin() {
    this.changed.fill(1);
    this.best = -1;
    this.missedSavings = 0;
  }

  /** Individual i is another one now. */
  change(i) {
    this.changed[i] = 1;
  }

  /** Compute the chances if that costs less than to simulate so many trials; were they computed?
   *
   * Once computed, chances cost little to keep up to date. So what enumerating would have saved in each simulated
   * stretch is added up, and when the sum exceeds the price the chances are computed. */
  prepare(trials, best) {
    if (!this.possible) return false;
    const all = this.chance.length, stale = this.isStale(best), changes = this.changed.reduce((a, b) => a + b, 0);
    const ofOne = this.targets * this.tuplesWithOne + (this.usesTarget ? this.tuples.length : 0);
    const price = (stale ? all : Math.min(all, changes * ofOne)) * this.price;
    if (price >= trials + this.missedSavings) {
      this.missedSavings += Math.max(0, trials - ofOne * this.price);
      return false;
    }
    this.update(best, stale || changes * this.tuplesWithOne >= this.tuples.length);
    return true;
  }

  /** Has every chance changed, since a new best is in every trial? */
  isStale(best) {
    return this.best < 0 || (this.usesBest && (this.best !== best || this.changed[best] === 1));
  }

  /** The chance q of each target, from the tuples that its rule allows */
  update(best, all) {
    const { engine, tuples, chance, changed, usesTarget } = this, { avoidsTarget, avoidsBest } = engine;
    for (let target = 0; target < this.targets; target++) {
      const every = all || (usesTarget && changed[target]);
      let sum = 0, allowed = 0;
      for (let t = 0; t < tuples.length; t++) {
        const place = target * tuples.length + t, tuple = tuples[t];
        if (every || holds(tuple, changed)) chance[place] = this.chanceOf(target, best, tuple);
        if ((avoidsTarget && tuple.includes(target)) || (avoidsBest && tuple.includes(best))) continue;
        sum += chance[place];
        allowed += 1;
      }
      this.q[target] = Math.min(1, sum / allowed);
    }
    changed.fill(0);
    this.best = best;
    this.missedSavings = 0;
  }

  /** The chance of a trial of this target with these donors to be infeasible */
  chanceOf(target, best, tuple) {
    const { engine, outside } = this, { mutants, table, exp } = engine, { n } = engine.config;
    mutants.choose(target, best, tuple);
    let k = 0, last = 0;
    for (let i = 0; i < n; i++) {
      const v = mutants.at(i);
      outside[i] = v < 0 || v > 1 ? 1 : 0;
      if (!outside[i]) continue;
      k += 1;
      last = i;
    }
    if (k === 0) return 0;
    return exp ? chanceOfSegment(outside, last, table) : 1 - table[k];
  }

  /** Binomial(trials, q) for the trials `from`..`to` - 1, for every target if q depends on it, without those accepted */
  drawCount(from, to, begin, random) {
    const { accepting } = this.engine, { N } = this.engine.config;
    if (this.targets === 1) {
      let trials = to - from;
      for (let e = Math.max(from, begin); e < to; e++) trials -= accepting[e - begin];
      return random.binomial(trials, this.q[0]);
    }
    let infeasible = 0;
    for (let i = 0; i < N; i++) {
      const visits = Math.ceil((to - i) / N) - Math.ceil((from - i) / N), e = begin + i;
      infeasible += random.binomial(visits - (e >= from && e < to ? accepting[i] : 0), this.q[i]);
    }
    return infeasible;
  }
}

/** Is one of the marked individuals in the tuple? */
function holds(tuple, marked) {
  for (let k = 0; k < tuple.length; k++) if (marked[tuple[k]]) return true;
  return false;
}

/** exp: the mean over all starts of survival[d], d the distance to the next component outside; `last` is one of them */
function chanceOfSegment(outside, last, survival) {
  const n = outside.length;
  let sum = 0, d = 0;
  for (let step = 0, i = last; step < n; step++) {
    d = outside[i] ? 0 : d + 1;
    sum += survival[d];
    i = i > 0 ? i - 1 : n - 1;
  }
  return sum / n;
}
