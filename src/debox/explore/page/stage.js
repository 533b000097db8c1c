// The box of the view "Inside a run": its population, the present trial, and the landscape behind.

import { html, themeColour } from "./dom.js";
import { colourAt } from "./numbers.js";

const ripple = (z) => z * z - 10 * Math.cos(2 * Math.PI * z) + 10;

// The landscapes; each is minimised in the unit square.
export const LANDSCAPES = {
  "f0 (random)": (x, random) => random(),
  "sphere near a wall": ([x, y]) => (x - 0.96) ** 2 + (y - 0.3) ** 2,
  "Rastrigin": ([x, y]) => (ripple(6 * x - 3) + ripple(6 * y - 3)) / 60,
};

const GRID = 48; // squares of a landscape
// when a trial's parts are told, of 1
export const PHASES = { crossed: 0.35, outside: 0.5, repaired: 0.6, judged: 0.8 };

/** The room on all sides of the box, for trials outside: more for larger steps */
export function marginFor(F, differences) {
  return 0.24 + 0.16 * F * Math.sqrt(differences);
}

/** Where the way from a point within limits to another one leaves them; null if it does not */
export function exitOf(from, to, least, most) {
  const shares = [0, 1].map((d) => (to[d] > most ? (most - from[d]) / (to[d] - from[d]) : to[d] < least
    ? (least - from[d]) / (to[d] - from[d]) : 1));
  const share = Math.min(...shares);
  return share < 1 ? between2(from, to, share) : null;
}

const between2 = (from, to, share) => [0, 1].map((d) => from[d] + share * (to[d] - from[d]));
const within = (phase, from, to) => Math.min(1, Math.max(0, (phase - from) / (to - from)));

/** Dots and arrows at points of the box, on a canvas of a size in pixels */
class Stage {
  constructor(context, size, margin) {
    Object.assign(this, { context, size, margin, scale: size / (1 + 2 * margin) });
  }

  at([x, y]) {
    return [(x + this.margin) * this.scale, this.size - (y + this.margin) * this.scale];
  }

  /** A point or, if it lies beyond the picture, a mark where the way to it from a point of the box leaves it */
  point(point, from, radius, colour, filled = true) {
    const most = 1 + this.margin - 10 / this.scale, exit = exitOf(from, point, 1 - most, most);
    if (exit) this.further(exit, from, colour, filled ? "further out" : "");
    else this.dot(point, radius, colour, filled);
  }

  /** An arrowhead that points outward, and words beside it */
  further(at, from, colour, words) {
    const [x, y] = this.at(at), [x1, y1] = this.at(from), { context, size } = this, angle = Math.atan2(y - y1, x - x1);
    context.fillStyle = colour;
    context.beginPath();
    for (const turn of [0, 2.5, -2.5]) context.lineTo(x + 9 * Math.cos(angle + turn), y + 9 * Math.sin(angle + turn));
    context.fill();
    context.font = "12px system-ui, sans-serif";
    context.textAlign = x < 40 ? "left" : x > size - 40 ? "right" : "center";
    context.fillText(words, Math.min(size - 4, Math.max(4, x)), y < size / 2 ? y + 22 : y - 14);
  }

  dot(point, radius, colour, filled = true) {
    const { context } = this;
    context.beginPath();
    context.arc(...this.at(point), radius, 0, 7);
    context[filled ? "fillStyle" : "strokeStyle"] = colour;
    if (filled) context.fill(); else context.stroke();
  }

  arrow(from, to, colour, wide, dash = []) {
    const [x1, y1] = this.at(from), [x2, y2] = this.at(to), { context } = this;
    const angle = Math.atan2(y2 - y1, x2 - x1), head = Math.min(9, Math.hypot(x2 - x1, y2 - y1) / 2);
    context.strokeStyle = colour;
    context.lineWidth = wide;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(x2 - head * Math.cos(angle - 0.45), y2 - head * Math.sin(angle - 0.45));
    context.lineTo(x2, y2);
    context.lineTo(x2 - head * Math.cos(angle + 0.45), y2 - head * Math.sin(angle + 0.45));
    context.stroke();
  }

