// Strategies: what becomes of a trial u that left the box, given its target x and its base c, to which the mutation
// adds differences; as src/debox/reference.py has them, for numbers that are finite and bounds of usual size.

const RHO_CENTER = 1 / 2, RHO_SPREAD = 1, MOST_REDRAWS = 100;

function clip(u, a, b) {
  return u < a ? a : u > b ? b : u;
}

/** (p - q) mod period for p >= q; % is exact, the difference itself would round when p is far away */
function excess(p, q, period) {
  const d = (p % period) - (q % period);
  return d < 0 ? d + period : d >= period ? d - period : d;
}

/** The violated bound */
function violated(u, a, b) {
  return u < a ? a : b;
}

/** p + share (q - p) for p, q in [a, b] and a share in [0, 1] */
function between(p, q, share, a, b) {
  return clip(p + share * (q - p), a, b);
}

/** A share of the width inward from the violated bound */
function inward(u, share, a, b) {
  return u < a ? between(a, b, share, a, b) : between(b, a, share, a, b);
}

/** |ln(1 + U (e^-rho - 1))| widths inward from the violated bound: an exponential law, cut at rho widths */
function confined(u, rho, a, b, random) {
  return inward(u, -Math.log1p(random.random() * Math.expm1(-rho)), a, b);
}

/** the violated bound */
function saturation(u, x, c, a, b) {
  return clip(u, a, b);
}

/** a + ((u - a) mod (b - a)) */
function toroidal(u, x, c, a, b) {
  if (u > b) return clip(a + excess(u, b, b - a), a, b);
  const beyond = excess(a, u, b - a);
  return clip(beyond > 0 ? b - beyond : a, a, b);
}

/** reflect at the violated bound until inside: period 2(b - a) */
function mirror(u, x, c, a, b) {
  const width = b - a, d = u > b ? excess(u, b, 2 * width) : excess(a, u, 2 * width);
  if (u > b) return clip(d <= width ? b - d : a + (d - width), a, b);
  return clip(d <= width ? a + d : b - (d - width), a, b);
}

/** a + |N(0, (b - a)/3)| or b - |N(0, (b - a)/3)| at the bound violated, again until inside */
function cotn(u, x, c, a, b, random) {
  const sigma = (b - a) / 3;
  while (!(a <= u && u <= b)) {
    const step = sigma * Math.abs(random.normal());
    u = u > b ? b - step : a + step;
  }
  return u;
}

/** a + U (b - a) */
function uniform(u, x, c, a, b, random) {
  return between(a, b, random.random(), a, b);
}

/** g/2 + x/2, g the violated bound */
function midpointTarget(u, x, c, a, b) {
  return clip(violated(u, a, b) / 2 + x / 2, a, b);
}

/** g/2 + c/2, g the violated bound */
function midpointBase(u, x, c, a, b) {
  return clip(violated(u, a, b) / 2 + c / 2, a, b);
}

/** x + U (g - x), g the violated bound */
function randTarget(u, x, c, a, b, random) {
  return between(x, violated(u, a, b), random.random(), a, b);
}

/** c + U (g - c), g the violated bound */
function randBase(u, x, c, a, b, random) {
  return between(c, violated(u, a, b), random.random(), a, b);
}

/** confined with rho = |x - g|/(b - a), g the violated bound */
function expTarget(u, x, c, a, b, random) {
  return confined(u, Math.abs(x - violated(u, a, b)) / (b - a), a, b, random);
}

/** confined with rho = 1/2 */
function expCenter(u, x, c, a, b, random) {
  return confined(u, RHO_CENTER, a, b, random);
}

/** confined with rho = 1 */
function expSpread(u, x, c, a, b, random) {
  return confined(u, RHO_SPREAD, a, b, random);
}

/** a + U min(a - u, b - a) or b - U min(u - b, b - a) at the bound violated */
function reflectRandom(u, x, c, a, b, random) {
  const beyond = u < a ? a - u : u - b;
  return inward(u, random.random() * Math.min(1, beyond / (b - a)), a, b);
}

/** the whole trial becomes the target */
function dismiss(u, x) {
  u.set(x);
}

/** the whole trial becomes the base */
function conservatism(u, x, c) {
  u.set(c);
}

/** m + alpha (u - m), with the largest alpha <= 1 that ends inside; m is a point of the box */
function projectTo(m, u, a, b) {
  let alpha = 1;
  for (let i = 0; i < u.length; i++) {
    if (a <= u[i] && u[i] <= b) continue;
    const g = violated(u[i], a, b);
    alpha = g === m[i] ? 0 : Math.min(alpha, (g - m[i]) / (u[i] - m[i]));
  }
  for (let i = 0; i < u.length; i++) u[i] = between(m[i], u[i], alpha, a, b);
}

/** m + alpha (u - m), m the middle of the box */
function projectMidpoint(u, x, c, a, b) {
  projectTo(u.map(() => a / 2 + b / 2), u, a, b);
}

/** c + alpha (u - c), c the base */
function projectBase(u, x, c, a, b) {
  projectTo(c, u, a, b);
}

// What a strategy repairs: `component`s that left the box, one by one, or the `whole` trial. `redraws`: how often the
// trial is drawn anew before. `loses`: an infeasible trial is never accepted.
export const STRATEGIES = {
  "saturation": { component: saturation },
  "toroidal": { component: toroidal },
  "mirror": { component: mirror },
  "COTN": { component: cotn },
  "uniform": { component: uniform },
  "midpoint-target": { component: midpointTarget },
  "midpoint-base": { component: midpointBase },
  "rand-target": { component: randTarget },
  "rand-base": { component: randBase },
  "exp-target": { component: expTarget },
  "exp-center": { component: expCenter },
  "exp-spread": { component: expSpread },
  "reflect-random": { component: reflectRandom },
  "dismiss": { whole: dismiss },
  "conservatism": { whole: conservatism },
  "project-midpoint": { whole: projectMidpoint },
  "project-base": { whole: projectBase },
  "resample": { component: saturation, redraws: MOST_REDRAWS },
  "penalty": { whole: dismiss, loses: true },
};

/** Is every component in [a, b]? */
export function isInside(u, a = 0, b = 1) {
  for (let i = 0; i < u.length; i++) if (!(a <= u[i] && u[i] <= b)) return false;
  return true;
}

/** Bring the trial u of target x and base c back into [a, b]^n; was it outside? */
export function repair(u, x, c, strategy, random, a = 0, b = 1) {
  if (isInside(u, a, b)) return false;
  const { component, whole } = STRATEGIES[strategy];
  if (whole) {
    whole(u, x, c, a, b);
    return true;
  }
  for (let i = 0; i < u.length; i++) {
    if (!(a <= u[i] && u[i] <= b)) u[i] = component(u[i], x[i], c[i], a, b, random);
  }
  return true;
}
