/** Metrics of all workers in one scrape: the scraped worker asks the supervisor, which asks every worker. */
import type { Worker } from 'node:cluster';
import { getOrInsert } from '../../kernel/collections.ts';
import { scaledMillis } from '../../kernel/waits/wait-scale.ts';
import { within } from '../../kernel/waits/within.ts';

/** A worker that is starting or stuck is omitted after this time. */
const limits = scaledMillis({ answerMillis: 2_500 });

interface Question {
  readonly parts: PartOfMetrics[];
  readonly waitsFor: Set<number>;
  /** Ends the wait before the timeout. */
  readonly complete: () => void;
}

type Numbered = { readonly number: number; readonly worker: Worker };

/** The supervisor's side. */
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
    const { promise, resolve: complete } = Promise.withResolvers<void>();
    this.#open.set(id, { parts, waitsFor: new Set(workers.map(({ number }) => number)), complete });
    for (const { worker } of workers) sendToWorker(worker, { type: 'read-metrics', question: id });
    const answer = (): void => {
      this.#open.delete(id);
      sendToWorker(from, { type: 'metrics', question: theirs, parts: [{ worker: 0, text: this.#own() }, ...parts] });
    };
    // The wait never rejects.
    within(limits.answerMillis, promise, () => undefined).then(answer, answer);
  }

  #take(number: number, id: number, text: string): void {
    const question = this.#open.get(id);
    if (question?.waitsFor.delete(number) !== true) return;
    question.parts.push({ worker: number, text });
    if (question.waitsFor.size === 0) question.complete();
  }

  #own(): string {
    return [
      '# HELP gatehouse_workers Running workers.',
      '# TYPE gatehouse_workers gauge',
      `gatehouse_workers ${this.#workers().length}`,
      '# HELP gatehouse_worker_restarts_total Workers that ended unexpectedly and were replaced.',
      '# TYPE gatehouse_worker_restarts_total counter',
      `gatehouse_worker_restarts_total ${this.#restarts()}`,
      '',
    ].join('\n');
  }
}

/** The worker's side: requests the metrics of all workers, and answers with its own. */
export class MetricsOfAll {
  readonly #send: (message: ToSupervisor) => void;
  readonly #waiting = new Map<number, (text: string | null) => void>();
  #next = 0;

  constructor(send: (message: ToSupervisor) => void) {
    this.#send = send;
  }

  /** The metrics of all workers, or only `own` when the supervisor does not answer. */
  async gather(own: () => Promise<string>): Promise<string> {
    const id = this.#next;
    this.#next += 1;
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#waiting.set(id, resolve);
    this.#send({ type: 'ask-metrics', question: id });
    const text = await within(2 * limits.answerMillis, promise, () => null);
    this.#waiting.delete(id);
    return text ?? own();
  }

  receive(message: ToWorker, own: () => Promise<string>): void {
    if (message.type === 'metrics') this.#waiting.get(message.question)?.(joinMetrics(message.parts));
    if (message.type !== 'read-metrics') return;
    const { question } = message;
    own().then(
      (text) => this.#send({ type: 'own-metrics', question, text }),
      // On failure this worker is omitted, like one that does not answer.
      () => undefined,
    );
  }
}

// Merges the Prometheus texts of several processes, with a `worker` label on each series.

interface PartOfMetrics {
  /** Must come from a small closed list, such as 1 to 8: each value is a separate series. */
  readonly worker: number;
  /** Prometheus text format, version 0.0.4. */
  readonly text: string;
}

interface Family {
  /** The HELP and TYPE lines, printed once. */
  readonly head: Set<string>;
  readonly samples: string[];
}

/**
 * Groups the samples by family, as the format requires.
 * @internal A test covers the cases that no request reaches.
 */
export const joinMetrics = (parts: readonly PartOfMetrics[]): string => {
  const families = new Map<string, Family>();
  for (const part of parts) addPart(families, part);
  const lines = Array.from(families.values(), ({ head, samples }) => [...head, ...samples]).flat();
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
};

const addPart = (families: Map<string, Family>, { worker, text }: PartOfMetrics): void => {
  let current = familyOf(families, '');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const name = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1];
    if (name === undefined) current.samples.push(labelled(line, worker));
    else {
      current = familyOf(families, name);
      current.head.add(line);
    }
  }
};

const familyOf = (families: Map<string, Family>, name: string): Family =>
  getOrInsert(families, name, () => ({ head: new Set(), samples: [] }));

/** A quoted label value may contain any character, so the text between the braces is not parsed. */
const labelled = (sample: string, worker: number): string => {
  const [name = ''] = /^[^{ ]+/.exec(sample) ?? [];
  const rest = sample.slice(name.length);
  if (!rest.startsWith('{')) return `${name}{worker="${worker}"}${rest}`;
  const comma = rest.startsWith('{}') ? '' : ',';
  return `${name}{worker="${worker}"${comma}${rest.slice(1)}`;
};

// Messages between the processes of `serve --workers`. All run the same build, and no other process can send them.

export type ToWorker =
  | { readonly type: 'ping' }
  | { readonly type: 'drain' }
  | { readonly type: 'read-metrics'; readonly question: number }
  /** The metrics of all workers. */
  | { readonly type: 'metrics'; readonly question: number; readonly parts: readonly PartOfMetrics[] };

export type ToSupervisor =
  | { readonly type: 'ready' }
  | { readonly type: 'pong' }
  /** Requests the metrics of all workers. */
  | { readonly type: 'ask-metrics'; readonly question: number }
  | { readonly type: 'own-metrics'; readonly question: number; readonly text: string };

/** Skips a worker that is disconnecting. */
export const sendToWorker = (worker: Worker, message: ToWorker): void => {
  if (worker.isConnected()) worker.send(message);
};
