// The study that the page holds: a header, and how many trials of every run were infeasible; what the page can run.

import { LIMITS, avoidedBy } from "./core.js";
import { summarise } from "./numbers.js";

/** Whole numbers whose lowest bytes come first, then all second bytes, and so on */
function fromPlanes(bytes, width) {
  const size = bytes.length / width, numbers = new Float64Array(size);
  for (let plane = width - 1; plane >= 0; plane--) {
    for (let k = 0; k < size; k++) numbers[k] = numbers[k] * 256 + bytes[plane * size + k];
  }
  return numbers;
}

/** A stored study: `axes` holds the values of each factor, cells are numbered with the last one, Cr, changing first. */
export class StoredStudy {
  constructor(header, bytes) {
    Object.assign(this, header);
    this.factors = Object.keys(header.axes); // the adaptation among them if runs differ in it
    this.panelFactors = this.factors.slice(0, -2); // all but F and Cr
    this.sizes = this.factors.map((name) => header.axes[name].length);
    this.cells = this.sizes.reduce((a, b) => a * b, 1);
    this.starts = new Int32Array(this.cells + 1);
    for (let k = 0; k < this.cells; k++) this.starts[k + 1] = this.starts[k] + (header.runs[k] ?? header.runs);
    const counts = fromPlanes(bytes, header.bytes), size = this.starts[this.cells];
    this.counts = header.marks.map((_, mark) => counts.subarray(mark * size, (mark + 1) * size));
    this.summaries = new Map();
  }

  /** The number of the cell with these values of the factors; -1 if it is not of the study. */
  cellOf(values) {
    const places = this.factors.map((name) => this.axes[name].indexOf(values[name]));
    return places.includes(-1) ? -1 : places.reduce((cell, place, k) => cell * this.sizes[k] + place, 0);
  }

  /** The values of the factors of a cell. */
  valuesOf(cell) {
    const values = Object.fromEntries(this.factors.map((name) => [name, null])); // in this order
    for (let k = this.factors.length - 1; k >= 0; k--) {
      values[this.factors[k]] = this.axes[this.factors[k]][cell % this.sizes[k]];
      cell = Math.floor(cell / this.sizes[k]);
    }
    return values;
  }

  /** The infeasible trials of each run of a cell, at the end or at another mark. */
  infeasible(cell, mark = this.marks.length - 1) {
    return this.counts[mark].subarray(this.starts[cell], this.starts[cell + 1]);
  }

  /** POIS of each run of a cell. */
  pois(cell) {
    return this.infeasible(cell).map((count) => count / this.budget);
  }

  /** POIS within each stretch between the marks, of each run */
  withinStretches(cell) {
    const starts = [0, ...this.marks], none = new Float64Array(this.starts[cell + 1] - this.starts[cell]),
      counts = [none, ...this.marks.map((_, k) => this.infeasible(cell, k))];
    return this.marks.map((end, k) => counts[k + 1].map((count, run) =>
      (count - counts[k][run]) / Math.max(1, end - starts[k])));
  }

  /** The runs of a cell in few numbers, computed once. */
  summary(cell) {
    if (!this.summaries.has(cell)) this.summaries.set(cell, summarise(this.pois(cell)));
    return this.summaries.get(cell);
  }

  /** Are the study's runs those of this configuration but for F and Cr, or of other settings? */
  isComparable(config) {
    const { donors = "distinct", adaptation = "fixed", ...others } = this.settings;
    if (!this.axes.adaptation && adaptation !== (config.adaptation ?? "fixed")) return false;
    const minds = this.operators.strategy[config.strategy]?.minds; // of those not of debox nothing is known
    const matters = (name) => !["reevaluate", "repair"].includes(name) || !minds || minds.includes(name);
    return !Object.keys(others).some(matters) && donors === config.donors && config.n === this.dimension
      && config.budget === this.budget;
  }

  /** All F and Cr of which runs are stored that are comparable, with their cells and medians */
  comparablePoints(config) {
    if (!this.isComparable(config)) return [];
    const points = this.axes.F.flatMap((F) => this.axes.Cr.map((Cr) => ({ F, Cr })));
    const cells = points.map((at) => ({ ...at, cell: this.cellOf({ ...config, ...at }) }));
    return cells.filter(({ cell }) => cell >= 0 && this.summary(cell).runs).map((one) =>
      ({ ...one, ...this.summary(one.cell) }));
  }

  /** The cell nearest to a configuration in F and Cr; undefined if nothing is comparable */
  neighbour(config) {
    const F = this.nearest("F", config.F), Cr = this.nearest("Cr", config.Cr);
    return this.comparablePoints(config).find((one) => one.F === F && one.Cr === Cr);
  }

  /** The value of a factor that is nearest to a number */
  nearest(name, number) {
    return this.axes[name].reduce((a, b) => (Math.abs(b - number) < Math.abs(a - number) ? b : a));
  }
}

// What the page runs. A configuration here has operators, N, F, Cr, n and budget.

export const SLOTS = ["mutation", "crossover", "strategy", "donors", "adaptation"];

/** Is this an operator that the page runs? */
export function isHere({ operators }, slot, name) {
  return Object.hasOwn(operators[slot], name) && operators[slot][name].here;
}

/** Why no engine runs a configuration: too few individuals or evaluations; "" if some engine may */
export function impossible({ operators }, { mutation, donors, N, budget }) {
  const known = operators.mutation[mutation] && operators.donors[donors];
  const fewest = known ? operators.mutation[mutation].donors + avoidedBy(operators, { mutation, donors }).length
    : LIMITS.N[0];
  if (N < fewest) return `N must be at least ${fewest} for ${mutation}, got ${N}`;
  return budget < N ? `budget must be at least N = ${N}, got ${budget}` : "";
}

/** Why the page itself does not run a configuration that debox may run; "" if it does */
export function onlyInPython(study, config) {
  const missing = SLOTS.filter((slot) => !isHere(study, slot, config[slot])).map((slot) => config[slot]);
  const beyond = Object.keys(LIMITS).filter((name) =>
    config[name] < LIMITS[name][0] || config[name] > LIMITS[name][1]);
  const what = [...missing, ...beyond.map((name) => `${name}=${config[name]}`)],
    limits = beyond.map((name) => ` (${name} from ${LIMITS[name].join(" to ")})`).join("");
  return what.length ? `${what.join(" and ")} ${what.length > 1 ? "run" : "runs"} in Python, not in this page${limits}`
    : "";
}
