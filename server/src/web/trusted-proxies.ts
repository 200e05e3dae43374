/** Whose word counts for the address that a request came from (TRUST_PROXY). */
import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type { Config } from '../config/config.ts';

export type TrustProxy = Config['trustProxy'];

/** Hops are counted from this process: 1 trusts the proxy that connects to it, and no other. */
const byHops =
  (trusted: number) =>
  (_address: string, hop: number): boolean =>
    hop < trusted;

/** As Fastify takes it. */
export const trustedProxies = (trusted: TrustProxy) => {
  if (typeof trusted === 'number') return byHops(trusted);
  return trusted === false ? false : [...trusted];
};

/** Reads the address from a request that did not come through Fastify, as Fastify's `request.ip` does. */
export const addressReader = (trusted: TrustProxy): ((request: IncomingMessage) => string) => {
  if (trusted === false) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = typeof trusted === 'number' ? byHops(trusted) : proxyAddress.compile([...trusted]);
  return (request) => proxyAddress.all(request, isTrusted).at(-1) ?? '';
};

/** Whether a request comes from a proxy whose word counts. */
export const peerIsTrusted = (trusted: TrustProxy): ((request: IncomingMessage) => boolean) => {
  if (trusted === false) return () => false;
  const isTrusted = typeof trusted === 'number' ? byHops(trusted) : proxyAddress.compile([...trusted]);
  return ({ socket }) => isTrusted(socket.remoteAddress ?? '', 0);
};
