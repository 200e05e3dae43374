/**
 * The block-list of passwords. The composition rules leave few of the usual lists standing, and what people choose under
 * them is nearly always a common word or a walk on the keyboard, capitalized, with digits and a sign behind it. So the
 * block-list holds no such passwords: it estimates how many guesses find one (`guess-cost.ts`), from the list of
 * common passwords of `@zxcvbn-ts/language-common` and the words below.
 */
import { createRequire } from 'node:module';
import { guessCost, type WordRanks } from './guess-cost.ts';

/** The password of the demo accounts: it stands in the source, so it is refused wherever the block-list is on. */
export const demoAccountPassword = 'Demo.gate1';

/** Passwords that fewer guesses find than ten to this power are refused; of random ones of 8 characters, one in 10,000. */
const leastCost = 7;

/** What the list lacks or knows from before they were common: beginnings, words of forms and of today, and our own. */
const moreWords = `01 10 11 12 13 21 22 23 69 77 88 99 00 786 abc abcd abcdef abcdefgh qwe asd zxc qaz wsx edc pwd login welcometo signin signup temp1234 passwort kennwort
  contrasena motdepasse wachtwoord senha qwertz company office business guest india
  facebook instagram google amazon netflix youtube android iphone january february march april june july august
  september october november december monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall
  winter gatehouse`;

/** Common in leaks, though made of nothing common: programs signed up with them. */
const leaked = ['fxzZ75$yer', 'friendofEarning$1', 'L58jkdjP!m', 'ZV_!80lo', '2scU33w#', 'gR@p3Ap3', 'Aug!272010'];

const rankOfMoreWords = 25;

/**
 * Whether guessing finds a password soon: a common one, a common word or a walk on the keyboard with digits, signs or
 * look-alike letters, the password of the demo accounts.
 * @param password of at most 40 characters
 */
export const isCommonPassword = (password: string): boolean => guessCost(password, wordRanks(), leastCost) < leastCost;

let known: WordRanks | undefined;

/** Read on first use: it takes 40 ms and 16 MB, which a process without the block-list does without. */
const wordRanks = (): WordRanks => {
  known ??= ranked(commonWords());
  return known;
};

const ranked = (words: readonly string[]): WordRanks => {
  const ranks = new Map<string, number>();
  const shortestWord = 3;
  for (const [index, word] of words.entries()) {
    if (word.length >= shortestWord && !ranks.has(word)) ranks.set(word, index + 1);
  }
  for (const word of moreWords.split(/\s+/)) ranks.set(word, rankOfMoreWords);
  for (const password of [demoAccountPassword, ...leaked]) ranks.set(password.toLowerCase(), 1);
  return ranks;
};

/** The most common one first, all in lower case. @throws Error when the package has another form */
const commonWords = (): readonly string[] => {
  const required: unknown = createRequire(import.meta.url)('@zxcvbn-ts/language-common');
  const { dictionary } = required as { readonly dictionary?: Readonly<Record<string, readonly string[]>> };
  const words = dictionary?.['passwords-common'];
  if (words === undefined || words.length === 0) throw new Error('@zxcvbn-ts/language-common has no common passwords.');
  return words;
};
