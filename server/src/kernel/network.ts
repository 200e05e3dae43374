/** Owns addresses: networks for limits, and loopback hosts. */
import { isIP, isIPv4, isIPv6 } from 'node:net';

// Peer addresses as rate limits count them: one spelling each, grouped by the network that one peer has. Pure.

const mappedIpv4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** Forms that some proxies write in X-Forwarded-For: `192.0.2.1:4711`, `[2001:db8::1]:4711`, `[2001:db8::1]`. */
const ipv4WithPort = /^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/;
const bracketed = /^\[([\da-f:.]+)\](?::\d+)?$/i;

/**
 * Normalizes an address: without a port, which would make each connection a network; IPv4 as such, even when the socket
 * is IPv6.
 */
export const plainAddress = (ip: string): string => {
  const inside = bracketed.exec(ip)?.[1] ?? '';
  const bare = ipv4WithPort.exec(ip)?.[1] ?? (isIPv6(inside) ? inside : ip);
  return mappedIpv4.exec(bare)?.[1] ?? bare;
};

/**
 * An address as the database stores it in a column of the type inet: without a zone (RFC 4007, section 11).
 * @returns null for a text that is no address
 */
export const storableAddress = (ip: string | null): string | null => {
  const [address = ''] = plainAddress(ip ?? '').split('%', 1);
  return isIP(address) === 0 ? null : address;
};

/**
 * The network of one peer: an IPv4 address, or the first 64 bits of an IPv6 address (RFC 4291, section 2.5.1), within
 * which a peer can use any number of addresses.
 * @param ip in any spelling; other text is returned unchanged
 */
export const networkOf = (ip: string): string => {
  const address = plainAddress(ip);
  return isIPv6(address) ? ipv6Prefix(address, 4) : address;
};

/**
 * The network of one site: the first 48 bits of an IPv6 address, which contain 65,536 networks (RFC 6177, section 2),
 * or the first 24 bits of an IPv4 address, the smallest routed prefix.
 * @param ip in any spelling; other text is returned unchanged
 */
export const siteOf = (ip: string): string => {
  const address = plainAddress(ip);
  if (isIPv6(address)) return ipv6Prefix(address, 3);
  return isIPv4(address) ? address.replace(/\d+$/, '0/24') : address;
};

/** @param groups number of 16-bit groups */
const ipv6Prefix = (address: string, groups: number): string => {
  const [head = [], tail = []] = address.split('::').map(groupsOf);
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  const prefix = [...head, ...zeros, ...tail].slice(0, groups).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/${groups * 16}`;
};

/** The last four bytes may be written as an IPv4 address. */
const groupsOf = (part: string): readonly string[] =>
  part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));

// Networks as filters name them. Pure.

const prefixShape = /^\d{1,3}$/;
const mappedBits = 96;

/**
 * An address or a CIDR (RFC 4632, RFC 4291) as CIDR, with addresses as {@link plainAddress} spells them.
 * @returns null for any other text
 */
export const readNetwork = (text: string): string | null => {
  const [written = '', prefix, ...more] = text.trim().split('/');
  const address = plainAddress(written);
  const bits = bitsOf(address);
  if (bits === null || bitsOf(written) === null || more.length > 0) return null;
  if (prefix === undefined) return `${address}/${bits}`;
  const length = Number(prefix) - (address === written ? 0 : mappedBits);
  return prefixShape.test(prefix) && length >= 0 && length <= bits ? `${address}/${length}` : null;
};

/** Number of bits of an address without a zone; null for any other text. */
const bitsOf = (address: string): number | null => {
  if (isIPv4(address)) return 32;
  return isIPv6(address) && !address.includes('%') ? 128 : null;
};

// Loopback hosts, regardless of the network. Pure.

/** @param hostname as in a URL; names below `localhost` count too (RFC 6761, section 6.3) */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname);
