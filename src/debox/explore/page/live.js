// Live: choose a configuration and see real runs of it come in from the reader's own processor.

import { configName } from "./address.js";
import { copyable, measureCommand } from "./cell.js";
import { LIVE_SLOTS, SLIDERS, budgetSlider, choice, impossible, liveConfig, liveParams, onlyInPython,
  slider } from "./choices.js";
import { planOf } from "./core.js";
import { barClass, bars, countAxis, foldedTable, html, markLine, plate, poisAxis, readable, refusal, svg,
  tableOf } from "./dom.js";
import { LiveMap } from "./map.js";
import { colourClass, exactStart, histogram, summarise } from "./numbers.js";

// texts are of one size on any screen
const SIZES = { wide: { width: 520, height: 318, left: 40, top: 26, plot: 466, tall: 250 },
  narrow: { width: 366, height: 268, left: 32, top: 26, plot: 324, tall: 200 } };

/** Runs of a configuration in colour, and those stored in grey behind; both as shares, the axis counts the former */
export function drawLive(study, config, pois, stored) {
  const { width, height, left, top, plot, tall } = innerWidth < 640 ? SIZES.narrow : SIZES.wide,
    counts = histogram(pois), grey = histogram(stored);
  const share = (all) => all.map((count) => count / Math.max(1, all.reduce((a, b) => a + b, 0)));
  const runs = Math.max(1, pois.length || stored.length),
    highest = Math.ceil(Math.max(0.2, ...share(counts), ...share(grey)) * runs - 1e-9);
  const most = highest / runs, start = impossible(study, config) ? NaN : exactStart(study.operators, config);
  const name = configName(config.adaptation === "fixed" ? { ...config, adaptation: "" } : config);
  const label = pois.length ? `${pois.length} runs` : `${stored.length} stored runs`;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "live-picture",
    "aria-label": `Histogram of POIS of ${label} of ${name}` },
    plate(left, top, plot, tall),
    stored.length ? bars(share(grey), most, left, top, plot, tall, "bar-stored") : null,
    bars(share(counts), most, left, top, plot, tall, barClass(pois.length ? colourClass(pois) : ""), 9),
    countAxis(left, top, tall, highest), poisAxis(left, plot, top + tall, "POIS of a run"),
    Number.isNaN(start) ? null : markLine(start, "generation 1, exactly", left, top, plot, tall));
}

const RUNS = 50, MANY_RUNS = 1000, BATCH_MILLISECONDS = 25;
const LONGEST_HOLD = 500; // milliseconds that a slider's move waits for the first run of the move before

/** Batches of runs from a number on, the first of them single ones; `state.each` is the time of a run so far */
function* runJobs(plan, state, from) {
  for (let first = from; first < state.wanted;) {
    const fits = state.each ? Math.round(BATCH_MILLISECONDS / state.each) : 1;
    const count = Math.max(1, Math.min(fits, state.wanted - first, 50));
    yield { plan, seed: 1, first, count };
    first += count;
  }
}

/** What stands behind in grey, in words */
function behindInWords(study, behind) {
  if (!behind) return "no stored runs are comparable: the study has other settings";
  const what = behind.same ? "this configuration"
    : `the nearest configuration, F=${behind.values.F}, Cr=${behind.values.Cr}`;
  return `grey: ${what}, stored, ${study.pois(behind.cell).length} runs`;
}

/** Rows of the table of runs in each tenth of POIS */
function tenths(pois, behind, study) {
  const ours = histogram(pois), stored = behind ? histogram(study.pois(behind.cell)) : [];
  return ours.map((count, k) => [`${k ? "over " : ""}${k / 10} to ${(k + 1) / 10}`, String(count),
    String(stored[k] ?? "–")]);
}

/** In what the configuration that runs is not the one that the sliders show: ", F=0.5" */
function inWhichOther(running, asked) {
  return Object.keys(asked).filter((name) => running[name] !== asked[name]).map((name) =>
    `, ${name}=${running[name]}`).join("");
}

/** The status of runs; read aloud at the end only */
function tellStatus(status, text, aloud) {
  status.setAttribute("aria-live", aloud ? "polite" : "off");
  status.textContent = text;
}

