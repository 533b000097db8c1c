// The operators of Differential Evolution, as src/debox/de has them: donors, mutation, crossover, strategies.
// `random` gives uniform numbers by random() and normal ones by normal(); rows of a population P follow each other.

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

// v = base + F (plus - minus) + ...: the base, and the pairs whose differences are added.
export const MUTATIONS = {
  "rand/1": { donors: 3, base: "r1", differences: [["r2", "r3"]] },
  "rand/2": { donors: 5, base: "r1", differences: [["r2", "r3"], ["r4", "r5"]] },
  "best/1": { donors: 2, base: "best", differences: [["r1", "r2"]] },
  "current-to-best/1": { donors: 2, base: "target", differences: [["best", "target"], ["r1", "r2"]] },
};

const ROLES = ["target", "best", "r1", "r2", "r3", "r4", "r5"];

/** Base, plus, minus, plus, minus as places in ROLES; a mutation with one difference names its first pair twice. */
export function rolesOf(mutation) {
  const { base, differences } = MUTATIONS[mutation];
  const [first, second = first] = differences;
  return Int32Array.from([base, ...first, ...second], (role) => ROLES.indexOf(role));
}

/** Does the mutation refer to this role: "best" or "target"? */
export function uses(mutation, role) {
  return [MUTATIONS[mutation].base, ...MUTATIONS[mutation].differences.flat()].includes(role);
}

/** Component i of a mutant, in the order of operations of src/debox/de/mutation.py */
export function mutantAt(P, base, plus, minus, plus2, minus2, two, F, i) {
  const v = P[base + i] + F * (P[plus + i] - P[minus + i]);
  return two ? v + F * (P[plus2 + i] - P[minus2 + i]) : v;
}

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

function clip(u, a, b) {
  return u < a ? a : u > b ? b : u;
}

/** (p - q) mod period for p >= q; % is exact, the difference itself would round when p is far away */
function excess(p, q, period) {
  const d = (p % period) - (q % period);
  return d < 0 ? d + period : d >= period ? d - period : d;
}

/** the violated bound */
function saturation(u, x, a, b) {
  return clip(u, a, b);
}

/** a + ((u - a) mod (b - a)) */
function toroidal(u, x, a, b) {
  if (u > b) return clip(a + excess(u, b, b - a), a, b);
  const beyond = excess(a, u, b - a);
  return clip(beyond > 0 ? b - beyond : a, a, b);
}

/** reflect at the violated bound until inside: period 2(b - a) */
function mirror(u, x, a, b) {
  const width = b - a, d = u > b ? excess(u, b, 2 * width) : excess(a, u, 2 * width);
  if (u > b) return clip(d <= width ? b - d : a + (d - width), a, b);
  return clip(d <= width ? a + d : b - (d - width), a, b);
}

/** a + |N(0, (b - a)/3)| or b - |N(0, (b - a)/3)| at the bound violated, again until inside */
function cotn(u, x, a, b, random) {
  const sigma = (b - a) / 3;
  while (!(a <= u && u <= b)) {
    const step = sigma * Math.abs(random.normal());
    u = u > b ? b - step : a + step;
  }
  return u;
}

/** the target's component; `repair` gives it to the whole trial */
function dismiss(u, x) {
  return x;
}

export const STRATEGIES = { saturation, toroidal, mirror, COTN: cotn, dismiss };

/** Bring the trial u of target x back into [a, b]^n; was it outside? dismiss puts all of the target in its place. */
export function repair(u, x, strategy, random, a = 0, b = 1) {
  const bring = STRATEGIES[strategy];
  let infeasible = false;
  for (let i = 0; i < u.length; i++) {
    if (a <= u[i] && u[i] <= b) continue;
    infeasible = true;
    u[i] = bring(u[i], x[i], a, b, random);
  }
  if (infeasible && strategy === "dismiss") u.set(x);
  return infeasible;
}
