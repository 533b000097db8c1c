// The box of the view "Inside a run": its population, the present trial, and the landscape behind.

import { html, themeColour } from "./dom.js";
import { colourAt } from "./scale.js";
import { LANDSCAPES } from "./walk.js";

const MARGIN = 0.36; // of the box, on all sides: room for trials outside
const GRID = 48; // squares of a landscape

/** The picture of a walk: `phase` from 0 to 1 says how far the trial has been told. */
export function drawWalk(context, size, walk, before, record, phase, landscape) {
  const scale = size / (1 + 2 * MARGIN), at = ([x, y]) => [(x + MARGIN) * scale, size - (y + MARGIN) * scale];
  const [ink, line, paper, orange, blue] = ["ink", "line", "paper", "outside", "accent"].map(themeColour);
  const dot = (point, radius, colour, filled = true) => {
    context.beginPath();
    context.arc(...at(point), radius, 0, 7);
    context[filled ? "fillStyle" : "strokeStyle"] = colour;
    if (filled) context.fill(); else context.stroke();
  };
  const arrow = (from, to, colour, wide, dash = []) => {
    const [x1, y1] = at(from), [x2, y2] = at(to), angle = Math.atan2(y2 - y1, x2 - x1), head = Math.min(9, Math.hypot(x2 - x1, y2 - y1) / 2);
    context.strokeStyle = colour;
    context.lineWidth = wide;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.moveTo(x2 - head * Math.cos(angle - 0.45), y2 - head * Math.sin(angle - 0.45));
    context.lineTo(x2, y2);
    context.lineTo(x2 - head * Math.cos(angle + 0.45), y2 - head * Math.sin(angle + 0.45));
    context.stroke();
    context.setLineDash([]);
  };
  context.fillStyle = themeColour("tint");
  context.fillRect(0, 0, size, size);
  const [left, top] = at([0, 1]);
  context.fillStyle = paper;
  context.fillRect(left, top, scale, scale);
  if (landscape) context.drawImage(landscape, left, top, scale, scale);
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  context.strokeRect(left, top, scale, scale);
  for (let i = 0; i < before.length; i += 2) dot([before[i], before[i + 1]], 5, i / 2 === record?.target ? ink : themeColour("soft"));
  if (!record) return;
  context.lineWidth = 2;
  dot(record.x, 8, ink, false);
  for (let k = 0; k < record.pairs.length; k += 2) arrow(record.pairs[k + 1], record.pairs[k], line, 1.5);
  let from = record.base;
  const F = walk.config.F;
  for (let k = 0; k < record.pairs.length; k += 2) {
    const to = [0, 1].map((d) => from[d] + F * (record.pairs[k][d] - record.pairs[k + 1][d]));
    arrow(from, to, blue, 2.5);
    from = to;
  }
  if (phase < 0.3) return;
  context.lineWidth = 1.5;
  dot(record.mutant, 5, blue, false);
  const colour = record.outside ? orange : blue;
  dot(record.trial, 6, colour);
  if (phase < 0.6) return;
  if (record.outside) arrow(record.trial, record.repaired, orange, 2, [5, 4]);
  context.lineWidth = 2.5;
  if (phase >= 0.8) dot(record.repaired, 7, record.accepted ? themeColour("accepted") : themeColour("soft"), record.accepted);
}

/** The landscape as a small picture; none for f0, which has none */
export function landscapePicture(name) {
  if (name.startsWith("f0")) return null;
  const canvas = html("canvas", { width: GRID, height: GRID }), context = canvas.getContext("2d"), values = [];
  for (let k = 0; k < GRID * GRID; k++) values.push(LANDSCAPES[name]([(k % GRID + 0.5) / GRID, 1 - (Math.floor(k / GRID) + 0.5) / GRID]));
  const most = Math.max(...values);
  context.globalAlpha = 0.35;
  values.forEach((value, k) => {
    context.fillStyle = colourAt(1 - Math.sqrt(value / most));
    context.fillRect(k % GRID, Math.floor(k / GRID), 1, 1);
  });
  return canvas;
}
