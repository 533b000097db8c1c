// What is shown is in the address: #live?c=DE/rand/1/exp+sat&N=5&F=0.7&Cr=0.99

const SHORT = new Map(); // of debox's operators, those that the page does not run included

/** Learn the short names of operators: { strategy: { mirror: "mirr" } } */
export function learnNames(operators) {
  for (const names of Object.values(operators)) for (const [name, short] of Object.entries(names)) SHORT.set(name, short);
}

/** The view and its parameters, in an address' part from # on */
export function parseAddress(hash) {
  const [view, query = ""] = hash.replace(/^#/, "").split("?");
  return { view: view || "atlas", params: new URLSearchParams(query) };
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

/** DE/rand/1/exp sat */
export function variantName({ mutation, crossover, strategy }) {
  return `DE/${shortName(mutation)}/${crossover} ${shortName(strategy)}`;
}

/** DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99 */
export function configName(config) {
  return `${variantName(config)}, N=${config.N}, F=${config.F}, Cr=${config.Cr}`;
}

/** Mutation, crossover and strategy of a text such as DE/rand/1/exp sat; null if it does not read so */
export function parseVariant(text, known = {}) {
  const match = /^DE\/(.+)\/([^/ ]+) (.+)$/.exec(text ?? "");
  if (!match) return null;
  const long = (name, names) => names.find((one) => one === name || shortName(one) === name) ?? name;
  return {
    mutation: long(match[1], [...(known.mutation ?? []), ...SHORT.keys()]),
    crossover: match[2],
    strategy: long(match[3], [...(known.strategy ?? []), ...SHORT.keys()]),
  };
}

/** A number of the address within limits; the default if there is none */
export function numberIn(params, name, otherwise, [least, most]) {
  const value = Number(params.get(name) ?? NaN);
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise;
}
