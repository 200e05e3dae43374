/** SQL of the tables `mcp_connections` and `mcp_connection_steps`: written by database functions, and read. */
import type { ConnectionRule } from '../../kernel/errors.ts';
import { statement } from '../../platform/database/database.ts';
import { type FilteredList, microsOf, newestFirst } from '../../platform/database/filtered-list.ts';
import type { ConnectionStep } from './steps.ts';

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
  readonly isUnresolved: boolean;
  /** Status of the connection that matches these steps. */
  readonly connectionStatus: ConnectionStatus;
}

/** The steps of several connections, each in order of first occurrence. */
export const listSteps = statement<StepRow, [connectionIds: readonly string[]]>(
  'connections.list_steps',
  `SELECT s.connection_id AS "connectionId", s.step, s.rule, s.detail, s.at, s.last_at AS "lastAt", s.times AS "count",
     s.stands AS "isUnresolved", c.status AS "connectionStatus"
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
  readonly lastStepAtMicros: string;
  readonly status: ConnectionStatus;
}

/** Filter of connections; null matches any. */
interface ConnectionCriteria {
  readonly client: string | null;
  readonly status: ConnectionStatus | null;
  /** A LIKE pattern. */
  readonly search: string | null;
}

/** Connections of the last seven days, newest step first. */
export const keptConnections: FilteredList<ConnectionRow, ConnectionCriteria> = {
  name: (verb) => `connections.${verb}`,
  source: `FROM mcp_connections c LEFT JOIN oauth_clients k ON k.id = c.client_id
   WHERE c.last_step_at > now() - interval '7 days'`,
  conditions: [
    ['client', (id) => `c.client_id = ${id}`],
    ['status', (status) => `c.status = ${status}`],
    [
      'search',
      (text) => `(lower(k.name) LIKE ${text} OR lower(c.ip) LIKE ${text} OR lower(c.user_agent) LIKE ${text})`,
    ],
  ],
  order: newestFirst('c.last_step_at', 'c.id', (row) => row.lastStepAtMicros),
  select: (page) =>
    `SELECT c.id, c.client_id AS "clientId", k.name AS "clientName", c.ip, nullif(c.user_agent, '') AS "userAgent",
     c.began_at AS "beganAt", c.last_step_at AS "lastStepAt", ${microsOf('c.last_step_at')} AS "lastStepAtMicros",
     c.status ${page}`,
};
