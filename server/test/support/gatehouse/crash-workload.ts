/** Clients of a process that is about to be killed, with a history of acknowledged and unknown operations. */
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, outcomeOf, pauseUpTo } from '../checks/concurrency.ts';
import {
  type Answer,
  bearer,
  goodPassword,
  newAddress,
  operations,
  type Tokens,
  tokensOf,
} from '../clients/clients.ts';

const pauseMillis = 5;

const requireOk = (answer: Answer, what: string): void => {
  if (outcomeOf(answer) !== 'OK') throw new Error(`${what} answered ${outcomeOf(answer)}: ${answer.text}`);
};

export interface RefreshHistory {
  readonly first: Tokens;
  /** The pair of the last acknowledged refresh; the next refresh of it has an unknown outcome. */
  readonly last: Tokens;
  readonly acknowledged: number;
  /** Start of the one with unknown outcome, by `performance.now()`. */
  readonly lostAt: number;
}

export const refreshUntilGone = async (url: string, first: Tokens): Promise<RefreshHistory> => {
  let last = first;
  for (let acknowledged = 0; ; acknowledged += 1) {
    const lostAt = performance.now();
    const answer = await attempt(url, operations.refresh, { ...last });
    if (answer === null) return { first, last, acknowledged, lostAt };
    requireOk(answer, 'A refresh');
    last = tokensOf(answer);
    await pauseUpTo(pauseMillis);
  }
};

export interface SignOutHistory {
  readonly acknowledged: readonly Tokens[];
  readonly unknown: readonly Tokens[];
}

/** Signs out one session after the other; the remaining ones stay in the queue. */
export const signOutUntilGone = async (url: string, queue: Tokens[]): Promise<SignOutHistory> => {
  const acknowledged: Tokens[] = [];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const answer = await attempt(url, operations.signOut, {}, bearer(next));
    if (answer === null) return { acknowledged, unknown: [next] };
    requireOk(answer, 'A sign-out');
    acknowledged.push(next);
    await pauseUpTo(pauseMillis * 6);
  }
  return { acknowledged, unknown: [] };
};

export interface SignUpHistory {
  readonly acknowledged: readonly string[];
  readonly unknown: readonly string[];
}

/** Signs up one new address after the other. @param acknowledge called for every success at once */
export const signUpUntilGone = async (url: string, acknowledge: () => void): Promise<SignUpHistory> => {
  const acknowledged: string[] = [];
  for (;;) {
    const email = newAddress();
    const input = { email, name: 'Test Person', password: goodPassword };
    const answer = await attempt(url, operations.signUp, { input });
    if (answer === null) return { acknowledged, unknown: [email] };
    requireOk(answer, 'A sign-up');
    acknowledged.push(email);
    acknowledge();
  }
};

/** Uses a session that is not ended, on a process that is not killed; returns every outcome but success. */
export const accessWhile = async (url: string, tokens: Tokens, isOver: () => boolean): Promise<string[]> => {
  const wrong: string[] = [];
  while (!isOver()) {
    const answer = await attempt(url, operations.me, {}, bearer(tokens));
    const outcome = answer === null ? 'no answer' : outcomeOf(answer);
    if (outcome !== 'OK') wrong.push(outcome);
    await sleep(pauseMillis);
  }
  return wrong;
};
