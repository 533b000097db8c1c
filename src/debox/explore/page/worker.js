// Workers: what one does, and a pool of them for the jobs of the newest ticket. Answers to older tickets are never
// painted, and a worker that is still busy with one a while after it was abandoned is replaced.

import { Core } from "./core.js";

const PATIENCE = 150; // milliseconds that an abandoned job may take, however many tickets follow meanwhile

/** In a worker: do batches of runs. A batch is one message, so that the page may change its mind. */
export function work() {
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
}

/** Workers from this module as a script, by a blob: the one way that works from file:// under the page's policy */
export function workerMaker(text, module) {
  const address = URL.createObjectURL(new Blob([`"use strict";\n${text}\nwork();`], { type: "text/javascript" }));
  return () => {
    const worker = new Worker(address);
    worker.postMessage({ module });
    return worker;
  };
}

/** Some workers; `jobs` of a ticket is an iterator that is asked for the next job whenever a worker is idle */
export class Pool {
  constructor(makeWorker, size) {
    Object.assign(this, { makeWorker, ticket: 0, jobs: [].values(), paint: () => {} });
    this.seats = Array.from({ length: size }, () => this.seat());
  }

  /** A worker and whether it is busy, and until when it may be */
  seat() {
    const seat = { worker: this.makeWorker(), busy: false, deadline: 0 };
    seat.worker.onmessage = ({ data }) => this.answer(seat, data);
    return seat;
  }

  /** Do these jobs now, and nothing else: a new ticket */
  start(jobs, paint) {
    Object.assign(this, { ticket: this.ticket + 1, jobs, paint });
    for (const seat of this.seats) {
      if (!seat.busy) this.give(seat);
      else if (!seat.deadline) seat.deadline = setTimeout(() => this.replace(seat), PATIENCE);
    }
  }

  /** Stop: no answer that is under way is painted */
  stop() {
    this.start([].values(), () => {});
  }

  /** Replace a worker that is still busy with an older ticket */
  replace(seat) {
    const place = this.seats.indexOf(seat);
    seat.worker.terminate();
    this.seats[place] = this.seat();
    this.give(this.seats[place]);
  }

  /** Give the next job to an idle worker */
  give(seat) {
    const { value: job, done } = this.jobs.next();
    seat.busy = !done;
    if (!done) seat.worker.postMessage({ ticket: this.ticket, job });
  }

  /** A worker is done with a job */
  answer(seat, data) {
    if (!this.seats.includes(seat)) return; // of one that was replaced
    clearTimeout(seat.deadline);
    seat.deadline = 0;
    if (data.ticket === this.ticket) this.paint(data);
    this.give(seat);
  }
}
