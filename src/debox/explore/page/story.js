// What happens to a trial, in words and numbers: the legend of the view "Inside a run".

import { shortName } from "./address.js";
import { html } from "./dom.js";
import { PHASES } from "./stage.js";
import { STRATEGIES } from "./strategies.js";

/** A coordinate with two digits, and so many more that one outside the box does not look as if it were inside */
export function coordinate(x) {
  const beyond = x < 0 ? -x : x - 1, digits = beyond > 0 && beyond < 0.005 ? Math.min(17, 1 - Math.floor(Math.log10(beyond))) : 2;
  return x.toFixed(digits).replace("-", "−");
}

const point = (xs) => `(${xs.map(coordinate).join(", ")})`;

/** What the strategy does, in a clause */
function fateOf({ drawn }, strategy) {
  const { loses, redraws } = STRATEGIES[strategy];
  if (loses) return `${shortName(strategy)} makes it worse than any other`;
  if (strategy === "dismiss") return `${shortName(strategy)} puts its target in its place`;
  return `${shortName(strategy)} brings it back${redraws ? ` after ${drawn} draws` : ""}`;
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
  if (outside && strategy === "dismiss") return accepted ? "The target stays, with the newer value, which is no worse" : "The target stays as it is";
  return accepted ? "It is no worse: it replaces its target" : "It is worse: it is forgotten";
}

/** The parts of a trial: when each is told, the colour of its dot, its name, and what it is */
function parts(record, { strategy, F }) {
  if (!record) {
    return [[0, "target", "target", "the individual that the trial may replace"], [0, "blue", "mutant", "base + F × difference"],
      [0, "blue", "trial", "takes some components of the mutant"],
      [0, "orange", "outside", `then ${shortName(strategy)} says where it goes`], [0, "accepted", "accepted", "if its value is no worse"]];
  }
  const { x, before, mutant, trial, outside, repaired, accepted, f } = record;
  const taken = trial.map((value, d) => (value === mutant[d] ? "xy"[d] : "")).join(""), from = taken.length === 2 ? "all" : `${taken} only`;
  return [[0, "target", "target", `${point(x)}, value ${before.toPrecision(3)}`],
    [0, "blue", "mutant", `${point(mutant)}: base + ${F} × difference`],
    [PHASES.outside, outside ? "orange" : "blue", "trial", `${point(trial)}: ${from} of the mutant`],
    [PHASES.repaired, outside ? "orange" : "none", outside ? "outside" : "inside", outside ? `${fateOf(record, strategy)}${record.refused ? "" : `: ${point(repaired)}`}` : "nothing to repair"],
    [PHASES.judged, accepted ? "accepted" : "forgotten", accepted ? "accepted" : "forgotten",
      Number.isFinite(f) ? `value ${f.toPrecision(3)} ${accepted ? "≤" : ">"} ${before.toPrecision(3)}` : "without a value"]];
}

/** The list of a trial's parts; those that are not told yet are grey */
export function storyOf(record, config, phase) {
  return parts(record, config).map(([when, dot, name, text]) => html("li", { class: phase < when ? "later" : null },
    html("i", { class: `dot dot-${dot}` }), html("span", {}, html("strong", {}, name), ` ${phase < when ? "" : text}`)));
}
