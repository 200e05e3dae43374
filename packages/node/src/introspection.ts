/** Asks `POST /auth/introspect` what access tokens grant at a resource (RFC 7662). */
import { exchange, type Service } from './ask-identity.ts';
import { unavailable } from './refusal.ts';
import type { Introspection } from './types.ts';

/** A resource of the application, and its secret: RESOURCE_SECRET_NAME of the service. */
export interface ResourceCredentials {
  readonly name: string;
  readonly secret: string;
}

const maxTokens = 100;

/**
 * @param tokens at most 100
 * @param clientIp the address of the client that presented them, where it is known
 * @returns one answer for each token, in order
 * @throws Refusal UNAVAILABLE when the service does not answer: nothing is known of the tokens
 * @throws TypeError for more tokens; Error when the service does not accept the name and the secret of the resource
 */
export const introspectTokens = async (
  { baseUrl, timeoutMilliseconds }: Service,
  resource: ResourceCredentials,
  tokens: readonly string[],
  clientIp?: string | null,
): Promise<readonly Introspection[]> => {
  if (tokens.length > maxTokens) throw new TypeError(`At most ${maxTokens} tokens can be asked about at once.`);
  const { status, body } = await exchange(`${baseUrl}/auth/introspect`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${inBase64(`${resource.name}:${resource.secret}`)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(clientIp === undefined || clientIp === null ? { tokens } : { tokens, client_ip: clientIp }),
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  if (status === 200 && isListOf(body, tokens.length)) return body;
  if (status === 401)
    throw new Error(`Gatehouse does not accept the name or the secret of the resource ${resource.name}.`);
  throw unavailable(`${baseUrl}/auth/introspect answered ${status}`);
};

const isListOf = (body: unknown, length: number): body is readonly Introspection[] =>
  Array.isArray(body) && body.length === length && body.every(isIntrospection);

const isIntrospection = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || !('active' in value)) return false;
  if (value.active === false) return true;
  const isWhole = 'sub' in value && 'scope' in value && 'aud' in value && typeof value.scope === 'string';
  return value.active === true && isWhole;
};

const inBase64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
