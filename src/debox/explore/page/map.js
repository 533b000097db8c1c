// A map of POIS over F, upward, and Cr, to the right, that fills in: stored points, coarse ones, those between.

import { planOf } from "./core.js";
import { colourScale, foldedTable, html, readable, sharpContext, tableOverFCr, themeColour } from "./dom.js";
import { colourOf, inkOn, summarise } from "./numbers.js";

export const ACROSS = 16; // points
export const UP = 16;
const EDGE = { left: 44, below: 38, top: 6, right: 8 };

/** Numbers half way between neighbours, from the first end to the last */
export function halfWays(sorted, least, most) {
  return [least, ...sorted.slice(1).map((value, k) => (value + sorted[k]) / 2), most];
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
    this.context = sharpContext(this.ground, width, height);
    this.context.fillStyle = themeColour("tint");
    this.context.fillRect(EDGE.left, EDGE.top, this.wide, this.tall);
    this.axes(height);
  }

  axes(height) {
    const { context } = this;
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
  settings(left, top) {
    const x = Math.floor(((left - EDGE.left) / this.wide) * ACROSS),
      y = UP - 1 - Math.floor(((top - EDGE.top) / this.tall) * UP);
    return x >= 0 && x < ACROSS && y >= 0 && y < UP ? { x, y } : null;
  }

  /** Fill all between two F and two Cr with the colour of a median */
  fill(median, F, nextF, Cr, nextCr) {
    const [left, below] = this.place(F, Cr).map(Math.round), [right, top] = this.place(nextF, nextCr).map(Math.round);
    this.context.fillStyle = colourOf(median);
    this.context.fillRect(left, top, right - left, below - top);
  }

  /** The square of a point */
  square(x, y, median) {
    this.fill(median, (2 * y) / UP, (2 * (y + 1)) / UP, x / ACROSS, (x + 1) / ACROSS);
  }

  /** Stored points, each with all that is nearer to it than to another */
  around(stored) {
    const values = (name) => [...new Set(stored.map((one) => one[name]))].sort((a, b) => a - b), F = values("F"),
      Cr = values("Cr");
    const up = halfWays(F, 0, 2), right = halfWays(Cr, 0, 1);
    for (const one of stored) {
      const y = F.indexOf(one.F), x = Cr.indexOf(one.Cr);
      this.fill(one.median, up[y], up[y + 1], right[x], right[x + 1]);
    }
  }

  /** Show the map with a dot for each stored point, in its colour, and a ring where the sliders stand */
  show(stored, { F, Cr }) {
    this.top.clearRect(0, 0, ...this.size);
    this.top.drawImage(this.ground, 0, 0, ...this.size);
    for (const one of stored) {
      const colour = colourOf(one.median);
      this.circle(one.F, one.Cr, 3.5);
      this.top.fillStyle = colour;
      this.top.fill();
      this.stroke(inkOn(colour), 1);
    }
    this.circle(F, Cr, 6);
    this.stroke("#ffffff", 4);
    this.stroke("#000000", 1.5);
  }

  circle(F, Cr, radius) {
    this.top.beginPath();
    this.top.arc(...this.place(F, Cr), radius, 0, 7);
  }

  stroke(colour, wide) {
    this.top.strokeStyle = colour;
    this.top.lineWidth = wide;
    this.top.stroke();
  }
}

const RUNS_A_POINT = 3, LONGEST_JOB = 25, POINTER = 8;

/** Points of a map, the coarse ones first; each has a place and the size of the square that it fills meanwhile */
export function coarseToFine(across, up) {
  const points = [], seen = new Set();
  for (let size = Math.max(across, up) / 4; size >= 1; size /= 2) {
    for (let y = 0; y < up; y += size) {
      for (let x = 0; x < across; x += size) {
        if (!seen.has(y * across + x)) points.push({ x, y, size });
        seen.add(y * across + x);
      }
    }
  }
  return points;
}

