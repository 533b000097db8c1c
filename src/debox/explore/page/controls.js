// The controls of the live view.

import { shortName } from "./address.js";
import { html, spaced } from "./dom.js";
import { LIMITS, OPERATORS } from "./limits.js";

const BUDGETS = [1000, 3000, 10000, 30000, 100000, 300000, 1000000];
export const SLIDERS = { F: 0.01, Cr: 0.01, N: 1, n: 1 };
const MEANING = { F: "F, scale factor", Cr: "Cr, crossover rate", N: "N, population size", n: "n, dimension" };

/** A slider for a number, with its limits */
export function slider(name, config, change, commit) {
  const [least, most] = LIMITS[name], shown = html("output", {}, String(config[name]));
  const input = html("input", { type: "range", min: name === "F" ? 0.01 : least, max: most, step: SLIDERS[name], value: config[name], "aria-label": MEANING[name],
    "aria-valuetext": String(config[name]), oninput: () => { label.show(input.value); change({ [name]: Number(input.value) }); }, onchange: commit });
  const label = html("label", { class: "slider" }, html("span", {}, MEANING[name]), input, shown,
    html("small", {}, `${name === "F" ? "0.01" : least} to ${most}`));
  label.show = (value) => {
    input.value = value;
    shown.textContent = String(value); // the number itself, which may lie beyond the slider's limits
    input.setAttribute("aria-valuetext", String(value));
  };
  return label;
}

/** A slider for the budget, over round numbers */
export function budgetSlider(config, change, commit) {
  const all = [...new Set([...BUDGETS, config.budget])].sort((a, b) => a - b), shown = html("output", {}, spaced(config.budget));
  const input = html("input", { type: "range", min: 0, max: all.length - 1, step: 1, value: all.indexOf(config.budget), "aria-label": "budget",
    "aria-valuetext": `${config.budget} evaluations`,
    oninput: () => {
      const budget = all[Number(input.value)];
      shown.textContent = spaced(budget);
      input.setAttribute("aria-valuetext", `${budget} evaluations`);
      change({ budget });
    }, onchange: commit });
  return html("label", { class: "slider" }, html("span", {}, "budget"), input, shown, html("small", {}, "1000 to 1 000 000 evaluations"));
}

const HERE = { ...OPERATORS, adaptation: { fixed: "F and Cr stay what they are" } }; // what the page runs; its engine knows no adaptation

/** Is this an operator that the page has? */
export function isHere(slot, name) {
  return Object.hasOwn(HERE[slot], name);
}

/** A choice of an operator; those that the page cannot run are grey, and choosing one shows the command that does */
export function choice(slot, config, study, change) {
  const stored = [...(study.axes[slot] ?? []), ...Object.keys(study.operators[slot]), config[slot]].filter((name) => !isHere(slot, name));
  const option = (name) => html("option", { value: name, selected: name === config[slot] }, shortName(name));
  const others = stored.length && html("optgroup", { label: "only in Python", class: "grey" }, ...[...new Set(stored)].map(option));
  return html("label", {}, html("span", {}, slot),
    html("select", { class: isHere(slot, config[slot]) ? null : "grey", onchange: ({ target }) => {
      target.classList.toggle("grey", !isHere(slot, target.value));
      change({ [slot]: target.value });
    } },
      ...Object.keys(HERE[slot]).map(option), others || ""));
}
