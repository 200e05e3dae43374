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
