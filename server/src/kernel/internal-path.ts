/**
 * Redirect parameters: only a path of this service is ever followed (contract, "Browser routes").
 */

const maximumLength = 2048;
const maximumDecodings = 10;

/**
 * The path when it is internal, else null: it begins with one `/` and holds no `//`, backslash, control character,
 * scheme or host, after any number of percent-decodings. A lone surrogate has no encoding, so no link could carry it.
 */
export const internalPath = (candidate: unknown): string | null => {
  if (typeof candidate !== 'string' || candidate.length > maximumLength) return null;
  let text = candidate;
  for (let round = 0; round < maximumDecodings; round += 1) {
    if (!isPlainPath(text)) return null;
    const decoded = decodeOnce(text);
    if (decoded === null) return null;
    if (decoded === text) return candidate;
    text = decoded;
  }
  return null;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for
const forbidden = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\\]|\/\/|\p{Surrogate}/u;

const isPlainPath = (text: string): boolean => text.startsWith('/') && !forbidden.test(text);

const decodeOnce = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};
