/** What may be written of a sighting: texts of strangers, made short and free of what must not be kept. Pure. */
import { isIPv6 } from 'node:net';

const longestUserAgent = 200;
const longestDetail = 300;
const longestIp = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not reach the database or a page
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** Whoever puts a token where none belongs must not find it in a record. */
const token = /gate_[a-z]_[\w-]*/g;

const cleaned = (text: string, longest: number): string =>
  // Cut twice, so that a text of any length costs little.
  text
    .slice(0, longest * 2)
    .replaceAll(unprintable, '')
    .replaceAll(token, 'gate_…')
    .slice(0, longest)
    .toWellFormed();

/** Empty for none. */
export const cleanUserAgent = (userAgent: string | null): string => cleaned(userAgent ?? '', longestUserAgent);

/** Empty for none. Ends before a query or a fragment: both can hold a secret. */
export const cleanDetail = (detail: string | null): string =>
  cleaned((detail ?? '').slice(0, longestDetail * 2).split(/[?#]/, 1)[0] ?? '', longestDetail);

const mappedIpv4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** An address as it is written everywhere: one of IPv4 as such, also where the socket is one of IPv6. */
export const cleanIp = (ip: string): string => cleaned(mappedIpv4.exec(ip)?.[1] ?? ip, longestIp);

/**
 * What one peer has for itself: an address of IPv4, or the first 64 bits of one of IPv6 (RFC 4291, section 2.5.1), of
 * which a peer takes any number of addresses.
 * @param ip as {@link cleanIp} answers it
 */
export const networkOf = (ip: string): string => {
  if (!isIPv6(ip)) return ip;
  const [head = [], tail = []] = ip.split('::').map(groupsOf);
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  const prefix = [...head, ...zeros, ...tail].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/64`;
};

/** The last four bytes may be written as an address of IPv4. */
const groupsOf = (part: string): readonly string[] =>
  part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
