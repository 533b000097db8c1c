// Files that a reader takes away: runs as CSV, pictures as SVG and PNG.

import { configName } from "./address.js";
import { download, html, spaced, svg } from "./dom.js";

const STYLES = ["fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "font-size", "font-weight", "font-family", "text-anchor"];
const LINE = 17, LETTERS = 54; // of a title: the height of a line, and how much it holds

/** All runs of a cell as a table in text, with infeasible trials up to each mark, and what they depend on */
export function csvOf(study, cell) {
  const donors = study.settings.donors ?? (study.settings.adaptation ? "" : "distinct");
  const { dimension, budget, seed, settings } = study, fixed = { ...study.valuesOf(cell), dimension, budget, ...settings, donors, seed };
  const counts = study.marks.map((_, k) => study.infeasible(cell, k));
  const rows = Array.from(study.pois(cell), (pois, run) => [...Object.values(fixed), run, ...counts.map((count) => count[run]), pois]);
  const head = [...Object.keys(fixed), study.numbered ? "run" : "row", ...study.marks.map((mark) => `infeasible_at_${mark}`), "pois"];
  const written = (entry) => (/[",\n]/.test(entry ?? "") ? `"${entry.replaceAll('"', '""')}"` : entry ?? "");
  return [head, ...rows].map((row) => `${row.map(written).join(",")}\n`).join("");
}

/** What a picture of a cell shows, in lines of few letters */
export function titleOf(study, cell) {
  const runs = study.pois(cell).length, settings = Object.entries(study.settings).map(([name, value]) => `${name} = ${value}`);
  const facts = [`n = ${study.dimension}`, `budget ${spaced(study.budget)}`, `${runs} run${runs === 1 ? "" : "s"}`, ...settings];
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
  const attributes = { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 ${-above} ${width} ${height + above}`, width, height: height + above };
  for (const [name, value] of Object.entries(attributes)) copy.setAttribute(name, value);
  copy.removeAttribute("class");
  copy.prepend(svg("rect", { x: 0, y: -above, width, height: height + above, fill: "#ffffff" }), ...lines.map((text, k) =>
    svg("text", { x: 8, y: LINE * (k + 1) - above, fill: "#1a1a1a", "font-family": "system-ui, sans-serif", "font-size": 13, "font-weight": k ? 400 : 600 }, text)));
  return new XMLSerializer().serializeToString(copy);
}

/** The picture as a PNG file */
export function savePng(drawn, lines, name) {
  const image = new Image(), address = URL.createObjectURL(new Blob([standalone(drawn, lines)], { type: "image/svg+xml" }));
  image.onload = () => {
    const canvas = html("canvas", { width: image.width * 3, height: image.height * 3 });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => download(name, blob));
    URL.revokeObjectURL(address);
  };
  image.src = address;
}
