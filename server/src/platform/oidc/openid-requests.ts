/**
 * Owns requests to an OpenID Connect issuer: bounded, never redirected, with the client authentication that the
 * registration requires (RFC 6749, section 2.3.1; GOOGLE_CLIENT_SECRET), and failures as a closed list of reasons.
 */
import type { ClientAuth, CustomFetch, FetchBody, ServerMetadata } from 'openid-client';
import { externalRefusal, Refusal } from '../../kernel/errors.ts';

// A network failure, or an issuer that cannot answer now, is `unavailable`; what it answers is validated elsewhere.

/** Metadata, keys and tokens are a few kilobytes. */
const maxBytes = 1024 * 1024;

/** The library sets the deadline. @throws Refusal PROVIDER_UNAVAILABLE; PROVIDER_REFUSED: the answer is too large */
export const fetchFromIssuer: CustomFetch = async (url, { body, headers, method, signal = null }) => {
  const request: RequestInit = { method, headers, body: formOf(body), signal, redirect: 'manual' };
  const response = await onWire(() => fetch(url, request));
  if (isPassing(response.status)) {
    await response.body?.cancel();
    throw externalRefusal('PROVIDER_UNAVAILABLE', `http_${response.status}`);
  }
  const bytes = await readBounded(response);
  const { status } = response;
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers: response.headers });
};

/** Token requests have a form body; no other request has a body. */
const formOf = (body: FetchBody): URLSearchParams | null => {
  if (body === null || body === undefined) return null;
  if (body instanceof URLSearchParams) return body;
  throw new TypeError('Only forms are sent to an issuer');
};

/** Whether a status is temporary: RFC 9110, sections 15.5.9 and 15.6; RFC 6585, section 4. */
const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 429;

const readBounded = async (response: Response): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let total = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const next = await onWire(async () => reader?.read());
    if (next?.value === undefined) return new Uint8Array(Buffer.concat(chunks));
    total += next.value.byteLength;
    if (total > maxBytes) {
      await reader?.cancel();
      throw externalRefusal('PROVIDER_REFUSED', 'answer_too_large');
    }
    chunks.push(next.value);
  }
};

const onWire = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    throw externalRefusal('PROVIDER_UNAVAILABLE', reasonOf(cause), { cause });
  }
};

/** Node's code of a refused connection or a certificate error is on the cause; its message would contain addresses. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unreachable';
  if (error.name === 'TimeoutError') return 'timeout';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : 'unreachable';
};

// Client authentication at the token endpoint (RFC 6749, section 2.3.1): the secret in the body, or in the header. Some
// issuers bind each client to the method of its registration, which no metadata shows. So when the client is refused,
// the other method is tried, and the one that worked is kept.

type Library = Pick<typeof import('openid-client'), 'ClientSecretBasic' | 'ClientSecretPost'>;
type Way = 'client_secret_post' | 'client_secret_basic';

const ways: readonly Way[] = ['client_secret_post', 'client_secret_basic'];

export class ClientAuthentication {
  readonly #secret: string;
  /** The method tried last; null before the first refusal. */
  #way: Way | null = null;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Client authentication for the library, called for each request. */
  presentedBy(library: Library): ClientAuth {
    const [inBody, inHeader] = [library.ClientSecretPost(this.#secret), library.ClientSecretBasic(this.#secret)];
    return (server, client, body, headers) =>
      (this.#wayAt(server) === 'client_secret_post' ? inBody : inHeader)(server, client, body, headers);
  }

  /**
   * Repeats the work with the other method when the issuer supports both and rejected the client, which it does before
   * it checks the authorization code.
   */
  async proving<T>(server: Readonly<ServerMetadata>, work: () => Promise<T>): Promise<T> {
    const first = this.#wayAt(server);
    try {
      return await work();
    } catch (error) {
      const other = waysOf(server).find((way) => way !== first);
      if (other === undefined || !isUnknownClient(error)) throw error;
      this.#way = other;
      return work();
    }
  }

  /** The body when both are supported: issuers disagree on the encoding of a secret in the header. */
  #wayAt(server: Readonly<ServerMetadata>): Way {
    const possible = waysOf(server);
    return possible.find((way) => way === this.#way) ?? possible[0] ?? 'client_secret_basic';
  }
}

/** Without a list, the header is the default (RFC 8414, section 2). */
const waysOf = ({ token_endpoint_auth_methods_supported: listed = [] }: Readonly<ServerMetadata>): readonly Way[] =>
  ways.filter((way) => listed.includes(way));

/** RFC 6749, section 5.2; with a challenge when the header was used. */
const isUnknownClient = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  const said: unknown = Reflect.get(error, 'error');
  const isRefusal = code === 'OAUTH_RESPONSE_BODY_ERROR' && said === 'invalid_client';
  return isRefusal || code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE';
};

/** By the error's stable code. Any other is about an answer of the provider: even a TypeError is an invalid shape. */
export const providerRefusalOf = (error: unknown): Refusal => {
  const onWire = refusalWithin(error);
  if (onWire !== null) return onWire;
  const code = textOn(error, 'code');
  const answered = code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' || code === 'OAUTH_RESPONSE_BODY_ERROR';
  const said = answered ? knownError(textOn(error, 'error')) : null;
  const isCancelled = code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' && said === 'access_denied';
  const detail = said ?? code ?? 'unclassified';
  return externalRefusal(isCancelled ? 'PROVIDER_CANCELLED' : 'PROVIDER_REFUSED', detail, { cause: error });
};

/** The library wraps errors of {@link fetchFromIssuer}. */
const refusalWithin = (error: unknown): Refusal | null => {
  if (error instanceof Refusal) return error;
  return error instanceof Error && error.cause !== undefined ? refusalWithin(error.cause) : null;
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

/** Any other text may be attacker-controlled and is not logged. */
const knownError = (error: string | null): string | null => (error !== null && errors.has(error) ? error : null);
