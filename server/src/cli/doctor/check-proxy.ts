/** Doctor check for a proxy in front of the service, from the configuration and the response headers. */
import type { Config } from '../../config/config.ts';
import { isLoopback } from '../../kernel/network.ts';
import { type Finding, findingsOn } from './findings.ts';
import type { Answered } from './probe.ts';

const { ok, warning } = findingsOn('proxy');

/** Headers that the service never sends. */
const proxyHeaders = ['via', 'server', 'x-served-by', 'cf-ray', 'x-amz-cf-id', 'x-cache'] as const;

const howTo =
  'Set TRUST_PROXY to the number of proxies in front, usually 1, or to their addresses, and configure the proxy to append the client to X-Forwarded-For.';

/** @param health the response from BASE_URL/healthz, or null */
export const checkProxy = ({ baseUrl, trustProxy }: Config, health: Answered | null): Finding[] => {
  const sign = proxyHeaders.find((name) => health?.headers.has(name) === true);
  const { protocol, hostname } = new URL(baseUrl);
  if (trustProxy === false) {
    if (protocol === 'https:') return [warning(untrusted('BASE_URL is https, so a proxy ends TLS in front'), howTo)];
    if (sign !== undefined)
      return [warning(untrusted(`The header ${sign} of a response shows that a proxy is in front`), howTo)];
    return [ok('No proxy is in front, and none is trusted.')];
  }
  if (protocol === 'http:' && isLoopback(hostname) && sign === undefined)
    return [
      warning(
        'TRUST_PROXY is set, but there is no sign of a proxy in front: clients could claim any address.',
        'Remove TRUST_PROXY if clients can reach this process directly.',
      ),
    ];
  return [ok('A trusted proxy provides the addresses of clients.')];
};

const untrusted = (sign: string): string =>
  `${sign}, but TRUST_PROXY is false: every client appears with the address of the proxy in sessions, logs and rate limits, which count all clients together.`;
