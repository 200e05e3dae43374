/**
 * The OpenID Connect issuer of the demo provider: one client, the authorization code flow with PKCE, and nobody kept
 * signed in. Its library is a tool of development; an installation for production does not have it.
 */
import { generateKeyPair, randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { AdapterFactory, AdapterPayload, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { ExternalProviderConfig } from '../../config/config.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { claimsOf, type DemoAccount, subjectOf } from './people.ts';

export interface IssuerParts {
  readonly client: ExternalProviderConfig;
  /** The one that codes are sent to. */
  readonly redirectUri: string;
  readonly logger: Logger;
  /** The page for what has to end at the provider, which it cannot send back. */
  readonly failurePage: string;
}

export interface DemoIssuer {
  readonly provider: Provider;
  /** Somebody who signs in from now on; answers their subject. */
  readonly know: (account: DemoAccount) => string;
}

/** Loads the library, which an instance where nobody comes never does. */
export const createIssuer = async (parts: IssuerParts): Promise<DemoIssuer> => {
  const [library, key] = await Promise.all([import('oidc-provider'), newSigningKey()]);
  const policy = library.interactionPolicy.base();
  // Whoever says who they are has agreed to its being told.
  policy.remove('consent');
  const accounts = new Map<string, DemoAccount>();
  const provider = new library.Provider(parts.client.issuer, {
    ...settings,
    ...registration(parts),
    adapter: keptForAWhile(),
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

/** Browsers keep cookies by host, whatever the port: these names are no neighbour's. */
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
  // In the id_token too, as Google has it.
  conformIdTokenClaims: false,
  features: {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    rpInitiatedLogout: { enabled: false },
  },
  loadExistingGrant: grantAll,
  // There is no session that it could end with.
  expiresWithSession: () => false,
  pkce: { required: () => true },
  clientBasedCORS: () => false,
  ttl: { AccessToken: hour, AuthorizationCode: 60, Grant: hour, IdToken: hour, Interaction: hour, Session: hour },
};

const registration = ({ client, redirectUri }: IssuerParts): Configuration => ({
  clients: [
    {
      client_id: client.clientId,
      client_secret: client.clientSecret,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
});

const newSigningKey = async () => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
};

const reportFailures = (provider: Provider, logger: Logger): void => {
  // What it would write to standard error is reported here.
  provider.silent = true;
  provider.on('server_error', (_context, error) => {
    logger.warn({ event: 'demo_provider.failed', err: error }, 'The demo provider failed');
  });
};

// What the library of the demo provider keeps between two requests, in the memory of this process. Sessions are not kept:
// it asks each time who somebody is.

interface Row {
  readonly payload: AdapterPayload;
  /** In milliseconds of the clock of this process. */
  readonly endsAt: number;
}

export const keptForAWhile = (): AdapterFactory => {
  const rows = new Map<string, Row>();
  const isOver = ({ endsAt }: Row): boolean => endsAt <= Date.now();
  const forget = (isGone: (row: Row) => boolean): void => {
    for (const [name, row] of rows) if (isGone(row)) rows.delete(name);
  };
  return (model) => {
    const nameOf = (id: string): string => `${model} ${id}`;
    const find = async (id: string): Promise<AdapterPayload | undefined> => {
      const row = rows.get(nameOf(id));
      return row === undefined || isOver(row) ? undefined : row.payload;
    };
    return {
      upsert: async (id, payload, lifeSeconds = 0) => {
        forget(isOver);
        if (model !== 'Session') rows.set(nameOf(id), { payload, endsAt: Date.now() + lifeSeconds * 1000 });
      },
      find,
      // Of sessions and of devices that ask for a code: there are neither.
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
      consume: async (id) => {
        const row = rows.get(nameOf(id));
        if (row !== undefined) row.payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => {
        rows.delete(nameOf(id));
      },
      revokeByGrantId: async (grantId) => forget(({ payload }) => payload.grantId === grantId),
    };
  };
};
