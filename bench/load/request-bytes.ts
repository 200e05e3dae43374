/** The bytes of a request, and a source of them. */
import { origin } from '../servers/settings.ts';
import type { RequestText } from './job.ts';

/** Returns the next request of one connection; `answer` is the body of its last one. */
export type NextRequest = (answer: Buffer | null) => Buffer;

const graphqlAnswer = 'application/graphql-response+json';

export const bytesOf = ({
  method,
  path,
  body,
  token,
  authorization,
  from,
  accept = graphqlAnswer,
}: RequestText): Buffer =>
  Buffer.from(
    [
      `${method ?? 'POST'} ${path} HTTP/1.1`,
      `host: ${new URL(origin).host}`,
      'user-agent: gatehouse-bench',
      `accept: ${accept}`,
      ...(token === null ? [] : [`authorization: Bearer ${token}`]),
      ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
      ...(from === undefined ? [] : [`x-forwarded-for: ${from}`]),
      ...(method === 'GET' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
      '',
      body,
    ].join('\r\n'),
  );
