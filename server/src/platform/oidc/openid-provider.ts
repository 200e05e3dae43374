/**
 * The external provider as an OpenID Connect issuer (GOOGLE_ISSUER, GOOGLE_CLIENT_ID): discovery, code flow with PKCE,
 * state and nonce, and the validation of every answer. The only module with the library, loaded at the first sign-in.
 */
import type { Configuration, IDToken, ServerMetadata } from 'openid-client';
import { externalRefusal } from '../../kernel/errors.ts';
import { cachedAsync } from '../caches.ts';
import type { IdentityProvider, ProvidedIdentity, ProviderAttempt, ProviderPurpose } from './identity-provider.ts';
import { ClientAuthentication, fetchFromIssuer, providerRefusalOf } from './openid-requests.ts';

type Library = typeof import('openid-client');

export interface OpenIdProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly displayName: string;
  /** The database's time, by which tokens are validated; rejects as the database does. */
  readonly now: () => Promise<Date>;
  /** Timeout of each request to the provider. Default 5 s. */
  readonly timeoutSeconds?: number;
  /** How long metadata is cached. Default an hour. */
  readonly metadataSeconds?: number;
}

interface Connection {
  readonly library: Library;
  readonly authentication: ClientAuthentication;
  readonly configuration: Configuration;
  /** How far the database's clock is ahead of this process's, in whole seconds. */
  readonly skewSeconds: number;
}

const clockToleranceSeconds = 30;
/** The library takes one skew per configuration: how far it may change before a new configuration is created. */
const maxSkewMovement = 5;
const retryMilliseconds = 60_000;

/** Creates the provider; no request is sent before the first sign-in. */
export const createOpenIdProvider = (options: OpenIdProviderOptions): IdentityProvider => {
  const connector = createConnector(options);
  return {
    displayName: options.displayName,
    authorizationUrl: async (attempt, redirectUri, purpose) => {
      const connect = await connector();
      return withFailures(async () => authorizationUrl(await connect(), attempt, redirectUri, purpose));
    },
    identify: async (query, attempt, redirectUri) => {
      const connect = await connector();
      return withFailures(async () => identify(await connect(), query, attempt, redirectUri));
    },
  };
};

/** Checks the clock skew at each call, and reconnects when it has changed too much. */
const createConnector = (options: OpenIdProviderOptions): (() => Promise<() => Promise<Connection>>) => {
  const freshness = { milliseconds: (options.metadataSeconds ?? 3600) * 1000, retryMilliseconds };
  const authentication = new ClientAuthentication(options.clientSecret);
  const withSkew = (skewSeconds: number) => ({
    skewSeconds,
    connect: cachedAsync(() => discover(options, authentication, skewSeconds), freshness),
  });
  let kept = withSkew(0);
  return async () => {
    const skewSeconds = Math.round((await skewOf(options.now)) / 1000);
    if (Math.abs(skewSeconds - kept.skewSeconds) > maxSkewMovement) kept = withSkew(skewSeconds);
    return kept.connect;
  };
};

/** The least skew, in milliseconds, that explains the database's answer, which may be of any moment of the wait. */
const skewOf = async (now: OpenIdProviderOptions['now']): Promise<number> => {
  const before = Date.now();
  const there = (await now()).getTime();
  return Math.max(0, there - Date.now()) + Math.min(0, there - before);
};

const discover = async (
  options: OpenIdProviderOptions,
  authentication: ClientAuthentication,
  skewSeconds: number,
): Promise<Connection> => {
  const { issuer, clientId, clientSecret, timeoutSeconds = 5 } = options;
  const library = await import('openid-client');
  const execute = [library.enableNonRepudiationChecks];
  // oxlint-disable-next-line typescript/no-deprecated -- only to be conspicuous; production refuses such an issuer
  if (issuer.startsWith('http:')) execute.push(library.allowInsecureRequests);
  const clock = { [library.clockSkew]: skewSeconds, [library.clockTolerance]: clockToleranceSeconds };
  const metadata = { client_secret: clientSecret, ...clock };
  const configuration = await library.discovery(
    new URL(issuer),
    clientId,
    metadata,
    authentication.presentedBy(library),
    { timeout: timeoutSeconds, execute, [library.customFetch]: fetchFromIssuer },
  );
  requireUsableMetadata(configuration.serverMetadata());
  return { library, authentication, configuration, skewSeconds };
};

