/** Owns every environment variable, of which `.env.example` and `docs/configuration.md` are made (`print-config`). */
import { z } from 'zod';
import { ehloName, sender } from './mail-shapes.ts';
import {
  audiencesOfSessions,
  collectorUrl,
  databaseUrl,
  documentUrls,
  domain,
  flag,
  issuer,
  list,
  origin,
  plaintext,
  redirectUris,
  redisUrl,
  relyingPartyId,
  trustedProxies,
  urlOf,
  wholeNumber,
} from './value-shapes.ts';
import { secrets, type Variable, variable } from './variable.ts';

const modes = ['development', 'test', 'staging', 'production'] as const;
const poolers = ['none', 'session', 'transaction'] as const;

/** Every variable, in the order of the documentation. */
export const variables = {
  NODE_ENV: variable(z.enum(modes, { error: 'must be development, test, staging or production' }), 'development'),
  PORT: variable(wholeNumber(0, 65535), '4000'),
  HOST: variable(z.string(), '127.0.0.1'),
  MAX_CONNECTIONS: variable(wholeNumber(10, 1_000_000), '4000'),
  DRAIN_SECONDS: variable(wholeNumber(0, 5), '0; 2 in production'),
  BASE_URL: variable(origin, 'http://localhost:PORT'),
  FRONTEND_URL: variable(origin, 'BASE_URL'),
  WEBAUTHN_RP_ID: variable(relyingPartyId, 'the host of FRONTEND_URL; no passkeys where that is an IP address'),
  DATABASE_URL: variable(databaseUrl, 'none', 'password'),
  DATABASE_POOL_SIZE: variable(wholeNumber(1, 200), '8'),
  DATABASE_FENCE_SECONDS: variable(wholeNumber(1, 10), '3'),
  DATABASE_POOLER: variable(z.enum(poolers, { error: 'must be none, session or transaction' }), 'none'),
  DATABASE_PREPARED_STATEMENTS: variable(flag, 'true'),
  REDIS_URL: variable(redisUrl, 'none', 'password'),
  REDIS_PLAINTEXT: variable(plaintext, 'refused'),
  DATA_DIR: variable(z.string(), './data'),
  GATEHOUSE_SECRET: variable(secrets, 'generated into DATA_DIR', 'all'),
  PASSWORD_BLOCKLIST: variable(flag, 'false; true in production'),
  SALT_ROUNDS: variable(wholeNumber(10, 15), '12'),
  AUTH_COOKIE_DOMAIN: variable(domain, 'none (host-only)'),
  SESSION_COOKIE_DOMAIN: variable(domain, 'none (host-only)'),
  GRAPHQL_BEARER_ACCEPTED_AUDIENCES: variable(audiencesOfSessions, 'portal,api'),
  MCP_ENABLED: variable(flag, 'true'),
  MCP_BEARER_ACCEPTED_AUDIENCES: variable(
    list.refine((audiences) => audiences.join() === 'mcp', { error: 'must be exactly mcp' }),
    'mcp',
  ),
  MCP_REDIRECT_ALLOW_LIST: variable(
    redirectUris,
    'those of Cursor, cursor://anysphere.cursor-mcp/oauth/callback and https://www.cursor.com/agents/mcp/oauth/callback; empty in staging and production',
  ),
  MCP_CLIENT_METADATA_ALLOW_LIST: variable(
    documentUrls,
    'that of Claude Code, https://claude.ai/oauth/claude-code-client-metadata; empty in staging and production',
  ),
  ORGANIZATION_MCP_ENABLED: variable(flag, 'true in development and test, else false'),
  MACHINE_TOKENS_ENABLED: variable(flag, 'true in development and test, else false'),
  EMAIL_VERIFICATION_ENABLED: variable(flag, 'true'),
  SECOND_FACTOR_AFTER_PROVIDER: variable(flag, 'false'),
  SUPER_ADMIN_SECOND_FACTOR: variable(
    z.enum(['required', 'optional'], { error: 'must be required or optional' }),
    'required in production and staging, otherwise optional',
  ),
  SMTP_URL: variable(urlOf('smtp:', 'smtps:'), 'none (development mailbox)', 'password'),
  SMTP_PLAINTEXT: variable(plaintext, 'refused'),
  MAIL_FROM: variable(sender, 'Gatehouse <gatehouse@localhost>'),
  SMTP_EHLO_NAME: variable(ehloName, 'host of BASE_URL'),
  GOOGLE_CLIENT_ID: variable(
    z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be a client id as the provider shows it' }),
    'none; a demo provider in development',
  ),
  GOOGLE_CLIENT_SECRET: variable(
    z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be a client secret as the provider shows it' }),
    'none',
    'all',
  ),
  GOOGLE_ISSUER: variable(issuer, 'https://accounts.google.com'),
  GOOGLE_DISPLAY_NAME: variable(
    z.string().regex(/^[^\p{Cc}]{1,40}$/u, { error: 'must be a name of at most 40 characters' }),
    'Google',
  ),
  CONSENT_BANNER: variable(flag, 'true'),
  STRIPE_WEBHOOK_SECRET: variable(
    z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be a secret as Stripe shows it' }),
    'none',
    'all',
  ),
  STRIPE_SECRET_KEY: variable(
    z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be a key as Stripe shows it' }),
    'none',
    'all',
  ),
  STRIPE_API_BASE: variable(origin, 'https://api.stripe.com'),
  APPLICATION_FILE: variable(z.string(), ''),
  DEFAULT_PRODUCT: variable(
    z.string().transform((product) => product || null),
    'free',
  ),
  SUPER_ADMIN_EMAIL: variable(z.string(), 'none; admin@example.com in development'),
  SUPER_ADMIN_PASSWORD: variable(z.string(), 'generated and printed once', 'all'),
  SEED_DEMO_DATA: variable(flag, 'true in development, else false'),
  TRUST_PROXY: variable(trustedProxies, 'false'),
  HSTS_INCLUDE_SUBDOMAINS: variable(flag, 'false'),
  RATE_LIMITS_ENABLED: variable(flag, 'true'),
  SIGN_IN_HISTORY_DAYS: variable(wholeNumber(0, 365), '30'),
  ACCESS_TTL_SECONDS: variable(wholeNumber(1, 900), '900'),
  REFRESH_TTL_SECONDS: variable(wholeNumber(1, 2_592_000), '2592000'),
  OAUTH_CODE_TTL_SECONDS: variable(wholeNumber(1, 60), '60'),
  GRAPHQL_INTROSPECTION: variable(flag, 'true in development and test, else false'),
  METRICS_PORT: variable(wholeNumber(1, 65535), 'none'),
  METRICS_TOKEN: variable(
    z.string().regex(/^[\w.~+/-]+=*$/, { error: 'must be of letters, digits and the characters - . _ ~ + /' }),
    'none',
    'all',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(collectorUrl, 'none', 'path'),
  LOG_LEVEL: variable(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    }),
    'info',
  ),
} as const satisfies Record<string, Variable<unknown>>;
