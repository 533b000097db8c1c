// Elements, tables and charts, made without any markup from texts: whatever a study's names hold stays text.

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
  return number < 10000 ? String(number) : String(number).replace(/\B(?=(\d{3})+$)/g, "\u00a0");
}

/** A button */
export function button(text, onclick, attributes = {}) {
  return html("button", { type: "button", onclick, ...attributes }, text);
}

/** A choice of one of some values, below its name; `act` is called with the one that is chosen. Those that do not run
 * in the page are grey. */
export function choose(name, values, now, act, show = String, runs = () => true) {
  const option = (value) => html("option", { value, selected: value === now }, show(value));
  const here = values.filter(runs), others = values.filter((value) => !runs(value));
  const select = html("select", { class: runs(now) ? null : "grey", onchange: () => {
    const chosen = [...here, ...others][select.selectedIndex];
    select.classList.toggle("grey", !runs(chosen));
    act(chosen);
  } }, ...here.map(option));
  if (others.length) select.append(html("optgroup", { label: "only in Python", class: "grey" }, ...others.map(option)));
  return html("label", {}, html("span", {}, name), select);
}

const MOVES = { ArrowLeft: ["Cr", -1], ArrowRight: ["Cr", 1], ArrowUp: ["F", 1], ArrowDown: ["F", -1] };

/** Arrows move through cells, F upward and Cr to the right: move("F", 1); Enter opens one */
export function onKeys(element, move, open) {
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && !MOVES[event.key]) return;
    event.preventDefault(); // else Enter presses the drawer's button, which has the focus then
    if (MOVES[event.key]) move(...MOVES[event.key]);
    else open();
  });
}

/** A table: names of columns, if it has any, and rows whose first entry names them; entries are texts or elements */
export function tableOf(columns, rows, attributes = {}) {
  const head = html("thead", {}, html("tr", {}, ...columns.map((name) => html("th", { scope: "col" }, name))));
  return html("table", attributes, columns.length ? head : null, html("tbody", {}, ...rows.map(([name, ...entries]) =>
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
  const styled = (name, value, element) => { element.style[name] = value; return element; };
  const steps = Array.from({ length: 64 }, (_, k) => styled("background", colourAt((k + 0.5) / 64), html("span")));
  const ticks = SCALE_TICKS.map((tick) => styled("left", `${100 * onScale(tick)}%`,
    html("span", { class: [0.001, 0.999].includes(tick) ? "minor" : "" }, String(tick))));
  return html("div", { class: "scale", role: "img", "aria-label": "colours of the median POIS, from 0 to 1" },
    html("div", { class: "scale-colours" }, ...steps), html("div", { class: "scale-ticks" }, ...ticks),
    html("p", {}, text));
}

// Charts. A plot has its left, top, width and height in a picture.

/** The class of CSS that colours the bars of a distribution as the paper does */
export function barClass(name) {
  return Object.hasOwn(CLASS_COLOURS, name) ? `bar-${name}` : "bar-violet";
}

/** A text of a picture; with `anchor` "start", "middle" or "end" at x */
export function tick(x, y, text, anchor = "middle", attributes = {}) {
  return svg("text", { x, y, class: "tick", "text-anchor": anchor, ...attributes }, String(text));
}

const line = (x1, x2, y1, y2) => svg("line", { x1, x2, y1, y2, class: "axis" });

/** The ground of a plot: light also in the dark, where the paper's colours would not be seen */
export function plate({ left: x, top: y, width, height }) {
  return svg("rect", { x, y, width, height, class: "plate" });
}

/** A plot's axes: POIS from 0 to 1 below, counts up to `most` at the left */
export function plotAxes({ left, top, width, height }, most, title) {
  const below = top + height, step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((s) => most / s <= 5) ?? most;
  const counts = Array.from({ length: Math.floor(most / step) + 1 }, (_, k) => k * step);
  return svg("g", {}, line(left, left + width, below, below), line(left, left, top, below),
    ...[0, 0.2, 0.4, 0.6, 0.8, 1].map((pois) => [left + pois * width, pois]).flatMap(([x, pois]) =>
      [line(x, x, below, below + 4), tick(x, below + 17, pois)]),
    ...counts.map((count) => [below - (count / most) * height, count]).flatMap(([y, count]) =>
      [line(left - 4, left, y, y), tick(left - 7, y + 4, count, "end")]),
    tick(left + width / 2, below + 34, title));
}

/** Bars of ten counts; `most` is the full height, `inset` the space at both sides of a bar */
export function bars({ left, top, width, height }, counts, most, className, inset = 1) {
  const one = width / counts.length;
  return svg("g", { class: className }, ...counts.map((count, k) => {
    const tall = Math.min(1, count / most) * height;
    return svg("rect", { x: left + k * one + inset, y: top + height - tall, width: one - 2 * inset, height: tall });
  }));
}

/** A dashed line at a POIS, with its name; none at NaN */
export function markLine({ left, top, width, height }, pois, name) {
  if (Number.isNaN(pois)) return null;
  const x = left + pois * width, [anchor, beside] = pois > 0.5 ? ["end", -5] : ["start", 5];
  return svg("g", { class: "mark" }, svg("line", { x1: x, x2: x, y1: top - 16, y2: top + height }),
    svg("text", { x: x + beside, y: top - 8, "text-anchor": anchor }, name));
}
