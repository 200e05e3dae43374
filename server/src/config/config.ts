/**
 * Owns configuration: the environment, read once into a frozen {@link Config}, or a refusal that names the variable and
 * never its value. `variables.ts` has the schema, `problems.ts` the invalid combinations.
 */
import { combinationProblems, defaultPort, type Environment, hardenedProblems, type Parsed } from './problems.ts';
import { splitList } from './value-shapes.ts';
import { variables } from './variables.ts';

type Mode = 'development' | 'test' | 'staging' | 'production';

/** A client at an OpenID Connect issuer. */
export interface ExternalProviderConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly displayName: string;
}

/** The process's configuration; created once at start, frozen. */
export interface Config {
  readonly mode: Mode;
  /** True in staging and production. */
  readonly isHardened: boolean;
  readonly port: number;
  readonly host: string;
  /** Limit per process at the service's port. */
  readonly maxConnections: number;
  /** How long a stopping process continues to serve. */
  readonly drainSeconds: number;
  readonly baseUrl: string;
  readonly frontendUrl: string;
  readonly databaseUrl: string | undefined;
  /** Pool connections per process; the look-up connection is not included. */
  readonly databasePoolSize: number;
  readonly redisUrl: string | undefined;
  readonly dataDirectory: string;
  /** Newest first; never empty. */
  readonly secrets: readonly string[];
  readonly passwordBlocklist: boolean;
  readonly saltRounds: number;
  readonly authCookieDomain: string | undefined;
  readonly sessionCookieDomain: string | undefined;
  readonly graphqlAudiences: readonly string[];
  readonly mcp: {
    readonly enabled: boolean;
    /** In addition to loopback; compared exactly. */
    readonly redirectAllowList: readonly string[];
    /** Lifetime of an authorization code. */
    readonly codeTtlSeconds: number;
  };
  readonly emailVerificationEnabled: boolean;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** The external sign-in provider; null when there is none. */
  readonly externalProvider: ExternalProviderConfig | null;
  /** Whether the portal asks visitors about analytics. */
  readonly consentBanner: boolean;
  readonly stripe: {
    readonly webhookSecret: string | undefined;
    readonly secretKey: string | undefined;
    /** Origin of the provider's API. */
    readonly apiBase: string;
  };
  /** Null: a new organization has no subscription. */
  readonly defaultProduct: string | null;
  readonly superAdmin: { readonly email: string; readonly password: string | undefined } | null;
  readonly seedDemoData: boolean;
  readonly rateLimitsEnabled: boolean;
  readonly trustProxy: false | number | readonly string[];
  readonly accessTtlSeconds: number;
  readonly refreshTtlSeconds: number;
  readonly graphqlIntrospection: boolean;
  readonly graphiql: boolean;
  readonly metrics: {
    readonly isServed: boolean;
    /** Null: metrics are served at the service's own port. */
    readonly port: number | null;
    /** Undefined: metrics are not protected by a token. */
    readonly token: string | undefined;
  };
  /** Destination of traces and metrics; undefined: not exported. */
  readonly otlpEndpoint: string | undefined;
  readonly logLevel: string;
}

