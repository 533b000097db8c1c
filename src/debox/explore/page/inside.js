// Inside a run: a population in two variables, and what becomes of each trial.

import { numberIn, parseVariant, shortName, variantName } from "./address.js";
import { Trials, planOf } from "./core.js";
import { button, choose, html, readable, refusal, sharpContext, themeColour } from "./dom.js";
import { colourAt } from "./numbers.js";
import { isHere } from "./study.js";

// The box, its population and the present trial; a picture of the landscape behind.

const GRID = 48; // squares of a landscape
// when a trial's parts are told, of 1
const PHASES = { crossed: 0.35, outside: 0.5, repaired: 0.6, judged: 0.8 };
const ripple = (z) => z * z - 10 * Math.cos(2 * Math.PI * z) + 10;

// The landscapes; each is minimised in the unit square.
export const LANDSCAPES = {
  "f0 (random)": (x, random) => random(),
  "sphere near a wall": ([x, y]) => (x - 0.96) ** 2 + (y - 0.3) ** 2,
  "Rastrigin": ([x, y]) => (ripple(6 * x - 3) + ripple(6 * y - 3)) / 60,
};

/** The landscape as a small picture; none for f0, which has none */
function landscapePicture(name) {
  if (name.startsWith("f0")) return null;
  const canvas = html("canvas", { width: GRID, height: GRID }), context = canvas.getContext("2d");
  const values = Array.from({ length: GRID * GRID }, (_, k) =>
    LANDSCAPES[name]([(k % GRID + 0.5) / GRID, 1 - (Math.floor(k / GRID) + 0.5) / GRID])), most = Math.max(...values);
  context.globalAlpha = 0.35;
  values.forEach((value, k) => {
    context.fillStyle = colourAt(1 - Math.sqrt(value / most));
    context.fillRect(k % GRID, Math.floor(k / GRID), 1, 1);
  });
  return canvas;
}

const both = (make) => [0, 1].map(make); // coordinates
const between = (from, to, share) => both((d) => from[d] + share * (to[d] - from[d]));
const within = (phase, from, to) => Math.min(1, Math.max(0, (phase - from) / (to - from)));

/** Where the way from a point within limits to another one leaves them; null if it does not */
function exitOf(from, to, least, most) {
  const nearest = to.map((x) => Math.min(most, Math.max(least, x)));
  const share = Math.min(...both((d) => (nearest[d] === to[d] ? 1 : (nearest[d] - from[d]) / (to[d] - from[d]))));
  return share < 1 ? between(from, to, share) : null;
}

/** Dots and arrows at points of the box, on a canvas of a size in pixels */
class Stage {
  constructor(context, size, margin) {
    Object.assign(this, { context, size, margin, scale: size / (1 + 2 * margin) });
  }

  at([x, y]) {
    return [(x + this.margin) * this.scale, this.size - (y + this.margin) * this.scale];
  }

  /** A point or, if it lies beyond the picture, a mark where the way to it from a point of the box leaves it */
  point(point, from, radius, colour, filled = true) {
    const most = 1 + this.margin - 10 / this.scale, exit = exitOf(from, point, 1 - most, most);
    if (exit) this.further(exit, from, colour, filled ? "further out" : "");
    else this.dot(point, radius, colour, filled);
  }

  /** An arrowhead that points outward, and words beside it */
  further(at, from, colour, words) {
    const [x, y] = this.at(at), [x1, y1] = this.at(from), { context, size } = this, angle = Math.atan2(y - y1, x - x1);
    context.fillStyle = colour;
    context.beginPath();
    for (const turn of [0, 2.5, -2.5]) context.lineTo(x + 9 * Math.cos(angle + turn), y + 9 * Math.sin(angle + turn));
    context.fill();
    context.font = "12px system-ui, sans-serif";
    context.textAlign = x < 40 ? "left" : x > size - 40 ? "right" : "center";
    context.fillText(words, Math.min(size - 4, Math.max(4, x)), y < size / 2 ? y + 22 : y - 14);
  }

  dot(point, radius, colour, filled = true) {
    const { context } = this;
    context.beginPath();
    context.arc(...this.at(point), radius, 0, 7);
    context[filled ? "fillStyle" : "strokeStyle"] = colour;
    if (filled) context.fill(); else context.stroke();
  }

