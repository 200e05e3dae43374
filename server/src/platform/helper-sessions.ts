/**
 * Helper sessions: a few short texts that the service keeps for one browser (specification, "Cookies"), in Redis where
 * REDIS_URL names one, else in the database. They support external sign-in and hold the visitor's consent. They are no
 * credential: no surface may take an identity from here.
 */
import { type Keyring, sha256 } from '../kernel/secrets.ts';
import type { Database } from './database/database.ts';
import { statement } from './database/statement.ts';
import { rowsAtOnce } from './jobs/scheduled-jobs.ts';
import type { Redis } from './redis/redis.ts';

// Helper sessions: a handful of short texts that the service remembers for one browser (specification, "Cookies"). They
// help a sign-in by an outside provider along and keep the visitor's decision about analytics. They never say who
// somebody is: no surface may take an identity from here.
//
// Kept in Redis where REDIS_URL names one (`helper-sessions.ts`), else in the database
// (`helper-sessions.ts`). Either way a store sees the hash of the session's id and sealed values, so that its
// dump tells nothing and whoever writes into it forges nothing: what was not sealed here for this session and this name
// counts as not there.

/** How long a helper session lives, in seconds (specification, "Limits"). */
export const helperSessionSeconds = 30 * 24 * 3600;

/**
 * What the stores have in common. A session's id is the raw one of the browser's cookie; lives are whole seconds from
 * now. Each call is one step: of several callers at once, each sees what was there before or after another.
 * @throws Refusal UNAVAILABLE (Redis) or DatabaseUnavailable, which every surface shows alike, when the store does not
 *   answer; whether a change was made is not known then
 */
export interface HelperSessions {
  /** What the session remembers under a name, or null. */
  read(sessionId: string, name: string): Promise<string | null>;
  /** Remembers a text, in place of what was there. */
  write(sessionId: string, name: string, value: string, lifeSeconds: number): Promise<void>;
  /** Remembers a text unless one is there, which then lives on for as long; answers the one that is remembered. */
  keep(sessionId: string, name: string, value: string, lifeSeconds: number): Promise<string>;
  /** Reads and forgets: of several callers at once, one gets it. */
  take(sessionId: string, name: string): Promise<string | null>;
}

// How a store of helper sessions keeps a value: sealed, and bound to the session and the name that it belongs to.

const purpose = 'helper session';

const contextOf = (sessionHash: Buffer, name: string): string => `${sessionHash.toString('hex')} ${name}`;

export const sealValue = (keyring: Keyring, sessionHash: Buffer, name: string, value: string): Buffer =>
  keyring.seal(purpose, contextOf(sessionHash, name), value);

/** Null for what was not sealed here, for this place: it counts as not there. */
export const openValue = (keyring: Keyring, sessionHash: Buffer, name: string, sealed: Buffer): string | null =>
  keyring.open(purpose, contextOf(sessionHash, name), sealed);

// SQL of `helper_session_entries`: what is remembered for browsers, when no Redis does it.

interface StoredEntry {
  readonly sealedValue: Buffer;
}

type Entry = [sessionHash: Buffer, name: string, sealedValue: Buffer, lifeSeconds: number];

export const readEntry = statement<StoredEntry, [sessionHash: Buffer, name: string]>(
  'helper_sessions.read',
  `SELECT sealed_value AS "sealedValue" FROM helper_session_entries
   WHERE session_hash = $1 AND name = $2 AND expires_at > now()`,
);

export const writeEntry = statement<unknown, Entry>(
  'helper_sessions.write',
  `INSERT INTO helper_session_entries (session_hash, name, sealed_value, expires_at)
   VALUES ($1, $2, $3, now() + $4 * interval '1 second')
   ON CONFLICT (session_hash, name) DO UPDATE SET sealed_value = excluded.sealed_value, expires_at = excluded.expires_at`,
);

/** The one statement that decides which of several first texts stays. */
export const keepEntry = statement<StoredEntry, Entry>(
  'helper_sessions.keep',
  `INSERT INTO helper_session_entries AS e (session_hash, name, sealed_value, expires_at)
   VALUES ($1, $2, $3, now() + $4 * interval '1 second')
   ON CONFLICT (session_hash, name) DO UPDATE SET expires_at = excluded.expires_at,
     sealed_value = CASE WHEN e.expires_at > now() THEN e.sealed_value ELSE excluded.sealed_value END
   RETURNING sealed_value AS "sealedValue"`,
);

