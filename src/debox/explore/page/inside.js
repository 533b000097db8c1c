// Inside a run: a population in two variables, and what becomes of each trial.

import { numberIn, parseVariant, shortName, variantName, wholeIn } from "./address.js";
import { isHere } from "./choices.js";
import { Trials, planOf } from "./core.js";
import { html, readable, refusal, sharpContext, themeColour } from "./dom.js";
import { LANDSCAPES, PHASES, drawWalk, landscapePicture, marginFor } from "./stage.js";

/** A coordinate with two digits, and so many more that one outside the box does not look as if it were inside */
export function coordinate(x) {
  const beyond = x < 0 ? -x : x - 1, digits = beyond > 0 && beyond < 0.005
    ? Math.min(17, 1 - Math.floor(Math.log10(beyond))) : 2;
  return x.toFixed(digits).replace("-", "−");
}

const point = (xs) => `(${xs.map(coordinate).join(", ")})`;

/** What the strategy does, in a clause */
function fateOf({ drawn, refused }, strategy) {
  if (refused) return `${shortName(strategy)} makes it worse than any other`;
  if (strategy === "dismiss") return `${shortName(strategy)} puts its target in its place`;
  return `${shortName(strategy)} brings it back${drawn > 1 ? ` after ${drawn} draws` : ""}`;
}

/** What happened to a trial, in a sentence */
export function tell(record, strategy) {
  if (!record) return "Press play, or step for one trial.";
  const place = record.outside ? `The trial is outside; ${fateOf(record, strategy)}` : "The trial is inside";
  return `Generation ${record.generation}, target ${record.target + 1}. ${place}. ${endOf(record, strategy)}.`;
}

/** What becomes of the trial, in a sentence */
function endOf({ outside, refused, accepted }, strategy) {
  if (refused) return "It is forgotten, and its target stays";
  if (outside && strategy === "dismiss") return accepted ? "The target stays, with the newer value, which is no worse"
    : "The target stays as it is";
  return accepted ? "It is no worse: it replaces its target" : "It is worse: it is forgotten";
}

/** The parts of a trial: when each is told, the colour of its dot, its name, and what it is */
function parts(record, { strategy, F }) {
  if (!record) {
    return [[0, "target", "target", "the individual that the trial may replace"],
      [0, "blue", "mutant", "base + F × difference"],
      [0, "blue", "trial", "takes some components of the mutant"],
      [0, "orange", "outside", `then ${shortName(strategy)} says where it goes`],
        [0, "accepted", "accepted", "if its value is no worse"]];
  }
  const { x, before, mutant, trial, outside, repaired, accepted, f } = record;
  const taken = trial.map((value, d) => (value === mutant[d] ? "xy"[d] : "")).join(""),
    from = taken.length === 2 ? "all" : `${taken} only`;
  return [[0, "target", "target", `${point(x)}, value ${before.toPrecision(3)}`],
    [0, "blue", "mutant", `${point(mutant)}: base + ${F} × difference`],
    [PHASES.outside, outside ? "orange" : "blue", "trial", `${point(trial)}: ${from} of the mutant`],
    [PHASES.repaired, outside ? "orange" : "none", outside ? "outside" : "inside",
      outside ? `${fateOf(record, strategy)}${record.refused ? "" : `: ${point(repaired)}`}` : "nothing to repair"],
    [PHASES.judged, accepted ? "accepted" : "forgotten", accepted ? "accepted" : "forgotten",
      Number.isFinite(f) ? `value ${f.toPrecision(3)} ${accepted ? "≤" : ">"} ${before.toPrecision(3)}`
        : "without a value"]];
}

/** The list of a trial's parts; those that are not told yet are grey */
export function storyOf(record, config, phase) {
  return parts(record, config).map(([when, dot, name, text]) => html("li", { class: phase < when ? "later" : null },
    html("i", { class: `dot dot-${dot}` }), html("span", {}, html("strong", {}, name),
      ` ${phase < when ? "" : text}`)));
}

const SPEEDS = { slow: 2400, medium: 900, fast: 60 }; // milliseconds of a trial
const STRIP = 100, LANDSCAPE_NAMES = Object.keys(LANDSCAPES),
  USUAL = { mutation: "rand/1", crossover: "bin", strategy: "mirror" };

/** What the address says of a run to look into, the usual for what it leaves out; `refuse` is told what cannot be */
function insideSettings(study, params, refuse) {
  const wanted = parseVariant(params.get("c")) ?? USUAL, config = { donors: "distinct" },
    speed = params.get("speed") ?? "medium";
  for (const slot of Object.keys(USUAL)) config[slot] = isHere(study, slot, wanted[slot]) ? wanted[slot] : USUAL[slot];
  if (params.has("c") && Object.keys(USUAL).some((slot) =>
    config[slot] !== parseVariant(params.get("c"))?.[slot])) refuse(`c=${params.get("c")}`);
  if (!Object.hasOwn(SPEEDS, speed)) refuse(`speed=${speed}`);
  Object.assign(config, { N: wholeIn(params, "N", 10, [5, 50], refuse),
    F: numberIn(params, "F", 0.8, [0.05, 2], refuse), Cr: numberIn(params, "Cr", 0.9, [0, 1], refuse) });
  return { config, landscape: LANDSCAPE_NAMES[wholeIn(params, "on", 0, [0, LANDSCAPE_NAMES.length - 1], refuse)],
    seed: wholeIn(params, "seed", 1, [0, 1e9], refuse), pace: Object.hasOwn(SPEEDS, speed) ? speed : "medium" };
}

