// How to repeat runs, to the bit: the command and the Python lines, with a button that copies them.

import { configName, shortName } from "./address.js";
import { html } from "./dom.js";

const NAME = /^[A-Za-z0-9][A-Za-z0-9-]*(\/[A-Za-z0-9][A-Za-z0-9-]*)*$/; // an operator: operators/kinds.py
const SLOTS_OF_TEXT = ["mutation", "crossover", "strategy"];
const NO_LINES = "# no lines: debox takes no operator of such a name";

/** May all these names and values stand in a command? Only those that debox takes as names, numbers, true and false */
function isPlain(values, settings, numbers) {
  const plain = (value) => typeof value === "boolean" || Number.isFinite(value) || (typeof value === "string" && NAME.test(value));
  const names = SLOTS_OF_TEXT.flatMap((slot) => [values[slot], shortName(values[slot])]);
  return [values.N, values.F, values.Cr, ...numbers].every(Number.isFinite) && [...names, ...Object.entries(settings).flat()].every(plain);
}

/** Operators of a configuration that are not debox's own: whoever repeats it needs the file that has them */
export function foreign(values, settings, operators) {
  const named = { ...values, ...settings };
  return Object.keys(operators ?? {}).filter((slot) => named[slot] && !Object.hasOwn(operators[slot], named[slot])).map((slot) => named[slot]);
}

/** ", donors=not-target": settings that are not the usual ones, as a configuration's text has them */
export function settingsText(settings) {
  const written = (value) => (value === true ? "True" : value === false ? "False" : value);
  return Object.entries(settings).map(([name, value]) => `, ${name}=${written(value)}`).join("");
}

/** Settings with the adaptation of a configuration among them, if it names one that is not the usual */
function withAdaptation({ adaptation = "fixed", ...values }, settings) {
  return [values, adaptation === "fixed" ? settings : { ...settings, adaptation }];
}

/** The command that runs a configuration with these settings; "" if a name of it is none that debox takes */
export function measureCommand(configuration, others, { n, budget, runs, seed, operators }) {
  const [values, settings] = withAdaptation(configuration, others);
  if (!isPlain(values, settings, [n, budget, runs, seed])) return "";
  const file = foreign(values, settings, operators).length ? " --operators FILE" : "";
  return `debox measure "${configName(values)}${settingsText(settings)}" -n ${n} --budget ${budget} --runs ${runs} --seed ${seed}${file}`;
}

/** The command and the Python lines that give the same runs; no command if it has no option for the checkpoints */
export function recipes(study, configuration) {
  const [values, settings] = withAdaptation(configuration, study.settings), { dimension: n, budget, planned: runs } = study, seed = study.seed ?? 0;
  const usual = study.shares.length === 2 && study.shares[0] === 1 / 3 && study.shares[1] === 2 / 3;
  const engine = (study.engine ?? "auto") === "auto" ? ["", ""] : [` --engine ${study.engine}`, `, engine="${study.engine}"`];
  const command = measureCommand(values, settings, { n, budget, runs, seed, operators: study.operators });
  if (!command || !NAME.test(study.engine ?? "auto")) return { python: NO_LINES, command: "" };
  const others = foreign(values, settings, study.operators);
  const first = others.length ? `# first import the module that registers ${others.join(" and ")}\n` : "";
  const shares = usual ? "" : `, checkpoints=[${study.shares.join(", ")}]`;
  const python = `${first}import debox\n\nfound = debox.measure(\n    "${configName(values)}${settingsText(settings)}",\n` +
    `    n=${n}, budget=${budget}, runs=${runs}, rng=${seed}${engine[1]}${shares}\n)\nprint(found.pois)`;
  return { python, command: usual ? command + engine[0] : "" };
}

/** A text with a title and a button that copies it */
export function copyable(title, text) {
  const code = html("code", {}, text);
  const button = html("button", { type: "button", "aria-label": `copy: ${title}`, onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "selected: press Ctrl-C";
    }
  } }, "copy");
  return html("div", { class: "recipe" }, html("div", { class: "row" }, html("h3", {}, title), button),
    html("pre", { tabindex: 0, "aria-label": title, role: "region" }, code));
}
