// Engines of the page with a mistake each: a test that sees none of them proves nothing.

import { Engine } from "./engine.js";
import { CROSSOVERS } from "./crossover.js";
import { Random } from "./rng.js";
import { isInside, repair } from "./strategies.js";

/** A normal number of the same mean and deviation instead of a binomial one, rounded and kept in its range. */
class NormalRandom extends Random {
  binomial(n, p) {
    const x = Math.round(n * p + Math.sqrt(n * p * (1 - p)) * this.normal());
    return Math.min(n, Math.max(0, x));
  }
}

/** Segments of exp one component too long. */
class LongSegments extends Engine {
  constructor(configuration) {
    super(configuration);
    const { n } = this.config, right = this.table;
    this.table = right.map((_, d) => (d === n ? 0 : right[Math.max(0, d - 1)]));
    this.crossover = (x, v, Cr, random, u) => {
      CROSSOVERS.exp(x, v, Cr, random, u);
      const next = u.findIndex((_, i) => u[i] === x[i] && u[(i + n - 1) % n] !== x[(i + n - 1) % n]);
      if (next >= 0) u[next] = v[next];
    };
  }
}

/** Donors that avoid the target. */
class AvoidTarget extends Engine {
  constructor(configuration) {
    super({ ...configuration, donors: "not-target" });
  }
}

/** The target where a strategy asks for the base. */
class TargetForBase extends Engine {
  build(i, best, random) {
    const { n, strategy } = this.config, u = this.trials[i], x = this.P.subarray(i * n, (i + 1) * n);
    this.drawTrial(i, best, random);
    if (isInside(u)) return false;
    return repair(u, x, x, strategy, random);
  }
}

/** An infeasible trial is not drawn anew, but repaired at once. */
class NoRedraws extends Engine {
  constructor(configuration) {
    super(configuration);
    this.redraws = 0;
  }
}

export const WRONG = {
  "": [Engine, Random],
  "a normal instead of a binomial number": [Engine, NormalRandom],
  "segments one component too long": [LongSegments, Random],
  "donors that avoid the target": [AvoidTarget, Random],
  "the target in place of the base": [TargetForBase, Random],
  "an infeasible trial not drawn anew": [NoRedraws, Random],
};

/** Infeasible trials of each run at the marks and at the end; `mistake` names a wrong engine, or none */
export function sample(configuration, runs, seed, marks, mistake = "") {
  const [MakeEngine, MakeRandom] = WRONG[mistake], engine = new MakeEngine(configuration);
  return Array.from({ length: runs }, (_, run) => {
    const { infeasible, infeasibleAt } = engine.run(new MakeRandom(seed, run), marks);
    return [...infeasibleAt, infeasible];
  });
}
