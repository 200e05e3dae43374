/**
 * Owns: connections of MCP clients: each step, each refusal, and its remedy.
 * Promises: Recording neither delays nor fails a request; the number of stored rows is bounded.
 *
 * The record of client connections: steps are noted in memory during the request and written in batches. Equal steps of
 * one batch become one row with a count. Steps past the quota of their origin are dropped; no request depends on them.
 */
import { LRUCache } from 'lru-cache';
import { isId, newId } from '../../kernel/ids.ts';
import { networkOf, plainAddress } from '../../kernel/network.ts';
import { atMost } from '../../platform/caches.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { WriteBehind } from '../../platform/write-behind.ts';
import { recordSteps } from './connections-store.ts';
import { type ConnectionLog, type ConnectionStepEvent, placeOfStep } from './steps.ts';

/** Equal steps of a batch; an empty text means none. Instants are monotonic milliseconds. */
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

const reportMilliseconds = 60_000;

export class ConnectionRecorder implements ConnectionLog {
  readonly #logger: Logger;
  readonly #quota = new StepQuota();
  readonly #steps: WriteBehind<PendingStep>;
  #dropped = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, logger: Logger) {
    this.#logger = logger;
    this.#steps = new WriteBehind({
      maxPending: 1000,
      // Small: the embedded engine has one connection, and other statements wait for it.
      batchSize: 50,
      write: (batch) => writeSteps(database, batch),
      onFlush: () => this.#reportDropped(),
      onLost: (error) =>
        logger.warn({ event: 'mcp.connections.lost', err: error }, 'Steps of connections could not be written'),
    });
  }

  /** Costs a few short strings and a map look-up; never waits, never throws. */
  note(event: ConnectionStepEvent): void {
    const pending = pendingStepOf(event);
    const { clientId, ip, userAgent, step, rule, detail, lastAt } = pending;
    const key = [clientId, ip, step, rule, userAgent, detail].join('\n');
    const alike = this.#steps.find(key);
    if (alike !== undefined) {
      alike.count += 1;
      alike.lastAt = lastAt;
    } else if (!this.#steps.isFull && this.#quota.take(networkOf(ip), userAgent)) {
      this.#steps.add(key, pending);
    } else {
      this.#dropped += 1;
      this.#steps.schedule();
    }
  }

  /** Writes the pending steps. A failure is logged and loses only these steps. */
  flush(): Promise<void> {
    return this.#steps.flush();
  }

  #reportDropped(): void {
    if (this.#dropped === 0 || performance.now() - this.#reportedAt < reportMilliseconds) return;
    this.#logger.warn(
      { event: 'mcp.connections.dropped', dropped: this.#dropped },
      'Steps of connections came faster than they are written',
    );
    this.#dropped = 0;
    this.#reportedAt = performance.now();
  }
}

const writeSteps = (database: Database, batch: readonly PendingStep[]): Promise<number> => {
  const now = performance.now();
  return database.execute(recordSteps, [
    batch.map(() => newId()),
    batch.map(({ clientId }) => clientId),
    batch.map(({ ip }) => ip),
    batch.map(({ ip }) => networkOf(ip)),
    batch.map(({ userAgent }) => userAgent),
    batch.map(({ step }) => step),
    batch.map(({ step }) => placeOfStep(step)),
    batch.map(({ rule }) => rule),
    batch.map(({ detail }) => detail),
    batch.map(({ firstAt }) => now - firstAt),
    batch.map(({ lastAt }) => now - lastAt),
    batch.map(({ count }) => count),
  ]);
};

const pendingStepOf = ({ step, rule, clientId, ip, userAgent, detail }: ConnectionStepEvent): PendingStep => {
  const at = performance.now();
  return {
    // A client id of any other form counts as none.
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

// Steps a minute, as any client can cause them: by address and user agent, which the sender chooses, and by network.

const windowMilliseconds = 60_000;
const maxOfOrigin = 120;
const maxOfNetwork = 600;
const maxOfAll = 5000;
const maxCounted = 10_000;

interface Permits {
  taken: number;
}

class StepQuota {
  readonly #counts = new LRUCache<string, Permits>({ ...atMost(maxCounted), ttl: windowMilliseconds });

  /** Takes a permit of the total, the network and the origin. @returns false, with none taken, if one is used up */
  take(network: string, userAgent: string): boolean {
    const all = this.#permitsOf('');
    const ofNetwork = this.#permitsOf(network);
    const ofOrigin = this.#permitsOf(`${network} ${userAgent}`);
    if (all.taken >= maxOfAll || ofNetwork.taken >= maxOfNetwork || ofOrigin.taken >= maxOfOrigin) return false;
    for (const permits of [all, ofNetwork, ofOrigin]) permits.taken += 1;
    return true;
  }

  #permitsOf(key: string): Permits {
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const permits = { taken: 0 };
    this.#counts.set(key, permits);
    return permits;
  }
}

// Sanitizing of recorded texts: untrusted input is truncated and stripped of anything that must not be kept. Pure.

const maxUserAgentLength = 200;
const maxDetailLength = 300;
const maxIpLength = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not reach the database or a page
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** Tokens in the wrong place must not reach the record. */
const token = /gate_[a-z]_[\w-]*/g;

const cleaned = (text: string, longest: number): string =>
  // Truncated twice, so that a text of any length costs little.
  text
    .slice(0, longest * 2)
    .replaceAll(unprintable, '')
    .replaceAll(token, 'gate_…')
    .slice(0, longest)
    .toWellFormed();

/** The user agent, shortened; empty for none. */
const cleanUserAgent = (userAgent: string | null): string => cleaned(userAgent ?? '', maxUserAgentLength);

/** The detail up to a query or a fragment, which can both contain a secret; empty for none. */
const cleanDetail = (detail: string | null): string =>
  cleaned((detail ?? '').slice(0, maxDetailLength * 2).split(/[?#]/, 1)[0] ?? '', maxDetailLength);

/** The address in one spelling, shortened. */
const cleanIp = (ip: string): string => cleaned(plainAddress(ip), maxIpLength);
