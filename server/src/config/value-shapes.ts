/** How the text of an environment variable is read: one schema for each shape of value, with the words for a wrong one. */
import { isIP } from 'node:net';
import { z } from 'zod';

export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((text) => text === 'true');
export const list = z.string().transform(splitList);
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, { error: `must be a whole number from ${least} to ${most}` })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error: `must be from ${least} to ${most}` });

export const origin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHttp = url !== null && /^https?:$/.test(url.protocol);
  if (isHttp && text.replace(/\/$/, '') === url.origin) return url.origin;
  context.addIssue({ code: 'custom', message: originAdvice(text, isHttp ? url : null) });
  return z.NEVER;
});

/**
 * Browsers compare origins as text: in small letters, with an internationalized name in its ASCII form, and without the
 * port of the scheme.
 * @param url of the text; null when it is none of http or https
 */
const originAdvice = (text: string, url: URL | null): string => {
  const isOrigin = url !== null && url.href === `${url.origin}/`;
  if (isOrigin && /\P{ASCII}/u.test(text))
    return 'must be an origin with its host name in ASCII, such as https://xn--mnchen-3ya.example';
  const written = text.replace(/\/$/, '').toLowerCase();
  const defaultPort = url?.protocol === 'https:' ? 443 : 80;
  return isOrigin && [url.origin, `${url.origin}:${defaultPort}`].includes(written)
    ? 'must be an origin as browsers write it: in small letters, and without the port of its scheme (80 or 443)'
    : 'must be an origin such as https://id.example.com, without a path or spaces';
};

/** OpenID Connect Discovery 1.0, section 2: a URL without query and fragment; it is compared character by character. */
export const issuer = z.string().refine(
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isHttp = url !== null && /^https?:$/.test(url.protocol);
    return isHttp && url.username === '' && url.password === '' && !/[?#\s]/.test(text);
  },
  { error: 'must be an issuer such as https://accounts.google.com, without query and fragment' },
);

export const urlOf = (...protocols: string[]) =>
  z
    .string()
    .refine((text) => protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`)), {
      error: beginsWith(protocols),
      abort: true,
    })
    .refine(areCredentialsWhole, {
      error:
        'must have each / ? # and @ of its user name and password percent-encoded, as %2F %3F %23 and %40, and each @ after its host too',
      abort: true,
    })
    .refine((text) => URL.canParse(text), { error: beginsWith(protocols) });

const beginsWith = (protocols: readonly string[]): string =>
  `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;

/** A host ends at the first / ? or #: of a password that has one, the rest would be path, query or fragment, with an @. */
const areCredentialsWhole = (text: string): boolean => {
  const { pathname, search, hash } = URL.canParse(text) ? new URL(text) : unread(text);
  return ![pathname, search, hash].some((part) => part.includes('@'));
};

/** Of a text that is no URL, say because half of a password would be its port: all that follows what would be the host. */
const unread = (text: string): Pick<URL, 'pathname' | 'search' | 'hash'> => ({
  pathname: /^[^/]*\/\/[^/?#]*(.*)$/s.exec(text)?.[1] ?? '',
  search: '',
  hash: '',
});

/** Nothing in it that the client would leave out of account, such as the half of a password that has a ? or a # in it. */
export const redisUrl = z.string().refine(
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') return false;
    const isPlain = url.search === '' && url.hash === '' && /^(\/\d{0,4})?$/.test(url.pathname);
    return isPlain && areCredentialsEncoded(url);
  },
  { error: 'must be a URL such as redis://user:password@redis.example.com:6379/0' },
);

/** Paths are appended to it, which a query or a fragment would take in. */
export const collectorUrl = z.string().refine(
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    return url !== null && /^https?:$/.test(url.protocol) && !/[?#\s]/.test(text) && areCredentialsEncoded(url);
  },
  { error: 'must be a URL such as http://localhost:4318, without query and fragment' },
);

/** Each percent sign encodes something. */
const areCredentialsEncoded = ({ username, password }: URL): boolean =>
  ![username, password].some((part) => /%(?![0-9a-f]{2})/i.test(part));

export const domain = z.string().regex(/^\.?[a-z0-9-]+(\.[a-z0-9-]+)*$/i, { error: 'must be a domain name' });

/** Longer than any address with a name before it (RFC 5321, section 4.5.3.1); the pattern takes the square of a length. */
const longestSender = 400;
const senderShape = /^[^\r\n]*[^\s@]@[^\s@]+$|^[^\r\n<>]*<[^\s@<>]+@[^\s@<>]+>$/;

export const sender = z.string().refine((text) => text.length <= longestSender && senderShape.test(text), {
  error: 'must be an address such as Gatehouse <no-reply@example.com>',
});

const prefixBits: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

const isNetwork = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = prefixBits[isIP(address)];
  if (bits === undefined || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
};

export const areNetworks = (texts: readonly string[]): boolean => texts.length > 0 && texts.every(isNetwork);
