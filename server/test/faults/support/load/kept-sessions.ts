/**
 * Sessions whose clients never give up: a pair is presented again until it is answered, by one caller or by several at
 * once, so that each session must outlast every fault. And sign-ins that end what they began.
 */
import { attempt, pauseUpTo, range } from '../../../support/checks/concurrency.ts';
import {
  type Answer,
  bearer,
  goodPassword,
  operations,
  type Tokens,
  tokensOf,
} from '../../../support/clients/clients.ts';
import { labelOf, reportedBy } from '../verdicts/history.ts';
import { isTemporaryRefusal } from './families.ts';
import type { Load, Workload } from './workloads.ts';

/** Longer than those of other clients: several of these are at each process. */
const pauseMillis = 200;
const retryMillis = 500;

export interface KeptSession {
  tokens: Tokens;
  renewals: number;
  /** The refusal that ended it; null while it lasts. */
  lost: string | null;
}

export const keptSession = (tokens: Tokens): KeptSession => ({ tokens, renewals: 0, lost: null });

const use = (name: string, { site, url }: Load, tokens: Tokens): Promise<Answer | null> =>
  site.history.ask({ name, does: 'use', pair: labelOf(tokens) }, () =>
    attempt(url(), operations.me, {}, bearer(tokens)),
  );

/** Asks who is signed in, again and again. */
export const looking =
  (name: string, tokens: Tokens): Workload =>
  async (load) => {
    while (!load.isOver()) {
      await use(name, load, tokens);
      await pauseUpTo(pauseMillis);
    }
  };

/** @param callers that present the same pair at the same moment, as several tabs do */
export const keeping =
  (name: string, kept: KeptSession, callers = 1): Workload =>
  async (load) => {
    while (!load.isOver() && kept.lost === null) {
      if (await renew(name, load, kept, callers)) await use(`${name}, then me`, load, kept.tokens);
      await pauseUpTo(pauseMillis);
    }
  };

/** @returns whether there is a new pair */
const renew = async (name: string, { site, url }: Load, kept: KeptSession, callers: number): Promise<boolean> => {
  const question = { name, does: 'rotate', pair: labelOf(kept.tokens) } as const;
  const send = () => site.history.ask(question, () => attempt(url(), operations.refresh, { ...kept.tokens }));
  const answers = await Promise.all(range(callers).map(send));
  const given = answers.find((answer) => answer !== null && reportedBy(answer).outcome === 'ok');
  if (given) {
    kept.tokens = tokensOf(given);
    kept.renewals += 1;
    return true;
  }
  kept.lost = answers.map(refusalOf).find((code) => code !== null) ?? null;
  await pauseUpTo(retryMillis);
  return false;
};

/** A refusal after which its client has to sign in; null for any other answer. */
const refusalOf = (answer: Answer | null): string | null => {
  const { outcome, code } = reportedBy(answer);
  return outcome !== 'refused' || code === 'REFRESH_SUPERSEDED' || isTemporaryRefusal.has(code) ? null : code;
};

/** Signs in with a password, asks who is signed in, signs out and asks again. */
export const signingIn =
  ({ email, userId }: { readonly email: string; readonly userId: string }): Workload =>
  async (load) => {
    const { site, url, isOver } = load;
    const input = { email, password: goodPassword };
    while (!isOver()) {
      const question = { name: 'sign-in', does: 'write', who: userId } as const;
      const answer = await site.history.ask(question, () => attempt(url(), operations.signIn, { input }));
      if (answer !== null && reportedBy(answer).outcome === 'ok') await endAfterUse(load, tokensOf(answer));
      else await pauseUpTo(retryMillis);
    }
  };

const endAfterUse = async (load: Load, tokens: Tokens): Promise<void> => {
  const { site, url, isOver } = load;
  const question = { name: 'sign-out', does: 'end', pair: labelOf(tokens) } as const;
  const end = () => site.history.ask(question, () => attempt(url(), operations.signOut, {}, bearer(tokens)));
  await use('me', load, tokens);
  while (reportedBy(await end()).outcome === 'unknown' && !isOver()) await pauseUpTo(retryMillis);
  await use('me', load, tokens);
};
