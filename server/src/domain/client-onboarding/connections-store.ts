/** SQL of the tables `mcp_connections` and `mcp_connection_steps`: written by database functions, and read. */
import { type SqlValue, statement } from '../../platform/database/statement.ts';
import type { ConnectionRule, ConnectionStep } from './steps.ts';

/** Adds steps in this order, each to the connection that it belongs to; an empty text means none. */
export const recordSteps = statement<
  unknown,
  [
    freshIds: readonly string[],
    clientIds: readonly string[],
    ips: readonly string[],
    networks: readonly string[],
    userAgents: readonly string[],
    steps: readonly string[],
    places: readonly number[],
    rules: readonly string[],
    details: readonly string[],
    firstAgesMilliseconds: readonly number[],
    lastAgesMilliseconds: readonly number[],
    counts: readonly number[],
  ]
>('connections.record_steps', 'SELECT note_mcp_connection_steps($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)');

/** Deletes the oldest connections past the retention limit. */
export const forgetConnections = statement<{ readonly deleted: number }, [maxRows: number]>(
  'connections.forget',
  'SELECT forget_mcp_connections($1) AS deleted',
);

export const connectionStatuses = ['CONNECTED', 'REFUSED', 'UNFINISHED'] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

/** A step of a connection; an identical repetition is the same row. */
export interface StepRow {
  readonly connectionId: string;
  readonly step: ConnectionStep;
  /** Null when the step passed. */
  readonly rule: ConnectionRule | null;
  readonly detail: string | null;
  readonly at: Date;
  readonly lastAt: Date;
  readonly count: number;
  /** The step was refused, and neither it nor a later step has passed since. */
  readonly stands: boolean;
  /** Status of the connection that matches these steps. */
  readonly connectionStatus: ConnectionStatus;
}

/** The steps of several connections, each in order of first occurrence. */
export const listSteps = statement<StepRow, [connectionIds: readonly string[]]>(
  'connections.list_steps',
  `SELECT s.connection_id AS "connectionId", s.step, s.rule, s.detail, s.at, s.last_at AS "lastAt", s.times AS "count",
     s.stands, c.status AS "connectionStatus"
   FROM mcp_connection_steps s JOIN mcp_connections c ON c.id = s.connection_id
   WHERE s.connection_id = ANY($1::uuid[]) ORDER BY s.at, s.position`,
);

/** A connection as super admins see it, without its steps. */
export interface ConnectionRow {
  readonly id: string;
  readonly clientId: string | null;
  readonly clientName: string | null;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly beganAt: Date;
  readonly lastStepAt: Date;
  /** Microseconds since 1970: a Date would truncate them, and a cursor would skip rows within the same millisecond. */
  readonly lastStepAtMicros: string;
  readonly status: ConnectionStatus;
}

/** Filter of connections; null matches any. */
interface SoughtConnections {
  readonly client: string | null;
  readonly status: ConnectionStatus | null;
  /** A LIKE pattern. */
  readonly search: string | null;
}

const conditions: readonly (readonly [keyof SoughtConnections, (place: string) => string])[] = [
  ['client', (value) => `c.client_id = ${value}`],
  ['status', (value) => `c.status = ${value}`],
  [
    'search',
    (value) => `(lower(k.name) LIKE ${value} OR lower(c.ip) LIKE ${value} OR lower(c.user_agent) LIKE ${value})`,
  ],
];

/**
 * Connections of the last seven days: their number, and a page of them, newest step first, from the cursor or from the
 * start. Each statement contains only the requested conditions, so that it is planned for them.
 */
export const keptConnections = (sought: SoughtConnections) => {
  const asked = conditions.filter(([key]) => sought[key] !== null);
  const values = asked.map(([key]) => sought[key]);
  const suffix = asked.map(([key]) => `_${key}`).join('');
  const source = `FROM mcp_connections c LEFT JOIN oauth_clients k ON k.id = c.client_id
   WHERE c.last_step_at > now() - interval '7 days'
     ${asked.map(([, condition], index) => `AND ${condition(`$${index + 1}`)}`).join(' ')}`;
  const [micros, id, limit] = [1, 2, 3].map((offset) => `$${values.length + offset}`);
  return {
    values,
    count: statement<{ readonly total: number }, readonly SqlValue[]>(
      `connections.count${suffix}`,
      `SELECT count(*)::integer AS total ${source}`,
    ),
    list: statement<ConnectionRow, readonly SqlValue[]>(
      `connections.list${suffix}`,
      `SELECT c.id, c.client_id AS "clientId", k.name AS "clientName", c.ip, nullif(c.user_agent, '') AS "userAgent",
     c.began_at AS "beganAt", c.last_step_at AS "lastStepAt",
     (extract(epoch FROM c.last_step_at) * 1000000)::bigint::text AS "lastStepAtMicros", c.status ${source}
     AND (c.last_step_at, c.id) < (coalesce(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', 'infinity'),
       coalesce(${id}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   ORDER BY c.last_step_at DESC, c.id DESC
   LIMIT ${limit}`,
    ),
  };
};