const authorizationUrl = async (
  { library, configuration }: Connection,
  { state, nonce, codeVerifier }: ProviderAttempt,
  redirectUri: string,
  purpose: ProviderPurpose,
): Promise<string> => {
  return library.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...parametersFor(purpose, configuration.serverMetadata()),
  }).href;
};

const identify = async (
  connection: Connection,
  query: string,
  { state, nonce, codeVerifier }: ProviderAttempt,
  redirectUri: string,
): Promise<ProvidedIdentity> => {
  const { library, authentication, configuration } = connection;
  const answer = new URL(redirectUri);
  answer.search = query;
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true };
  const tokens = await authentication.proving(configuration.serverMetadata(), () =>
    library.authorizationCodeGrant(configuration, answer, checks),
  );
  const claims = tokens.claims();
  if (claims === undefined) throw externalRefusal('PROVIDER_REFUSED', 'no_id_token');
  requireUsable(claims, Date.now() / 1000 + connection.skewSeconds);
  return identityOf(claims, await personOf(connection, claims, tokens.access_token));
};

/** OpenID Connect Core 1.0, section 2: at most 255 ASCII characters. */
const subjectShape = /^[\u0020-\u007e]{1,255}$/;

/** Checks that the library leaves to its caller (OpenID Connect Core 1.0, section 3.1.3.7, point 10). */
const requireUsable = ({ sub, iat }: IDToken, nowSeconds: number): void => {
  if (!subjectShape.test(sub)) throw externalRefusal('PROVIDER_REFUSED', 'subject_unusable');
  if (iat > nowSeconds + clockToleranceSeconds) throw externalRefusal('PROVIDER_REFUSED', 'issued_in_the_future');
};

type Claims = Readonly<Record<string, unknown>>;

/**
 * The claims about the person: in the id_token, and those that it lacks at the UserInfo endpoint (OpenID Connect Core
 * 1.0, section 5.4). The library checks that both have the same subject.
 */
const personOf = async (
  { library, configuration }: Connection,
  claims: IDToken,
  accessToken: string,
): Promise<Claims> => {
  const hasAddress = isGiven(claims['email']) && isGiven(claims['email_verified']);
  const isComplete = hasAddress && nameOf(claims) !== null;
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  try {
    return withUserInfo(claims, await library.fetchUserInfo(configuration, accessToken, claims.sub));
  } catch (error) {
    // Without a name, the account is named after its address.
    if (hasAddress) return claims;
    throw error;
  }
};

const isGiven = (claim: unknown): boolean => typeof claim === 'boolean' || textOf(claim) !== null;

const given = (claims: Claims): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([, claim]) => isGiven(claim)));

/**
 * What is said about an address holds for no other: each source speaks of its own, and may complete the other's where
 * both name one. Compared as written: an issuer may tell letter case.
 */
const withUserInfo = (claims: Claims, info: Claims): Claims => {
  const together = { ...info, ...given(claims) };
  if (textOf(claims['email']) !== null && claims['email'] === info['email']) return together;
  const isOfToken =
    textOf(claims['email']) !== null && (isGiven(claims['email_verified']) || textOf(info['email']) === null);
  const { email, email_verified, hd } = isOfToken ? claims : info;
  return { ...together, email, email_verified, hd };
};

