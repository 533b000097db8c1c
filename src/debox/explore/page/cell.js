// One configuration: its distribution, its numbers, how to repeat it, and files to take away.

import { configName, formatAddress, variantName } from "./address.js";
import { cellPicture, withinStretches } from "./cellchart.js";
import { download, html, readable, spaced } from "./dom.js";
import { impossible, onlyInPython } from "./liveconfig.js";
import { copyable, recipes } from "./recipes.js";
import { median, quantile } from "./summary.js";
import { csvOf, savePng, standalone, titleOf } from "./takeaway.js";
import { exactStart } from "./theory.js";

/** The exact POIS of generation 1 of a stored configuration; NaN if an operator has no formula here */
function storedStart(study, values) {
  const { adaptation = values.adaptation } = study.settings;
  return exactStart({ ...values, adaptation, donors: study.settings.donors ?? "distinct", n: study.dimension, budget: study.budget });
}

function numbers(study, values, cell, pois) {
  const sorted = Float64Array.from(pois).sort(), start = storedStart(study, values);
  const rows = [["runs", String(pois.length)], ...[[0, "least"], [0.05, "5 %"], [0.25, "25 %"], [0.5, "median"],
    [0.75, "75 %"], [0.95, "95 %"], [1, "largest"]].map(([q, name]) => [name, readable(quantile(sorted, q), 4)])];
  if (!Number.isNaN(start)) rows.push(["generation 1, exactly", readable(start, 4)]);
  if (study.marks.length > 1) {
    const life = withinStretches(study, cell).map((part) => readable(median(Float64Array.from(part).sort())));
    rows.push(["median over the run's life", life.join(" → ")]);
  }
  return html("table", { class: "numbers" }, html("tbody", {}, ...rows.map(([name, value]) =>
    html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, value)))));
}

/** Fill the drawer with a cell */
export function showCell(drawer, study, cell, close) {
  const values = study.valuesOf(cell), pois = study.pois(cell), file = configName(values).replace(/[^A-Za-z0-9.=]+/g, "-");
  const closing = html("button", { type: "button", onclick: close, "aria-label": "close" }, "close");
  const head = html("div", { class: "row" }, html("h2", {}, configName(values)), closing);
  const { N, F, Cr } = values;
  const { donors, adaptation = values.adaptation, ...others } = study.settings, asked = { ...values, donors: donors ?? "distinct", adaptation: adaptation ?? "fixed", n: study.dimension, budget: study.budget };
  const isRunHere = Object.keys(others).length === 0 && !impossible(asked) && !onlyInPython(asked);
  const live = { c: variantName({ ...values, adaptation: "" }), adaptation, N, F, Cr, n: study.dimension, budget: study.budget, donors };
  const links = html("p", { class: "row" },
    html("a", { href: formatAddress("panel", { p: `${variantName(values)},${N}` }) }, "its panel"),
    isRunHere ? html("a", { href: formatAddress("live", live) }, "run it here") : "");
  drawer.hidden = false;
  if (!pois.length) {
    drawer.replaceChildren(head, html("p", {}, "No runs of this configuration are stored."), links);
    return;
  }
  const drawn = cellPicture(study, cell, configName(values), storedStart(study, values)), { python, command } = recipes(study, values);
  const save = (name, action) => html("button", { type: "button", onclick: action }, name);
  drawer.replaceChildren(head, html("p", { class: "soft" }, `stored: ${pois.length} runs, n = ${study.dimension}, ${spaced(study.budget)} evaluations`),
    links, drawn, numbers(study, values, cell, pois), html("h3", {}, "Repeat it, to the bit"),
    command ? copyable("command", command) : "", copyable("Python", python), html("h3", {}, "Take it away"),
    html("div", { class: "row" },
      save("CSV", () => download(`${file}.csv`, new Blob([csvOf(study, cell)], { type: "text/csv" }))),
      save("SVG", () => download(`${file}.svg`, new Blob([standalone(drawn, titleOf(study, cell))], { type: "image/svg+xml" }))),
      save("PNG", () => savePng(drawn, titleOf(study, cell), `${file}.png`))));
  closing.focus({ preventScroll: true });
}

