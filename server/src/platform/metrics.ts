/** What a process counts of itself, for whoever watches it (docs/operations.md, "Metrics"). */
import { type Family, Histogram, histograms, type Labels, secondsBounds, type Tally, tallies } from './counts.ts';

/**
 * What is counted where it happens. Labels take values of closed lists alone: patterns of routes, fields of the schema,
 * codes, names of tools and limits; never what a client thought of, and nothing about a person.
 */
export interface Counts {
  readonly requests: RequestCounts;
  /** GraphQL, by `operation`, a field at the root of the schema or `unknown`, and `outcome`, `OK` or a code. */
  readonly operations: Family<Tally>;
  /** From the read request to the answer, by `operation`; requests for several are `several`. */
  readonly operationSeconds: Family<Histogram>;
  /** Calls of MCP tools, by `tool`, a name of the catalogue or `unknown`, `outcome` and `server`. */
  readonly toolCalls: Family<Tally>;
  /** At the token endpoint, by `grant`, that of the two or `unknown`, and `outcome`, `OK` or an error of OAuth. */
  readonly tokenRequests: Family<Tally>;
  /** New sessions, by `method` and `audience`; a switch to another organization begins none. */
  readonly sessionsBegun: Family<Tally>;
  /** Revocations that ended something, by `reason`. */
  readonly revocations: Family<Tally>;
  /** What they ended, by `reason`. */
  readonly revokedCredentials: Family<Tally>;
  /** From asking durable storage for a credential to its acceptance: by this much a revocation may be outrun. */
  readonly acceptanceSeconds: Histogram;
  /** By `limit`. */
  readonly rateLimitRefusals: Family<Tally>;
  /** Attempts to send, by `outcome`. */
  readonly mails: Family<Tally>;
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
export const uncountedMetrics = (): Metrics => ({
  counts: null,
  countToolCall: () => undefined,
  add: () => undefined,
  render: async () => '',
  close: async () => undefined,
});
