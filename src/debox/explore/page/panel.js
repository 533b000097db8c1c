// Panels: ten-bin histograms of POIS for all F and Cr of the same operators and N (docs/spec.md, section 4).

import { configName, formatAddress, panelName, panelText, parsePanel, shortName } from "./address.js";
import { cellPicture } from "./cell.js";
import { barClass, button, choose, foldedTable, html, onKeys, readable, svg, tableOverFCr, tick } from "./dom.js";
import { colourClass, histogram } from "./numbers.js";

// LARGEST: how much a panel is enlarged
const WIDE = 64, HIGH = 36, SPACE = 5, LEFT = 46, BELOW = 36, EDGE_ROOM = 6, LARGEST = 1.4, NOTCH = 0.06 * WIDE;

/** One rectangle: horizontal bars count the runs in tenths of POIS, upward; a circle at (Cr, F/2) */
function rectangle(study, panel, F, Cr, x, y) {
  const pois = study.pois(study.cellOf({ ...panel, F, Cr })), frame = { x, y, width: WIDE, height: HIGH },
    name = pois.length ? colourClass(pois) : "", tall = HIGH / 10;
  const pieces = histogram(pois).flatMap((count, k) => {
    const width = (count / study.planned) * WIDE, notch = name === "orange" ? Math.min(NOTCH, width / 3) : 0,
      half = (width - notch) / 2, at = { y: y + HIGH - (k + 1) * tall, height: tall };
    const parts = notch ? [[x, half], [x + half + notch, half]] : [[x, width]];
    return count ? parts.map(([left, wide]) => svg("rect", { x: left, width: wide, ...at })) : [];
  });
  const cross = `M${x},${y}l${WIDE},${HIGH}M${x + WIDE},${y}l${-WIDE},${HIGH}`;
  return svg("g", {}, svg("rect", { ...frame, class: "frame-line" }),
    svg("g", { class: name && barClass(name) }, ...pieces),
    pois.length ? svg("circle", { cx: x + Cr * WIDE, cy: y + (1 - F / 2) * HIGH, r: 2.6, class: "place" })
      : svg("path", { d: cross, class: "cross" }));
}

/** The picture of one panel, which cell lies at a pointer, and the outline that marks a cell */
export function drawPanel(study, panel) {
  const { F, Cr } = study.axes, width = LEFT + Cr.length * (WIDE + SPACE) + EDGE_ROOM,
    height = EDGE_ROOM + F.length * (HIGH + SPACE) + BELOW, strong = { class: "tick strong" };
  const place = (f, cr) => [LEFT + Cr.indexOf(cr) * (WIDE + SPACE),
    (F.length - 1 - F.indexOf(f)) * (HIGH + SPACE) + EDGE_ROOM];
  const outline = svg("rect", { width: WIDE + 4, height: HIGH + 4, class: "outline", visibility: "hidden" });
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "panel-picture", tabindex: 0,
    "aria-label": `Histograms of POIS of ${panelName(panel)}: F upward, Cr to the right` },
  ...F.flatMap((f) => Cr.map((cr) => rectangle(study, panel, f, cr, ...place(f, cr)))), outline,
  ...F.map((f) => tick(LEFT - 6, place(f, Cr[0])[1] + HIGH / 2 + 4, f, "end")),
  ...Cr.map((cr) => tick(place(F[0], cr)[0] + WIDE / 2, height - 20, cr)),
  tick(LEFT + (Cr.length * (WIDE + SPACE)) / 2, height - 3, "Cr", "middle", strong),
  tick(LEFT - 6, 12, "F", "end", strong));
  picture.style.maxWidth = `${Math.round(LARGEST * width)}px`;
  const cellAt = (event) => {
    const box = picture.getBoundingClientRect(), scale = width / box.width;
    const x = Math.floor(((event.clientX - box.left) * scale - LEFT) / (WIDE + SPACE));
    const y = Math.floor(((event.clientY - box.top) * scale - EDGE_ROOM) / (HIGH + SPACE));
    return x >= 0 && x < Cr.length && y >= 0 && y < F.length ? { F: F[F.length - 1 - y], Cr: Cr[x] } : null;
  };
  const mark = (cell) => {
    const [x, y] = place(cell.F, cell.Cr);
    for (const [name, value] of Object.entries({ x: x - 2, y: y - 2, visibility: "visible" })) {
      outline.setAttribute(name, value);
    }
  };
  return { picture, cellAt, mark };
}

const MOST_PANELS = 4;

/** The panels that the address names; the first of the study if it names none, with its first two strategies */
function panelsOf(study, params) {
  const { F: [F], Cr: [Cr], strategy } = study.axes, named = params.getAll("p").map((text) =>
    parsePanel(text, study.axes)).filter((panel) => panel && study.cellOf({ ...panel, F, Cr }) >= 0);
  const first = Object.fromEntries(study.panelFactors.map((name) => [name, study.axes[name][0]]));
  return named.length ? named.slice(0, MOST_PANELS) : strategy.slice(0, 2).map((one) => ({ ...first, strategy: one }));
}

