/**
 * What binds a request to the browser that began it: a random secret in a cookie that only this request's page is sent.
 * Several requests at once have a cookie each.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestKey } from '../../domain/oauth/decide-consent.ts';
import { requestLifeSeconds } from '../../domain/oauth/requests-store.ts';
import { cookieAttributes } from '../../web/cookie-attributes.ts';
import { onlyCookie } from '../../web/request-cookies.ts';

const cookie = 'mcp_request';

export const newBrowserSecret = (): string => randomBytes(32).toString('base64url');

/** Where a person answers a request. */
export const continuePath = (requestId: string): string => `/auth/mcp/continue/${requestId}`;

const attributes = (requestId: string, baseUrl: string) => cookieAttributes({ baseUrl, path: continuePath(requestId) });

export const bindBrowser = (
  reply: FastifyReply,
  baseUrl: string,
  { requestId, browserSecret }: { readonly requestId: string; readonly browserSecret: string },
): FastifyReply =>
  reply.setCookie(cookie, browserSecret, { ...attributes(requestId, baseUrl), maxAge: requestLifeSeconds });

/** As long as answered requests are kept (`purgeRequests`). */
const answeredLifeSeconds = 86_400;

/** After the answer the cookie says no more than that this browser gave it, to the person who goes back to the page. */
export const rememberAnswer = (reply: FastifyReply, baseUrl: string, key: RequestKey): FastifyReply =>
  reply.setCookie(cookie, key.browserSecret ?? '', {
    ...attributes(key.requestId, baseUrl),
    maxAge: answeredLifeSeconds,
  });

/** The request that an address names, as its browser knows it. */
export const requestKeyOf = (request: FastifyRequest<{ Params: { requestId: string } }>): RequestKey => ({
  requestId: request.params.requestId,
  browserSecret: onlyCookie(request, cookie) ?? null,
});
