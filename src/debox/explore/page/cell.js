// One configuration: its distribution, its numbers, how to repeat it, and files to take away.

import { configName, formatAddress, panelText, shortName, variantName } from "./address.js";
import { barClass, bars, button, html, markLine, plate, plotAxes, readable, spaced, svg, tableOf,
  tick } from "./dom.js";
import { colourClass, exactStart, histogram, quantile, sorted } from "./numbers.js";
import { impossible, onlyInPython } from "./study.js";

// The pictures.

const WIDTH = 380, NEXT = 178, PLOT = { left: 36, top: 22, width: WIDTH - 50, height: 120 };

/** ECDF, every run a dot */
function ecdf({ left, top, width, height }, rising) {
  const size = rising.length, x = (k) => left + rising[k] * width, y = (k) => top + height - (k / size) * height;
  let path = `M${left},${top + height}`;
  for (let k = 0; k < size; k++) path += `L${x(k)},${y(k)}L${x(k)},${y(k + 1)}`;
  const dots = Array.from(rising, (_, k) => svg("circle", { cx: x(k), cy: y(k + 1), r: size > 200 ? 1 : 2 }));
  return svg("g", { class: "ecdf" }, svg("path", { d: `${path}L${left + width},${top}` }), ...dots);
}

/** The medians of POIS within each stretch of the run */
function mediansOfStretches(parts) {
  return parts.map((part) => quantile(sorted(part), 0.5));
}

/** POIS in each stretch of the run: a thin line for each run, a thick one for the medians */
function life({ left, top, width, height }, study, cell) {
  const parts = study.withinStretches(cell), one = width / parts.length, y = (pois) => top + (1 - pois) * height;
  const path = (values, className) => svg("path", { class: className, d: values.map((value, k) =>
    `${k ? "L" : "M"}${left + k * one},${y(value)}L${left + (k + 1) * one},${y(value)}`).join("") });
  const anchor = (k) => (k === 0 ? "start" : k === parts.length ? "end" : "middle");
  return svg("g", {}, ...Array.from(parts[0], (_, run) => path(parts.map((part) => part[run]), "run-line")),
    path(mediansOfStretches(parts), "median-line"),
    svg("path", { d: `M${left},${top}v${height}h${width}`, class: "axis" }),
    ...[0, 0.5, 1].map((pois) => tick(left - 7, y(pois) + 4, pois, "end")),
    ...[0, ...study.marks].map((mark, k) => tick(left + k * one, top + height + 17, spaced(mark), anchor(k))),
    tick(left + width / 2, top + height + 34, "evaluations: POIS in each stretch, every run a line"));
}

