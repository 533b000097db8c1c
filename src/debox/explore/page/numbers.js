// Numbers of POIS: summaries and colours by the rules of the figures, and the exact chance of generation 1.

import { avoidedBy, weightsOf } from "./core.js";

/** Runs per tenth of POIS: [0, 0.1], (0.1, 0.2], ..., (0.9, 1] */
export function histogram(pois) {
  const bins = new Array(10).fill(0);
  for (const value of pois) {
    let bin = 0;
    while (bin < 9 && value > (bin + 1) / 10) bin++;
    bins[bin]++;
  }
  return bins;
}

/** Numbers in rising order */
export function sorted(numbers) {
  return Float64Array.from(numbers).sort();
}

/** teal: all runs within 0.001 of 0, or all of 1; orange: all at 0.001 to 0.01 from it; else violet */
export function colourClass(pois) {
  const rising = sorted(pois), low = rising[0], high = rising.at(-1);
  for (const [name, near, far] of [["teal", 0, 0.001], ["orange", 0.001, 0.01]]) {
    if ((near <= low && high <= far) || (1 - far <= low && high <= 1 - near)) return name;
  }
  return "violet";
}

/** A quantile of numbers in rising order, linear between them, rounded as NumPy rounds it; NaN of none */
export function quantile(rising, q) {
  const place = (rising.length - 1) * q, below = Math.floor(place), t = place - below;
  const a = rising[below], b = rising[Math.min(below + 1, rising.length - 1)];
  return t >= 0.5 ? b - (b - a) * (1 - t) : a + (b - a) * t;
}

/** Median, 5 % and 95 % quantile */
export function summarise(pois) {
  const rising = sorted(pois), [low, median, high] = [0.05, 0.5, 0.95].map((q) => quantile(rising, q));
  return { runs: pois.length, low, median, high };
}

// viridis in 256 steps of red, green and blue: perceptually uniform, safe for the colour-blind, works in grey.
const VIRIDIS = atob(
  "RAFURAJWRQRXRQVZRgdaRghcRgpdRgteRw1gRw5hRxBjRxFkRxNlSBRnSBZoSBdpSBhqSBpsSBttSBxuSB1vSB9wSCBxSCFzSCN0SCR1SCV2SCZ3" +
  "SCh4SCl5Ryp6Ryx6Ry17Ry58Ry99RjB+RjJ+RjN/RjSARTWBRTeBRTiCRDmDRDqDRDuEQz2EQz6FQj+FQkCGQkGGQUKHQUSHQEWIQEaIP0eIP0iJ" +
  "PkmJPkqJPkyKPU2KPU6KPE+KPFCLO1GLO1KLOlOLOlSMOVWMOVaMOFiMOFmMN1qMN1uNNlyNNl2NNV6NNV+NNGCNNGGNM2KNM2ONMmSOMmWOMWaO" +
  "MWeOMWiOMGmOMGqOL2uOL2yOLm2OLm6OLm+OLXCOLXGOLHGOLHKOLHOOK3SOK3WOKnaOKneOKniOKXmOKXqOKXuOKHyOKH2OJ36OJ3+OJ4COJoGO" +
  "JoKOJoKOJYOOJYSOJYWOJIaOJIeOI4iOI4mOI4qNIouNIoyNIo2NIY6NIY+NIZCNIZGMIJKMIJKMIJOMH5SMH5WLH5aLH5eLH5iLH5mKH5qKHpuK" +
  "HpyJHp2JH56JH5+IH6CIH6GIH6GHH6KHIKOGIKSGIaWFIaaFIqeFIqiEI6mDJKqDJauCJayCJq2BJ62BKK6AKa9/KrB/LLF+LbJ9LrN8L7R8MbV7" +
  "MrZ6NLZ5Nbd5N7h4OLl3Orp2O7t1Pbx0P7xzQL1yQr5xRL9wRsBvSMFuSsFtTMJsTsNrUMRqUsVpVMVoVsZnWMdlWshkXMhjXsliYMpgY8tfZcte" +
  "Z8xcac1bbM1abs5YcM9Xc9BWddBUd9FTetFRfNJQf9NOgdNNhNRLhtVJidVIi9ZGjtZFkNdDk9dBldhAmNg+m9k8ndk7oNo5oto3pds2qNs0qtwy" +
  "rdwwsN0vst0ttd4ruN4put4ovd8mwN8lwt8jxeAhyOAgyuEfzeEd0OEc0uIb1eIa2OIZ2uMZ3eMY3+MY4uQY5eQZ5+QZ6uUa7OUb7+Uc8eUd9OYe" +
  "9uYg+OYh++cj/ecl",
);

const SCALE_ENDS = 3; // where POIS 1 lies on the scale; 0 lies at -3
export const SCALE_TICKS = [0, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1];
export const CLASS_COLOURS = { teal: "#63acbe", orange: "#ee442f", violet: "#601a2f" };

