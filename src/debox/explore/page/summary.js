// The runs of one configuration in few numbers, by the rules of the figures: src/debox/edpois.py, analysis/summary.py.

const CAMP_SHARE = 1 / 5, CAMP_RUNS = 5, GAP = 0.1, GAP_OF_RANGE = 1 / 3;

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

/** teal: all runs within 0.001 of 0, or all of 1; orange: all at 0.001 to 0.01 from it; else violet */
export function colourClass(pois) {
  let low = Infinity, high = -Infinity;
  for (const value of pois) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  for (const [name, near, far] of [["teal", 0, 0.001], ["orange", 0.001, 0.01]]) {
    if ((near <= low && high <= far) || (1 - far <= low && high <= 1 - near)) return name;
  }
  return "violet";
}

/** A quantile of sorted numbers, linear between them, rounded as NumPy rounds it */
export function quantile(sorted, q) {
  const place = (sorted.length - 1) * q, below = Math.floor(place), t = place - below;
  const a = sorted[below], b = sorted[Math.min(below + 1, sorted.length - 1)];
  return t >= 0.5 ? b - (b - a) * (1 - t) : a + (b - a) * t;
}

/** The mean of the middle one or two of sorted numbers */
export function median(sorted) {
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The medians of the two camps of a bimodal sample, sorted; empty if it is not bimodal */
export function camps(sorted) {
  const size = sorted.length, least = Math.max(CAMP_RUNS, Math.ceil(size * CAMP_SHARE));
  let split = -1, widest = -Infinity;
  for (let k = least; k <= size - least; k++) {
    if (sorted[k] - sorted[k - 1] <= widest) continue;
    widest = sorted[k] - sorted[k - 1];
    split = k;
  }
  if (split < 0 || widest < Math.max(GAP, GAP_OF_RANGE * (sorted[size - 1] - sorted[0]))) return [];
  return [median(sorted.slice(0, split)), median(sorted.slice(split))];
}

/** Median, 5 % and 95 % quantile, and the medians of two camps if there are */
export function summarise(pois) {
  const sorted = Float64Array.from(pois).sort(), runs = sorted.length;
  if (!runs) return { runs, low: NaN, median: NaN, high: NaN, camps: [] };
  const [low, middle, high] = [0.05, 0.5, 0.95].map((q) => quantile(sorted, q));
  return { runs, low, median: middle, high, camps: camps(sorted) };
}
