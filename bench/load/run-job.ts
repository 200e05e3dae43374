/** Runs one job: all connections at once, until the time or the count is reached, each answer timed. */
import { Connection } from './connection.ts';
import { type Job, type Outcome, stepsOf } from './job.ts';
import type { NextRequest } from './request-bytes.ts';
import { requestsFor } from './requests.ts';

export const runJob = async (job: Job): Promise<Outcome> => {
  const cpuBefore = process.cpuUsage();
  const run = new Run(job);
  const sources = requestsFor(job.workload, job.port, job.connections);
  await Promise.all(sources.map((next, index) => run.drive(next, index / sources.length)));
  const cpu = process.cpuUsage(cpuBefore);
  return { ...run.outcome(), ownCpu: (cpu.user + cpu.system) / 1000 };
};

class Run {
  readonly #job: Job;
  readonly #began = performance.now();
  readonly #times: number[] = [];
  #asked = 0;
  #last = this.#began;

  constructor(job: Job) {
    this.#job = job;
  }

  /**
   * One connection from its first request to its last.
   * @param phase share of its interval by which it starts later, to spread the requests
   */
  drive(next: NextRequest, phase: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const steps = stepsOf(this.#job.workload);
      let answeredSteps = 0;
      let sentAt = 0;
      let due = performance.now() + (phase - 1) * this.#interval();
      const connection = new Connection(this.#job.port, this.#job.acceptsRefusals ?? false, {
        answered: (body) => {
          this.#last = performance.now();
          answeredSteps = (answeredSteps + 1) % steps;
          if (answeredSteps > 0) {
            connection.send(next(body));
            return;
          }
          this.#times.push(this.#last - sentAt);
          ask(body);
        },
        failed: (error) => {
          connection.close();
          reject(error);
        },
      });
      const send = (request: Buffer, at: number): void => {
        sentAt = at;
        connection.send(request);
      };
      const ask = (answer: Buffer | null): void => {
        // Also after the last answer: the next job needs the current pair.
        const request = next(answer);
        if (this.#isOver()) {
          connection.close();
          resolve();
          return;
        }
        this.#asked += 1;
        due += this.#interval();
        const wait = due - performance.now();
        // A late request after a slow one counts from its scheduled start.
        if (this.#job.rate === undefined) send(request, performance.now());
        else if (wait <= 0) send(request, due);
        else setTimeout(() => send(request, performance.now()), wait);
      };
      ask(null);
    });
  }

  outcome(): Omit<Outcome, 'ownCpu'> {
    const sorted = Float64Array.from(this.#times).sort();
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    const seconds = (this.#last - this.#began) / 1000;
    return { requests: sorted.length, seconds, p50: at(0.5), p99: at(0.99), longest: at(1) };
  }

  #isOver(): boolean {
    const { seconds, count = Number.POSITIVE_INFINITY } = this.#job;
    return this.#asked >= count || performance.now() - this.#began >= seconds * 1000;
  }

  #interval(): number {
    const { rate, connections } = this.#job;
    return rate === undefined ? 0 : (connections * 1000) / rate;
  }
}