/** log10((p + e)/(1 - p + e))/2 + 2p - 1, e about 10^-4: half a step per decade near 0 and 1, and a wide middle */
export function logitLike(p) {
  const epsilon = 1 / (10 ** 4 - 1);
  return Math.log10((p + epsilon) / (1 - p + epsilon)) / 2 + 2 * p - 1;
}

/** Where POIS lies on the scale, from 0 to 1 */
export function onScale(p) {
  return (logitLike(p) / SCALE_ENDS + 1) / 2;
}

/** The colour at a place from 0 to 1 on the scale */
export function colourAt(place) {
  const k = Math.min(255, Math.max(0, Math.floor(place * 256))), bytes = [...VIRIDIS.slice(3 * k, 3 * k + 3)];
  return `#${bytes.map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("")}`;
}

/** The colour of a median POIS; none if there are no runs */
export function colourOf(pois) {
  return Number.isNaN(pois) ? null : colourAt(onScale(pois));
}

/** White for marks on a dark colour, black on a light one */
export function inkOn(colour) {
  const [red, green, blue] = [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 127.5 ? "#ffffff" : "#000000";
}

/** P(sum of w_j U_j outside [0, 1]) = 2/(k! prod w_j) sum over v in {0,1}^k of (-1)^|v| max(0, -w.v)^k; sum w = 1 */
export function chanceOutside(weights) {
  const terms = weights.reduce((all, w) => [...all, ...all.map(([sum, sign]) => [sum - w, -sign])], [[0, 1]]);
  const total = terms.reduce((all, [sum, sign]) => all + sign * Math.max(0, sum) ** weights.length, 0);
  return Math.max(0, weights.reduce((scaled, w, j) => scaled / ((j + 1) * w), 2 * total));
}

/** Every way to draw k donors of N, with its chance; one number stands for all that are no parents */
function* donorWays(k, N, parents, avoided) {
  if (k === 0) {
    yield [[], 1];
    return;
  }
  const left = N - avoided.length, free = [...new Set(parents)].filter((one) => !avoided.includes(one));
  const ways = [...free.map((one) => [one, 1]), [N + k, left - free.length]];
  for (const [donor, count] of ways) {
    if (count <= 0) continue;
    for (const [others, chance] of donorWays(k - 1, N, parents, [...avoided, donor])) {
      yield [[donor, ...others], (chance * count) / left];
    }
  }
}

/** For each way in which parents coincide, the chance of a component to be outside, and the chance of that way */
function componentChances(operators, config) {
  const { N, F } = config, mutation = operators.mutation[config.mutation], mixed = new Map();
  for (const [best, pBest] of [[0, 1 / N], [1, 1 - 1 / N]]) {
    const avoided = [...new Set(avoidedBy(operators, config).map((who) => (who === "target" ? 0 : best)))];
    for (const [drawn, chance] of donorWays(mutation.donors, N, [0, best], avoided)) {
      const individuals = [0, best, ...drawn], total = [];
      weightsOf(mutation, F).forEach((weight, k) => {
        if (weight) total[individuals[k]] = (total[individuals[k]] ?? 0) + weight;
      });
      const weights = total.filter((weight) => Math.abs(weight) > 1e-12).sort((a, b) => a - b);
      const key = weights.map((weight) => weight.toFixed(9)).join();
      mixed.set(key, [weights, (mixed.get(key)?.[1] ?? 0) + pBest * chance]);
    }
  }
  return [...mixed.values()].map(([weights, chance]) => [chanceOutside(weights), chance]);
}

/** bin: 1 - (1 - p)(1 - Cr p)^(n-1); exp: the sum of p q^l for l = 0..n-1, where q = Cr (1 - p) */
function trialChance(p, exchanges, Cr, n) {
  if (exchanges === "each") return 1 - (1 - p) * (1 - Cr * p) ** (n - 1);
  const q = Cr * (1 - p);
  return p * (q < 1 ? (1 - q ** n) / (1 - q) : n);
}

/** (1 - N/budget) P(a trial of generation 1 is infeasible), the POIS of a run whose population never moves
 * (docs/spec.md, section 5; f0/theory.py); NaN if an operator has no formula here */
export function exactStart(operators, config) {
  const { mutation, crossover, donors, adaptation = "fixed", N, Cr, n, budget } = config,
    exchanges = operators.crossover[crossover]?.exchanges;
  if (adaptation !== "fixed" || !operators.mutation[mutation]?.weights || !operators.donors[donors]
    || !exchanges) return NaN;
  return (1 - N / budget) * componentChances(operators, config).reduce((sum, [p, chance]) =>
    sum + chance * trialChance(p, exchanges, Cr, n), 0);
}
