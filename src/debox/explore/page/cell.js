// One configuration: its distribution, its numbers, how to repeat it, and files to take away.

import { configName, formatAddress, variantName } from "./address.js";
import { barClass, bars, countAxis, ecdf, markLine, poisAxis } from "./chart.js";
import { download, html, readable, spaced, svg } from "./dom.js";
import { MUTATIONS } from "./operators.js";
import { recipes } from "./recipes.js";
import { colourClass, histogram, median, quantile } from "./summary.js";
import { csvOf, savePng, standalone } from "./takeaway.js";
import { firstGeneration } from "./theory.js";

const WIDTH = 380, LEFT_EDGE = 36, PLOT = WIDTH - LEFT_EDGE - 14, TALL = 120;

/** The exact POIS of generation 1; NaN if an operator has no formula here */
export function exactStart(study, values) {
  if (study.adaptation !== "fixed") return NaN;
  if (!Object.hasOwn(MUTATIONS, values.mutation) || !["bin", "exp"].includes(values.crossover)) return NaN;
  return firstGeneration({ ...values, donors: study.donors, n: study.dimension, budget: study.budget });
}

/** POIS within each stretch between the marks, of each run */
export function withinStretches(study, cell) {
  return study.marks.map((end, k) => {
    const before = k ? study.infeasible(cell, k - 1) : null, start = k ? study.marks[k - 1] : 0;
    return study.infeasible(cell, k).map((count, run) => (count - (before ? before[run] : 0)) / Math.max(1, end - start));
  });
}

function picture(study, values, pois) {
  const sorted = Float64Array.from(pois).sort(), counts = histogram(pois), start = exactStart(study, values);
  const second = TALL + 80;
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${second + TALL + 42}`, role: "img", class: "cell-picture",
    "aria-label": `Histogram and cumulative distribution of POIS of ${configName(values)}` },
  bars(counts, Math.max(1, ...counts), LEFT_EDGE, 22, PLOT, TALL, barClass(colourClass(pois))),
  countAxis(LEFT_EDGE, 22, TALL, Math.max(1, ...counts)), poisAxis(LEFT_EDGE, PLOT, 22 + TALL, "POIS: runs in each tenth"),
  Number.isNaN(start) ? null : markLine(start, "generation 1", LEFT_EDGE, 22, PLOT, TALL),
  ecdf(sorted, LEFT_EDGE, second, PLOT, TALL), countAxis(LEFT_EDGE, second, TALL, sorted.length),
  poisAxis(LEFT_EDGE, PLOT, second + TALL, "POIS: runs up to it, every run a dot"));
}

function numbers(study, values, cell, pois) {
  const sorted = Float64Array.from(pois).sort(), start = exactStart(study, values);
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

function recipe(title, text) {
  const button = html("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "selected: press Ctrl-C";
    }
  } }, "copy");
  const code = html("code", {}, text);
  return html("div", { class: "recipe" }, html("div", { class: "row" }, html("h3", {}, title), button), html("pre", { tabindex: 0 }, code));
}

/** Fill the drawer with a cell */
export function showCell(drawer, study, cell, close) {
  const values = study.valuesOf(cell), pois = study.pois(cell), file = configName(values).replace(/[^A-Za-z0-9.=]+/g, "-");
  const closing = html("button", { type: "button", onclick: close, "aria-label": "close" }, "close");
  const head = html("div", { class: "row" }, html("h2", {}, configName(values)), closing);
  const { N, F, Cr } = values;
  const runsHere = study.adaptation === "fixed" && study.repair === "trial";
  const links = html("p", { class: "row" },
    html("a", { href: formatAddress("panel", { p: `${variantName(values)},${N}` }) }, "its panel"),
    runsHere ? html("a", { href: formatAddress("live", { c: variantName(values), N, F, Cr, n: study.dimension, budget: study.budget }) }, "run it here") : "");
  drawer.hidden = false;
  if (!pois.length) {
    drawer.replaceChildren(head, html("p", {}, "No runs of this configuration are stored."), links);
    return;
  }
  const drawn = picture(study, values, pois), { python, command } = recipes(study, values);
  const save = (name, action) => html("button", { type: "button", onclick: action }, name);
  drawer.replaceChildren(head, html("p", { class: "soft" }, `stored: ${pois.length} runs, n = ${study.dimension}, ${spaced(study.budget)} evaluations`),
    links, drawn, numbers(study, values, cell, pois), html("h3", {}, "Repeat it, to the bit"),
    command ? recipe("command", command) : "", recipe("Python", python), html("h3", {}, "Take it away"),
    html("div", { class: "row" },
      save("CSV", () => download(`${file}.csv`, new Blob([csvOf(study, cell)], { type: "text/csv" }))),
      save("SVG", () => download(`${file}.svg`, new Blob([standalone(drawn)], { type: "image/svg+xml" }))),
      save("PNG", () => savePng(drawn, `${file}.png`))));
  closing.focus({ preventScroll: true });
}

