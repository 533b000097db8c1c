// Panels: ten-bin histograms of POIS for all F and Cr of the same operators and N (docs/spec.md, section 4).

import { configName, formatAddress, parseVariant, shortName, variantName } from "./address.js";
import { cellPicture } from "./cell.js";
import { barClass, foldedTable, html, readable, svg, tableOverFCr } from "./dom.js";
import { colourClass, histogram } from "./numbers.js";

// the latter: how much it is enlarged
const WIDE = 64, HIGH = 36, SPACE = 5, LEFT = 46, BELOW = 36, EDGE_ROOM = 6, LARGEST = 1.4;

/** One rectangle: horizontal bars count the runs in tenths of POIS, upward; a circle at (Cr, F/2) */
function rectangle(study, panel, F, Cr, x, y) {
  const pois = study.pois(study.cellOf({ ...panel, F, Cr })), counts = histogram(pois), tall = HIGH / 10;
  const name = pois.length ? colourClass(pois) : "";
  const pieces = counts.flatMap((count, k) => {
    if (!count) return [];
    const length = (count / study.planned) * WIDE, notch = name === "orange" ? Math.min(0.06 * WIDE, length / 3) : 0;
    const at = { y: y + HIGH - (k + 1) * tall, height: tall };
    if (!notch) return [svg("rect", { x, width: length, ...at })];
    const half = (length - notch) / 2;
    return [svg("rect", { x, width: half, ...at }), svg("rect", { x: x + half + notch, width: half, ...at })];
  });
  const cross = pois.length ? [] : [svg("path", { d: `M${x},${y}l${WIDE},${HIGH}M${x + WIDE},${y}l${-WIDE},${HIGH}`,
    class: "cross" })];
  return svg("g", {},
    svg("rect", { x, y, width: WIDE, height: HIGH, class: "frame-line" }),
    svg("g", { class: name && barClass(name) }, ...pieces), ...cross,
    pois.length ? svg("circle", { cx: x + Cr * WIDE, cy: y + (1 - F / 2) * HIGH, r: 2.6, class: "place" }) : null);
}

/** The picture of one panel, and the outline that marks a cell */
export function drawPanel(study, panel) {
  const { F, Cr } = study.axes, width = LEFT + Cr.length * (WIDE + SPACE) + EDGE_ROOM;
  const height = EDGE_ROOM + F.length * (HIGH + SPACE) + BELOW;
  const place = (f, cr) => [LEFT + Cr.indexOf(cr) * (WIDE + SPACE),
    (F.length - 1 - F.indexOf(f)) * (HIGH + SPACE) + EDGE_ROOM];
  const cells = F.flatMap((f) => Cr.map((cr) => rectangle(study, panel, f, cr, ...place(f, cr))));
  const outline = svg("rect", { width: WIDE + 4, height: HIGH + 4, class: "outline", visibility: "hidden" });
  const names = [
    ...F.map((f) => svg("text", { x: LEFT - 6, y: place(f, Cr[0])[1] + HIGH / 2 + 4, class: "tick",
      "text-anchor": "end" }, String(f))),
    ...Cr.map((cr) => svg("text", { x: place(F[0], cr)[0] + WIDE / 2, y: height - 20, class: "tick",
      "text-anchor": "middle" }, String(cr))),
    svg("text", { x: LEFT + (Cr.length * (WIDE + SPACE)) / 2, y: height - 3, class: "tick strong",
      "text-anchor": "middle" }, "Cr"),
    svg("text", { x: LEFT - 6, y: 12, class: "tick strong", "text-anchor": "end" }, "F"),
  ];
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "panel-picture",
    "aria-label": `Histograms of POIS of ${variantName(panel)}, N=${panel.N}: F upward, Cr to the right` },
  ...cells, outline, ...names);
  picture.style.maxWidth = `${Math.round(LARGEST * width)}px`;
  const cellAt = (event) => {
    const box = picture.getBoundingClientRect(), scale = width / box.width;
    const x = Math.floor(((event.clientX - box.left) * scale - LEFT) / (WIDE + SPACE));
    const y = Math.floor(((event.clientY - box.top) * scale - EDGE_ROOM) / (HIGH + SPACE));
    return x >= 0 && x < Cr.length && y >= 0 && y < F.length ? { F: F[F.length - 1 - y], Cr: Cr[x] } : null;
  };
  const mark = (cell) => {
    outline.setAttribute("visibility", cell ? "visible" : "hidden");
    if (!cell) return;
    const [x, y] = place(cell.F, cell.Cr);
    outline.setAttribute("x", x - 2);
    outline.setAttribute("y", y - 2);
  };
  return { picture, cellAt, mark };
}

const MOST_PANELS = 4;

