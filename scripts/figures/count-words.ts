/** Counts listed words in texts and in names. */

/** How often each word occurs, most frequent first, without those that do not. */
export type WordCounts = readonly (readonly [word: string, count: number])[];

/** @param words of lower case; a phrase has its words separated by a space */
export const countWords = (texts: readonly string[], words: readonly string[]): WordCounts => {
  const pattern = new RegExp(`\\b(${words.join('|')})[sd]?\\b`, 'g');
  const counts = new Map<string, number>();
  for (const text of texts) {
    // The lines of a comment begin with an asterisk, and a phrase may continue in the next line.
    for (const [, word = ''] of text
      .toLowerCase()
      .replace(/[\s*]+/g, ' ')
      .matchAll(pattern))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1));
};

/** The words of `liveSessions`, `LIVE_SESSIONS` or `live-sessions.ts`. */
export const wordsOfName = (name: string): string =>
  name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .replace(/[-_./]+/g, ' ')
    .toLowerCase();
