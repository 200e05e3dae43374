/**
 * A whole Gatehouse in this process for one test file: real HTTP on a free port, a real database of its own (embedded,
 * or PostgreSQL when TEST_DATABASE_URL is set), the Redis of TEST_REDIS_URL if any, the development mailbox, and its
 * log lines for inspection.
 */
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type App, createApp } from '../../../src/app.ts';
import { loadTools } from '../../../src/cli/tools.ts';
import { type Config, readConfig } from '../../../src/config/config.ts';
import type { Intervals } from '../../../src/domain/access/deps.ts';
import type { Logo } from '../../../src/domain/scopes/application.ts';
import { readDefinition } from '../../../src/domain/scopes/application-definition.ts';
import { takenUrls } from '../../../src/domain/scopes/definition-urls.ts';
import type { AddedParts } from '../../../src/gatehouse.d.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import type { MailQueue } from '../../../src/platform/mail/outbox.ts';
import type { MailboxEntry } from '../../../src/platform/mail/transport.ts';
import { createLogger } from '../../../src/platform/observability/logger.ts';
import { cheapPasswords } from '../../../src/testing/cheap-passwords.ts';
import { lendDatabase } from '../database/database-pool.ts';
import { redisUrl } from '../database/engines.ts';
import { type Sql, sqlOn } from '../database/sql.ts';
import { keepLog } from '../failures/recent-logs.ts';
import { fixture } from '../fixture.ts';
import { freePort } from '../servers/listen.ts';
import { eventProblem } from './event-lines.ts';
import './wait-limits.ts';

export interface Service {
  readonly url: string;
  /** The URL of the portal: FRONTEND_URL. */
  readonly portalUrl: string;
  readonly config: Config;
  readonly database: Database;
  readonly mail: MailQueue;
  readonly logs: readonly string[];
  /** Rows of any SQL, for assertions and for moving time: instants are columns. */
  readonly sql: Sql;
  /** All mails in the development mailbox, newest first. */
  mailbox(): readonly MailboxEntry[];
  /** All mails to an address, newest first; waits until the outbox is empty. */
  mailsTo(address: string): Promise<readonly MailboxEntry[]>;
  /** Writes rows that are buffered in memory, and sends telemetry that is recorded for a collector. */
  flush(): Promise<void>;
  mailsAreSent(): Promise<void>;
  close(): Promise<void>;
}

export const testSecret = 'a secret of the tests that has thirty-two bytes and more';

/** The queue matters for hashes where their cost or their limits are under test. */
const isQueueTested = (environment: Readonly<Record<string, string>>): boolean =>
  'SALT_ROUNDS' in environment || environment['RATE_LIMITS_ENABLED'] === 'true';

/** How the portal is served: not at all, at the service's own origin, or at another port of the same host. */
export type PortalForm = 'none' | 'one origin' | 'two origins';

const builtPortal = fileURLToPath(new URL('../../../../portal/dist', import.meta.url));

/**
 * @param environment variables on top of the test defaults (no demo data; a bcrypt that costs nothing unless
 *   SALT_ROUNDS   is named, since thousands of people sign up here and few tests are about that cost)
 * @param portal needs the built portal (`npm run build -w portal`) unless it is `none`
 * @param added routes and definition of the embedding application
 * @param intervals for tests that wait for one of them; a sign-up answers at once
 */
