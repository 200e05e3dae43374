/**
 * Which requests name this server, from no web page or from one of its own (contract, "POST /mcp"; the development mailbox
 * too). A page of another site cannot get at it by a name that it lets point here (DNS rebinding).
 */
import type { FastifyRequest } from 'fastify';
import { isPortalOrigin, type OriginSettings } from './origins.ts';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** The Host headers that mean this server; of loopback, every name means it. */
export const ownHosts = (baseUrl: string): ReadonlySet<string> => {
  const { hostname, port, protocol } = new URL(baseUrl);
  const names = loopbackNames.includes(hostname) ? loopbackNames : [hostname];
  const defaultPort = protocol === 'https:' ? '443' : '80';
  const withPort = names.map((name) => `${name}:${port === '' ? defaultPort : port}`);
  return new Set(port === '' || port === defaultPort ? [...names, ...withPort] : withPort);
};

/**
 * What of a request is foreign, its Host or its Origin; null when neither is. Behind a trusted proxy the host is the one
 * that the proxy was asked for.
 */
export const foreignAddress = (
  { host, headers: { origin } }: FastifyRequest,
  own: ReadonlySet<string>,
  settings: OriginSettings,
): string | null => {
  if (!own.has(host.toLowerCase())) return host;
  return origin === undefined || isPortalOrigin(origin, settings) ? null : origin;
};
