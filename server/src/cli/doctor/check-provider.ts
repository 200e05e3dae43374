/** Doctor check of external sign-in: the provider's metadata, its redirect URI, and the way back with cookies. */
import type { Config, ExternalProviderConfig } from '../../config/config.ts';
import { present } from '../../kernel/collections.ts';
import { type Finding, findingsOn } from './findings.ts';
import { describe, jsonOf, probe, propertyOf, redirectOf, shownAddress } from './probe.ts';

const { ok, warning, error } = findingsOn('provider');

const callbackPath = '/auth/google/callback';

/** Findings from the provider's metadata, and from the configuration alone. */
export const checkProvider = async (config: Config): Promise<Finding[]> => {
  const { externalProvider: provider, frontendUrl } = config;
  if (provider === null) return [ok(absence(config))];
  return [
    await metadataFinding(provider),
    ok(`${provider.displayName} must have exactly this redirect URI registered: ${frontendUrl}${callbackPath}.`),
    ...hostFindings(config, provider),
  ];
};

const absence = ({ mode }: Config): string =>
  mode === 'development'
    ? 'GOOGLE_CLIENT_ID is not set: in development, a demo provider on the loopback replaces Google.'
    : 'GOOGLE_CLIENT_ID is not set: people sign in with a password or a passkey.';

/** OpenID Connect Discovery, section 4. */
const metadataFinding = async ({ issuer, displayName }: ExternalProviderConfig): Promise<Finding> => {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await probe(address);
  if (answer.kind === 'unanswered')
    return error(
      `${displayName} cannot be reached: ${address} got no response (${answer.code}). Sign-in with it fails.`,
      'Allow this machine to resolve its name and to connect by https, or correct GOOGLE_ISSUER.',
    );
  const metadata = answer.status === 200 ? jsonOf(answer) : undefined;
  if (metadata === undefined)
    return error(
      `${address} answers ${describe(answer, address)}, not the metadata of an issuer. Sign-in with it fails.`,
      'Set GOOGLE_ISSUER to the issuer as the provider names it, without /.well-known/openid-configuration.',
    );
  return metadataFault(metadata, issuer) ?? ok(`${displayName} answers, and its issuer is GOOGLE_ISSUER.`);
};

const metadataFault = (metadata: unknown, issuer: string): Finding | null => {
  const named = propertyOf(metadata, 'issuer');
  if (named !== issuer)
    return error(
      `The metadata at GOOGLE_ISSUER is that of another issuer, ${shownIssuer(named)}, so sign-in with it is refused.`,
      'Set GOOGLE_ISSUER to exactly the issuer in that metadata, with or without a slash at its end.',
    );
  const lacking = present(
    lists(metadata, 'response_types_supported', 'code') !== true && 'response_type code',
    lists(metadata, 'code_challenge_methods_supported', 'S256') === false && 'PKCE with S256',
  );
  if (lacking.length > 0)
    return error(
      `The identity provider does not support ${lacking.join(' and ')}, so sign-in with it fails.`,
      'Enable it at the identity provider, or use another one.',
    );
  return null;
};

/** Compares as text, because a trailing slash is a difference; a value that is not a URL is not shown. */
const shownIssuer = (named: unknown): string => {
  const shown = shownAddress(named);
  return typeof named === 'string' && named === `${shown}/` ? named : shown;
};

/** Null when the metadata does not list the property, which is optional. */
const lists = (metadata: unknown, name: string, wanted: string): boolean | null => {
  const listed = propertyOf(metadata, name);
  return Array.isArray(listed) ? listed.includes(wanted) : null;
};

/** The callback is at FRONTEND_URL, and the cookies set there are read at BASE_URL. */
const hostFindings = (config: Config, { displayName }: ExternalProviderConfig): Finding[] => {
  const { baseUrl, frontendUrl, authCookieDomain, sessionCookieDomain } = config;
  if (new URL(baseUrl).hostname === new URL(frontendUrl).hostname) return [];
  return present(
    authCookieDomain === undefined &&
      error(
        `BASE_URL and FRONTEND_URL are two hosts and AUTH_COOKIE_DOMAIN is not set: after ${displayName} a browser returns to one host, and does not send its cookies to the other, so sign-in fails.`,
        'Set AUTH_COOKIE_DOMAIN to the parent domain of both.',
      ),
    sessionCookieDomain === undefined &&
      warning(
        'BASE_URL and FRONTEND_URL are two hosts and SESSION_COOKIE_DOMAIN is not set: a sign-in that begins at BASE_URL/auth/google is unknown when the browser returns to FRONTEND_URL.',
        'Set SESSION_COOKIE_DOMAIN to the parent domain of both, or begin only at FRONTEND_URL, as the portal does.',
      ),
  );
};

/** Checks, for a reachable service, whether FRONTEND_URL forwards the callback to it. */
export const checkCallbackRoute = async ({ externalProvider, baseUrl, frontendUrl }: Config): Promise<Finding[]> => {
  if (externalProvider === null) return [];
  const address = `${frontendUrl}${callbackPath}`;
  const answer = await probe(address);
  if (answer.kind === 'answered' && redirectOf(answer, address) === `${frontendUrl}/signin`)
    return [ok('FRONTEND_URL passes the callback of the identity provider to the service.')];
  return [
    error(
      `GET ${address} answers ${describe(answer, address)}: the callback of the identity provider does not reach the service.`,
      baseUrl === frontendUrl
        ? 'Configure the proxy to pass /auth to the service, and run the service with the GOOGLE_ variables that this command sees.'
        : 'Configure the server of FRONTEND_URL to pass every path below /auth to the service, with its cookies, before any rule for the pages of the portal.',
    ),
  ];
};
