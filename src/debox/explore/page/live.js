// Live: choose a configuration and see real runs of it come in from the reader's own processor.

import { numberIn, parseVariant, variantName } from "./address.js";
import { SLIDERS, budgetSlider, choice, isHere, slider } from "./controls.js";
import { html, readable } from "./dom.js";
import { LIMITS, checked } from "./limits.js";
import { drawLive } from "./livechart.js";
import { LiveMap } from "./map.js";
import { neighbour } from "./neighbour.js";
import { copyable, measureCommand } from "./recipes.js";
import { histogram, summarise } from "./summary.js";
import { foldedTable, tableOf } from "./table.js";

const RUNS = 50, MANY_RUNS = 1000, BATCH_MILLISECONDS = 25, SLOTS = ["mutation", "crossover", "strategy", "donors"];

/** The configuration that the address names, with defaults for what it leaves out */
export function liveConfig(study, params) {
  const variant = parseVariant(params.get("c"), study.axes) ?? { mutation: "rand/1", crossover: "exp", strategy: "saturation" };
  const number = (name, otherwise) => numberIn(params, name, otherwise, LIMITS[name]);
  return { ...variant, donors: params.get("donors") ?? "distinct", F: Math.max(0.01, number("F", 0.7)), Cr: number("Cr", 0.99),
    N: Math.round(number("N", 5)), n: Math.round(number("n", 30)), budget: Math.round(number("budget", 300000)) };
}

/** The parameters of the address for a configuration */
function liveParams({ donors, F, Cr, N, n, budget, ...variant }) {
  return { c: variantName(variant), N, F, Cr, n: n === 30 ? "" : n, budget: budget === 300000 ? "" : budget,
    donors: donors === "distinct" ? "" : donors };
}

/** Batches of runs from a number on, the first of them single ones; `state.each` is the time of a run so far */
function* runJobs(config, state, from) {
  for (let first = from; first < state.wanted;) {
    const fits = state.each ? Math.round(BATCH_MILLISECONDS / state.each) : 1;
    const count = Math.max(1, Math.min(fits, state.wanted - first, 50));
    yield { config, seed: 1, first, count };
    first += count;
  }
}

/** What stands behind in grey, in words */
function behindInWords(study, behind) {
  if (!behind) return "no stored runs are comparable: the study has other settings";
  const what = behind.same ? "this configuration" : `the nearest configuration, F=${behind.values.F}, Cr=${behind.values.Cr}`;
  return `grey: ${what}, stored, ${study.pois(behind.cell).length} runs`;
}

/** Rows of the table of runs in each tenth of POIS */
function tenths(pois, behind, study) {
  const ours = histogram(pois), stored = behind ? histogram(study.pois(behind.cell)) : [];
  return ours.map((count, k) => [`${k ? "over " : ""}${k / 10} to ${(k + 1) / 10}`, String(count), String(stored[k] ?? "–")]);
}

/** Show the live view in an element */
export function showLive(root, params, { study, pool, go }) {
  let config = liveConfig(study, params), state = null, pois = [], closed = false;
  const status = html("h2", { class: "status", "aria-live": "polite" }), figure = html("div", { class: "figure" }), note = html("div", {});
  const grey = html("p", { class: "soft" }), numbers = html("p", { class: "readout" }), map = new LiveMap(study, (F, Cr) => update({ F, Cr }, true));
  const counts = foldedTable("Runs in each tenth, as a table", () => [tableOf(["POIS", "runs here", "stored"], tenths(pois, neighbour(study, config), study))]);
  const more = html("button", { type: "button", onclick: () => start(MANY_RUNS) }, `go on to ${MANY_RUNS} runs`);

  const draw = (behind) => {
    figure.replaceChildren(drawLive(config, pois, behind ? study.pois(behind.cell) : []));
    grey.textContent = behindInWords(study, behind);
    const found = summarise(pois);
    counts.renew();
    numbers.textContent = pois.length ? `median ${readable(found.median)}, 5–95 % ${readable(found.low)} to ${readable(found.high)}` : "\u00a0";
  };
  const paint = () => {
    draw(neighbour(study, config));
    const seconds = ((state.ended || performance.now()) - state.began) / 1000;
    status.textContent = pois.length < state.wanted ? `running ${pois.length} of ${state.wanted} in your browser`
      : `measured, ${pois.length} runs, ${seconds.toFixed(1)} s`;
  };
  /** Operators that the page does not run: what is stored of them, and the command that runs them */
  const showCommand = (operators) => {
    const behind = neighbour(study, config), settings = config.donors === "distinct" ? {} : { donors: config.donors };
    draw(behind);
    status.textContent = behind ? "stored" : "not stored";
    const command = measureCommand(config, settings, { n: config.n, budget: config.budget, runs: RUNS, seed: 1 });
    note.replaceChildren(copyable(`${operators.join(" and ")} ${operators.length > 1 ? "run" : "runs"} in Python, not in this page`, command));
  };
  const receive = (data) => {
    if (data.error) { status.textContent = data.error; return; }
    if (data.job.point) { map.add(data.job.point, data.infeasible.map((count) => count / config.budget)); return; }
    const each = data.milliseconds / data.job.count;
    state.each = state.each ? (state.each + each) / 2 : each;
    pois.push(...data.infeasible.map((count) => count / config.budget));
    if (pois.length >= state.wanted && !state.ended) state.ended = performance.now();
    if (!state.frame) state.frame = requestAnimationFrame(() => { state.frame = 0; if (!closed) paint(); });
  };
  function* jobs() {
    yield* runJobs(config, state, pois.length);
    yield* map.jobs(config, state.each);
  }
  const start = (wanted = RUNS) => {
    const goesOn = wanted > RUNS && pois.length === RUNS, missing = SLOTS.filter((slot) => !isHere(slot, config[slot]));
    state = { wanted, began: performance.now(), each: goesOn ? state.each : 0, ended: 0, frame: 0 };
    if (!goesOn) pois = [];
    more.disabled = wanted > RUNS || missing.length > 0;
    map.element.hidden = missing.length > 0;
    note.replaceChildren();
    if (missing.length) {
      pool.stop();
      showCommand(missing.map((slot) => config[slot]));
      return;
    }
    try {
      checked(config);
    } catch (error) {
      pool.stop();
      figure.replaceChildren();
      for (const element of [grey, numbers]) element.textContent = "";
      status.textContent = error.message;
      return;
    }
    map.begin(config);
    paint();
    pool.start(jobs(), receive);
  };
  const commit = () => go("live", liveParams(config), true);
  const update = (change, final = false) => {
    config = { ...config, ...change };
    if (final) { go("live", liveParams(config)); return; }
    start();
  };
  const controls = html("div", { class: "controls" }, ...SLOTS.map((slot) => choice(slot, config, study, (change) => update(change, true))),
    ...Object.keys(SLIDERS).map((name) => slider(name, config, update, commit)), budgetSlider(config, update, commit), more);
  root.replaceChildren(html("h1", {}, "Live"), html("p", { class: "lead" },
    "Real runs on the random function, in your browser: move a slider, and watch how often the trials leave the box."),
  html("div", { class: "live" }, controls, html("div", { class: "results" }, html("section", {}, status, figure, numbers, grey, note, counts), map.element)));
  start();
  return { redraw: () => map.draw(), close: () => { closed = true; pool.stop(); } };
}
