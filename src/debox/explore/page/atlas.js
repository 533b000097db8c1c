// The atlas: all configurations of the study, a coloured cell each, a mini-grid of F and Cr for each panel.

import { cellNamed, configName, formatAddress, shortName, variantName } from "./address.js";
import { barClass, colourScale, foldedTable, html, readable, sharpContext, spaced, sparkline, tableOf,
  themeColour } from "./dom.js";
import { colourClass, colourOf, histogram, inkOn } from "./numbers.js";

// Where the cells lie.

// Of these factors those that the study has
const COLUMN_FACTORS = ["mutation", "N"], ROW_FACTORS = ["crossover", "adaptation", "strategy"];

/** Every combination of the factors' values, the last one changing first: [{ mutation, N }, ...] */
export function product(axes, factors) {
  const there = factors.filter((name) => axes[name]);
  return there.reduce((all, name) => all.flatMap((one) => axes[name].map((value) => ({ ...one, [name]: value }))),
    [{}]);
}

/** The name of the rows that stand together: exp, or exp, SHADE */
export function groupName({ crossover, adaptation }) {
  return adaptation ? `${crossover}, ${adaptation}` : crossover;
}

/** Where everything lies for a width and a height that it should keep to, in pixels, and exceeds if cells would be too
 * small: columns are mutation and N, rows crossover, adaptation (if there are several) and strategy */
export function layoutAtlas(axes, width, room = Infinity) {
  const columns = product(axes, COLUMN_FACTORS), rows = product(axes, ROW_FACTORS);
  const narrow = width < 700, left = (narrow ? 30 : 56) + (axes.adaptation ? (narrow ? 12 : 18) : 0), top = 44,
    gap = narrow ? 2 : 5, between = narrow ? 5 : 12;
  const gaps = (all, group) => all.map((one, k) => (k === 0 ? 0 : group(one) === group(all[k - 1]) ? gap : between));
  const across = gaps(columns, ({ mutation }) => mutation), down = gaps(rows, groupName), sum = (a, b) => a + b;
  const free = width - left - 2 - across.reduce(sum, 0);
  const whole = (size) => Math.floor(size * devicePixelRatio) / devicePixelRatio; // sharp edges
  const cellWidth = whole(Math.min(40, Math.max(2, free / (columns.length * axes.Cr.length))));
  const fits = (room - top - down.reduce(sum, 0)) / (rows.length * axes.F.length);
  const cellHeight = whole(Math.min(36, Math.max(narrow ? 4 : 5, cellWidth / 4, Math.min(cellWidth, fits))));
  const place = (spaces, size, start) => spaces.map((_, k) => start + k * size + spaces.slice(0, k + 1).reduce(sum, 0));
  const gridWidth = cellWidth * axes.Cr.length, gridHeight = cellHeight * axes.F.length;
  const needed = left + 2 + across.reduce(sum, 0) + columns.length * gridWidth;
  const lefts = place(across, gridWidth, left), tops = place(down, gridHeight, top);
  const height = (tops.at(-1) ?? 0) + gridHeight + 4;
  return { axes, columns, rows, cellWidth, cellHeight, gridWidth, gridHeight, lefts, tops,
    width: Math.max(width, needed), height, left, top };
}

/** The values of the factors at a point of the picture; null between the grids */
export function valuesAt(layout, x, y) {
  const { axes, columns, rows, cellWidth, cellHeight, gridWidth, gridHeight, lefts, tops } = layout;
  const column = lefts.findIndex((left) => x >= left && x < left + gridWidth);
  const row = tops.findIndex((top) => y >= top && y < top + gridHeight);
  if (column < 0 || row < 0) return null;
  const Cr = axes.Cr[Math.floor((x - lefts[column]) / cellWidth)];
  const F = axes.F[axes.F.length - 1 - Math.floor((y - tops[row]) / cellHeight)];
  return { ...columns[column], ...rows[row], F, Cr };
}

