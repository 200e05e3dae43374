/** Owns parsing the text of environment variables: one schema per shape of value, with its error messages. */
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { z } from 'zod';
import { plainAddress, readNetwork } from '../kernel/network.ts';
import { asUrl, faultOfHosts } from '../kernel/postgres-address.ts';

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((text) => text === 'true');
export const list = z.string().transform((text): readonly string[] => splitList(text));
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
 * Browsers compare origins as text: lower case, names in ASCII form, without the scheme's default port.
 * @param url of the text; null unless it is http or https
 */
const originAdvice = (text: string, url: URL | null): string => {
  const isOrigin = url !== null && url.href === `${url.origin}/`;
  if (isOrigin && /\P{ASCII}/u.test(text))
    return 'must be an origin with its host name in ASCII, such as https://xn--mnchen-3ya.example';
  const written = text.replace(/\/$/, '').toLowerCase();
  const defaultPort = url?.protocol === 'https:' ? 443 : 80;
  return isOrigin && [url.origin, `${url.origin}:${defaultPort}`].includes(written)
    ? 'must be an origin as browsers write it: in lower case, and without the default port of its scheme (80 or 443)'
    : 'must be an origin such as https://id.example.com, without a path or spaces';
};

/** OpenID Connect Discovery 1.0, section 2: a URL without query and fragment, compared character by character. */
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
    .refine(areCredentialsWhole, { error: cutCredentials, abort: true })
    .refine((text) => URL.canParse(text), { error: beginsWith(protocols) });

const cutCredentials =
  'must have each / ? # and @ of its user name and password percent-encoded, as %2F %3F %23 and %40, and each @ after its host too';

