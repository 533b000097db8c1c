// The C core in the browser, a module of WebAssembly: it does runs on f0, or one trial after the other.

export const LIMITS = { N: [2, 200], F: [0, 2], Cr: [0, 1], n: [1, 100], budget: [2, 1000000] }; // the room in core.c
const PARENTS = 7; // target, best, r1, ..., r5
const BASES = ["r1", "best", "target"], COMPETES = 0, UNSEEN = 2; // as in core/loop.h
const IN_TRACE = 10; // numbers: two of the mutant, two of the trial, five donors, draws

/** Bytes of base64 text that hold a gzip stream, unpacked. */
export async function gunzip(base64) {
  const packed = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The parents that the donors of a configuration avoid: a mutation without the best need not avoid it */
export function avoidedBy(operators, { mutation, donors }) {
  const { uses_best } = operators.mutation[mutation];
  return operators.donors[donors].avoids.filter((who) => who === "target" || uses_best);
}

/** The weights of target, best, r1, ... in a mutant, linear in F */
export function weightsOf({ weights: [first, second] }, F) {
  return first.map((weight, k) => weight + F * (second[k] - weight));
}

/** What the core must know to run a configuration: names of C functions, facts of the table of operators, numbers */
export function planOf(operators, config) {
  const [mutation, crossover, strategy] = ["mutation", "crossover", "strategy"].map((slot) =>
    operators[slot][config[slot]]);
  const { N, n, budget, F, Cr } = config, avoided = avoidedBy(operators, config);
  const rule = Object.values(operators.donors).find(({ avoids }) => avoids.join() === avoided.join());
  return {
    functions: [rule, mutation, crossover, strategy].map((operator) => operator.function),
    facts: [mutation.donors, BASES.indexOf(mutation.base), mutation.uses_best, mutation.uses_target, avoided.length,
      crossover.exchanges === "segment", strategy.whole, strategy.redraws, strategy.penalises ? UNSEEN : COMPETES],
    weights: weightsOf(mutation, F), N, n, budget, F, Cr,
  };
}

/** An instance of the core, which does the runs of one configuration at a time. */
export class Core {
  constructor(module) {
    this.c = new WebAssembly.Instance(module).exports;
    this.c._initialize();
    this.numberOf = new Map(); // of each operator, by the name of its C function
    const name = (k) => this.text(this.c.name_of(k));
    for (let k = 0; name(k); k++) this.numberOf.set(name(k), k);
  }

  /** A text of C; "" for none */
  text(address) {
    if (!address) return "";
    const bytes = new Uint8Array(this.c.memory.buffer, address);
    return String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)));
  }

  /** An array of C */
  floats(address, size) {
    return new Float64Array(this.c.memory.buffer, address, size);
  }

  /** Prepare runs; with `traced` ones that `Trials` does step by step */
  configure({ functions, facts, weights, N, n, budget, F, Cr }, traced = false) {
    this.budget = budget;
    this.floats(this.c.weights_of_parents(), PARENTS).set(weights);
    this.c.configure(...functions.map((name) => this.numberOf.get(name)), ...facts, N, n, budget, F, Cr, traced);
  }

  /** One run: how many of its trials were infeasible */
  run(seed, number) {
    this.c.seed(seed, number);
    this.c.begin();
    return this.c.advance(this.budget);
  }
}

/** A run of Algorithm 1 in two variables, trial by trial; `valueAt` gives the value of a point. */
export class Trials {
  constructor(core, plan, seed, valueAt) {
    const { c } = core, { N } = plan;
    core.configure({ ...plan, n: 2, budget: 1e9 }, true);
    c.seed(seed, 0);
    c.begin();
    Object.assign(this, { c, N, plan, valueAt, evaluations: N, infeasible: 0, accepted: 0, generation: 0, target: 0 });
    this.P = core.floats(c.population(), 2 * N);
    this.f = core.floats(c.values(), N);
    this.U = core.floats(c.trials(), 2 * N);
    this.fU = core.floats(c.values_of_trials(), N);
    this.traces = core.floats(c.traces_of_trials(), IN_TRACE * N);
    c.make_trials(); // the initial population
    for (let i = 0; i < N; i++) this.fU[i] = this.value(i);
    this.nextGeneration();
  }

  /** The value of a trial */
  value(i) {
    return this.valueAt(row(this.U, i), () => this.c.uniform_number());
  }

  nextGeneration() {
    this.c.replace();
    this.c.make_trials();
    this.generation += 1;
    this.target = 0;
  }

  /** The points of a trial: its base, and the pairs whose differences, times F, are added in this order */
  parents(i, donors) {
    const { weights, facts: [, base] } = this.plan, individuals = [i, this.c.best(), ...donors],
      at = (k) => row(this.P, individuals[k]), of = [2, 1, 0][base]; // the base among target, best, r1, ...
    const plain = weights.map((weight, k) => weight - (k === of)); // without the base itself
    const [plus, minus] = [1, -1].map((sign) => [...plain.keys()].filter((k) => sign * plain[k] > 0));
    return { base: at(of), pairs: plus.flatMap((k, place) => [at(k), at(minus[place])]) };
  }

  /** The next trial: its parents, the mutant, the trial before and after repair, whether it was outside, its fate */
  step() {
    const i = this.target, { generation } = this, trace = this.traces.slice(IN_TRACE * i, IN_TRACE * (i + 1)),
      [mutant, trial] = [row(trace, 0), row(trace, 1)], [donors, drawn] = [trace.slice(4, 9), trace[9]];
    const outside = !trial.every((x) => x >= 0 && x <= 1), refused = outside && this.plan.facts.at(-1) === UNSEEN,
      before = this.f[i], f = refused ? Infinity : this.value(i), accepted = f <= before;
    const record = { ...this.parents(i, donors), target: i, x: row(this.P, i), mutant, trial, outside, refused,
      repaired: row(this.U, i), drawn, f, before, accepted, generation };
    this.fU[i] = f;
    this.evaluations += 1;
    this.infeasible += outside;
    this.accepted += accepted;
    this.target += 1;
    if (this.target === this.N) this.nextGeneration();
    return record;
  }
}

/** A point of several that lie one after the other */
function row(points, i) {
  return [points[2 * i], points[2 * i + 1]];
}
