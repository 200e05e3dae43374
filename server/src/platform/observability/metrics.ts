/** Owns the metrics interface: counters, histograms and gauges of this process (docs/operations.md, "Metrics"). */
import { getOrInsert } from '../../kernel/collections.ts';

/**
 * Counters. Label values come from closed lists only (route patterns, schema fields, codes, tool and limit names);
 * never client input or personal data.
 */
export interface Counts {
  readonly requests: RequestCounts;
  /** GraphQL operations, by `operation`, a root field of the schema or `unknown`, and `outcome`, `OK` or a code. */
  readonly operations: Family<Counter>;
  /** Time from the parsed request to the answer, by `operation`; `several` for requests with several. */
  readonly operationSeconds: Family<Histogram>;
  /** Calls of MCP tools, by `tool`, one that exists or `unknown`, `outcome` and `server`. */
  readonly toolCalls: Family<Counter>;
  /** Token endpoint requests, by `grant`, one of the two or `unknown`, and `outcome`, `OK` or an OAuth error. */
  readonly tokenRequests: Family<Counter>;
  /** New sessions, by `method` and `audience`; a switch to another organization begins none. */
  readonly sessionsBegun: Family<Counter>;
  /** Revocations that ended at least one credential, by `reason`. */
  readonly revocations: Family<Counter>;
  /** Credentials ended by revocations, by `reason`. */
  readonly revokedCredentials: Family<Counter>;
  /** Time from reading a credential in durable storage to its acceptance: a revocation may be missed meanwhile. */
  readonly acceptanceSeconds: Histogram;
  /** Refusals, by `limit`. */
  readonly rateLimitRefusals: Family<Counter>;
  /** Attempts to send a mail, by `outcome`. */
  readonly mails: Family<Counter>;
}

/** The current value of one series of an instrument. */
export interface Reading {
  /** A histogram's is a {@link Histogram}. */
  readonly value: number | Histogram;
  readonly labels?: Labels;
}

/** All series of an instrument; a value alone is the one series without labels. */
type Readings = Reading['value'] | Iterable<Reading>;

/** A value kept elsewhere and read on export. */
export interface Instrument {
  /** Prometheus name, without the `_total` of a counter. */
  readonly name: string;
  readonly description: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** Resolves within about a second; rejected or late readings are omitted. */
  readonly read: () => Readings | Promise<Readings>;
}

const instrument =
  (kind: Instrument['kind']) =>
  (name: string, description: string, read: Instrument['read']): Instrument => ({ name, description, kind, read });

export const counter = instrument('counter');
export const gauge = instrument('gauge');
export const histogram = instrument('histogram');

export interface Metrics {
  /** Null when metrics are not exported: then nothing is counted. */
  readonly counts: Counts | null;
  /**
   * Counts a tools/call (contract/incidents.md#contents-of-metrics).
   * @param tool one that exists, or `unknown`: each name is a series, and clients can invent many
   */
  countToolCall(tool: string, outcome: 'success' | 'deny' | 'error', server: 'platform' | 'organization'): void;
  /** Registers an instrument for export; no effect without an exporter. */
  add(instrument: Instrument): void;
  /** All metrics in the Prometheus text format, version 0.0.4. */
  render(): Promise<string>;
  /** Stops timers and pushes metrics a last time. Idempotent. */
  readonly close: () => Promise<void>;
}

/** A response that is not yet sent; destroyed once its connection is closed. */
interface OpenAnswer {
  readonly destroyed: boolean;
}

/** Number of open responses above which closed ones are purged. */
const fewOpen = 1000;

/** HTTP requests by route pattern: counts by status class, and durations. */
class RequestCounts {
  readonly #routes = new Map<string, { readonly classes: number[]; readonly seconds: Histogram }>();
  readonly #open = new Set<OpenAnswer>();
  #maxOpen = fewOpen;

  begun(answer: OpenAnswer): void {
    this.#open.add(answer);
    if (this.#open.size > this.#maxOpen) this.#maxOpen = Math.max(fewOpen, 2 * this.inFlight);
  }

  ended(answer: OpenAnswer): void {
    this.#open.delete(answer);
  }

  /**
   * Excludes responses whose client disconnected, which are found by polling: a listener for each response would cost
   * more than all other counting.
   */
  get inFlight(): number {
    for (const answer of this.#open) if (answer.destroyed) this.#open.delete(answer);
    return this.#open.size;
  }

  /** @param route a pattern, never an address, so that their number is bounded */
  answered(route: string, status: number, seconds: number): void {
    const place = Math.floor(status / 100);
    const counts = getOrInsert(this.#routes, route, () => ({
      classes: [0, 0, 0, 0, 0, 0],
      seconds: new Histogram(secondsBounds),
    }));
    counts.classes[place] = (counts.classes[place] ?? 0) + 1;
    counts.seconds.observe(seconds);
  }

  *answers(): Generator<Reading> {
    for (const [route, { classes }] of this.#routes)
      for (const [place, value] of classes.entries())
        if (value > 0) yield { value, labels: { route, status: `${place}xx` } };
  }

  *durations(): Generator<Reading> {
    for (const [route, { seconds }] of this.#routes) yield { value: seconds, labels: { route } };
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

/** Metrics that count nothing, for when they are not exported. */
export const noopMetrics = (): Metrics => ({
  counts: null,
  countToolCall: () => undefined,
  add: () => undefined,
  render: async () => '',
  close: async () => undefined,
});

// Plain numbers, because they change often and are read rarely. Code on every request's path keeps its counter.

/** A monotonic counter. */
export class Counter {
  value = 0;
}

/** Cumulative distribution of values over fixed bounds, and their sum, from which percentiles are derived. */
export class Histogram {
  readonly bounds: readonly number[];
  /** One per bound, and one for larger values; each value counts in exactly one. */
  readonly counts: number[];
  sum = 0;

  /** @param bounds ascending and inclusive */
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

/** From a millisecond to ten seconds. */
export const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Labels = Readonly<Record<string, string>>;

/** One member for each combination of label values. */
export class Family<Of> {
  readonly #labels: readonly string[];
  readonly #make: () => Of;
  readonly #members = new Map<string, { readonly labels: Labels; readonly member: Of }>();

  constructor(labels: readonly string[], make: () => Of) {
    this.#labels = labels;
    this.#make = make;
  }

  /** @param values of the labels, in order, from a closed list: each combination is kept for the process's lifetime */
  at(...values: readonly string[]): Of {
    return getOrInsert(this.#members, values.join('\n'), () => ({
      labels: Object.fromEntries(this.#labels.map((label, index) => [label, values[index] ?? ''])),
      member: this.#make(),
    })).member;
  }

  all(): Iterable<{ readonly labels: Labels; readonly member: Of }> {
    return this.#members.values();
  }
}

const tallies = (...labels: readonly string[]): Family<Counter> => new Family(labels, () => new Counter());

const histograms = (...labels: readonly string[]): Family<Histogram> =>
  new Family(labels, () => new Histogram(secondsBounds));
