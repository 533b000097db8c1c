// The configuration of the live view in the address, and whether the page runs it.

import { numberIn, parseVariant, variantName, wholeIn } from "./address.js";
import { isHere } from "./controls.js";
import { LIMITS } from "./limits.js";
import { DONORS, MUTATIONS, smallestPopulation } from "./mutation.js";

export const LIVE_SLOTS = ["mutation", "crossover", "strategy", "donors", "adaptation"];
const USUAL_LIVE = { mutation: "rand/1", crossover: "exp", strategy: "saturation", donors: "distinct", adaptation: "fixed", N: 5, F: 0.7, Cr: 0.99 };
const REACH = { N: [1, 1e6], F: [1e-6, 1e6], Cr: [0, 1], n: [1, 1e6], budget: [1, 1e12] }; // what a command may ask for

/** A stored configuration to begin with: the usual one as far as the study has it */
function firstConfig(study) {
  const { axes } = study, nearest = (name) => axes[name].reduce((a, b) => (Math.abs(b - USUAL_LIVE[name]) < Math.abs(a - USUAL_LIVE[name]) ? b : a));
  const usual = (slot) => (!axes[slot] ? study.settings[slot] ?? USUAL_LIVE[slot] : axes[slot].includes(USUAL_LIVE[slot]) ? USUAL_LIVE[slot] : axes[slot].find((name) => isHere(slot, name)) ?? axes[slot][0]);
  return { ...Object.fromEntries(LIVE_SLOTS.map((slot) => [slot, usual(slot)])), N: nearest("N"), F: nearest("F"), Cr: nearest("Cr"),
    n: study.dimension, budget: study.budget };
}

/** Is this an operator that the study, debox or the page has? */
function isKnown(study, slot, name) {
  return isHere(slot, name) || (study.axes[slot] ?? []).includes(name) || Object.hasOwn(study.operators[slot], name) || name === study.settings[slot];
}

/** The configuration that the address names, with defaults for what it leaves out; `refuse` is told what cannot be read */
export function liveConfig(study, params, refuse = () => {}) {
  const config = firstConfig(study), text = params.get("c"), variant = parseVariant(text, study.axes);
  if (variant && Object.entries(variant).every(([slot, name]) => isKnown(study, slot, name))) Object.assign(config, variant);
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
  return { c: variantName(variant), N, F, Cr, n: other("n", n), budget: other("budget", budget), donors: other("donors", donors),
    adaptation: other("adaptation", adaptation) };
}

/** Why no engine runs a configuration: too few individuals or evaluations; "" if some engine may */
export function impossible({ mutation, donors, N, budget }) {
  const known = Object.hasOwn(MUTATIONS, mutation) && Object.hasOwn(DONORS, donors);
  const fewest = known ? smallestPopulation(mutation, donors) : LIMITS.N[0];
  if (N < fewest) return `N must be at least ${fewest} for ${mutation}, got ${N}`;
  return budget < N ? `budget must be at least N = ${N}, got ${budget}` : "";
}

/** Why the page itself does not run a configuration that debox may run; "" if it does */
export function onlyInPython(config) {
  const missing = LIVE_SLOTS.map((slot) => config[slot] ?? USUAL_LIVE[slot]).filter((name, k) => !isHere(LIVE_SLOTS[k], name));
  const beyond = Object.entries(LIMITS).filter(([name, [least, most]]) => config[name] < least || config[name] > most);
  const what = [...missing, ...beyond.map(([name]) => `${name}=${config[name]}`)], limits = beyond.map(([name, [least, most]]) => ` (${name} from ${least} to ${most})`);
  return what.length ? `${what.join(" and ")} ${what.length > 1 ? "run" : "runs"} in Python, not in this page${limits.join("")}` : "";
}
