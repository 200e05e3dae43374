/**
 * The pseudo-language `en-XA`: English with accents on its letters, longer by at least 40 percent, in brackets. Text
 * without accents on a page is no message of the portal, and a box that does not hold it would not hold a translation.
 */
import type compile from 'icu-minify/compile';

type Compiled = ReturnType<typeof compile>;

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçďéƒǧĥíĵķľɱñóþɋřšťúṽŵẋýžÁƁÇĎÉƑǦĤÍĴĶĽṀÑÓÞɊŘŠŤÚṼŴẊÝŽ';

const accents = new Map([...plain].map((letter, index) => [letter, [...accented][index] ?? letter]));

const withAccents = (text: string): string => [...text].map((letter) => accents.get(letter) ?? letter).join('');

const words = withAccents('more words that a longer language would need here, for as long as it takes').split(' ');

/** As many words as make a text 40 percent longer, at least one. */
const padding = (length: number): string => {
  let added = '';
  for (let index = 0; added.length < length * 0.4; index += 1) added += ` ${words[index % words.length]}`;
  return added;
};

const literalLength = (node: unknown): number => {
  if (typeof node === 'string') return node.length;
  if (Array.isArray(node)) return node.slice(1).reduce((sum: number, part) => sum + literalLength(part), 0);
  if (typeof node !== 'object' || node === null) return 0;
  return Math.max(0, ...Object.values(node).map(literalLength));
};

/** A node of icu-minify: a text, `[argument]`, `[argument, type, options]`, or `[tag, …children]`. */
const pseudoNode = (node: unknown): unknown => {
  if (typeof node === 'string') return withAccents(node);
  if (!Array.isArray(node)) return node;
  const [name, type, options, ...rest] = node;
  if (typeof type !== 'number') return [name, ...node.slice(1).map(pseudoNode)];
  // The style of a number, a date or a time is no text.
  if (typeof options !== 'object' || options === null || type > 3) return node;
  const branches = Object.entries(options).map(([key, branch]) => [key, pseudoBranch(branch)]);
  return [name, type, Object.fromEntries(branches), ...rest];
};

/** A branch is a text, the number itself, or a list of nodes. */
const pseudoBranch = (branch: unknown): unknown =>
  Array.isArray(branch) ? branch.map(pseudoNode) : pseudoNode(branch);

export const pseudoMessage = (message: Compiled): unknown => {
  const nodes: readonly unknown[] = typeof message === 'string' ? [message] : message;
  const length = nodes.reduce((sum: number, node) => sum + literalLength(node), 0);
  const inside = nodes.map(pseudoNode);
  const end = `${padding(length)}⟧`;
  return typeof message === 'string' ? `⟦${String(inside[0])}${end}` : ['⟦', ...inside, end];
};
