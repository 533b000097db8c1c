// A map of POIS over F and Cr that fills in while one looks: stored points first, then coarse ones, then those between.

import { html, readable } from "./dom.js";
import { colourScale } from "./legend.js";
import { ACROSS, UP, MapPicture } from "./mapchart.js";
import { storedPoints } from "./neighbour.js";
import { summarise } from "./summary.js";
import { foldedTable, tableOverFCr } from "./table.js";

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
    this.element = html("section", { class: "map-section" }, this.title, this.frame, this.line, colourScale("median POIS"), this.table);
    this.runs = new Map(); // POIS of the runs of each point
    this.stored = [];
    this.picture.canvas.addEventListener("click", (event) => {
      const at = this.under(event);
      if (at) choose(at.F, at.Cr);
    });
    this.picture.canvas.addEventListener("pointermove", (event) => {
      const at = this.under(event);
      this.line.textContent = at && at.runs
        ? `F=${at.F}, Cr=${at.Cr}: median ${readable(at.median)}, ${at.runs} ${at.stored ? "stored runs" : "runs here"}; click to choose` : this.progress();
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
    this.stored = storedPoints(this.study, config);
    this.draw();
  }

  /** Jobs for all runs that are not there yet; if a run takes long, one run of every point, then a second one, ... */
  * jobs(config, milliseconds) {
    const count = RUNS_A_POINT * milliseconds > LONGEST_JOB ? 1 : RUNS_A_POINT;
    for (let first = 0; first < RUNS_A_POINT; first += count) {
      for (const point of coarseToFine(ACROSS, UP)) {
        if ((this.runs.get(point.y * ACROSS + point.x)?.length ?? 0) > first) continue;
        yield { config: { ...config, ...settingsAt(point) }, seed: 2, first, count, point };
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
    const near = this.stored.find(({ F, Cr }) => Math.hypot(...this.picture.place(F, Cr).map((p, k) => p - [event.offsetX, event.offsetY][k])) < POINTER);
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
