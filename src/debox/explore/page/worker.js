// A worker: does batches of runs that the page asks for. A batch is one message, so that the page may change its mind.

import { Engine } from "./engine.js";
import { Random } from "./rng.js";

let engineKey = "", engineNow = null;

/** The engine of a configuration, kept as long as the same one is asked for */
function engineFor(config) {
  const key = JSON.stringify(config);
  if (key !== engineKey) {
    engineNow = new Engine(config);
    engineKey = key;
  }
  return engineNow;
}

self.onmessage = ({ data: { ticket, job } }) => {
  const started = performance.now(), infeasible = [];
  try {
    const engine = engineFor(job.config);
    for (let k = 0; k < job.count; k++) infeasible.push(engine.run(new Random(job.seed, job.first + k)).infeasible);
    self.postMessage({ ticket, job, infeasible, milliseconds: performance.now() - started });
  } catch (error) {
    self.postMessage({ ticket, job, error: error.message });
  }
};
