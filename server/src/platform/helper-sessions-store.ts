/** SQL of `helper_session_entries`: what is remembered for browsers, when no Redis does it. */
import { statement } from './database/statement.ts';

export const readEntry = statement<{ readonly sealedValue: Buffer }, [sessionHash: Buffer, name: string]>(
  'helper_sessions.read',
  `SELECT sealed_value AS "sealedValue" FROM helper_session_entries
   WHERE session_hash = $1 AND name = $2 AND expires_at > now()`,
);

export const writeEntry = statement<
  unknown,
  [sessionHash: Buffer, name: string, sealedValue: Buffer, lifeSeconds: number]
>(
  'helper_sessions.write',
  `INSERT INTO helper_session_entries (session_hash, name, sealed_value, expires_at)
   VALUES ($1, $2, $3, now() + $4 * interval '1 second')
   ON CONFLICT (session_hash, name) DO UPDATE SET sealed_value = excluded.sealed_value, expires_at = excluded.expires_at`,
);

/** The one statement that decides who gets an entry which is there once. */
export const takeEntry = statement<{ readonly sealedValue: Buffer }, [sessionHash: Buffer, name: string]>(
  'helper_sessions.take',
  `DELETE FROM helper_session_entries WHERE session_hash = $1 AND name = $2 AND expires_at > now()
   RETURNING sealed_value AS "sealedValue"`,
);

/** Clears away a few at a time; those that somebody else clears just now are theirs. */
export const sweepEntries = statement(
  'helper_sessions.sweep',
  `DELETE FROM helper_session_entries WHERE (session_hash, name) IN (
     SELECT session_hash, name FROM helper_session_entries WHERE expires_at < now()
     ORDER BY expires_at LIMIT 20 FOR UPDATE SKIP LOCKED)`,
);
