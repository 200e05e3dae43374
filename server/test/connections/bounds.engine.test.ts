/** Bounds of the record of connections, for any client: rows, memory, request time, and no secrets. */
import { beforeEach, describe, expect, it } from 'vitest';
import { forgetConnections } from '../../src/domain/client-onboarding/connections-store.ts';
import { ConnectionRecorder } from '../../src/domain/client-onboarding/record-steps.ts';
import type { ConnectionStepEvent } from '../../src/domain/client-onboarding/steps.ts';
import { newId } from '../../src/kernel/ids.ts';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { createLogger, type Logger } from '../../src/platform/observability/logger.ts';
import { age, countingDatabase, fillNetwork, listedConnections, record } from '../support/actors/connections.ts';
import { newSuperAdmin } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { byNestedLoops } from '../support/database/nested-loops.ts';
import { fixture } from '../support/fixture.ts';
import { runCleanup } from '../support/gatehouse/cleanup.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));
beforeEach(() => service.sql('DELETE FROM mcp_connections'));

const challenge: ConnectionStepEvent = {
  step: 'challenge',
  rule: null,
  clientId: null,
  ip: '10.1.2.3',
  userAgent: 'agent/1.0',
  detail: null,
};

const rowsIn = async (table: 'mcp_connections' | 'mcp_connection_steps'): Promise<number> =>
  (await service.sql.value<number>(`SELECT count(*)::integer AS total FROM ${table}`)) ?? -1;

const recorderWithLog = (database = service.database) => {
  const lines: { event: string; dropped?: number }[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as { event: string });
  const logger: Logger = createLogger('trace', { write });
  return { recorder: new ConnectionRecorder(database, logger), lines };
};

/** Above every bound in memory: 120 steps of an origin, 600 of a network, 1000 waiting. */
const floodSize = 2000;

const noteFlood = (recorder: ConnectionRecorder, change: (index: number) => Partial<ConnectionStepEvent>): void => {
  for (const index of range(floodSize)) recorder.note({ ...challenge, ...change(index) });
};

/** Records a flood; returns how many steps are written, and the log. */
const floodOfMemory = async (change: (index: number) => Partial<ConnectionStepEvent>) => {
  const { database, given } = countingDatabase(service);
  const { recorder, lines } = recorderWithLog(database);
  noteFlood(recorder, change);
  await recorder.flush();
  return { lines, steps: given.steps };
};

/** The user agents of the remaining connections, and the number of steps. */
const left = async (): Promise<{ agents: readonly string[]; connections: number; steps: number }> => {
  const rows = await service.sql<{ agent: string }>('SELECT user_agent AS agent FROM mcp_connections');
  return {
    agents: rows.map(({ agent }) => agent),
    connections: rows.length,
    steps: await rowsIn('mcp_connection_steps'),
  };
};

