/** A start while the PostgreSQL server is silent: no request waits for it, so it asks again. */
import { connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/open.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { embedded, postgresOnly } from '../support/database/engines.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { waitAsInProduction } from '../support/gatehouse/wait-limits.ts';
import { listen } from '../support/servers/listen.ts';

waitAsInProduction();

it.skipIf(embedded).each([
  ['the first two connections', [1, 2]],
  // The first is that for look-ups, the second one of the pool.
  ['the second connection', [2]],
])(`A server that leaves %s unanswered is opened${postgresOnly}`, async (_which, silent) => {
  const stored = await createTestDatabase();
  const target = new URL(stored.url ?? '');
  const sockets = new Set<Socket>();
  let connections = 0;
  const gate = createServer((near) => {
    connections += 1;
    sockets.add(near.on('error', () => undefined));
    if (silent.includes(connections)) return;
    const far = connect(Number(target.port === '' ? 5432 : target.port), target.hostname);
    sockets.add(far.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  const { port, close } = await listen(gate);
  const through = new URL(target);
  through.host = `127.0.0.1:${port}`;
  const events: string[] = [];
  const logger = { ...silentLogger, warn: ({ event }: { readonly event: string }) => void events.push(event) };
  const database = await openDatabase({ url: through.href, dataDirectory: '', logger });
  expect(events.filter((event) => event === 'database.silent')).toHaveLength(silent.length);
  expect(connections).toBeGreaterThan(2);
  await database.ping();
  await database.close();
  for (const socket of sockets) socket.destroy();
  await close();
  await stored.drop();
});
