// Donors and mutation, as src/debox/reference.py has them. `random` gives uniform numbers by random() and normal ones by
// normal(); rows of a population P follow each other.

/** Uniform on 0..k-1 */
export function draw(k, random) {
  return Math.floor(random.random() * k);
}

/** Is r[k] one of r[0], ..., r[k - 1]? */
function repeats(r, k) {
  for (let earlier = 0; earlier < k; earlier++) if (r[earlier] === r[k]) return true;
  return false;
}

/** r1, r2, ... mutually distinct and neither of two avoided individuals; -1 avoids nobody */
export function drawDonors(N, avoided, avoidedToo, random, r, count) {
  for (let k = 0; k < count; k++) {
    do r[k] = draw(N, random);
    while (r[k] === avoided || r[k] === avoidedToo || repeats(r, k));
  }
}

// Whom the donors avoid. A mutation that does not use the best has no best among its parents.
export const DONORS = {
  "distinct": { target: false, best: false },
  "not-target": { target: true, best: false },
  "not-parents": { target: true, best: true },
};

// v = base + F (plus - minus) + ...: the base, and the pairs whose differences are added, in this order.
export const MUTATIONS = {
  "rand/1": { donors: 3, base: "r1", differences: [["r2", "r3"]] },
  "rand/2": { donors: 5, base: "r1", differences: [["r2", "r3"], ["r4", "r5"]] },
  "best/1": { donors: 2, base: "best", differences: [["r1", "r2"]] },
  "best/2": { donors: 4, base: "best", differences: [["r1", "r2"], ["r3", "r4"]] },
  "current-to-best/1": { donors: 2, base: "target", differences: [["best", "target"], ["r1", "r2"]] },
  "current-to-best/2": { donors: 4, base: "target", differences: [["best", "target"], ["r1", "r2"], ["r3", "r4"]] },
  "rand-to-best/1": { donors: 3, base: "r1", differences: [["best", "r1"], ["r2", "r3"]] },
  "rand-to-best/2": { donors: 5, base: "r1", differences: [["best", "r1"], ["r2", "r3"], ["r4", "r5"]] },
};

const ROLES = ["target", "best", "r1", "r2", "r3", "r4", "r5"];

/** Does the mutation refer to this role: "best" or "target"? */
export function uses(mutation, role) {
  return [MUTATIONS[mutation].base, ...MUTATIONS[mutation].differences.flat()].includes(role);
}

/** How many individuals a mutation needs under a rule for donors */
export function smallestPopulation(mutation, donors) {
  const { target, best } = DONORS[donors];
  return MUTATIONS[mutation].donors + target + (best && uses(mutation, "best"));
}

/** The mutants of a population P of individuals with n components each: `aim` at parents, then ask `at` a component. */
export class Mutants {
  constructor(mutation, F, n, P) {
    const { base, differences, donors } = MUTATIONS[mutation], pairs = [...differences, ...differences, ...differences];
    this.roles = Int32Array.from([base, ...pairs.flat()].slice(0, 7), (role) => ROLES.indexOf(role));
    this.F = F;
    this.n = n;
    this.P = P;
    this.count = differences.length;
    this.donors = donors;
    this.parents = new Int32Array(ROLES.length);
    this.r = this.parents.subarray(2);
    this.base = this.plus = this.minus = this.plus2 = this.minus2 = this.plus3 = this.minus3 = 0;
  }

  /** Draw donors for a target; -1 avoids nobody */
  draw(target, best, avoided, avoidedToo, random) {
    drawDonors(this.P.length / this.n, avoided, avoidedToo, random, this.r, this.donors);
    this.aim(target, best);
  }

  /** These donors for a target */
  choose(target, best, donors) {
    this.r.set(donors);
    this.aim(target, best);
  }

  /** Where the rows of the parents begin */
  aim(target, best) {
    const { parents, roles, n } = this;
    parents[0] = target;
    parents[1] = best;
    this.base = parents[roles[0]] * n;
    this.plus = parents[roles[1]] * n;
    this.minus = parents[roles[2]] * n;
    this.plus2 = parents[roles[3]] * n;
    this.minus2 = parents[roles[4]] * n;
    this.plus3 = parents[roles[5]] * n;
    this.minus3 = parents[roles[6]] * n;
  }

  /** Component i, in the order of operations of src/debox/reference.py */
  at(i) {
    const { P, F, count } = this, one = P[this.base + i] + F * (P[this.plus + i] - P[this.minus + i]);
    if (count === 1) return one;
    const two = one + F * (P[this.plus2 + i] - P[this.minus2 + i]);
    return count === 2 ? two : two + F * (P[this.plus3 + i] - P[this.minus3 + i]);
  }
}