/** Lists the variables that keep the process from starting. Exit code 78 (EX_CONFIG of sysexits.h). */
export class ConfigRefused extends Error {
  override readonly name = 'ConfigRefused';
  /** One line per variable, `NAME what is wrong`; never a value. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Returns the secret that a development instance generated for itself. */
type DevelopmentSecret = (dataDirectory: string) => string;

/**
 * Reads the environment.
 * @param developmentSecret supplies GATEHOUSE_SECRET outside staging and production when it is not set
 * @throws ConfigRefused: lists every missing or weak variable
 */
export const readConfig = (environment: Environment, developmentSecret: DevelopmentSecret): Config => {
  const problems: string[] = [];
  const parsed = parseAll(environment, problems);
  const mode = parsed.NODE_ENV ?? 'development';
  const isHardened = mode === 'production' || mode === 'staging';
  if (isHardened) problems.push(...hardenedProblems(parsed, environment));
  problems.push(...combinationProblems(parsed));
  if (problems.length > 0) throw new ConfigRefused(problems);
  return Object.freeze(assemble(parsed, mode, isHardened, developmentSecret));
};

const parseAll = (environment: Environment, problems: string[]): Parsed => {
  const entries = Object.entries(variables).flatMap(([name, { schema }]): [string, unknown][] => {
    const text = environment[name];
    if (text === undefined || (text === '' && name !== 'DEFAULT_PRODUCT')) return [];
    const result = schema.safeParse(text);
    if (result.success) return [[name, result.data]];
    problems.push(`${name} ${result.error.issues[0]?.message ?? 'is not valid'}.`);
    return [];
  });
  return Object.fromEntries(entries);
};

/**
 * Cursor's redirect URIs besides loopback: its own scheme in older desktop versions, and its agents' web site in the
 * cloud. It registers all of them at once (docs/mcp.md, "Connect a client").
 */
const redirectUrisOfCursor = [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
];

/** Defaults of variables that are not derived from others. */
const defaultsFor = (mode: Mode, isHardened: boolean) => ({
  PORT: defaultPort,
  HOST: '127.0.0.1',
  MAX_CONNECTIONS: 4000,
  DRAIN_SECONDS: isHardened ? 2 : 0,
  DATA_DIR: './data',
  DATABASE_POOL_SIZE: 8,
  PASSWORD_BLOCKLIST: isHardened,
  SALT_ROUNDS: 12,
  GRAPHQL_BEARER_ACCEPTED_AUDIENCES: ['portal', 'api'],
  MCP_ENABLED: true,
  MCP_REDIRECT_ALLOW_LIST: isHardened ? [] : redirectUrisOfCursor,
  EMAIL_VERIFICATION_ENABLED: true,
  MAIL_FROM: 'Gatehouse <gatehouse@localhost>',
  GOOGLE_ISSUER: 'https://accounts.google.com',
  GOOGLE_DISPLAY_NAME: 'Google',
  CONSENT_BANNER: true,
  STRIPE_API_BASE: 'https://api.stripe.com',
  DEFAULT_PRODUCT: 'free',
  SEED_DEMO_DATA: mode === 'development',
  TRUST_PROXY: 'false',
  RATE_LIMITS_ENABLED: true,
  ACCESS_TTL_SECONDS: 900,
  REFRESH_TTL_SECONDS: 2_592_000,
  OAUTH_CODE_TTL_SECONDS: 60,
  GRAPHQL_INTROSPECTION: !isHardened,
  LOG_LEVEL: 'info' as const,
});

const assemble = (parsed: Parsed, mode: Mode, isHardened: boolean, developmentSecret: DevelopmentSecret): Config => {
  const values = { ...defaultsFor(mode, isHardened), ...parsed };
  // As browsers write it: without the scheme's default port.
  const baseUrl = values.BASE_URL ?? new URL(`http://localhost:${values.PORT}`).origin;
  return {
    mode,
    isHardened,
    port: values.PORT,
    host: values.HOST,
    maxConnections: values.MAX_CONNECTIONS,
    drainSeconds: values.DRAIN_SECONDS,
    baseUrl,
    frontendUrl: values.FRONTEND_URL ?? baseUrl,
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    redisUrl: values.REDIS_URL,
    dataDirectory: values.DATA_DIR,
    secrets: values.GATEHOUSE_SECRET ?? [developmentSecret(values.DATA_DIR)],
    passwordBlocklist: values.PASSWORD_BLOCKLIST,
    saltRounds: values.SALT_ROUNDS,
    authCookieDomain: values.AUTH_COOKIE_DOMAIN,
    sessionCookieDomain: values.SESSION_COOKIE_DOMAIN,
    graphqlAudiences: values.GRAPHQL_BEARER_ACCEPTED_AUDIENCES,
    mcp: {
      enabled: values.MCP_ENABLED,
      redirectAllowList: values.MCP_REDIRECT_ALLOW_LIST,
      codeTtlSeconds: values.OAUTH_CODE_TTL_SECONDS,
    },
    emailVerificationEnabled: values.EMAIL_VERIFICATION_ENABLED,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    externalProvider: externalProviderOf(values),
    consentBanner: values.CONSENT_BANNER,
    stripe: {
      webhookSecret: values.STRIPE_WEBHOOK_SECRET,
      secretKey: values.STRIPE_SECRET_KEY,
      apiBase: values.STRIPE_API_BASE,
    },
    defaultProduct: values.DEFAULT_PRODUCT || null,
    superAdmin: superAdminOf(parsed, mode === 'development'),
    seedDemoData: values.SEED_DEMO_DATA,
    rateLimitsEnabled: values.RATE_LIMITS_ENABLED,
    trustProxy: trustProxyOf(values.TRUST_PROXY),
    accessTtlSeconds: values.ACCESS_TTL_SECONDS,
    refreshTtlSeconds: values.REFRESH_TTL_SECONDS,
    graphqlIntrospection: values.GRAPHQL_INTROSPECTION,
    graphiql: mode === 'development',
    metrics: {
      isServed: !isHardened || values.METRICS_PORT !== undefined || values.METRICS_TOKEN !== undefined,
      port: values.METRICS_PORT ?? null,
      token: values.METRICS_TOKEN,
    },
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: values.LOG_LEVEL,
  };
};

const externalProviderOf = (values: {
  readonly GOOGLE_CLIENT_ID?: string | undefined;
  readonly GOOGLE_CLIENT_SECRET?: string | undefined;
  readonly GOOGLE_ISSUER: string;
  readonly GOOGLE_DISPLAY_NAME: string;
}): ExternalProviderConfig | null => {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = values;
  if (clientId === undefined || clientSecret === undefined) return null;
  return { issuer: values.GOOGLE_ISSUER, clientId, clientSecret, displayName: values.GOOGLE_DISPLAY_NAME };
};

const superAdminOf = (parsed: Parsed, isDevelopment: boolean): Config['superAdmin'] => {
  const email = parsed.SUPER_ADMIN_EMAIL ?? (isDevelopment ? 'admin@example.com' : undefined);
  return email === undefined ? null : { email, password: parsed.SUPER_ADMIN_PASSWORD };
};

const trustProxyOf = (text: string): Config['trustProxy'] => {
  if (text === 'false') return false;
  return /^\d+$/.test(text) ? Number(text) : splitList(text);
};
