// How to repeat runs, to the bit: the command and the Python lines, with a button that copies them.

import { configName } from "./address.js";
import { html } from "./dom.js";

/** ", donors=not-target": settings that are not the usual ones, as a configuration's text has them */
function settingsText(settings) {
  const written = (value) => (value === true ? "True" : value === false ? "False" : value);
  return Object.entries(settings).map(([name, value]) => `, ${name}=${written(value)}`).join("");
}

/** The command that runs a configuration with these settings */
export function measureCommand(values, settings, { n, budget, runs, seed }) {
  return `debox measure "${configName(values)}${settingsText(settings)}" -n ${n} --budget ${budget} --runs ${runs} --seed ${seed}`;
}

/** The command and the Python lines that give the same runs; no command if it has no option for the checkpoints */
export function recipes(study, values) {
  const { dimension: n, budget, planned: runs, settings } = study, seed = study.seed ?? 0;
  const usual = study.shares.length === 2 && study.shares[0] === 1 / 3 && study.shares[1] === 2 / 3;
  const engine = (study.engine ?? "auto") === "auto" ? ["", ""] : [` --engine ${study.engine}`, `, engine="${study.engine}"`];
  const command = measureCommand(values, settings, { n, budget, runs, seed }) + engine[0];
  const shares = usual ? "" : `, checkpoints=[${study.shares.join(", ")}]`;
  const python = `import debox\n\nfound = debox.measure(\n    "${configName(values)}${settingsText(settings)}",\n` +
    `    n=${n}, budget=${budget}, runs=${runs}, rng=${seed}${engine[1]}${shares}\n)\nprint(found.pois)`;
  return { python, command: usual ? command : "" };
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
