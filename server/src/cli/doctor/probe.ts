/** One HTTP request as from a client: a response within five seconds, or the reason for its absence. */
import { parseJson } from '../../kernel/attempts.ts';

export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Unanswered {
  readonly kind: 'unanswered';
  /** `tls`: the host answered, but the TLS handshake failed. */
  readonly cause: 'unreachable' | 'slow' | 'tls';
  /** The error code, such as ECONNREFUSED. */
  readonly code: string;
}

const timeoutMilliseconds = 5000;
const userAgent = 'gatehouse-doctor';

/** Sends one request; redirects are not followed. */
export const probe = async (
  url: string,
  { headers = {}, ...request }: { readonly method?: string; readonly body?: string; readonly headers?: object } = {},
): Promise<Answered | Unanswered> => {
  try {
    const response = await fetch(url, {
      ...request,
      headers: { 'user-agent': userAgent, ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    const { status, headers: answered } = response;
    return { kind: 'answered', status, headers: answered, text: await response.text() };
  } catch (error) {
    return unanswered(error);
  }
};

const tlsCode =
  /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS|ERR_SSL|EPROTO$|INVALID_CA|PATH_LENGTH)/;

const unanswered = (error: unknown): Unanswered => {
  if (error instanceof Error && error.name === 'TimeoutError')
    return { kind: 'unanswered', cause: 'slow', code: 'no answer within five seconds' };
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  return { kind: 'unanswered', cause: tlsCode.test(code) ? 'tls' : 'unreachable', code };
};

/** Reads a property of a value that may not be an object. */
export const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;

/** The JSON of a response; undefined when it is not JSON. */
export const jsonOf = ({ headers, text }: Answered): unknown =>
  /^application\/([a-z.-]+\+)?json\b/i.test(headers.get('content-type') ?? '') ? parseJson(text) : undefined;

export const isHtml = ({ headers }: Answered): boolean => /^text\/html\b/i.test(headers.get('content-type') ?? '');

/** Sanitizes a received URL for display: without query, credentials and control characters. */
export const shownAddress = (value: unknown): string => {
  if (typeof value !== 'string' || !URL.canParse(value)) return 'no address';
  const { protocol, host, pathname } = new URL(value);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`.slice(0, 200);
};

/** The sanitized target of a redirect; null when the response is not one. */
export const redirectOf = ({ status, headers }: Answered, asked: string): string | null => {
  const location = headers.get('location');
  if (status < 300 || status > 399 || location === null) return null;
  return URL.canParse(location, asked) ? shownAddress(new URL(location, asked).href) : 'no address';
};

/** A short description of a response, or of its absence. */
export const describe = (answer: Answered | Unanswered, asked: string): string => {
  if (answer.kind === 'unanswered') return `nothing (${answer.code})`;
  const redirect = redirectOf(answer, asked);
  if (redirect !== null) return `${answer.status}, a redirect to ${redirect}`;
  return `${answer.status}${isHtml(answer) ? ' with a page of HTML' : ''}`;
};
