/** The two stores of helper sessions behind one interface, with direct access for tests. */
import { Keyring, sha256 } from '../../../src/kernel/secrets.ts';
import {
  createDatabaseHelperSessions,
  createRedisHelperSessions,
  type HelperSessions,
  purgeEntries,
} from '../../../src/platform/helper-sessions.ts';
import { connectRedis, type Redis } from '../../../src/platform/redis/redis.ts';
import { lendDatabase } from '../database/database-pool.ts';
import { embedded, redisUrl } from '../database/engines.ts';
import { sqlOn } from '../database/sql.ts';
import { silentLogger } from './silent-logger.ts';

/** The key of an entry. */
export interface Place {
  readonly sessionId: string;
  readonly name: string;
}

export interface HelperStore {
  /** Opened as by a process with these secrets, over its own connection where the store allows it. */
  open(secrets?: readonly string[]): HelperSessions;
  /** All rows or keys of these sessions, as in a dump. */
  dump(sessionIds: readonly string[]): Promise<string>;
  /** How long an entry lives from now; null without an entry. */
  secondsLeft(place: Place): Promise<number | null>;
  end(place: Place): Promise<void>;
  /** Periodic maintenance of the store; Redis expires keys itself. */
  purge(): Promise<void>;
  copy(from: Place, to: Place): Promise<void>;
  /** Stores bytes that were not sealed. */
  poison(place: Place, bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

const defaultSecrets: readonly string[] = ['the secret of the helper sessions of the tests'];

/** On PostgreSQL each opening has its own pool; the embedded engine has one connection for all. */
export const databaseStore = async (): Promise<HelperStore> => {
  const stored = await lendDatabase();
  const openOne = () => stored.open({ poolSize: 4 });
  const [first, second] = [await openOne(), embedded ? null : await openOne()];
  const sql = sqlOn(first);
  let opened = 0;
  return {
    open: (secrets = defaultSecrets) => {
      opened += 1;
      return createDatabaseHelperSessions(opened % 2 === 0 ? (second ?? first) : first, new Keyring(secrets));
    },
    dump: async (sessionIds) => {
      const rows = await sql.column<string>(
        `SELECT e::text || ' ' || encode(sealed_value, 'escape') AS line FROM helper_session_entries e
         WHERE encode(session_hash, 'hex') = ANY ($1)`,
        [sessionIds.map(hexOf)],
      );
      return rows.join('\n');
    },
    secondsLeft: async (place) =>
      (await sql.value<number>(
        `SELECT extract(epoch FROM expires_at - now())::float8 AS seconds FROM helper_session_entries
         WHERE session_hash = $1 AND name = $2`,
        rowOf(place),
      )) ?? null,
    end: async (place) => {
      await sql(
        `UPDATE helper_session_entries SET expires_at = now() - interval '1 millisecond'
         WHERE session_hash = $1 AND name = $2`,
        rowOf(place),
      );
    },
    purge: async () => {
      while ((await first.execute(purgeEntries, [])) > 0);
    },
    copy: async (from, to) => {
      await sql(
        `INSERT INTO helper_session_entries SELECT $3, $4, sealed_value, expires_at FROM helper_session_entries
         WHERE session_hash = $1 AND name = $2`,
        [...rowOf(from), ...rowOf(to)],
      );
    },
    poison: async (place, bytes) => {
      await sql(`INSERT INTO helper_session_entries VALUES ($1, $2, $3, now() + interval '1 minute')`, [
        ...rowOf(place),
        bytes,
      ]);
    },
    close: async () => {
      await second?.close();
      await first.close();
      await stored.drop();
    },
  };
};

/** Each opening has its own connection. The ids of the tests are random, so that files do not collide. */
export const redisStore = async (): Promise<HelperStore> => {
  const connections: Redis[] = [];
  const connect = (): Redis => {
    const redis = connectRedis({ url: redisUrl ?? '', logger: silentLogger });
    connections.push(redis);
    return redis;
  };
  const { send } = bound(connect());
  return {
    open: (secrets = defaultSecrets) => createRedisHelperSessions(connect(), new Keyring(secrets)),
    dump: async (sessionIds) => {
      const lists = await Promise.all(sessionIds.map((id) => send(['KEYS', `*${hexOf(id)}*`])));
      const keys = lists.flat().map(String);
      const values = await Promise.all(keys.map((key) => send(['GET', key])));
      return keys.map((key, index) => `${key} ${seen(values[index])}`).join('\n');
    },
    secondsLeft: async (place) => {
      const millis = Number(await send(['PTTL', keyOf(place)]));
      return millis < 0 ? null : millis / 1000;
    },
    end: async (place) => {
      await send(['PEXPIRE', keyOf(place), '0']);
    },
    purge: async () => undefined,
    copy: async (from, to) => {
      await send(['COPY', keyOf(from), keyOf(to)]);
    },
    poison: async (place, bytes) => {
      await send(['SET', keyOf(place), bytes.toString('base64'), 'EX', '60']);
    },
    close: async () => {
      for (const redis of connections) redis.close();
    },
  };
};

const hexOf = (sessionId: string): string => sha256(sessionId).toString('hex');

const rowOf = ({ sessionId, name }: Place): [Buffer, string] => [sha256(sessionId), name];

/** The documented form (docs/storage.md). */
const keyOf = ({ sessionId, name }: Place): string => `gatehouse:helper:${hexOf(sessionId)}:${name}`;

/** As stored, and the bytes of its base64. */
const seen = (value: unknown): string => `${String(value)} ${Buffer.from(String(value), 'base64').toString('latin1')}`;

const bound = (redis: Redis): Pick<Redis, 'send'> => ({ send: (command) => redis.send(command) });
