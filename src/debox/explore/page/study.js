// The study that the page holds: a header, and how many trials of every run were infeasible.

import { gunzip } from "./core.js";
import { summarise } from "./numbers.js";

/** Whole numbers whose lowest bytes come first, then all second bytes, and so on. */
export function fromPlanes(bytes, width) {
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
    for (let cell = 0; cell < this.cells; cell++) {
      this.starts[cell + 1] = this.starts[cell] + (Array.isArray(header.runs) ? header.runs[cell] : header.runs);
    }
    const counts = fromPlanes(bytes, header.bytes), size = this.starts[this.cells];
    this.counts = header.marks.map((_, mark) => counts.subarray(mark * size, (mark + 1) * size));
    this.summaries = new Map();
  }

  /** The number of the cell with these values of the factors; -1 if it is not of the study. */
  cellOf(values) {
    let cell = 0;
    for (let k = 0; k < this.factors.length; k++) {
      const place = this.axes[this.factors[k]].indexOf(values[this.factors[k]]);
      if (place < 0) return -1;
      cell = cell * this.sizes[k] + place;
    }
    return cell;
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
    return this.marks.map((end, k) => {
      const before = k ? this.infeasible(cell, k - 1) : null, start = k ? this.marks[k - 1] : 0;
      return this.infeasible(cell, k).map((count, run) =>
        (count - (before ? before[run] : 0)) / Math.max(1, end - start));
    });
  }

  /** The runs of a cell in few numbers, computed once. */
  summary(cell) {
    if (!this.summaries.has(cell)) this.summaries.set(cell, summarise(this.pois(cell)));
    return this.summaries.get(cell);
  }

  /** The medians of all cells that have runs. */
  medians() {
    return Array.from({ length: this.cells }, (_, cell) => this.summary(cell).median).filter((median) =>
      !Number.isNaN(median));
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

  /** The cell nearest to a configuration in F and Cr; null if nothing is comparable */
  neighbour(config) {
    if (!this.isComparable(config)) return null;
    const values = { ...config, F: this.nearest("F", config.F), Cr: this.nearest("Cr", config.Cr) },
      cell = this.cellOf(values);
    const same = values.F === config.F && values.Cr === config.Cr;
    return cell >= 0 && this.summary(cell).runs ? { cell, same, values } : null;
  }

  /** The value of a factor that is nearest to a number */
  nearest(name, number) {
    return this.axes[name].reduce((a, b) => (Math.abs(b - number) < Math.abs(a - number) ? b : a));
  }

  /** All F and Cr of which runs are stored that are comparable, with their medians */
  comparablePoints(config) {
    if (!this.isComparable(config)) return [];
    const points = this.axes.F.flatMap((F) => this.axes.Cr.map((Cr) =>
      ({ F, Cr, cell: this.cellOf({ ...config, F, Cr }) })));
    return points.filter(({ cell }) => cell >= 0 && this.summary(cell).runs).map((one) =>
      ({ ...one, ...this.summary(one.cell) }));
  }
}

/** The study in the page's elements `header` and `counts`. */
export async function readStudy(root) {
  const header = JSON.parse(root.getElementById("header").textContent);
  return new StoredStudy(header, await gunzip(root.getElementById("counts").textContent));
}
