/** What the library for OpenID Connect throws, told by its stable codes as reasons why a provider failed. */
import { ProviderFailure } from './identity-provider.ts';

/**
 * Whatever the library throws besides is about an answer of the provider: even a TypeError is one that met a shape which
 * no provider should send.
 */
export const providerFailureOf = (error: unknown): ProviderFailure => {
  const onWire = failureWithin(error);
  if (onWire !== null) return onWire;
  const code = textOn(error, 'code');
  const answered = code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' || code === 'OAUTH_RESPONSE_BODY_ERROR';
  const said = answered ? knownError(textOn(error, 'error')) : null;
  const reason = code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' && said === 'access_denied' ? 'cancelled' : 'refused';
  return new ProviderFailure(reason, said ?? code ?? 'unclassified', { cause: error });
};

/** The library wraps what `openid-wire.ts` throws. */
const failureWithin = (error: unknown): ProviderFailure | null => {
  if (error instanceof ProviderFailure) return error;
  return error instanceof Error && error.cause !== undefined ? failureWithin(error.cause) : null;
};

const textOn = (error: unknown, name: 'code' | 'error'): string | null => {
  if (!(error instanceof Error)) return null;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : null;
};

/** RFC 6749, sections 4.1.2.1 and 5.2; OpenID Connect Core 1.0, section 3.1.2.6. */
const errors = new Set([
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
]);

/** Any other text may be from anybody, and stays out of the log. */
const knownError = (error: string | null): string | null => (error !== null && errors.has(error) ? error : null);
