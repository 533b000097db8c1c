// The configuration of the live view: its address, whether the page runs it, and its controls.

import { numberIn, parseVariant, shortName, variantName, wholeIn } from "./address.js";
import { LIMITS, avoidedBy } from "./core.js";
import { html, spaced } from "./dom.js";

export const LIVE_SLOTS = ["mutation", "crossover", "strategy", "donors", "adaptation"];
const USUAL_LIVE = { mutation: "rand/1", crossover: "exp", strategy: "saturation", donors: "distinct",
  adaptation: "fixed", N: 5, F: 0.7, Cr: 0.99 };
const REACH = { N: [1, 1e6], F: [1e-6, 1e6], Cr: [0, 1], n: [1, 1e6], budget: [1, 1e12] }; // what a command may ask for

/** A stored configuration to begin with: the usual one as far as the study has it */
function firstConfig(study) {
  const { axes } = study, nearest = (name) => study.nearest(name, USUAL_LIVE[name]);
  const usual = (slot) => (!axes[slot] ? study.settings[slot] ?? USUAL_LIVE[slot]
    : axes[slot].includes(USUAL_LIVE[slot]) ? USUAL_LIVE[slot]
    : axes[slot].find((name) => isHere(study, slot, name)) ?? axes[slot][0]);
  return { ...Object.fromEntries(LIVE_SLOTS.map((slot) => [slot, usual(slot)])), N: nearest("N"), F: nearest("F"),
    Cr: nearest("Cr"),
    n: study.dimension, budget: study.budget };
}

/** Is this an operator that the study, debox or the page has? */
function isKnown(study, slot, name) {
  return (study.axes[slot] ?? []).includes(name) || Object.hasOwn(study.operators[slot], name)
    || name === study.settings[slot];
}

/** The configuration that the address names, the usual for what it leaves out; `refuse` gets what cannot be read */
export function liveConfig(study, params, refuse = () => {}) {
  const config = firstConfig(study), text = params.get("c"), variant = parseVariant(text, study.axes);
  if (variant && Object.entries(variant).every(([slot, name]) => isKnown(study, slot, name))) Object.assign(config,
    variant);
  else if (text) refuse(`c=${text}`);
  for (const slot of ["donors", "adaptation"]) {
    const name = params.get(slot);
    if (name && isKnown(study, slot, name)) config[slot] = name;
    else if (name) refuse(`${slot}=${name}`);
  }
  for (const name of ["F", "Cr"]) config[name] = numberIn(params, name, config[name], REACH[name], refuse);
  for (const name of ["N", "n", "budget"]) config[name] = wholeIn(params, name, config[name], REACH[name], refuse);
  return config;
}

/** The parameters of the address for a configuration */
export function liveParams({ donors, adaptation, F, Cr, N, n, budget, ...variant }, study) {
  const first = firstConfig(study), other = (name, value) => (value === first[name] ? "" : value);
  return { c: variantName(variant), N, F, Cr, n: other("n", n), budget: other("budget", budget),
    donors: other("donors", donors),
    adaptation: other("adaptation", adaptation) };
}

/** Why no engine runs a configuration: too few individuals or evaluations; "" if some engine may */
export function impossible({ operators }, { mutation, donors, N, budget }) {
  const known = operators.mutation[mutation] && operators.donors[donors];
  const fewest = known ? operators.mutation[mutation].donors + avoidedBy(operators, { mutation, donors }).length
    : LIMITS.N[0];
  if (N < fewest) return `N must be at least ${fewest} for ${mutation}, got ${N}`;
  return budget < N ? `budget must be at least N = ${N}, got ${budget}` : "";
}

/** Why the page itself does not run a configuration that debox may run; "" if it does */
export function onlyInPython(study, config) {
  const missing = LIVE_SLOTS.map((slot) => config[slot] ?? USUAL_LIVE[slot]).filter((name, k) =>
    !isHere(study, LIVE_SLOTS[k], name));
  const beyond = Object.entries(LIMITS).filter(([name, [least, most]]) => config[name] < least || config[name] > most);
  const what = [...missing, ...beyond.map(([name]) => `${name}=${config[name]}`)],
    limits = beyond.map(([name, [least, most]]) => ` (${name} from ${least} to ${most})`);
  return what.length ? `${what.join(" and ")} ${what.length > 1 ? "run"
    : "runs"} in Python, not in this page${limits.join("")}` : "";
}

const BUDGETS = [1000, 3000, 10000, 30000, 100000, 300000, 1000000];
export const SLIDERS = { F: 0.01, Cr: 0.01, N: 1, n: 1 };
const MEANING = { F: "F, scale factor", Cr: "Cr, crossover rate", N: "N, population size", n: "n, dimension" };

/** A slider for a number, with its limits */
export function slider(name, config, change, commit) {
  const [least, most] = LIMITS[name], shown = html("output", {}, String(config[name]));
  const input = html("input", { type: "range", min: name === "F" ? 0.01 : least, max: most, step: SLIDERS[name],
    value: config[name], "aria-label": MEANING[name],
    "aria-valuetext": String(config[name]), oninput: () =>
      { label.show(input.value); change({ [name]: Number(input.value) }); }, onchange: commit });
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
  const all = [...new Set([...BUDGETS, config.budget])].sort((a, b) => a - b),
    shown = html("output", {}, spaced(config.budget));
  const input = html("input", { type: "range", min: 0, max: all.length - 1, step: 1,
    value: all.indexOf(config.budget), "aria-label": "budget",
    "aria-valuetext": `${config.budget} evaluations`,
    oninput: () => {
      const budget = all[Number(input.value)];
      shown.textContent = spaced(budget);
      input.setAttribute("aria-valuetext", `${budget} evaluations`);
      change({ budget });
    }, onchange: commit });
  return html("label", { class: "slider" }, html("span", {}, "budget"), input, shown,
    html("small", {}, "1000 to 1 000 000 evaluations"));
}

/** Is this an operator that the page runs? */
export function isHere({ operators }, slot, name) {
  return Object.hasOwn(operators[slot], name) && operators[slot][name].here;
}

/** A choice of an operator; those that the page cannot run are grey, and choosing one shows the command that does */
export function choice(slot, config, study, change) {
  const all = [...new Set([...Object.keys(study.operators[slot]), ...(study.axes[slot] ?? []), config[slot]])];
  const [here, elsewhere] = [true, false].map((wanted) => all.filter((name) => isHere(study, slot, name) === wanted));
  const option = (name) => html("option", { value: name, selected: name === config[slot] }, shortName(name));
  const others = elsewhere.length && html("optgroup", { label: "only in Python", class: "grey" },
    ...elsewhere.map(option));
  return html("label", {}, html("span", {}, slot),
    html("select", { class: here.includes(config[slot]) ? null : "grey", onchange: ({ target }) => {
      target.classList.toggle("grey", !here.includes(target.value));
      change({ [slot]: target.value });
    } }, ...here.map(option), others || ""));
}
