// Workers that do the jobs of the newest ticket: answers to older ones are never painted, and a worker that is still
// busy with one a while after it was abandoned is replaced, however many tickets follow meanwhile.

const PATIENCE = 150; // milliseconds that an abandoned job may take

/** Some workers; `jobs` of a ticket is an iterator that is asked for the next job whenever a worker is idle. */
export class Pool {
  constructor(makeWorker, size) {
    this.makeWorker = makeWorker;
    this.ticket = 0;
    this.jobs = null;
    this.paint = () => {};
    this.seats = Array.from({ length: size }, () => this.seat());
  }

  /** A worker and what it does now. */
  seat() {
    const seat = { worker: this.makeWorker(), busy: 0, deadline: 0 };
    seat.worker.onmessage = ({ data }) => this.answer(seat, data);
    return seat;
  }

  /** Do these jobs now, and nothing else: a new ticket. */
  start(jobs, paint) {
    this.ticket++;
    this.jobs = jobs;
    this.paint = paint;
    for (const seat of this.seats) {
      if (!seat.busy) this.give(seat);
      else if (!seat.deadline) seat.deadline = setTimeout(() => this.replace(seat), PATIENCE);
    }
    return this.ticket;
  }

  /** Stop: no answer that is under way is painted. */
  stop() {
    return this.start([][Symbol.iterator](), () => {});
  }

  /** Replace a worker that is still busy with an older ticket. */
  replace(seat) {
    const place = this.seats.indexOf(seat);
    seat.worker.terminate();
    this.seats[place] = this.seat();
    this.give(this.seats[place]);
  }

  /** Give the next job to an idle worker. */
  give(seat) {
    const { value: job, done } = this.jobs ? this.jobs.next() : { done: true };
    seat.busy = done ? 0 : this.ticket;
    if (!done) seat.worker.postMessage({ ticket: this.ticket, job });
  }

  /** A worker is done with a job. */
  answer(seat, data) {
    if (!this.seats.includes(seat)) return;
    clearTimeout(seat.deadline);
    Object.assign(seat, { busy: 0, deadline: 0 });
    if (data.ticket === this.ticket) this.paint(data);
    this.give(seat);
  }
}

/** Workers from the text of a script, by a blob: the one way that works from file:// under the page's policy. */
export function workerMaker(text, module) {
  const address = URL.createObjectURL(new Blob([`"use strict";\n${text}`], { type: "text/javascript" }));
  return () => {
    const worker = new Worker(address);
    worker.postMessage({ module });
    return worker;
  };
}
