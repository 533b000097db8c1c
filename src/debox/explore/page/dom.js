// Elements, tables and small charts, made without any markup from texts: whatever a study's names hold stays text.

import { CLASS_COLOURS, SCALE_TICKS, colourAt, onScale } from "./numbers.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** An HTML element; attributes that begin with "on" are listeners, false and null leave one out */
export function html(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An SVG element */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** A canvas context for a size in CSS pixels, sharp on any screen */
export function sharpContext(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** A colour of the page's theme: themeColour("ink") */
export function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** A number as people read it: 0.6306, 0.00042, 1 */
export function readable(value, digits = 3) {
  if (Number.isNaN(value)) return "–";
  if (value === 0 || value === 1) return String(value);
  if (value > 0.999 && value < 1) return value.toFixed(6).replace(/0+$/, "");
  return String(Number(value.toPrecision(digits)));
}

/** 300000 as 300 000, and 6000 as it is */
export function spaced(number) {
  if (number < 10000) return String(number);
  return String(number).replace(/\B(?=(\d{3})+$)/g, "\u00a0");
}

/** Give a file to the reader */
export function download(name, blob) {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A table: names of columns, and rows whose first entry names them; entries are texts or elements */
export function tableOf(columns, rows) {
  return html("table", {}, html("thead", {}, html("tr", {},
    ...columns.map((name) => html("th", { scope: "col" }, name)))),
    html("tbody", {}, ...rows.map(([name, ...entries]) =>
      html("tr", {}, html("th", { scope: "row" }, name), ...entries.map((entry) => html("td", {}, entry))))));
}

/** A table of a number for each F, downward from the largest, and Cr */
export function tableOverFCr(Fs, Crs, numberAt) {
  return tableOf(["F \\ Cr", ...Crs.map(String)], [...Fs].reverse().map((F) =>
    [String(F), ...Crs.map((Cr) => readable(numberAt(F, Cr)))]));
}

/** A part that opens, and then has what `make` gives; `renew` gives it anew if it is open */
export function foldedTable(title, make) {
  const room = html("div", { class: "wide", tabindex: 0, role: "region", "aria-label": title }),
    details = html("details", {}, html("summary", {}, title), room);
  details.renew = () => { if (details.open) room.replaceChildren(...make()); };
  details.addEventListener("toggle", details.renew);
  return details;
}

const LONGEST_SAID = 60;

/** A line about parts of the address that are not followed; nothing if there are none */
export function refusal(texts) {
  if (!texts.length) return "";
  const said = texts.map((text) => (text.length > LONGEST_SAID ? `${text.slice(0, LONGEST_SAID)}…` : text));
  return html("p", { class: "soft refusal", role: "status" },
    `The link asks for what this page does not have: ${said.join("; ")}. The usual is shown instead.`);
}

/** The scale of colours with its ticks, and a text below */
export function colourScale(text) {
  const steps = Array.from({ length: 64 }, (_, k) => html("span", {}));
  steps.forEach((step, k) => { step.style.background = colourAt((k + 0.5) / 64); });
  const ticks = SCALE_TICKS.map((tick) => {
    const label = html("span", { class: [0.001, 0.999].includes(tick) ? "minor" : "" }, String(tick));
    label.style.left = `${100 * onScale(tick)}%`;
    return label;
  });
  return html("div", { class: "scale", role: "img", "aria-label": "colours of the median POIS, from 0 to 1" },
    html("div", { class: "scale-colours" }, ...steps), html("div", { class: "scale-ticks" }, ...ticks),
    html("p", {}, text));
}

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
    return svg("rect", { x: left + k * one + inset, y: top + height - tall, width: Math.max(0, one - 2 * inset),
      height: tall });
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
    plate(0, 0, 60, 18), bars(counts, most, 0, 0, 60, 17, className),
      svg("line", { x1: 0, x2: 60, y1: 17.5, y2: 17.5, class: "axis" }));
}
