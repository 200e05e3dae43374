/** The choice of a language that this browser remembers: for the portal, and for the server's own pages below /auth. */

const key = 'gatehouse-language';

/** Storage that is switched off remembers nothing. */
export const rememberedLanguage = (): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const yearSeconds = 31_536_000;

/**
 * The cookie that the server's pages read (`server/src/http/pages/page-language.ts`); it is sent to no other address.
 */
const cookieOf = (language: string): string =>
  `gatehouse_language=${language}; Path=/auth; Max-Age=${yearSeconds}; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`;

/** Each page that shows a remembered choice remembers it again: Safari keeps a cookie of a script for seven days. */
export const rememberLanguage = (language: string): void => {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing in supported browsers, and on http
    document.cookie = cookieOf(language);
    localStorage.setItem(key, language);
  } catch {
    // The choice holds for this page.
  }
};