/** The panels that the address names; the first of the study if it names none, with its first two strategies */
function panelsOf(study, params) {
  const named = params.getAll("p").map((text) => {
    const at = text.lastIndexOf(","), variant = parseVariant(text.slice(0, at), study.axes);
    return variant && { ...variant, N: Number(text.slice(at + 1)) };
  });
  const known = named.filter((panel) => panel && study.cellOf({ ...panel, F: study.axes.F[0],
    Cr: study.axes.Cr[0] }) >= 0);
  const first = Object.fromEntries(study.panelFactors.map((name) => [name, study.axes[name][0]]));
  return known.length ? known.slice(0, MOST_PANELS) : study.axes.strategy.slice(0,
    2).map((strategy) => ({ ...first, strategy }));
}

function chooser(study, panel, change) {
  return html("div", { class: "chooser" }, ...study.panelFactors.map((name) => html("label", {},
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
    return `; ${variantName(panels[k + 1])}, N=${panels[k
      + 1].N}: ${readable(median)} (${sign}${readable(Math.abs(difference))})`;
  });
  const first = panels.length > 1 ? ` of ${variantName(panels[0])}, N=${panels[0].N}:` : "";
  return `F=${cell.F}, Cr=${cell.Cr}: median POIS${first} ${readable(medians[0])}${others.join("")}`;
}

/** Show one to four panels in an element */
export function showPanel(root, params, { study, go, openCell }) {
  const panels = panelsOf(study, params), drawn = panels.map((panel) => drawPanel(study, panel));
  const line = html("p", { class: `readout lines-${panels.length}`, "aria-live": "polite" },
    "Point at a rectangle: it is outlined in all panels.");
  let cell = null;
  const show = (next) => go("panel", { p: next.map((panel) => `${variantName(panel)},${panel.N}`) });
  const beside = html("aside", { class: "beside", "aria-label": "the distribution of one configuration" });
  /** Beside a single panel there is room for the distribution of a cell */
  const enlarge = (at) => {
    const values = { ...panels[0], ...at }, found = study.cellOf(values);
    beside.replaceChildren(html("h2", {}, `F=${at.F}, Cr=${at.Cr}`),
      study.summary(found).runs ? cellPicture(study, found, configName(values), NaN) : html("p", {}, "no runs"));
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
    picture.addEventListener("click",
      (event) => { const at = cellAt(event); if (at) { mark(at); openCell(study.cellOf({ ...panel, ...at }),
      event.clientX); } });
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
      mark({ F: study.axes.F[0], Cr: study.axes.Cr[0], ...cell,
        [name]: values[Math.min(values.length - 1, Math.max(0, at))] });
    });
    const change = (next) => show(panels.map((one, i) => (i === k ? next : one)));
    const remove = panels.length > 1 && html("button",
      { type: "button", class: "small", "aria-label": `remove ${variantName(panel)}, N=${panel.N}`,
      onclick: () => show(panels.filter((_, i) => i !== k)) }, "remove");
    return html("section", { class: "panel" }, html("div", { class: "row" },
      html("h2", {}, `${variantName(panel)}, N=${panel.N}`), remove || ""),
      chooser(study, panel, change), picture);
  });
  const other = { ...panels.at(-1) }, choices = study.axes.strategy;
  other.strategy = choices[(choices.indexOf(other.strategy) + 1) % choices.length];
  const more = panels.length < MOST_PANELS
    ? html("button", { type: "button", onclick: () => show([...panels, other]) }, "compare with another panel") : "";
  const key = [["bar-teal", "all runs within 0.001 of 0 or 1"],
    ["bar-orange", "all at 0.001 to 0.01 from 0 or 1 (notched)"], ["bar-violet", "all other cases"]];
  root.replaceChildren(html("h1", {}, "Panels"), html("p", { class: "lead" },
    "Each rectangle shows how POIS is distributed over the runs of one configuration: bars count the runs in tenths "
      + "of POIS, upward from 0 to 1. The circle stands at (Cr, F/2)."),
  html("div", { class: "row" }, more, html("a", { href: formatAddress("atlas") }, "all panels")), line,
  html("div", { class: `panels panels-${panels.length}` }, ...parts, panels.length === 1 ? beside : ""),
  html("ul", { class: "key" }, ...key.map(([name, text]) => html("li", {},
    svg("svg", { viewBox: "0 0 14 14", width: 14, height: 14, "aria-hidden": "true", class: `swatch ${name}` },
      svg("rect", { width: 14, height: 14 })), text))),
  foldedTable("Medians as a table", () => panels.flatMap((panel) =>
    [html("h3", {}, `${variantName(panel)}, N=${panel.N}`),
    tableOverFCr(study.axes.F, study.axes.Cr, (F, Cr) => study.summary(study.cellOf({ ...panel, F, Cr })).median)])));
  return { redraw() {}, close() {} };
}
