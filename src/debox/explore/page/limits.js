// What the page runs: the operators that it has, and numbers within what a browser does in reasonable time.

import { CROSSOVERS } from "./crossover.js";
import { DONORS, MUTATIONS, smallestPopulation } from "./mutation.js";
import { STRATEGIES } from "./strategies.js";

export const LIMITS = { N: [2, 200], F: [0, 2], Cr: [0, 1], n: [1, 100], budget: [2, 1000000] }; // least and most
export const OPERATORS = { mutation: MUTATIONS, crossover: CROSSOVERS, strategy: STRATEGIES, donors: DONORS };

/** The configuration with its defaults; an error names what is not allowed and what is */
export function checked(configuration) {
  const found = { donors: "distinct", reevaluate: true, n: 30, budget: 300000, ...configuration };
  for (const [slot, table] of Object.entries(OPERATORS)) {
    if (Object.hasOwn(table, found[slot])) continue;
    throw new RangeError(`${slot} must be one of ${Object.keys(table).join(", ")}, got ${found[slot]}`);
  }
  for (const [name, [least, most]] of Object.entries(LIMITS)) {
    const value = found[name], whole = name !== "F" && name !== "Cr";
    if (value >= least && value <= most && (!whole || Number.isInteger(value)) && (name !== "F" || value > 0)) continue;
    throw new RangeError(`${name} must be ${whole ? "a whole number " : ""}from ${least} to ${most}, got ${value}`);
  }
  const fewest = smallestPopulation(found.mutation, found.donors);
  if (found.N < fewest) throw new RangeError(`N must be at least ${fewest} for ${found.mutation}, got ${found.N}`);
  if (found.budget < found.N) throw new RangeError(`budget must be at least N = ${found.N}, got ${found.budget}`);
  return found;
}
