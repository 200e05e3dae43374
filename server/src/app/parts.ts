/** The parts of a service: those it is built from, and those it opens: stores, mail, limits and what operations use. */
import { type Config, optionalPartsOf } from '../config/config.ts';
import { Authenticator } from '../domain/access/authenticate.ts';
import { defaultIntervals, type Intervals } from '../domain/access/deps.ts';
import { ConnectionRecorder } from '../domain/client-onboarding/record-steps.ts';
import { revocationReasons } from '../domain/credentials/ended-tokens.ts';
import { LastSeenRecorder } from '../domain/credentials/last-seen.ts';
import { TokenReports } from '../domain/machine-tokens/report-leaks.ts';
import { TokenNetworks } from '../domain/machine-tokens/token-networks.ts';
import { type Application, mailLookOf } from '../domain/scopes/application.ts';
import { defaultApplication } from '../domain/scopes/application-definition.ts';
import { SignInHistory } from '../domain/sign-ins/sign-in-history.ts';
import type { CustomTool } from '../domain/tools/tool.ts';
import { findLanguageOfMail } from '../domain/users/language.ts';
import type { AddedRoutes } from '../gatehouse.d.ts';
import type { GraphqlServices } from '../graphql/context.ts';
import { Keyring } from '../kernel/secrets.ts';
import type { Database } from '../platform/database/database.ts';
import { countCommits } from '../platform/database/decorators.ts';
import type { HelperSessions } from '../platform/helper-sessions.ts';
import { createDatabaseHelperSessions, createRedisHelperSessions } from '../platform/helper-sessions.ts';
import { createOutbox } from '../platform/mail/outbox.ts';
import { createMailbox, createSmtpTransport } from '../platform/mail/transport.ts';
import type { Tracing } from '../platform/observability/context.ts';
import { LogThrottle } from '../platform/observability/log-throttle.ts';
import type { Logger, ProcessLogger } from '../platform/observability/logger.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import { createPasswordHasher, type PasswordHasher, type QueueOptions } from '../platform/passwords/password-hasher.ts';
import { createDatabaseRateLimits } from '../platform/rate-limit/database-rate-limits.ts';
import { createRateLimits, type RateLimitParts, type RateLimits } from '../platform/rate-limit/rate-limits.ts';
import { createRedisRateLimits } from '../platform/rate-limit/redis-rate-limits.ts';
import type { Redis } from '../platform/redis/redis.ts';
import { createStripeApi } from '../platform/stripe.ts';

export interface AppParts {
  readonly config: Config;
  /** The adopter's definition. Default: the application of an instance without one. */
  readonly application?: Application;
  /** Open and migrated; closed by the app, even when the build fails. */
  readonly database: Database;
  readonly logger: ProcessLogger;
  /** The directory of the built portal; null serves none. */
  readonly portalDirectory: string | null;
  readonly added?: AddedRoutes;
  /** The adopter's own MCP tools, of this application. */
  readonly tools?: readonly CustomTool[];
  /** Whether expired rows are deleted elsewhere (`gatehouse upkeep`); by default the app deletes them while it runs. */
  readonly isCleanupLeft?: boolean;
  /** Combines the metrics of all processes that share a port. */
  readonly gatherMetrics?: (own: () => Promise<string>) => Promise<string>;
  /** Default: one thread per core. Lower when other processes hash on the same cores. */
  readonly passwordThreads?: number;
  /** Resolves access tokens. Default: one over the database; a benchmark supplies its own. */
  readonly authenticator?: GraphqlServices['authenticator'];
  /** Default: a hasher with its own threads; tests supply another. */
  readonly passwords?: PasswordHasher;
  readonly intervals?: Partial<Intervals>;
}

export interface TracedParts extends AppParts {
  readonly tracing: Tracing | null;
}

/** Opens the stores and creates what the surfaces use. */
export const openBase = async (parts: TracedParts, metrics: Metrics) => {
  const { config, logger, tracing } = parts;
  const application = servedApplication(parts);
  const { database, authenticator, redis } = await openStores(parts, metrics);
  const { mailbox, transport } = openMail(config);
  const keyring = new Keyring(config.secrets);
  const outbox = createOutbox({
    database,
    transport,
    logger,
    keyring,
    counts: metrics.counts,
    tracing,
    look: mailLookOf(application),
    overrides: application.mailTexts,
    findLanguage: findLanguageOfMail,
  });
  const services: GraphqlServices = {
    application,
    database,
    helperSessions: createHelperSessions(redis, database, keyring),
    authenticator,
    lastSeen: new LastSeenRecorder(database, logger),
    tokenNetworks: new TokenNetworks(database, logger),
    passwords: parts.passwords ?? createPasswordHasher(config.saltRounds, passwordQueue(parts)),
    mail: outbox,
    keyring,
    limits: createLimits(config, redis, { keyring, database, refused: hearRefusals(metrics, logger) }),
    logger,
    signIns: new SignInHistory(database, logger, config.signInHistoryDays),
    payments: await connectPayments(config, logger),
    lifetimes: config,
    settings: { ...config, applicationOrigins: application.origins, relyingParty: relyingPartyOf(config, application) },
    intervals: { ...defaultIntervals, ...parts.intervals },
  };
  return {
    services,
    redis,
    mailbox,
    transport,
    outbox,
    connections: new ConnectionRecorder(database, logger),
    reports: new TokenReports(services),
  };
};

