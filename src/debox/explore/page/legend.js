// The colours of the median POIS, and what they stand for.

import { html } from "./dom.js";
import { SCALE_TICKS, colourAt, onScale } from "./scale.js";

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