/** Show the live view in an element */
export function showLive(root, params, { study, pool, go }) {
  const refused = [];
  let config = liveConfig(study, params, (text) => refused.push(text)), state = { waits: 0 }, pois = [], closed = false;
  const status = html("h2", { class: "status" }), figure = html("div", { class: "figure" }), note = html("div", {});
  const grey = html("p", { class: "soft" }), numbers = html("p", { class: "readout" }),
    map = new LiveMap(study, (F, Cr) => jump({ F, Cr }));
  const counts = foldedTable("Runs in each tenth, as a table",
    () => [tableOf(["POIS", "runs here", "stored"], tenths(pois, study.neighbour(state.config), study))]);
  const more = html("button", { type: "button", onclick: () => start(MANY_RUNS) }, `go on to ${MANY_RUNS} runs`);
  const section = html("section", {}, status, figure, numbers, grey, note, counts);

  const draw = (behind) => {
    figure.replaceChildren(drawLive(study, state.config, pois, behind ? study.pois(behind.cell) : []));
    grey.textContent = behindInWords(study, behind);
    const found = summarise(pois);
    counts.renew();
    numbers.textContent = pois.length
      ? `median ${readable(found.median)}, 5–95 % ${readable(found.low)} to ${readable(found.high)}` : "\u00a0";
  };
  const paint = () => {
    draw(study.neighbour(state.config));
    section.classList.remove("older");
    const seconds = ((state.ended || performance.now()) - state.began) / 1000;
    if (state.ended) tellStatus(status, `measured, ${pois.length} runs, ${seconds.toFixed(1)} s`, true);
    else tellStatus(status, `running ${pois.length} of ${state.wanted} in your browser${inWhichOther(state.config,
      config)}`, false);
  };
  /** What the page does not run: what is stored of it, and the command that runs it */
  const showCommand = (why) => {
    section.classList.remove("older");
    const adapts = config.adaptation !== "fixed", usual = adapts ? "not-target" : "distinct"; // as debox has it
    const behind = study.neighbour(config), settings = config.donors === usual ? {} : { donors: config.donors };
    draw(behind);
    tellStatus(status, behind ? "stored" : "not stored", true);
    const { n, budget } = config, command = measureCommand(config, settings,
      { n, budget, runs: RUNS, seed: 1, operators: study.operators });
    note.replaceChildren(command ? copyable(why, command) : html("p", {}, why));
  };
  /** Nothing runs, and nothing moves on the page */
  const showImpossible = (why) => {
    section.classList.remove("older");
    draw(null);
    for (const element of [grey, numbers]) element.textContent = "\u00a0";
    tellStatus(status, why, true);
  };
  const receive = (data) => {
    if (data.error) { tellStatus(status, data.error, true); return; }
    if (data.job.point) { map.add(data.job.point, data.infeasible.map((count) =>
      count / state.config.budget)); return; }
    const each = data.milliseconds / data.job.count;
    state.each = state.each ? (state.each + each) / 2 : each;
    pois.push(...data.infeasible.map((count) => count / state.config.budget));
    if (pois.length >= state.wanted && !state.ended) state.ended = performance.now();
    if (!state.frame) state.frame = requestAnimationFrame(() => {
      state.frame = 0;
      if (closed) return;
      paint();
      if (state.waits) start();
    });
  };
  function* jobs() {
    yield* runJobs(planOf(study.operators, state.config), state, pois.length);
    yield* map.jobs(state.config, state.each);
  }
  /** Run what is asked for now; a picture of the place before stays, in grey, until the first run is there */
  const start = (wanted = RUNS) => {
    const isDragged = Boolean(state.waits), hasPicture = isDragged && pois.length > 0,
      goesOn = wanted > RUNS && pois.length === RUNS, cannot = impossible(study, config),
      why = cannot ? "" : onlyInPython(study, config);
    clearTimeout(state.waits);
    cancelAnimationFrame(state.frame);
    state = { config, wanted, began: performance.now(), each: goesOn ? state.each : 0, ended: 0, frame: 0, waits: 0 };
    if (!goesOn) pois = [];
    more.disabled = wanted > RUNS || Boolean(cannot || why);
    map.element.hidden = Boolean(why);
    note.replaceChildren();
    if (cannot || why) {
      pool.stop();
      if (cannot) showImpossible(cannot);
      else showCommand(why);
      return;
    }
    map.begin(config);
    if (!isDragged) paint();
    else if (!hasPicture) tellStatus(status, `running 0 of ${wanted} in your browser`, false);
    section.classList.toggle("older", isDragged);
    pool.start(jobs(), receive);
  };
  /** A slider moves: its newest place begins when the first run of the place before is painted, or after a while */
  const update = (change) => {
    config = { ...config, ...change };
    if (state.waits) return;
    const left = LONGEST_HOLD - (performance.now() - state.began),
      isBusy = state.wanted && !pois.length && !impossible(study, state.config) && !onlyInPython(study, state.config);
    if (isBusy && left > 0) state.waits = setTimeout(() => start(), left);
    else start();
  };
  /** A slider is let go: what it shows now is the newest */
  const commit = () => {
    if (state.waits) start();
    go("live", liveParams(config, study), "replace");
  };
  /** Another configuration, which the way back leads away from */
  const jump = (change) => {
    config = { ...config, ...change };
    for (const [name, control] of Object.entries(sliders)) control.show(config[name]);
    go("live", liveParams(config, study), "push");
    start();
  };
  const sliders = Object.fromEntries(Object.keys(SLIDERS).map((name) => [name, slider(name, config, update, commit)]));
  const controls = html("div", { class: "controls" }, ...LIVE_SLOTS.map((slot) => choice(slot, config, study, jump)),
    ...Object.values(sliders), budgetSlider(config, update, commit), more);
  root.replaceChildren(html("h1", {}, "Live"), html("p", { class: "lead" },
    "Real runs on the random function, in your browser: move a slider, and watch how often the trials leave the box."),
  refusal(refused),
  html("div", { class: "live" }, controls, html("div", { class: "results" }, section, map.element)));
  start();
  return { redraw: () => map.draw(), close: () => { closed = true; clearTimeout(state.waits); pool.stop(); } };
}
