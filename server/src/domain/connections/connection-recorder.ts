/**
 * The record of how clients connect: steps are noted in memory on the request's path and written in batches beside it.
 * A step that comes again before it is written is one with a count. What does not fit is dropped; no request depends
 * on it.
 */
import { isId, newId } from '../../kernel/ids.ts';
import { networkOf } from '../../kernel/network.ts';
import { apart } from '../../platform/correlation.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { recordSteps } from './connections-store.ts';
import { SightingQuota } from './sighting-quota.ts';
import { cleanDetail, cleanIp, cleanUserAgent } from './sighting-texts.ts';
import { type ConnectionLog, type ConnectionSighting, connectionSteps } from './steps.ts';

/** Sightings that are alike; an empty text is none. Instants are monotonic milliseconds. */
interface Noted {
  readonly clientId: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly step: ConnectionSighting['step'];
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
  readonly #quota = new SightingQuota();
  readonly #pending = new Map<string, Noted>();
  #dropped = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #isScheduled = false;
  #flushing: Promise<void> = Promise.resolve();

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Costs a few short texts and a look into a map; never waits, never throws. */
  note(sighting: ConnectionSighting): void {
    const noted = notedOf(sighting);
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

  async #writeBatch(batch: readonly Noted[]): Promise<void> {
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

const notedOf = ({ step, rule, clientId, ip, userAgent, detail }: ConnectionSighting): Noted => {
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
