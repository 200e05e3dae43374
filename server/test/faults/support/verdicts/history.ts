/**
 * Requests and answers of the clients of a faulty service, with the times of both: the input of `checker.ts`. A client
 * without an answer, or with a failure of a dependency, does not know the outcome, which stays unknown.
 *  All times are of one process's monotonic clock, so an operation that returned before another was sent came first.
 * Tokens occur as labels, from which they cannot be recovered.
 */
import { createHash } from 'node:crypto';
import { outcomeOf } from '../../../support/checks/concurrency.ts';
import type { Answer, Tokens } from '../../../support/clients/clients.ts';
import { correlationIdOf, type McpAnswer } from '../../../support/clients/mcp.ts';

/**
 * The effect of an operation on credentials and rows.
 * - use: presents the pair's access token and changes nothing
 * - rotate: replaces the pair by its successor, which `gave` names (a refresh, a switch of organization)
 * - end: ends the session of the pair, or those that `ends` names
 * - write: creates the rows of `key`; may present a pair, and may return one
 * - set: gives `key` the value `value`, which no other client gives it
 * - call: a `tools/call`; `key` is the correlation id of its row in the record
 */
type Effect = 'use' | 'rotate' | 'end' | 'write' | 'set' | 'call';

export interface Question {
  /** For reports: refresh, sign-up. */
  readonly name: string;
  readonly does: Effect;
  /** Label of the presented pair. */
  readonly pair?: string;
  /** Id of the caller; not needed with a pair. */
  readonly who?: string;
  /** Id of the organization that the answer must name. A switch may begin another session. */
  readonly organization?: string;
  /** Labels of pairs whose sessions all end, unless it is that of the presented pair. */
  readonly ends?: readonly string[];
  /** Key of the written rows: an address, an invitation, a correlation id. */
  readonly key?: string;
  readonly value?: string;
  /** A write that causes no mail. Any other causes one, to the address in its key. */
  readonly isSilent?: true;
}

/** `refused` by a working service; `unknown` is no answer, or an internal failure. */
export type Outcome = 'ok' | 'refused' | 'unknown';

export interface Operation extends Question {
  /** Milliseconds of `performance.now()`. */
  readonly invokedAt: number;
  readonly returnedAt: number;
  readonly outcome: Outcome;
  /** The refusal's code, OK, `status 502`, or `no answer`. */
  readonly code: string;
  readonly gave?: string;
  readonly said?: string;
  readonly saidOrganization?: string;
}

/** The result for the client, before it is part of the history. */
export type Reported = Pick<Operation, 'outcome' | 'code' | 'gave' | 'said' | 'saidOrganization' | 'key'>;

/** The name of a pair in a history: identifies the pair, and cannot be used as a token. */
export const labelOf = ({ accessToken }: Pick<Tokens, 'accessToken'>): string => labelOfToken(accessToken);

/** The same from the token alone. */
export const labelOfToken = (accessToken: string): string =>
  createHash('sha256').update(accessToken).digest('hex').slice(0, 24);

const broken = new Set(['UNAVAILABLE', 'INTERNAL']);

/** @param answer null when the connection ended before it was complete */
export const reportedBy = (answer: Answer | null): Reported => {
  if (answer === null) return { outcome: 'unknown', code: 'no answer' };
  const code = outcomeOf(answer);
  if (broken.has(code) || answer.status >= 500) return { outcome: 'unknown', code };
  if (code !== 'OK') return { outcome: 'refused', code };
  const [payload] = Object.values(answer.data ?? {});
  return {
    outcome: 'ok',
    code,
    ...named('gave', pairIn(payload)),
    ...named('said', personIn(payload)),
    ...named('saidOrganization', organizationIn(payload)),
  };
};

/** The answer of a JSON endpoint without GraphQL: those of OAuth, and `/mcp`. */
export interface PlainAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The same of an answer of the token or the revocation endpoint. @param answer null when it was incomplete */
export const reportedByOAuth = (answer: PlainAnswer | null): Reported => {
  if (answer === null) return { outcome: 'unknown', code: 'no answer' };
  const { status, body } = answer;
  const token = textAt(body, 'access_token');
  if (status === 200)
    return { outcome: 'ok', code: 'OK', ...named('gave', token === null ? null : labelOfToken(token)) };
  // The protocol has one code for a rate limit and a missing database; the status distinguishes them.
  const error = status === 400 || status === 401 ? textAt(body, 'error') : null;
  return { outcome: status >= 500 ? 'unknown' : 'refused', code: error ?? `status ${status}` };
};

