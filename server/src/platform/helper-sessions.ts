/**
 * Owns helper sessions: a few short texts kept for one browser (contract/accounts.md#helper-session), in Redis when
 * REDIS_URL is set, else in the database. No surface may derive an identity from them.
 *
 * A store sees the hash of the session's id and sealed values, so that its dump reveals nothing: a value not sealed
 * here for this session and name counts as absent.
 */
import { type Keyring, sha256 } from '../kernel/secrets.ts';
import type { Database } from './database/database.ts';
import { statement } from './database/statement.ts';
import { rowsAtOnce } from './jobs/scheduled-jobs.ts';
import type { Redis } from './redis/redis.ts';

/** Lifetime of a helper session, in seconds (contract/accounts.md#helper-session). */
export const helperSessionSeconds = 30 * 24 * 3600;

/**
 * A session id is the raw one of the browser's cookie; lifetimes are whole seconds from now. Each call is atomic.
 * @throws UNAVAILABLE, DatabaseUnavailable: when the store (Redis or the database) does not answer; whether a change
 *   was made is then unknown. Every surface shows both alike
 */
export interface HelperSessions {
  /** The text stored under a name, or null. */
  read(sessionId: string, name: string): Promise<string | null>;
  /** Stores a text, replacing any previous one. */
  write(sessionId: string, name: string, value: string, lifeSeconds: number): Promise<void>;
  /** Stores a text unless there is one, whose lifetime is then renewed; returns the stored one. */
  keep(sessionId: string, name: string, value: string, lifeSeconds: number): Promise<string>;
  /** Reads and deletes: of concurrent callers, exactly one gets the text. */
  take(sessionId: string, name: string): Promise<string | null>;
}

// Sealing of values, bound to the session and the name.

const purpose = 'helper session';

const contextOf = (sessionHash: Buffer, name: string): string => `${sessionHash.toString('hex')} ${name}`;

const sealValue = (keyring: Keyring, sessionHash: Buffer, name: string, value: string): Buffer =>
  keyring.seal(purpose, contextOf(sessionHash, name), value);

/** Null for a value not sealed here for this session and name: it counts as absent. */
const openValue = (keyring: Keyring, sessionHash: Buffer, name: string, sealed: Buffer): string | null =>
  keyring.open(purpose, contextOf(sessionHash, name), sealed);

// SQL of `helper_session_entries`: the entries when Redis is not configured.

interface StoredEntry {
  readonly sealedValue: Buffer;
}

type Entry = [sessionHash: Buffer, name: string, sealedValue: Buffer, lifeSeconds: number];

const readEntry = statement<StoredEntry, [sessionHash: Buffer, name: string]>(
  'helper_sessions.read',
  `SELECT sealed_value AS "sealedValue" FROM helper_session_entries
   WHERE session_hash = $1 AND name = $2 AND expires_at > now()`,
);

const writeEntry = statement<unknown, Entry>(
  'helper_sessions.write',
  `INSERT INTO helper_session_entries (session_hash, name, sealed_value, expires_at)
   VALUES ($1, $2, $3, now() + $4 * interval '1 second')
   ON CONFLICT (session_hash, name) DO UPDATE SET sealed_value = excluded.sealed_value, expires_at = excluded.expires_at`,
);

/** Decides atomically which of several concurrent first texts is stored. */
const keepEntry = statement<StoredEntry, Entry>(
  'helper_sessions.keep',
  `INSERT INTO helper_session_entries AS e (session_hash, name, sealed_value, expires_at)
   VALUES ($1, $2, $3, now() + $4 * interval '1 second')
   ON CONFLICT (session_hash, name) DO UPDATE SET expires_at = excluded.expires_at,
     sealed_value = CASE WHEN e.expires_at > now() THEN e.sealed_value ELSE excluded.sealed_value END
   RETURNING sealed_value AS "sealedValue"`,
);

/** Decides atomically which caller gets an entry. */
const takeEntry = statement<StoredEntry, [sessionHash: Buffer, name: string]>(
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
      // Not sealed here, or with a lost secret: counts as absent.
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

// Helper sessions in Redis: one key per entry, which Redis expires.

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
      // Twice, because an entry may expire between the two commands.
      for (const _attempt of [1, 2]) {
        if ((await redis.send(['SET', key, text, 'EX', life, 'NX'])) === 'OK') return value;
        const kept = opened(hash, name, await redis.send(['GETEX', key, 'EX', life]));
        if (kept !== null) return kept;
      }
      // Not sealed here, or with a lost secret: counts as absent.
      await redis.send(['SET', key, text, 'EX', life]);
      return value;
    },
    take: async (sessionId, name) => {
      const hash = sha256(sessionId);
      return opened(hash, name, await redis.send(['GETDEL', keyOf(hash, name)]));
    },
  };
};
