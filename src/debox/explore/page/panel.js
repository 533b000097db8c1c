// Panels: ten-bin histograms of POIS for all F and Cr of a mutation, crossover, strategy and N (docs/spec.md, section 4).

import { configName, formatAddress, parseVariant, shortName, variantName } from "./address.js";
import { cellPicture } from "./cellchart.js";
import { html, readable, svg } from "./dom.js";
import { drawPanel } from "./panelchart.js";
import { foldedTable, tableOverFCr } from "./table.js";

const MOST_PANELS = 4;

/** The factors that a panel has a value of: all but F and Cr */
function keysOf(study) {
  return study.factors.slice(0, -2);
}

/** The panels that the address names; the first of the study if it names none, with its first two strategies */
function panelsOf(study, params) {
  const named = params.getAll("p").map((text) => {
    const at = text.lastIndexOf(","), variant = parseVariant(text.slice(0, at), study.axes);
    return variant && { ...variant, N: Number(text.slice(at + 1)) };
  });
  const known = named.filter((panel) => panel && study.cellOf({ ...panel, F: study.axes.F[0], Cr: study.axes.Cr[0] }) >= 0);
  const first = Object.fromEntries(keysOf(study).map((name) => [name, study.axes[name][0]]));
  return known.length ? known.slice(0, MOST_PANELS) : study.axes.strategy.slice(0, 2).map((strategy) => ({ ...first, strategy }));
}

function chooser(study, panel, change) {
  return html("div", { class: "chooser" }, ...keysOf(study).map((name) => html("label", {},
    html("span", {}, name),
    html("select", { onchange: (event) => change({ ...panel, [name]: study.axes[name][event.target.selectedIndex] }) },
      ...study.axes[name].map((value) => html("option", { selected: value === panel[name] },
        name === "N" ? String(value) : shortName(value)))))));
}

/** What the cell has in each panel, in words, with differences from the first */
function inWords(study, panels, cell) {
  const medians = panels.map((panel) => study.summary(study.cellOf({ ...panel, ...cell })).median);
  const others = medians.slice(1).map((median, k) => {
    const difference = median - medians[0], sign = difference > 0 ? "+" : difference < 0 ? "−" : "±";
    return `; ${variantName(panels[k + 1])}, N=${panels[k + 1].N}: ${readable(median)} (${sign}${readable(Math.abs(difference))})`;
  });
  const first = panels.length > 1 ? ` of ${variantName(panels[0])}, N=${panels[0].N}:` : "";
  return `F=${cell.F}, Cr=${cell.Cr}: median POIS${first} ${readable(medians[0])}${others.join("")}`;
}

/** Show one to four panels in an element */
export function showPanel(root, params, { study, go, openCell }) {
  const panels = panelsOf(study, params), drawn = panels.map((panel) => drawPanel(study, panel));
  const line = html("p", { class: `readout lines-${panels.length}`, "aria-live": "polite" }, "Point at a rectangle: it is outlined in all panels.");
  let cell = null;
  const show = (next) => go("panel", { p: next.map((panel) => `${variantName(panel)},${panel.N}`) });
  const beside = html("aside", { class: "beside", "aria-label": "the distribution of one configuration" });
  /** Beside a single panel there is room for the distribution of a cell */
  const enlarge = (at) => {
    const values = { ...panels[0], ...at }, found = study.cellOf(values);
    beside.replaceChildren(html("h2", {}, `F=${at.F}, Cr=${at.Cr}`), study.summary(found).runs ? cellPicture(study, found, configName(values), NaN) : html("p", {}, "no runs"));
  };
  const mark = (next) => {
    if (next && cell && next.F === cell.F && next.Cr === cell.Cr) return;
    cell = next;
    drawn.forEach((one) => one.mark(cell));
    if (!cell) return;
    line.textContent = inWords(study, panels, cell);
    if (panels.length === 1) enlarge(cell);
  };
  const middle = (values) => values[values.length >> 1];
  if (panels.length === 1) enlarge({ F: middle(study.axes.F), Cr: middle(study.axes.Cr) });
  const parts = panels.map((panel, k) => {
    const { picture, cellAt } = drawn[k];
    picture.setAttribute("tabindex", 0);
    picture.addEventListener("pointermove", (event) => mark(cellAt(event) ?? cell));
    picture.addEventListener("click", (event) => { const at = cellAt(event); if (at) { mark(at); openCell(study.cellOf({ ...panel, ...at }), event.clientX); } });
    picture.addEventListener("keydown", (event) => {
      const moves = { ArrowLeft: ["Cr", -1], ArrowRight: ["Cr", 1], ArrowUp: ["F", 1], ArrowDown: ["F", -1] };
      if (event.key === "Enter" && cell) {
        event.preventDefault(); // else it presses the drawer's button, which has the focus then
        openCell(study.cellOf({ ...panel, ...cell }));
      }
      if (!moves[event.key]) return;
      event.preventDefault();
      const [name, by] = moves[event.key], values = study.axes[name];
      const at = values.indexOf((cell ?? { F: study.axes.F[0], Cr: study.axes.Cr[0] })[name]) + (cell ? by : 0);
      mark({ F: study.axes.F[0], Cr: study.axes.Cr[0], ...cell, [name]: values[Math.min(values.length - 1, Math.max(0, at))] });
    });
    const change = (next) => show(panels.map((one, i) => (i === k ? next : one)));
    const remove = panels.length > 1 && html("button", { type: "button", class: "small", "aria-label": `remove ${variantName(panel)}, N=${panel.N}`, onclick: () => show(panels.filter((_, i) => i !== k)) }, "remove");
    return html("section", { class: "panel" }, html("div", { class: "row" }, html("h2", {}, `${variantName(panel)}, N=${panel.N}`), remove || ""),
      chooser(study, panel, change), picture);
  });
  const other = { ...panels.at(-1) }, choices = study.axes.strategy;
  other.strategy = choices[(choices.indexOf(other.strategy) + 1) % choices.length];
  const more = panels.length < MOST_PANELS
    ? html("button", { type: "button", onclick: () => show([...panels, other]) }, "compare with another panel") : "";
  const key = [["bar-teal", "all runs within 0.001 of 0 or 1"], ["bar-orange", "all at 0.001 to 0.01 from 0 or 1 (notched)"], ["bar-violet", "all other cases"]];
  root.replaceChildren(html("h1", {}, "Panels"), html("p", { class: "lead" },
    "Each rectangle shows how POIS is distributed over the runs of one configuration: bars count the runs in tenths of POIS, upward from 0 to 1. The circle stands at (Cr, F/2)."),
  html("div", { class: "row" }, more, html("a", { href: formatAddress("atlas") }, "all panels")), line,
  html("div", { class: `panels panels-${panels.length}` }, ...parts, panels.length === 1 ? beside : ""),
  html("ul", { class: "key" }, ...key.map(([name, text]) => html("li", {},
    svg("svg", { viewBox: "0 0 14 14", width: 14, height: 14, "aria-hidden": "true", class: `swatch ${name}` }, svg("rect", { width: 14, height: 14 })), text))),
  foldedTable("Medians as a table", () => panels.flatMap((panel) => [html("h3", {}, `${variantName(panel)}, N=${panel.N}`),
    tableOverFCr(study.axes.F, study.axes.Cr, (F, Cr) => study.summary(study.cellOf({ ...panel, F, Cr })).median)])));
  return { redraw() {}, close() {} };
}
