/**
 * The same service without a database: the app as `serve` builds it, with actors that were read once and are answered
 * from memory. HTTP, GraphQL and the guards remain.
 */

import { readFileSync } from 'node:fs';
import { createApp } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config/config.ts';
import type { Actor } from '../../server/src/domain/access/actor.ts';
import { Authenticator } from '../../server/src/domain/access/authenticate.ts';
import { defaultApplication } from '../../server/src/domain/scopes/application-definition.ts';
import { Refusal } from '../../server/src/kernel/errors.ts';
import type { Database } from '../../server/src/platform/database/database.ts';
import { openDatabase } from '../../server/src/platform/database/open.ts';
import { createLogger, type Logger } from '../../server/src/platform/observability/logger.ts';

const config = readConfig(process.env, () => '');
const logger = createLogger(config.logLevel);

const readActors = async (tokens: readonly string[], log: Logger): Promise<ReadonlyMap<string, Actor>> => {
  const database = await openDatabase({ url: config.databaseUrl, dataDirectory: '', logger: log });
  const authenticator = new Authenticator(database, defaultApplication, { superAdminsNeedSecondFactor: false });
  const read = tokens.map(async (token) => [token, await authenticator.authenticate(token, ['api'])] as const);
  const actors = new Map(await Promise.all(read));
  await database.close();
  return actors;
};

/** Stores nothing, and accepts the writes of the last-seen recorder. */
const nothing: Database = {
  engine: 'postgres',
  many: async () => [],
  maybeOne: async () => null,
  one: async () => Promise.reject(new Error('There is no database here')),
  execute: async () => 0,
  get lookups() {
    return nothing;
  },
  transaction: async () => Promise.reject(new Error('There is no database here')),
  ping: async () => undefined,
  stats: () => null,
  count: () => undefined,
  close: async () => undefined,
};

const tokens = JSON.parse(readFileSync(process.env['BENCH_TOKENS'] ?? '', 'utf8')) as readonly string[];
const actors = await readActors(tokens, logger);

const authenticate = async (token: string): Promise<Actor> => {
  const actor = actors.get(token);
  if (actor === undefined) throw new Refusal('UNAUTHENTICATED', 'This token is not in memory.');
  return actor;
};

const remember = (): never => {
  throw new Error('No pair is minted without a database');
};

const app = await createApp({
  config,
  database: nothing,
  logger,
  portalDirectory: null,
  authenticator: { authenticate, remember },
});
await app.http.listen({ port: config.port, host: config.host });
process.once('SIGTERM', () => {
  app.close().then(() => process.exit(0), console.error);
});
