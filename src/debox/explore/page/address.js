// What is shown is in the address: #live?c=DE/rand/1/exp+sat&N=5&F=0.7&Cr=0.99

const NAMES = ["cell", "p", "c", "N", "F", "Cr", "n", "budget", "donors", "adaptation", "mutation", "crossover",
  "strategy", "on", "speed", "seed"];
const MOST_VALUES = 8, LONGEST_VALUE = 4000, LONGEST_VARIANT = 200; // of a name; in letters
const SHORT = new Map(); // of debox's operators, those that the page does not run included

/** Learn the short names of operators: { strategy: { mirror: { short: "mirr" } } } */
export function learnNames(operators) {
  for (const slot of Object.values(operators)) {
    for (const [name, { short }] of Object.entries(slot)) SHORT.set(name, short);
  }
}

/** The view and its parameters, in an address' part from # on; only names that the page knows, and only some values */
export function parseAddress(hash) {
  const [view, query = ""] = hash.replace(/^#/, "").split("?");
  const all = new URLSearchParams(query), params = new URLSearchParams();
  for (const name of NAMES) {
    const values = all.getAll(name).slice(0, MOST_VALUES);
    for (const value of values) if (value && value.length <= LONGEST_VALUE) params.append(name, value);
  }
  return { view: view || "atlas", params };
}

/** The part of an address from # on; parameters without a value are left out */
export function formatAddress(view, params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "") query.append(name, one);
    }
  }
  const text = query.toString().replaceAll("%2F", "/").replaceAll("%2C", ",");
  return `#${view}${text ? `?${text}` : ""}`;
}

/** The short name that the paper uses, of an operator that is known here */
export function shortName(name) {
  return SHORT.get(name) ?? name;
}

/** DE/rand/1/exp sat, or DE/rand/1/exp sat SHADE where runs have several adaptations */
export function variantName({ mutation, crossover, strategy, adaptation }) {
  return `DE/${shortName(mutation)}/${crossover} ${shortName(strategy)}${adaptation ? ` ${adaptation}` : ""}`;
}

/** DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99 */
export function configName(config) {
  return `${variantName(config)}, N=${config.N}, F=${config.F}, Cr=${config.Cr}`;
}

/** The operators that a text such as DE/rand/1/exp sat or DE/rand/1/exp sat SHADE names; null if it does not read so */
export function parseVariant(text, known = {}) {
  const match = (text ?? "").length <= LONGEST_VARIANT && /^DE\/(.+)\/([^/ ]+) ([^ ]+)(?: ([^ ]+))?$/.exec(text ?? "");
  if (!match) return null;
  const long = (name, names) => names.find((one) => one === name || shortName(one) === name) ?? name;
  return {
    mutation: long(match[1], [...(known.mutation ?? []), ...SHORT.keys()]),
    crossover: match[2],
    strategy: long(match[3], [...(known.strategy ?? []), ...SHORT.keys()]),
    ...(match[4] && { adaptation: match[4] }),
  };
}

/** A number of the address within limits, the default if there is none; any other text is told to `refuse` */
export function numberIn(params, name, otherwise, [least, most], refuse = () => {}) {
  const text = params.get(name) ?? "", value = Number(text);
  if (text.trim() === "") return otherwise;
  if (Number.isFinite(value) && value >= least && value <= most) return value;
  refuse(`${name}=${text}`);
  return otherwise;
}

/** The same for a whole number */
export function wholeIn(params, name, otherwise, limits, refuse = () => {}) {
  const value = numberIn(params, name, otherwise, limits, refuse);
  if (Number.isSafeInteger(value)) return value;
  refuse(`${name}=${value}`);
  return otherwise;
}

/** The address' text for a cell: DE/rand/1/exp sat,5,0.7,0.99 */
export function cellText({ N, F, Cr, ...variant }) {
  return [variantName(variant), N, F, Cr].join(",");
}

/** The cell that an address names, by its configuration or its number; -1 if it is not of the study */
export function cellNamed(study, text) {
  if (/^\d{1,9}$/.test(text)) return Number(text) < study.cells ? Number(text) : -1;
  const match = /^(.{1,200}),([\d.e-]+),([\d.e-]+),([\d.e-]+)$/.exec(text),
    variant = match && parseVariant(match[1], study.axes);
  return variant ? study.cellOf({ ...variant, N: Number(match[2]), F: Number(match[3]), Cr: Number(match[4]) }) : -1;
}