/** What the cell has in each panel, in words, with differences from the first */
function inWords(study, panels, cell) {
  const medians = panels.map((panel) => study.summary(study.cellOf({ ...panel, ...cell })).median);
  const others = medians.slice(1).map((median, k) => {
    const difference = median - medians[0], sign = difference > 0 ? "+" : difference < 0 ? "−" : "±";
    return `; ${panelName(panels[k + 1])}: ${readable(median)} (${sign}${readable(Math.abs(difference))})`;
  });
  const first = panels.length > 1 ? ` of ${panelName(panels[0])}:` : "";
  return `F=${cell.F}, Cr=${cell.Cr}: median POIS${first} ${readable(medians[0])}${others.join("")}`;
}

const KEY = { "bar-teal": "all runs within 0.001 of 0 or 1",
  "bar-orange": "all at 0.001 to 0.01 from 0 or 1 (notched)", "bar-violet": "all other cases" };

/** Show one to four panels in an element */
export function showPanel(root, params, { study, go, openCell }) {
  const panels = panelsOf(study, params), drawn = panels.map((panel) => drawPanel(study, panel)),
    isAlone = panels.length === 1, { F, Cr } = study.axes;
  const line = html("p", { class: `readout lines-${panels.length}`, "aria-live": "polite" },
    "Point at a rectangle: it is outlined in all panels.");
  const beside = html("aside", { class: "beside", "aria-label": "the distribution of one configuration" });
  let cell = null;
  const show = (next) => go("panel", { p: next.map(panelText) });
  /** Beside a single panel there is room for the distribution of a cell */
  const enlarge = (at) => {
    const values = { ...panels[0], ...at }, found = study.cellOf(values);
    beside.replaceChildren(html("h2", {}, `F=${at.F}, Cr=${at.Cr}`),
      study.summary(found).runs ? cellPicture(study, found, configName(values), NaN) : html("p", {}, "no runs"));
  };
  const mark = (next) => {
    if (!next || (next.F === cell?.F && next.Cr === cell?.Cr)) return;
    cell = next;
    drawn.forEach((one) => one.mark(cell));
    line.textContent = inWords(study, panels, cell);
    if (isAlone) enlarge(cell);
  };
  const middle = (values) => values[values.length >> 1];
  if (isAlone) enlarge({ F: middle(F), Cr: middle(Cr) });
  const move = (name, by) => {
    const values = study.axes[name], next = values[values.indexOf(cell?.[name]) + by];
    mark(cell ? { ...cell, [name]: next ?? cell[name] } : { F: F[0], Cr: Cr[0] });
  };
  const parts = panels.map((panel, k) => {
    const { picture, cellAt } = drawn[k], open = (x) => cell && openCell(study.cellOf({ ...panel, ...cell }), x);
    picture.addEventListener("pointermove", (event) => mark(cellAt(event)));
    picture.addEventListener("click", (event) => {
      mark(cellAt(event));
      if (cellAt(event)) open(event.clientX);
    });
    onKeys(picture, move, open);
    const remove = isAlone ? "" : button("remove", () => show(panels.filter((_, i) => i !== k)),
      { class: "small", "aria-label": `remove ${panelName(panel)}` });
    const choices = study.panelFactors.map((name) => choose(name, study.axes[name], panel[name], (value) =>
      show(panels.map((one, i) => (i === k ? { ...panel, [name]: value } : one))), shortName));
    return html("section", { class: "panel" }, html("div", { class: "row" }, html("h2", {}, panelName(panel)), remove),
      html("div", { class: "chooser" }, ...choices), picture);
  });
  const last = panels.at(-1), { strategy } = study.axes,
    other = { ...last, strategy: strategy[(strategy.indexOf(last.strategy) + 1) % strategy.length] };
  const more = panels.length < MOST_PANELS ? button("compare with another panel", () => show([...panels, other])) : "";
  root.replaceChildren(html("h1", {}, "Panels"), html("p", { class: "lead" },
    "Each rectangle shows how POIS is distributed over the runs of one configuration: bars count the runs in tenths "
      + "of POIS, upward from 0 to 1. The circle stands at (Cr, F/2)."),
  html("div", { class: "row" }, more, html("a", { href: formatAddress("atlas") }, "all panels")), line,
  html("div", { class: `panels panels-${panels.length}` }, ...parts, isAlone ? beside : ""),
  html("ul", { class: "key" }, ...Object.entries(KEY).map(([name, text]) => html("li", {},
    svg("svg", { viewBox: "0 0 14 14", width: 14, height: 14, "aria-hidden": "true", class: `swatch ${name}` },
      svg("rect", { width: 14, height: 14 })), text))),
  foldedTable("Medians as a table", () => panels.flatMap((panel) => [html("h3", {}, panelName(panel)),
    tableOverFCr(F, Cr, (f, cr) => study.summary(study.cellOf({ ...panel, F: f, Cr: cr })).median)])));
  return {};
}