/** The same of an answer to a `tools/call`: also a denied or failed call has a row, once it was admitted. */
export const reportedByCall = (answer: McpAnswer | null): Reported => {
  if (answer === null) return { outcome: 'unknown', code: 'no answer' };
  const { status, body } = answer;
  const key = correlationIdOf(answer);
  const said = textAt(body, 'result', 'structuredContent', 'user', 'id');
  if (key !== null && status === 200) return { outcome: 'ok', code: 'OK', key, ...named('said', said) };
  const code = (status === 401 ? textAt(body, 'error', 'code') : null) ?? `status ${status}`;
  return { outcome: status >= 500 ? 'unknown' : 'refused', code, ...named('key', key) };
};

/** The label of the pair that an operation returns; null without one. */
const pairIn = (payload: unknown): string | null => {
  const token = textAt(payload, 'accessToken');
  return token === null ? null : labelOfToken(token);
};

/** `me` is a user, a sign-in and a switch return one, and a membership belongs to one. */
const personIn = (payload: unknown): string | null =>
  textAt(payload, 'user', 'id') ??
  textAt(payload, 'userId') ??
  (at(payload, 'currentMembership') === undefined ? null : textAt(payload, 'id'));

const organizationIn = (payload: unknown): string | null =>
  textAt(payload, 'user', 'currentMembership', 'organization', 'id') ??
  textAt(payload, 'currentMembership', 'organization', 'id');

/** The value at this path; undefined when there is none. */
const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (below, name) => (typeof below === 'object' && below !== null ? Reflect.get(below, name) : undefined),
    value,
  );

const textAt = (value: unknown, ...names: readonly string[]): string | null => {
  const found = at(value, ...names);
  return typeof found === 'string' ? found : null;
};

/** Without undefined values. */
const named = <Name extends string>(name: Name, value: string | null): { readonly [name in Name]?: string } =>
  value === null ? {} : ({ [name]: value } as { readonly [name in Name]?: string });

export class History {
  readonly #operations: Operation[] = [];

  /** Everything that has returned, in the order of returning. */
  get operations(): readonly Operation[] {
    return this.#operations;
  }

  /**
   * Sends, and records the result.
   * @param send returns null when the outcome is unknown, as `attempt` does
   */
  ask(question: Question, send: () => Promise<Answer | null>): Promise<Answer | null> {
    return this.observe(question, send, reportedBy);
  }

  /** The same for answers of another shape. @param read returns the result for the client */
  async observe<T>(question: Question, send: () => Promise<T>, read: (answer: T) => Reported): Promise<T> {
    const invokedAt = performance.now();
    const answer = await send();
    this.#operations.push({ ...question, ...read(answer), invokedAt, returnedAt: performance.now() });
    return answer;
  }
}

export const countOutcomes = (operations: readonly Operation[]): Readonly<Record<Outcome, number>> => {
  const counts = { ok: 0, refused: 0, unknown: 0 };
  for (const { outcome } of operations) counts[outcome] += 1;
  return counts;
};

/** The share of the operations, from 0 to 1, that a working service answered. */
export const successRate = (operations: readonly Operation[]): number =>
  1 - countOutcomes(operations).unknown / Math.max(operations.length, 1);

/** The longest time in milliseconds that a request waited for its answer. */
export const maxWait = (operations: readonly Operation[]): number =>
  operations.reduce((longest, { invokedAt, returnedAt }) => Math.max(longest, returnedAt - invokedAt), 0);

export const sentBetween = (operations: readonly Operation[], from: number, to: number): readonly Operation[] =>
  operations.filter(({ invokedAt }) => invokedAt >= from && invokedAt < to);

/** Recovery time after `repairedAt`: until the last unknown outcome began. Infinity without a later success. */
export const recoveryMillis = (operations: readonly Operation[], repairedAt: number): number => {
  const after = operations.filter(({ invokedAt }) => invokedAt >= repairedAt);
  const lastBroken = after
    .filter(({ outcome }) => outcome === 'unknown')
    .reduce((last, { invokedAt }) => Math.max(last, invokedAt), repairedAt);
  const works = after.some(({ outcome, invokedAt }) => outcome === 'ok' && invokedAt >= lastBroken);
  return works ? lastBroken - repairedAt : Number.POSITIVE_INFINITY;
};

/**
 * The longest time in milliseconds without a success, from an instant to the last success; Infinity where there is
 * none.
 */
export const longestOutage = (operations: readonly Operation[], from: number): number => {
  const successes = operations
    .filter(({ outcome, returnedAt }) => outcome === 'ok' && returnedAt > from)
    .map(({ returnedAt }) => returnedAt)
    .sort((left, right) => left - right);
  const gaps = successes.map((at, index) => at - (successes[index - 1] ?? from));
  return gaps.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...gaps);
};
