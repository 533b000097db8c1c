// The atlas: all configurations of the study, a coloured cell each, a mini-grid of F and Cr for each panel.

import { cellNamed, configName, formatAddress, shortName, variantName } from "./address.js";
import { drawCells, drawNames } from "./atlaschart.js";
import { barClass, sparkline } from "./chart.js";
import { html, readable, sharpContext, spaced, themeColour } from "./dom.js";
import { colourScale } from "./legend.js";
import { layoutAtlas, placeOf, product, step, valuesAt } from "./mosaic.js";
import { colourClass, histogram } from "./summary.js";
import { foldedTable, tableOf } from "./table.js";

const MEANINGS = { mutation: "how a mutant is made of the population's points", crossover: "which components of the mutant the trial takes",
  strategy: "what happens to a trial outside the box", N: "how many points the population has", adaptation: "how F and Cr adapt" };
const WORDS = "The box is the space that is searched. A strategy repairs trials that fall outside; POIS, the proportion of infeasible solutions, is their share.";
const BELOW_SCALE = "median POIS of the runs; a bar: 5 to 95 % of them, where that is more than a tenth; two ticks on it: two camps of runs";

/** The factors that a reader may choose from: all but F and Cr */
function filtersOf(study) {
  return study.factors.slice(0, -2);
}

/** The values that the address keeps of each factor */
function keptAxes(study, params) {
  const axes = { ...study.axes };
  for (const name of filtersOf(study)) {
    const wanted = (params.get(name) ?? "").split(",");
    const kept = study.axes[name].filter((value) => wanted.includes(String(value)));
    if (kept.length) axes[name] = kept;
  }
  return axes;
}

function chips(study, axes, show) {
  return html("div", { class: "chips" }, ...filtersOf(study).map((name) => html("fieldset", {},
    html("legend", { title: MEANINGS[name] }, name),
    ...study.axes[name].map((value) => html("button", {
      type: "button", title: study.formulas[name]?.[value] && `${value}: ${study.formulas[name][value]}`, "aria-pressed": String(axes[name].includes(value) && axes[name].length < study.axes[name].length),
      onclick: () => {
        const all = axes[name].length === study.axes[name].length, on = axes[name].includes(value);
        const kept = all ? [value] : on ? axes[name].filter((one) => one !== value) : [...axes[name], value];
        show(name, study.axes[name].filter((one) => kept.includes(one)));
      },
    }, name === "N" ? String(value) : shortName(value))))));
}

function inEachGrid({ F, Cr }) {
  return `In each grid F rises from ${F[0]} to ${F.at(-1)} upward and Cr from ${Cr[0]} to ${Cr.at(-1)} to the right. Double-click opens its panel.`;
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
  canvas.addEventListener("click", (event) => { const at = under(event); if (at) { point(at); openCell(study.cellOf(at), event.clientX); } });
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
    return point(values ? step(axes, values, ...moves[event.key]) : { ...layout.columns[0], ...layout.rows[0], F: axes.F[0], Cr: axes.Cr[0] });
  });
  const filter = (name, kept) => {
    const wanted = Object.fromEntries(filtersOf(study).map((one) => [one, one === name ? kept : axes[one]])), left = {};
    for (const one of filtersOf(study)) if (wanted[one].length && wanted[one].length < study.axes[one].length) left[one] = wanted[one].join(",");
    go("atlas", left);
  };
  root.replaceChildren(
    html("h1", {}, "How often does Differential Evolution leave the box?"),
    html("p", { class: "lead" }, html("strong", {}, `${Math.round(100 * study.half)} %`),
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
