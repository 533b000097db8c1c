// A map of POIS over F, upward, and Cr, to the right, that fills in: stored points, coarse ones, those between.

import { planOf } from "./core.js";
import { colourScale, foldedTable, html, readable, sharpContext, tableOverFCr, themeColour } from "./dom.js";
import { colourOf, inkOn, summarise } from "./numbers.js";

const SIDE = 16, PLACES = Array.from({ length: SIDE }, (_, k) => k); // points in a row, and their numbers
const EDGE = { left: 44, below: 38, top: 6, right: 8 };

/** Numbers half way between neighbours, from the first end to the last */
export function halfWays(rising, least, most) {
  return [least, ...rising.slice(1).map((value, k) => (value + rising[k]) / 2), most];
}

/** A canvas with the map, and what is drawn on it. */
export class MapPicture {
  constructor() {
    this.canvas = html("canvas", { role: "img", "aria-label": "Median POIS over Cr, to the right, and F, upward" });
    this.ground = html("canvas"); // the same without its marks
  }

  /** An empty map with its axes, this many pixels wide */
  begin(room) {
    const width = Math.max(200, room || 600), height = Math.min(360, Math.max(220, width * 0.62));
    this.wide = width - EDGE.left - EDGE.right;
    this.tall = height - EDGE.below - EDGE.top;
    this.size = [width, height];
    this.top = sharpContext(this.canvas, width, height);
    const context = this.context = sharpContext(this.ground, width, height);
    context.fillStyle = themeColour("tint");
    context.fillRect(EDGE.left, EDGE.top, this.wide, this.tall);
    context.fillStyle = themeColour("ink");
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    for (const Cr of [0, 0.25, 0.5, 0.75, 1]) context.fillText(Cr, this.place(0, Cr)[0], height - 20);
    context.fillText("Cr", EDGE.left + this.wide / 2, height - 4);
    context.textAlign = "right";
    for (const F of [0, 0.5, 1, 1.5, 2]) context.fillText(F, EDGE.left - 6, this.place(F, 0)[1] + 4);
    context.fillText("F", 14, this.place(1, 0)[1] - 12);
  }

  /** Where F and Cr lie, in pixels */
  place(F, Cr) {
    return [EDGE.left + Cr * this.wide, EDGE.top + (1 - F / 2) * this.tall];
  }

  /** The point at some pixels; null beside the map */
  pointAt(left, top) {
    const x = Math.floor(((left - EDGE.left) / this.wide) * SIDE),
      y = SIDE - 1 - Math.floor(((top - EDGE.top) / this.tall) * SIDE);
    return PLACES.includes(x) && PLACES.includes(y) ? { x, y } : null;
  }

  /** Fill all between two F and two Cr with the colour of a median */
  fill(median, F, nextF, Cr, nextCr) {
    const [left, below] = this.place(F, Cr).map(Math.round), [right, top] = this.place(nextF, nextCr).map(Math.round);
    this.context.fillStyle = colourOf(median);
    this.context.fillRect(left, top, right - left, below - top);
  }

  /** Stored points, each with all that is nearer to it than to another */
  around(stored) {
    const [F, Cr] = ["F", "Cr"].map((name) => [...new Set(stored.map((one) => one[name]))].sort((a, b) => a - b));
    const up = halfWays(F, 0, 2), right = halfWays(Cr, 0, 1);
    for (const one of stored) {
      const y = F.indexOf(one.F), x = Cr.indexOf(one.Cr);
      this.fill(one.median, up[y], up[y + 1], right[x], right[x + 1]);
    }
  }

  /** Show the map with a dot for each stored point, in its colour, and a ring where the sliders stand */
  show(stored, now) {
    const { top } = this;
    const circle = ({ F, Cr }, radius) => {
      top.beginPath();
      top.arc(...this.place(F, Cr), radius, 0, 7);
    };
    const stroke = (colour, wide) => {
      Object.assign(top, { strokeStyle: colour, lineWidth: wide });
      top.stroke();
    };
    top.clearRect(0, 0, ...this.size);
    top.drawImage(this.ground, 0, 0, ...this.size);
    for (const one of stored) {
      top.fillStyle = colourOf(one.median);
      circle(one, 3.5);
      top.fill();
      stroke(inkOn(top.fillStyle), 1);
    }
    circle(now, 6);
    stroke("#ffffff", 4);
    stroke("#000000", 1.5);
  }
}

const RUNS_A_POINT = 3, LONGEST_JOB = 25, POINTER = 8; // milliseconds; pixels

/** The points of a map, the coarse ones first; each has a place and the size of the square that it fills meanwhile */
export function coarseToFine(side) {
  const points = [], seen = new Set();
  for (let size = side / 4; size >= 1; size /= 2) {
    for (let y = 0; y < side; y += size) {
      for (let x = 0; x < side; x += size) {
        if (!seen.has(y * side + x)) points.push({ x, y, size });
        seen.add(y * side + x);
      }
    }
  }
  return points;
}

const POINTS = coarseToFine(SIDE), keyOf = ({ x, y }) => y * SIDE + x;