  arrow(from, to, colour, wide, dash = []) {
    const [x1, y1] = this.at(from), [x2, y2] = this.at(to), { context } = this;
    const angle = Math.atan2(y2 - y1, x2 - x1), head = Math.min(9, Math.hypot(x2 - x1, y2 - y1) / 2);
    const barb = (turn) => [x2 - head * Math.cos(angle + turn), y2 - head * Math.sin(angle + turn)];
    const path = (...places) => {
      context.beginPath();
      for (const place of places) context.lineTo(...place);
      context.stroke();
    };
    context.strokeStyle = colour;
    context.lineWidth = wide;
    context.setLineDash(dash);
    path([x1, y1], [x2, y2]);
    context.setLineDash([]);
    path(barb(-0.45), [x2, y2], barb(0.45));
  }

  box(landscape) {
    const { context, size, scale } = this, [left, top] = this.at([0, 1]);
    context.fillStyle = themeColour("tint");
    context.fillRect(0, 0, size, size);
    context.fillStyle = themeColour("paper");
    context.fillRect(left, top, scale, scale);
    if (landscape) context.drawImage(landscape, left, top, scale, scale);
    context.strokeStyle = themeColour("ink");
    context.lineWidth = 1.5;
    context.strokeRect(left, top, scale, scale);
  }

  /** Differences leave their pairs, become F times as long, and are added to the base one after the other */
  differences({ base, pairs }, F, phase) {
    const moved = within(phase, 0, PHASES.crossed);
    let tip = base;
    this.last = base; // where the last difference begins, if that is seen
    for (let k = 0; k < pairs.length; k += 2) {
      const step = both((d) => pairs[k][d] - pairs[k + 1][d]), from = between(pairs[k + 1], tip, moved);
      this.arrow(pairs[k + 1], pairs[k], themeColour("soft"), 1.25, [2, 3]);
      this.arrow(from, both((d) => from[d] + (1 + moved * (F - 1)) * step[d]), themeColour("accent"), 2.5);
      if (tip.every((x) => Math.abs(x - 0.5) < 0.5 + this.margin)) this.last = tip;
      tip = both((d) => tip[d] + F * step[d]);
    }
  }

  /** The trial, orange if it is outside, and its way back */
  trial({ mutant, trial, x, outside, repaired, accepted, refused }, phase) {
    const [orange, blue, green, soft] = ["outside", "accent", "accepted", "soft"].map(themeColour), { context } = this;
    context.lineWidth = 1.5;
    if (phase >= PHASES.crossed) this.point(mutant, this.last, 6, blue, false);
    if (phase < PHASES.outside) return;
    if (outside && !refused && phase >= PHASES.repaired) {
      this.arrow(trial, between(trial, repaired, within(phase, PHASES.repaired, PHASES.judged)), orange, 2, [5, 4]);
    }
    this.point(trial, refused ? x : repaired, 6, outside ? orange : blue);
    context.lineWidth = 2.5;
    if (phase >= PHASES.judged && !refused) this.dot(repaired, 7, accepted ? green : soft, accepted);
  }
}

/** The picture of a walk: `phase` from 0 to 1 says how far the trial has been told. */
export function drawWalk(context, size, margin, F, before, record, phase, landscape) {
  const stage = new Stage(context, size, margin), ink = themeColour("ink"), paper = themeColour("paper");
  stage.box(landscape);
  for (let i = 0; i < before.length; i += 2) {
    stage.dot([before[i], before[i + 1]], 6, paper);
    stage.dot([before[i], before[i + 1]], 5, i / 2 === record?.target ? ink : themeColour("soft"));
  }
  if (!record) return;
  context.lineWidth = 2;
  stage.dot(record.x, 9, ink, false);
  stage.differences(record, F, phase);
  stage.trial(record, phase);
}

// A trial in words.

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

/** What becomes of the trial, in a sentence */
function endOf({ outside, refused, accepted }, strategy) {
  if (refused) return "It is forgotten, and its target stays";
  if (outside && strategy === "dismiss") {
    return accepted ? "The target stays, with the newer value, which is no worse" : "The target stays as it is";
  }
  return accepted ? "It is no worse: it replaces its target" : "It is worse: it is forgotten";
}

