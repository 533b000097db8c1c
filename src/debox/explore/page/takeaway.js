// Files that a reader takes away: runs as CSV, pictures as SVG and PNG.

import { download, html } from "./dom.js";

/** All runs of a cell as a table in text, with infeasible trials up to each mark */
export function csvOf(study, cell) {
  const values = study.valuesOf(cell), fixed = Object.values(values).join(",");
  const head = [...Object.keys(values), "row", ...study.marks.map((mark) => `infeasible_at_${mark}`), "pois"].join(",");
  const pois = study.pois(cell);
  return [head, ...Array.from(pois, (value, run) =>
    [fixed, run, ...study.marks.map((_, k) => study.infeasible(cell, k)[run]), value].join(","))].join("\n") + "\n";
}

/** The picture as a file of its own, with the colours that the page gives it */
export function standalone(drawn) {
  const copy = drawn.cloneNode(true), sources = [...drawn.querySelectorAll("*")];
  [...copy.querySelectorAll("*")].forEach((element, k) => {
    const style = getComputedStyle(sources[k]);
    for (const name of ["fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "font-size", "font-family", "text-anchor"]) {
      element.setAttribute(name, style.getPropertyValue(name));
    }
    element.removeAttribute("class");
  });
  const [, , width, height] = drawn.getAttribute("viewBox").split(" ");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return new XMLSerializer().serializeToString(copy);
}

/** The picture as a PNG file */
export function savePng(drawn, name) {
  const image = new Image(), address = URL.createObjectURL(new Blob([standalone(drawn)], { type: "image/svg+xml" }));
  image.onload = () => {
    const canvas = html("canvas", { width: image.width * 3, height: image.height * 3 }), context = canvas.getContext("2d");
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => download(name, blob));
    URL.revokeObjectURL(address);
  };
  image.src = address;
}
