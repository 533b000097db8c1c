// The picture of the atlas: cells and names, on a canvas.

import { shortName } from "./address.js";
import { themeColour } from "./dom.js";
import { groupName, placeOf } from "./mosaic.js";
import { colourOf, inkOn } from "./scale.js";

const SMALLEST_BAR = 0.1; // a smaller spread is not marked

/** As much of a text as fits a room in pixels */
export function fitting(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let kept = text.length - 1;
  while (kept > 1 && context.measureText(`${text.slice(0, kept)}…`).width > room) kept--;
  return `${text.slice(0, kept)}…`;
}

/** The names of the factors' values, above and at the left */
export function drawNames(context, layout) {
  const { columns, rows, lefts, tops, gridWidth, gridHeight } = layout, small = layout.width < 700;
  context.fillStyle = themeColour("ink");
  context.textAlign = "center";
  const middle = (places, size, all, group, value) => {
    const mine = places.filter((_, k) => group(all[k]) === value);
    return [(mine[0] + mine.at(-1) + size) / 2, mine.at(-1) + size - mine[0] + 2];
  };
  for (const mutation of layout.axes.mutation) {
    const [x, room] = middle(lefts, gridWidth, columns, (column) => column.mutation, mutation);
    context.font = `600 ${small ? 9 : 14}px system-ui, sans-serif`;
    context.fillText(fitting(context, `${small ? "" : "DE/"}${shortName(mutation)}`, room), x, 14);
  }
  context.font = `${small ? 8 : 12}px system-ui, sans-serif`;
  columns.forEach(({ N }, k) => context.fillText(fitting(context, small ? String(N) : `N = ${N}`, gridWidth + 4), lefts[k] + gridWidth / 2, 34));
  const upright = (text, x, [y, room]) => {
    context.save();
    context.translate(x, y);
    context.rotate(-Math.PI / 2);
    context.fillText(fitting(context, text, room), 0, 0);
    context.restore();
  };
  rows.forEach(({ strategy }, k) => upright(shortName(strategy), layout.left - (small ? 5 : 8), [tops[k] + gridHeight / 2, gridHeight + 2]));
  const beside = (name, group, size, x) => { // a name for each stretch of rows of one group
    context.font = `600 ${size}px system-ui, sans-serif`;
    for (const row of rows.filter((one, k) => k === 0 || group(one) !== group(rows[k - 1]))) {
      upright(row[name], layout.left - x, middle(tops, gridHeight, rows, group, group(row)));
    }
  };
  if (layout.axes.adaptation) beside("adaptation", groupName, small ? 9 : 12, small ? 17 : 28);
  beside("crossover", ({ crossover }) => crossover, small ? 10 : 14, layout.left - (small ? 11 : 22));
}

/** A coloured cell for each configuration */
export function drawCells(context, layout, study) {
  const { cellWidth, cellHeight, axes } = layout;
  for (const column of layout.columns) for (const row of layout.rows) for (const F of axes.F) for (const Cr of axes.Cr) {
    const values = { ...column, ...row, F, Cr }, found = study.summary(study.cellOf(values));
    const { x, y } = placeOf(layout, values), colour = colourOf(found.median);
    if (!colour) {
      context.strokeStyle = themeColour("line");
      context.strokeRect(x + 0.5, y + 0.5, cellWidth - 1, cellHeight - 1);
      continue;
    }
    context.fillStyle = colour;
    context.fillRect(x, y, cellWidth, cellHeight);
    if (cellWidth < 4) continue;
    context.fillStyle = inkOn(colour);
    const at = (pois) => y + (1 - pois) * cellHeight;
    if (found.high - found.low >= SMALLEST_BAR) {
      context.fillRect(x + cellWidth / 2 - 0.6, at(found.high), 1.2, at(found.low) - at(found.high));
    }
    for (const camp of found.camps) context.fillRect(x + cellWidth / 2 - 2, at(camp) - 0.75, 4, 1.5);
  }
}
