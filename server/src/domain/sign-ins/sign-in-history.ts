/**
 * Owns: the history of attempts to sign in.
 * Promises: A success is recorded with its pair or not at all; a refusal waits for no record, and what was typed is
 *   never kept.
 *
 * Records refused attempts: noted in memory during the request, written in batches outside of it, so that the answer
 * neither waits for the record nor differs by it (decision 0057). A success is written by the statement that issues the
 * pair. The tables are `sign_ins`, the attempts, and `refused_sign_ins`, how many were refused on a day.
 */
import { Refusal } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { storableAddress } from '../../kernel/network.ts';
import { type Database, type Statement, statement } from '../../platform/database/database.ts';
import { deletingExpired, rowsAtOnce, type ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { WriteBehind } from '../../platform/write-behind.ts';

/** How a person may sign in: the `authMethod` of the session that begins. */
export const signInMethods = ['google', 'invitation', 'passkey', 'password'] as const;
type SignInMethod = (typeof signInMethods)[number];

/** Not those of rate limits, malformed input and dependencies, which come before anything is checked. */
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

  /** Runs an attempt, and records its refusal; only a refusal names the person. @throws the error of the work */
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

// SQL.

/** The outcome of an attempt that was not refused. */
export const success = 'success';

/**
 * The statement part that notes a success with its pair.
 * @param issued the relation of the pair's rows
 * @param days SQL, how long it is kept; 0 notes none
 * @param ip SQL, storable, or null
 */
export const insertSuccess = (issued: string, days: string, ip: string): string =>
  `INSERT INTO sign_ins (id, user_id, method, outcome, ip, user_agent, session_family_id, expires_at)
     SELECT c.id, c.user_id, c.auth_method, '${success}', ${ip}::inet, c.issue_user_agent, c.session_family_id,
       now() + ${days}::integer * interval '1 day'
     FROM ${issued} c WHERE c.kind = 'user_session' AND ${days}::integer > 0`;

/** The number of a day since 1970 (UTC). */
export const dayOf = (instant: string): string => `floor(extract(epoch FROM ${instant}) / 86400)::integer`;

/** Refused attempts of a day beyond these are counted and not listed: those of one person, and those of none. */
const listedOfPerson = 100;
const listedOfNone = 10_000;

const mostListed = (userId: string): string =>
  `CASE WHEN ${userId} IS NULL THEN ${listedOfNone} ELSE ${listedOfPerson} END`;

/**
 * Counts refused attempts by person and day, and lists them up to the limit of the day. People who are gone are left
 * out; the others are held, in one order, so that a deletion at the same moment fails nothing.
 */
const insertRefusals = statement<
  unknown,
  [
    ids: readonly string[],
    agesMilliseconds: readonly number[],
    userIds: readonly (string | null)[],
    methods: readonly string[],
    outcomes: readonly string[],
    ips: readonly (string | null)[],
    userAgents: readonly (string | null)[],
    days: number,
  ]
>(
  'sign_ins.insert_refusals',
  `WITH batch AS MATERIALIZED (
     SELECT b.*, now() - b.age * interval '1 millisecond' AS at
     FROM unnest($1::uuid[], $2::integer[], $3::uuid[], $4::text[], $5::text[], $6::inet[], $7::text[])
       AS b (id, age, user_id, method, outcome, ip, user_agent)),
   people AS MATERIALIZED (
     SELECT u.id FROM users u WHERE u.id IN (SELECT user_id FROM batch) ORDER BY u.id FOR KEY SHARE),
   refused AS MATERIALIZED (
     SELECT b.*, ${dayOf('b.at')} AS day FROM batch b
     WHERE b.user_id IS NULL OR b.user_id IN (SELECT id FROM people)),
   placed AS (
     SELECT r.*, row_number() OVER (PARTITION BY r.user_id, r.day ORDER BY r.at, r.id) AS place,
       count(*) OVER (PARTITION BY r.user_id, r.day) AS together
     FROM refused r),
   counted AS (
     INSERT INTO refused_sign_ins AS t (user_id, day, attempts, listed, expires_at)
     SELECT r.user_id, r.day, count(*), least(count(*), ${mostListed('r.user_id')}), now() + $8::integer * interval '1 day'
     FROM refused r GROUP BY r.user_id, r.day ORDER BY r.user_id, r.day
     ON CONFLICT (user_id, day) DO UPDATE SET attempts = t.attempts + excluded.attempts,
       listed = least(t.attempts + excluded.attempts, ${mostListed('t.user_id')})
     RETURNING user_id, day, attempts)
   INSERT INTO sign_ins (id, at, user_id, method, outcome, ip, user_agent, expires_at)
   SELECT p.id, p.at, p.user_id, p.method, p.outcome, p.ip, p.user_agent, p.at + $8::integer * interval '1 day'
   FROM placed p JOIN counted c ON c.user_id IS NOT DISTINCT FROM p.user_id AND c.day = p.day
   WHERE c.attempts - p.together + p.place <= ${mostListed('p.user_id')}`,
);

/** The end that an attempt was written with. */
const purgeEndedSignIns = deletingExpired('sign_ins', 'id', 'expires_at', ['expires_at < now()']);

const purgeEndedCounts = deletingExpired('refused_sign_ins', 'id', 'expires_at', ['expires_at < now()']);

/** Attempts that were written to be kept for longer than they are now. */
const purgeOlderSignIns = statement<unknown, [days: number]>(
  'sign_ins.delete_older',
  `DELETE FROM sign_ins WHERE id = ANY (ARRAY(
     SELECT id FROM sign_ins WHERE at <= now() - $1::integer * interval '1 day'
     ORDER BY at, id LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))`,
);

/** The same of the counts of refused attempts: of the days that no list tells any more. */
const purgeOlderCounts = statement<unknown, [days: number]>(
  'refused_sign_ins.delete_older',
  `DELETE FROM refused_sign_ins WHERE id = ANY (ARRAY(
     SELECT id FROM refused_sign_ins WHERE day <= ${dayOf("now() - $1::integer * interval '1 day'")}
     LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))`,
);

/** Deletes what is past the end that it was written with, and what the present setting keeps no longer. */
const purge =
  (ended: Statement<unknown, readonly []>, older: Statement<unknown, [days: number]>) =>
  (days: number): ScheduledJob['purge'] =>
  async (database) =>
    (await database.execute(ended, [])) || database.execute(older, [days]);

export const purgeSignIns = purge(purgeEndedSignIns, purgeOlderSignIns);

export const purgeRefusedSignIns = purge(purgeEndedCounts, purgeOlderCounts);
