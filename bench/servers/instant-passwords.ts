/** The service as `serve` builds it, with a password check that costs nothing: what remains is a sign-in's own cost. */
import { createApp } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { openDatabase } from '../../server/src/platform/database/open.ts';
import { createLogger } from '../../server/src/platform/observability/logger.ts';
import type { PasswordHasher } from '../../server/src/platform/passwords/password-hasher.ts';

const config = readConfig(process.env, () => '');
const logger = createLogger(config.logLevel);

const instantPasswords: PasswordHasher = {
  requireRoom: () => undefined,
  hash: () => Promise.reject(new Error('No password is hashed here')),
  matches: async (_password, hash) => hash !== null,
  load: () => ({ running: 0, waiting: 0 }),
  close: async () => undefined,
};

const { databaseUrl: url, databasePoolSize: poolSize } = config;
const app = await createApp({
  config,
  database: await openDatabase({ url, dataDirectory: '', logger, poolSize }),
  logger,
  portalDirectory: null,
  passwords: instantPasswords,
  isCleanupLeft: true,
});
await app.http.listen({ port: config.port, host: config.host });
process.once('SIGTERM', () => {
  app.close().then(() => process.exit(0), console.error);
});
