/** One HTTP request as a client would send it: answered within five seconds, or a reason why not. */

export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Unanswered {
  readonly kind: 'unanswered';
  /** `tls`: there is somebody, but the connection could not be made safe. */
  readonly cause: 'nobody' | 'slow' | 'tls';
  /** The code of the error, such as ECONNREFUSED. */
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
  return { kind: 'unanswered', cause: tlsCode.test(code) ? 'tls' : 'nobody', code };
};

/** A property of what is perhaps an object. */
export const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;

/** The JSON of an answer; undefined when it is none. */
export const jsonOf = ({ headers, text }: Answered): unknown => {
  if (!/^application\/([a-z.-]+\+)?json\b/i.test(headers.get('content-type') ?? '')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const isHtml = ({ headers }: Answered): boolean => /^text\/html\b/i.test(headers.get('content-type') ?? '');

/** What somebody else sent where an address belongs, fit to be shown: without query, credentials and control characters. */
export const shownAddress = (value: unknown): string => {
  if (typeof value !== 'string' || !URL.canParse(value)) return 'no address';
  const { protocol, host, pathname } = new URL(value);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`.slice(0, 200);
};

/** Where a redirect leads, fit to be shown; null for an answer that is none. */
export const redirectOf = ({ status, headers }: Answered, asked: string): string | null => {
  const location = headers.get('location');
  if (status < 300 || status > 399 || location === null) return null;
  return URL.canParse(location, asked) ? shownAddress(new URL(location, asked).href) : 'no address';
};

/** What an answer is, in a few words. */
export const describe = (answer: Answered, asked: string): string => {
  const redirect = redirectOf(answer, asked);
  if (redirect !== null) return `${answer.status}, a redirect to ${redirect}`;
  return `${answer.status}${isHtml(answer) ? ' with a page of HTML' : ''}`;
};