/** All of them, one below the other; `start` is the exact POIS of generation 1, or NaN */
export function cellPicture(study, cell, name, start) {
  const pois = study.pois(cell), counts = histogram(pois), most = Math.max(...counts), hasLife = study.marks.length > 1;
  const [first, second, third] = [0, 1, 2].map((k) => ({ ...PLOT, top: PLOT.top + k * NEXT }));
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${(hasLife ? third : second).top + 162}`, role: "img",
    class: "cell-picture", "aria-label": `Histogram and cumulative distribution of POIS of ${name}`
      + (hasLife ? ", and POIS over the run's life" : "") },
  plate(first), bars(first, counts, most, barClass(colourClass(pois))),
  plotAxes(first, most, "POIS: runs in each tenth"), markLine(first, start, "generation 1"),
  plate(second), ecdf(second, sorted(pois)), plotAxes(second, pois.length, "POIS: runs up to it, every run a dot"),
  ...(hasLife ? [plate(third), life(third, study, cell)] : []));
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
function foreign(named, operators = {}) {
  return Object.keys(operators).map((slot) => [slot, named[slot]]).filter(([slot, name]) =>
    name && !Object.hasOwn(operators[slot], name)).map(([, name]) => name);
}

/** ", donors=not-target": settings that are not the usual ones, as a configuration's text has them */
export function settingsText(settings) {
  const written = { true: "True", false: "False" };
  return Object.entries(settings).map(([name, value]) => `, ${name}=${written[value] ?? value}`).join("");
}

/** What repeats runs of a configuration with these settings: its text, a command, and foreign operators; null if a
 * name is none that debox takes */
function repeated({ adaptation = "fixed", ...values }, others, { n, budget, runs, seed, operators }) {
  const settings = adaptation === "fixed" ? others : { ...others, adaptation };
  if (!isPlain(values, settings, [n, budget, runs, seed])) return null;
  const text = `"${configName(values)}${settingsText(settings)}"`,
    files = foreign({ ...values, ...settings }, operators);
  const command = `debox measure ${text} -n ${n} --budget ${budget} --runs ${runs} --seed ${seed}`;
  return { text, files, command: command + (files.length ? " --operators FILE" : "") };
}

/** The command that runs a configuration with these settings; "" if a name of it is none that debox takes */
export function measureCommand(configuration, settings, how) {
  return repeated(configuration, settings, how)?.command ?? "";
}

/** The command and the Python lines that give the same runs; no command if it has no option for the checkpoints */
export function recipes(study, configuration) {
  const { dimension: n, budget, planned: runs, settings, operators, shares } = study, seed = study.seed ?? 0,
    engine = study.engine ?? "auto", found = repeated(configuration, settings, { n, budget, runs, seed, operators });
  if (!found || !NAME.test(engine)) return { python: NO_LINES, command: "" };
  const { text, files, command } = found, isUsual = shares.join() === [1 / 3, 2 / 3].join();
  const [asOption, asArgument] = engine === "auto" ? ["", ""] : [` --engine ${engine}`, `, engine="${engine}"`];
  const first = files.length ? `# first import the module that registers ${files.join(" and ")}\n` : "";
  const checkpoints = isUsual ? "" : `, checkpoints=[${shares.join(", ")}]`;
  const python = `${first}import debox\n\nfound = debox.measure(\n    ${text},\n` +
    `    n=${n}, budget=${budget}, runs=${runs}, rng=${seed}${asArgument}${checkpoints}\n)\nprint(found.pois)`;
  return { python, command: isUsual ? command + asOption : "" };
}

/** A text with a title and a button that copies it */
export function copyable(title, text) {
  const code = html("code", {}, text), copy = button("copy", async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);
      copy.textContent = "selected: press Ctrl-C";
    }
  }, { "aria-label": `copy: ${title}` });
  return html("div", { class: "recipe" }, html("div", { class: "row" }, html("h3", {}, title), copy),
    html("pre", { tabindex: 0, "aria-label": title, role: "region" }, code));
}

// Files.

const STYLES = ["fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "font-size", "font-weight",
  "font-family", "text-anchor"];
const LINE = 17; // the height of a title's line