/** The one statement that decides who gets an entry which is there once. */
export const takeEntry = statement<StoredEntry, [sessionHash: Buffer, name: string]>(
  'helper_sessions.take',
  `DELETE FROM helper_session_entries WHERE session_hash = $1 AND name = $2 AND expires_at > now()
   RETURNING sealed_value AS "sealedValue"`,
);

export const purgeEntries = statement(
  'helper_sessions.purge',
  `WITH over AS MATERIALIZED (
     SELECT session_hash, name FROM helper_session_entries WHERE expires_at < now()
     ORDER BY expires_at LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED)
   DELETE FROM helper_session_entries e USING over
   WHERE e.session_hash = over.session_hash AND e.name = over.name`,
);

// Helper sessions in the database.

export const createDatabaseHelperSessions = (database: Database, keyring: Keyring): HelperSessions => {
  const write: HelperSessions['write'] = async (sessionId, name, value, lifeSeconds) => {
    const hash = sha256(sessionId);
    await database.execute(writeEntry, [hash, name, sealValue(keyring, hash, name, value), lifeSeconds]);
  };
  return {
    read: async (sessionId, name) => {
      const hash = sha256(sessionId);
      const row = await database.maybeOne(readEntry, [hash, name]);
      return row === null ? null : openValue(keyring, hash, name, row.sealedValue);
    },
    write,
    keep: async (sessionId, name, value, lifeSeconds) => {
      const hash = sha256(sessionId);
      const sealed = sealValue(keyring, hash, name, value);
      const { sealedValue } = await database.one(keepEntry, [hash, name, sealed, lifeSeconds]);
      const kept = openValue(keyring, hash, name, sealedValue);
      if (kept !== null) return kept;
      // Not sealed here, or with a secret that is gone: it was never there.
      await write(sessionId, name, value, lifeSeconds);
      return value;
    },
    take: async (sessionId, name) => {
      const hash = sha256(sessionId);
      const row = await database.maybeOne(takeEntry, [hash, name]);
      return row === null ? null : openValue(keyring, hash, name, row.sealedValue);
    },
  };
};

// Helper sessions in Redis: one key for each entry, which Redis forgets by itself.

const keyOf = (sessionHash: Buffer, name: string): string => `gatehouse:helper:${sessionHash.toString('hex')}:${name}`;

export const createRedisHelperSessions = (redis: Pick<Redis, 'send'>, keyring: Keyring): HelperSessions => {
  const sealed = (hash: Buffer, name: string, value: string): string =>
    sealValue(keyring, hash, name, value).toString('base64');
  const opened = (hash: Buffer, name: string, reply: unknown): string | null =>
    typeof reply === 'string' ? openValue(keyring, hash, name, Buffer.from(reply, 'base64')) : null;
  return {
    read: async (sessionId, name) => {
      const hash = sha256(sessionId);
      return opened(hash, name, await redis.send(['GET', keyOf(hash, name)]));
    },
    write: async (sessionId, name, value, lifeSeconds) => {
      const hash = sha256(sessionId);
      await redis.send(['SET', keyOf(hash, name), sealed(hash, name, value), 'EX', String(lifeSeconds)]);
    },
    keep: async (sessionId, name, value, lifeSeconds) => {
      const hash = sha256(sessionId);
      const [key, text, life] = [keyOf(hash, name), sealed(hash, name, value), String(lifeSeconds)];
      // Twice, because an entry may go between the two commands.
      for (const _attempt of [1, 2]) {
        if ((await redis.send(['SET', key, text, 'EX', life, 'NX'])) === 'OK') return value;
        const kept = opened(hash, name, await redis.send(['GETEX', key, 'EX', life]));
        if (kept !== null) return kept;
      }
      // Not sealed here, or with a secret that is gone: it was never there.
      await redis.send(['SET', key, text, 'EX', life]);
      return value;
    },
    take: async (sessionId, name) => {
      const hash = sha256(sessionId);
      return opened(hash, name, await redis.send(['GETDEL', keyOf(hash, name)]));
    },
  };
};
