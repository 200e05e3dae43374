/**
 * Owns how each session with a PostgreSQL server begins: with its settings, and with a look at the server. A fail-over may
 * have led to another one than at the start, and a standby would answer with what was true a moment ago.
 */
import { queryable, runText, type StatementClient } from './connection.ts';
import { DatabaseRefused, endingAfter } from './failure.ts';
import { sessionSettings } from './session.ts';
import { statement } from './statement.ts';

const oldestServer = 150_000;

interface ServerFacts {
  readonly synchronousCommit: string;
  readonly serverVersion: number;
  readonly isStandby: boolean;
}

const facts = statement<ServerFacts>(
  'database.begin_session',
  `SELECT current_setting('synchronous_commit') AS "synchronousCommit",
          current_setting('server_version_num')::int AS "serverVersion",
          pg_is_in_recovery() AS "isStandby"`,
);

/**
 * In one round trip, once for each connection.
 * @param settings of this kind of session, beside those of all
 * @param patienceMillis for the answers, before the connection is given up
 * @throws DatabaseRefused with one sentence for the operator
 */
export const beginSession = async (
  client: StatementClient,
  settings: string,
  patienceMillis: number,
): Promise<void> => {
  const session = queryable(({ text }) => runText(client, text, patienceMillis));
  const [, servers] = await Promise.all([
    runText(client, `${sessionSettings}; ${settings}`, patienceMillis),
    session.many(facts, []),
  ]);
  servers.forEach(requireUsable);
};

/** What tells whether two sessions mean the same transaction by one id. */
export interface ServerHistory {
  /** Another one begins whenever a standby becomes the primary. */
  readonly timeline: string;
  /** Since when it counts its statistics. It begins to count anew when it has recovered from a crash. */
  readonly countsSince: string;
}

const history = statement<{ readonly timeline: string; readonly countsSince: string | null }>(
  'database.history',
  `SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline, stats_reset::text AS "countsSince"
     FROM pg_stat_bgwriter`,
);

/**
 * Which history the server writes: after a failover or a crash the same id may be another transaction's. In the round trip
 * of {@link beginSession}.
 * @returns null where the server does not say; not every service that speaks like PostgreSQL does
 */
export const readHistory = async (client: StatementClient, patienceMillis: number): Promise<ServerHistory | null> => {
  const session = queryable((asked) => runText(client, asked.text, patienceMillis));
  try {
    const { timeline, countsSince } = await session.one(history, []);
    return countsSince === null ? null : { timeline, countsSince };
  } catch (error) {
    if (endingAfter(error) === 'usable') return null;
    throw error;
  }
};

const requireUsable = (server: ServerFacts): void => {
  if (server.serverVersion < oldestServer) {
    const major = Math.floor(server.serverVersion / 10_000);
    throw new DatabaseRefused(`The server at DATABASE_URL is PostgreSQL ${major}; Gatehouse needs 15 or newer.`);
  }
  if (server.isStandby) {
    throw new DatabaseRefused('The server at DATABASE_URL is a read-only standby; point DATABASE_URL at the primary.');
  }
  if (server.synchronousCommit === 'off') {
    throw new DatabaseRefused(
      'The server at DATABASE_URL has synchronous_commit off and would lose acknowledged writes; set it to on, ' +
        'for example with ALTER DATABASE … SET synchronous_commit TO on.',
    );
  }
};
