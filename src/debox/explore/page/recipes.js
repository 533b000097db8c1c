// How to repeat the runs of a stored configuration, to the bit.

import { configName } from "./address.js";

/** The command and the Python lines that give the same runs; no command if it has no option for the checkpoints */
export function recipes(study, values) {
  const settings = [study.donors === (study.adaptation === "fixed" ? "distinct" : "not-target") ? "" : `, donors=${study.donors}`,
    study.reevaluate || values.strategy !== "dismiss" ? "" : ", reevaluate=False", study.frozen ? ", frozen=True" : "",
    study.repair === "trial" ? "" : `, repair=${study.repair}`, study.adaptation === "fixed" ? "" : `, adaptation=${study.adaptation}`];
  const config = configName(values) + settings.join(""), { dimension: n, budget, planned: runs } = study, seed = study.seed ?? 0;
  const usual = study.shares.length === 2 && study.shares[0] === 1 / 3 && study.shares[1] === 2 / 3;
  const engine = (study.engine ?? "auto") === "auto" ? ["", ""] : [` --engine ${study.engine}`, `, engine="${study.engine}"`];
  const command = `debox measure "${config}" -n ${n} --budget ${budget} --runs ${runs} --seed ${seed}${engine[0]}`;
  const shares = usual ? "" : `, checkpoints=[${study.shares.join(", ")}]`;
  const python = `import debox\n\nfound = debox.measure(\n    "${config}",\n` +
    `    n=${n}, budget=${budget}, runs=${runs}, rng=${seed}${engine[1]}${shares}\n)\nprint(found.pois)`;
  return { python, command: usual ? command : "" };
}
