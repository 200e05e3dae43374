/**
 * The record of how clients connect: steps are noted in memory on the request's path and written in batches. Equal steps
 * of one batch are one row with a count. Steps past the quota of their origin are dropped; no request depends on them.
 */

import { LRUCache } from 'lru-cache';
import { isId, newId } from '../../kernel/ids.ts';
import { networkOf, plainAddress } from '../../kernel/network.ts';
import { atMost } from '../../platform/cache-size.ts';
import type { Database } from '../../platform/database/database.ts';
import { apart } from '../../platform/observability/context.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { recordSteps } from './connections-store.ts';
import { type ConnectionLog, type ConnectionStepEvent, connectionSteps } from './steps.ts';

// The record of how clients connect: steps are noted in memory on the request's path and written in batches beside it.
// A step that comes again before it is written is one with a count. What does not fit is dropped; no request depends
// on it.

/** Sightings that are alike; an empty text is none. Instants are monotonic milliseconds. */
interface PendingStep {
  readonly clientId: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly step: ConnectionStepEvent['step'];
  readonly rule: string;
  readonly detail: string;
  readonly firstAt: number;
  lastAt: number;
  count: number;
}

const flushMilliseconds = 2000;
/** Few: the embedded engine has one connection, and others wait for it. */
const batchSize = 50;
const maximumPending = 1000;
const reportMilliseconds = 60_000;

export class ConnectionRecorder implements ConnectionLog {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #quota = new StepQuota();
  readonly #pending = new Map<string, PendingStep>();
  #dropped = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #isScheduled = false;
  #flushing: Promise<void> = Promise.resolve();

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Costs a few short texts and a look into a map; never waits, never throws. */
  note(sighting: ConnectionStepEvent): void {
    const noted = pendingStepOf(sighting);
    const { clientId, ip, userAgent, step, rule, detail, lastAt } = noted;
    const key = [clientId, ip, step, rule, userAgent, detail].join('\n');
    const alike = this.#pending.get(key);
    if (alike !== undefined) {
      alike.count += 1;
      alike.lastAt = lastAt;
    } else if (this.#pending.size < maximumPending && this.#quota.take(networkOf(ip), userAgent)) {
      this.#pending.set(key, noted);
    } else {
      this.#dropped += 1;
    }
    this.#schedule();
  }

  /** Writes what is noted. A failure loses it and nothing else, and is logged. */
  flush(): Promise<void> {
    this.#queueWrite();
    return this.#flushing;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    apart(() => setTimeout(() => this.#queueWrite(), flushMilliseconds).unref());
  }

  #queueWrite(): void {
    this.#isScheduled = false;
    this.#flushing = this.#flushing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    const noted = [...this.#pending.values()];
    this.#pending.clear();
    this.#reportDropped();
    try {
      for (let start = 0; start < noted.length; start += batchSize) {
        await this.#writeBatch(noted.slice(start, start + batchSize));
      }
    } catch (error) {
      this.#logger.warn({ event: 'mcp.connections.lost', err: error }, 'Steps of connections could not be written');
    }
  }

  #reportDropped(): void {
    if (this.#dropped === 0 || performance.now() - this.#reportedAt < reportMilliseconds) return;
    const dropped = this.#dropped;
    this.#logger.warn(
      { event: 'mcp.connections.dropped', dropped },
      'More steps of connections came than are written down',
    );
    this.#dropped = 0;
    this.#reportedAt = performance.now();
  }

  async #writeBatch(batch: readonly PendingStep[]): Promise<void> {
    const now = performance.now();
    await this.#database.execute(recordSteps, [
      batch.map(() => newId()),
      batch.map(({ clientId }) => clientId),
      batch.map(({ ip }) => ip),
      batch.map(({ ip }) => networkOf(ip)),
      batch.map(({ userAgent }) => userAgent),
      batch.map(({ step }) => step),
      batch.map(({ step }) => connectionSteps.indexOf(step)),
      batch.map(({ rule }) => rule),
      batch.map(({ detail }) => detail),
      batch.map(({ firstAt }) => now - firstAt),
      batch.map(({ lastAt }) => now - lastAt),
      batch.map(({ count }) => count),
    ]);
  }
}

const pendingStepOf = ({ step, rule, clientId, ip, userAgent, detail }: ConnectionStepEvent): PendingStep => {
  const at = performance.now();
  return {
    // A client that names itself with anything else is nobody.
    clientId: clientId !== null && isId(clientId) ? clientId : '',
    ip: cleanIp(ip),
    userAgent: cleanUserAgent(userAgent),
    step,
    rule: rule ?? '',
    detail: cleanDetail(detail),
    firstAt: at,
    lastAt: at,
    count: 1,
  };
};

// How many steps of one origin are written down in a minute: anyone on the internet can cause them. Counted in memory,
// by address and user agent, and by network, because a user agent is whatever its sender likes.

const windowMilliseconds = 60_000;
const maxOfOrigin = 120;
const maxOfNetwork = 600;
const maxOfAll = 5000;
const maxCounted = 10_000;

interface SessionQueue {
  taken: number;
}

export class StepQuota {
  readonly #counts = new LRUCache<string, SessionQueue>({ ...atMost(maxCounted), ttl: windowMilliseconds });

  /**
   * Takes a turn of everybody's, of the network's and of the origin's, or none where one of them has none left.
   * @returns whether it was taken
   */
  take(network: string, userAgent: string): boolean {
    const all = this.#turnsOf('');
    const ofNetwork = this.#turnsOf(network);
    const ofOrigin = this.#turnsOf(`${network} ${userAgent}`);
    if (all.taken >= maxOfAll || ofNetwork.taken >= maxOfNetwork || ofOrigin.taken >= maxOfOrigin) return false;
    for (const turns of [all, ofNetwork, ofOrigin]) turns.taken += 1;
    return true;
  }

  #turnsOf(key: string): SessionQueue {
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const turns = { taken: 0 };
    this.#counts.set(key, turns);
    return turns;
  }
}

// What may be written of a sighting: texts of strangers, made short and free of what must not be kept. Pure.

const maxUserAgentLength = 200;
const maxDetailLength = 300;
const maxIpLength = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not reach the database or a page
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** Whoever puts a token where none belongs must not find it in a record. */
const token = /gate_[a-z]_[\w-]*/g;

const cleaned = (text: string, longest: number): string =>
  // Cut twice, so that a text of any length costs little.
  text
    .slice(0, longest * 2)
    .replaceAll(unprintable, '')
    .replaceAll(token, 'gate_…')
    .slice(0, longest)
    .toWellFormed();

/** Empty for none. */
export const cleanUserAgent = (userAgent: string | null): string => cleaned(userAgent ?? '', maxUserAgentLength);

/** Empty for none. Ends before a query or a fragment: both can hold a secret. */
export const cleanDetail = (detail: string | null): string =>
  cleaned((detail ?? '').slice(0, maxDetailLength * 2).split(/[?#]/, 1)[0] ?? '', maxDetailLength);

/** Short, and in one spelling. */
export const cleanIp = (ip: string): string => cleaned(plainAddress(ip), maxIpLength);