/** F and Cr at the middle of a point's own square */
export function settingsAt({ x, y }) {
  return { F: Number((((y + 0.5) / SIDE) * 2).toFixed(4)), Cr: Number(((x + 0.5) / SIDE).toFixed(4)) };
}

/** The map beside the live histogram; `choose` is called with F and Cr of a place that the reader clicks. */
export class LiveMap {
  constructor(study, choose) {
    this.study = study;
    this.picture = new MapPicture();
    this.title = html("h2", { class: "status" });
    this.line = html("p", { class: "soft map-line" });
    this.frame = html("div", { class: "map" }, this.picture.canvas);
    this.table = foldedTable("Medians as a table", () => [this.medians()]);
    this.element = html("section", { class: "map-section" }, this.title, this.frame, this.line,
      colourScale("median POIS"), this.table);
    this.runs = new Map(); // POIS of the runs of each point
    this.stored = [];
    this.picture.canvas.addEventListener("click", (event) => {
      const at = this.under(event);
      if (at) choose(at.F, at.Cr);
    });
    this.picture.canvas.addEventListener("pointermove", (event) => {
      const { F, Cr, median, runs, stored } = this.under(event) ?? {}, kind = stored ? "stored runs" : "runs here";
      this.line.textContent = runs
        ? `F=${F}, Cr=${Cr}: median ${readable(median)}, ${runs} ${kind}; click to choose` : this.progress();
    });
  }

  /** Start anew if another configuration is shown; F and Cr do not matter. */
  begin(config) {
    const { F, Cr, ...rest } = config, key = JSON.stringify(rest);
    this.now = { F, Cr };
    if (key === this.key) {
      this.picture.show(this.stored, this.now);
      return;
    }
    this.key = key;
    this.runs.clear();
    this.stored = this.study.comparablePoints(config);
    this.draw();
  }

  /** POIS of the runs of a point in few numbers */
  found(point) {
    return summarise(this.runs.get(keyOf(point)) ?? []);
  }

  /** Jobs for all runs that are not there yet; if a run takes long, one run of every point, then a second one, ... */
  * jobs(config, milliseconds) {
    const count = RUNS_A_POINT * milliseconds > LONGEST_JOB ? 1 : RUNS_A_POINT;
    for (let first = 0; first < RUNS_A_POINT; first += count) {
      for (const point of POINTS) {
        if (this.found(point).runs > first) continue;
        const plan = planOf(this.study.operators, { ...config, ...settingsAt(point) });
        yield { plan, seed: 2, first, count, point };
      }
    }
  }

  /** The runs of a point are there. */
  add(point, pois) {
    this.runs.set(keyOf(point), [...(this.runs.get(keyOf(point)) ?? []), ...pois]);
    this.drawPoint(point);
    this.picture.show(this.stored, this.now);
    this.tell();
  }

  tell() {
    this.title.textContent = this.runs.size < POINTS.length ? "All F and Cr, filling in" : "All F and Cr";
    this.line.textContent = this.progress();
    if (this.runs.size === POINTS.length || !this.runs.size) this.table.renew();
  }

  /** The medians of all points that were run here */
  medians() {
    const at = PLACES.map((k) => settingsAt({ x: k, y: k })), Fs = at.map(({ F }) => F), Crs = at.map(({ Cr }) => Cr);
    return tableOverFCr(Fs, Crs, (F, Cr) => this.found({ x: Crs.indexOf(Cr), y: Fs.indexOf(F) }).median);
  }

  progress() {
    const live = `${this.runs.size} of ${POINTS.length} points run here, up to ${RUNS_A_POINT} runs each`;
    return this.stored.length ? `${this.stored.length} dots: stored; ${live}` : live;
  }

  /** What is stored, or was run, at the pointer */
  under({ offsetX, offsetY }) {
    const point = this.picture.pointAt(offsetX, offsetY), distance = ({ F, Cr }) => {
      const [left, top] = this.picture.place(F, Cr);
      return Math.hypot(left - offsetX, top - offsetY);
    };
    const near = point && this.stored.find((one) => distance(one) < POINTER);
    if (near) return { ...near, stored: true };
    return point && { ...settingsAt(point), ...this.found(point) };
  }

  /** A point fills the square of its size, but never what a finer point knows; beside stored ones only its own. */
  drawPoint({ x, y, size }) {
    const { median } = this.found({ x, y }), reach = this.stored.length ? 1 : size;
    for (let dy = 0; dy < reach; dy++) {
      for (let dx = 0; dx < reach; dx++) {
        const at = { x: x + dx, y: y + dy }, left = at.x / SIDE, below = (2 * at.y) / SIDE;
        if (!dx && !dy || !this.runs.has(keyOf(at))) {
          this.picture.fill(median, below, below + 2 / SIDE, left, left + 1 / SIDE);
        }
      }
    }
  }

  draw() {
    if (!this.now) return;
    this.picture.begin(this.frame.clientWidth);
    this.picture.around(this.stored);
    for (const point of POINTS) if (this.runs.has(keyOf(point))) this.drawPoint(point);
    this.picture.show(this.stored, this.now);
    this.tell();
  }
}
