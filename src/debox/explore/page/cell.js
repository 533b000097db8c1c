// One configuration: its distribution, its numbers, how to repeat it, and files to take away.

import { configName, formatAddress, shortName, variantName } from "./address.js";
import { impossible, onlyInPython } from "./choices.js";
import { barClass, bars, countAxis, download, ecdf, html, markLine, plate, poisAxis, readable, spaced,
  svg } from "./dom.js";
import { colourClass, exactStart, histogram, median, quantile } from "./numbers.js";

// The pictures.

const WIDTH = 380, LEFT_EDGE = 36, PLOT = WIDTH - LEFT_EDGE - 14, TALL = 120, TOP = 22, NEXT = TALL + 58;

/** POIS in each stretch of the run: a thin line for each run, a thick one for the medians */
function life(study, cell, top) {
  const parts = study.withinStretches(cell), one = PLOT / parts.length, y = (pois) => top + (1 - pois) * TALL;
  const path = (values, className) => svg("path", { class: className, d: values.map((value, k) =>
    `${k ? "L" : "M"}${LEFT_EDGE + k * one},${y(value)}L${LEFT_EDGE + (k + 1) * one},${y(value)}`).join("") });
  const runs = Array.from(parts[0], (_, run) => path(parts.map((part) => part[run]), "run-line"));
  const ends = [0, ...study.marks].map((mark, k) => svg("text",
    { x: LEFT_EDGE + k * one, y: top + TALL + 17, class: "tick",
    "text-anchor": k === 0 ? "start" : k === parts.length ? "end" : "middle" }, spaced(mark)));
  const ticks = [0, 0.5, 1].map((tick) => svg("text", { x: LEFT_EDGE - 7, y: y(tick) + 4, class: "tick",
    "text-anchor": "end" }, String(tick)));
  return svg("g", {}, plate(LEFT_EDGE, top, PLOT, TALL), ...runs,
    path(parts.map((part) => median(Float64Array.from(part).sort())), "median-line"),
    svg("path", { d: `M${LEFT_EDGE},${top}v${TALL}h${PLOT}`, class: "axis" }), ...ticks, ...ends,
    svg("text", { x: LEFT_EDGE + PLOT / 2, y: top + TALL + 34, class: "tick", "text-anchor": "middle" },
      "evaluations: POIS in each stretch, every run a line"));
}

/** All of them, one below the other; `start` is the exact POIS of generation 1, or NaN */
export function cellPicture(study, cell, name, start) {
  const pois = study.pois(cell), sorted = Float64Array.from(pois).sort(), counts = histogram(pois),
    most = Math.max(1, ...counts);
  const second = TOP + NEXT, third = second + NEXT, lasts = study.marks.length > 1;
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${(lasts ? third : second) + TALL + 42}`, role: "img",
    class: "cell-picture",
    "aria-label": `Histogram and cumulative distribution of POIS of ${name}${lasts ? ", and POIS over the run's life"
      : ""}` },
  plate(LEFT_EDGE, TOP, PLOT, TALL), bars(counts, most, LEFT_EDGE, TOP, PLOT, TALL, barClass(colourClass(pois))),
  countAxis(LEFT_EDGE, TOP, TALL, most), poisAxis(LEFT_EDGE, PLOT, TOP + TALL, "POIS: runs in each tenth"),
  Number.isNaN(start) ? null : markLine(start, "generation 1", LEFT_EDGE, TOP, PLOT, TALL),
  plate(LEFT_EDGE, second, PLOT, TALL), ecdf(sorted, LEFT_EDGE, second, PLOT, TALL),
    countAxis(LEFT_EDGE, second, TALL, sorted.length),
  poisAxis(LEFT_EDGE, PLOT, second + TALL, "POIS: runs up to it, every run a dot"),
    lasts ? life(study, cell, third) : null);
}

// How to repeat runs, to the bit.

const NAME = /^[A-Za-z0-9][A-Za-z0-9-]*(\/[A-Za-z0-9][A-Za-z0-9-]*)*$/; // an operator: operators/kinds.py
const SLOTS_OF_TEXT = ["mutation", "crossover", "strategy"];
const NO_LINES = "# no lines: debox takes no operator of such a name";

/** May all these names and values stand in a command? Only those that debox takes as names, numbers, true and false */
function isPlain(values, settings, numbers) {
  const plain = (value) => typeof value === "boolean" || Number.isFinite(value)
    || (typeof value === "string" && NAME.test(value));
  const names = SLOTS_OF_TEXT.flatMap((slot) => [values[slot], shortName(values[slot])]);
  return [values.N, values.F, values.Cr, ...numbers].every(Number.isFinite)
    && [...names, ...Object.entries(settings).flat()].every(plain);
}

/** Operators of a configuration that are not debox's own: whoever repeats it needs the file that has them */
export function foreign(values, settings, operators) {
  const named = { ...values, ...settings };
  return Object.keys(operators ?? {}).filter((slot) => named[slot]
    && !Object.hasOwn(operators[slot], named[slot])).map((slot) => named[slot]);
}

/** ", donors=not-target": settings that are not the usual ones, as a configuration's text has them */
export function settingsText(settings) {
  const written = (value) => (value === true ? "True" : value === false ? "False" : value);
  return Object.entries(settings).map(([name, value]) => `, ${name}=${written(value)}`).join("");
}

/** Settings with the adaptation of a configuration among them, if it names one that is not the usual */
function withAdaptation({ adaptation = "fixed", ...values }, settings) {
  return [values, adaptation === "fixed" ? settings : { ...settings, adaptation }];
}

/** The command that runs a configuration with these settings; "" if a name of it is none that debox takes */
export function measureCommand(configuration, others, { n, budget, runs, seed, operators }) {
  const [values, settings] = withAdaptation(configuration, others);
  if (!isPlain(values, settings, [n, budget, runs, seed])) return "";
  const file = foreign(values, settings, operators).length ? " --operators FILE" : "";
  const what = `"${configName(values)}${settingsText(settings)}"`;
  return `debox measure ${what} -n ${n} --budget ${budget} --runs ${runs} --seed ${seed}${file}`;
}

/** The command and the Python lines that give the same runs; no command if it has no option for the checkpoints */
export function recipes(study, configuration) {
  const [values, settings] = withAdaptation(configuration, study.settings),
    { dimension: n, budget, planned: runs } = study, seed = study.seed ?? 0;
  const usual = study.shares.length === 2 && study.shares[0] === 1 / 3 && study.shares[1] === 2 / 3;
  const engine = (study.engine ?? "auto") === "auto" ? ["", ""]
    : [` --engine ${study.engine}`, `, engine="${study.engine}"`];
  const command = measureCommand(values, settings, { n, budget, runs, seed, operators: study.operators });
  if (!command || !NAME.test(study.engine ?? "auto")) return { python: NO_LINES, command: "" };
  const others = foreign(values, settings, study.operators);
  const first = others.length ? `# first import the module that registers ${others.join(" and ")}\n` : "";
  const shares = usual ? "" : `, checkpoints=[${study.shares.join(", ")}]`;
  const python = `${first}import debox\n\nfound = debox.measure(\n    "${configName(values)}${settingsText(settings)}",\n` +
    `    n=${n}, budget=${budget}, runs=${runs}, rng=${seed}${engine[1]}${shares}\n)\nprint(found.pois)`;
  return { python, command: usual ? command + engine[0] : "" };
}

