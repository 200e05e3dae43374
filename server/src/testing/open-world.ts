/**
 * Owns: the service of a world, which tests of adopters start in their process: its database, people, mails and time.
 * Promises: It never opens a database that it did not create, and nothing of it remains after its end.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type App, createApp } from '../app.ts';
import { loadApplication } from '../cli/application.ts';
import { type DemoProvider, openDemoProvider } from '../cli/demo/demo-provider.ts';
import { prepareAccounts } from '../cli/first-accounts.ts';
import { portalDirectory } from '../cli/installation.ts';
import { loadTools } from '../cli/tools.ts';
import { type Config, readConfig } from '../config/config.ts';
import { revokeDurably, revokeSession } from '../domain/credentials/revoke.ts';
import { ProtectedResources } from '../domain/oauth/resources.ts';
import type { Application } from '../domain/scopes/application.ts';
import type { CustomTool } from '../domain/tools/tool.ts';
import { authCookiesOf, cookieAttributes } from '../http-kit/cookies.ts';
import { randomHex, randomSecret } from '../kernel/secrets.ts';
import { readMailQueue } from '../platform/mail/outbox.ts';
import { createLogger, type ProcessLogger } from '../platform/observability/logger.ts';
import type { BegunSession, WorldOptions, WorldService } from '../testing-support.d.ts';
import { cheapPasswords } from './cheap-passwords.ts';
import { connectClient } from './connect-client.ts';
import { passTime } from './pass-time.ts';
import { People, type SessionPair, subscribe } from './people.ts';
import type { WorldDatabase } from './world-database.ts';

type Variables = Readonly<Record<string, string>>;

/** Resolves once it listens. @throws Error the definition or a variable is not usable; the database is dropped then */
export const openWorld = async (
  stored: WorldDatabase,
  variables: Variables,
  options: WorldOptions,
): Promise<WorldService> => {
  const closing: (() => Promise<void>)[] = [stored.drop];
  let ending: Promise<void> | null = null;
  const close = (): Promise<void> => {
    ending ??= endAll(closing);
    return ending;
  };
  try {
    const held = await holdPort();
    closing.push(held.release);
    const { config: read, application, tools } = await configure(held.port, variables, options);
    const logger = createLogger(read.logLevel, process.stderr);
    const demo = await openProvider(read, options, logger);
    if (demo !== null) closing.push(() => demo.close());
    const config = demo === null ? read : { ...read, externalProvider: demo.client };
    const people = await peopleOf(stored, application, config);
    const building = build(stored, { application, config, logger, tools }, options);
    const [built, warmed] = await Promise.allSettled([building, people.warmUp()]);
    if (built.status === 'rejected') throw built.reason;
    const app = built.value;
    closing.push(() => app.close());
    if (warmed.status === 'rejected') throw warmed.reason;
    const { database } = stored;
    await prepareAccounts({ ...app, application, config, database, logger, showSuperAdmin: () => undefined });
    await held.release();
    await app.http.listen({ port: held.port, host: '127.0.0.1' });
    return worldOf(stored, { app, people, application, config, close });
  } catch (error) {
    await close();
    throw error;
  }
};

/** Ends the last part first, and the others too where one fails. @throws the first failure */
const endAll = async (closing: readonly (() => Promise<void>)[]): Promise<void> => {
  const failures: unknown[] = [];
  for (const end of closing.toReversed()) await end().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
};

interface HeldPort {
  readonly port: number;
  readonly release: () => Promise<void>;
}

