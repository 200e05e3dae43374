/**
 * The pseudo-language `en-XA`: English with accents on its letters, longer by at least 40 percent, in brackets. Text
 * without accents on a page is no message of the portal, and a box that does not hold it would not hold a translation.
 */
import type compile from 'icu-minify/compile';
import { branchesOf, childrenOf, mapNodes, nodesOf } from '../../../server/src/kernel/compiled-messages.ts';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçďéƒǧĥíĵķľɱñóþɋřšťúṽŵẋýžÁƁÇĎÉƑǦĤÍĴĶĽṀÑÓÞɊŘŠŤÚṼŴẊÝŽ';

const accentedLetters = Array.from(accented);

const accents = new Map(Array.from(plain, (letter, index) => [letter, accentedLetters[index] ?? letter]));

const withAccents = (text: string): string => Array.from(text, (letter) => accents.get(letter) ?? letter).join('');

const words = withAccents('more words that a longer language would need here, for as long as it takes').split(' ');

/** As many words as make a text 40 percent longer, at least one. */
const padding = (length: number): string => {
  let added = '';
  for (let index = 0; added.length < length * 0.4; index += 1) added += ` ${words[index % words.length]}`;
  return added;
};

const literalLength = (nodes: readonly unknown[]): number =>
  nodes.reduce((sum: number, node) => {
    if (typeof node === 'string') return sum + node.length;
    if (!Array.isArray(node)) return sum;
    const branches = Object.values(branchesOf(node) ?? {}).map((branch) => literalLength(nodesOf(branch)));
    return sum + literalLength(childrenOf(node)) + Math.max(0, ...branches);
  }, 0);

export const pseudoMessage = (message: ReturnType<typeof compile>): unknown => {
  const end = `${padding(literalLength(nodesOf(message)))}⟧`;
  const accentedMessage = mapNodes(message, (nodes) =>
    nodes.map((node) => (typeof node === 'string' ? withAccents(node) : node)),
  );
  return typeof accentedMessage === 'string' ? `⟦${accentedMessage}${end}` : ['⟦', ...nodesOf(accentedMessage), end];
};
