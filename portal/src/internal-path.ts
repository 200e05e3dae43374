/** Redirect parameters: only a path of this service is ever followed. */

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

/** Paths that the server answers itself, with pages and redirects of its own: they need a full page load. */
export const isServerPath = (path: string): boolean => /^\/(?:auth|dev)\//.test(path);