export const startService = async (
  environment: Readonly<Record<string, string>> = {},
  portal: PortalForm = 'none',
  { application: definition = {}, tools: toolDefinitions, ...added }: AddedParts = {},
  intervals: Partial<Intervals> = {},
): Promise<Service> => {
  if (portal !== 'none') await access(builtPortal);
  const stored = await lendDatabase();
  const port = await freePort();
  const portalPort = portal === 'two origins' ? await freePort() : port;
  // Passkeys need a host that is not an IP address.
  const host = environment['WEBAUTHN_RP_ID'] === 'localhost' ? 'localhost' : '127.0.0.1';
  const read = readConfig(
    {
      NODE_ENV: 'test',
      PORT: String(port),
      BASE_URL: `http://${host}:${port}`,
      FRONTEND_URL: `http://${host}:${portalPort}`,
      DATA_DIR: stored.dataDirectory,
      GATEHOUSE_SECRET: testSecret,
      LOG_LEVEL: 'trace',
      RATE_LIMITS_ENABLED: 'false',
      ...(stored.url === undefined ? {} : { DATABASE_URL: stored.url }),
      // Tests of limits move the counts in its rows; those of Redis name it.
      ...(redisUrl === undefined || environment['RATE_LIMITS_ENABLED'] === 'true' ? {} : { REDIS_URL: redisUrl }),
      ...environment,
    },
    () => testSecret,
  );
  const config = 'SALT_ROUNDS' in environment ? read : { ...read, saltRounds: cheapPasswords.rounds };
  const logs: string[] = [];
  keepLog(config.baseUrl, () => logs);
  const logger = createLogger(config.logLevel, collect(logs));
  const database = await stored.open({ url: config.databaseUrl, logger });
  const portalDirectory = portal === 'none' ? null : builtPortal;
  // Tests move rows into the past and read them there.
  const application = readDefinition(definition, { isHardened: config.isHardened, taken: takenUrls(config), readLogo });
  const tools = loadTools(config, application, toolDefinitions);
  const app = await createApp({
    application,
    tools,
    config,
    database,
    logger,
    portalDirectory,
    added,
    isCleanupLeft: true,
    intervals: { signUpAnswer: 0, ...intervals },
    ...(isQueueTested(environment) ? {} : { passwords: cheapPasswords }),
  });
  await app.http.listen({ port, host: '127.0.0.1' });
  const closeFrontend = portal === 'two origins' ? await listenAsFrontend(app, portalPort) : null;
  const sql = sqlOn(database);
  // Not by its route, which writes all mails each time.
  const mailbox = () => app.mailbox?.list() ?? [];
  return {
    url: config.baseUrl,
    portalUrl: config.frontendUrl,
    config,
    database,
    mail: app.mail,
    logs,
    sql,
    mailbox,
    mailsTo: async (address) => {
      await untilOutboxIsEmpty(sql);
      return mailbox().filter(({ to }) => to === address);
    },
    flush: () => app.flush(),
    mailsAreSent: () => untilOutboxIsEmpty(sql),
    close: async () => {
      await closeFrontend?.();
      await app.close();
      await stored.drop();
      const problems = new Set(logs.flatMap((line) => eventProblem(line) ?? []));
      if (problems.size > 0) throw new Error([...problems].join('\n'));
    },
  };
};

/** The one image that definitions of tests can name. */
export const testLogo: Logo = {
  content: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32"><rect width="96" height="32" rx="8" fill="#5b2ee5"/></svg>',
  ),
  mediaType: 'image/svg+xml',
  fingerprint: '0123456789abcdef',
};

const readLogo = (path: string): Logo | null => (path === './logo.svg' ? testLogo : null);

/** The portal's own origin, like a web server of static files: its pages and files, and no API. */
const listenAsFrontend = async (app: App, port: number): Promise<() => Promise<void>> => {
  const frontend = createHttpServer((request, response) => {
    if (request.method === 'GET' && !request.url?.startsWith('/graphql')) app.http.routing(request, response);
    else response.writeHead(404).end();
  });
  frontend.listen(port, '127.0.0.1');
  await once(frontend, 'listening');
  return async () => {
    frontend.closeAllConnections();
    frontend.close();
    await once(frontend, 'close');
  };
};

const collect = (lines: string[]): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString('utf8'));
      done();
    },
  });

const untilOutboxIsEmpty = async (sql: Service['sql']): Promise<void> => {
  for (let attempt = 0; attempt < 2000; attempt += 1) {
    const waiting = await sql.value<number>('SELECT count(*)::integer AS waiting FROM mail_outbox');
    if (waiting === 0) return;
    await new Promise((resolve) => {
      setTimeout(resolve, Math.min(attempt, 10));
    });
  }
  throw new Error('The outbox did not become empty');
};

type Settings = Parameters<typeof startService>[0];
type Form = Parameters<typeof startService> extends [unknown?, ...infer Rest] ? Rest : never;

/** The service that the tests of a file or block share; @param settings a function where they need a fixture above */
export const serviceFixture = (settings?: Settings | (() => Settings), ...form: Form): Service =>
  fixture(() => startService(typeof settings === 'function' ? settings() : settings, ...form));
