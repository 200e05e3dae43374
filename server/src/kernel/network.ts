/** Owns addresses: networks for limits, and loopback hosts. */
import { isIP, isIPv4, isIPv6 } from 'node:net';

// Peer addresses as rate limits count them: one spelling each, grouped by the network that one peer has. Pure.

/** The form of an IPv4-mapped address (RFC 4291, section 2.5.5.2), in any spelling; others may have it too. */
const mappedShape = /^[0:]+:ffff:[\da-f.:]+$/i;
/** Forms that some proxies write in X-Forwarded-For: `192.0.2.1:4711`, `[2001:db8::1]:4711`, `[2001:db8::1]`. */
const ipv4WithPort = /^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/;
const bracketed = /^\[([\da-f:.]+)\](?::\d+)?$/i;

/**
 * Normalizes an address: without a port, which would make each connection a network, and IPv4 as such, however the IPv6
 * address that it is mapped to is spelled.
 */
export const plainAddress = (ip: string): string => {
  const inside = bracketed.exec(ip)?.[1] ?? '';
  const bare = ipv4WithPort.exec(ip)?.[1] ?? (isIPv6(inside) ? inside : ip);
  return mappedIpv4(bare) ?? bare;
};

/** The IPv4 address that an IPv6 address is mapped from; null for any other text. */
const mappedIpv4 = (address: string): string | null => {
  if (!mappedShape.test(address) || !isIPv6(address)) return null;
  const groups = groupsOf(address);
  if (groups[5] !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return null;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
};

/** As a column of the type inet has it: without a zone (RFC 4007, section 11). Null for no address. */
export const storableAddress = (ip: string | null): string | null => {
  const [address = ''] = plainAddress(ip ?? '').split('%', 1);
  return isIP(address) === 0 ? null : address;
};

/**
 * The network of one peer: an IPv4 address, or the first 64 bits of an IPv6 address (RFC 4291, section 2.5.1).
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
  const prefix = groupsOf(address).slice(0, groups);
  return `${prefix.map((group) => group.toString(16)).join(':')}::/${groups * 16}`;
};

/** The eight groups of 16 bits of an IPv6 address. */
const groupsOf = (address: string): readonly number[] => {
  const [head = [], tail = []] = address.split('::').map(writtenGroups);
  return [...head, ...Array<number>(Math.max(0, 8 - head.length - tail.length)).fill(0), ...tail];
};

/** The last four bytes may be written as an IPv4 address. */
const writtenGroups = (part: string): readonly number[] =>
  part === ''
    ? []
    : part.split(':').flatMap((group) => (group.includes('.') ? pairOf(group) : [Number.parseInt(group, 16)]));

const pairOf = (ipv4: string): readonly number[] => {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
};

// Networks as filters name them. Pure.

const prefixShape = /^\d{1,3}$/;
const mappedBits = 96;

/**
 * An address or a CIDR (RFC 4632, RFC 4291) as CIDR, with addresses as {@link plainAddress} spells them; a range of
 * IPv4-mapped addresses is one of IPv4. Null for any other text.
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

/** The spellings, as in a URL, that clients register for a person's own machine (RFC 8252, section 7.3). */
export const loopbackHosts: readonly string[] = ['127.0.0.1', '[::1]', 'localhost'];

/** @param hostname as in a URL; names below `localhost` count too (RFC 6761, section 6.3) */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname);
