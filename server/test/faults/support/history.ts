/**
 * What the clients of a faulty service asked and were told, with the times of both: what `checker.ts` judges. A client
 * that was told nothing, or only that a dependency failed, does not know what happened; that stays unknown for good.
 *
 * All times are of one process's monotonic clock, so that what returned before something else was asked came before it.
 * Tokens stand in it as labels, from which nobody gets them back.
 */
import { createHash } from 'node:crypto';
import type { Answer, Tokens } from '../../support/clients.ts';
import { outcomeOf } from '../../support/concurrency.ts';

/**
 * What an operation does to credentials and rows.
 * - use: presents the pair's access token and changes nothing
 * - rotate: turns the pair into its successor, which `gave` names (a refresh, a switch of organization)
 * - end: ends the session of the pair
 * - write: makes what `key` names; may present a pair, and may give one
 * - call: a `tools/call`; `key` is the correlation id of its row in the record
 */
export type Deed = 'use' | 'rotate' | 'end' | 'write' | 'call';

export interface Question {
  /** For reports: refresh, sign-up. */
  readonly name: string;
  readonly does: Deed;
  /** Label of the pair that is presented. */
  readonly pair?: string;
  /** Of what is written: an address, an invitation, a correlation id. */
  readonly key?: string;
  /** A write that causes no mail. Any other causes one, to the address that its key is. */
  readonly isSilent?: true;
}

/** `refused` was said by a service that knew; `unknown` is no answer, or one that says that something is broken. */
export type Outcome = 'ok' | 'refused' | 'unknown';

export interface Operation extends Question {
  /** Milliseconds of `performance.now()`. */
  readonly invokedAt: number;
  readonly returnedAt: number;
  readonly outcome: Outcome;
  /** The refusal's code, OK, `status 502`, or `no answer`. */
  readonly code: string;
  /** Label of the pair that came with the answer. */
  readonly gave?: string;
}

/** What a client learned of an operation, before it stands in the history. */
export type Told = Pick<Operation, 'outcome' | 'code' | 'gave' | 'key'>;

/** The name of a pair in a history: says which pair it is, and cannot be used for it. */
export const labelOf = ({ accessToken }: Pick<Tokens, 'accessToken'>): string => labelOfToken(accessToken);

/** The same from the token alone. */
export const labelOfToken = (accessToken: string): string =>
  createHash('sha256').update(accessToken).digest('hex').slice(0, 24);

const broken = new Set(['UNAVAILABLE', 'INTERNAL']);

/** @param answer null when the connection ended before the whole of it was here */
export const toldBy = (answer: Answer | null): Told => {
  if (answer === null) return { outcome: 'unknown', code: 'no answer' };
  const code = outcomeOf(answer);
  if (broken.has(code) || answer.status >= 500) return { outcome: 'unknown', code };
  if (code !== 'OK') return { outcome: 'refused', code };
  const gave = pairIn(answer);
  return { outcome: 'ok', code, ...(gave === null ? {} : { gave }) };
};

/** The label of the pair in a body, wherever an operation puts it; null when the operation gives none. */
const pairIn = (answer: Answer): string | null => {
  const [payload] = Object.values(answer.data ?? {});
  if (typeof payload !== 'object' || payload === null || !('accessToken' in payload)) return null;
  return typeof payload.accessToken === 'string' ? labelOfToken(payload.accessToken) : null;
};

export class History {
  readonly #operations: Operation[] = [];

  /** Everything that has returned, in the order in which it did. */
  get operations(): readonly Operation[] {
    return this.#operations;
  }

  /**
   * Asks, and notes what came of it.
   * @param send answers null when nobody knows what happened, as `attempt` does
   */
  ask(question: Question, send: () => Promise<Answer | null>): Promise<Answer | null> {
    return this.observe(question, send, toldBy);
  }

  /** The same for answers of another shape. @param read says what the client learned */
  async observe<T>(question: Question, send: () => Promise<T>, read: (answer: T) => Told): Promise<T> {
    const invokedAt = performance.now();
    const answer = await send();
    this.#operations.push({ ...question, ...read(answer), invokedAt, returnedAt: performance.now() });
    return answer;
  }
}

/** How many operations ended how. */
export const countOutcomes = (operations: readonly Operation[]): Readonly<Record<Outcome, number>> => {
  const counts = { ok: 0, refused: 0, unknown: 0 };
  for (const { outcome } of operations) counts[outcome] += 1;
  return counts;
};

/** The part of the operations, from 0 to 1, that a working service answered. */
export const successRate = (operations: readonly Operation[]): number =>
  1 - countOutcomes(operations).unknown / Math.max(operations.length, 1);

/** The longest time in milliseconds that anybody waited for an answer. */
export const longestWait = (operations: readonly Operation[]): number =>
  operations.reduce((longest, { invokedAt, returnedAt }) => Math.max(longest, returnedAt - invokedAt), 0);

/** What was asked between two instants. */
export const askedBetween = (operations: readonly Operation[], from: number, to: number): readonly Operation[] =>
  operations.filter(({ invokedAt }) => invokedAt >= from && invokedAt < to);

/**
 * How long after `mendedAt` the service was not yet itself: until the last operation had begun whose outcome is unknown.
 * Infinity when none succeeded after that.
 */
export const recoveryMillis = (operations: readonly Operation[], mendedAt: number): number => {
  const after = operations.filter(({ invokedAt }) => invokedAt >= mendedAt);
  const lastBroken = after
    .filter(({ outcome }) => outcome === 'unknown')
    .reduce((last, { invokedAt }) => Math.max(last, invokedAt), mendedAt);
  const works = after.some(({ outcome, invokedAt }) => outcome === 'ok' && invokedAt >= lastBroken);
  return works ? lastBroken - mendedAt : Number.POSITIVE_INFINITY;
};
