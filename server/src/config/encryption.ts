/** Whether what the service sends to another host is always encrypted, by the URL of the server. */
import { isLoopback } from '../kernel/network.ts';

/** With smtp://, an attacker can hide that the server offers TLS (RFC 3207, section 6), unless the URL demands it. */
export const isMailEncrypted = (url: string): boolean => {
  const { protocol, hostname, searchParams } = new URL(url);
  return protocol === 'smtps:' || searchParams.get('requireTLS') === 'true' || isLoopback(hostname);
};

/** @param url as in REDIS_URL */
export const isRedisEncrypted = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'rediss:' || isLoopback(hostname);
};