const identityOf = ({ iss, sub, auth_time: authTime }: IDToken, person: Claims): ProvidedIdentity => ({
  issuer: iss,
  subject: sub,
  email: textOf(person['email']),
  // Amazon, Apple and others send it as a string; it is signed by the same issuer either way.
  isEmailVerified: person['email_verified'] === true || person['email_verified'] === 'true',
  isEmailAuthoritative: isEmailAuthoritative(iss, person),
  name: nameOf(person),
  // The claims of the signed token alone count.
  authenticatedAt: typeof authTime === 'number' && Number.isFinite(authTime) ? authTime : null,
});

/**
 * Google is authoritative for its own mail and the domains it hosts; at any other address it sent a mail once. Any
 * other issuer was chosen by the operator for its users.
 * @see https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 * @internal A test covers the cases that no request reaches.
 */
export const isEmailAuthoritative = (issuer: string, person: Claims): boolean =>
  issuer !== 'https://accounts.google.com' ||
  textOf(person['hd']) !== null ||
  /@(?:gmail|googlemail)\.com$/i.test((textOf(person['email']) ?? '').trim());

const nameOf = (person: Claims): string | null => {
  const whole = textOf(person['name']);
  if (whole !== null) return whole;
  const parts = [textOf(person['given_name']), textOf(person['family_name'])].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' ');
};

const textOf = (claim: unknown): string | null => (typeof claim === 'string' && claim.trim() !== '' ? claim : null);

const withFailures = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw providerRefusalOf(error);
  }
};

// The issuer metadata that sign-in depends on (OpenID Connect Discovery 1.0, section 3).

const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/**
 * Before it is cached: it would be kept after the issuer has fixed it. @throws Refusal PROVIDER_REFUSED
 * @internal A test covers the cases that no request reaches.
 */
export const requireUsableMetadata = (metadata: Readonly<ServerMetadata>): void => {
  for (const name of endpoints) {
    if (!isEndpoint(metadata[name], metadata.issuer)) throw externalRefusal('PROVIDER_REFUSED', `no_${name}`);
  }
  if (!signsUsably(metadata)) throw externalRefusal('PROVIDER_REFUSED', 'no_id_token_signing_alg');
};

/** An https issuer must have https endpoints; an http issuer is for development. */
const isEndpoint = (value: unknown, issuer: string): boolean => {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'));
};

/** Whether the issuer signs with a public key; the default when none is listed is RS256. */
const signsUsably = (metadata: Readonly<ServerMetadata>): boolean => {
  const listed: unknown = metadata.id_token_signing_alg_values_supported;
  if (listed === undefined) return true;
  return Array.isArray(listed) && listed.some((algorithm) => /^(?:RS|PS|ES|Ed|ML)/.test(String(algorithm)));
};

/**
 * For a reauthentication the issuer must ask the person and say when they authenticated (OpenID Connect Core 1.0,
 * section 3.1.2.1); one that supports requests for claims is asked for that too.
 */
const parametersFor = (purpose: ProviderPurpose, metadata: Readonly<ServerMetadata>): Record<string, string> => {
  if (purpose === 'reauthenticate') {
    const claims = metadata['claims_parameter_supported'] === true ? { claims: essentialAuthTime } : {};
    return { prompt: 'login', max_age: '0', ...claims };
  }
  const prompt = purpose === 'link' ? promptOf(metadata) : undefined;
  return prompt === undefined ? {} : { prompt };
};

const essentialAuthTime = JSON.stringify({ id_token: { auth_time: { essential: true } } });

/**
 * The `prompt` value for asking the person, so that no identity is linked silently. Issuers list the values they
 * support (Initiating User Registration via OpenID Connect 1.0, section 4.1.1) and may refuse others; Google lists
 * none, and supports this one.
 * @internal A test covers the cases that no request reaches.
 */
export const promptOf = (metadata: Readonly<ServerMetadata>): string | undefined => {
  const listed: unknown = metadata['prompt_values_supported'];
  if (!Array.isArray(listed)) return metadata.issuer === 'https://accounts.google.com' ? 'select_account' : undefined;
  return ['select_account', 'consent', 'login'].find((prompt) => listed.includes(prompt));
};
