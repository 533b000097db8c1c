// The picture of a panel: a histogram for each F and Cr (docs/spec.md, section 4).

import { variantName } from "./address.js";
import { barClass } from "./chart.js";
import { svg } from "./dom.js";
import { colourClass, histogram } from "./summary.js";

const WIDE = 64, HIGH = 36, SPACE = 5, LEFT = 46, BELOW = 36, EDGE_ROOM = 6, LARGEST = 1.4; // the latter: how much it is enlarged

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
  const cross = pois.length ? [] : [svg("path", { d: `M${x},${y}l${WIDE},${HIGH}M${x + WIDE},${y}l${-WIDE},${HIGH}`, class: "cross" })];
  return svg("g", {},
    svg("rect", { x, y, width: WIDE, height: HIGH, class: "frame-line" }),
    svg("g", { class: name && barClass(name) }, ...pieces), ...cross,
    pois.length ? svg("circle", { cx: x + Cr * WIDE, cy: y + (1 - F / 2) * HIGH, r: 2.6, class: "place" }) : null);
}

/** The picture of one panel, and the outline that marks a cell */
export function drawPanel(study, panel) {
  const { F, Cr } = study.axes, width = LEFT + Cr.length * (WIDE + SPACE) + EDGE_ROOM;
  const height = EDGE_ROOM + F.length * (HIGH + SPACE) + BELOW;
  const place = (f, cr) => [LEFT + Cr.indexOf(cr) * (WIDE + SPACE), (F.length - 1 - F.indexOf(f)) * (HIGH + SPACE) + EDGE_ROOM];
  const cells = F.flatMap((f) => Cr.map((cr) => rectangle(study, panel, f, cr, ...place(f, cr))));
  const outline = svg("rect", { width: WIDE + 4, height: HIGH + 4, class: "outline", visibility: "hidden" });
  const names = [
    ...F.map((f) => svg("text", { x: LEFT - 6, y: place(f, Cr[0])[1] + HIGH / 2 + 4, class: "tick", "text-anchor": "end" }, String(f))),
    ...Cr.map((cr) => svg("text", { x: place(F[0], cr)[0] + WIDE / 2, y: height - 20, class: "tick", "text-anchor": "middle" }, String(cr))),
    svg("text", { x: LEFT + (Cr.length * (WIDE + SPACE)) / 2, y: height - 3, class: "tick strong", "text-anchor": "middle" }, "Cr"),
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
