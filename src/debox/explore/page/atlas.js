// The atlas: all configurations of the study, a coloured cell each, a mini-grid of F and Cr for each panel.

import { cellNamed, configName, formatAddress, panelName, panelText, shortName } from "./address.js";
import { barClass, bars, button, colourScale, foldedTable, html, onKeys, plate, readable, sharpContext, spaced, svg,
  tableOf, themeColour } from "./dom.js";
import { colourClass, colourOf, histogram, inkOn } from "./numbers.js";

// Where the cells lie.

// Of these factors those that the study has
const COLUMN_FACTORS = ["mutation", "N"], ROW_FACTORS = ["crossover", "adaptation", "strategy"];

/** Every combination of the factors' values, the last one changing first: [{ mutation, N }, ...] */
function product(axes, factors) {
  const there = factors.filter((name) => axes[name]);
  return there.reduce((all, name) => all.flatMap((one) => axes[name].map((value) => ({ ...one, [name]: value }))),
    [{}]);
}

/** Where values have these, in a list of such combinations */
function placeIn(all, values) {
  return all.findIndex((one) => Object.keys(one).every((name) => one[name] === values[name]));
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
  const lefts = place(across, gridWidth, left), tops = place(down, gridHeight, top);
  return { axes, columns, rows, cellWidth, cellHeight, gridWidth, gridHeight, lefts, tops, left,
    width: Math.max(width, lefts.at(-1) + gridWidth + 2), height: tops.at(-1) + gridHeight + 4 };
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

/** The corner of a cell in the picture; null if it is not in it */
export function placeOf(layout, values) {
  const { axes, columns, rows, cellWidth, cellHeight, lefts, tops } = layout;
  const column = placeIn(columns, values), row = placeIn(rows, values);
  if (column < 0 || row < 0) return null;
  const up = axes.F.length - 1 - axes.F.indexOf(values.F);
  return { x: lefts[column] + axes.Cr.indexOf(values.Cr) * cellWidth, y: tops[row] + up * cellHeight };
}

/** The values of the cell beside: past the end of a grid comes the next grid */
export function step(axes, values, name, by) {
  const next = axes[name][axes[name].indexOf(values[name]) + by];
  if (next !== undefined) return { ...values, [name]: next };
  const order = product(axes, name === "Cr" ? COLUMN_FACTORS : ROW_FACTORS), // rows go downward, F upward
    grid = order[placeIn(order, values) + (name === "Cr" ? by : -by)];
  return grid ? { ...values, ...grid, [name]: axes[name].at(by > 0 ? 0 : -1) } : values;
}

// The picture.

const SMALLEST_BAR = 0.1; // a smaller spread is not marked

/** As much of a text as fits a room in pixels */
function fitting(context, text, room) {
  const fits = (some) => context.measureText(some).width <= room;
  if (fits(text)) return text;
  let kept = text.length - 1;
  while (kept > 1 && !fits(`${text.slice(0, kept)}…`)) kept--;
  return `${text.slice(0, kept)}…`;
}

/** The names of the factors' values, above and at the left */
function drawNames(context, layout) {
  const { axes, columns, rows, lefts, tops, gridWidth, gridHeight, left } = layout, small = layout.width < 700;
  const font = (size, weight = "") => { context.font = `${weight} ${size}px system-ui, sans-serif`; };
  context.fillStyle = themeColour("ink");
  context.textAlign = "center";
  /** The middle of the grids of a group, and the room for its name */
  const middle = (places, size, all, group, value) => {
    const mine = places.filter((_, k) => group(all[k]) === value);
    return [(mine[0] + mine.at(-1) + size) / 2, mine.at(-1) + size - mine[0] + 2];
  };
  font(small ? 9 : 14, 600);
  for (const mutation of axes.mutation) {
    const [x, room] = middle(lefts, gridWidth, columns, (column) => column.mutation, mutation);
    context.fillText(fitting(context, `${small ? "" : "DE/"}${shortName(mutation)}`, room), x, 14);
  }
  font(small ? 8 : 12);
  columns.forEach(({ N }, k) => context.fillText(fitting(context, small ? String(N) : `N = ${N}`, gridWidth + 4),
    lefts[k] + gridWidth / 2, 34));
  const upright = (text, x, [y, room]) => {
    context.save();
    context.translate(x, y);
    context.rotate(-Math.PI / 2);
    context.fillText(fitting(context, text, room), 0, 0);
    context.restore();
  };
  rows.forEach(({ strategy }, k) => upright(shortName(strategy), left - (small ? 5 : 8),
    [tops[k] + gridHeight / 2, gridHeight + 2]));
  const beside = (name, group, size, x) => { // a name for each stretch of rows of one group
    font(size, 600);
    for (const row of rows.filter((one, k) => k === 0 || group(one) !== group(rows[k - 1]))) {
      upright(row[name], x, middle(tops, gridHeight, rows, group, group(row)));
    }
  };
  if (axes.adaptation) beside("adaptation", groupName, small ? 9 : 12, left - (small ? 17 : 28));
  beside("crossover", ({ crossover }) => crossover, small ? 10 : 14, small ? 11 : 22);
}

/** A coloured cell for each configuration */
export function drawCells(context, layout, study) {
  const { cellWidth, cellHeight, axes } = layout;
  for (const values of product(axes, [...COLUMN_FACTORS, ...ROW_FACTORS, "F", "Cr"])) {
    const { low, median, high } = study.summary(study.cellOf(values)), colour = colourOf(median),
      { x, y } = placeOf(layout, values);
    if (!colour) {
      context.strokeStyle = themeColour("line");
      context.strokeRect(x + 0.5, y + 0.5, cellWidth - 1, cellHeight - 1);
      continue;
    }
    context.fillStyle = colour;
    context.fillRect(x, y, cellWidth, cellHeight);
    if (cellWidth < 4 || high - low < SMALLEST_BAR) continue;
    context.fillStyle = inkOn(colour);
    context.fillRect(x + cellWidth / 2 - 0.6, y + (1 - high) * cellHeight, 1.2, (high - low) * cellHeight);
  }
}

/** A histogram of the size of a word */
function sparkline(pois) {
  const counts = histogram(pois), box = { left: 0, top: 0, width: 60, height: 18 };
  return svg("svg", { viewBox: "0 0 60 18", width: 60, height: 18, "aria-hidden": "true", class: "sparkline" },
    plate(box), bars({ ...box, height: 17 }, counts, Math.max(...counts), barClass(colourClass(pois))),
    svg("line", { x1: 0, x2: 60, y1: 17.5, y2: 17.5, class: "axis" }));
}

// The view.

const MEANINGS = {
  mutation: "how a mutant is made of the population's points", adaptation: "how F and Cr adapt",
  crossover: "which components of the mutant the trial takes", N: "how many points the population has",
  strategy: "what happens to a trial outside the box",
};
const WORDS = "The box is the space that is searched. A strategy repairs trials that fall outside; POIS, the "
  + "proportion of infeasible solutions, is their share.";
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

/** Buttons that keep some values of each factor; the title of an operator is what it does, in one line */
function chips(study, axes, show) {
  return html("div", { class: "chips" }, ...study.panelFactors.map((name) => {
    const all = study.axes[name], isFiltered = axes[name].length < all.length;
    const choose = (value) => {
      const kept = !isFiltered ? [value] : all.filter((one) => axes[name].includes(one) !== (one === value));
      show({ ...axes, [name]: kept });
    };
    return html("fieldset", {}, html("legend", { title: MEANINGS[name] }, name), ...all.map((value) => {
      const known = study.operators[name]?.[value];
      return button(shortName(value), () => choose(value), { title: known && `${value}: ${known.formula}`,
        "aria-pressed": String(isFiltered && axes[name].includes(value)) });
    }));
  }));
}

function panelTable(study, axes) {
  const rows = product(axes, ["mutation", "N", ...ROW_FACTORS]).map((panel) => {
    const medians = product(axes, ["F", "Cr"]).map((at) => study.summary(study.cellOf({ ...panel, ...at })).median);
    return [html("a", { href: formatAddress("panel", { p: panelText(panel) }) }, panelName(panel)),
      readable(Math.min(...medians)), readable(Math.max(...medians)),
      `${medians.filter((median) => median >= 0.5).length} of ${medians.length}`];
  });
  return tableOf(["panel", "least median", "largest median", "cells of at least 0.5"], rows);
}

/** Show the atlas in an element; `redraw` draws it for another width or theme */
export function showAtlas(root, params, { study, go, openCell }) {
  const axes = keptAxes(study, params), canvas = html("canvas", { tabindex: 0, role: "application", id: "mosaic",
    "aria-label": "Median POIS of all configurations. Arrows move, Enter opens a configuration." });
  const line = html("p", { class: "readout", "aria-live": "polite" }), frame = html("div", { class: "frame" }, canvas);
  const medians = Array.from({ length: study.cells }, (_, cell) => study.summary(cell).median).filter((median) =>
    !Number.isNaN(median)), share = medians.filter((median) => median >= 0.5).length / medians.length;
  const ends = (name) => `from ${axes[name][0]} to ${axes[name].at(-1)}`;
  const whole = html("canvas"); // the picture without a mark, drawn once for each size and theme
  let layout = null, values = null;

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
    mark();
    if (!values) return line.replaceChildren("Point at a cell for its numbers; click for its distribution.");
    const cell = study.cellOf(values), { low, median, high, runs } = study.summary(cell);
    if (!runs) return line.replaceChildren(`${configName(values)}: no runs`);
    return line.replaceChildren(html("strong", {}, configName(values)),
      ` median ${readable(median)}, 5–95 % ${readable(low)} to ${readable(high)}, ${runs} runs `,
      sparkline(study.pois(cell)));
  };
  /** What a mouse does at a cell */
  const at = (kind, act) => canvas.addEventListener(kind, (event) => {
    const found = valuesAt(layout, event.offsetX, event.offsetY);
    if (found) act(found, event);
  });
  at("pointermove", (found) => {
    line.setAttribute("aria-live", "off"); // only what keys reach is read aloud
    point(found);
  });
  at("click", (found, event) => {
    point(found);
    openCell(study.cellOf(found), event.clientX);
  });
  at("dblclick", (found) => go("panel", { p: panelText(found) }));
  onKeys(canvas, (name, by) => {
    line.setAttribute("aria-live", "polite");
    point(values ? step(axes, values, name, by)
      : { ...layout.columns[0], ...layout.rows[0], F: axes.F[0], Cr: axes.Cr[0] });
  }, () => values && openCell(study.cellOf(values)));
  const filter = (kept) => {
    const some = study.panelFactors.filter((name) => kept[name].length && kept[name].length < study.axes[name].length);
    go("atlas", Object.fromEntries(some.map((name) => [name, kept[name].join(",")])));
  };
  root.replaceChildren(
    html("h1", {}, "How often does Differential Evolution leave the box?"),
    html("p", { class: "lead" }, html("strong", {}, `${Math.round(100 * share)} %`),
      ` of ${spaced(study.cells)} configurations do so in at least half of their trials. Pick one, or `,
      html("a", { href: "#live" }, "make your own"), "."),
    html("p", { class: "soft words" }, WORDS),
    chips(study, axes, filter), line, frame, colourScale(BELOW_SCALE), html("p", { class: "soft" },
      `In each grid F rises ${ends("F")} upward and Cr ${ends("Cr")} to the right. Double-click opens its panel.`),
    foldedTable("The same as a table", () => [panelTable(study, axes)]));
  draw();
  const open = cellNamed(study, params.get("cell") ?? ""), shown = open >= 0 ? study.valuesOf(open) : null;
  point(shown && placeOf(layout, shown) ? shown : null);
  return { redraw: draw };
}
