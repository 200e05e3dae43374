/**
 * The outside provider as an OpenID Connect issuer: discovery, the authorization code flow with PKCE, state and nonce, and
 * the validation of every answer. Nothing else knows its library, which is loaded when somebody first wants to sign in.
 */
import {
  type IdentityProvider,
  type ProvidedIdentity,
  type ProviderAttempt,
  ProviderFailure,
} from './identity-provider.ts';

type Library = typeof import('openid-client');
type Configuration = import('openid-client').Configuration;

export interface OpenIdProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly displayName: string;
  /** For each request to the provider. Default 5 s. */
  readonly timeoutSeconds?: number;
}

interface Connection {
  readonly library: Library;
  readonly configuration: Configuration;
}

/** No request is sent before somebody wants to sign in. */
export const createOpenIdProvider = (options: OpenIdProviderOptions): IdentityProvider => {
  const connect = remembered(() => discover(options));
  return {
    displayName: options.displayName,
    authorizationUrl: async (attempt, redirectUri) => {
      const connection = await withFailures(connect);
      return authorizationUrl(connection, attempt, redirectUri);
    },
    identify: (query, attempt, redirectUri) =>
      withFailures(async () => identify(await connect(), query, attempt, redirectUri)),
  };
};

const discover = async ({ issuer, clientId, clientSecret, timeoutSeconds = 5 }: OpenIdProviderOptions) => {
  const library = await import('openid-client');
  const execute = [library.enableNonRepudiationChecks];
  if (issuer.startsWith('http:')) execute.push(library.allowInsecureRequests);
  const configuration = await library.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: timeoutSeconds,
    execute,
  });
  return { library, configuration };
};

/** Keeps what was found; a failure is forgotten, so that the next caller tries again. */
const remembered = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let known: Promise<T> | null = null;
  return () => {
    known ??= work().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
};

const authorizationUrl = async (
  { library, configuration }: Connection,
  { state, nonce, codeVerifier }: ProviderAttempt,
  redirectUri: string,
): Promise<string> => {
  const challenge = await library.calculatePKCECodeChallenge(codeVerifier);
  return library.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).href;
};

const identify = async (
  { library, configuration }: Connection,
  query: string,
  { state, nonce, codeVerifier }: ProviderAttempt,
  redirectUri: string,
): Promise<ProvidedIdentity> => {
  const answer = new URL(redirectUri);
  answer.search = query;
  const tokens = await library.authorizationCodeGrant(configuration, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new ProviderFailure('refused', 'no id_token');
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: textOf(claims['email']),
    isEmailVerified: claims['email_verified'] === true,
    name: textOf(claims['name']),
  };
};

const textOf = (claim: unknown): string | null => (typeof claim === 'string' ? claim : null);

const withFailures = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProviderFailure ? error : new ProviderFailure('refused', 'unclassified', { cause: error });
  }
};
