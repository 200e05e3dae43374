/**
 * Owns: the history of attempts to sign in.
 * Promises: A success is recorded with its pair or not at all; a refusal waits for no record, and what was typed is
 *   never kept.
 *
 * Records refused attempts: noted in memory during the request, written in batches outside of it, so that the answer
 * neither waits for the record nor differs by it (decision 0057). A success is written by the statement that issues the
 * pair.
 */
import { Refusal } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { storableAddress } from '../../kernel/network.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Statement } from '../../platform/database/statement.ts';
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { WriteBehind } from '../../platform/write-behind.ts';
import {
  insertRefusals,
  purgeEndedCounts,
  purgeEndedSignIns,
  purgeOlderCounts,
  purgeOlderSignIns,
} from './sign-ins-store.ts';

/** How a person may sign in: the `authMethod` of the session that begins. */
export const signInMethods = ['google', 'invitation', 'passkey', 'password'] as const;
type SignInMethod = (typeof signInMethods)[number];

/**
 * The refusals that are recorded. Those of a rate limit, of malformed input and of a dependency are none of a person:
 * they come before anything is checked, and recording them would cost what they save.
 */
export const recordedRefusals = [
  'ACCOUNT_EXISTS',
  'ACCOUNT_HAS_OTHER_IDENTITY',
  'ACCOUNT_MISMATCH',
  'ACCOUNT_SUSPENDED',
  'CHALLENGE_REFUSED',
  'EMAIL_MISSING',
  'EMAIL_NOT_VERIFIED',
  'EMAIL_UNVERIFIED',
  'EXCHANGE_REFUSED',
  'INVALID_CREDENTIALS',
  'INVITATION_NOT_OPEN',
  'SECOND_FACTOR_REQUIRED',
] as const;

/** An attempt, before its outcome. */
interface SignInAttempt {
  readonly method: SignInMethod;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

interface RefusedAttempt extends SignInAttempt {
  readonly id: string;
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly userId: string | null;
  readonly outcome: string;
}

const maxUserAgentLength = 512;

export class SignInHistory {
  readonly #refusals: WriteBehind<RefusedAttempt>;
  readonly #days: number;

  /** @param days how long an attempt is kept; 0 keeps none */
  constructor(database: Pick<Database, 'execute'>, logger: Logger, days: number) {
    this.#days = days;
    this.#refusals = new WriteBehind({
      maxPending: 20_000,
      batchSize: 1000,
      write: (batch) => {
        const now = performance.now();
        return database.execute(insertRefusals, [
          batch.map(({ id }) => id),
          batch.map(({ at }) => Math.round(now - at)),
          batch.map(({ userId }) => userId),
          batch.map(({ method }) => method),
          batch.map(({ outcome }) => outcome),
          batch.map(({ ip }) => storableAddress(ip)),
          batch.map(({ userAgent }) => userAgent),
          days,
        ]);
      },
      onLost: (error) =>
        logger.warn({ event: 'sign_ins.lost', err: error }, 'Some refused sign-ins could not be recorded'),
    });
  }

  /** How long an attempt is kept; 0 keeps none. */
  get days(): number {
    return this.#days;
  }

  /**
   * Runs an attempt to sign in, and notes its refusal. A person is named only where the refusal does.
   * @throws the error of the work
   */
  async attempt<Result>(attempt: SignInAttempt, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal) this.refuse(attempt, error);
      throw error;
    }
  }

  /** Notes a refusal. Never waits; costs the same whether a person is known. */
  refuse({ method, ip, userAgent }: SignInAttempt, { code, userId }: Refusal): void {
    if (this.#days === 0 || this.#refusals.isFull || !isRecorded(code)) return;
    const id = newId();
    const agent = userAgent?.slice(0, maxUserAgentLength) ?? null;
    this.#refusals.add(id, { id, at: performance.now(), userId, method, outcome: code, ip, userAgent: agent });
  }

  /** Writes the pending refusals. A failure is logged and loses only these. */
  flush(): Promise<void> {
    return this.#refusals.flush();
  }
}

const isRecorded = (code: string): boolean => recordedRefusals.some((recorded) => recorded === code);

/** Deletes what is past the end that it was written with, and what the present setting keeps no longer. */
const purge =
  (ended: Statement<unknown, readonly []>, older: Statement<unknown, [days: number]>) =>
  (days: number): ScheduledJob['purge'] =>
  async (database) =>
    (await database.execute(ended, [])) || database.execute(older, [days]);

export const purgeSignIns = purge(purgeEndedSignIns, purgeOlderSignIns);

export const purgeRefusedSignIns = purge(purgeEndedCounts, purgeOlderCounts);
