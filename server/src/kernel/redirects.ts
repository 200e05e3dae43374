/**
 * Owns the rule of redirect parameters (contract/requests.md#redirect-parameters): internal paths
 * (contract/application.md#internal-paths), and absolute URLs of the front ends
 * (contract/application.md#absolute-urls-of-a-front-end). Free of Node: the portal uses it too.
 */
import { orNull } from './attempts.ts';

const maximumLength = 2048;
const maximumDecodings = 10;

/** Two slashes, a backslash, control characters and lone surrogates; and all text that does not begin with a slash. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for
const forbiddenInPath = /^(?!\/)|[\u0000-\u001f\u007f-\u009f\u2028\u2029\\]|\/\/|\p{Surrogate}/u;

/** Also white space; and all text that does not begin with a scheme and a host without user info. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for
const forbiddenInUrl = /^(?!https?:\/\/[^/#@]+(?:[/#]|$))|[\u0000-\u001f\u007f-\u009f\s\\]|\p{Surrogate}/u;

/**
 * The path when it is internal, else null: it begins with one `/` and contains no `//`, backslash, control character,
 * scheme, host or lone surrogate, after any number of percent-decodings.
 */
export const internalPath = (candidate: unknown): string | null =>
  isShort(candidate) && isPlain(candidate, forbiddenInPath) ? candidate : null;

/**
 * The absolute URL in its parsed form when its origin is one of `origins`, else null. Before its query it has no user
 * info, backslash, white space or control character, after any number of percent-decodings.
 */
export const returnUrlOf = (candidate: unknown, origins: readonly string[]): string | null => {
  if (!isShort(candidate) || !isPlain(candidate.split('?', 1)[0] ?? '', forbiddenInUrl)) return null;
  const url = orNull(() => new URL(candidate));
  return url !== null && origins.includes(url.origin) && isShort(url.href) ? url.href : null;
};

/** The redirect of a page or a sign-in: an internal path, or an absolute URL of one of `origins` in its parsed form. */
export const redirectOf = (candidate: unknown, origins: readonly string[]): string | null =>
  internalPath(candidate) ?? returnUrlOf(candidate, origins);

export interface ReturnDeps {
  readonly settings: { readonly baseUrl: string; readonly frontendUrl: string };
  /** Origins that the application defines. */
  readonly application: { readonly origins: readonly string[] };
}

/** The origins that a redirect may lead to: those of the portal and the service first, then the application's. */
export const returnOrigins = ({ settings, application }: ReturnDeps): readonly string[] => [
  settings.frontendUrl,
  settings.baseUrl,
  ...application.origins,
];

const isShort = (candidate: unknown): candidate is string =>
  typeof candidate === 'string' && candidate.length <= maximumLength;

/** Whether the text contains nothing forbidden, now and after each percent-decoding. */
const isPlain = (text: string, forbidden: RegExp, decodings = maximumDecodings): boolean => {
  if (decodings === 0 || forbidden.test(text)) return false;
  const decoded = orNull(() => decodeURIComponent(text));
  return decoded === text || (decoded !== null && isPlain(decoded, forbidden, decodings - 1));
};
