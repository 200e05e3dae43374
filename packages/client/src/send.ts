/**
 * One GraphQL operation over HTTP: the request, and the response as data or a {@link Refusal}. The cookies carry the
 * tokens and are invisible here.
 */
import { Refusal } from './refusal.ts';
import type { Send } from './types.ts';

/**
 * Any other text in Accept-Language would need a preflight, or be refused by `fetch` (Fetch, "CORS-safelisted
 * request-header").
 */
const tagPattern = /^[a-z\d-]+$/i;

/** Browsers limit the body of a keepalive request to 64 KiB; the mutations that matter are far smaller. */
const maxKeepaliveLength = 10_000;

/**
 * Longer than a busy service takes: a client that stops listening loses the answer, and with it the cookies of a
 * sign-in. Also bounds how long a tab can hold the lock.
 */
const timeoutMilliseconds = 30_000;

/**
 * @param endpoint URL of the service's GraphQL
 * @param language BCP 47 tag of the language that the page shows, for the mails that a request causes; undefined for
 *   the languages of the browser
 */
export const createSend = (
  endpoint: string,
  fetch: typeof globalThis.fetch,
  language: (() => string | undefined) | undefined,
): Send => {
  const post = async (query: string, variables: unknown): Promise<Response> => {
    const body = JSON.stringify({ query, variables });
    const tag = language?.() ?? '';
    try {
      return await fetch(endpoint, {
        method: 'POST',
        credentials: 'include',
        headers: {
          accept: 'application/graphql-response+json',
          'content-type': 'application/json',
          ...(tagPattern.test(tag) && { 'accept-language': tag }),
        },
        body,
        // A mutation outlives its page: losing the answer of a rotation would lose the session.
        keepalive: /^\s*mutation/.test(query) && body.length < maxKeepaliveLength,
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
    } catch (cause) {
      throw new Refusal('OFFLINE', 'No answer.', { cause });
    }
  };
  return async (document, ...[variables = {}]) => {
    const response = await post(document.toString(), variables);
    return readAnswer(response, await readJson(response));
  };
};

/** The body; undefined when it is no JSON, or is cut off. */
export const readJson = (response: Response): Promise<unknown> => response.json().catch(() => undefined);

const readAnswer = <Result>(response: Response, answer: unknown): Result => {
  const error = firstError(answer);
  if (error) throw refusalOf(response, error);
  const data = member(answer, 'data');
  // From a proxy, or a service that is starting or stopping.
  if (!response.ok || !data) throw refusalOf(response);
  // The service validates every answer against the schema that Result is generated from.
  return data as Result;
};

/** The first error of a GraphQL answer, or the one of a back end's `{ "error": { "code" } }`. */
export const firstError = (answer: unknown): unknown => {
  const errors = member(answer, 'errors');
  return Array.isArray(errors) ? errors[0] : member(answer, 'error');
};

/** The code of an error in either form. */
export const codeOf = (error: unknown): unknown => member(member(error, 'extensions') ?? error, 'code');

const refusalOf = ({ status, headers }: Response, error?: unknown): Refusal => {
  const extensions = (member(error, 'extensions') ?? {}) as Readonly<Record<string, unknown>>;
  return new Refusal(
    text(codeOf(error)) ?? codeOfStatus(status),
    text(member(error, 'message')) ?? `Status ${status}.`,
    {
      extensions,
      // Texts in every answer of the service.
      fields: (member(extensions, 'fields') ?? {}) as Readonly<Record<string, string>>,
      correlationId: text(member(extensions, 'correlationId')) ?? text(headers.get('x-correlation-id')),
      retryAfterSeconds: seconds(member(extensions, 'retryAfterSeconds') ?? headers.get('retry-after')),
    },
  );
};

const codeOfStatus = (status: number): string => {
  if (status === 429) return 'RATE_LIMITED';
  return status > 501 && status < 505 ? 'UNAVAILABLE' : 'UNREADABLE';
};

/** A member of what may be an object; a primitive value has none of these names. */
const member = (value: unknown, name: string): unknown =>
  (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];

const text = (candidate: unknown): string | undefined => (typeof candidate === 'string' && candidate) || undefined;

const seconds = (candidate: unknown): number | undefined => {
  const count = Math.ceil(Number(candidate ?? undefined));
  return count >= 0 ? count : undefined;
};
