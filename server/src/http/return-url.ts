/**
 * Owns which absolute URLs a sign-in may lead back to (contract, application.md, "Origins and the way back"): pages of
 * the portal, of the service and of the application's front ends.
 */

interface ReturnSettings {
  readonly baseUrl: string;
  readonly frontendUrl: string;
  /** Origins that the application defines. */
  readonly origins: readonly string[];
}

const maximumLength = 2048;
const maximumDecodings = 10;

/**
 * The absolute http(s) URL in its parsed form when its origin is one of the settings', else null.
 * @param candidate any text, such as a URL that a proxy forwards; at most 2,048 characters are accepted
 */
export const returnUrlOf = (candidate: string, { baseUrl, frontendUrl, origins }: ReturnSettings): string | null => {
  if (candidate.length > maximumLength || !/^https?:\/\/[^/]/.test(candidate) || !URL.canParse(candidate)) return null;
  if (!isPlain(candidate.split('?', 1)[0] ?? '')) return null;
  const { href, origin, username, password } = new URL(candidate);
  if (username !== '' || password !== '') return null;
  return [frontendUrl, baseUrl, ...origins].includes(origin) ? href : null;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for
const forbidden = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]|\s|\p{Surrogate}/u;

/** Whether what stands before a query contains nothing forbidden, after any number of percent-decodings. */
const isPlain = (beforeQuery: string): boolean => {
  let text = beforeQuery;
  for (let round = 0; round < maximumDecodings; round += 1) {
    if (forbidden.test(text)) return false;
    const decoded = decodeOnce(text);
    if (decoded === null) return false;
    if (decoded === text) return true;
    text = decoded;
  }
  return false;
};

const decodeOnce = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};
