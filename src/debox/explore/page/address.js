// What is shown is in the address: #live?c=DE/rand/1/exp+sat&N=5&F=0.7&Cr=0.99

const LONGEST_VARIANT = 200; // letters
const SHORT = new Map(); // of debox's operators, those that the page does not run included

/** Learn the short names of operators: { strategy: { mirror: { short: "mirr" } } } */
export function learnNames(operators) {
  for (const slot of Object.values(operators)) {
    for (const [name, { short }] of Object.entries(slot)) SHORT.set(name, short);
  }
}

/** The view and its parameters, in an address' part from # on; an empty value is as good as none */
export function parseAddress(hash) {
  const [view, query] = hash.replace(/^#/, "").split("?"), pairs = [...new URLSearchParams(query)];
  return { view: view || "atlas", params: new URLSearchParams(pairs.filter(([, value]) => value)) };
}

/** The part of an address from # on; parameters without a value are left out, a list is one for each of its values */
export function formatAddress(view, params = {}) {
  const pairs = params instanceof URLSearchParams ? [...params]
    : Object.entries(params).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  const query = new URLSearchParams(pairs.filter(([, value]) => ![null, undefined, ""].includes(value)));
  const text = query.toString().replaceAll("%2F", "/").replaceAll("%2C", ",");
  return `#${view}${text ? `?${text}` : ""}`;
}

/** The short name that the paper uses, of an operator that is known here; numbers as they are */
export function shortName(name) {
  return SHORT.get(name) ?? String(name);
}

/** DE/rand/1/exp sat, or DE/rand/1/exp sat SHADE where runs have several adaptations */
export function variantName({ mutation, crossover, strategy, adaptation }) {
  return `DE/${shortName(mutation)}/${crossover} ${shortName(strategy)}${adaptation ? ` ${adaptation}` : ""}`;
}

/** DE/rand/1/exp sat, N=5 */
export function panelName(panel) {
  return `${variantName(panel)}, N=${panel.N}`;
}

/** DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99 */
export function configName(config) {
  return `${panelName(config)}, F=${config.F}, Cr=${config.Cr}`;
}

/** The address' text for a panel: DE/rand/1/exp sat,5 */
export function panelText(panel) {
  return `${variantName(panel)},${panel.N}`;
}

/** The address' text for a cell: DE/rand/1/exp sat,5,0.7,0.99 */
export function cellText(values) {
  return `${panelText(values)},${values.F},${values.Cr}`;
}

/** The operators that a text such as DE/rand/1/exp sat or DE/rand/1/exp sat SHADE names; null if it does not read so */
export function parseVariant(text, known = {}) {
  const match = (text ?? "").length <= LONGEST_VARIANT && /^DE\/(.+)\/([^/ ]+) ([^ ]+)(?: ([^ ]+))?$/.exec(text ?? "");
  if (!match) return null;
  const [, mutation, crossover, strategy, adaptation] = match;
  const long = (name, slot) =>
    [...(known[slot] ?? []), ...SHORT.keys()].find((one) => one === name || shortName(one) === name) ?? name;
  return { mutation: long(mutation, "mutation"), crossover, strategy: long(strategy, "strategy"),
    ...(adaptation && { adaptation }) };
}

/** The panel that an address names; null if it does not read so */
export function parsePanel(text, known) {
  const [, variant, N] = /^(.{1,200}),([\d.e-]+)$/.exec(text) ?? [], operators = parseVariant(variant, known);
  return operators && { ...operators, N: Number(N) };
}

/** The cell that an address names, by its configuration or its number; -1 if it is not of the study */
export function cellNamed(study, text) {
  if (/^\d{1,9}$/.test(text)) return Number(text) < study.cells ? Number(text) : -1;
  const [, panel, F, Cr] = /^(.{1,300}),([\d.e-]+),([\d.e-]+)$/.exec(text) ?? [];
  const values = parsePanel(panel ?? "", study.axes);
  return values ? study.cellOf({ ...values, F: Number(F), Cr: Number(Cr) }) : -1;
}

/** A number of the address within limits, the default if there is none; any other text is told to `refuse` */
export function numberIn(params, name, otherwise, [least, most], refuse, isRight = Number.isFinite) {
  const text = params.get(name) ?? "", value = Number(text);
  if (text.trim() === "") return otherwise;
  if (isRight(value) && value >= least && value <= most) return value;
  refuse(`${name}=${text}`);
  return otherwise;
}
