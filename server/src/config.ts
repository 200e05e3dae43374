/**
 * Configuration: the environment read once, through one schema, into a frozen {@link Config}, or a refusal that names
 * the variable and never its value. `.env.example` and `docs/configuration.md` are printed from the same table
 * (`cli/print-config-docs.ts`).
 */
import { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;
type Mode = 'development' | 'test' | 'staging' | 'production';

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((text) => text === 'true');
const list = z.string().transform(splitList);
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, { error: `must be a whole number from ${least} to ${most}` })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error: `must be from ${least} to ${most}` });

const origin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && text.replace(/\/$/, '') === url.origin;
  if (isOrigin) return url.origin;
  context.addIssue({ code: 'custom', message: 'must be an origin such as https://id.example.com, without a path' });
  return z.NEVER;
});

const urlOf = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

const domain = z.string().regex(/^\.?[a-z0-9-]+(\.[a-z0-9-]+)*$/i, { error: 'must be a domain name' });

/** One variable: how its text is read, what it is when absent, and what the documentation says of it. */
interface Variable<T> {
  readonly schema: z.ZodType<T, string>;
  readonly meaning: string;
  /** Shown as the default in the documentation. */
  readonly shownDefault: string;
  readonly secret?: true;
}

const variable = <T>(
  schema: z.ZodType<T, string>,
  shownDefault: string,
  meaning: string,
  secret?: true,
): Variable<T> => (secret ? { schema, shownDefault, meaning, secret } : { schema, shownDefault, meaning });

/** Every variable, in the order of the documentation. */
export const variables = {
  NODE_ENV: variable(
    z.enum(['development', 'test', 'staging', 'production'], {
      error: 'must be development, test, staging or production',
    }),
    'development',
    '`development`, `test`, `staging` or `production`. Staging follows the rules of production.',
  ),
  PORT: variable(wholeNumber(0, 65535), '4000', 'Port to listen on; 0 takes any free one.'),
  HOST: variable(z.string(), '127.0.0.1', 'Address to listen on.'),
  BASE_URL: variable(origin, 'http://localhost:PORT', "The service's origin. Required in production, https there."),
  FRONTEND_URL: variable(origin, 'BASE_URL', "The portal's origin. Required in production, https there."),
  DATABASE_URL: variable(
    urlOf('postgres:', 'postgresql:'),
    'none',
    'PostgreSQL 15 or newer. Absent: the embedded database in DATA_DIR, for one process. Required in production.',
    true,
  ),
  DATA_DIR: variable(z.string(), './data', 'Where the embedded database and generated development secrets live.'),
  GATEHOUSE_SECRET: variable(
    list.refine((secrets) => secrets.length > 0 && secrets.every((secret) => Buffer.byteLength(secret) >= 32), {
      error: 'must be one or more secrets of at least 32 bytes each, separated by commas',
    }),
    'generated into DATA_DIR',
    'Secret from which keys for cookies, queued mail and digests are derived; 32 bytes or more. A comma-separated list ' +
      'rotates: the first one signs, all of them verify. Required in production.',
    true,
  ),
  PASSWORD_BLOCKLIST: variable(flag, 'false; true in production', 'Refuse common passwords.'),
  SALT_ROUNDS: variable(wholeNumber(10, 15), '12', 'Cost of bcrypt, 10 to 15; each step doubles the time.'),
  AUTH_COOKIE_DOMAIN: variable(
    domain,
    'none (host-only)',
    'Domain of the cookies auth_access and auth_refresh, when API and portal stand on two hosts.',
  ),
  GRAPHQL_BEARER_ACCEPTED_AUDIENCES: variable(
    list.refine((audiences) => audiences.length > 0 && !audiences.includes('mcp'), {
      error: 'must be a list of audiences without mcp',
    }),
    'portal,api',
    'Audiences that GraphQL accepts. `mcp` among them is refused.',
  ),
  EMAIL_VERIFICATION_ENABLED: variable(
    flag,
    'true',
    'false: a sign-up leaves the user verified and queues no mail.',
  ),
  SMTP_URL: variable(
    urlOf('smtp:', 'smtps:'),
    'none (development mailbox)',
    'Where mail is sent, e.g. smtps://user:password@mail.example.com. Absent: /dev/mailbox. Required in production.',
    true,
  ),
  MAIL_FROM: variable(
    z.string().regex(/^[^\r\n]*[^\s@]+@[^\s@]+$|^[^\r\n<>]*<[^\s@<>]+@[^\s@<>]+>$/, {
      error: 'must be an address such as Gatehouse <no-reply@example.com>',
    }),
    'Gatehouse <gatehouse@localhost>',
    'Sender of every mail. Required in production.',
  ),
  DEFAULT_PRODUCT: variable(
    z.string(),
    'free',
    'Product of a new organization. Empty: none, so that every scope check denies.',
  ),
  SUPER_ADMIN_EMAIL: variable(
    z.string(),
    'none; admin@example.com in development',
    'A super admin, created at start when absent, verified, with every platform scope; never changed once it exists.',
  ),
  SUPER_ADMIN_PASSWORD: variable(
    z.string(),
    'generated and printed once',
    "That super admin's password.",
    true,
  ),
  SEED_DEMO_DATA: variable(
    flag,
    'true in development, else false',
    'Two organizations with members to try things on. Refused in production.',
  ),
  TRUST_PROXY: variable(
    z.string().regex(/^(false|\d{1,2}|[0-9a-fA-F.:/, ]+)$/, { error: 'must be false, a number of hops, or CIDRs' }),
    'false',
    'How many proxies, or which CIDRs, are trusted for X-Forwarded-* headers.',
  ),
  ACCESS_TTL_SECONDS: variable(
    wholeNumber(1, 900),
    '900',
    'Life of an access token in seconds; may be shortened, never lengthened.',
  ),
  REFRESH_TTL_SECONDS: variable(
    wholeNumber(1, 2_592_000),
    '2592000',
    'Life of a session family in seconds; may be shortened, never lengthened.',
  ),
  GRAPHQL_INTROSPECTION: variable(
    flag,
    'true in development and test, else false',
    'Schema introspection; the GraphiQL page is there in development only.',
  ),
  LOG_LEVEL: variable(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
    '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
  ),
} as const satisfies Record<string, Variable<unknown>>;