/** What happened to a trial, in sentences */
export function tell(record, strategy) {
  if (!record) return "Press play, or step for one trial.";
  const place = record.outside ? `The trial is outside; ${fateOf(record, strategy)}` : "The trial is inside";
  return `Generation ${record.generation}, target ${record.target + 1}. ${place}. ${endOf(record, strategy)}.`;
}

/** The parts of a trial: when each is told, the colour of its dot, its name, and what it is */
function parts(record, { strategy, F }) {
  if (!record) {
    return [["target", "target", "the individual that the trial may replace"],
      ["blue", "mutant", "base + F × difference"], ["blue", "trial", "takes some components of the mutant"],
      ["orange", "outside", `then ${shortName(strategy)} says where it goes`],
      ["accepted", "accepted", "if its value is no worse"]].map((part) => [0, ...part]);
  }
  const { x, before, mutant, trial, outside, refused, repaired, accepted, f } = record;
  const taken = trial.map((value, d) => (value === mutant[d] ? "xy"[d] : "")).join(""),
    from = taken.length === 2 ? "all" : `${taken} only`, end = accepted ? "accepted" : "forgotten";
  return [[0, "target", "target", `${point(x)}, value ${before.toPrecision(3)}`],
    [0, "blue", "mutant", `${point(mutant)}: base + ${F} × difference`],
    [PHASES.outside, outside ? "orange" : "blue", "trial", `${point(trial)}: ${from} of the mutant`],
    outside ? [PHASES.repaired, "orange", "outside",
      `${fateOf(record, strategy)}${refused ? "" : `: ${point(repaired)}`}`]
      : [PHASES.repaired, "none", "inside", "nothing to repair"],
    [PHASES.judged, end, end, Number.isFinite(f)
      ? `value ${f.toPrecision(3)} ${accepted ? "≤" : ">"} ${before.toPrecision(3)}` : "without a value"]];
}

/** The list of a trial's parts; those that are not told yet are grey */
export function storyOf(record, config, phase) {
  return parts(record, config).map(([when, dot, name, text]) => html("li", { class: phase < when ? "later" : null },
    html("i", { class: `dot dot-${dot}` }), html("span", {}, html("strong", {}, name),
      ` ${phase < when ? "" : text}`)));
}

// The view.

const SPEEDS = { slow: 2400, medium: 900, fast: 60 }; // milliseconds of a trial
const STRIP = 100, LANDSCAPE_NAMES = Object.keys(LANDSCAPES),
  USUAL = { mutation: "rand/1", crossover: "bin", strategy: "mirror" };
const LIKELY = { N: [5, 10, 20, 50], F: [0.2, 0.5, 0.8, 1.2, 2], Cr: [0.1, 0.5, 0.9, 1] }; // offered
const STRIP_IN_WORDS = `the last ${STRIP} trials: orange ones were outside, grey ones inside; tall ones were accepted`;

