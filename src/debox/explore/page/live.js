// Live: choose a configuration and see real runs of it come in from the reader's own processor.

import { configName, numberIn, parseVariant, variantName } from "./address.js";
import { barClass, bars, countAxis, markLine, poisAxis } from "./chart.js";
import { SLIDERS, TABLES, budgetSlider, choice, slider } from "./controls.js";
import { html, readable, svg } from "./dom.js";
import { LIMITS, checked } from "./engine.js";
import { LiveMap } from "./map.js";
import { DONORS } from "./operators.js";
import { colourClass, histogram, summarise } from "./summary.js";
import { firstGeneration } from "./theory.js";

const RUNS = 50, MANY_RUNS = 1000, BATCH_MILLISECONDS = 25;
const SIZE = { width: 520, height: 318, left: 40, top: 26, plot: 466, tall: 250 };

/** The configuration that the address names, with defaults for what it leaves out */
export function liveConfig(study, params) {
  const variant = parseVariant(params.get("c"), study.axes) ?? { mutation: "rand/1", crossover: "exp", strategy: "saturation" };
  const donors = Object.hasOwn(DONORS, params.get("donors") ?? "") ? params.get("donors") : "distinct";
  const number = (name, otherwise) => numberIn(params, name, otherwise, LIMITS[name]);
  return { ...variant, donors, F: Math.max(0.01, number("F", 0.7)), Cr: number("Cr", 0.99), N: Math.round(number("N", 5)),
    n: Math.round(number("n", 30)), budget: Math.round(number("budget", 300000)) };
}

/** The parameters of the address for a configuration */
function liveParams({ donors, F, Cr, N, n, budget, ...variant }) {
  return { c: variantName(variant), N, F, Cr, n: n === 30 ? "" : n, budget: budget === 300000 ? "" : budget,
    donors: donors === "distinct" ? "" : donors };
}

/** Operators of the study that the page cannot run */
export function unknownOperators(study, config) {
  return ["mutation", "crossover", "strategy"].filter((slot) => !Object.hasOwn(TABLES[slot], config[slot])).map((slot) => config[slot]);
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

/** The stored cell that is shown behind: the same, or the one nearest in F and Cr; null if nothing is comparable */
export function neighbour(study, config) {
  if (study.frozen || study.adaptation !== "fixed" || study.repair !== "trial" || (!study.reevaluate && config.strategy === "dismiss")) return null;
  if (config.n !== study.dimension || config.budget !== study.budget || config.donors !== study.donors) return null;
  const nearest = (name) => study.axes[name].reduce((a, b) => (Math.abs(b - config[name]) < Math.abs(a - config[name]) ? b : a));
  const values = { ...config, F: nearest("F"), Cr: nearest("Cr") }, cell = study.cellOf(values);
  return cell >= 0 && study.pois(cell).length ? { cell, same: values.F === config.F && values.Cr === config.Cr, values } : null;
}

function drawHistogram(config, pois, behind, study) {
  const { width, height, left, top, plot, tall } = SIZE, counts = histogram(pois), grey = behind && histogram(study.pois(behind.cell));
  const share = (all) => all.map((count) => count / Math.max(1, all.reduce((a, b) => a + b, 0)));
  const most = Math.max(0.2, ...share(counts), ...(grey ? share(grey) : []));
  const runs = Math.max(1, pois.length), start = firstGeneration(config);
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "live-picture",
    "aria-label": `Histogram of POIS of ${pois.length} runs of ${configName(config)}` },
  grey ? bars(share(grey), most, left, top, plot, tall, "bar-stored") : null,
  bars(share(counts), most, left, top, plot, tall, barClass(pois.length ? colourClass(pois) : ""), 9),
  countAxis(left, top, tall, Math.max(1, Math.round(most * runs))), poisAxis(left, plot, top + tall, "POIS of a run"),
  markLine(start, "generation 1, exactly", left, top, plot, tall));
}

/** Show the live view in an element */
export function showLive(root, params, { study, pool, go }) {
  let config = liveConfig(study, params), state = null, pois = [], closed = false;
  const status = html("p", { class: "status", "aria-live": "polite" }), figure = html("div", { class: "figure" });
  const grey = html("p", { class: "soft" }), numbers = html("p", { class: "readout" }), map = new LiveMap(study, (F, Cr) => update({ F, Cr }, true));
  const more = html("button", { type: "button", onclick: () => start(MANY_RUNS) }, `go on to ${MANY_RUNS} runs`);

  const paint = () => {
    const behind = neighbour(study, config), found = summarise(pois);
    figure.replaceChildren(drawHistogram(config, pois, behind, study));
    grey.textContent = behind
      ? `grey: ${behind.same ? "this configuration" : `the nearest configuration, F=${behind.values.F}, Cr=${behind.values.Cr}`}, stored, ${study.pois(behind.cell).length} runs`
      : "no stored runs are comparable: the study has other settings";
    numbers.textContent = pois.length ? `median ${readable(found.median)}, 5–95 % ${readable(found.low)} to ${readable(found.high)}` : "\u00a0";
    const seconds = ((state.ended || performance.now()) - state.began) / 1000;
    status.textContent = pois.length < state.wanted ? `running ${pois.length} of ${state.wanted} in your browser`
      : `measured, ${pois.length} runs, ${seconds.toFixed(1)} s`;
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
    const goesOn = wanted > RUNS && pois.length === RUNS;
    state = { wanted, began: performance.now(), each: goesOn ? state.each : 0, ended: 0, frame: 0 };
    if (!goesOn) pois = [];
    more.disabled = wanted > RUNS;
    const unknown = unknownOperators(study, config);
    try {
      if (unknown.length) throw new RangeError(`${unknown.join(", ")} runs in Python only: debox measure "${configName(config)}"`);
      checked(config);
    } catch (error) {
      pool.stop();
      figure.replaceChildren();
      grey.textContent = "";
      numbers.textContent = "";
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
  const controls = html("div", { class: "controls" },
    ...["mutation", "crossover", "strategy", "donors"].map((slot) => choice(slot, config, study, (change) => update(change, true))),
    ...Object.keys(SLIDERS).map((name) => slider(name, config, update, commit)), budgetSlider(config, update, commit), more);
  root.replaceChildren(html("h1", {}, "Live"), html("p", { class: "lead" },
    "Real runs on the random function, in your browser: move a slider, and watch how often the trials leave the box."),
  html("div", { class: "live" }, controls, html("div", { class: "results" }, html("section", {}, status, figure, numbers, grey), map.element)));
  start();
  return { redraw: () => map.draw(), close: () => { closed = true; pool.stop(); } };
}

