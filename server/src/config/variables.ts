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
  MAX_CONNECTIONS: variable(
    wholeNumber(10, 1_000_000),
    '4000',
    'Connections that each process, or each worker of `serve --workers`, has open at PORT; above it, new connections are closed at once.',
  ),
  DRAIN_SECONDS: variable(
    wholeNumber(0, 5),
    '0; 2 in production',
    'How long a process still serves after it was asked to stop, while /readyz reports that it stops, so that load balancers stop using it first.',
  ),
  BASE_URL: variable(origin, 'http://localhost:PORT', "The service's origin. Required in production, https there."),
  FRONTEND_URL: variable(origin, 'BASE_URL', "The portal's origin. Required in production, https there."),
  WEBAUTHN_RP_ID: variable(
    relyingPartyId,
    'the host of FRONTEND_URL; no passkeys where that is an IP address',
    'Relying party id of passkeys (WebAuthn): the host of FRONTEND_URL, or a parent domain of it that is not a public suffix, so that pages of `origins` below it can use the same passkeys. Passkeys work only with the id that they were created with: after a change, those of before can no longer be used to sign in.',
  ),
  DATABASE_URL: variable(
    databaseUrl,
    'none',
    'PostgreSQL 15 or newer: postgres://user:password@db.example.com/gatehouse, postgres:///gatehouse?host=/var/run/postgresql for a socket, or several hosts, postgres://user:password@a:5432,b:5432/gatehouse, of which the first that is the primary is used (target_session_attrs is read-write or primary, and may be left out). sslmode encrypts: verify-full, require, prefer and verify-ca alike check the certificate (sslrootcert names an authority of your own), no-verify does not, disable is without TLS. Absent: the embedded database in DATA_DIR, for one process. Required in production.',
    'password',
  ),
  DATABASE_POOL_SIZE: variable(
    wholeNumber(1, 200),
    '8',
    'Connections to PostgreSQL of each process, or of each worker of `serve --workers`; one for look-ups and up to two for the heartbeat are not included.',
  ),
  DATABASE_FENCE_SECONDS: variable(
    wholeNumber(1, 10),
    '3',
    'How long an answer of PostgreSQL counts after the server last confirmed a commit as the primary. Each process commits a heartbeat every second, or three times in a shorter fence; where none returned in time, look-ups and /readyz answer 503 (docs/operations.md, "Fail-over").',
  ),
  REDIS_URL: variable(
    redisUrl,
    'none',
    'Redis or Valkey for helper sessions and rate limits, such as rediss://user:password@redis.example.com:6379/0. Absent: the database stores them. rediss is TLS, which production requires to another machine.',
    'password',
  ),
  REDIS_PLAINTEXT: variable(
    plaintext,
    'refused',
    'allowed: production may use Redis on another machine without TLS, on a network where only trusted machines can read and change what is sent.',
  ),
  DATA_DIR: variable(z.string(), './data', 'Directory of the embedded database and of generated development secrets.'),
  GATEHOUSE_SECRET: variable(
    secrets,
    'generated into DATA_DIR',
    'Secret from which keys for cookies, queued mail and digests are derived; 32 bytes or more. A comma-separated list rotates: the first one signs, all of them verify. Required in production.',
    'all',
  ),
  PASSWORD_BLOCKLIST: variable(
    flag,
    'false; true in production',
    'Refuse passwords that are easy to guess: common words and keyboard walks with digits and signs, and the password of the demo accounts.',
  ),
  SALT_ROUNDS: variable(wholeNumber(10, 15), '12', 'Cost of bcrypt, 10 to 15; each step doubles the time.'),
  AUTH_COOKIE_DOMAIN: variable(
    domain,
    'none (host-only)',
    'Domain of the cookies auth_access and auth_refresh, when API and portal have different hosts: a parent domain of both. A public suffix (co.uk, github.io) is refused.',
  ),
  SESSION_COOKIE_DOMAIN: variable(
    domain,
    'none (host-only)',
    'Domain of the cookie helper_session, which never holds an identity, only a sign-in in progress and the analytics decision. Every host below this domain is then trusted.',
  ),
  GRAPHQL_BEARER_ACCEPTED_AUDIENCES: variable(
    audiencesOfSessions,
    'portal,api',
    'Audiences that GraphQL accepts. `mcp` and `mcp_organization` among them are refused.',
  ),
  MCP_ENABLED: variable(
    flag,
    'true',
    'false: /mcp, its authorization server and their well-known routes do not exist.',
  ),
  MCP_BEARER_ACCEPTED_AUDIENCES: variable(
    list.refine((audiences) => audiences.join() === 'mcp', { error: 'must be exactly mcp' }),
    'mcp',
    'Audiences that /mcp accepts. Anything but exactly `mcp` is refused.',
  ),
  MCP_REDIRECT_ALLOW_LIST: variable(
    redirectUris,
    'those of Cursor, cursor://anysphere.cursor-mcp/oauth/callback and https://www.cursor.com/agents/mcp/oauth/callback; empty in staging and production',
    'Redirect URIs that MCP clients may register in addition to loopback ones, compared exactly, separated by commas. In staging and production: https, or a private-use scheme (com.example.app:/callback, cursor://…); a scheme of browsers, protocols or the system is refused.',
  ),
  MCP_CLIENT_METADATA_ALLOW_LIST: variable(
    documentUrls,
    'that of Claude Code, https://claude.ai/oauth/claude-code-client-metadata; empty in staging and production',
    'URLs of client ID metadata documents: an MCP client may use such a URL as its client_id in place of a registration (docs/mcp.md), compared exactly, separated by commas. No other URL is ever fetched, and these only when a client sends one. Set to the empty string: none, and clients register. In development and test also `http://127.0.0.1:PORT/…` and `http://localhost:PORT/…`.',
  ),
  ORGANIZATION_MCP_ENABLED: variable(
    flag,
    'true in development and test, else false',
    'MCP for the people of an organization at /mcp/organization, and tokens for the resources of the application (docs/organization-mcp.md). false: neither exists; connections are kept, and are accepted again once this is true. Needs MCP_ENABLED.',
  ),
  MACHINE_TOKENS_ENABLED: variable(
    flag,
    'true in development and test, else false',
    'Personal tokens, service accounts and their tokens (docs/machine-tokens.md). false: their operations do not exist, and such a token is refused; those that exist are kept, and are accepted again once this is true.',
  ),
  EMAIL_VERIFICATION_ENABLED: variable(
    flag,
    'true',
    'false: a sign-up leaves the user verified and queues no mail. Refused in production and staging with GOOGLE_CLIENT_ID.',
  ),
  SECOND_FACTOR_AFTER_PROVIDER: variable(
    flag,
    'false',
    'true: a person who has one-time codes is asked for one after a sign-in with the identity provider too, and not only after their password.',
  ),
  SUPER_ADMIN_SECOND_FACTOR: variable(
    z.enum(['required', 'optional'], { error: 'must be required or optional' }),
    'required in production and staging, otherwise optional',
    'required: in a session without a second factor (a passkey or a one-time code), a super admin can do only what everybody can. They set up the first one in their account.',
  ),
  SMTP_URL: variable(
    urlOf('smtp:', 'smtps:'),
    'none (development mailbox)',
    'Where mail is sent, e.g. smtps://user:password@mail.example.com. Absent: /dev/mailbox. Required in production. smtps is TLS, which production requires to another machine; for a server that upgrades with STARTTLS, such as at port 587, smtp://user:password@mail.example.com:587?requireTLS=true.',
    'password',
  ),
  SMTP_PLAINTEXT: variable(
    plaintext,
    'refused',
    'allowed: production may send mail to another machine without TLS, on a network where only trusted machines can read and change what is sent.',
  ),
  MAIL_FROM: variable(sender, 'Gatehouse <gatehouse@localhost>', 'Sender of every mail. Required in production.'),
  SMTP_EHLO_NAME: variable(
    ehloName,
    'host of BASE_URL',
    'Name by which the service greets the mail server (EHLO), for a server that requires the name of the address that mail comes from.',
  ),
  GOOGLE_CLIENT_ID: variable(
    z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be a client id as the provider shows it' }),
    'none; a demo provider in development',
    'Client id at Google, or at another OpenID Connect issuer; its redirect URI is FRONTEND_URL/auth/google/callback. Absent: /auth/google does not exist.',
  ),
  GOOGLE_CLIENT_SECRET: variable(
    z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be a client secret as the provider shows it' }),
    'none',
    'Secret of that client. Required when GOOGLE_CLIENT_ID is set.',
    'all',
  ),
  GOOGLE_ISSUER: variable(
    issuer,
    'https://accounts.google.com',
    'The OpenID Connect issuer, exactly as its metadata spells it; its metadata is at /.well-known/openid-configuration below it. https in production.',
  ),
  GOOGLE_DISPLAY_NAME: variable(
    z.string().regex(/^[^\p{Cc}]{1,40}$/u, { error: 'must be a name of at most 40 characters' }),
    'Google',
    "The provider's name on the portal's button, for an issuer that is not Google.",
  ),
  CONSENT_BANNER: variable(
    flag,
    'true',
    'false: the portal does not ask visitors about analytics, for installations that have none; recordConsent still works.',
  ),
  STRIPE_WEBHOOK_SECRET: variable(
    z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be a secret as Stripe shows it' }),
    'none',
    "Signing secret of Stripe's webhook, whsec_…. Absent: /webhooks/stripe does not exist.",
    'all',
  ),
  STRIPE_SECRET_KEY: variable(
    z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be a key as Stripe shows it' }),
    'none',
    'Key for the API of Stripe, sk_… or rk_…. Absent: plans cannot be bought or changed in the portal.',
    'all',
  ),
  STRIPE_API_BASE: variable(
    origin,
    'https://api.stripe.com',
    'Origin of the Stripe API; change it for tests only. https in production.',
  ),
  APPLICATION_FILE: variable(
    z.string(),
    '',
    'File with the definition of your application: its scopes, roles, products, origins and looks (docs/application.md). Without one, the service has the built-in scopes and roles and the product `free`.',
  ),
  DEFAULT_PRODUCT: variable(
    z.string().transform((product) => product || null),
    'free',
    'Product of a new organization. Empty: none, so that every scope check denies.',
  ),
  SUPER_ADMIN_EMAIL: variable(
    z.string(),
    'none; admin@example.com in development',
    'A super admin, created at start when absent, verified, with every platform scope; never changed once it exists.',
  ),
  SUPER_ADMIN_PASSWORD: variable(z.string(), 'generated and printed once', "That super admin's password.", 'all'),
  SEED_DEMO_DATA: variable(
    flag,
    'true in development, else false',
    'Creates two organizations with members and invitations to try the service with. Refused in production.',
  ),
  TRUST_PROXY: variable(
    trustedProxies,
    'false',
    'How many proxies, or which CIDRs, are trusted for X-Forwarded-* headers. A CIDR of every address is refused.',
  ),
  HSTS_INCLUDE_SUBDOMAINS: variable(
    flag,
    'false',
    'Whether browsers use https alone for every host below that of BASE_URL as well, for a year (HSTS). Only where all of them have certificates: browsers remember it.',
  ),
  RATE_LIMITS_ENABLED: variable(
    flag,
    'true',
    'Applies the rate limits of docs/limits.md. false, for tests and load tests, is refused in production.',
  ),
  SIGN_IN_HISTORY_DAYS: variable(
    wholeNumber(0, 365),
    '30',
    'How many days attempts to sign in are kept and listed, for the person and for super admins. A smaller value deletes older ones within the hour. 0: none is recorded, and those that were are deleted.',
  ),
  ACCESS_TTL_SECONDS: variable(
    wholeNumber(1, 900),
    '900',
    'Lifetime of an access token in seconds; can be shortened, never lengthened.',
  ),
  REFRESH_TTL_SECONDS: variable(
    wholeNumber(1, 2_592_000),
    '2592000',
    'Lifetime of a session family in seconds; can be shortened, never lengthened.',
  ),
  OAUTH_CODE_TTL_SECONDS: variable(
    wholeNumber(1, 60),
    '60',
    'Lifetime of an authorization code in seconds; can be shortened, never lengthened.',
  ),
  GRAPHQL_INTROSPECTION: variable(
    flag,
    'true in development and test, else false',
    'Schema introspection; the GraphiQL page exists in development only.',
  ),
  METRICS_PORT: variable(
    wholeNumber(1, 65535),
    'none',
    'Separate port for /metrics, on the same HOST. Absent: the metrics are at PORT, in production only with METRICS_TOKEN.',
  ),
  METRICS_TOKEN: variable(
    z.string().regex(/^[\w.~+/-]+=*$/, { error: 'must be of letters, digits and the characters - . _ ~ + /' }),
    'none',
    'Bearer token that a scraper of /metrics must send; 16 characters or more in production. Absent: every client that can reach the port can read the metrics.',
    'all',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    collectorUrl,
    'none',
    'OpenTelemetry collector, such as http://localhost:4318: traces go to v1/traces below it, metrics to v1/metrics, by OTLP over HTTP. Absent: nothing is sent, and the exporters are not loaded.',
    'path',
  ),
  LOG_LEVEL: variable(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    }),
    'info',
    '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
  ),
} as const satisfies Record<string, Variable<unknown>>;
