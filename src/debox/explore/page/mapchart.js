// The picture of the map over F, upward, and Cr, to the right.

import { html, sharpContext, themeColour } from "./dom.js";
import { colourOf, inkOn } from "./scale.js";

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
    const x = Math.floor(((left - EDGE.left) / this.wide) * ACROSS), y = UP - 1 - Math.floor(((top - EDGE.top) / this.tall) * UP);
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
    const values = (name) => [...new Set(stored.map((one) => one[name]))].sort((a, b) => a - b), F = values("F"), Cr = values("Cr");
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