describe('A flood of steps', () => {
  it('of a single client is one row with a count', async () => {
    const { recorder, lines } = recorderWithLog();
    noteFlood(recorder, () => ({}));
    await recorder.flush();
    expect(lines).toEqual([]);
    expect([await rowsIn('mcp_connections'), await rowsIn('mcp_connection_steps')]).toEqual([1, 1]);
    expect((await listedConnections(service, root)).nodes[0]?.steps).toMatchObject([{ count: floodSize }]);
  });

  // Contract: platform-mcp#bounds-of-the-record — A flood of connections fills neither table nor memory
  it('with a new user agent for each step leaves two hundred connections of an address, and logs the dropped ones', async () => {
    const { lines, steps } = await floodOfMemory((index) => ({ userAgent: `agent/${index}` }));
    expect(lines).toMatchObject([{ event: 'mcp.connections.dropped', dropped: floodSize - 600 }]);
    expect(steps).toBe(600);
    await fillNetwork(service, 150, challenge.ip);
    const { recorder } = recorderWithLog();
    for (const index of range(101)) recorder.note({ ...challenge, userAgent: `agent/${index}` });
    await recorder.flush();
    const { agents, ...counts } = await left();
    expect(counts).toEqual({ connections: 200, steps: 200 });
    // The newest remain: all of this flood, and the younger ones of the earlier rows.
    expect(agents.filter((agent) => agent.startsWith('agent/'))).toHaveLength(101);
    expect(agents).toContain('filled 99');
    expect(agents).not.toContain('filled 100');
  });

  it('from many addresses of one IPv6 network counts as one peer', async () => {
    const ofNetwork = (index: number) => ({ ip: `2001:db8:0:7::${index.toString(16)}`, userAgent: `agent/${index}` });
    const { lines, steps } = await floodOfMemory(ofNetwork);
    expect(lines).toMatchObject([{ dropped: floodSize - 600 }]);
    expect(steps).toBe(600);
    await fillNetwork(service, 200, '2001:db8:0:7::/64');
    const { recorder } = recorderWithLog();
    for (const index of range(5)) recorder.note({ ...challenge, ...ofNetwork(index) });
    await recorder.flush();
    expect(await left()).toMatchObject({ connections: 200, steps: 200 });
  });

  it('from everywhere fills the memory with a thousand steps at most', async () => {
    const { lines, steps } = await floodOfMemory((index) => ({ ip: `10.${index % 200}.${Math.floor(index / 200)}.1` }));
    expect(lines).toMatchObject([{ event: 'mcp.connections.dropped', dropped: floodSize - 1000 }]);
    expect(steps).toBe(1000);
  });

  it('with a different reason in each refusal records the details of the first, then only step and rule', async () => {
    const { recorder } = recorderWithLog();
    for (const index of range(100)) {
      recorder.note({ ...challenge, step: 'registration', rule: 'redirect_uri_not_allowed', detail: `x:/${index}` });
    }
    await recorder.flush();
    expect(await rowsIn('mcp_connection_steps')).toBe(31);
    const [connection] = (await listedConnections(service, root)).nodes;
    const folded = connection?.steps.filter(({ detail }) => detail === null);
    expect(folded).toMatchObject([{ rule: 'redirect_uri_not_allowed', count: 70 }]);
  });

  it('of one origin consumes only its own permits of a minute, and leaves those of other origins', async () => {
    const { recorder } = recorderWithLog();
    for (const index of range(300)) {
      recorder.note({ ...challenge, step: 'call', rule: 'tool_denied', detail: `tool ${index}` });
    }
    recorder.note({ ...challenge, userAgent: 'another agent' });
    await recorder.flush();
    const { nodes } = await listedConnections(service, root);
    const taken = nodes.map(({ userAgent, steps }) => {
      const total = steps.reduce((sum, { count }) => sum + count, 0);
      return `${userAgent}: ${total}`;
    });
    expect(taken.sort()).toEqual(['agent/1.0: 120', 'another agent: 1']);
  });

  it('is reported once a minute, however long it lasts', async () => {
    const { recorder, lines } = recorderWithLog(countingDatabase(service).database);
    for (const round of range(3)) {
      noteFlood(recorder, (index) => ({ userAgent: `agent/${round}/${index}` }));
      await recorder.flush();
    }
    expect(lines.filter(({ event }) => event === 'mcp.connections.dropped')).toHaveLength(1);
  });
});

