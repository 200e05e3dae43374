/** What people type to find others by a part of a name or an address: what it may be, and the pattern that it becomes. */
import { requireValidInput } from '../../kernel/errors.ts';
import { normalizeName, type Reason } from './text-rules.ts';

/**
 * The pattern of what was typed into a field `search`.
 * @param longest in characters (code points)
 * @returns as `searchPattern`; null, which finds everybody, also when nothing was typed
 * @throws Refusal BAD_USER_INPUT naming `search`
 */
export const readSearch = (typed: string | null | undefined, longest: number): string | null => {
  const search = normalizeName(typed ?? '');
  requireValidInput({ search: searchReason(search, longest) });
  return searchPattern(search);
};

/** @param longest in characters (code points) */
export const searchReason = (search: string, longest: number): Reason => {
  if (search.length > longest * 2 || [...search].length > longest) return `Search for at most ${longest} characters.`;
  // PostgreSQL has no such character in a text.
  return search.includes('\u0000') ? 'Nobody has this character in their name or address.' : null;
};

/**
 * A pattern of LIKE that finds the text anywhere, in any case; what is special in a pattern stands for itself. Null,
 * which finds everybody, of an empty text.
 */
export const searchPattern = (search: string): string | null =>
  search === '' ? null : `%${search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
