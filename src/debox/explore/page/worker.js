// A worker: does batches of runs that the page asks for. A batch is one message, so that the page may change its mind.

import { Core } from "./core.js";

let core = null, planned = "";

self.onmessage = ({ data: { module, ticket, job } }) => {
  if (module) {
    core = new Core(module);
    return;
  }
  const started = performance.now(), plan = JSON.stringify(job.plan);
  try {
    if (plan !== planned) core.configure(job.plan);
    planned = plan;
    const infeasible = Array.from({ length: job.count }, (_, k) => core.run(job.seed, job.first + k));
    self.postMessage({ ticket, job, infeasible, milliseconds: performance.now() - started });
  } catch (error) {
    self.postMessage({ ticket, job, error: error.message });
  }
};