/** The corner of a cell in the picture */
export function placeOf(layout, values) {
  const { axes, columns, rows, cellWidth, cellHeight, lefts, tops } = layout;
  const column = columns.findIndex((one) => one.mutation === values.mutation && one.N === values.N);
  const row = rows.findIndex((one) => Object.keys(one).every((name) => one[name] === values[name]));
  if (column < 0 || row < 0) return null;
  const up = axes.F.length - 1 - axes.F.indexOf(values.F);
  return { x: lefts[column] + axes.Cr.indexOf(values.Cr) * cellWidth, y: tops[row] + up * cellHeight };
}

/** The values of the cell beside: past the end of a grid comes the next grid */
export function step(axes, values, name, by) {
  const place = axes[name].indexOf(values[name]) + by;
  if (place >= 0 && place < axes[name].length) return { ...values, [name]: axes[name][place] };
  const order = product(axes, name === "Cr" ? COLUMN_FACTORS : ROW_FACTORS), direction = name === "Cr" ? by : -by;
  const now = order.findIndex((one) => Object.keys(one).every((factor) => one[factor] === values[factor])) + direction;
  if (now < 0 || now >= order.length) return values;
  const end = by > 0 ? axes[name][0] : axes[name].at(-1);
  return { ...values, ...order[now], [name]: end };
}

// The picture.

const SMALLEST_BAR = 0.1; // a smaller spread is not marked

/** As much of a text as fits a room in pixels */
export function fitting(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let kept = text.length - 1;
  while (kept > 1 && context.measureText(`${text.slice(0, kept)}…`).width > room) kept--;
  return `${text.slice(0, kept)}…`;
}

/** The names of the factors' values, above and at the left */
export function drawNames(context, layout) {
  const { columns, rows, lefts, tops, gridWidth, gridHeight } = layout, small = layout.width < 700;
  context.fillStyle = themeColour("ink");
  context.textAlign = "center";
  const middle = (places, size, all, group, value) => {
    const mine = places.filter((_, k) => group(all[k]) === value);
    return [(mine[0] + mine.at(-1) + size) / 2, mine.at(-1) + size - mine[0] + 2];
  };
  for (const mutation of layout.axes.mutation) {
    const [x, room] = middle(lefts, gridWidth, columns, (column) => column.mutation, mutation);
    context.font = `600 ${small ? 9 : 14}px system-ui, sans-serif`;
    context.fillText(fitting(context, `${small ? "" : "DE/"}${shortName(mutation)}`, room), x, 14);
  }
  context.font = `${small ? 8 : 12}px system-ui, sans-serif`;
  columns.forEach(({ N }, k) => context.fillText(fitting(context, small ? String(N) : `N = ${N}`, gridWidth + 4),
    lefts[k] + gridWidth / 2, 34));
  const upright = (text, x, [y, room]) => {
    context.save();
    context.translate(x, y);
    context.rotate(-Math.PI / 2);
    context.fillText(fitting(context, text, room), 0, 0);
    context.restore();
  };
  rows.forEach(({ strategy }, k) => upright(shortName(strategy), layout.left - (small ? 5 : 8),
    [tops[k] + gridHeight / 2, gridHeight + 2]));
  const beside = (name, group, size, x) => { // a name for each stretch of rows of one group
    context.font = `600 ${size}px system-ui, sans-serif`;
    for (const row of rows.filter((one, k) => k === 0 || group(one) !== group(rows[k - 1]))) {
      upright(row[name], layout.left - x, middle(tops, gridHeight, rows, group, group(row)));
    }
  };
  if (layout.axes.adaptation) beside("adaptation", groupName, small ? 9 : 12, small ? 17 : 28);
  beside("crossover", ({ crossover }) => crossover, small ? 10 : 14, layout.left - (small ? 11 : 22));
}