type Name = keyof typeof variables;
type Parsed = { -readonly [N in Name]?: z.output<(typeof variables)[N]['schema']> };

/** What the process runs with; made once at start, frozen. */
export interface Config {
  readonly mode: Mode;
  /** Staging and production. */
  readonly isHardened: boolean;
  readonly port: number;
  readonly host: string;
  readonly baseUrl: string;
  readonly frontendUrl: string;
  readonly databaseUrl: string | undefined;
  readonly dataDirectory: string;
  /** Newest first; never empty. */
  readonly secrets: readonly string[];
  readonly passwordBlocklist: boolean;
  readonly saltRounds: number;
  readonly authCookieDomain: string | undefined;
  readonly graphqlAudiences: readonly string[];
  readonly emailVerificationEnabled: boolean;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Null: a new organization has no subscription. */
  readonly defaultProduct: string | null;
  readonly superAdmin: { readonly email: string; readonly password: string | undefined } | null;
  readonly seedDemoData: boolean;
  readonly trustProxy: false | number | readonly string[];
  readonly accessTtlSeconds: number;
  readonly refreshTtlSeconds: number;
  readonly graphqlIntrospection: boolean;
  readonly graphiql: boolean;
  readonly logLevel: string;
}

/** Names the variables that keep the process from starting. Exit code 78 (EX_CONFIG of sysexits.h). */
export class ConfigRefused extends Error {
  override readonly name = 'ConfigRefused';
  /** One line for each variable, `NAME what is wrong`; never a value. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Where a development instance keeps the secret that it made for itself. */
export type DevelopmentSecret = (dataDirectory: string) => string;

/**
 * Reads the environment.
 * @param developmentSecret supplies GATEHOUSE_SECRET outside staging and production when it is not set
 * @throws ConfigRefused naming every missing or weak variable
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

const requiredWhenHardened = [
  'BASE_URL',
  'FRONTEND_URL',
  'DATABASE_URL',
  'GATEHOUSE_SECRET',
  'SMTP_URL',
  'MAIL_FROM',
] as const satisfies readonly Name[];

const hardenedProblems = (parsed: Parsed, environment: Environment): string[] => [
  ...requiredWhenHardened
    .filter((name) => (environment[name] ?? '') === '')
    .map((name) => `${name} is required in production.`),
  ...(['BASE_URL', 'FRONTEND_URL'] as const)
    .filter((name) => parsed[name]?.startsWith('http://'))
    .map((name) => `${name} must be https in production.`),
  ...(parsed.SEED_DEMO_DATA ? ['SEED_DEMO_DATA must not be true in production.'] : []),
  ...((parsed.GATEHOUSE_SECRET ?? []).some((secret) => new Set(secret).size < 8)
    ? ['GATEHOUSE_SECRET is too regular to be random; make one with: openssl rand -base64 48']
    : []),
];

const combinationProblems = (parsed: Parsed): string[] =>
  parsed.SUPER_ADMIN_PASSWORD !== undefined && parsed.SUPER_ADMIN_EMAIL === undefined
    ? ['SUPER_ADMIN_EMAIL is required when SUPER_ADMIN_PASSWORD is set.']
    : [];

const assemble = (parsed: Parsed, mode: Mode, isHardened: boolean, developmentSecret: DevelopmentSecret): Config => {
  const isDevelopment = mode === 'development';
  const port = parsed.PORT ?? 4000;
  const baseUrl = parsed.BASE_URL ?? `http://localhost:${port}`;
  const dataDirectory = parsed.DATA_DIR ?? './data';
  return {
    mode,
    isHardened,
    port,
    host: parsed.HOST ?? '127.0.0.1',
    baseUrl,
    frontendUrl: parsed.FRONTEND_URL ?? baseUrl,
    databaseUrl: parsed.DATABASE_URL,
    dataDirectory,
    secrets: parsed.GATEHOUSE_SECRET ?? [developmentSecret(dataDirectory)],
    passwordBlocklist: parsed.PASSWORD_BLOCKLIST ?? isHardened,
    saltRounds: parsed.SALT_ROUNDS ?? 12,
    authCookieDomain: parsed.AUTH_COOKIE_DOMAIN,
    graphqlAudiences: parsed.GRAPHQL_BEARER_ACCEPTED_AUDIENCES ?? ['portal', 'api'],
    emailVerificationEnabled: parsed.EMAIL_VERIFICATION_ENABLED ?? true,
    smtpUrl: parsed.SMTP_URL,
    mailFrom: parsed.MAIL_FROM ?? 'Gatehouse <gatehouse@localhost>',
    defaultProduct: (parsed.DEFAULT_PRODUCT ?? 'free') || null,
    superAdmin: superAdminOf(parsed, isDevelopment),
    seedDemoData: parsed.SEED_DEMO_DATA ?? isDevelopment,
    trustProxy: trustProxyOf(parsed.TRUST_PROXY ?? 'false'),
    accessTtlSeconds: parsed.ACCESS_TTL_SECONDS ?? 900,
    refreshTtlSeconds: parsed.REFRESH_TTL_SECONDS ?? 2_592_000,
    graphqlIntrospection: parsed.GRAPHQL_INTROSPECTION ?? !isHardened,
    graphiql: isDevelopment,
    logLevel: parsed.LOG_LEVEL ?? 'info',
  };
};

const superAdminOf = (parsed: Parsed, isDevelopment: boolean): Config['superAdmin'] => {
  const email = parsed.SUPER_ADMIN_EMAIL ?? (isDevelopment ? 'admin@example.com' : undefined);
  return email === undefined ? null : { email, password: parsed.SUPER_ADMIN_PASSWORD };
};

const trustProxyOf = (text: string): Config['trustProxy'] => {
  if (text === 'false') return false;
  return /^\d+$/.test(text) ? Number(text) : splitList(text);
};

/**
 * Warnings for variables that look like a slip of the pen: an unknown GATEHOUSE_* name, or a name one or two letters
 * away from a known one.
 */
export const configWarnings = (environment: Environment): string[] =>
  Object.keys(environment)
    .filter((name) => !(name in variables))
    .flatMap((name) => {
      const nearest = nearestName(name);
      if (nearest !== null) return [`${name} is not a variable of Gatehouse; did you mean ${nearest}?`];
      return name.startsWith('GATEHOUSE_') ? [`${name} is not a variable of Gatehouse.`] : [];
    });

const nearestName = (name: string): string | null => {
  const candidates = Object.keys(variables).filter((known) => known.length >= 7 && name.length >= 6);
  return candidates.find((known) => isWithinTwoEdits(name.toUpperCase(), known)) ?? null;
};

/** Levenshtein distance of at most two, by trying the edits at the first difference. */
const isWithinTwoEdits = (left: string, right: string, budget = 2): boolean => {
  const at = firstDifference(left, right);
  if (at === -1) return true;
  if (budget === 0) return false;
  const [leftRest, rightRest] = [left.slice(at), right.slice(at)];
  return (
    isWithinTwoEdits(leftRest.slice(1), rightRest.slice(1), budget - 1) ||
    isWithinTwoEdits(leftRest.slice(1), rightRest, budget - 1) ||
    isWithinTwoEdits(leftRest, rightRest.slice(1), budget - 1)
  );
};

const firstDifference = (left: string, right: string): number => {
  const length = Math.max(left.length, right.length);
  for (let at = 0; at < length; at += 1) if (left[at] !== right[at]) return at;
  return -1;
};
