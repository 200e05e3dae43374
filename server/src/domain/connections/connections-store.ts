/** SQL of the tables `mcp_connections` and `mcp_connection_steps`: written by functions of the database, and read. */
import { statement } from '../../platform/database/statement.ts';

/** Adds steps in this order, each to the attempt that it belongs to; an empty text is none. */
export const recordSteps = statement<
  unknown,
  [
    freshIds: readonly string[],
    clientIds: readonly string[],
    ips: readonly string[],
    networks: readonly string[],
    userAgents: readonly string[],
    steps: readonly string[],
    rules: readonly string[],
    details: readonly string[],
    firstAgesMilliseconds: readonly number[],
    lastAgesMilliseconds: readonly number[],
    counts: readonly number[],
  ]
>('connections.record_steps', 'SELECT note_mcp_connection_steps($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)');

/** Deletes the oldest of those that are not kept any longer. */
export const forgetConnections = statement<{ readonly deleted: number }, [mostRows: number]>(
  'connections.forget',
  'SELECT forget_mcp_connections($1) AS deleted',
);