/** A coloured cell for each configuration */
export function drawCells(context, layout, study) {
  const { cellWidth, cellHeight, axes } = layout;
  const grids = layout.columns.flatMap((column) => layout.rows.map((row) => ({ ...column, ...row })));
  for (const grid of grids) for (const F of axes.F) for (const Cr of axes.Cr) {
    const values = { ...grid, F, Cr }, found = study.summary(study.cellOf(values));
    const { x, y } = placeOf(layout, values), colour = colourOf(found.median);
    if (!colour) {
      context.strokeStyle = themeColour("line");
      context.strokeRect(x + 0.5, y + 0.5, cellWidth - 1, cellHeight - 1);
      continue;
    }
    context.fillStyle = colour;
    context.fillRect(x, y, cellWidth, cellHeight);
    if (cellWidth < 4) continue;
    context.fillStyle = inkOn(colour);
    const at = (pois) => y + (1 - pois) * cellHeight;
    if (found.high - found.low >= SMALLEST_BAR) {
      context.fillRect(x + cellWidth / 2 - 0.6, at(found.high), 1.2, at(found.low) - at(found.high));
    }
  }
}

// The view.

const MEANINGS = {
  mutation: "how a mutant is made of the population's points", adaptation: "how F and Cr adapt",
  crossover: "which components of the mutant the trial takes", N: "how many points the population has",
  strategy: "what happens to a trial outside the box",
};
const WORDS = "The box is the space that is searched. A strategy repairs trials that fall outside; POIS, the proportion "
  + "of infeasible solutions, is their share.";
const BELOW_SCALE = "median POIS of the runs; a bar: 5 to 95 % of them, where that is more than a tenth";

/** The values that the address keeps of each factor */
function keptAxes(study, params) {
  const axes = { ...study.axes };
  for (const name of study.panelFactors) {
    const wanted = (params.get(name) ?? "").split(",");
    const kept = study.axes[name].filter((value) => wanted.includes(String(value)));
    if (kept.length) axes[name] = kept;
  }
  return axes;
}

function chips(study, axes, show) {
  return html("div", { class: "chips" }, ...study.panelFactors.map((name) => html("fieldset", {},
    html("legend", { title: MEANINGS[name] }, name),
    ...study.axes[name].map((value) => html("button", {
      type: "button", title: formula(study, name, value),
        "aria-pressed": String(axes[name].includes(value) && axes[name].length < study.axes[name].length),
      onclick: () => {
        const all = axes[name].length === study.axes[name].length, on = axes[name].includes(value);
        const kept = all ? [value] : on ? axes[name].filter((one) => one !== value) : [...axes[name], value];
        show(name, study.axes[name].filter((one) => kept.includes(one)));
      },
    }, name === "N" ? String(value) : shortName(value))))));
}

/** What an operator does, in one line; none for a number or an operator not of debox */
function formula(study, slot, name) {
  const known = study.operators[slot]?.[name];
  return known && `${name}: ${known.formula}`;
}

function inEachGrid({ F, Cr }) {
  const ends = (values) => `from ${values[0]} to ${values.at(-1)}`;
  return `In each grid F rises ${ends(F)} upward and Cr ${ends(Cr)} to the right. Double-click opens its panel.`;
}

function panelTable(study, axes) {
  const rows = product(axes, ["mutation", "N", "crossover", "adaptation", "strategy"]).map((panel) => {
    const medians = axes.F.flatMap((F) => axes.Cr.map((Cr) => study.summary(study.cellOf({ ...panel, F, Cr })).median));
    const name = variantName(panel), half = medians.filter((median) => median >= 0.5).length;
    return [html("a", { href: formatAddress("panel", { p: `${name},${panel.N}` }) }, `${name}, N=${panel.N}`),
      readable(Math.min(...medians)), readable(Math.max(...medians)), `${half} of ${medians.length}`];
  });
  return tableOf(["panel", "least median", "largest median", "cells of at least 0.5"], rows);
}

