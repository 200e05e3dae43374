/** The external provider of the tests: a real, strict OpenID Connect issuer that asks for the account each time. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider, {
  type AdapterFactory,
  type AdapterPayload,
  type ClientMetadata,
  type Configuration,
  type InteractionResults,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { newAddress } from '../clients/clients.ts';
import { listen } from './listen.ts';

/** All claims of the provider about an account except its subject. */
export type Claims = Readonly<Record<string, unknown>>;

export interface IdentityProviderUnderTest {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Subject → claims. A change counts from the next sign-in on. */
  readonly people: Map<string, Claims>;
  /** A person with a verified address and a name, unless the changes say otherwise; returns the subject. */
  newPerson(changes?: Claims): string;
  /** The variables with which a service uses this provider. */
  environment(): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * The callbacks of services on any port of the loopback are registered.
 * @param host `localhost` makes it another site than a service at 127.0.0.1, as real ones are
 */
export const startIdentityProvider = async (
  host: '127.0.0.1' | 'localhost' = '127.0.0.1',
): Promise<IdentityProviderUnderTest> => {
  const people = new Map<string, Claims>();
  const clientId = 'gatehouse-of-the-tests';
  const clientSecret = randomBytes(32).toString('base64url');
  const server = createServer();
  const { port, close } = await listen(server);
  const issuer = `http://${host}:${port}`;
  const provider = new Provider(issuer, configurationOf(people, clientOf(clientId, clientSecret)));
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', issuer);
    const [, page, , choice] = url.pathname.split('/');
    forgetSession(request);
    const finish = (result: InteractionResults) => provider.interactionFinished(request, response, result);
    const answered = async (): Promise<void> => {
      if (page !== 'interaction') return answer(request, response);
      if (choice === 'login') return finish({ login: { accountId: url.searchParams.get('subject') ?? '' } });
      return choice === 'cancel' ? finish({ error: 'access_denied' }) : showAccounts(response, url.pathname, people);
    };
    answered().catch((error: unknown) => {
      response.writeHead(400, { 'content-type': 'text/plain' }).end(String(error));
    });
  });
  return {
    issuer,
    clientId,
    clientSecret,
    people,
    newPerson: (changes = {}) => {
      const subject = randomBytes(12).toString('hex');
      people.set(subject, { email: newAddress(), email_verified: true, name: 'Person at the Provider', ...changes });
      return subject;
    },
    environment: () => ({
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_CLIENT_SECRET: clientSecret,
      GOOGLE_ISSUER: issuer,
    }),
    close,
  };
};

/**
 * A native application may receive the redirect at any port of the loopback (RFC 8252, section 7.3); the path is exact.
 */
const clientOf = (clientId: string, clientSecret: string): ClientMetadata => ({
  client_id: clientId,
  client_secret: clientSecret,
  application_type: 'native',
  // It asks the person each time, and says when.
  require_auth_time: true,
  redirect_uris: ['http://127.0.0.1/auth/google/callback', 'http://localhost/auth/google/callback'],
});

const configurationOf = (people: ReadonlyMap<string, Claims>, client: ClientMetadata): Configuration => ({
  clients: [client],
  adapter: newStore(),
  jwks: { keys: [signingKey()] },
  cookies: { keys: [randomBytes(32).toString('hex')], names: { session: sessionCookie } },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
  // Into the id_token, as Google does it.
  conformIdTokenClaims: false,
  features: { devInteractions: { enabled: false } },
  interactions: { policy: onlyLogin(), url: (_context, { uid }) => `/interaction/${uid}` },
  loadExistingGrant: grantAll,
  findAccount: (_context, subject) => {
    const claims = people.get(subject);
    return claims === undefined
      ? undefined
      : { accountId: subject, claims: () => ({ sub: subject, ...people.get(subject) }) };
  },
  pkce: { required: () => true },
  renderError: (context, out) => {
    context.type = 'text/plain';
    context.body = `${out.error}: ${out.error_description}`;
  },
  ttl: { AccessToken: 3600, AuthorizationCode: 3600, IdToken: 3600, Interaction: 3600, Session: 3600, Grant: 3600 },
});

let madeKey: JWK | undefined;

/** One for all providers of a process: generating one takes a tenth of a second. */
const signingKey = (): JWK => {
  madeKey ??= {
    ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
    kid: randomBytes(8).toString('hex'),
    alg: 'RS256',
    use: 'sig',
  };
  return madeKey;
};

const onlyLogin = (): interactionPolicy.DefaultPolicy => {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  return policy;
};

const grantAll = async ({ oidc }: KoaContextWithOIDC) => {
  const { client, session, provider } = oidc;
  if (client === undefined || session?.accountId === undefined) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
};

/** Storage for the library; its own store in memory is shared by all providers of a process, and prints a warning. */
const newStore = (): AdapterFactory => {
  const rows = new Map<string, AdapterPayload>();
  return (model) => {
    const key = (id: string): string => `${model} ${id}`;
    const find = async (isWanted: (row: AdapterPayload) => boolean) =>
      [...rows].find(([name, row]) => name.startsWith(`${model} `) && isWanted(row))?.[1];
    return {
      upsert: async (id, payload) => void rows.set(key(id), payload),
      find: async (id) => rows.get(key(id)),
      findByUid: (uid) => find((row) => row.uid === uid),
      findByUserCode: (code) => find((row) => row.userCode === code),
      consume: async (id) => void rows.set(key(id), { ...rows.get(key(id)), consumed: Math.floor(Date.now() / 1000) }),
      destroy: async (id) => void rows.delete(key(id)),
      revokeByGrantId: async (grantId) => {
        for (const [name, row] of rows) if (row.grantId === grantId) rows.delete(name);
      },
    };
  };
};

const sessionCookie = 'provider_session';

/** An earlier login does not matter: a browser may be another person at the provider each time. */
const forgetSession = ({ headers }: IncomingMessage): void => {
  if (headers.cookie === undefined) return;
  const kept = headers.cookie.split('; ').filter((pair) => !pair.startsWith(sessionCookie));
  headers.cookie = kept.join('; ');
};

/** For browsers with a user: a link for each account. */
const showAccounts = (response: ServerResponse, path: string, people: ReadonlyMap<string, Claims>): void => {
  const links = [...people].map(
    ([subject, { email }]) =>
      `<p><a href="${path}/login?subject=${encodeURIComponent(subject)}">${escapeText(typeof email === 'string' ? email : subject)}</a></p>`,
  );
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><title>Provider</title><link rel="icon" href="data:,">${links.join('')}<p><a href="${path}/cancel">Cancel</a></p>`,
    );
};

const escapeText = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
