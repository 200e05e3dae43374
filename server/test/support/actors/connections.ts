/** Steps of clients, recorded as the endpoints record them, and the connections that super admins see. */

import { setTimeout } from 'node:timers/promises';
import { ConnectionRecorder } from '../../../src/domain/client-onboarding/record-steps.ts';
import type { ConnectionStepEvent } from '../../../src/domain/client-onboarding/steps.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { type Answer, operations } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { silentLogger } from '../gatehouse/silent-logger.ts';
import { runAs, type Tenant } from './tenants.ts';

interface ShownStep {
  readonly step: string;
  readonly at: string;
  readonly lastAt: string;
  readonly count: number;
  readonly rule: string | null;
  readonly detail: string | null;
  readonly explanation: string | null;
  readonly mend: string | null;
}

export interface ShownConnection {
  readonly id: string;
  readonly clientId: string | null;
  readonly clientName: string | null;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly beganAt: string;
  readonly lastStepAt: string;
  readonly status: string;
  readonly firstRefusal: ShownStep | null;
  readonly steps: readonly ShownStep[];
}

export interface ConnectionPage {
  readonly nodes: readonly ShownConnection[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

export const askConnections = (
  service: Pick<Service, 'url'>,
  caller: Pick<Tenant, 'tokens'>,
  filter: object | null = null,
  page: object = {},
): Promise<Answer> => runAs(service, caller, operations.mcpConnections, { filter, ...page });

/** A page as a super admin sees it. Throws when it is refused. */
export const listedConnections = async (
  service: Pick<Service, 'url'>,
  caller: Pick<Tenant, 'tokens'>,
  filter: object | null = null,
  page: object = {},
): Promise<ConnectionPage> => {
  const answer = await askConnections(service, caller, filter, page);
  if (answer.code !== null) throw new Error(answer.text);
  return (JSON.parse(answer.text) as { data: { mcpConnections: ConnectionPage } }).data.mcpConnections;
};

export const stepsOf = ({ steps }: ShownConnection): readonly string[] =>
  steps.map(({ step, rule }) => (rule === null ? step : `${step}: ${rule}`));

export type Step = Pick<ConnectionStepEvent, 'step'> & Partial<ConnectionStepEvent>;

/** Network and user agent of a client's program, or of a browser. */
export interface Origin {
  readonly ip: string;
  readonly userAgent: string | null;
}

const noStep = { rule: null, clientId: null, detail: null };

/**
 * Records steps in this order, and writes them. Each call simulates a process of its own. The embedded engine's clock
 * counts whole milliseconds: the pause gives the steps of the next call a later time.
 */
export const record = async (
  { database }: Pick<Service, 'database'>,
  origin: Origin,
  steps: readonly Step[],
): Promise<void> => {
  const recorder = new ConnectionRecorder(database, silentLogger);
  for (const step of steps) recorder.note({ ...noStep, ...origin, ...step });
  await recorder.flush();
  await setTimeout(2);
};

/** As if everything recorded so far had happened this much earlier. */
export const age = async ({ sql }: Pick<Service, 'sql'>, interval: string): Promise<void> => {
  await sql(
    'UPDATE mcp_connections SET began_at = began_at - $1::interval, last_step_at = last_step_at - $1::interval',
    [interval],
  );
  await sql('UPDATE mcp_connection_steps SET at = at - $1::interval, last_at = last_at - $1::interval', [interval]);
};

/** A database that counts the steps it is given, and stores none. */
export const countingDatabase = ({ database }: Pick<Service, 'database'>) => {
  const given = { steps: 0 };
  const execute: Database['execute'] = async (_statement, [freshIds]) => {
    given.steps += Array.isArray(freshIds) ? freshIds.length : 0;
    return 1;
  };
  return { database: { ...database, execute }, given };
};

/** Connections of a network, one a minute up to now, each with its own user agent and a step. */
export const fillNetwork = ({ sql }: Pick<Service, 'sql'>, count: number, network: string): Promise<unknown> =>
  sql(
    `WITH filled AS (
       INSERT INTO mcp_connections (id, ip, network, user_agent, began_at, last_step_at)
       SELECT gen_random_uuid(), 'x', $2, 'filled ' || n, at, at
       FROM generate_series(1, $1::integer) AS n, LATERAL (SELECT now() - n * interval '1 minute' AS at) AS instants
       RETURNING id, began_at)
     INSERT INTO mcp_connection_steps (connection_id, step, place, at, last_at, times)
     SELECT id, 'challenge', 0, began_at, began_at, 1 FROM filled`,
    [count, network],
  );