/** A text with a title and a button that copies it */
export function copyable(title, text) {
  const code = html("code", {}, text);
  const button = html("button", { type: "button", "aria-label": `copy: ${title}`, onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "selected: press Ctrl-C";
    }
  } }, "copy");
  return html("div", { class: "recipe" }, html("div", { class: "row" }, html("h3", {}, title), button),
    html("pre", { tabindex: 0, "aria-label": title, role: "region" }, code));
}

// Files.

const STYLES = ["fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "font-size", "font-weight",
  "font-family", "text-anchor"];
const LINE = 17, LETTERS = 54; // of a title: the height of a line, and how much it holds

/** All runs of a cell as a table in text, with infeasible trials up to each mark, and what they depend on */
export function csvOf(study, cell) {
  const donors = study.settings.donors ?? (study.settings.adaptation ? "" : "distinct");
  const { dimension, budget, seed, settings } = study,
    fixed = { ...study.valuesOf(cell), dimension, budget, ...settings, donors, seed };
  const counts = study.marks.map((_, k) => study.infeasible(cell, k));
  const rows = Array.from(study.pois(cell), (pois, run) =>
    [...Object.values(fixed), run, ...counts.map((count) => count[run]), pois]);
  const head = [...Object.keys(fixed), study.numbered ? "run" : "row",
    ...study.marks.map((mark) => `infeasible_at_${mark}`), "pois"];
  const written = (entry) => (/[",\n]/.test(entry ?? "") ? `"${entry.replaceAll('"', '""')}"` : entry ?? "");
  return [head, ...rows].map((row) => `${row.map(written).join(",")}\n`).join("");
}

/** What a picture of a cell shows, in lines of few letters */
export function titleOf(study, cell) {
  const runs = study.pois(cell).length, settings = Object.entries(study.settings).map(([name, value]) =>
    `${name} = ${value}`);
  const facts = [`n = ${study.dimension}`, `budget ${spaced(study.budget)}`, `${runs} run${runs === 1 ? "" : "s"}`,
    ...settings];
  const lines = [];
  for (const text of [configName(study.valuesOf(cell)), `${study.name ? `${study.name}: ` : ""}${facts.join(", ")}`]) {
    let line = "";
    for (const word of text.split(", ")) {
      if (line && line.length + word.length > LETTERS) lines.push(`${line},`);
      line = line && line.length + word.length <= LETTERS ? `${line}, ${word}` : word;
    }
    lines.push(line);
  }
  return lines;
}

/** What `look` sees while the page is light; the reader sees nothing of it */
function inTheLight(look) {
  const { dataset } = document.documentElement, before = dataset.theme;
  dataset.theme = "light";
  try {
    return look();
  } finally {
    if (before === undefined) delete dataset.theme;
    else dataset.theme = before;
  }
}

/** The picture as a file of its own, below these lines, with the colours that the page gives it in the light */
export function standalone(drawn, lines) {
  const copy = drawn.cloneNode(true), sources = [...drawn.querySelectorAll("*")];
  inTheLight(() => [...copy.querySelectorAll("*")].forEach((element, k) => {
    const style = getComputedStyle(sources[k]);
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  }));
  const [, , width, height] = drawn.getAttribute("viewBox").split(" ").map(Number), above = LINE * lines.length + 8;
  const attributes = { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 ${-above} ${width} ${height + above}`, width,
    height: height + above };
  for (const [name, value] of Object.entries(attributes)) copy.setAttribute(name, value);
  copy.removeAttribute("class");
  copy.prepend(svg("rect", { x: 0, y: -above, width, height: height + above, fill: "#ffffff" }),
    ...lines.map((text, k) =>
    svg("text", { x: 8, y: LINE * (k + 1) - above, fill: "#1a1a1a", "font-family": "system-ui, sans-serif",
      "font-size": 13, "font-weight": k ? 400 : 600 }, text)));
  return new XMLSerializer().serializeToString(copy);
}

/** The picture as a PNG file */
export function savePng(drawn, lines, name) {
  const image = new Image(), address = URL.createObjectURL(new Blob([standalone(drawn, lines)],
    { type: "image/svg+xml" }));
  image.onload = () => {
    const canvas = html("canvas", { width: image.width * 3, height: image.height * 3 });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => download(name, blob));
    URL.revokeObjectURL(address);
  };
  image.src = address;
}

// The drawer.

/** The exact POIS of generation 1 of a stored configuration; NaN if an operator has no formula here */
function storedStart(study, values) {
  const { adaptation = values.adaptation } = study.settings;
  return exactStart(study.operators, { ...values, adaptation, donors: study.settings.donors ?? "distinct",
    n: study.dimension, budget: study.budget });
}

function numbers(study, values, cell, pois) {
  const sorted = Float64Array.from(pois).sort(), start = storedStart(study, values);
  const rows = [["runs", String(pois.length)], ...[[0, "least"], [0.05, "5 %"], [0.25, "25 %"], [0.5, "median"],
    [0.75, "75 %"], [0.95, "95 %"], [1, "largest"]].map(([q, name]) => [name, readable(quantile(sorted, q), 4)])];
  if (!Number.isNaN(start)) rows.push(["generation 1, exactly", readable(start, 4)]);
  if (study.marks.length > 1) {
    const life = study.withinStretches(cell).map((part) => readable(median(Float64Array.from(part).sort())));
    rows.push(["median over the run's life", life.join(" → ")]);
  }
  return html("table", { class: "numbers" }, html("tbody", {}, ...rows.map(([name, value]) =>
    html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, value)))));
}

/** Fill the drawer with a cell */
export function showCell(drawer, study, cell, close) {
  const values = study.valuesOf(cell), pois = study.pois(cell),
    file = configName(values).replace(/[^A-Za-z0-9.=]+/g, "-");
  const closing = html("button", { type: "button", onclick: close, "aria-label": "close" }, "close");
  const head = html("div", { class: "row" }, html("h2", {}, configName(values)), closing);
  const { N, F, Cr } = values;
  const { donors, adaptation = values.adaptation, ...others } = study.settings,
    asked = { ...values, donors: donors ?? "distinct", adaptation: adaptation ?? "fixed", n: study.dimension,
    budget: study.budget };
  const runsHere = Object.keys(others).length === 0 && !impossible(study, asked) && !onlyInPython(study, asked);
  const live = { c: variantName({ ...values, adaptation: "" }), adaptation, N, F, Cr, n: study.dimension,
    budget: study.budget, donors };
  const links = html("p", { class: "row" },
    html("a", { href: formatAddress("panel", { p: `${variantName(values)},${N}` }) }, "its panel"),
    runsHere ? html("a", { href: formatAddress("live", live) }, "run it here") : "");
  drawer.hidden = false;
  if (!pois.length) {
    drawer.replaceChildren(head, html("p", {}, "No runs of this configuration are stored."), links);
    return;
  }
  const drawn = cellPicture(study, cell, configName(values), storedStart(study, values)),
    { python, command } = recipes(study, values);
  const save = (name, action) => html("button", { type: "button", onclick: action }, name);
  drawer.replaceChildren(head, html("p", { class: "soft" },
    `stored: ${pois.length} runs, n = ${study.dimension}, ${spaced(study.budget)} evaluations`),
    links, drawn, numbers(study, values, cell, pois), html("h3", {}, "Repeat it, to the bit"),
    command ? copyable("command", command) : "", copyable("Python", python), html("h3", {}, "Take it away"),
    html("div", { class: "row" },
      save("CSV", () => download(`${file}.csv`, new Blob([csvOf(study, cell)], { type: "text/csv" }))),
      save("SVG", () => download(`${file}.svg`, new Blob([standalone(drawn, titleOf(study, cell))],
        { type: "image/svg+xml" }))),
      save("PNG", () => savePng(drawn, titleOf(study, cell), `${file}.png`))));
  closing.focus({ preventScroll: true });
}