describe('Texts of outsiders', () => {
  const shown = async (change: Partial<ConnectionStepEvent>) => {
    await record(service, { ip: challenge.ip, userAgent: null }, [{ ...challenge, ...change }]);
    const [connection] = (await listedConnections(service, root)).nodes;
    return { ...connection, detail: connection?.steps[0]?.detail };
  };

  it('are truncated and lose control characters', async () => {
    const userAgent = `a\u0000b\u001b[31mc\u202e${'x'.repeat(10_000)}`;
    const detail = `d\r\n\u0085e${'😀'.repeat(5000)}`;
    const connection = await shown({ userAgent, detail, rule: 'protocol_version' });
    expect(connection.userAgent).toBe(`ab[31mc${'x'.repeat(193)}`);
    expect(connection.detail).toMatch(/^de[😀\ufffd]+$/u);
    expect(connection.detail?.length).toBe(300);
  });

  it('lose everything after a question mark or a hash, and every token', async () => {
    const token = `gate_a_${'s'.repeat(49)}`;
    const connection = await shown({
      userAgent: `agent ${token}`,
      detail: `http://x.example/${token}/cb?code=wxyz#state`,
      rule: 'redirect_uri_not_allowed',
    });
    expect(connection).toMatchObject({ userAgent: 'agent gate_…', detail: 'http://x.example/gate_…/cb' });
    const tables = await service.sql<{ line: string }>(
      `SELECT to_jsonb(c)::text || to_jsonb(s)::text AS line
       FROM mcp_connections c JOIN mcp_connection_steps s ON s.connection_id = c.id`,
    );
    for (const { line } of tables) expect(line).not.toMatch(/ssss|wxyz|state/);
  });

  it('name no client by an invalid id', async () => {
    for (const clientId of ['', 'no identifier', `${newId()}\u0000`, `' OR true --`]) {
      expect(await shown({ clientId })).toMatchObject({ clientId: null });
    }
  });

  it('are addresses of either family, in any notation', async () => {
    const rows = [
      ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.7'],
      ['192.0.2.7', '192.0.2.7', '192.0.2.7'],
      ['::1', '::1', '0:0:0:0::/64'],
      ['2001:db8::7', '2001:db8::7', '2001:db8:0:0::/64'],
      ['2001:0DB8:1:2:3:4:5:6', '2001:0DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
      ['fe80::1%eth0', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
      ['64:ff9b::192.0.2.33', '64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
      ['', '', ''],
    ] as const;
    for (const [ip, address, network] of rows) {
      await service.sql('DELETE FROM mcp_connections');
      expect(await shown({ ip })).toMatchObject({ ip: address });
      expect(await service.sql('SELECT network FROM mcp_connections')).toEqual([{ network }]);
    }
  });
});

describe('Connections within seven days', () => {
  // Contract: platform-mcp#steps-of-a-connection — Connections are shown for seven days
  it('are shown, and no older ones', async () => {
    await record(service, challenge, [challenge]);
    await age(service, '6 days 23 hours 59 minutes');
    expect(await listedConnections(service, root)).toMatchObject({ totalCount: 1, nodes: [{ ip: challenge.ip }] });
    await age(service, '1 minute');
    expect(await listedConnections(service, root)).toMatchObject({ totalCount: 0, nodes: [] });
    expect(await rowsIn('mcp_connections')).toBe(1);
  });

  it('are deleted by the cleanup, with all their steps', async () => {
    for (const index of range(3))
      await record(service, { ...challenge, userAgent: `agent/${index}` }, [{ step: 'challenge' }]);
    await age(service, '7 days');
    await record(service, challenge, [challenge]);
    expect(await runCleanup(service.database)).toMatchObject({ mcp_connections: 3 });
    expect([await rowsIn('mcp_connections'), await rowsIn('mcp_connection_steps')]).toEqual([1, 1]);
  });

  it('are deleted a few rows at a time, oldest first', async () => {
    await service.sql(
      `INSERT INTO mcp_connections (id, ip, network, user_agent, began_at, last_step_at)
       SELECT gen_random_uuid(), n::text, n::text, '', now(), now() - interval '7 days' - n * interval '1 second'
       FROM generate_series(1, 700) AS n`,
    );
    expect(await service.database.one(forgetConnections, [500])).toEqual({ deleted: 500 });
    expect(await service.sql('SELECT max(ip::integer) AS oldest FROM mcp_connections')).toEqual([{ oldest: 200 }]);
    expect(await service.database.one(forgetConnections, [500])).toEqual({ deleted: 200 });
  });

  it('are deleted a few rows at a time by any plan of the statement', async () => {
    await service.sql(
      `INSERT INTO mcp_connections (id, ip, network, user_agent, began_at, last_step_at)
       SELECT gen_random_uuid(), n::text, n::text, '', now(), now() - interval '8 days' FROM generate_series(1, 700) AS n`,
    );
    const forgotten = await byNestedLoops(service.database, (each) => each.one(forgetConnections, [500]));
    expect(forgotten).toEqual({ deleted: 500 });
    expect(await rowsIn('mcp_connections')).toBe(200);
  });

  it('are fewer when more than twenty thousand are recorded', async () => {
    await service.sql(
      `INSERT INTO mcp_connections (id, ip, network, user_agent, began_at, last_step_at)
       SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n::text, '', '', now(),
         now() - n * interval '1 second'
       FROM generate_series(20300, 1, -1) AS n`,
    );
    await record(service, challenge, [challenge]);
    await runCleanup(service.database);
    expect(await rowsIn('mcp_connections')).toBe(20_000);
    expect(
      await service.sql('SELECT max(ip::integer) AS oldest FROM mcp_connections WHERE ip <> $1', [challenge.ip]),
    ).toEqual([{ oldest: 19_999 }]);
    // Faster than row by row.
    await service.sql('TRUNCATE mcp_connections CASCADE');
  });
});

describe('A record that cannot be written', () => {
  it('is lost and logged, without any other effect', async () => {
    const execute = () => Promise.reject(new DatabaseUnavailable('The database is closed'));
    const { recorder, lines } = recorderWithLog({ ...service.database, execute });
    recorder.note(challenge);
    await recorder.flush();
    recorder.note(challenge);
    await recorder.flush();
    expect(lines).toMatchObject([{ event: 'mcp.connections.lost' }, { event: 'mcp.connections.lost' }]);
  });

  // Contract: platform-mcp#bounds-of-the-record — No request depends on the record of connections
  it('fails no request, and the next steps are written again', async () => {
    const metadata = (): Promise<Response> => fetch(`${service.url}/.well-known/oauth-authorization-server`);
    await service.sql('ALTER TABLE mcp_connections RENAME TO mcp_connections_away');
    expect((await metadata()).status).toBe(200);
    await service.flush();
    expect(service.logs.some((line) => line.includes('mcp.connections.lost'))).toBe(true);
    expect((await metadata()).status).toBe(200);
    await service.sql('ALTER TABLE mcp_connections_away RENAME TO mcp_connections');
    await metadata();
    await service.flush();
    expect(await rowsIn('mcp_connections')).toBeGreaterThan(0);
  });
});
