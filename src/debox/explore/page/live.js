// Live: choose a configuration and see real runs of it come in from the reader's own processor.

import { configName, numberIn, parseVariant, shortName, variantName } from "./address.js";
import { copyable, measureCommand } from "./cell.js";
import { LIMITS, planOf } from "./core.js";
import { barClass, bars, button, choose, foldedTable, html, markLine, plate, plotAxes, readable, refusal, spaced, svg,
  tableOf } from "./dom.js";
import { LiveMap } from "./map.js";
import { colourClass, exactStart, histogram, summarise } from "./numbers.js";
import { SLOTS, impossible, isHere, onlyInPython } from "./study.js";

// The configuration, and its controls.

const USUAL_LIVE = { mutation: "rand/1", crossover: "exp", strategy: "saturation", donors: "distinct",
  adaptation: "fixed", N: 5, F: 0.7, Cr: 0.99 };
const REACH = { N: [1, 1e6], F: [1e-6, 1e6], Cr: [0, 1], n: [1, 1e6], budget: [1, 1e12] }; // what a command may ask for

/** A stored configuration to begin with: the usual one as far as the study has it */
function firstConfig(study) {
  const { axes, settings } = study, nearest = (name) => [name, study.nearest(name, USUAL_LIVE[name])];
  const usual = (slot) => (!axes[slot] ? settings[slot] ?? USUAL_LIVE[slot]
    : axes[slot].includes(USUAL_LIVE[slot]) ? USUAL_LIVE[slot]
    : axes[slot].find((name) => isHere(study, slot, name)) ?? axes[slot][0]);
  return { ...Object.fromEntries([...SLOTS.map((slot) => [slot, usual(slot)]), ...["N", "F", "Cr"].map(nearest)]),
    n: study.dimension, budget: study.budget };
}

/** All operators of a slot that debox, the study or a configuration has */
function allOf(study, slot, config) {
  const { operators, axes, settings } = study, known = [...Object.keys(operators[slot]), ...(axes[slot] ?? [])];
  return [...new Set([...known, settings[slot] ?? config[slot], config[slot]])];
}

/** The configuration that the address names, the usual for what it leaves out; `refuse` gets what cannot be read */
function liveConfig(study, params, refuse) {
  const config = firstConfig(study), text = params.get("c"), variant = parseVariant(text, study.axes);
  const isKnown = ([slot, name]) => allOf(study, slot, config).includes(name);
  if (variant && Object.entries(variant).every(isKnown)) Object.assign(config, variant);
  else if (text) refuse(`c=${text}`);
  for (const slot of ["donors", "adaptation"]) {
    const name = params.get(slot);
    if (name && isKnown([slot, name])) config[slot] = name;
    else if (name) refuse(`${slot}=${name}`);
  }
  for (const name of Object.keys(REACH)) {
    const isRight = ["F", "Cr"].includes(name) ? Number.isFinite : Number.isSafeInteger;
    config[name] = numberIn(params, name, config[name], REACH[name], refuse, isRight);
  }
  return config;
}

/** The parameters of the address for a configuration */
function liveParams(config, study) {
  const first = firstConfig(study), { N, F, Cr } = config;
  const others = ["n", "budget", "donors", "adaptation"].filter((name) => config[name] !== first[name]);
  return { c: variantName({ ...config, adaptation: "" }), N, F, Cr,
    ...Object.fromEntries(others.map((name) => [name, config[name]])) };
}

const BUDGETS = [1000, 3000, 10000, 30000, 100000, 300000, 1000000];
const MEANING = { F: "F, scale factor", Cr: "Cr, crossover rate", N: "N, population size", n: "n, dimension",
  budget: "budget" };

/** A slider for a number; that of the budget goes over round numbers. `show` sets it */
function slider(name, config, change, commit) {
  const isBudget = name === "budget", [least, most] = name === "F" ? [0.01, LIMITS.F[1]] : LIMITS[name];
  const round = [...new Set([...BUDGETS, config.budget])].sort((a, b) => a - b);
  const range = isBudget ? { min: 0, max: round.length - 1, step: 1 }
    : { min: least, max: most, step: ["F", "Cr"].includes(name) ? 0.01 : 1 };
  const shown = html("output"), input = html("input", { type: "range", ...range, "aria-label": MEANING[name],
    oninput: () => {
      const value = isBudget ? round[Number(input.value)] : Number(input.value);
      label.show(value);
      change({ [name]: value });
    }, onchange: commit });
  const label = html("label", { class: "slider" }, html("span", {}, MEANING[name]), input, shown, html("small", {},
    isBudget ? `${BUDGETS[0]} to ${spaced(BUDGETS.at(-1))} evaluations` : `${least} to ${most}`));
  label.show = (value) => {
    input.value = isBudget ? round.indexOf(value) : value;
    shown.textContent = isBudget ? spaced(value) : value; // the number itself, which may lie beyond the slider's limits
    input.setAttribute("aria-valuetext", isBudget ? `${value} evaluations` : value);
  };
  label.show(config[name]);
  return label;
}

// The picture. Texts are of one size on any screen.

const SIZES = { wide: [520, 318, { left: 40, top: 26, width: 466, height: 250 }],
  narrow: [366, 268, { left: 32, top: 26, width: 324, height: 200 }] };

