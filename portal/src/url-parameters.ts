/**
 * Parameters of the portal's URLs, validated: redirect targets, link tokens, and the search parameters of each page.
 */

import { internalPath, redirectOf } from '../../server/src/kernel/redirects.ts';

/** The origins that redirects may lead to, as the server puts them into the page: first the portal's, then others. */
export const originsOfPage = (): readonly string[] =>
  document.querySelector<HTMLMetaElement>('[name=gatehouse-origins]')?.content.split(' ') ?? [];

/**
 * The redirect, if it is an internal path or an absolute URL of one of `origins`. Of the first two, which are the
 * portal's and the service's, it is the path; or the URL, when its query has what no path may contain.
 */
export const readRedirect = (candidate: unknown, origins: readonly string[]): string | undefined => {
  const redirect = redirectOf(candidate, origins);
  if (redirect === null) return undefined;
  const path = withoutOwnOrigin(redirect, origins);
  if (!path.startsWith('/') || internalPath(path) !== null) return path;
  return internalPath(new URL(redirect).pathname) === null ? undefined : redirect;
};

/** The path of a URL of the portal or the service; any other redirect as it stands. */
export const withoutOwnOrigin = (redirect: string, origins: readonly string[]): string => {
  const own = origins.slice(0, 2).find((origin) => redirect.startsWith(`${origin}/`));
  return own === undefined ? redirect : redirect.slice(own.length);
};

interface RedirectSearch {
  readonly redirect?: string | undefined;
}

// The key is always set: for a missing key the router would use the unvalidated value of the URL.
export const readRedirectSearch = (
  { redirect }: Record<string, unknown>,
  origins = originsOfPage(),
): RedirectSearch => ({
  redirect: readRedirect(redirect, origins),
});

interface ReauthenticateSearch extends RedirectSearch {
  /** Present where a password alone is not sufficient. */
  readonly secondFactor?: 'true' | undefined;
}

export const readReauthenticateSearch = (search: Record<string, unknown>): ReauthenticateSearch => ({
  ...readRedirectSearch(search),
  secondFactor: search['secondFactor'] === 'true' ? 'true' : undefined,
});

interface PeriodSearch {
  /** Present for the longer period. */
  readonly period?: 'DAYS_30' | undefined;
}

export const readPeriodSearch = ({ period }: Record<string, unknown>): PeriodSearch => ({
  period: period === 'DAYS_30' ? period : undefined,
});

interface CheckoutSearch {
  /** Result of the checkout at the payment provider. */
  readonly checkout?: 'done' | 'cancelled' | undefined;
}

export const readCheckoutSearch = ({ checkout }: Record<string, unknown>): CheckoutSearch => ({
  checkout: checkout === 'done' || checkout === 'cancelled' ? checkout : undefined,
});

interface AccountSearch {
  /** Set after linking the external identity. */
  readonly external?: 'linked' | undefined;
}

export const readAccountSearch = ({ external }: Record<string, unknown>): AccountSearch => ({
  external: external === 'linked' ? external : undefined,
});

interface SignInSearch {
  readonly redirect?: string | undefined;
  /** Code of the problem of an external sign-in or link. */
  readonly error?: string | undefined;
  /** Correlation id in the server's log. */
  readonly id?: string | undefined;
}

/** Redirect after linking. A redirect to /signin instead means that nothing was linked. */
export const linkedPath = '/account?external=linked';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The URL is untrusted: malformed values are dropped. */
export const readSignInSearch = (search: Record<string, unknown>, origins = originsOfPage()): SignInSearch => {
  const { redirect } = readRedirectSearch(search, origins);
  const { error, id } = search;
  return {
    redirect: redirect === linkedPath ? undefined : redirect,
    error: typeof error === 'string' && error !== '' ? error : undefined,
    id: typeof id === 'string' && uuid.test(id) ? id : undefined,
  };
};

/** Tokens of verification mails and invitations. */
const token = /(?<![\da-f])(?:[\da-f]{64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\da-f])/g;

/**
 * The token in a pasted link: mail programs and chats add whitespace, line breaks, punctuation and markup. If there is
 * not exactly one token, removes whitespace and leading or trailing punctuation.
 */
export const extractToken = (text: string): string => {
  const withoutHyphenBreaks = text.replaceAll(/[\s\u200b-\u200d\u2060\ufeff]+/gu, '');
  const [found, another] = withoutHyphenBreaks.match(token) ?? [];
  return found !== undefined && another === undefined
    ? found
    : withoutHyphenBreaks.replaceAll(/^[^\w-]+|[^\w-]+$/g, '');
};

/** The search parameters that are texts. */
export const textEntries = (search: Record<string, unknown>): [string, string][] =>
  Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string');

/** The search parameters of a page that parses them itself, as its lists do (`lists/list-view.ts`). */
export const readTexts = (search: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(textEntries(search));
