/** How a scrape that meets one worker reads all of them: it asks the supervisor, who asks everyone. */
import type { Worker } from 'node:cluster';

/** A worker that is starting, or stuck, is left out after this time. */
const timeoutMillis = 2_500;

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
    const timer = setTimeout(answer, timeoutMillis);
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
    const timer = setTimeout(() => resolve(null), 2 * timeoutMillis);
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

// One text for Prometheus out of those of several processes that answer at one port: whichever of them a scrape meets, it
// reads all of them, each series with the `worker` that it is of.

export interface PartOfMetrics {
  /** Of a small closed list, such as 1 to 8: each is a series of its own. */
  readonly worker: number;
  /** In the text format of Prometheus, version 0.0.4. */
  readonly text: string;
}

interface Family {
  /** The lines of HELP and TYPE, which stand once. */
  readonly head: Set<string>;
  readonly samples: string[];
}

/** The format wants the lines of a family together. */
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

const familyOf = (families: Map<string, Family>, name: string): Family => {
  const known = families.get(name);
  if (known !== undefined) return known;
  const family = { head: new Set<string>(), samples: [] };
  families.set(name, family);
  return family;
};

/** What stands between the braces may hold any character within its quotes, so it is left as it is. */
const labelled = (sample: string, worker: number): string => {
  const [name = ''] = /^[^{ ]+/.exec(sample) ?? [];
  const rest = sample.slice(name.length);
  if (!rest.startsWith('{')) return `${name}{worker="${worker}"}${rest}`;
  const comma = rest.startsWith('{}') ? '' : ',';
  return `${name}{worker="${worker}"${comma}${rest.slice(1)}`;
};

// What the processes of `serve --workers` tell each other. They are of one build: nobody else can send here.

export type ToWorker =
  /** Say that you live. */
  | { readonly type: 'ping' }
  /** End in order. */
  | { readonly type: 'drain' }
  /** Answer with your numbers. */
  | { readonly type: 'read-metrics'; readonly question: number }
  /** What all of them answered. */
  | { readonly type: 'metrics'; readonly question: number; readonly parts: readonly PartOfMetrics[] };

export type ToSupervisor =
  /** It listens. */
  | { readonly type: 'ready' }
  /** It lives. */
  | { readonly type: 'pong' }
  /** Ask all of us for our numbers. */
  | { readonly type: 'ask-metrics'; readonly question: number }
  | { readonly type: 'own-metrics'; readonly question: number; readonly text: string };

/** One that is about to end needs to hear nothing any more. */
export const tellWorker = (worker: Worker, message: ToWorker): void => {
  if (worker.isConnected()) worker.send(message);
};
