// Inside a run: a population in two variables, and what becomes of each trial.

import { numberIn, parseVariant, shortName, variantName } from "./address.js";
import { html, readable, sharpContext, themeColour } from "./dom.js";
import { CROSSOVERS, MUTATIONS, STRATEGIES } from "./operators.js";
import { Random } from "./rng.js";
import { drawWalk, landscapePicture } from "./stage.js";
import { LANDSCAPES, Walk } from "./walk.js";

const SPEEDS = { slow: 1400, medium: 450, fast: 60 }; // milliseconds of a trial
const STRIP = 100;

/** What the address says of a run to look into */
function insideSettings(params) {
  const variant = parseVariant(params.get("c")) ?? { mutation: "rand/1", crossover: "bin", strategy: "mirror" };
  const names = Object.keys(LANDSCAPES), landscape = names[numberIn(params, "on", 0, [0, names.length - 1])];
  const config = { ...variant, donors: "distinct", N: Math.round(numberIn(params, "N", 10, [5, 50])),
    F: numberIn(params, "F", 0.8, [0.05, 2]), Cr: numberIn(params, "Cr", 0.9, [0, 1]) };
  return { config, landscape };
}

/** What happened to a trial, in a sentence */
export function tell(record, strategy) {
  if (!record) return "Press play, or step for one trial.";
  const place = record.outside ? `The trial is outside; ${shortName(strategy)} brings it back` : "The trial is inside";
  return `Generation ${record.generation}, target ${record.target + 1}. ${place}. It is ${record.accepted ? "no worse: it replaces its target" : "worse: it is forgotten"}.`;
}

/** Show the inside of a run in an element */
export function showInside(root, params, { go }) {
  const { config, landscape } = insideSettings(params), still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const walk = new Walk(config, landscape, new Random(Math.round(numberIn(params, "seed", 1, [0, 1e9]))));
  const canvas = html("canvas", { role: "img", id: "inside", "aria-label": "the box, its population, and the present trial" });
  const line = html("p", { class: "readout", "aria-live": "off" }), counts = html("p", { class: "status" }), picture = landscapePicture(landscape);
  const frame = html("div", { class: "square" }, canvas), strip = html("canvas", { role: "img", "aria-label": "the last hundred trials: orange ones were outside, tall ones accepted" });
  let record = null, before = walk.P.slice(), recent = [], phase = 1, playing = false, speed = params.get("speed") in SPEEDS ? params.get("speed") : "medium", last = 0;

  const draw = () => {
    const size = Math.min(frame.clientWidth || 500, 560), context = sharpContext(canvas, size, size);
    drawWalk(context, size, walk, before, record, phase, picture);
    const small = sharpContext(strip, size, 26), one = size / STRIP;
    recent.forEach(({ outside, accepted }, k) => {
      small.fillStyle = themeColour(outside ? "outside" : "soft");
      small.fillRect(k * one, accepted ? 0 : 12, Math.max(1, one - 1), accepted ? 26 : 14);
    });
    line.textContent = tell(record, config.strategy);
    const trials = walk.evaluations - config.N;
    counts.textContent = `${walk.infeasible} of ${trials} trials outside${trials ? ` (${readable(walk.infeasible / trials)})` : ""}, ${walk.accepted} accepted, generation ${walk.generation}`;
  };
  const advance = () => {
    before = walk.P.slice();
    record = walk.step();
    recent = [...recent, record].slice(-STRIP);
  };
  const tick = (now) => {
    if (!playing) return;
    phase = (now - last) / SPEEDS[speed];
    if (phase >= 1) {
      advance();
      last = now;
      phase = 0;
    }
    if (still || SPEEDS[speed] < 100) phase = 1;
    draw();
    requestAnimationFrame(tick);
  };
  const play = html("button", { type: "button", onclick: () => {
    playing = !playing;
    play.textContent = playing ? "pause" : "play";
    play.setAttribute("aria-pressed", String(playing));
    last = -Infinity;
    if (playing) requestAnimationFrame(tick);
  } }, "play");
  const one = html("button", { type: "button", onclick: () => {
    if (playing) play.click();
    advance();
    phase = 1;
    draw();
  } }, "step");
  const names = Object.keys(LANDSCAPES);
  const change = (values) => go("inside", { c: variantName({ ...config, ...values }), N: values.N ?? config.N, F: values.F ?? config.F,
    Cr: values.Cr ?? config.Cr, on: values.on ?? names.indexOf(landscape), speed });
  const choose = (name, all, now, act, show = shortName) => html("label", {}, html("span", {}, name),
    html("select", { onchange: (event) => act(all[event.target.selectedIndex]) }, ...all.map((value) => html("option", { selected: value === now }, show(String(value))))));
  const nearby = (all, value) => [...new Set([...all, value])].sort((a, b) => a - b);
  root.replaceChildren(html("h1", {}, "Inside a run"), html("p", { class: "lead" },
    "Two variables, one box. An arrow is a difference of two individuals; added to the base it gives the mutant. A trial outside is orange, and the strategy says where it goes."),
  html("div", { class: "inside" }, html("div", { class: "stage" }, frame, strip, counts, line, html("div", { class: "row" }, play, one,
    html("button", { type: "button", onclick: () => go("inside", { ...Object.fromEntries(params), seed: Math.floor(Math.random() * 1e6) }) }, "another run"))),
  html("div", { class: "controls" },
    choose("landscape", names, landscape, (name) => change({ on: names.indexOf(name) })),
    choose("mutation", Object.keys(MUTATIONS), config.mutation, (mutation) => change({ mutation })),
    choose("crossover", Object.keys(CROSSOVERS), config.crossover, (crossover) => change({ crossover })),
    choose("strategy", Object.keys(STRATEGIES), config.strategy, (strategy) => change({ strategy })),
    choose("N", nearby([5, 10, 20, 50], config.N), config.N, (N) => change({ N })),
    choose("F", nearby([0.2, 0.5, 0.8, 1.2, 2], config.F), config.F, (F) => change({ F })),
    choose("Cr", nearby([0.1, 0.5, 0.9, 1], config.Cr), config.Cr, (Cr) => change({ Cr })),
    choose("speed", Object.keys(SPEEDS), speed, (name) => { speed = name; }),
    html("ul", { class: "key" }, ...[["dot-target", "ring: the target"], ["dot-blue", "difference, mutant, trial inside"], ["dot-orange", "trial outside, and its way back"],
      ["dot-accepted", "accepted"]].map(([name, text]) => html("li", {}, html("i", { class: `dot ${name}` }), text))))));
  draw();
  const watcher = new ResizeObserver(draw);
  watcher.observe(frame);
  return { redraw: draw, close: () => { playing = false; watcher.disconnect(); } };
}
