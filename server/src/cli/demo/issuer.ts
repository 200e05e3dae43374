/**
 * The OpenID Connect issuer of the demo provider: one client, the authorization code flow with PKCE, and no sessions.
 * Its library is a development dependency, absent from production installations.
 */
import { generateKeyPair, randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { AdapterFactory, AdapterPayload, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { ExternalProviderConfig } from '../../config/config.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { claimsOf, type DemoAccount, subjectOf } from './people.ts';

interface IssuerParts {
  readonly client: ExternalProviderConfig;
  readonly redirectUri: string;
  readonly logger: Logger;
  /** The page for errors that cannot be redirected to the client. */
  readonly failurePage: string;
  readonly loadLibrary: LoadLibrary;
}

/** Loads `oidc-provider`. */
export type LoadLibrary = () => Promise<Pick<typeof import('oidc-provider'), 'Provider' | 'interactionPolicy'>>;

export interface DemoIssuer {
  readonly provider: Provider;
  /** Registers an account for sign-in; returns its subject. */
  readonly know: (account: DemoAccount) => string;
}

/** Loads the library, which happens only when the provider is used. */
export const createIssuer = async (parts: IssuerParts): Promise<DemoIssuer> => {
  const [library, key] = await Promise.all([parts.loadLibrary(), newSigningKey()]);
  const policy = library.interactionPolicy.base();
  // Choosing an account implies consent.
  policy.remove('consent');
  const accounts = new Map<string, DemoAccount>();
  const provider = new library.Provider(parts.client.issuer, {
    ...settings,
    clients: [
      {
        client_id: parts.client.clientId,
        client_secret: parts.client.clientSecret,
        redirect_uris: [parts.redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
        // Says when the person authenticated, for which it asks them each time.
        require_auth_time: true,
      },
    ],
    adapter: inMemory(),
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(32).toString('hex')], names: cookieNames },
    interactions: { policy, url: (_context, { uid }) => `/who/${uid}` },
    findAccount: (_context, accountId) => {
      const account = accounts.get(accountId);
      return account === undefined ? undefined : { accountId, claims: () => claimsOf(account) };
    },
    renderError: (context, out) => {
      parts.logger.debug({ event: 'demo_provider.refused', error: out.error }, 'The demo provider refused a request');
      context.type = 'text/html; charset=utf-8';
      context.body = parts.failurePage;
    },
  });
  reportFailures(provider, parts.logger);
  return {
    provider,
    know: (account) => {
      const subject = subjectOf(account);
      accounts.set(subject, account);
      return subject;
    },
  };
};

/** Browsers share cookies between ports of a host, so the names must not collide with those of another server. */
const cookieNames = {
  session: 'demo_provider_session',
  interaction: 'demo_provider_question',
  resume: 'demo_provider_resume',
};

const scope = 'openid email profile';

const grantAll = async ({ oidc }: KoaContextWithOIDC) => {
  const { client, session, provider } = oidc;
  if (client === undefined || session?.accountId === undefined) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(scope);
  await grant.save();
  return grant;
};

const hour = 3600;

const settings: Configuration = {
  scopes: scope.split(' '),
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  // Includes claims in the id_token, as Google does.
  conformIdTokenClaims: false,
  features: {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    rpInitiatedLogout: { enabled: false },
  },
  loadExistingGrant: grantAll,
  // The provider keeps no session to expire with.
  expiresWithSession: () => false,
  pkce: { required: () => true },
  clientBasedCORS: () => false,
  ttl: { AccessToken: hour, AuthorizationCode: 60, Grant: hour, IdToken: hour, Interaction: hour, Session: hour },
};

const newSigningKey = async () => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
};

const reportFailures = (provider: Provider, logger: Logger): void => {
  // Errors that the library would print to standard error are logged here.
  provider.silent = true;
  provider.on('server_error', (_context, error) => {
    logger.warn({ event: 'demo_provider.failed', err: error }, 'The demo provider failed');
  });
};

/** The state of the library, in memory. Sessions are not stored: the provider asks for the account each time. */
const inMemory = (): AdapterFactory => {
  const rows = new LRUCache<string, AdapterPayload>({ max: 1000 });
  return (model) => ({
    upsert: async (id, payload, lifeSeconds = 0) => {
      if (model !== 'Session') rows.set(`${model} ${id}`, payload, { ttl: lifeSeconds * 1000 });
    },
    find: async (id) => rows.get(`${model} ${id}`),
    // For sessions and device codes, which are not used.
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const row = rows.get(`${model} ${id}`);
      if (row !== undefined) row.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => {
      rows.delete(`${model} ${id}`);
    },
    revokeByGrantId: async (grantId) => {
      for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key);
    },
  });
};