/** Runs of a configuration in colour, and those stored in grey behind; both as shares, the axis counts the former */
export function drawLive(study, config, pois, stored) {
  const [width, height, plot] = innerWidth < 640 ? SIZES.narrow : SIZES.wide;
  const [ours, grey] = [pois, stored].map((all) => histogram(all).map((count) => count / Math.max(1, all.length)));
  const runs = Math.max(1, pois.length || stored.length),
    highest = Math.ceil(Math.max(0.2, ...ours, ...grey) * runs - 1e-9), most = highest / runs;
  const start = impossible(study, config) ? NaN : exactStart(study.operators, config);
  const name = configName(config.adaptation === "fixed" ? { ...config, adaptation: "" } : config);
  const label = pois.length ? `${pois.length} runs` : `${stored.length} stored runs`;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "live-picture",
    "aria-label": `Histogram of POIS of ${label} of ${name}` },
  plate(plot), stored.length ? bars(plot, grey, most, "bar-stored") : null,
  bars(plot, ours, most, barClass(pois.length ? colourClass(pois) : ""), 9),
  plotAxes(plot, highest, "POIS of a run"), markLine(plot, start, "generation 1, exactly"));
}

/** What stands behind in grey, in words */
function behindInWords(config, behind) {
  if (!behind) return "no stored runs are comparable: the study has other settings";
  const { F, Cr, runs } = behind, isSame = F === config.F && Cr === config.Cr;
  return `grey: ${isSame ? "this configuration" : `the nearest configuration, F=${F}, Cr=${Cr}`}, stored, ${runs} runs`;
}

/** The table of runs in each tenth of POIS */
function tenths(pois, stored) {
  const [ours, behind] = [pois, stored].map(histogram);
  return tableOf(["POIS", "runs here", "stored"], ours.map((count, k) =>
    [`${k ? "over " : ""}${k / 10} to ${(k + 1) / 10}`, String(count), stored.length ? String(behind[k]) : "–"]));
}

// The view.

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

/** Show the live view in an element */
export function showLive(root, params, { study, pool, go }) {
  const refused = [];
  let config = liveConfig(study, params, (text) => refused.push(text)), state = { waits: 0 }, pois = [], closed = false;
  const status = html("h2", { class: "status" }), figure = html("div", { class: "figure" }), note = html("div");
  const grey = html("p", { class: "soft" }), numbers = html("p", { class: "readout" }),
    map = new LiveMap(study, (F, Cr) => jump({ F, Cr }));
  const storedOf = (behind) => (behind ? study.pois(behind.cell) : []);
  const counts = foldedTable("Runs in each tenth, as a table",
    () => [tenths(pois, storedOf(study.neighbour(state.config)))]);
  const more = button(`go on to ${MANY_RUNS} runs`, () => start(MANY_RUNS));
  const section = html("section", {}, status, figure, numbers, grey, note, counts);

  /** The status; read aloud at the end only */
  const tell = (text, aloud) => {
    status.setAttribute("aria-live", aloud ? "polite" : "off");
    status.textContent = text;
  };
  const draw = (behind, isPossible = true) => {
    section.classList.remove("older");
    figure.replaceChildren(drawLive(study, state.config, pois, storedOf(behind)));
    counts.renew();
    const { low, median, high } = summarise(pois);
    numbers.textContent = pois.length ? `median ${readable(median)}, 5–95 % ${readable(low)} to ${readable(high)}`
      : "\u00a0";
    grey.textContent = isPossible ? behindInWords(state.config, behind) : "\u00a0";
  };
  const paint = () => {
    draw(study.neighbour(state.config));
    const seconds = ((state.ended || performance.now()) - state.began) / 1000, asked = Object.keys(config);
    const other = asked.filter((name) => state.config[name] !== config[name]).map((name) =>
      `, ${name}=${state.config[name]}`).join(""); // than the sliders show
    if (state.ended) tell(`measured, ${pois.length} runs, ${seconds.toFixed(1)} s`, true);
    else tell(`running ${pois.length} of ${state.wanted} in your browser${other}`, false);
  };
  /** What the page does not run: what is stored of it, and the command that runs it */
  const showCommand = (why) => {
    const usual = config.adaptation === "fixed" ? "distinct" : "not-target", // as debox has it
      { n, budget, donors } = config;
    const behind = study.neighbour(config), command = measureCommand(config, donors === usual ? {} : { donors },
      { n, budget, runs: RUNS, seed: 1, operators: study.operators });
    draw(behind);
    tell(behind ? "stored" : "not stored", true);
    note.replaceChildren(command ? copyable(why, command) : html("p", {}, why));
  };
  const receive = ({ error, job, infeasible, milliseconds }) => {
    if (error) {
      tell(error, true);
      return;
    }
    const found = infeasible.map((count) => count / state.config.budget), each = milliseconds / job.count;
    if (job.point) {
      map.add(job.point, found);
      return;
    }
    state.each = state.each ? (state.each + each) / 2 : each;
    pois.push(...found);
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
    if (cannot) {
      draw(undefined, false);
      tell(cannot, true);
    }
    if (why) showCommand(why);
    if (cannot || why) {
      pool.stop();
      return;
    }
    map.begin(config);
    if (!isDragged) paint();
    else if (!hasPicture) tell(`running 0 of ${wanted} in your browser`, false);
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
    for (const one of sliders) one.show(config[one.name]);
    go("live", liveParams(config, study), "push");
    start();
  };
  const sliders = ["F", "Cr", "N", "n", "budget"].map((name) =>
    Object.assign(slider(name, config, update, commit), { name }));
  const controls = html("div", { class: "controls" }, ...SLOTS.map((slot) => choose(slot, allOf(study, slot, config),
    config[slot], (name) => jump({ [slot]: name }), shortName, (name) => isHere(study, slot, name))), ...sliders, more);
  root.replaceChildren(html("h1", {}, "Live"), html("p", { class: "lead" },
    "Real runs on the random function, in your browser: move a slider, and watch how often the trials leave the box."),
  refusal(refused),
  html("div", { class: "live" }, controls, html("div", { class: "results" }, section, map.element)));
  start();
  return { redraw: () => map.draw(), close: () => { closed = true; clearTimeout(state.waits); pool.stop(); } };
}
