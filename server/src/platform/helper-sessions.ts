/**
 * Owns helper sessions: a few short texts kept for one browser (contract/accounts.md#helper-session), in Redis when
 * REDIS_URL is set, else in the database. No surface may derive an identity from them.
 *
 * A store sees the hash of the session's id and sealed values: reading it reveals nothing. A value that was not sealed
 * here for this session and name counts as absent: writing to it forges nothing.
 */
import { type Keyring, sha256 } from '../kernel/secrets.ts';
import { type Database, statement } from './database/database.ts';
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

/** Stores sealed values, one for each session and name. */
interface EntryStore {
  read(hash: Buffer, name: string): Promise<Buffer | null>;
  write(...entry: Entry): Promise<unknown>;
  /** The stored value: the given one, or that which there was. Null when it expired meanwhile. */
  keep(...entry: Entry): Promise<Buffer | null>;
  take(hash: Buffer, name: string): Promise<Buffer | null>;
}

type Entry = [sessionHash: Buffer, name: string, sealedValue: Buffer, lifeSeconds: number];

const purpose = 'helper session';

const sealedIn = (store: EntryStore, keyring: Keyring): HelperSessions => {
  const contextOf = (hash: Buffer, name: string): string => `${hash.toString('hex')} ${name}`;
  const seal = (hash: Buffer, name: string, value: string): Buffer =>
    keyring.seal(purpose, contextOf(hash, name), value);
  /** Null for a value not sealed here for this session and name: it counts as absent. */
  const open = (hash: Buffer, name: string, sealed: Buffer | null): string | null =>
    sealed === null ? null : keyring.open(purpose, contextOf(hash, name), sealed);
  return {
    read: async (sessionId, name) => {
      const hash = sha256(sessionId);
      return open(hash, name, await store.read(hash, name));
    },
    write: async (sessionId, name, value, lifeSeconds) => {
      const hash = sha256(sessionId);
      await store.write(hash, name, seal(hash, name, value), lifeSeconds);
    },
    keep: async (sessionId, name, value, lifeSeconds) => {
      const hash = sha256(sessionId);
      const sealed = seal(hash, name, value);
      const kept = open(hash, name, await store.keep(hash, name, sealed, lifeSeconds));
      if (kept !== null) return kept;
      // Not sealed here, or with a lost secret: counts as absent.
      await store.write(hash, name, sealed, lifeSeconds);
      return value;
    },
    take: async (sessionId, name) => {
      const hash = sha256(sessionId);
      return open(hash, name, await store.take(hash, name));
    },
  };
};

// SQL of `helper_session_entries`: the entries when Redis is not configured.

interface StoredEntry {
  readonly sealedValue: Buffer;
}

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

export const createDatabaseHelperSessions = (database: Database, keyring: Keyring): HelperSessions =>
  sealedIn(
    {
      read: async (...key) => (await database.maybeOne(readEntry, key))?.sealedValue ?? null,
      write: (...entry) => database.execute(writeEntry, entry),
      keep: async (...entry) => (await database.one(keepEntry, entry)).sealedValue,
      take: async (...key) => (await database.maybeOne(takeEntry, key))?.sealedValue ?? null,
    },
    keyring,
  );

// Helper sessions in Redis: one key per entry, which Redis expires.

const keyOf = (sessionHash: Buffer, name: string): string => `gatehouse:helper:${sessionHash.toString('hex')}:${name}`;

const bytesOf = (reply: unknown): Buffer | null => (typeof reply === 'string' ? Buffer.from(reply, 'base64') : null);

export const createRedisHelperSessions = (redis: Pick<Redis, 'send'>, keyring: Keyring): HelperSessions => {
  const set = ([hash, name, sealed, lifeSeconds]: Entry, ...options: string[]): Promise<unknown> =>
    redis.send(['SET', keyOf(hash, name), sealed.toString('base64'), 'EX', String(lifeSeconds), ...options]);
  return sealedIn(
    {
      read: async (...key) => bytesOf(await redis.send(['GET', keyOf(...key)])),
      write: (...entry) => set(entry),
      keep: async (...entry) => {
        const [hash, name, sealed, lifeSeconds] = entry;
        // Twice, because an entry may expire between the two commands.
        for (const _attempt of [1, 2]) {
          if ((await set(entry, 'NX')) === 'OK') return sealed;
          const kept = bytesOf(await redis.send(['GETEX', keyOf(hash, name), 'EX', String(lifeSeconds)]));
          if (kept !== null) return kept;
        }
        return null;
      },
      take: async (...key) => bytesOf(await redis.send(['GETDEL', keyOf(...key)])),
    },
    keyring,
  );
};
