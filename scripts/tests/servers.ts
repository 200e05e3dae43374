/** Owns where tests find their servers: the addresses of PostgreSQL and Redis, and a free port. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The variables by which tests find PostgreSQL and Redis: as they are set, or the servers of this machine. */
export const serverEnvironment = (): Readonly<Record<string, string>> => ({
  TEST_DATABASE_URL: process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  TEST_REDIS_URL: process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
});

/** A port of the loopback that no server has. */
export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return address !== null && typeof address === 'object' ? address.port : 0;
};
