// Elements of the page, made without any markup from texts: whatever a study's names hold stays text.

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
