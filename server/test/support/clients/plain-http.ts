/** Requests for tests that send thousands: fetch alone costs the processor as much as the service. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface PlainRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export interface PlainAnswer {
  readonly status: number;
  /** As received, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

/** Keeps connections open, as browsers do. */
const agent = new Agent({ keepAlive: true });

export const sendPlainly = async (url: string, { method, headers, body }: PlainRequest): Promise<PlainAnswer> => {
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method, agent, headers: { ...headers, ...length } }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
  const { rawHeaders, statusCode = 0 } = response;
  return {
    status: statusCode,
    headers: rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ''] as const] : [],
    ),
    text: await text(response),
  };
};

/** The parts of a fetch answer that tests read. */
export type PlainResponse = Pick<Response, 'status' | 'headers' | 'text'>;

/**
 * Sends as fetch would, by the same arguments, and follows no redirect.
 * @throws TypeError as fetch does when the connection ends before the answer
 */
export const askLikeFetch = async (
  url: string,
  { method = 'GET', headers = {}, body = null }: Partial<PlainRequest> = {},
): Promise<PlainResponse> => {
  const named = { accept: '*/*', 'user-agent': 'node', ...headers };
  try {
    const answer = await sendPlainly(url, { method, headers: named, body });
    return {
      status: answer.status,
      headers: new Headers(answer.headers.map(([name, value]): [string, string] => [name, value])),
      text: async () => answer.text,
    };
  } catch (error) {
    throw new TypeError('The request failed', { cause: error });
  }
};

export const postLikeFetch = (
  url: string,
  headers: PlainRequest['headers'],
  body: string | Uint8Array,
): Promise<PlainResponse> => askLikeFetch(url, { method: 'POST', headers, body });

/** One operation, as `post` of the clients sends it. */
export const postPlainly = (
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  headers: PlainRequest['headers'],
): Promise<PlainAnswer> =>
  sendPlainly(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...headers },
    body: JSON.stringify({ query, variables }),
  });

/** The same as `outcomeOf` of an answer. */
export const outcomeIn = ({ status, text: body }: PlainAnswer): string => {
  const { data = null, errors } = JSON.parse(body) as {
    data?: object | null;
    errors?: readonly { readonly extensions?: { readonly code?: string } }[];
  };
  return errors?.[0]?.extensions?.code ?? (status === 200 && data !== null ? 'OK' : `status ${status}`);
};
