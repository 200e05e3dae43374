/**
 * The requests to an OpenID Connect issuer: bounded, and never sent on to another address. What fails on the way, and an
 * issuer that says it cannot answer now, is a provider that is not there; what an answer says is judged elsewhere.
 */
import type { CustomFetch, FetchBody } from 'openid-client';
import { ProviderFailure } from './identity-provider.ts';

/** Metadata, keys and tokens are a few kilobytes. */
const mostBytes = 1024 * 1024;

/**
 * For the library, which sets the deadline.
 * @throws ProviderFailure `unavailable`, or `refused` when the answer is too large
 */
export const fetchFromIssuer: CustomFetch = async (url, { body, headers, method, signal = null }) => {
  const form = formOf(body);
  const response = await onWire(() => fetch(url, { body: form, headers, method, signal, redirect: 'manual' }));
  if (isPassing(response.status)) {
    await response.body?.cancel();
    throw new ProviderFailure('unavailable', `http_${response.status}`);
  }
  const bytes = await readBounded(response);
  const { status } = response;
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers: response.headers });
};

/** Tokens are asked for by a form; nothing else has a body. */
const formOf = (body: FetchBody): URLSearchParams | null => {
  if (body === null || body === undefined) return null;
  if (body instanceof URLSearchParams) return body;
  throw new TypeError('Only forms are sent to an issuer');
};

/** RFC 9110, sections 15.5.9 and 15.6; RFC 6585, section 4. */
const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 429;

const readBounded = async (response: Response): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let total = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const next = await onWire(async () => reader?.read());
    if (next?.value === undefined) return new Uint8Array(Buffer.concat(chunks));
    total += next.value.byteLength;
    if (total > mostBytes) {
      await reader?.cancel();
      throw new ProviderFailure('refused', 'answer_too_large');
    }
    chunks.push(next.value);
  }
};

const onWire = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    throw new ProviderFailure('unavailable', reasonOf(cause), { cause });
  }
};

/** Node's code of a refused connection or a certificate stands on the cause; its own words would name addresses. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unreachable';
  if (error.name === 'TimeoutError') return 'timeout';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : 'unreachable';
};
