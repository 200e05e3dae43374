/**
 * One GraphQL operation over HTTP: the request, and the response as data or a {@link Refusal}.
 *
 * The cookies carry the credentials and are invisible here. This module knows nothing about sessions.
 */
import type { TypedDocumentString } from '../generated/graphql.ts';
import { Refusal } from './refusal.ts';

/** Sends one operation once. */
export type Send = <Result, Variables>(
  operation: TypedDocumentString<Result, Variables>,
  variables: Variables,
) => Promise<Result>;

interface TransportParts {
  readonly endpoint: string;
  readonly fetch: typeof globalThis.fetch;
  /** Timeout of a request; also bounds how long a tab can hold the refresh lock. */
  readonly timeoutMilliseconds?: number;
}

/** Browsers limit the body of a keepalive request to 64 KiB; the mutations that matter are far smaller. */
const maxKeepaliveLength = 16_000;

export const createTransport = ({ endpoint, fetch, timeoutMilliseconds = 15_000 }: TransportParts): Send => {
  const post = async (query: string, variables: unknown): Promise<Response> => {
    const body = JSON.stringify({ query, variables });
    try {
      return await fetch(endpoint, {
        method: 'POST',
        credentials: 'include',
        headers: { accept: 'application/graphql-response+json', 'content-type': 'application/json' },
        body,
        // A mutation outlives its page: losing the answer of a rotation would lose the session.
        keepalive: query.trimStart().startsWith('mutation') && body.length < maxKeepaliveLength,
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
    } catch (cause) {
      throw new Refusal('OFFLINE', 'The service could not be reached.', { cause });
    }
  };

  return async (operation, variables) => {
    const response = await post(operation.toString(), variables);
    return readAnswer(response, await readJson(response));
  };
};

const readJson = async (response: Response): Promise<unknown> => {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
};

const readAnswer = <Result>(response: Response, answer: unknown): Result => {
  const refusal = readRefusal(response, answer);
  if (refusal !== undefined) throw refusal;
  if (!isRecord(answer) || !isRecord(answer['data'])) throw unreadable(response);
  // The server validates every answer against the schema that Result is generated from.
  return answer['data'] as Result;
};

const readRefusal = (response: Response, answer: unknown): Refusal | undefined => {
  const first: unknown = isRecord(answer) && Array.isArray(answer['errors']) ? answer['errors'][0] : undefined;
  if (!isRecord(first)) return response.ok ? undefined : unreadable(response);
  const extensions = isRecord(first['extensions']) ? first['extensions'] : {};
  return new Refusal(
    text(extensions['code']) ?? codeOfStatus(response.status),
    text(first['message']) ?? 'The request was refused.',
    {
      fields: readFields(extensions['fields']),
      correlationId: text(extensions['correlationId']) ?? text(response.headers.get('x-correlation-id')),
      retryAfterSeconds: seconds(extensions['retryAfterSeconds']) ?? seconds(response.headers.get('retry-after')),
    },
  );
};

/** A response without a GraphQL body: from a proxy, or a service that is starting or stopping. */
const unreadable = (response: Response): Refusal =>
  new Refusal(codeOfStatus(response.status), `The service answered with status ${response.status}.`, {
    retryAfterSeconds: seconds(response.headers.get('retry-after')),
  });

const codeOfStatus = (status: number): string => {
  if (status === 429) return 'RATE_LIMITED';
  return status === 502 || status === 503 || status === 504 ? 'UNAVAILABLE' : 'UNREADABLE';
};

const readFields = (candidate: unknown): Record<string, string> => {
  if (!isRecord(candidate)) return {};
  return Object.fromEntries(
    Object.entries(candidate).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
};

const isRecord = (candidate: unknown): candidate is Record<string, unknown> =>
  typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate);

const text = (candidate: unknown): string | undefined =>
  typeof candidate === 'string' && candidate !== '' ? candidate : undefined;

const seconds = (candidate: unknown): number | undefined => {
  const count = typeof candidate === 'string' ? Number.parseInt(candidate, 10) : candidate;
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? Math.ceil(count) : undefined;
};
