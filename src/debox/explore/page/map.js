// A map of POIS over F and Cr that fills in while one looks: coarse points first, then those between.

import { html, readable, sharpContext, themeColour } from "./dom.js";
import { colourOf } from "./scale.js";
import { summarise } from "./summary.js";

const ACROSS = 16, UP = 16, RUNS_A_POINT = 3, LONGEST_JOB = 25, EDGE = { left: 44, below: 38, top: 6, right: 8 };

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
    this.canvas = html("canvas", { role: "img", "aria-label": "Median POIS over Cr, to the right, and F, upward" });
    this.line = html("p", { class: "soft" });
    this.frame = html("div", { class: "map" }, this.canvas);
    this.element = html("section", { class: "map-section" }, html("h2", { class: "status" }, "All F and Cr, filling in"), this.frame, this.line);
    this.runs = new Map(); // POIS of the runs of each point
    this.canvas.addEventListener("click", (event) => {
      const at = this.settings(event);
      if (at) choose(at.F, at.Cr);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const at = this.settings(event), runs = at && this.runs.get(at.y * ACROSS + at.x);
      this.line.textContent = runs
        ? `F=${at.F}, Cr=${at.Cr}: median POIS ${readable(summarise(runs).median)}, runs: ${runs.length}; click to choose` : this.progress();
    });
  }

  /** Start anew if another configuration is shown; F and Cr do not matter. */
  begin(config) {
    const { F, Cr, ...rest } = config, key = JSON.stringify(rest);
    if (key !== this.key) this.runs.clear();
    this.key = key;
    this.now = { F, Cr };
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
    this.drawNow();
    this.line.textContent = this.progress();
  }

  progress() {
    return `${this.runs.size} of ${ACROSS * UP} points, up to ${RUNS_A_POINT} runs each, in your browser; the colours are those of the atlas`;
  }

  geometry() {
    const width = Math.max(200, this.frame.clientWidth || 600), height = Math.min(360, Math.max(220, width * 0.62));
    return { width, height, one: (width - EDGE.left - EDGE.right) / ACROSS, tall: (height - EDGE.below - EDGE.top) / UP };
  }

  settings(event) {
    const { one, tall } = this.geometry(), x = Math.floor((event.offsetX - EDGE.left) / one);
    const y = UP - 1 - Math.floor((event.offsetY - EDGE.top) / tall);
    return x >= 0 && x < ACROSS && y >= 0 && y < UP ? { x, y, ...settingsAt({ x, y }) } : null;
  }

  /** A point fills the square of its size, but never what a finer point knows. */
  drawPoint({ x, y, size }) {
    const { one, tall } = this.geometry();
    this.context.fillStyle = colourOf(summarise(this.runs.get(y * ACROSS + x)).median);
    for (let dy = 0; dy < size; dy++) {
      for (let dx = 0; dx < size; dx++) {
        if ((dx || dy) && this.runs.has((y + dy) * ACROSS + x + dx)) continue;
        const left = Math.round(EDGE.left + (x + dx) * one), top = Math.round(EDGE.top + (UP - 1 - y - dy) * tall);
        const right = Math.round(EDGE.left + (x + dx + 1) * one), below = Math.round(EDGE.top + (UP - y - dy) * tall);
        this.context.fillRect(left, top, right - left, below - top);
      }
    }
  }

  /** A ring where the sliders stand. */
  drawNow() {
    const { width, height } = this.geometry(), { F, Cr } = this.now, { context } = this;
    context.beginPath();
    context.arc(EDGE.left + Cr * (width - EDGE.left - EDGE.right), EDGE.top + (1 - F / 2) * (height - EDGE.below - EDGE.top), 6, 0, 7);
    for (const [colour, wide] of [["#ffffff", 4], ["#000000", 1.5]]) {
      context.strokeStyle = colour;
      context.lineWidth = wide;
      context.stroke();
    }
  }

  draw() {
    if (!this.now) return;
    const { width, height, one, tall } = this.geometry();
    this.context = sharpContext(this.canvas, width, height);
    const { context } = this, known = coarseToFine(ACROSS, UP).filter(({ x, y }) => this.runs.has(y * ACROSS + x));
    context.fillStyle = themeColour("tint");
    context.fillRect(EDGE.left, EDGE.top, one * ACROSS, tall * UP);
    for (const point of known) this.drawPoint(point);
    context.fillStyle = themeColour("ink");
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    for (const Cr of [0, 0.25, 0.5, 0.75, 1]) context.fillText(Cr, EDGE.left + Cr * one * ACROSS, height - 20);
    context.fillText("Cr", EDGE.left + (one * ACROSS) / 2, height - 4);
    context.textAlign = "right";
    for (const F of [0, 0.5, 1, 1.5, 2]) context.fillText(F, EDGE.left - 6, EDGE.top + (1 - F / 2) * tall * UP + 4);
    context.fillText("F", 14, EDGE.top + (tall * UP) / 2 - 12);
    this.drawNow();
    this.line.textContent = this.progress();
  }
}