/** Give a file to the reader */
function download(name, blob) {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** All runs of a cell as a table in text, with infeasible trials up to each mark, and what they depend on */
function csvOf(study, cell) {
  const { dimension, budget, seed, settings, marks } = study,
    donors = settings.donors ?? (settings.adaptation ? "" : "distinct"),
    fixed = { ...study.valuesOf(cell), dimension, budget, ...settings, donors, seed };
  const counts = marks.map((_, k) => study.infeasible(cell, k));
  const rows = Array.from(study.pois(cell), (pois, run) =>
    [...Object.values(fixed), run, ...counts.map((count) => count[run]), pois]);
  const head = [...Object.keys(fixed), study.numbered ? "run" : "row", ...marks.map((mark) => `infeasible_at_${mark}`),
    "pois"];
  const written = (entry) => (/[",\n]/.test(entry ?? "") ? `"${entry.replaceAll('"', '""')}"` : entry ?? "");
  return [head, ...rows].map((row) => `${row.map(written).join(",")}\n`).join("");
}

/** What a picture of a cell shows, in lines of few letters */
function titleOf(study, cell) {
  const runs = study.pois(cell).length, settings = Object.entries(study.settings).map((pair) => pair.join(" = ")),
    facts = [`n = ${study.dimension}`, `budget ${spaced(study.budget)}`, `${runs} run${runs === 1 ? "" : "s"}`,
      ...settings].join(", ");
  const lines = (text) => text.match(/.{1,54}(?:, |$)|[^,]+(?:, |$)/g).map((line) => line.trim());
  return [configName(study.valuesOf(cell)), study.name ? `${study.name}: ${facts}` : facts].flatMap(lines);
}

/** The picture as a file of its own, below these lines, with the colours that the page gives it in the light */
function standalone(drawn, lines) {
  const copy = drawn.cloneNode(true), sources = [...drawn.querySelectorAll("*")], root = document.documentElement,
    theme = root.getAttribute("data-theme");
  root.setAttribute("data-theme", "light"); // the reader sees nothing of it
  [...copy.querySelectorAll("*")].forEach((element, k) => {
    const style = getComputedStyle(sources[k]);
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  });
  if (theme) root.setAttribute("data-theme", theme);
  else root.removeAttribute("data-theme");
  const [, , width, tall] = drawn.getAttribute("viewBox").split(" ").map(Number), above = LINE * lines.length + 8,
    height = tall + above;
  const texts = lines.map((text, k) => svg("text", { x: 8, y: LINE * (k + 1) - above, fill: "#1a1a1a",
    "font-family": "system-ui, sans-serif", "font-size": 13, "font-weight": k ? 400 : 600 }, text));
  const whole = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 ${-above} ${width} ${height}`, width,
    height }, svg("rect", { x: 0, y: -above, width, height, fill: "#ffffff" }), ...texts, ...copy.childNodes);
  return new XMLSerializer().serializeToString(whole);
}

/** A picture as a PNG file, three times as large */
function savePng(picture, name) {
  const image = new Image(), address = URL.createObjectURL(picture);
  image.onload = () => {
    const canvas = html("canvas", { width: image.width * 3, height: image.height * 3 });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => download(name, blob));
    URL.revokeObjectURL(address);
  };
  image.src = address;
}

// The drawer.

const QUANTILES = [[0, "least"], [0.05, "5 %"], [0.25, "25 %"], [0.5, "median"], [0.75, "75 %"], [0.95, "95 %"],
  [1, "largest"]];

function numbers(study, cell, pois, start) {
  const rising = sorted(pois), rows = [["runs", String(pois.length)],
    ...QUANTILES.map(([q, name]) => [name, readable(quantile(rising, q), 4)])];
  if (!Number.isNaN(start)) rows.push(["generation 1, exactly", readable(start, 4)]);
  if (study.marks.length > 1) {
    const medians = mediansOfStretches(study.withinStretches(cell));
    rows.push(["median over the run's life", medians.map((median) => readable(median)).join(" → ")]);
  }
  return tableOf([], rows, { class: "numbers" });
}

/** Fill the drawer with a cell */
export function showCell(drawer, study, cell, close) {
  const values = study.valuesOf(cell), pois = study.pois(cell), name = configName(values), { operators } = study;
  const { donors, adaptation = values.adaptation, ...others } = study.settings, { dimension: n, budget } = study,
    config = { ...values, donors: donors ?? "distinct", adaptation: adaptation ?? "fixed", n, budget };
  const runsHere = Object.keys(others).length === 0 && !impossible(study, config) && !onlyInPython(study, config);
  const closing = button("close", close, { "aria-label": "close" });
  const { N, F, Cr } = values, c = variantName({ ...values, adaptation: "" });
  const links = html("p", { class: "row" },
    html("a", { href: formatAddress("panel", { p: panelText(values) }) }, "its panel"),
    runsHere ? html("a", { href: formatAddress("live", { c, adaptation, N, F, Cr, n, budget, donors }) }, "run it here")
      : "");
  drawer.hidden = false;
  drawer.replaceChildren(html("div", { class: "row" }, html("h2", {}, name), closing));
  if (!pois.length) {
    drawer.append(html("p", {}, "No runs of this configuration are stored."), links);
    return;
  }
  const start = exactStart(operators, config), drawn = cellPicture(study, cell, name, start),
    { python, command } = recipes(study, values), file = name.replace(/[^A-Za-z0-9.=]+/g, "-");
  const csv = () => new Blob([csvOf(study, cell)], { type: "text/csv" }),
    picture = () => new Blob([standalone(drawn, titleOf(study, cell))], { type: "image/svg+xml" });
  drawer.append(html("p", { class: "soft" }, `stored: ${pois.length} runs, n = ${n}, ${spaced(budget)} evaluations`),
    links, drawn, numbers(study, cell, pois, start), html("h3", {}, "Repeat it, to the bit"),
    command ? copyable("command", command) : "", copyable("Python", python), html("h3", {}, "Take it away"),
    html("div", { class: "row" }, button("CSV", () => download(`${file}.csv`, csv())),
      button("SVG", () => download(`${file}.svg`, picture())), button("PNG", () => savePng(picture(), `${file}.png`))));
  closing.focus({ preventScroll: true });
}