/** Pages of the portal and of the application's origins below the id may use passkeys; those at BASE_URL may not. */
const relyingPartyOf = (
  { relyingPartyId: id, frontendUrl }: Config,
  { origins }: Application,
): GraphqlServices['settings']['relyingParty'] => {
  if (id === null) return null;
  const isBelow = (origin: string): boolean => `.${new URL(origin).hostname}`.endsWith(`.${id}`);
  return { id, origins: [frontendUrl, ...origins.filter(isBelow)] };
};

const passwordQueue = ({ config, passwordThreads: threads }: AppParts): QueueOptions => ({
  ...(threads === undefined ? {} : { threads }),
  ...(config.rateLimitsEnabled ? {} : { maxWaiting: 1000 }),
});

/** The application with the scopes of the parts that are on. */
const servedApplication = ({ application = defaultApplication, config }: AppParts): Application =>
  application.serving(optionalPartsOf(config));

/** Opens the authenticator, and the stores shared by all processes. */
const openStores = async (parts: AppParts, { counts }: Metrics) => {
  const { config, logger, database: open, authenticator } = parts;
  const database = counts === null ? open : countCommits(open, counts);
  // Each reason starts at zero, so that an alert can see the first revocation for theft as an increase.
  for (const reason of revocationReasons) counts?.revocations.at(reason);
  return {
    database,
    authenticator:
      authenticator ??
      new Authenticator(database, servedApplication(parts), {
        superAdminsNeedSecondFactor: config.superAdminsNeedSecondFactor,
        machineTokens: config.machineTokensEnabled,
        onOldSecret: hearOldSecrets(logger),
        acceptance: counts?.acceptanceSeconds ?? null,
      }),
    redis: await openRedis(config, logger),
  };
};

/** Loads the Redis client only when REDIS_URL is set. */
const openRedis = async ({ redisUrl: url }: Config, logger: Logger): Promise<Redis | null> =>
  url === undefined ? null : (await import('../platform/redis/redis.ts')).connectRedis({ url, logger });

const createHelperSessions = (redis: Redis | null, database: Database, keyring: Keyring): HelperSessions =>
  redis === null ? createDatabaseHelperSessions(database, keyring) : createRedisHelperSessions(redis, keyring);

const createLimits = (
  { rateLimitsEnabled: isEnabled }: Config,
  redis: Redis | null,
  parts: Pick<RateLimitParts, 'keyring' | 'refused'> & { readonly database: Database },
): RateLimits => {
  const inDatabase = createDatabaseRateLimits(parts.database);
  const store = redis === null ? inDatabase : createRedisRateLimits(redis, inDatabase);
  return createRateLimits({ ...parts, isEnabled, store });
};

/** Opens the development mailbox when SMTP_URL is not set. */
const openMail = ({ smtpUrl, smtpEhloName: ehloName, mailFrom }: Config) => {
  const mailbox = smtpUrl === undefined ? createMailbox() : null;
  return { mailbox, transport: mailbox ?? createSmtpTransport({ url: smtpUrl ?? '', ehloName }, mailFrom) };
};

const hearRefusals = ({ counts }: Metrics, logger: Logger): Required<RateLimitParts>['refused'] => {
  const log = new LogThrottle();
  return ({ name: limit }) => {
    log.note(limit, (refusals) =>
      logger.warn({ event: 'rate_limits.refused', limit, refusals }, 'A rate limit refused requests'),
    );
    if (counts !== null) counts.rateLimitRefusals.at(limit).value += 1;
  };
};

const hearOldSecrets = (logger: Logger): ((tokenId: string) => void) => {
  const log = new LogThrottle();
  return (tokenId) =>
    log.note('old_secret', (refusals) =>
      logger.info(
        { event: 'token.old_secret_refused', tokenId, refusals },
        'A secret that a rotation had replaced was used, and refused',
      ),
    );
};

const connectPayments = async ({ stripe }: Config, logger: Logger): Promise<GraphqlServices['payments']> => {
  const { secretKey, apiBase } = stripe;
  return secretKey === undefined ? null : createStripeApi({ secretKey, apiBase, logger });
};
