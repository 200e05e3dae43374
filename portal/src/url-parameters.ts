/** Parameters of the portal's URLs, validated: redirect targets, link tokens, and the search parameters of each page. */

const longestPath = 2048;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for
const forbidden = /\/\/|[\\\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/u;

/**
 * The path when it is internal: it begins with one `/`, and neither it nor any percent-decoding of it holds `//`, a
 * backslash, a control character or a lone surrogate, so that no reader of it can find a scheme or a host.
 */
export const internalPath = (candidate: unknown): string | undefined => {
  if (typeof candidate !== 'string' || candidate.length > longestPath) return undefined;
  let text = candidate;
  for (;;) {
    if (!text.startsWith('/') || forbidden.test(text)) return undefined;
    const decoded = decodeOnce(text);
    if (decoded === undefined) return undefined;
    // Each decoding that changes anything shortens the text, so this ends.
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
 * Pages that the server answers itself: they need a full page load. Their exact shapes, so that no server behind a proxy
 * reads another address in one.
 */
export const isServerPath = (path: string): boolean =>
  /^\/(?:auth\/mcp\/continue\/[\w-]+|dev\/mailbox)(?:[?#]|$)/.test(path);

/**
 * Where a redirect parameter leads: the path where it is internal, else the start. Anybody can have written it, so it
 * never leads out to the provider: what the portal follows by itself counts as its own wish there, and would connect the
 * account of who is signed in here to whoever is signed in there.
 */
export const landingPath = (candidate: unknown): string => {
  const path = internalPath(candidate) ?? '/';
  return isServerPath(path) || !/^\/auth(?:\/|$)/.test(plainPath(path)) ? path : '/';
};

/** As a server reads it: dots resolved, escapes undone. */
const plainPath = (path: string): string => decodeURIComponent(new URL(path, 'http://internal').pathname);

interface RedirectSearch {
  readonly redirect?: string | undefined;
}

// The key is always there: the router fills in what a route leaves out with the unchecked text of the address.
export const readRedirect = (search: Record<string, unknown>): RedirectSearch => ({
  redirect: internalPath(search['redirect']),
});

interface MemberSearch {
  readonly search?: string | undefined;
}

export const readMemberSearch = ({ search }: Record<string, unknown>): MemberSearch => ({
  search: typeof search === 'string' && search !== '' ? search : undefined,
});

interface CheckoutSearch {
  /** How a visit to the payment provider ended. */
  readonly checkout?: 'done' | 'cancelled' | undefined;
}

export const readCheckout = ({ checkout }: Record<string, unknown>): CheckoutSearch => ({
  checkout: checkout === 'done' || checkout === 'cancelled' ? checkout : undefined,
});

interface HomeSearch {
  /** The person comes back from the outside provider, with which they can sign in now. */
  readonly external?: 'linked' | undefined;
}

export const readHome = ({ external }: Record<string, unknown>): HomeSearch => ({
  external: external === 'linked' ? external : undefined,
});

interface SignInSearch {
  readonly redirect?: string | undefined;
  /** Why a sign-in or a link by the provider ended, as a code. */
  readonly error?: string | undefined;
  /** Under this id the server's log has it. */
  readonly id?: string | undefined;
}

/** Comes back from the provider once the account is linked. Whoever is sent to /signin instead has linked nothing. */
export const linkedPath = '/?external=linked';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Anybody can write an address: of what is none of ours, nothing is shown. */
export const readSignIn = ({ redirect, error, id }: Record<string, unknown>): SignInSearch => ({
  redirect: redirect === linkedPath ? undefined : internalPath(redirect),
  error: typeof error === 'string' && error !== '' ? error : undefined,
  id: typeof id === 'string' && uuid.test(id) ? id : undefined,
});

/** Tokens as the service makes them: of verification mails, and of invitations. */
const token = /(?<![\da-f])(?:[\da-f]{64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\da-f])/g;

/** The token alone. Where none can be told apart, only blanks, and what is no part of a word at the ends, is taken out. */
export const pastedToken = (text: string): string => {
  const unbroken = text.replaceAll(/[\s\u200b-\u200d\u2060\ufeff]+/gu, '');
  const [found, another] = unbroken.match(token) ?? [];
  return found !== undefined && another === undefined ? found : unbroken.replaceAll(/^[^\w-]+|[^\w-]+$/g, '');
};
