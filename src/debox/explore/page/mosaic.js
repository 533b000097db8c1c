// Where the cells of the atlas lie: mini-grids in rows and columns.

const COLUMN_FACTORS = ["mutation", "N"], ROW_FACTORS = ["crossover", "adaptation", "strategy"]; // of these factors those that the study has

/** Every combination of the factors' values, the last one changing first: [{ mutation, N }, ...] */
export function product(axes, factors) {
  const there = factors.filter((name) => axes[name]);
  return there.reduce((all, name) => all.flatMap((one) => axes[name].map((value) => ({ ...one, [name]: value }))), [{}]);
}

/** The name of the rows that stand together: exp, or exp, SHADE */
export function groupName({ crossover, adaptation }) {
  return adaptation ? `${crossover}, ${adaptation}` : crossover;
}

/** Where everything lies for a width and a height that it should keep to, in pixels, and exceeds if cells would be too
 * small: columns are mutation and N, rows crossover, adaptation (if there are several) and strategy */
export function layoutAtlas(axes, width, room = Infinity) {
  const columns = product(axes, COLUMN_FACTORS), rows = product(axes, ROW_FACTORS);
  const narrow = width < 700, left = (narrow ? 30 : 56) + (axes.adaptation ? (narrow ? 12 : 18) : 0), top = 44, gap = narrow ? 2 : 5, between = narrow ? 5 : 12;
  const gaps = (all, group) => all.map((one, k) => (k === 0 ? 0 : group(one) === group(all[k - 1]) ? gap : between));
  const across = gaps(columns, ({ mutation }) => mutation), down = gaps(rows, groupName), sum = (a, b) => a + b;
  const free = width - left - 2 - across.reduce(sum, 0);
  const whole = (size) => Math.floor(size * devicePixelRatio) / devicePixelRatio; // sharp edges
  const cellWidth = whole(Math.min(40, Math.max(2, free / (columns.length * axes.Cr.length))));
  const fits = (room - top - down.reduce(sum, 0)) / (rows.length * axes.F.length);
  const cellHeight = whole(Math.min(36, Math.max(narrow ? 4 : 5, cellWidth / 4, Math.min(cellWidth, fits))));
  const place = (spaces, size, start) => spaces.map((_, k) => start + k * size + spaces.slice(0, k + 1).reduce(sum, 0));
  const gridWidth = cellWidth * axes.Cr.length, gridHeight = cellHeight * axes.F.length;
  const needed = left + 2 + across.reduce(sum, 0) + columns.length * gridWidth;
  const lefts = place(across, gridWidth, left), tops = place(down, gridHeight, top);
  const height = (tops.at(-1) ?? 0) + gridHeight + 4;
  return { axes, columns, rows, cellWidth, cellHeight, gridWidth, gridHeight, lefts, tops, width: Math.max(width, needed), height, left, top };
}

/** The values of the factors at a point of the picture; null between the grids */
export function valuesAt(layout, x, y) {
  const { axes, columns, rows, cellWidth, cellHeight, gridWidth, gridHeight, lefts, tops } = layout;
  const column = lefts.findIndex((left) => x >= left && x < left + gridWidth);
  const row = tops.findIndex((top) => y >= top && y < top + gridHeight);
  if (column < 0 || row < 0) return null;
  const Cr = axes.Cr[Math.floor((x - lefts[column]) / cellWidth)];
  const F = axes.F[axes.F.length - 1 - Math.floor((y - tops[row]) / cellHeight)];
  return { ...columns[column], ...rows[row], F, Cr };
}

/** The corner of a cell in the picture */
export function placeOf(layout, values) {
  const { axes, columns, rows, cellWidth, cellHeight, lefts, tops } = layout;
  const column = columns.findIndex((one) => one.mutation === values.mutation && one.N === values.N);
  const row = rows.findIndex((one) => Object.keys(one).every((name) => one[name] === values[name]));
  if (column < 0 || row < 0) return null;
  const up = axes.F.length - 1 - axes.F.indexOf(values.F);
  return { x: lefts[column] + axes.Cr.indexOf(values.Cr) * cellWidth, y: tops[row] + up * cellHeight };
}

/** The values of the cell beside: past the end of a grid comes the next grid */
export function step(axes, values, name, by) {
  const place = axes[name].indexOf(values[name]) + by;
  if (place >= 0 && place < axes[name].length) return { ...values, [name]: axes[name][place] };
  const order = product(axes, name === "Cr" ? COLUMN_FACTORS : ROW_FACTORS), direction = name === "Cr" ? by : -by;
  const now = order.findIndex((one) => Object.keys(one).every((factor) => one[factor] === values[factor])) + direction;
  if (now < 0 || now >= order.length) return values;
  const end = by > 0 ? axes[name][0] : axes[name].at(-1);
  return { ...values, ...order[now], [name]: end };
}
