/** Requests to the routes that a service mounts, with every part of them right, nearly right or wrong. */
import * as fc from 'fast-check';
import { hostileJson, hostileText, type WireRequest } from './fuzz.ts';
import type { MountedRoute } from './mounted-routes.ts';

/** What can stand in a line of a head at all. */
export const headerText = hostileText.map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 3000));

const headerNames = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-encoding',
  'content-type',
  'cookie',
  'forwarded',
  'host',
  'if-none-match',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
  'range',
  'referer',
  'stripe-signature',
  'traceparent',
  'user-agent',
  'x-auth-delivery',
  'x-correlation-id',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-http-method-override',
  'x-original-url',
  'x-request-id',
] as const;

const contentTypes = [
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/graphql',
  'application/graphql-response+json',
  'text/html',
] as const;

const parameterNames = [
  'client_id',
  'code',
  'error',
  'extensions',
  'iss',
  'operationName',
  'query',
  'redirect',
  'redirect_uri',
  'resource',
  'response_type',
  'scope',
  'state',
  'variables',
] as const;

/** Percent-encoded, or nearly so. */
const encoded = hostileText.map((text) => {
  const bytes = Buffer.from(text.slice(0, 300), 'utf8');
  return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
});
const segment = fc.oneof(encoded, fc.uuid(), fc.stringMatching(/^[!-~]{0,30}$/));

const presented = (credentials: readonly string[]): fc.Arbitrary<Record<string, string>> =>
  fc.oneof(
    fc.constant({}),
    fc.constantFrom(...credentials).map((token) => ({ authorization: `Bearer ${token}` })),
    fc
      .tuple(
        fc.constantFrom('auth_access', 'auth_refresh', 'helper_session', 'auth_exchange'),
        fc.constantFrom(...credentials),
      )
      .map(([name, token]) => ({ cookie: `${name}=${token}` })),
  );

const body = fc.oneof(
  fc.constant(null),
  hostileText,
  hostileJson.map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 400 }),
  fc
    .array(fc.tuple(fc.constantFrom(...parameterNames, 'grant_type', 'token', 'decision'), hostileText), {
      maxLength: 6,
    })
    .map((pairs) =>
      new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value.toWellFormed()])).toString(),
    ),
);

/** @param credentials that work, presented where they do not belong */
export const anyRequest = (
  routes: readonly MountedRoute[],
  credentials: readonly string[],
): fc.Arbitrary<WireRequest> =>
  fc
    .record({
      route: fc.constantFrom(...routes),
      method: fc.constantFrom(
        '',
        '',
        '',
        'GET',
        'HEAD',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'OPTIONS',
        'TRACE',
        'PROPFIND',
      ),
      segments: fc.array(segment, { minLength: 4, maxLength: 4 }),
      query: fc.array(fc.tuple(fc.oneof(fc.constantFrom(...parameterNames), encoded), encoded), { maxLength: 5 }),
      headers: fc.dictionary(fc.constantFrom(...headerNames), headerText, { maxKeys: 5 }),
      type: fc.option(fc.constantFrom(...contentTypes), { nil: undefined }),
      presented: presented(credentials),
      body,
    })
    .map(({ route, method, segments, query, headers, type, presented: credential, body: content }) => {
      const named = method === '' ? route.method : method;
      const rest = [...segments];
      // What does not begin with a slash is no request line; the socket's test sends those.
      const path = route.url.replaceAll(/:\w+|\*/g, () => rest.pop() ?? '').replace(/^(?!\/)/, '/');
      const asked = query.map(([name, value]) => `${name}=${value}`).join('&');
      const hasBody = named !== 'GET' && named !== 'HEAD';
      return {
        method: named,
        path: asked === '' ? path : `${path}?${asked}`,
        headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }), ...credential },
        body: hasBody ? content : null,
      };
    });