const STRIP_IN_WORDS = `the last ${STRIP} trials: orange ones were outside, grey ones inside; tall ones were accepted`;

/** The last hundred trials, the newest at the right end */
export function drawStrip(canvas, size, recent) {
  const context = sharpContext(canvas, size, 26), one = size / STRIP;
  context.fillStyle = themeColour("line");
  context.fillRect(0, 25, size, 1);
  recent.forEach(({ outside, accepted }, k) => {
    context.fillStyle = themeColour(outside ? "outside" : "soft");
    context.fillRect(k * one, accepted ? 0 : 12, Math.max(1, one - 1), accepted ? 26 : 14);
  });
}

/** Show the inside of a run in an element */
export function showInside(root, params, { study, core, go }) {
  const refused = [], { config, landscape, seed, pace } = insideSettings(study, params, (text) => refused.push(text)),
    still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const walk = new Trials(core, planOf(study.operators, config), seed, LANDSCAPES[landscape]);
  const margin = marginFor(config.F, walk.parents(0, [0, 0, 0, 0, 0]).pairs.length / 2),
    picture = landscapePicture(landscape);
  const canvas = html("canvas", { role: "img", id: "box",
    "aria-label": "the box, its population, and the present trial" });
  const strip = html("canvas", { role: "img", "aria-label": STRIP_IN_WORDS });
  const line = html("p", { class: "readout", "aria-live": "polite" }), counts = html("p", { class: "status" }),
    story = html("ol", { class: "story" });
  const frame = html("div", { class: "square" }, canvas);
  let record = null, before = walk.P.slice(), recent = [], phase = 1, playing = false, speed = pace, last = 0,
    asked = 0;

  const draw = () => {
    const size = Math.min(frame.clientWidth || 500, 600);
    drawWalk(sharpContext(canvas, size, size), size, margin, config.F, before, record, phase, picture);
    drawStrip(strip, size, recent);
    story.replaceChildren(...storyOf(record, config, phase));
    line.textContent = tell(record, config.strategy);
    const trials = walk.evaluations - config.N;
    counts.textContent = `${walk.infeasible} of ${trials} trials outside${trials
      ? ` (${readable(walk.infeasible / trials)})` : ""}, ${walk.accepted} accepted, generation ${walk.generation}`;
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
    asked = requestAnimationFrame(tick);
  };
  const play = html("button", { type: "button", class: "strong", onclick: () => {
    playing = !playing;
    play.textContent = playing ? "pause" : "play";
    line.setAttribute("aria-live", playing ? "off" : "polite");
    last = -Infinity;
    cancelAnimationFrame(asked);
    if (playing) asked = requestAnimationFrame(tick);
  } }, "play");
  const one = html("button", { type: "button", onclick: () => {
    if (playing) play.click();
    advance();
    phase = 1;
    draw();
  } }, "step");
  const again = () => go("inside", { ...Object.fromEntries(params), seed: Math.floor(Math.random() * 1e6) });
  const change = (values) => {
    const next = { ...config, on: LANDSCAPE_NAMES.indexOf(landscape), ...values };
    go("inside", { c: variantName(next), N: next.N, F: next.F, Cr: next.Cr, on: next.on, speed });
  };
  const choose = (name, all, now, act, show = shortName) => html("label", {}, html("span", {}, name),
    html("select", { onchange: (event) => act(all[event.target.selectedIndex]) },
      ...all.map((value) => html("option", { selected: value === now }, show(String(value))))));
  const nearby = (all, value) => [...new Set([...all, value])].sort((a, b) => a - b);
  root.replaceChildren(html("h1", {}, "Inside a run"), html("p", { class: "lead" },
    "Two variables, one box. A difference of two individuals, added to the base, gives the mutant. "
      + "A trial outside is orange, and the strategy says where it goes."), refusal(refused),
  html("div", { class: "inside" },
    html("div", { class: "stage" }, frame, strip, html("p", { class: "soft" }, STRIP_IN_WORDS)),
    html("div", {}, html("div", { class: "row" }, play, one,
      html("button", { type: "button", onclick: again }, "another run")),
      counts, story, line),
    html("div", { class: "controls" },
      choose("landscape", LANDSCAPE_NAMES, landscape, (name) => change({ on: LANDSCAPE_NAMES.indexOf(name) })),
      ...Object.keys(USUAL).map((slot) => choose(slot,
        Object.keys(study.operators[slot]).filter((name) => isHere(study, slot, name)), config[slot],
        (name) => change({ [slot]: name }))),
      choose("N", nearby([5, 10, 20, 50], config.N), config.N, (N) => change({ N })),
      choose("F", nearby([0.2, 0.5, 0.8, 1.2, 2], config.F), config.F, (F) => change({ F })),
      choose("Cr", nearby([0.1, 0.5, 0.9, 1], config.Cr), config.Cr, (Cr) => change({ Cr })),
      choose("speed", Object.keys(SPEEDS), speed, (name) => { speed = name; }))));
  draw();
  const watcher = new ResizeObserver(draw);
  watcher.observe(frame);
  return { redraw: draw, close: () => { playing = false; cancelAnimationFrame(asked); watcher.disconnect(); } };
}
