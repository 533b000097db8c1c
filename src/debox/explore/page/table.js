// Tables behind the pictures, for readers who do not see them or want the numbers.

import { html, readable } from "./dom.js";

/** A table: names of columns, and rows whose first entry names them; entries are texts or elements */
export function tableOf(columns, rows) {
  return html("table", {}, html("thead", {}, html("tr", {}, ...columns.map((name) => html("th", { scope: "col" }, name)))),
    html("tbody", {}, ...rows.map(([name, ...entries]) => html("tr", {}, html("th", { scope: "row" }, name), ...entries.map((entry) => html("td", {}, entry))))));
}

/** A table of a number for each F, downward from the largest, and Cr */
export function tableOverFCr(Fs, Crs, numberAt) {
  return tableOf(["F \\ Cr", ...Crs.map(String)], [...Fs].reverse().map((F) => [String(F), ...Crs.map((Cr) => readable(numberAt(F, Cr)))]));
}

/** A part that opens, and then has what `make` gives; `renew` gives it anew if it is open */
export function foldedTable(title, make) {
  const room = html("div", { class: "wide", tabindex: 0, role: "region", "aria-label": title }), details = html("details", {}, html("summary", {}, title), room);
  details.renew = () => { if (details.open) room.replaceChildren(...make()); };
  details.addEventListener("toggle", details.renew);
  return details;
}
