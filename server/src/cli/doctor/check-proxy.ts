/** Doctor check for a proxy in front of the service, from the configuration and the response headers. */
import type { Config } from '../../config/config.ts';
import { isLoopback } from '../../kernel/network.ts';
import { type Finding, findingsOn } from './findings.ts';
import type { Answered } from './probe.ts';

const { ok, warning } = findingsOn('proxy');

/** Headers that the service never sends. */
const proxyHeaders = ['via', 'server', 'x-served-by', 'cf-ray', 'x-amz-cf-id', 'x-cache'] as const;

const howTo =
  'Set TRUST_PROXY to the number of proxies in front, usually 1, or to their addresses, and let the proxy append the client to X-Forwarded-For.';

/** @param health the response from BASE_URL/healthz, or null */
export const checkProxy = ({ baseUrl, trustProxy }: Config, health: Answered | null): Finding[] => {
  const sign = proxyHeaders.find((name) => health?.headers.has(name) === true);
  const { protocol, hostname } = new URL(baseUrl);
  if (trustProxy === false) {
    if (protocol === 'https:') return [warning(untrusted('BASE_URL is https, so a proxy ends TLS in front'), howTo)];
    if (sign !== undefined)
      return [warning(untrusted(`The header ${sign} of an answer says that a proxy is in front`), howTo)];
    return [ok('No proxy is in front, and none is trusted.')];
  }
  if (protocol === 'http:' && isLoopback(hostname) && sign === undefined)
    return [
      warning(
        'TRUST_PROXY is set, but nothing says that a proxy is in front: clients could name any address as theirs.',
        'Remove TRUST_PROXY where clients reach this process directly.',
      ),
    ];
  return [ok('A proxy is trusted for the addresses of clients.')];
};

const untrusted = (sign: string): string =>
  `${sign}, but TRUST_PROXY is false: every client has the address of the proxy, in sessions, in logs and for limits, which count them together.`;
