/** How a scrape that meets one worker reads all of them: it asks the supervisor, who asks everyone. */
import type { Worker } from 'node:cluster';
import { joinMetrics, type PartOfMetrics } from '../../platform/joined-metrics.ts';
import { type ToSupervisor, type ToWorker, tellWorker } from './messages.ts';

/** A worker that is starting, or stuck, is left out after this time. */
const patienceMillis = 2_500;

interface Question {
  readonly parts: PartOfMetrics[];
  readonly waitsFor: Set<number>;
  readonly answer: () => void;
}

type Numbered = { readonly number: number; readonly worker: Worker };

/** The supervisor's part. */
export class MetricsExchange {
  readonly #workers: () => readonly Numbered[];
  readonly #restarts: () => number;
  readonly #open = new Map<number, Question>();
  #next = 0;

  constructor(workers: () => readonly Numbered[], restarts: () => number) {
    this.#workers = workers;
    this.#restarts = restarts;
  }

  receive(number: number, from: Worker, message: ToSupervisor): void {
    if (message.type === 'ask-metrics') this.#ask(from, message.question);
    if (message.type === 'own-metrics') this.#take(number, message.question, message.text);
  }

  #ask(from: Worker, theirs: number): void {
    const workers = this.#workers();
    const id = this.#next;
    this.#next += 1;
    const parts: PartOfMetrics[] = [];
    const answer = (): void => {
      clearTimeout(timer);
      if (!this.#open.delete(id)) return;
      tellWorker(from, { type: 'metrics', question: theirs, parts: [{ worker: 0, text: this.#own() }, ...parts] });
    };
    const timer = setTimeout(answer, patienceMillis);
    this.#open.set(id, { parts, waitsFor: new Set(workers.map(({ number }) => number)), answer });
    for (const { worker } of workers) tellWorker(worker, { type: 'read-metrics', question: id });
  }

  #take(number: number, id: number, text: string): void {
    const question = this.#open.get(id);
    if (question?.waitsFor.delete(number) !== true) return;
    question.parts.push({ worker: number, text });
    if (question.waitsFor.size === 0) question.answer();
  }

  #own(): string {
    return [
      '# HELP gatehouse_workers Workers that run.',
      '# TYPE gatehouse_workers gauge',
      `gatehouse_workers ${this.#workers().length}`,
      '# HELP gatehouse_worker_restarts_total Workers that ended by themselves, and were replaced.',
      '# TYPE gatehouse_worker_restarts_total counter',
      `gatehouse_worker_restarts_total ${this.#restarts()}`,
      '',
    ].join('\n');
  }
}

/** A worker's part: asks for everybody's numbers, and answers with its own. */
export class MetricsOfAll {
  readonly #send: (message: ToSupervisor) => void;
  readonly #waiting = new Map<number, (text: string | null) => void>();
  #next = 0;

  constructor(send: (message: ToSupervisor) => void) {
    this.#send = send;
  }

  /** Everybody's numbers; only `own` when the supervisor does not answer. */
  async gather(own: () => Promise<string>): Promise<string> {
    const id = this.#next;
    this.#next += 1;
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const timer = setTimeout(() => resolve(null), 2 * patienceMillis);
    this.#waiting.set(id, resolve);
    this.#send({ type: 'ask-metrics', question: id });
    const text = await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    return text ?? own();
  }

  receive(message: ToWorker, own: () => Promise<string>): void {
    if (message.type === 'metrics') this.#waiting.get(message.question)?.(joinMetrics(message.parts));
    if (message.type !== 'read-metrics') return;
    const { question } = message;
    own().then(
      (text) => this.#send({ type: 'own-metrics', question, text }),
      // Left out of the answer, as a worker that does not answer is.
      () => undefined,
    );
  }
}
