/**
 * The interface of metrics: counters, histograms and gauges that the service reports (docs/operations.md, "Metrics").
 */

// What a process counts of itself, for whoever watches it (docs/operations.md, "Metrics").

/**
 * What is counted where it happens. Labels take values of closed lists alone: patterns of routes, fields of the schema,
 * codes, names of tools and limits; never what a client thought of, and nothing about a person.
 */
export interface Counts {
  readonly requests: RequestCounts;
  /** GraphQL, by `operation`, a field at the root of the schema or `unknown`, and `outcome`, `OK` or a code. */
  readonly operations: Family<Counter>;
  /** From the read request to the answer, by `operation`; requests for several are `several`. */
  readonly operationSeconds: Family<Histogram>;
  /** Calls of MCP tools, by `tool`, a name of the catalogue or `unknown`, `outcome` and `server`. */
  readonly toolCalls: Family<Counter>;
  /** At the token endpoint, by `grant`, that of the two or `unknown`, and `outcome`, `OK` or an error of OAuth. */
  readonly tokenRequests: Family<Counter>;
  /** New sessions, by `method` and `audience`; a switch to another organization begins none. */
  readonly sessionsBegun: Family<Counter>;
  /** Revocations that ended something, by `reason`. */
  readonly revocations: Family<Counter>;
  /** What they ended, by `reason`. */
  readonly revokedCredentials: Family<Counter>;
  /** From asking durable storage for a credential to its acceptance: by this much a revocation may be outrun. */
  readonly acceptanceSeconds: Histogram;
  /** By `limit`. */
  readonly rateLimitRefusals: Family<Counter>;
  /** Attempts to send, by `outcome`. */
  readonly mails: Family<Counter>;
}

/** One series of an instrument at the moment. */
export interface Reading {
  readonly value: number;
  readonly labels?: Labels;
}

/** A number that somebody else keeps, and that is read when somebody asks. */
export interface Instrument {
  /** As Prometheus reads it, but for the `_total` of a counter. */
  readonly name: string;
  readonly description: string;
  readonly kind: 'counter' | 'gauge';
  /** Answers within a second or so; what rejects, or comes too late, is left out. */
  readonly read: () => Iterable<Reading> | Promise<Iterable<Reading>>;
}

export interface Metrics {
  /** Null where nobody can read them: then nothing is counted. */
  readonly counts: Counts | null;
  /**
   * Counts a tools/call (specification, "Events" 2).
   * @param tool of the catalogue, or `unknown`: each name is a series of its own, and clients can think of many
   */
  countToolCall(tool: string, outcome: 'success' | 'deny' | 'error'): void;
  /** Has it read from now on; without readers nothing comes of it. */
  add(instrument: Instrument): void;
  /** Everything in the text format of Prometheus, version 0.0.4. */
  render(): Promise<string>;
  /** Ends what is measured by a clock, and sends what is sent a last time. Idempotent. */
  readonly close: () => Promise<void>;
}

/** An answer that is not sent yet; destroyed once its connection is closed. */
export interface OpenAnswer {
  readonly destroyed: boolean;
}

/** So many may be open before those that are closed are looked for. */
const fewOpen = 1000;

/** HTTP requests by the pattern of their route: how many by the class of their status, and how long they took. */
export class RequestCounts {
  readonly #routes = new Map<string, { readonly classes: number[]; readonly seconds: Histogram }>();
  readonly #open = new Set<OpenAnswer>();
  #mostOpen = fewOpen;

