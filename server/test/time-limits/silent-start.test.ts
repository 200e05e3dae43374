/** A start while the PostgreSQL server is silent: no request waits for it, so it asks again. */
import { connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/open.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { embedded, postgresOnly } from '../support/database/engines.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { listen } from '../support/servers/listen.ts';

it.skipIf(embedded)(`A server that leaves the first connections unanswered is opened${postgresOnly}`, async () => {
  const stored = await createTestDatabase();
  const target = new URL(stored.url ?? '');
  const sockets = new Set<Socket>();
  let connections = 0;
  const gate = createServer((near) => {
    connections += 1;
    sockets.add(near.on('error', () => undefined));
    if (connections <= 2) return;
    const far = connect(Number(target.port === '' ? 5432 : target.port), target.hostname);
    sockets.add(far.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  const { port, close } = await listen(gate);
  const through = new URL(target);
  through.host = `127.0.0.1:${port}`;
  const database = await openDatabase({ url: through.href, dataDirectory: '', logger: silentLogger });
  expect(connections).toBeGreaterThan(2);
  await database.ping();
  await database.close();
  for (const socket of sockets) socket.destroy();
  await close();
  await stored.drop();
});
