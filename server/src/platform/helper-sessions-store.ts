/** SQL of `helper_session_entries`: what is remembered for browsers, when no Redis does it. */
import { statement } from './database/statement.ts';
import { rowsAtOnce } from './scheduled-jobs.ts';

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
