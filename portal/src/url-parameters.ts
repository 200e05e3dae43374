/**
 * Parameters of the portal's URLs, validated: redirect targets, link tokens, and the search parameters of each page.
 */

const maxPathLength = 2048;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for
const disallowed = /\/\/|[\\\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/u;

/**
 * The path, if it is internal: it begins with one `/`, and neither it nor any percent-decoding of it contains `//`, a
 * backslash, a control character or a lone surrogate. No parser can find a scheme or a host in it.
 */
export const internalPath = (candidate: unknown): string | undefined => {
  if (typeof candidate !== 'string' || candidate.length > maxPathLength) return undefined;
  let text = candidate;
  for (;;) {
    if (!text.startsWith('/') || disallowed.test(text)) return undefined;
    const decoded = decodeOnce(text);
    if (decoded === undefined) return undefined;
    // Terminates: each decoding that changes the text shortens it.
    if (decoded === text) return candidate;
    text = decoded;
  }
};

const decodeOnce = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/**
 * Pages of the server, which need a full page load. The patterns are exact, so that no server behind a proxy reads
 * another path.
 */
export const isServerPath = (path: string): boolean =>
  /^\/(?:auth\/mcp\/continue\/[\w-]+|dev\/mailbox)(?:[?#]|$)/.test(path);

/**
 * The path to follow: the parameter if it is internal, else the home page. The parameter is untrusted, so it never
 * leads to the provider: the service would treat that as the person's own request and could link their account to a
 * stranger's identity.
 */
export const redirectTarget = (candidate: unknown): string => {
  const path = internalPath(candidate) ?? '/';
  return isServerPath(path) || !/^\/auth(?:\/|$)/.test(normalizedPath(path)) ? path : '/';
};

/** The path as a server reads it: dot segments resolved, escapes decoded. */
const normalizedPath = (path: string): string => decodeURIComponent(new URL(path, 'http://internal').pathname);

interface RedirectSearch {
  readonly redirect?: string | undefined;
}

// The key is always set: for a missing key the router would use the unvalidated value of the URL.
export const readRedirectSearch = (search: Record<string, unknown>): RedirectSearch => ({
  redirect: internalPath(search['redirect']),
});

interface MemberSearch {
  readonly search?: string | undefined;
}

export const readMemberSearch = ({ search }: Record<string, unknown>): MemberSearch => ({
  search: typeof search === 'string' && search !== '' ? search : undefined,
});

interface CheckoutSearch {
  /** Result of the checkout at the payment provider. */
  readonly checkout?: 'done' | 'cancelled' | undefined;
}

export const readCheckoutSearch = ({ checkout }: Record<string, unknown>): CheckoutSearch => ({
  checkout: checkout === 'done' || checkout === 'cancelled' ? checkout : undefined,
});

interface HomeSearch {
  /** Set after linking the external identity. */
  readonly external?: 'linked' | undefined;
}

export const readHomeSearch = ({ external }: Record<string, unknown>): HomeSearch => ({
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
export const linkedPath = '/?external=linked';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The URL is untrusted: malformed values are dropped. */
export const readSignInSearch = ({ redirect, error, id }: Record<string, unknown>): SignInSearch => ({
  redirect: redirect === linkedPath ? undefined : internalPath(redirect),
  error: typeof error === 'string' && error !== '' ? error : undefined,
  id: typeof id === 'string' && uuid.test(id) ? id : undefined,
});

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
