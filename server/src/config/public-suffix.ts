/** Domains below which strangers register theirs (publicsuffix.org), so that browsers keep no cookie for them. */
import { createRequire } from 'node:module';

type Tldts = Pick<typeof import('tldts'), 'parse'>;

let loaded: Tldts | undefined;

/** Read on first use: 20 ms and 6 MB, which most processes do without. */
const list = (): Tldts => {
  loaded ??= createRequire(import.meta.url)('tldts') as Tldts;
  return loaded;
};

const plain = (domain: string): string => domain.replace(/^\./, '').toLowerCase();

/**
 * Whether the list names a domain as one below which anybody registers: `co.uk`, and `github.io`, whose owner asked for it.
 * @param domain as a cookie has it, with or without a dot before it
 */
export const isListedPublicSuffix = (domain: string): boolean => {
  const { publicSuffix, isIcann, isPrivate } = list().parse(plain(domain), { allowPrivateDomains: true });
  return publicSuffix === plain(domain) && (isIcann === true || isPrivate === true);
};

/** The same, and every name without a dot: by the rule of the list for names that it does not know. */
export const isPublicSuffix = (domain: string): boolean => !plain(domain).includes('.') || isListedPublicSuffix(domain);

/** The public suffix of a host and one label more, which decides what is one site; null for a public suffix itself. */
export const registrableDomainOf = (hostname: string): string | null =>
  list().parse(hostname, { allowPrivateDomains: true }).domain;