/** Show the atlas in an element; the function that is returned takes it away */
export function showAtlas(root, params, { study, go, openCell }) {
  const axes = keptAxes(study, params), canvas = html("canvas", { tabindex: 0, role: "application", id: "mosaic" });
  const line = html("p", { class: "readout", "aria-live": "polite" }), frame = html("div", { class: "frame" }, canvas);
  const medians = study.medians(), share = medians.filter((median) => median >= 0.5).length / medians.length;
  const whole = html("canvas"); // the picture without a mark, drawn once for each size and theme
  let layout = null, values = null;
  canvas.setAttribute("aria-label", "Median POIS of all configurations. Arrows move, Enter opens a configuration.");

  const draw = () => {
    layout = layoutAtlas(axes, frame.clientWidth, innerHeight - frame.getBoundingClientRect().top - scrollY - 24);
    const context = sharpContext(whole, layout.width, layout.height);
    drawCells(context, layout, study);
    drawNames(context, layout);
    sharpContext(canvas, layout.width, layout.height);
    mark();
  };
  const mark = () => {
    if (!whole.width || !whole.height) return; // nothing to draw from
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, layout.width, layout.height);
    context.drawImage(whole, 0, 0, layout.width, layout.height);
    if (!values) return;
    const { x, y } = placeOf(layout, values);
    context.strokeStyle = themeColour("ink");
    context.lineWidth = 2;
    context.strokeRect(x - 1, y - 1, layout.cellWidth + 2, layout.cellHeight + 2);
  };
  const point = (next) => {
    values = next;
    if (layout) mark();
    if (!values) return line.replaceChildren("Point at a cell for its numbers; click for its distribution.");
    const cell = study.cellOf(values), { low, median, high, runs } = study.summary(cell), pois = study.pois(cell);
    if (!runs) return line.replaceChildren(`${configName(values)}: no runs`);
    return line.replaceChildren(html("strong", {}, configName(values)),
      ` median ${readable(median)}, 5–95 % ${readable(low)} to ${readable(high)}, ${runs} runs `,
      sparkline(histogram(pois), barClass(colourClass(pois))));
  };
  const under = (event) => valuesAt(layout, event.offsetX, event.offsetY);
  canvas.addEventListener("pointermove", (event) => {
    line.setAttribute("aria-live", "off"); // only what keys reach is read aloud
    point(under(event) ?? values);
  });
  canvas.addEventListener("click", (event) => {
    const at = under(event);
    if (!at) return;
    point(at);
    openCell(study.cellOf(at), event.clientX);
  });
  canvas.addEventListener("dblclick", (event) => {
    const at = under(event);
    if (at) go("panel", { p: `${variantName(at)},${at.N}` });
  });
  canvas.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: ["Cr", -1], ArrowRight: ["Cr", 1], ArrowUp: ["F", 1], ArrowDown: ["F", -1] };
    if (event.key === "Enter" && values) {
      event.preventDefault(); // else it presses the drawer's button, which has the focus then
      return openCell(study.cellOf(values));
    }
    if (!moves[event.key]) return undefined;
    event.preventDefault();
    line.setAttribute("aria-live", "polite");
    return point(values ? step(axes, values, ...moves[event.key])
      : { ...layout.columns[0], ...layout.rows[0], F: axes.F[0], Cr: axes.Cr[0] });
  });
  const filter = (name, kept) => {
    const wanted = study.panelFactors.map((one) => [one, one === name ? kept : axes[one]]);
    const some = wanted.filter(([one, values]) => values.length && values.length < study.axes[one].length);
    go("atlas", Object.fromEntries(some.map(([one, values]) => [one, values.join(",")])));
  };
  root.replaceChildren(
    html("h1", {}, "How often does Differential Evolution leave the box?"),
    html("p", { class: "lead" }, html("strong", {}, `${Math.round(100 * share)} %`),
      ` of ${spaced(study.cells)} configurations do so in at least half of their trials. Pick one, or `,
      html("a", { href: "#live" }, "make your own"), "."),
    html("p", { class: "soft words" }, WORDS),
    chips(study, axes, filter), line, frame, colourScale(BELOW_SCALE), html("p", { class: "soft" }, inEachGrid(axes)),
    foldedTable("The same as a table", () => [panelTable(study, axes)]));
  draw();
  const open = cellNamed(study, params.get("cell") ?? "");
  point(open >= 0 && placeOf(layout, study.valuesOf(open)) ? study.valuesOf(open) : null);
  const watcher = new ResizeObserver(draw);
  watcher.observe(frame);
  return { redraw: draw, close: () => watcher.disconnect() };
}