/** F and Cr at the middle of a point's own square */
export function settingsAt({ x, y }) {
  return { F: Number((((y + 0.5) / UP) * 2).toFixed(4)), Cr: Number(((x + 0.5) / ACROSS).toFixed(4)) };
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
      const at = this.under(event);
      this.line.textContent = at && at.runs
        ? `F=${at.F}, Cr=${at.Cr}: median ${readable(at.median)}, ${at.runs} ${at.stored ? "stored runs"
          : "runs here"}; click to choose` : this.progress();
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

  /** Jobs for all runs that are not there yet; if a run takes long, one run of every point, then a second one, ... */
  * jobs(config, milliseconds) {
    const count = RUNS_A_POINT * milliseconds > LONGEST_JOB ? 1 : RUNS_A_POINT;
    for (let first = 0; first < RUNS_A_POINT; first += count) {
      for (const point of coarseToFine(ACROSS, UP)) {
        if ((this.runs.get(point.y * ACROSS + point.x)?.length ?? 0) > first) continue;
        const plan = planOf(this.study.operators, { ...config, ...settingsAt(point) });
        yield { plan, seed: 2, first, count, point };
      }
    }
  }

  /** The runs of a point are there. */
  add(point, pois) {
    const key = point.y * ACROSS + point.x;
    this.runs.set(key, [...(this.runs.get(key) ?? []), ...pois]);
    this.drawPoint(point);
    this.picture.show(this.stored, this.now);
    this.tell();
  }

  tell() {
    this.title.textContent = this.runs.size < ACROSS * UP ? "All F and Cr, filling in" : "All F and Cr";
    this.line.textContent = this.progress();
    if (this.runs.size === ACROSS * UP || !this.runs.size) this.table.renew();
  }

  /** The medians of all points that were run here */
  medians() {
    const points = Array.from({ length: ACROSS }, (_, k) => k), at = (k) => settingsAt({ x: k, y: k });
    const place = (name, value) => points.find((k) => at(k)[name] === value);
    return tableOverFCr(points.map((k) => at(k).F), points.map((k) => at(k).Cr),
      (F, Cr) => summarise(this.runs.get(place("F", F) * ACROSS + place("Cr", Cr)) ?? []).median);
  }

  progress() {
    const live = `${this.runs.size} of ${ACROSS * UP} points run here, up to ${RUNS_A_POINT} runs each`;
    return this.stored.length ? `${this.stored.length} dots: stored; ${live}` : live;
  }

  /** What is stored, or was run, at the pointer */
  under(event) {
    const at = this.picture.settings(event.offsetX, event.offsetY);
    if (!at) return null;
    const near = this.stored.find(({ F, Cr }) => Math.hypot(...this.picture.place(F,
      Cr).map((p, k) => p - [event.offsetX, event.offsetY][k])) < POINTER);
    if (near) return { ...near, stored: true };
    const { median, runs } = summarise(this.runs.get(at.y * ACROSS + at.x) ?? []);
    return { ...settingsAt(at), median, runs };
  }

  /** A point fills the square of its size, but never what a finer point knows; beside stored ones only its own. */
  drawPoint({ x, y, size }) {
    const { median } = summarise(this.runs.get(y * ACROSS + x)), reach = this.stored.length ? 1 : size;
    for (let dy = 0; dy < reach; dy++) {
      for (let dx = 0; dx < reach; dx++) {
        if (!dx && !dy || !this.runs.has((y + dy) * ACROSS + x + dx)) this.picture.square(x + dx, y + dy, median);
      }
    }
  }

  draw() {
    if (!this.now) return;
    this.picture.begin(this.frame.clientWidth);
    this.picture.around(this.stored);
    for (const point of coarseToFine(ACROSS, UP)) if (this.runs.has(point.y * ACROSS + point.x)) this.drawPoint(point);
    this.picture.show(this.stored, this.now);
    this.tell();
  }
}