  box(landscape) {
    const { context, size, scale } = this, [left, top] = this.at([0, 1]);
    context.fillStyle = themeColour("tint");
    context.fillRect(0, 0, size, size);
    context.fillStyle = themeColour("paper");
    context.fillRect(left, top, scale, scale);
    if (landscape) context.drawImage(landscape, left, top, scale, scale);
    context.strokeStyle = themeColour("ink");
    context.lineWidth = 1.5;
    context.strokeRect(left, top, scale, scale);
  }

  /** Differences leave their pairs, become F times as long, and are added to the base one after the other */
  differences({ base, pairs }, F, phase) {
    const moved = within(phase, 0, PHASES.crossed);
    let tip = base;
    this.last = base; // where the last difference begins, if that is seen
    for (let k = 0; k < pairs.length; k += 2) {
      const step = [0, 1].map((d) => pairs[k][d] - pairs[k + 1][d]), from = between2(pairs[k + 1], tip, moved);
      this.arrow(pairs[k + 1], pairs[k], themeColour("soft"), 1.25, [2, 3]);
      this.arrow(from, [0, 1].map((d) => from[d] + (1 + moved * (F - 1)) * step[d]), themeColour("accent"), 2.5);
      if (tip.every((x) => Math.abs(x - 0.5) < 0.5 + this.margin)) this.last = tip;
      tip = [0, 1].map((d) => tip[d] + F * step[d]);
    }
  }

  /** The trial, orange if it is outside, and its way back */
  trial({ mutant, trial, x, outside, repaired, accepted, refused }, phase) {
    const [orange, blue, green, soft] = ["outside", "accent", "accepted", "soft"].map(themeColour), { context } = this;
    context.lineWidth = 1.5;
    if (phase >= PHASES.crossed) this.point(mutant, this.last, 6, blue, false);
    if (phase < PHASES.outside) return;
    if (outside && !refused && phase >= PHASES.repaired) {
      this.arrow(trial, between2(trial, repaired, within(phase, PHASES.repaired, PHASES.judged)), orange, 2, [5, 4]);
    }
    this.point(trial, refused ? x : repaired, 6, outside ? orange : blue);
    context.lineWidth = 2.5;
    if (phase >= PHASES.judged && !refused) this.dot(repaired, 7, accepted ? green : soft, accepted);
  }
}

/** The picture of a walk: `phase` from 0 to 1 says how far the trial has been told. */
export function drawWalk(context, size, margin, F, before, record, phase, landscape) {
  const stage = new Stage(context, size, margin), ink = themeColour("ink"), paper = themeColour("paper");
  stage.box(landscape);
  for (let i = 0; i < before.length; i += 2) {
    stage.dot([before[i], before[i + 1]], 6, paper);
    stage.dot([before[i], before[i + 1]], 5, i / 2 === record?.target ? ink : themeColour("soft"));
  }
  if (!record) return;
  context.lineWidth = 2;
  stage.dot(record.x, 9, ink, false);
  stage.differences(record, F, phase);
  stage.trial(record, phase);
}

/** The landscape as a small picture; none for f0, which has none */
export function landscapePicture(name) {
  if (name.startsWith("f0")) return null;
  const canvas = html("canvas", { width: GRID, height: GRID }), context = canvas.getContext("2d"), values = [];
  for (let k = 0; k < GRID * GRID; k++) values.push(LANDSCAPES[name]([(k % GRID + 0.5) / GRID,
    1 - (Math.floor(k / GRID) + 0.5) / GRID]));
  const most = Math.max(...values);
  context.globalAlpha = 0.35;
  values.forEach((value, k) => {
    context.fillStyle = colourAt(1 - Math.sqrt(value / most));
    context.fillRect(k % GRID, Math.floor(k / GRID), 1, 1);
  });
  return canvas;
}
