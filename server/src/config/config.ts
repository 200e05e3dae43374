/**
 * Owns: the variables of the environment, their meaning and their valid combinations.
 * Promises: A configuration is complete, valid and frozen, or the start is refused with the name of the variable and
 *   never its value.
 *
 * `variables.ts` has the schema, `default-values.ts` the defaults, `problems.ts` the invalid combinations.
 */
import type { z } from 'zod';
import { type DevelopmentSecret, isHardenedMode, type Values, valuesOf } from './default-values.ts';
import { senderOf } from './mail-shapes.ts';
import {
  additionIn,
  combinationProblems,
  type Environment,
  hardenedProblems,
  type Parsed,
  withoutAddition,
} from './problems.ts';
import { variableFamilies } from './variable.ts';
import { variables } from './variables.ts';

/** A client at an OpenID Connect issuer. */
export interface ExternalProviderConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly displayName: string;
}

/** The process's configuration; created once at start, frozen. */
export interface Config extends Readonly<ReturnType<typeof assemble>> {
  /** By the name of a resource of the application; each list is never empty. */
  readonly resourceSecrets: ResourceSecrets;
}

type ResourceSecrets = ReadonlyMap<string, readonly string[]>;

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

/**
 * @param developmentSecret supplies GATEHOUSE_SECRET outside staging and production when it is not set
 * @throws ConfigRefused: lists every missing or weak variable
 */
export const readConfig = (environment: Environment, developmentSecret: DevelopmentSecret): Config => {
  const problems: string[] = [];
  const parsed = parseAll(environment, problems);
  const resourceSecrets = parseResourceSecrets(environment, problems);
  if (isHardenedMode(parsed.NODE_ENV)) problems.push(...hardenedProblems(parsed, environment));
  problems.push(...combinationProblems(parsed));
  if (problems.length > 0) throw new ConfigRefused(problems);
  return Object.freeze({ ...assemble(parsed, developmentSecret), resourceSecrets });
};

/** Variables whose empty text differs from an absent one: none of them, in place of the default. */
const mayBeEmpty: ReadonlySet<string> = new Set(['DEFAULT_PRODUCT', 'MCP_CLIENT_METADATA_ALLOW_LIST']);

const parseAll = (environment: Environment, problems: string[]): Parsed => {
  const entries = Object.entries(variables).flatMap(([name, { schema }]): [string, unknown][] => {
    const text = environment[name];
    if (text === undefined || (text === '' && !mayBeEmpty.has(name))) return [];
    const value = parseOne<unknown>(name, schema, text, problems);
    return value === null ? [] : [[name, value.data]];
  });
  return Object.fromEntries(entries);
};

/** Null when no value can be read; a value is returned also if it is refused for what was added to it. */
const parseOne = <T>(
  name: string,
  schema: z.ZodType<T, string>,
  text: string,
  problems: string[],
): { readonly data: T } | null => {
  const addition = additionIn(text);
  const result = schema.safeParse(withoutAddition(text));
  if (addition !== null) problems.push(`${name} ${addition}.`);
  else if (!result.success) problems.push(`${name} ${result.error.issues[0]?.message ?? 'is not valid'}.`);
  return result.success ? { data: result.data } : null;
};

const prefixOfResourceSecrets = 'RESOURCE_SECRET_';

const parseResourceSecrets = (environment: Environment, problems: string[]): ResourceSecrets => {
  const { schema, names, namesAdvice } = variableFamilies[prefixOfResourceSecrets];
  const secrets = new Map<string, readonly string[]>();
  for (const [variable, text = ''] of Object.entries(environment)) {
    if (!variable.startsWith(prefixOfResourceSecrets) || text === '') continue;
    const name = variable.slice(prefixOfResourceSecrets.length);
    if (!names.test(name)) {
      problems.push(`${variable} ${namesAdvice}.`);
      continue;
    }
    const value = parseOne(variable, schema, text, problems);
    if (value !== null) secrets.set(name.toLowerCase(), value.data);
  }
  return secrets;
};

const assemble = (parsed: Parsed, developmentSecret: DevelopmentSecret) => {
  const values = valuesOf(parsed, developmentSecret);
  return {
    /** By variable name, for `print-config`. */
    values,
    ...processOf(values),
    ...storesOf(values),
    ...accountsOf(values),
    mcp: mcpOf(values),
    machineTokensEnabled: values.MACHINE_TOKENS_ENABLED,
    ...mailOf(values),
    ...paymentsOf(values),
    /** The adopter's definition; undefined: the default application. */
    applicationFile: values.APPLICATION_FILE,
    ...diagnosticsOf(values),
  };
};

const processOf = (values: Values) => ({
  mode: values.NODE_ENV,
  /** True in staging and production. */
  isHardened: isHardenedMode(values.NODE_ENV),
  port: values.PORT,
  host: values.HOST,
  /** Limit per process at the service's port. */
  maxConnections: values.MAX_CONNECTIONS,
  /** How long a stopping process continues to serve. */
  drainSeconds: values.DRAIN_SECONDS,
  baseUrl: values.BASE_URL,
  frontendUrl: values.FRONTEND_URL,
  /** Whether HSTS holds for hosts below that of BASE_URL. */
  hstsIncludesSubdomains: values.HSTS_INCLUDE_SUBDOMAINS,
  trustProxy: values.TRUST_PROXY,
  rateLimitsEnabled: values.RATE_LIMITS_ENABLED,
});

