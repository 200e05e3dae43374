/**
 * Keeps the head of every answer below 4 KB: nginx and others answer 502 when it is larger. It grows with the cookies
 * that a browser kept, the depth of the host and the redirect; what an answer can do without is left out where it is
 * too large.
 */
import { randomInt } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isClearedCopy } from './cookies.ts';

/** nginx's `proxy_buffer_size` by default, without the lines that Node adds. */
const maxBytes = 4096 - 160;

/** Cookies that an answer can do without, in the order in which they are left out. */
const spareCookies: readonly ((line: string) => boolean)[] = [
  // Another answer clears the rest, since each leaves out others.
  isClearedCopy,
  (line) => line.startsWith('oauth_post_auth_redirect='),
];

/** Call after the plugin of cookies is registered. */
export const limitHeaders = (app: FastifyInstance, settings: { readonly frontendUrl: string }): void => {
  const signInPage = `${settings.frontendUrl}/signin?`;
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isTooLarge(reply)) shorten(reply, signInPage);
    done(null, payload);
  });
};

const isTooLarge = (reply: FastifyReply): boolean => {
  const lines = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    [value].flat().map((each) => Buffer.byteLength(`${name}: ${each}\r\n`)),
  );
  return lines.reduce((total, bytes) => total + bytes, 0) > maxBytes;
};

const shorten = (reply: FastifyReply, signInPage: string): void => {
  for (const isSpare of spareCookies) while (isTooLarge(reply) && leaveOneOut(reply, isSpare));
  const location = String(reply.getHeader('location') ?? '');
  if (!isTooLarge(reply) || !location.startsWith(signInPage)) return;
  const url = new URL(location);
  url.searchParams.delete('redirect');
  reply.header('location', url.href);
};

/** @returns whether there was such a cookie */
const leaveOneOut = (reply: FastifyReply, isSpare: (line: string) => boolean): boolean => {
  const lines = [reply.getHeader('set-cookie') ?? []].flat().map(String);
  const spare = lines.filter(isSpare);
  const left = spare[randomInt(Math.max(1, spare.length))];
  if (left === undefined) return false;
  reply.removeHeader('set-cookie').header(
    'set-cookie',
    lines.filter((line) => line !== left),
  );
  return true;
};