const beginsWith = (protocols: readonly string[]): string =>
  `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;

/** Whether no unencoded / ? or # in the credentials ends the host: the rest would be a path with an @. */
const areCredentialsWhole = (text: string): boolean => {
  const { pathname, search, hash } = URL.canParse(text) ? new URL(text) : unread(text);
  return ![pathname, search, hash].some((part) => part.includes('@'));
};

/** Splits a text that is no URL, for example because half of a password would be its port, behind the host. */
const unread = (text: string): Pick<URL, 'pathname' | 'search' | 'hash'> => ({
  pathname: /^[^/]*\/\/[^/?#]*(.*)$/s.exec(text)?.[1] ?? '',
  search: '',
  hash: '',
});

const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** The part that the driver would misread; null when there is none. */
const unsupportedInAddress = (text: string): string | null => {
  const modes = new URLSearchParams(/\?([^#]*)/.exec(text)?.[1]).getAll('sslmode');
  if (!modes.every((mode) => sslModes.includes(mode))) return `must have an sslmode of ${sslModes.join(', ')}, or none`;
  return faultOfHosts(text);
};

/** As a URL for any number of servers; without credentials, `host` may name the directory of a socket. */
export const databaseUrl = z
  .string()
  .refine((text) => areCredentialsWhole(text), { error: cutCredentials, abort: true })
  .refine((text) => unsupportedInAddress(text) === null, {
    error: ({ input }) => unsupportedInAddress(String(input)) ?? '',
    abort: true,
  })
  .transform((text) => asUrl(text).replace(/^([^/]*\/\/[^/?#]*@)(?=\/[^?#]*\?(?:.*&)?host=)/, '$1localhost'))
  .pipe(urlOf('postgres:', 'postgresql:'));

/** Contains no parts that the client would ignore, such as the half of a password that contains a ? or a #. */
export const redisUrl = z.string().refine(
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') return false;
    const isPlain = url.search === '' && url.hash === '' && /^(\/\d{0,4})?$/.test(url.pathname);
    return isPlain && areCredentialsEncoded(url);
  },
  { error: 'must be a URL such as redis://user:password@redis.example.com:6379/0' },
);

/** Paths are appended to it, so it has no query or fragment that would absorb them. */
export const collectorUrl = z.string().refine(
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    return url !== null && /^https?:$/.test(url.protocol) && !/[?#\s]/.test(text) && areCredentialsEncoded(url);
  },
  { error: 'must be a URL such as http://localhost:4318, without query and fragment' },
);

/** Whether each percent sign begins an encoding. */
const areCredentialsEncoded = ({ username, password }: URL): boolean =>
  ![username, password].some((part) => /%(?![0-9a-f]{2})/i.test(part));

export const domain = z.string().regex(/^\.?[a-z0-9-]+(\.[a-z0-9-]+)*$/i, { error: 'must be a domain name' });

export const relyingPartyId = z
  .string()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, { error: 'must be a domain name in lower case and ASCII' });

/**
 * An address as {@link plainAddress} spells it, also one with a zone (RFC 4007, section 11), or a network as {@link
 * readNetwork} does. Null for the network of every address, which would trust every client.
 */
const proxyNetwork = (text: string): string | null => {
  if (isIP(text) !== 0) return plainAddress(text);
  const network = readNetwork(text);
  return network?.endsWith('/0') === true ? null : network;
};

/** TRUST_PROXY: no proxy, a number of hops, or the networks of the proxies. */
export const trustedProxies = z.string().transform((text, context): false | number | readonly string[] => {
  if (text === 'false') return false;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const given = splitList(text);
  const networks = given.map(proxyNetwork).filter((network) => network !== null);
  if (networks.length > 0 && networks.length === given.length) return networks;
  context.addIssue({
    code: 'custom',
    message: 'must be false, a number of hops, or a list of addresses and CIDRs, none of them of every address',
  });
  return z.NEVER;
});

// Redirect URIs that an operator may allow: complete ones, and in production only those that protect a code.

/** Schemes that are never allowed: the browser would execute the URI, or read a local file. */
const schemesNeverRedirectedTo = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:'];

/** Whether the text is a complete URI without wildcard and fragment. */
const isRedirectUri = (text: string): boolean => {
  if (!/^[\x21-\x7e]+$/.test(text) || /[*#\\]/.test(text) || !URL.canParse(text)) return false;
  return !schemesNeverRedirectedTo.includes(new URL(text).protocol);
};

export const redirectUris = list.refine((uris) => uris.every(isRedirectUri), {
  error: 'must be a list of complete redirect URIs, without wildcards and fragments',
});

// URLs of client ID metadata documents (draft-ietf-oauth-client-id-metadata-document, section 3).

/** A dot segment of a path, written out or percent-encoded. */
const dotSegment = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;

/** Without user info, not even an empty one. */
const remoteDocument = /^https:\/\/[^/?@]+\//;

/** The documents of tests, on this machine. */
const localDocument = /^http:\/\/(?:127\.0\.0\.1|localhost)(?::[1-9]\d{0,4})?\//;

/** Whether the text is a complete URL of one document: https or of this machine, spelled without ambiguity. */
const isDocumentUrl = (text: string): boolean => {
  if (!/^[\x21-\x7e]{1,2000}$/.test(text) || /[*#\\]/.test(text) || dotSegment.test(text)) return false;
  if (!(remoteDocument.test(text) || localDocument.test(text)) || !URL.canParse(text)) return false;
  const { hostname, pathname } = new URL(text);
  return hostname !== '' && pathname !== '/';
};

export const documentUrls = list.refine((urls) => urls.every(isDocumentUrl), {
  error: 'must be a list of complete https URLs with a path, without wildcards, user names, fragments and dot segments',
});

/** Whether a document is on another machine: one on this machine proves nothing about a client. */
export const isRemoteDocumentUrl = (text: string): boolean => text.startsWith('https://');

/** Schemes of browsers, protocols or system programs, which have no dot and would pass as private-use schemes. */
const schemesOfOthers = new Set(
  `http ws wss ftp ftps sftp tftp gopher ldap ldaps telnet ssh rlogin git svn nfs smb afp dav davs rtsp rtmp sip sips
  xmpp irc ircs news nntp imap imaps pop pops smtp smtps mailto tel sms mms fax geo cid mid urn tag uuid ni dns did
  magnet bitcoin ipfs ipns view-source filesystem chrome chrome-extension moz-extension safari-web-extension
  extension edge opera brave resource res jar wyciwyg feed webcal intent android-app market content shell
  ms-settings ms-windows-store search-ms ms-msdt hcp mhtml mk x-apple.systempreferences macappstore
  shortcuts applescript vnc jnlp jnlps unix redis postgres postgresql mysql mongodb jdbc docker npm s3 gs`.split(/\s+/),
);

/**
 * Families of schemes that start system programs, settings or stores, or the browser itself; and all with a plus, which
 * pages register (`web+…`), or which carry one protocol over another (`ssh+git`).
 */
const familiesOfOthers = /^(ms-|microsoft-|moz-|itms|x-apple|googlechrome|(chrome|edge|search)(-|$))|\+/;

/**
 * Whether a code reaches only the client that the operator intends: https without a user; an app's private-use scheme
 * in reverse domain order (`com.example.app`; RFC 8252, section 7.1), or a word that is no other scheme, as current
 * apps use it (`cursor`, `vscode`). Loopback URIs need no entry.
 */
export const isSafeRedirectUri = (text: string): boolean => {
  if (!isRedirectUri(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return hostname !== '';
  const scheme = protocol.slice(0, -1);
  return !schemesOfOthers.has(scheme) && !familiesOfOthers.test(scheme);
};

// Domains below which unrelated parties register theirs (publicsuffix.org), so that browsers accept no cookie for them.

type Tldts = Pick<typeof import('tldts'), 'parse'>;

let loaded: Tldts | undefined;

/** Loaded on first use: it takes 20 ms and 6 MB, which most processes do not need. */
const suffixList = (): Tldts => {
  loaded ??= createRequire(import.meta.url)('tldts') as Tldts;
  return loaded;
};

const plain = (domain: string): string => domain.replace(/^\./, '').toLowerCase();

/**
 * Whether the public suffix list contains a domain, such as `co.uk` or, at its owner's request, `github.io`.
 * @param domain of a cookie, with or without a leading dot
 */
export const isListedPublicSuffix = (domain: string): boolean => {
  const { publicSuffix, isIcann, isPrivate } = suffixList().parse(plain(domain), { allowPrivateDomains: true });
  return publicSuffix === plain(domain) && (isIcann === true || isPrivate === true);
};

/** Whether a domain is listed or has no dot: the list's default rule for names that it does not contain. */
export const isPublicSuffix = (domain: string): boolean => !plain(domain).includes('.') || isListedPublicSuffix(domain);

/** The public suffix of a host plus one label, which defines a site; null for a public suffix itself. */
export const registrableDomainOf = (hostname: string): string | null =>
  suffixList().parse(hostname, { allowPrivateDomains: true }).domain;

/** The audiences of MCP clients' pairs; those for a resource of the application are its URLs. */
const audiencesOfMcp = ['mcp', 'mcp_organization'];

export const audiencesOfSessions = list.refine(
  (audiences) => audiences.length > 0 && !audiences.some((audience) => audiencesOfMcp.includes(audience)),
  { error: 'must be a list of audiences without mcp and mcp_organization' },
);

export const plaintext = z.enum(['allowed', 'refused'], { error: 'must be allowed or refused' });
