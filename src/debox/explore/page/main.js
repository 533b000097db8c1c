// The page: reads the study, shows the view that the address names, and keeps the drawer.

import { cellNamed, cellText, formatAddress, learnNames, parseAddress } from "./address.js";
import { showAtlas } from "./atlas.js";
import { settingsText, showCell } from "./cell.js";
import { Core, gunzip } from "./core.js";
import { html, refusal } from "./dom.js";
import { showInside } from "./inside.js";
import { showLive } from "./live.js";
import { showPanel } from "./panel.js";
import { StoredStudy } from "./study.js";
import { Pool, workerMaker } from "./worker.js";

const VIEWS = { atlas: showAtlas, panel: showPanel, live: showLive, inside: showInside };
// place: which element opened the drawer
const page = { study: null, core: null, pool: null, shown: null, view: "", place: -1 };
const byId = (id) => document.getElementById(id);

/** Go to a view; "push", "replace": only the address follows, as a new step of the way or not, nothing is shown anew */
function go(view, params, how = "show") {
  history[how === "replace" ? "replaceState" : "pushState"](null, "", formatAddress(view, params));
  if (how === "show") show();
}

/** Show a cell in the drawer, at the side where the reader did not point; the way back closes it */
function openCell(cell, x = 0) {
  const isOpen = !byId("drawer").hidden, { view, params } = parseAddress(location.hash);
  if (!isOpen) page.place = focusPlace();
  byId("drawer").classList.toggle("at-left", x > innerWidth / 2);
  showCell(byId("drawer"), page.study, cell, closeCell);
  params.set("cell", cellText(page.study.valuesOf(cell)));
  go(view, params, isOpen ? "replace" : "push");
}

function closeCell() {
  const { view, params } = parseAddress(location.hash);
  byId("drawer").hidden = true;
  params.delete("cell");
  go(view, params, "replace");
  focusAgain(page.place);
}

/** Show what the address names */
function show() {
  const { view, params } = parseAddress(location.hash), name = Object.hasOwn(VIEWS, view) ? view : "atlas";
  const held = byId("drawer").contains(document.activeElement) ? page.place : focusPlace();
  page.shown?.close?.();
  page.shown = VIEWS[name](byId("view"), params, { ...page, go, openCell });
  if (held >= 0 || byId("drawer").contains(document.activeElement)) focusAgain(page.view === name ? held : -1);
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  showNamedCell(params.get("cell"));
  if (page.view && page.view !== name) scrollTo(0, 0);
  page.view = name;
}

/** Show the cell that the address names in the drawer, which is closed if there is none */
function showNamedCell(text) {
  const cell = text ? cellNamed(page.study, text) : -1;
  if (cell >= 0) showCell(byId("drawer"), page.study, cell, closeCell);
  else byId("drawer").hidden = true;
  if (text && cell < 0) byId("view").querySelector("h1").after(refusal([`cell=${text}`]));
}

const USABLE = "a, button, select, input, summary, [tabindex]";

/** Which of the view's usable elements has the focus; -1 if none has */
function focusPlace() {
  return [...byId("view").querySelectorAll(USABLE)].indexOf(document.activeElement);
}

/** The element at the same place has the focus, or the view as a whole */
function focusAgain(place) {
  (byId("view").querySelectorAll(USABLE)[place] ?? byId("view")).focus({ preventScroll: true });
}

/** The button names the theme that it changes to */
function nameTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches,
    now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  byId("theme").textContent = now === "dark" ? "light" : "dark";
}

/** The same view in another theme or width */
function redraw() {
  nameTheme();
  page.shown?.redraw?.();
}

/** What was run, how this page is made, and whom to cite */
function fillFooter(study) {
  byId("study").textContent = study.caption;
  const seed = study.seed === null ? "" : `, seed ${study.seed}`,
    kept = { dimension: study.dimension, budget: study.budget, ...study.settings };
  const store = study.name === "paper" ? "" : ` STORE${settingsText(kept).replaceAll(", ", " --where ")}`;
  byId("footer").replaceChildren(
    html("p", {}, `${study.caption}${seed}. POIS is the proportion of infeasible solutions: of all evaluations of a run, `
      + "those whose trial had left the box before it was repaired."),
    html("p", {}, "This page: ", html("code", {}, `debox explore${store} -o page.html`),
      ` (debox ${study.version}). It holds all runs and asks for nothing else. Live runs debox's own core with random `
        + "numbers of the page's own: its runs have the distribution of those in Python, not the same bits."),
    html("p", {}, "Cite: Kononova, Caraffini and Bäck, Differential evolution outside the box, Inf. Sci. 581 (2021)."));
}

async function begin() {
  const [counts, core] = await Promise.all(["counts", "core"].map((id) => gunzip(byId(id).textContent)));
  const module = await WebAssembly.compile(core);
  page.study = new StoredStudy(JSON.parse(byId("header").textContent), counts);
  page.core = new Core(module);
  page.pool = new Pool(workerMaker(byId("worker").textContent, module),
    Math.min(4, Math.max(2, (navigator.hardwareConcurrency || 2) - 1)));
  learnNames(page.study.operators);
  fillFooter(page.study);
  nameTheme();
  byId("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = byId("theme").textContent;
    redraw();
  });
  addEventListener("popstate", show);
  addEventListener("keydown", (event) => { if (event.key === "Escape" && !byId("drawer").hidden) closeCell(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  show();
  let width = 0;
  new ResizeObserver(([{ contentRect }]) => {
    if (width && width !== contentRect.width) redraw();
    width = contentRect.width;
  }).observe(byId("view"));
  document.documentElement.dataset.ready = performance.now().toFixed(0); // milliseconds since the page was asked for
}

begin().catch((error) => { byId("view").replaceChildren(html("p", { id: "loading", role: "alert" },
  `This page cannot be shown: ${error.message}`)); throw error; });