/** What the address says of a run to look into, the usual for what it leaves out; `refuse` is told what cannot be */
function insideSettings(study, params, refuse) {
  const c = params.get("c"), wanted = parseVariant(c), slots = Object.keys(USUAL);
  const variant = Object.fromEntries(slots.map((slot) =>
    [slot, wanted && isHere(study, slot, wanted[slot]) ? wanted[slot] : USUAL[slot]]));
  if (c && slots.some((slot) => variant[slot] !== wanted?.[slot])) refuse(`c=${c}`);
  const pace = params.get("speed") ?? "medium", isKnown = Object.hasOwn(SPEEDS, pace);
  if (!isKnown) refuse(`speed=${pace}`);
  const whole = (name, otherwise, limits) => numberIn(params, name, otherwise, limits, refuse, Number.isSafeInteger);
  const config = { ...variant, donors: "distinct", N: whole("N", 10, [5, 50]),
    F: numberIn(params, "F", 0.8, [0.05, 2], refuse), Cr: numberIn(params, "Cr", 0.9, [0, 1], refuse) };
  return { config, landscape: LANDSCAPE_NAMES[whole("on", 0, [0, LANDSCAPE_NAMES.length - 1])],
    seed: whole("seed", 1, [0, 1e9]), pace: isKnown ? pace : "medium" };
}

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
    isStill = matchMedia("(prefers-reduced-motion: reduce)").matches, picture = landscapePicture(landscape);
  const walk = new Trials(core, planOf(study.operators, config), seed, LANDSCAPES[landscape]);
  const differences = walk.parents(0, [0, 0, 0, 0, 0]).pairs.length / 2,
    margin = 0.24 + 0.16 * config.F * Math.sqrt(differences); // room for trials outside: more for larger steps
  const canvas = html("canvas", { role: "img", id: "box",
    "aria-label": "the box, its population, and the present trial" });
  const strip = html("canvas", { role: "img", "aria-label": STRIP_IN_WORDS });
  const line = html("p", { class: "readout", "aria-live": "polite" }), counts = html("p", { class: "status" }),
    story = html("ol", { class: "story" }), frame = html("div", { class: "square" }, canvas);
  let record = null, before = walk.P.slice(), recent = [], phase = 1, playing = false, speed = pace, last = 0,
    asked = 0;

  const draw = () => {
    const size = Math.min(frame.clientWidth || 500, 600), trials = walk.evaluations - config.N;
    drawWalk(sharpContext(canvas, size, size), size, margin, config.F, before, record, phase, picture);
    drawStrip(strip, size, recent);
    story.replaceChildren(...storyOf(record, config, phase));
    line.textContent = tell(record, config.strategy);
    const share = trials ? ` (${readable(walk.infeasible / trials)})` : "";
    counts.textContent = `${walk.infeasible} of ${trials} trials outside${share}, ${walk.accepted} accepted, `
      + `generation ${walk.generation}`;
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
    if (isStill || SPEEDS[speed] < 100) phase = 1;
    draw();
    asked = requestAnimationFrame(tick);
  };
  const play = button("play", () => {
    playing = !playing;
    play.textContent = playing ? "pause" : "play";
    line.setAttribute("aria-live", playing ? "off" : "polite");
    last = -Infinity;
    cancelAnimationFrame(asked);
    if (playing) asked = requestAnimationFrame(tick);
  }, { class: "strong" });
  const one = button("step", () => {
    if (playing) play.click();
    advance();
    phase = 1;
    draw();
  });
  const again = button("another run", () =>
    go("inside", { ...Object.fromEntries(params), seed: Math.floor(Math.random() * 1e6) }));
  const change = (values) => {
    const { N, F, Cr, on = LANDSCAPE_NAMES.indexOf(landscape), ...variant } = { ...config, ...values };
    go("inside", { c: variantName(variant), N, F, Cr, on, speed });
  };
  const here = (slot) => Object.keys(study.operators[slot]).filter((name) => isHere(study, slot, name));
  const nearby = (name) => [...new Set([...LIKELY[name], config[name]])].sort((a, b) => a - b);
  root.replaceChildren(html("h1", {}, "Inside a run"), html("p", { class: "lead" },
    "Two variables, one box. A difference of two individuals, added to the base, gives the mutant. "
      + "A trial outside is orange, and the strategy says where it goes."), refusal(refused),
  html("div", { class: "inside" },
    html("div", { class: "stage" }, frame, strip, html("p", { class: "soft" }, STRIP_IN_WORDS)),
    html("div", {}, html("div", { class: "row" }, play, one, again), counts, story, line),
    html("div", { class: "controls" },
      choose("landscape", LANDSCAPE_NAMES, landscape, (name) => change({ on: LANDSCAPE_NAMES.indexOf(name) })),
      ...Object.keys(USUAL).map((slot) =>
        choose(slot, here(slot), config[slot], (name) => change({ [slot]: name }), shortName)),
      ...Object.keys(LIKELY).map((name) =>
        choose(name, nearby(name), config[name], (value) => change({ [name]: value }))),
      choose("speed", Object.keys(SPEEDS), speed, (name) => { speed = name; }))));
  draw();
  return { redraw: draw, close: () => { playing = false; cancelAnimationFrame(asked); } };
}
