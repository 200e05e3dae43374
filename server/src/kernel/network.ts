/** Addresses of peers as they are counted: in one spelling for each, and by the network that one peer has. Pure. */
import { isIPv6 } from 'node:net';

const mappedIpv4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** An address as it is written everywhere: one of IPv4 as such, also where the socket is one of IPv6. */
export const plainAddress = (ip: string): string => mappedIpv4.exec(ip)?.[1] ?? ip;

/**
 * What one peer has for itself: an address of IPv4, or the first 64 bits of one of IPv6 (RFC 4291, section 2.5.1), of
 * which a peer takes any number of addresses.
 * @param ip in any spelling; what is no address is answered as it is
 */
export const networkOf = (ip: string): string => {
  const address = plainAddress(ip);
  if (!isIPv6(address)) return address;
  const [head = [], tail = []] = address.split('::').map(groupsOf);
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  const prefix = [...head, ...zeros, ...tail].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/64`;
};

/** The last four bytes may be written as an address of IPv4. */
const groupsOf = (part: string): readonly string[] =>
  part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
