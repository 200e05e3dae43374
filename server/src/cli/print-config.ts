/**
 * Prints the configuration of this process (`print-config`), and the documentation of every variable
 * (`print-config-docs`, which writes `.env.example` and `docs/configuration.md`).
 */
import { unescape as decoded } from 'node:querystring';
import type { Config } from '../config/config.ts';
import { variables } from '../config/variables.ts';

type Shown = string | number | boolean | null | readonly string[];

/**
 * The effective configuration by variable name, with secrets hidden; ready for JSON. Null: the variable has no value
 * and no default.
 */
export const shownConfig = (config: Config): Readonly<Record<keyof typeof variables, Shown>> => ({
  NODE_ENV: config.mode,
  PORT: config.port,
  HOST: config.host,
  DRAIN_SECONDS: config.drainSeconds,
  MAX_CONNECTIONS: config.maxConnections,
  BASE_URL: config.baseUrl,
  FRONTEND_URL: config.frontendUrl,
  DATABASE_URL: withoutPassword(config.databaseUrl),
  DATABASE_POOL_SIZE: config.databasePoolSize,
  REDIS_URL: withoutPassword(config.redisUrl),
  DATA_DIR: config.dataDirectory,
  GATEHOUSE_SECRET: config.secrets.map(() => hidden),
  PASSWORD_BLOCKLIST: config.passwordBlocklist,
  SALT_ROUNDS: config.saltRounds,
  AUTH_COOKIE_DOMAIN: config.authCookieDomain ?? null,
  SESSION_COOKIE_DOMAIN: config.sessionCookieDomain ?? null,
  GRAPHQL_BEARER_ACCEPTED_AUDIENCES: config.graphqlAudiences,
  MCP_ENABLED: config.mcp.enabled,
  // The only permitted value.
  MCP_BEARER_ACCEPTED_AUDIENCES: ['mcp'],
  MCP_REDIRECT_ALLOW_LIST: config.mcp.redirectAllowList,
  EMAIL_VERIFICATION_ENABLED: config.emailVerificationEnabled,
  SMTP_URL: withoutPassword(config.smtpUrl),
  MAIL_FROM: config.mailFrom,
  ...shownProvider(config),
  CONSENT_BANNER: config.consentBanner,
  STRIPE_WEBHOOK_SECRET: hiddenIfSet(config.stripe.webhookSecret),
  STRIPE_SECRET_KEY: hiddenIfSet(config.stripe.secretKey),
  STRIPE_API_BASE: config.stripe.apiBase,
  DEFAULT_PRODUCT: config.defaultProduct,
  SUPER_ADMIN_EMAIL: config.superAdmin?.email ?? null,
  SUPER_ADMIN_PASSWORD: hiddenIfSet(config.superAdmin?.password),
  SEED_DEMO_DATA: config.seedDemoData,
  RATE_LIMITS_ENABLED: config.rateLimitsEnabled,
  ...shownRest(config),
});

const shownProvider = ({ externalProvider }: Config) => ({
  GOOGLE_CLIENT_ID: externalProvider?.clientId ?? null,
  GOOGLE_CLIENT_SECRET: hiddenIfSet(externalProvider?.clientSecret),
  GOOGLE_ISSUER: externalProvider?.issuer ?? null,
  GOOGLE_DISPLAY_NAME: externalProvider?.displayName ?? null,
});

const shownRest = (config: Config) => ({
  TRUST_PROXY: config.trustProxy,
  ACCESS_TTL_SECONDS: config.accessTtlSeconds,
  REFRESH_TTL_SECONDS: config.refreshTtlSeconds,
  OAUTH_CODE_TTL_SECONDS: config.mcp.codeTtlSeconds,
  GRAPHQL_INTROSPECTION: config.graphqlIntrospection,
  METRICS_PORT: config.metrics.port,
  METRICS_TOKEN: hiddenIfSet(config.metrics.token),
  // The path may contain a key too.
  OTEL_EXPORTER_OTLP_ENDPOINT: config.otlpEndpoint === undefined ? null : new URL(config.otlpEndpoint).origin,
  LOG_LEVEL: config.logLevel,
});

const hidden = '[set]';

const hiddenIfSet = (secret: string | undefined): string | null => (secret === undefined ? null : hidden);

const withoutPassword = (text: string | undefined): string | null => {
  if (text === undefined) return null;
  const url = new URL(text);
  // Some mail servers take one token as both user and password.
  if (url.password !== '' && decoded(url.username) === decoded(url.password)) url.username = 'hidden';
  if (url.password !== '') url.password = 'hidden';
  url.search = '';
  url.hash = '';
  return url.toString();
};

/** The same as `NAME=value` lines: lists are comma-separated, and the value is empty when there is none. */
export const configAsText = (config: Config): string =>
  Object.entries(shownConfig(config))
    .map(([name, value]) => `${name}=${asText(value)}\n`)
    .join('');

const asText = (value: Shown): string => (typeof value === 'object' ? (value ?? []).join(',') : String(value));

export const configDocs = (format: 'env' | 'markdown'): string => (format === 'env' ? envExample() : markdown());

const envExample = (): string =>
  [
    '# Every variable of Gatehouse, with its default. With none set, `npm start` runs a development instance.',
    '# Printed from server/src/config/variables.ts by `npm run docs:print`; docs/configuration.md says the same as a table.',
    '# Nothing reads a file by itself: npm run build:portal, then npx node --env-file=.env server/src/main.ts serve',
    ...Object.entries(variables).map(
      ([name, { meaning, shownDefault }]) => `\n# ${meaning}\n# Default: ${shownDefault}\n#${name}=`,
    ),
    '',
  ].join('\n');

const markdown = (): string =>
  [
    '# Configuration',
    '',
    'Printed from `server/src/config/variables.ts` by `npm run docs:print`; do not edit by hand.',
    '',
    'Environment variables, read once at start. With none set, `npm start` runs a development instance. A value that',
    'is missing or weak keeps production and staging from starting, with exit code 78 and the name of the variable,',
    'never its value. A variable that looks like a slip of a known name is a warning. `gatehouse print-config` shows',
    'what a process would run with, secrets hidden.',
    '',
    'No file is read by itself. To keep variables in one, copy `.env.example` to `.env`, and in place of `npm start` run',
    '`npm run build:portal`, which also installs what is needed, then',
    '`npx node --env-file=.env server/src/main.ts serve`.',
    '',
    '| Variable | Default | Meaning |',
    '| - | - | - |',
    ...Object.entries(variables).map(
      ([name, { meaning, shownDefault, secret }]) =>
        `| \`${name}\` | ${shownDefault} | ${meaning}${secret === true ? ' Secret.' : ''} |`,
    ),
    '',
  ].join('\n');
