/**
 * The redirect of an invitation, followed when it is accepted. A person who signs in first comes back by a path, in
 * which no absolute URL can stand, so that the tab's sessionStorage keeps it meanwhile.
 */
import { originsOfPage, readRedirect } from '../../url-parameters.ts';

/** One entry for each invitation, under a part of the token that opens nothing. */
const keyOf = (token: string): string => `gatehouse-redirect-${token.slice(-8)}`;

/** Keeps the redirect; when the browser denies its storage, the home page follows. */
export const keepRedirect = (token: string, redirect: string | undefined): void => {
  try {
    if (redirect !== undefined) sessionStorage.setItem(keyOf(token), redirect);
  } catch {
    // Quota exceeded or access denied.
  }
};

export const findRedirect = (token: string): string | undefined => {
  try {
    return readRedirect(sessionStorage.getItem(keyOf(token)), originsOfPage());
  } catch {
    return undefined;
  }
};
