/** The connections to the database are cut or blocked: /mcp answers 503 in time, never yes and never a false 401. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/open.ts';
import { expectSoundChain } from '../support/actors/tool-calls.ts';
import { range, tally, until } from '../support/checks/concurrency.ts';
import { auditRows, callTool, newMcpClient, send } from '../support/clients/mcp.ts';
import { TcpProxy } from '../support/clients/tcp-proxy.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { isOnPostgres } from '../support/database/engines.ts';
import { sqlOn } from '../support/database/sql.ts';
import { fixture } from '../support/fixture.ts';
import { ServerProcess } from '../support/gatehouse/processes.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { waitAsInProduction } from '../support/gatehouse/wait-limits.ts';

describe.runIf(isOnPostgres)('An unreachable database (PostgreSQL only: the embedded engine is in the process)', () => {
  waitAsInProduction();

  let proxy: TcpProxy;
  let server: ServerProcess;

  const stored = fixture(createTestDatabase, (stored) => stored.drop());
  const database = fixture(() => openDatabase({ ...stored, url: stored.url, logger: silentLogger }));
  const client = fixture(() => newMcpClient({ database, sql: sqlOn(database) }));
  beforeAll(async () => {
    const direct = new URL(stored.url ?? '');
    proxy = await TcpProxy.start({ host: direct.hostname, port: Number(direct.port || 5432) });
    const detour = new URL(direct);
    detour.host = `127.0.0.1:${proxy.port}`;
    server = await ServerProcess.start({ DATABASE_URL: detour.href, DATA_DIR: stored.dataDirectory });
  });
  afterAll(async () => {
    await server.stop();
    await proxy.cut();
  });

  const statusOfCall = async (): Promise<string> => String((await callTool(server, client, 'mcp_whoami')).status);

  // Contract: platform-mcp#bearer-token-of-a-call — I7 A failing dependency: 503, never a false 401
  it.each(['cut', 'blocked'] as const)('is 503 while its connections are %s, and recovers', async (how) => {
    await until('calls are answered', async () => (await statusOfCall()) === '200');
    if (how === 'cut') await proxy.cut();
    else proxy.block();
    const calls = await Promise.all(range(10).map(statusOfCall));
    const list = await send(server, client, { id: 1, method: 'tools/list' });
    expect([tally(calls), list.status]).toEqual([{ 503: 10 }, 503]);
    expect(list.headers.get('www-authenticate')).toBeNull();
    await proxy.restore();
    await until('calls are answered', async () => (await statusOfCall()) === '200');
    await expectSoundChain(database, (await auditRows({ sql: sqlOn(database) })).length);
    expect(server.defects).toEqual([]);
  });
});
