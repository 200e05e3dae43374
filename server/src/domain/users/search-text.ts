/** What people type to find others by a part of a name or an address: what it may be, and the pattern that it becomes. */
import type { Reason } from './text-rules.ts';

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
