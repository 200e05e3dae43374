/** What an issuer says of itself, as far as sign-in depends on it (OpenID Connect Discovery 1.0, section 3). */
import type { ServerMetadata } from 'openid-client';
import { ProviderFailure } from './identity-provider.ts';

const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/**
 * Looked at before the metadata is kept: what cannot be used would otherwise be kept until its time is over, long after
 * the issuer has mended it.
 * @throws ProviderFailure
 */
export const requireUsableMetadata = (metadata: Readonly<ServerMetadata>): void => {
  for (const name of endpoints) {
    if (!isEndpoint(metadata[name], metadata.issuer)) throw new ProviderFailure('refused', `no_${name}`);
  }
  if (!signsUsably(metadata)) throw new ProviderFailure('refused', 'no_id_token_signing_alg');
};

/** An issuer by https has no endpoint without it; one by http is for development. */
const isEndpoint = (value: unknown, issuer: string): boolean => {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'));
};

/** With a public key; whoever lists nothing signs by RS256. */
const signsUsably = (metadata: Readonly<ServerMetadata>): boolean => {
  const listed: unknown = metadata.id_token_signing_alg_values_supported;
  if (listed === undefined) return true;
  return Array.isArray(listed) && listed.some((algorithm) => /^(?:RS|PS|ES|Ed|ML)/.test(String(algorithm)));
};

/**
 * What an issuer calls asking the person, so that nobody is linked in silence to whoever happens to be signed in there.
 * Issuers list what they know (Initiating User Registration via OpenID Connect 1.0, section 4.1.1) and may refuse any
 * other; Google lists nothing, and knows this one.
 */
export const promptOf = (metadata: Readonly<ServerMetadata>): string | undefined => {
  const listed: unknown = metadata['prompt_values_supported'];
  if (!Array.isArray(listed)) return metadata.issuer === 'https://accounts.google.com' ? 'select_account' : undefined;
  return ['select_account', 'consent', 'login'].find((prompt) => listed.includes(prompt));
};
