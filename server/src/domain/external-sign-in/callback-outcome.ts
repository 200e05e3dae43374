/**
 * How the callback of an attempt ends, once. A browser may open it again while the first one still waits for the
 * provider (a reload, a second click), and shows the answer to the last one alone: that one ends as the first did.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { externalRefusal } from '../../kernel/errors.ts';
import { sha256 } from '../../kernel/secrets.ts';
import { type Attempt, type AttemptDeps, type AttemptKey, takeAttempt } from './attempt.ts';

const callbackOutcome = z
  .object({
    /** Where the browser is led. */
    location: z.string(),
    /** Raw, of the exchange that was opened, with its lifetime; null for a link. */
    exchange: z.object({ secret: z.string(), lifeSeconds: z.number() }).readonly().nullable(),
  })
  .readonly();
export type CallbackOutcome = z.infer<typeof callbackOutcome>;

const entryOf = (state: string): string => `external:ended:${sha256(state).toString('hex')}`;

/** The state of a callback that waits for the provider. */
const pending = 'pending';
/** Longer than all requests of a callback to the provider may take. */
const pendingSeconds = 30;
/** As long as an exchange lives. */
const outcomeSeconds = 120;
const pauseMillis = 250;

/**
 * Finishes an attempt for its first callback; the others of this browser wait and get the same outcome.
 * @param finish runs for the first callback alone
 * @throws Refusal ATTEMPT_OVER: no such attempt, or the first callback was refused; UNAVAILABLE; as `finish`
 */
export const finishOnce = async (
  deps: Pick<AttemptDeps, 'helperSessions'>,
  key: AttemptKey,
  finish: (attempt: Attempt) => Promise<CallbackOutcome>,
): Promise<CallbackOutcome> => {
  const { helperSessions } = deps;
  const [sessionId, entry] = [key.sessionId, entryOf(key.state)];
  const attempt = await takeAttempt(deps, key, () => helperSessions.keep(sessionId, entry, pending, pendingSeconds));
  if (attempt === null) return outcomeOfFirst(deps, sessionId, entry);
  const outcome = await finish(attempt).catch(async (error: unknown) => {
    await helperSessions.take(sessionId, entry).catch(forOthersOnly);
    throw error;
  });
  await helperSessions.write(sessionId, entry, JSON.stringify(outcome), outcomeSeconds).catch(forOthersOnly);
  return outcome;
};

/**
 * A failure to store how the attempt ended: by then it has ended, and its own answer holds. Only other callbacks of
 * this browser lack it; they wait until the entry expires, and are refused. The stores log their failures.
 */
const forOthersOnly = (): void => undefined;

const outcomeOfFirst = async (
  { helperSessions }: Pick<AttemptDeps, 'helperSessions'>,
  sessionId: string,
  entry: string,
): Promise<CallbackOutcome> => {
  for (let waited = 0; waited < pendingSeconds * 1000; waited += pauseMillis) {
    const text = await helperSessions.read(sessionId, entry);
    if (text === null) break;
    if (text !== pending) return callbackOutcome.parse(JSON.parse(text));
    await delay(pauseMillis);
  }
  throw externalRefusal('ATTEMPT_OVER', 'state_unknown');
};
