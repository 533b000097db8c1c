// Small pictures of distributions of POIS, as SVG.

import { svg } from "./dom.js";
import { CLASS_COLOURS } from "./scale.js";

/** The class of CSS that colours the bars of a distribution as the paper does */
export function barClass(name) {
  return Object.hasOwn(CLASS_COLOURS, name) ? `bar-${name}` : "bar-violet";
}

/** The ground of a plot: light also in the dark, where the paper's colours would not be seen */
export function plate(left, top, width, height) {
  return svg("rect", { x: left, y: top, width, height, class: "plate" });
}

/** An axis of POIS from 0 to 1 below a picture whose plot is `width` wide */
export function poisAxis(left, width, y, title = "POIS") {
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((tick) => [
    svg("line", { x1: left + tick * width, x2: left + tick * width, y1: y, y2: y + 4, class: "axis" }),
    svg("text", { x: left + tick * width, y: y + 17, class: "tick", "text-anchor": "middle" }, String(tick)),
  ]);
  const name = svg("text", { x: left + width / 2, y: y + 34, class: "tick", "text-anchor": "middle" }, title);
  return svg("g", {}, svg("line", { x1: left, x2: left + width, y1: y, y2: y, class: "axis" }), ...ticks, name);
}

/** An axis of counts at the left */
export function countAxis(left, top, height, most) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((s) => most / s <= 5) ?? most, ticks = [];
  for (let count = 0; count <= most; count += step) {
    const y = top + height - (count / most) * height;
    ticks.push(svg("line", { x1: left - 4, x2: left, y1: y, y2: y, class: "axis" }));
    ticks.push(svg("text", { x: left - 7, y: y + 4, class: "tick", "text-anchor": "end" }, String(count)));
  }
  return svg("g", {}, svg("line", { x1: left, x2: left, y1: top, y2: top + height, class: "axis" }), ...ticks);
}

/** Bars of ten counts; `most` is the full height, `inset` the space at both sides of a bar */
export function bars(counts, most, left, top, width, height, className, inset = 1) {
  const one = width / counts.length;
  return svg("g", { class: className }, ...counts.map((count, k) => {
    const tall = Math.min(1, count / most) * height;
    return svg("rect", { x: left + k * one + inset, y: top + height - tall, width: Math.max(0, one - 2 * inset), height: tall });
  }));
}

/** A dashed line at a POIS, with its name */
export function markLine(pois, name, left, top, width, height) {
  const x = left + pois * width, anchor = pois > 0.5 ? "end" : "start";
  return svg("g", { class: "mark" },
    svg("line", { x1: x, x2: x, y1: top - 16, y2: top + height }),
    svg("text", { x: x + (pois > 0.5 ? -5 : 5), y: top - 8, "text-anchor": anchor }, name));
}

/** ECDF of sorted values, every run a dot */
export function ecdf(sorted, left, top, width, height) {
  const size = sorted.length, x = (k) => left + sorted[k] * width, y = (k) => top + height - (k / size) * height;
  let path = `M${left},${top + height}`;
  for (let k = 0; k < size; k++) path += `L${x(k)},${y(k)}L${x(k)},${y(k + 1)}`;
  const dots = Array.from(sorted, (_, k) => svg("circle", { cx: x(k), cy: y(k + 1), r: size > 200 ? 1 : 2 }));
  return svg("g", { class: "ecdf" }, svg("path", { d: `${path}L${left + width},${top}` }), ...dots);
}

/** A histogram of the size of a word */
export function sparkline(counts, className) {
  const most = Math.max(1, ...counts);
  return svg("svg", { viewBox: "0 0 60 18", width: 60, height: 18, "aria-hidden": "true", class: "sparkline" },
    plate(0, 0, 60, 18), bars(counts, most, 0, 0, 60, 17, className), svg("line", { x1: 0, x2: 60, y1: 17.5, y2: 17.5, class: "axis" }));
}
