// The pictures of one configuration: histogram, cumulative distribution, and POIS over the run's life.

import { barClass, bars, countAxis, ecdf, markLine, plate, poisAxis } from "./chart.js";
import { spaced, svg } from "./dom.js";
import { colourClass, histogram, median } from "./summary.js";

const WIDTH = 380, LEFT_EDGE = 36, PLOT = WIDTH - LEFT_EDGE - 14, TALL = 120, TOP = 22, NEXT = TALL + 58;

/** POIS within each stretch between the marks, of each run */
export function withinStretches(study, cell) {
  return study.marks.map((end, k) => {
    const before = k ? study.infeasible(cell, k - 1) : null, start = k ? study.marks[k - 1] : 0;
    return study.infeasible(cell, k).map((count, run) => (count - (before ? before[run] : 0)) / Math.max(1, end - start));
  });
}

/** POIS in each stretch of the run: a thin line for each run, a thick one for the medians */
function life(study, cell, top) {
  const parts = withinStretches(study, cell), one = PLOT / parts.length, y = (pois) => top + (1 - pois) * TALL;
  const path = (values, className) => svg("path", { class: className, d: values.map((value, k) =>
    `${k ? "L" : "M"}${LEFT_EDGE + k * one},${y(value)}L${LEFT_EDGE + (k + 1) * one},${y(value)}`).join("") });
  const runs = Array.from(parts[0], (_, run) => path(parts.map((part) => part[run]), "run-line"));
  const ends = [0, ...study.marks].map((mark, k) => svg("text", { x: LEFT_EDGE + k * one, y: top + TALL + 17, class: "tick",
    "text-anchor": k === 0 ? "start" : k === parts.length ? "end" : "middle" }, spaced(mark)));
  const ticks = [0, 0.5, 1].map((tick) => svg("text", { x: LEFT_EDGE - 7, y: y(tick) + 4, class: "tick", "text-anchor": "end" }, String(tick)));
  return svg("g", {}, plate(LEFT_EDGE, top, PLOT, TALL), ...runs, path(parts.map((part) => median(Float64Array.from(part).sort())), "median-line"),
    svg("path", { d: `M${LEFT_EDGE},${top}v${TALL}h${PLOT}`, class: "axis" }), ...ticks, ...ends,
    svg("text", { x: LEFT_EDGE + PLOT / 2, y: top + TALL + 34, class: "tick", "text-anchor": "middle" }, "evaluations: POIS in each stretch, every run a line"));
}

/** All of them, one below the other; `start` is the exact POIS of generation 1, or NaN */
export function cellPicture(study, cell, name, start) {
  const pois = study.pois(cell), sorted = Float64Array.from(pois).sort(), counts = histogram(pois), most = Math.max(1, ...counts);
  const second = TOP + NEXT, third = second + NEXT, lasts = study.marks.length > 1;
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${(lasts ? third : second) + TALL + 42}`, role: "img", class: "cell-picture",
    "aria-label": `Histogram and cumulative distribution of POIS of ${name}${lasts ? ", and POIS over the run's life" : ""}` },
  plate(LEFT_EDGE, TOP, PLOT, TALL), bars(counts, most, LEFT_EDGE, TOP, PLOT, TALL, barClass(colourClass(pois))),
  countAxis(LEFT_EDGE, TOP, TALL, most), poisAxis(LEFT_EDGE, PLOT, TOP + TALL, "POIS: runs in each tenth"),
  Number.isNaN(start) ? null : markLine(start, "generation 1", LEFT_EDGE, TOP, PLOT, TALL),
  plate(LEFT_EDGE, second, PLOT, TALL), ecdf(sorted, LEFT_EDGE, second, PLOT, TALL), countAxis(LEFT_EDGE, second, TALL, sorted.length),
  poisAxis(LEFT_EDGE, PLOT, second + TALL, "POIS: runs up to it, every run a dot"), lasts ? life(study, cell, third) : null);
}
