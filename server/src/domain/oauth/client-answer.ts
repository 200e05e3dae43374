/** The answers of the authorization endpoint to a client (RFC 6749, sections 4.1.2 and 4.1.2.1; RFC 9207). */
import type { OAuthRefusal } from './oauth-refusal.ts';

export interface ReturnAddress {
  readonly clientId: string;
  /** One that the client registered. */
  readonly redirectUri: string;
  readonly state: string | null;
}

/** An authorization code, raw, or why there is none. */
export type ClientAnswer = ReturnAddress & ({ readonly code: string } | { readonly refusal: OAuthRefusal });

/**
 * The address that carries an answer. The registered text stays as it is, its query included; parameters are added
 * behind it, as section 3.1.2 asks.
 * @param issuer without a slash at its end
 */
export const locationOf = (answer: ClientAnswer, issuer: string): string => {
  const { redirectUri, state } = answer;
  const parameters = new URLSearchParams(
    'code' in answer
      ? { code: answer.code }
      : { error: answer.refusal.error, error_description: answer.refusal.message },
  );
  if (state !== null) parameters.set('state', state);
  parameters.set('iss', issuer);
  return `${redirectUri}${separatorAfter(redirectUri)}${parameters}`;
};

const separatorAfter = (uri: string): string => {
  if (!uri.includes('?')) return '?';
  return uri.endsWith('?') || uri.endsWith('&') ? '' : '&';
};
