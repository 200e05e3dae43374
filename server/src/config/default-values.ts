/** Owns the defaults of variables, and which values of NODE_ENV have production's rules. */
import { ehloNameOf } from './mail-shapes.ts';
import { defaultPort, isAddress, type Parsed } from './problems.ts';

/** Returns the secret that a development instance generated for itself. */
export type DevelopmentSecret = (dataDirectory: string) => string;

export type Values = ReturnType<typeof valuesOf>;

/**
 * Cursor's besides loopback, all of which it registers (docs/mcp.md, "Connect a client"): its own scheme in older
 * desktop versions, and its agents' web site.
 */
const redirectUrisOfCursor = [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
];

/** Its redirect URIs are loopback ones, so that it needs no entry in the list of those. */
const documentsOfDevelopment = ['https://claude.ai/oauth/claude-code-client-metadata'];

/** The value of every variable: as set, else its default; undefined where it has none. */
export const valuesOf = (parsed: Parsed, developmentSecret: DevelopmentSecret) => {
  const { NODE_ENV: mode = 'development', PORT: port = defaultPort } = parsed;
  const isHardened = isHardenedMode(mode);
  // As browsers write it: without the scheme's default port.
  const { BASE_URL: baseUrl = new URL(`http://localhost:${port}`).origin, DATA_DIR: dataDirectory = './data' } = parsed;
  const { FRONTEND_URL: frontendUrl = baseUrl } = parsed;
  const defaults = {
    NODE_ENV: mode,
    PORT: port,
    HOST: '127.0.0.1',
    MAX_CONNECTIONS: 4000,
    DRAIN_SECONDS: isHardened ? 2 : 0,
    BASE_URL: baseUrl,
    FRONTEND_URL: baseUrl,
    ...(isAddress(frontendUrl) ? {} : { WEBAUTHN_RP_ID: new URL(frontendUrl).hostname }),
    DATABASE_POOL_SIZE: 8,
    DATABASE_FENCE_SECONDS: 3,
    DATABASE_POOLER: 'none',
    DATABASE_PREPARED_STATEMENTS: true,
    REDIS_PLAINTEXT: 'refused',
    DATA_DIR: dataDirectory,
    PASSWORD_BLOCKLIST: isHardened,
    SALT_ROUNDS: 12,
    GRAPHQL_BEARER_ACCEPTED_AUDIENCES: ['portal', 'api'],
    MCP_ENABLED: true,
    MCP_BEARER_ACCEPTED_AUDIENCES: ['mcp'],
    MCP_REDIRECT_ALLOW_LIST: isHardened ? [] : redirectUrisOfCursor,
    ORGANIZATION_MCP_ENABLED: !isHardened,
    MCP_CLIENT_METADATA_ALLOW_LIST: isHardened ? [] : documentsOfDevelopment,
    MACHINE_TOKENS_ENABLED: !isHardened,
    EMAIL_VERIFICATION_ENABLED: true,
    SECOND_FACTOR_AFTER_PROVIDER: false,
    SUPER_ADMIN_SECOND_FACTOR: isHardened ? 'required' : 'optional',
    MAIL_FROM: 'Gatehouse <gatehouse@localhost>',
    SMTP_PLAINTEXT: 'refused',
    SMTP_EHLO_NAME: ehloNameOf(baseUrl),
    GOOGLE_ISSUER: 'https://accounts.google.com',
    GOOGLE_DISPLAY_NAME: 'Google',
    CONSENT_BANNER: true,
    STRIPE_API_BASE: 'https://api.stripe.com',
    DEFAULT_PRODUCT: 'free',
    SEED_DEMO_DATA: mode === 'development',
    TRUST_PROXY: false,
    HSTS_INCLUDE_SUBDOMAINS: false,
    RATE_LIMITS_ENABLED: true,
    SIGN_IN_HISTORY_DAYS: 30,
    ACCESS_TTL_SECONDS: 900,
    REFRESH_TTL_SECONDS: 2_592_000,
    OAUTH_CODE_TTL_SECONDS: 60,
    GRAPHQL_INTROSPECTION: !isHardened,
    LOG_LEVEL: 'info',
    ...(mode === 'development' ? { SUPER_ADMIN_EMAIL: 'admin@example.com' } : {}),
  } as const satisfies Parsed;
  return { ...defaults, ...parsed, GATEHOUSE_SECRET: parsed.GATEHOUSE_SECRET ?? [developmentSecret(dataDirectory)] };
};

/** Whether a NODE_ENV is one of real users: staging has the rules of production. */
export const isHardenedMode = (mode: string | undefined): boolean => mode === 'production' || mode === 'staging';