const storesOf = (values: Values) => ({
  databaseUrl: values.DATABASE_URL,
  /** Pool connections per process; those of look-ups and of the heartbeat are not included. */
  databasePoolSize: values.DATABASE_POOL_SIZE,
  /** How long a heartbeat of PostgreSQL counts. */
  databaseFenceSeconds: values.DATABASE_FENCE_SECONDS,
  databasePooler: values.DATABASE_POOLER,
  databasePreparedStatements: values.DATABASE_PREPARED_STATEMENTS,
  redisUrl: values.REDIS_URL,
  dataDirectory: values.DATA_DIR,
  /** Newest first; never empty. */
  secrets: values.GATEHOUSE_SECRET,
  seedDemoData: values.SEED_DEMO_DATA,
});

/** Accounts, their sessions, and how people sign in. */
const accountsOf = (values: Values) => ({
  /** The settings of passkeys; null where the host of FRONTEND_URL is an IP address, which has none. */
  relyingPartyId: values.WEBAUTHN_RP_ID ?? null,
  passwordBlocklist: values.PASSWORD_BLOCKLIST,
  saltRounds: values.SALT_ROUNDS,
  authCookieDomain: values.AUTH_COOKIE_DOMAIN,
  sessionCookieDomain: values.SESSION_COOKIE_DOMAIN,
  graphqlAudiences: values.GRAPHQL_BEARER_ACCEPTED_AUDIENCES,
  emailVerificationEnabled: values.EMAIL_VERIFICATION_ENABLED,
  /** Whether one-time codes are asked for after a sign-in with the external provider. */
  secondFactorAfterProvider: values.SECOND_FACTOR_AFTER_PROVIDER,
  /** Whether super admins have authority as such only in sessions with a second factor. */
  superAdminsNeedSecondFactor: values.SUPER_ADMIN_SECOND_FACTOR === 'required',
  superAdmin:
    values.SUPER_ADMIN_EMAIL === undefined
      ? null
      : { email: values.SUPER_ADMIN_EMAIL, password: values.SUPER_ADMIN_PASSWORD },
  /** The external sign-in provider; null when there is none. */
  externalProvider: externalProviderOf(values),
  /** Whether the portal asks visitors about analytics. */
  consentBanner: values.CONSENT_BANNER,
  /** How long an attempt to sign in is kept; 0 keeps none. */
  signInHistoryDays: values.SIGN_IN_HISTORY_DAYS,
  accessTtlSeconds: values.ACCESS_TTL_SECONDS,
  refreshTtlSeconds: values.REFRESH_TTL_SECONDS,
});

const mailOf = (values: Values) => ({
  smtpUrl: values.SMTP_URL,
  mailFrom: senderOf(values.MAIL_FROM),
  /** By which the service greets the mail server. */
  smtpEhloName: values.SMTP_EHLO_NAME,
});

const paymentsOf = (values: Values) => ({
  stripe: {
    webhookSecret: values.STRIPE_WEBHOOK_SECRET,
    secretKey: values.STRIPE_SECRET_KEY,
    apiBase: values.STRIPE_API_BASE,
  },
  /** Null: a new organization has no subscription. */
  defaultProduct: values.DEFAULT_PRODUCT,
});

const diagnosticsOf = (values: Values) => ({
  graphqlIntrospection: values.GRAPHQL_INTROSPECTION,
  graphiql: values.NODE_ENV === 'development',
  metrics: {
    isServed:
      !isHardenedMode(values.NODE_ENV) || values.METRICS_PORT !== undefined || values.METRICS_TOKEN !== undefined,
    /** Null: metrics are served at the service's own port. */
    port: values.METRICS_PORT ?? null,
    /** Undefined: metrics are not protected by a token. */
    token: values.METRICS_TOKEN,
  },
  /** Destination of traces and metrics; undefined: not exported. */
  otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
  logLevel: values.LOG_LEVEL,
});

const mcpOf = (values: Values) => ({
  enabled: values.MCP_ENABLED,
  /** Also for the people of an organization, and for the resources of the application. */
  forOrganizations: values.MCP_ENABLED && values.ORGANIZATION_MCP_ENABLED,
  /** In addition to loopback; compared exactly. */
  redirectAllowList: values.MCP_REDIRECT_ALLOW_LIST,
  /** URLs of client ID metadata documents; compared exactly. */
  clientMetadataAllowList: values.MCP_CLIENT_METADATA_ALLOW_LIST,
  codeTtlSeconds: values.OAUTH_CODE_TTL_SECONDS,
});

const externalProviderOf = (values: Values): ExternalProviderConfig | null => {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = values;
  if (clientId === undefined || clientSecret === undefined) return null;
  return { issuer: values.GOOGLE_ISSUER, clientId, clientSecret, displayName: values.GOOGLE_DISPLAY_NAME };
};

/** The parts of the service that are on. */
export const optionalPartsOf = ({ machineTokensEnabled, mcp }: Pick<Config, 'machineTokensEnabled' | 'mcp'>) => ({
  machineTokens: machineTokensEnabled,
  organizationMcp: mcp.forOrganizations,
});