/** Takes a free port until the service listens: BASE_URL names it, so it must be known before. */
const holdPort = async (): Promise<HeldPort> => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return {
    port: address.port,
    release: async () => {
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
};

/** Named and not by its address, so that a front end at another port of localhost is of the same site. */
const configure = async (port: number, variables: Variables, { application: definition, tools }: WorldOptions) => {
  const url = `http://localhost:${port}`;
  const own = { NODE_ENV: 'test', PORT: String(port), HOST: '127.0.0.1', BASE_URL: url };
  const secret = randomSecret();
  const products = Object.keys(definition?.products ?? { free: {} });
  const read = readConfig(
    {
      LOG_LEVEL: 'error',
      CONSENT_BANNER: 'false',
      DEFAULT_PRODUCT: products.includes('free') ? 'free' : (products[0] ?? ''),
      ...variables,
      ...own,
    },
    () => secret,
  );
  const application = await loadApplication(read, definition);
  return {
    config: { ...read, saltRounds: cheapPasswords.rounds, metrics: { ...read.metrics, isServed: false } },
    application,
    tools: loadTools(read, application, tools),
  };
};

const openProvider = async (
  { externalProvider, frontendUrl }: Config,
  { loadProvider }: WorldOptions,
  logger: ProcessLogger,
): Promise<DemoProvider | null> =>
  loadProvider === undefined || externalProvider !== null
    ? null
    : // By the other name of loopback than the service, so that it is another site, like a real provider.
      openDemoProvider({ hostname: '127.0.0.1', port: 0, frontendUrl }, loadProvider, logger);

interface WorldParts {
  readonly application: Application;
  readonly tools: readonly CustomTool[];
  readonly config: Config;
  readonly logger: ProcessLogger;
}

const build = ({ database }: WorldDatabase, parts: WorldParts, { routes, listeners }: WorldOptions): Promise<App> =>
  createApp({
    ...parts,
    database,
    portalDirectory: existsSync(join(portalDirectory, 'index.html')) ? portalDirectory : null,
    added: { ...(routes && { routes }), ...(listeners && { listeners }) },
    // Expired rows stay, so that a test reads the same answers whenever it asks.
    isCleanupLeft: true,
    intervals: { signUpAnswer: 0 },
    passwords: cheapPasswords,
  });

const peopleOf = async ({ database }: WorldDatabase, application: Application, config: Config): Promise<People> => {
  const password = `World.${randomHex(8)}.7`;
  return new People({
    database,
    application,
    defaultProduct: config.defaultProduct,
    lifetimes: config,
    password,
    passwordHash: await cheapPasswords.hash(password),
  });
};

interface RunningParts extends Omit<WorldParts, 'logger' | 'tools'>, Pick<WorldService, 'close'> {
  readonly app: App;
  readonly people: People;
}

const worldOf = (
  { database }: WorldDatabase,
  { app, people, application, config, close }: RunningParts,
): WorldService => {
  const mailsAreSent = async (): Promise<void> => {
    for (let tries = 0; (await database.one(readMailQueue, [])).depth > 0; tries += 1) {
      if (tries === maxTries) throw new Error('The mails of the service were not sent.');
      await delay(Math.min(tries, 10));
    }
  };
  const { baseUrl: url } = config;
  const resources = new ProtectedResources({
    baseUrl: url,
    application,
    forOrganizations: config.mcp.forOrganizations,
  });
  return {
    url,
    frontendUrl: config.frontendUrl,
    createPerson: async (wish) => {
      const { pair, ...person } = await people.create(wish);
      return { ...person, session: sessionOf(config, pair) };
    },
    beginSession: async (personId) => sessionOf(config, await people.beginSession(personId)),
    connectClient: (wish) => connectClient({ database, application, lifetimes: config, resources, url }, wish),
    endSession: async (sessionFamilyId) => {
      await revokeDurably(database, (transaction) => revokeSession(transaction, sessionFamilyId, 'signed_out'));
    },
    mails: async () => {
      await mailsAreSent();
      return (app.mailbox?.list() ?? []).map(({ to, subject, text, html, links }) => ({
        to,
        subject,
        text,
        html,
        links,
      }));
    },
    passTime: async (seconds) => {
      // What is buffered or on its way is from before.
      await Promise.all([app.flush(), mailsAreSent()]);
      await passTime(database, seconds);
      app.forgetLastUses();
    },
    subscribe: (product, organizationId) => subscribe({ database, application }, product, organizationId ?? null),
    close,
  };
};

/** About ten seconds. */
const maxTries = 1000;

const sessionOf = (config: Config, pair: SessionPair): BegunSession => {
  const { baseUrl, authCookieDomain: domain } = config;
  const { path = '/', secure } = cookieAttributes({ baseUrl, domain });
  const shared = {
    domain: domain === undefined ? new URL(baseUrl).hostname : `.${domain.replace(/^\./, '')}`,
    path,
    expires: pair.refreshTokenExpiresAt,
    httpOnly: true,
    secure: secure === true,
    sameSite: 'Lax' as const,
  };
  return {
    sessionFamilyId: pair.sessionFamilyId,
    accessToken: pair.accessToken,
    refreshToken: pair.refreshToken,
    cookies: authCookiesOf(pair).map((cookie) => ({ ...shared, ...cookie })),
  };
};