  /** @param answer to a request that begins */
  begun(answer: OpenAnswer): void {
    this.#open.add(answer);
    if (this.#open.size > this.#mostOpen) this.#mostOpen = Math.max(fewOpen, 2 * this.inFlight);
  }

  ended(answer: OpenAnswer): void {
    this.#open.delete(answer);
  }

  /** Without those whose client left, of which nobody is told: a listener for each answer would cost more than all else. */
  get inFlight(): number {
    for (const answer of this.#open) if (answer.destroyed) this.#open.delete(answer);
    return this.#open.size;
  }

  /** @param route a pattern, never an address: there are only so many of them */
  answered(route: string, status: number, seconds: number): void {
    const place = Math.floor(status / 100);
    let counts = this.#routes.get(route);
    if (counts === undefined) {
      counts = { classes: [0, 0, 0, 0, 0, 0], seconds: new Histogram(secondsBounds) };
      this.#routes.set(route, counts);
    }
    counts.classes[place] = (counts.classes[place] ?? 0) + 1;
    counts.seconds.observe(seconds);
  }

  *answers(): Generator<Reading> {
    for (const [route, { classes }] of this.#routes)
      for (const [place, value] of classes.entries())
        if (value > 0) yield { value, labels: { route, status: `${place}xx` } };
  }

  *durations(): Generator<{ readonly labels: Labels; readonly member: Histogram }> {
    for (const [route, { seconds }] of this.#routes) yield { labels: { route }, member: seconds };
  }
}

export const newCounts = (): Counts => ({
  requests: new RequestCounts(),
  operations: tallies('operation', 'outcome'),
  operationSeconds: histograms('operation'),
  toolCalls: tallies('tool', 'outcome', 'server'),
  tokenRequests: tallies('grant', 'outcome'),
  sessionsBegun: tallies('method', 'audience'),
  revocations: tallies('reason'),
  revokedCredentials: tallies('reason'),
  acceptanceSeconds: new Histogram(secondsBounds),
  rateLimitRefusals: tallies('limit'),
  mails: tallies('outcome'),
});

/** Where nobody can read them, nothing is counted. */
export const noopMetrics = (): Metrics => ({
  counts: null,
  countToolCall: () => undefined,
  add: () => undefined,
  render: async () => '',
  close: async () => undefined,
});

// Numbers that are counted often and read seldom: plain ones, which cost an addition. Whoever counts on the path of every
// request keeps the tally itself, so that nothing is looked up twice.

/** Grows by what is added to it. */
export class Counter {
  value = 0;
}

/** How many values fell below each of a row of bounds, and their sum: from it shares and percentiles are told. */
export class Histogram {
  readonly bounds: readonly number[];
  /** One for each bound, and one for what is above them all; each value counts in one of them. */
  readonly counts: number[];
  sum = 0;

  /** @param bounds ascending; a value that equals one counts below it */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = [...bounds.map(() => 0), 0];
  }

  observe(value: number): void {
    let place = 0;
    while (place < this.bounds.length && value > (this.bounds[place] ?? 0)) place += 1;
    this.counts[place] = (this.counts[place] ?? 0) + 1;
    this.sum += value;
  }

  get count(): number {
    return this.counts.reduce((total, count) => total + count, 0);
  }
}

/** Of a thousandth of a second to ten. */
export const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Labels = Readonly<Record<string, string>>;

/** One number, or one row of them, for each combination of values of a few labels. */
export class Family<Of> {
  readonly #labels: readonly string[];
  readonly #make: () => Of;
  readonly #members = new Map<string, { readonly labels: Labels; readonly member: Of }>();

  constructor(labels: readonly string[], make: () => Of) {
    this.#labels = labels;
    this.#make = make;
  }

  /** @param values of the labels, in their order, out of a closed list: each combination stays for good */
  at(...values: readonly string[]): Of {
    const key = values.join('\n');
    const known = this.#members.get(key);
    if (known !== undefined) return known.member;
    const member = this.#make();
    const labels = Object.fromEntries(this.#labels.map((label, index) => [label, values[index] ?? '']));
    this.#members.set(key, { labels, member });
    return member;
  }

  all(): Iterable<{ readonly labels: Labels; readonly member: Of }> {
    return this.#members.values();
  }
}

export const tallies = (...labels: readonly string[]): Family<Counter> => new Family(labels, () => new Counter());

export const histograms = (...labels: readonly string[]): Family<Histogram> =>
  new Family(labels, () => new Histogram(secondsBounds));
