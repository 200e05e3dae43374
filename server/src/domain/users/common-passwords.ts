/** The block-list of common passwords: refuses those that the composition rules allow and that a guesser finds soon. */
import { createRequire } from 'node:module';

// Few passwords of the usual lists satisfy the composition rules. Those chosen under the rules are mostly a common word
// or a keyboard walk, capitalized and followed by digits and a sign. The block-list therefore estimates the number of
// guesses that find a password, from the common passwords of `@zxcvbn-ts/language-common` and the words below.

/** The password of the demo accounts. It is public in the source, so it is refused wherever the block-list is on. */
export const demoAccountPassword = 'Demo.gate1';

/** The power of ten of guesses below which a password is refused: 1 in 10,000 random ones of 8 characters. */
const leastCost = 7;

/** Words that the list lacks or ranks too low. */
const moreWords = `1357 2468 01 10 11 12 13 21 22 23 69 77 88 99 00 786 abc abcd abcdef abcdefgh qwe asd zxc qaz wsx edc pwd login welcometo signin signup temp1234 passwort kennwort
  contrasena contraseña covid covid19 corona bitcoin crypto fortnite minecraft roblox tiktok whatsapp netflix spotify
  motdepasse wachtwoord senha qwertz company office business guest india
  facebook instagram google amazon youtube android iphone january february march april june july august
  september october november december monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall
  winter gatehouse`;

/** Common in leaks without common parts: programs signed up with them. */
const leaked = ['fxzZ75$yer', 'friendofEarning$1', 'L58jkdjP!m', 'ZV_!80lo', '2scU33w#', 'gR@p3Ap3', 'Aug!272010'];

const rankOfMoreWords = 25;

/** Whether a password is soon guessed, or that of the demo accounts. @param password of at most 40 characters */
export const isCommonPassword = (password: string): boolean => guessCost(password, wordRanks(), leastCost) < leastCost;

let known: WordRanks | undefined;

/** Read on first use: it takes 40 ms and 16 MB, which a process without the block-list saves. */
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

/** The common words in lower case, most common first. @throws Error: the package has another format */
const commonWords = (): readonly string[] => {
  const required: unknown = createRequire(import.meta.url)('@zxcvbn-ts/language-common');
  const { dictionary } = required as { readonly dictionary?: Readonly<Record<string, readonly string[]>> };
  const words = dictionary?.['passwords-common'];
  if (words === undefined || words.length === 0) throw new Error('@zxcvbn-ts/language-common has no common passwords.');
  return words;
};

// Guess cost: the base-10 logarithm of the guesses that find a password as words, keyboard walks, sequences and years,
// with the changes that people make for composition rules. Pure; the words are a parameter.

/** The rank of each common word, in lower case: 1 is the most common one. */
type WordRanks = ReadonlyMap<string, number>;

/** For each part except the first: its position has to be guessed too. */
const partCost = 0.3;
/** For look-alike digits and signs, and for a reversed word. */
const disguiseCost = 0.3;
/** For the way in which walks, sequences or characters take turns. */
const turnCost = 0.5;
const shortestRun = 3;
/** Many random texts contain a shorter walk, unless it is straight and begins at an edge of the keyboard. */
const shortestWalk = 4;

/**
 * The cost of the cheapest reading; one that costs `limit` is abandoned, so that a long text takes no longer.
 * @param password of at most 40 characters
 * @returns infinity for `limit` or more
 */
const guessCost = (password: string, ranks: WordRanks, limit: number): number => {
  const costs = [0];
  for (let end = 1; end <= password.length; end += 1) {
    let cheapest = Number.POSITIVE_INFINITY;
    for (const [start, before] of costs.entries()) {
      const bound = Math.min(cheapest, limit);
      const place = before + (start > 0 ? partCost : 0);
      if (place >= bound) continue;
      const cost = place + costOfPart(password.slice(start, end), ranks, limit);
      if (cost < bound) cheapest = cost;
    }
    costs.push(cheapest);
  }
  return costs.at(-1) ?? 0;
};

const costOfPart = (part: string, ranks: WordRanks, limit: number): number => {
  if (part.length === 1) return costOfCharacter(part);
  const word = costOfWord(part, ranks);
  if (part.length < shortestRun) return word;
  return Math.min(
    word,
    costOfWalk(part),
    costOfSequence(part),
    costOfTurns(part),
    costOfRepetition(part, ranks, limit),
    costOfRuns(part, ranks, limit),
    costOfYear(part),
  );
};

const costOfCharacter = (character: string): number => {
  if (/[0-9]/.test(character)) return 1;
  if (/[@!.]/.test(character)) return 0.6;
  if (/[#$%*?&_-]/.test(character)) return 0.9;
  return /[a-z]/i.test(character) ? 1.5 : 2;
};

const lookAlikes: readonly Readonly<Record<string, string>>[] = [
  { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g', '@': 'a', $: 's', '!': 'i' },
  { '0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '6': 'g', '7': 't', '@': 'a', $: 's', '!': 'l' },
];

const costOfWord = (part: string, ranks: WordRanks): number => {
  const lower = part.toLowerCase();
  const disguised = [
    [...lower].reverse().join(''),
    ...lookAlikes.map((letters) => lower.replace(/[0-9@$!]/g, (sign) => letters[sign] ?? sign)),
  ];
  const rankCost = Math.min(
    Math.log10(ranks.get(lower) ?? Number.POSITIVE_INFINITY),
    ...disguised.map((word) => Math.log10(ranks.get(word) ?? Number.POSITIVE_INFINITY) + disguiseCost),
  );
  return rankCost + costOfCase(part);
};

const costOfCase = (part: string): number => {
  if (!/[A-Z]/.test(part)) return 0;
  if (/^[^a-z]*$/.test(part)) return 0.3;
  if (/^[^a-z]?[^A-Z]*$/.test(part)) return 0.1;
  return /^[^A-Z]*[A-Z]$/.test(part) ? 0.3 : 1;
};

/** Keys of the most common layout, in rows from the top; the second character of each key is typed with shift. */
const rows: readonly (readonly [unshifted: string, shifted: string])[] = [
  ['`1234567890-=', '~!@#$%^&*()_+'],
  [' qwertyuiop[]', ' QWERTYUIOP{}'],
  [" asdfghjkl;'", ' ASDFGHJKL:"'],
  [' zxcvbnm,./', ' ZXCVBNM<>?'],
];

interface Key {
  readonly row: number;
  readonly column: number;
  readonly isShifted: boolean;
}

const keys: ReadonlyMap<string, Key> = new Map(
  rows.flatMap((row, index) =>
    row.flatMap((characters, level) =>
      [...characters].flatMap((character, column): [string, Key][] =>
        character === ' ' ? [] : [[character, { row: index, column, isShifted: level === 1 }]],
      ),
    ),
  ),
);

/** The direction from a key to an adjacent one; null when the keys are not adjacent. */
const directionOf = (from: Key, to: Key): string | null => {
  const [down, right] = [to.row - from.row, to.column - from.column];
  // Each row is offset by half a key to the right of the one above it.
  const isNear =
    (down === 0 && Math.abs(right) === 1) ||
    (down === 1 && (right === 0 || right === -1)) ||
    (down === -1 && (right === 0 || right === 1));
  return isNear ? `${down},${right}` : null;
};

/** `qwerty`, `1qaz`, `!Q2w3e`: the cost grows with the changes of direction and of shift. */
const costOfWalk = (part: string): number => {
  const steps = stepsOf(part);
  if (steps === null) return Number.POSITIVE_INFINITY;
  const directionChanges = steps.filter(
    ({ direction }, index) => index > 0 && direction !== steps[index - 1]?.direction,
  ).length;
  const shifts = steps.filter(({ changesShift }) => changesShift).length;
  const isDown = steps[0]?.direction === '1,0' && /^[0-9!@#$%^&*()]/.test(part);
  const isUsual = directionChanges === 0 && (isDown || /^[1qaz!QAZ]/.test(part));
  if (part.length < shortestWalk && !isUsual) return Number.POSITIVE_INFINITY;
  return (isUsual ? 1 : 1.6) + 0.4 * directionChanges + 0.6 * shifts;
};

interface Step {
  readonly direction: string;
  readonly changesShift: boolean;
}

/** The steps of a walk; null when a character is on no key or not adjacent to the last one. */
const stepsOf = (part: string): readonly Step[] | null => {
  const steps: Step[] = [];
  for (let index = 1; index < part.length; index += 1) {
    const [from, to] = [keys.get(part.charAt(index - 1)), keys.get(part.charAt(index))];
    const direction = from === undefined || to === undefined ? null : directionOf(from, to);
    if (direction === null) return null;
    steps.push({ direction, changesShift: from?.isShifted !== to?.isShifted });
  }
  return steps;
};

/** `abc`, `4321`, `aaaa`: the cost of a sequence. */
const costOfSequence = (part: string): number => {
  const lower = part.toLowerCase();
  if (!/^(?:[a-z]+|[0-9]+|(.)\1+)$/.test(lower)) return Number.POSITIVE_INFINITY;
  const step = lower.charCodeAt(1) - lower.charCodeAt(0);
  if (Math.abs(step) > 1) return Number.POSITIVE_INFINITY;
  for (let index = 2; index < lower.length; index += 1) {
    if (lower.charCodeAt(index) - lower.charCodeAt(index - 1) !== step) return Number.POSITIVE_INFINITY;
  }
  return (/^[a0-9z]/.test(lower) ? 0.4 : 2) + Math.log10(part.length) / 2 + costOfCase(part);
};

/** The first half of a longer text alone costs enough, or is repeated. */
const longestTurns = 16;

/** How walks and sequences are written in turn: how many, and how many characters of each at a time. */
const turns = [
  { count: 2, taken: 1 },
  { count: 2, taken: 2 },
  { count: 3, taken: 1 },
];

/** `Q!w2e3r4`, `qw12er34`, `q1!w2@e3#`: the cost of walks and sequences that take turns. */
const costOfTurns = (part: string): number =>
  part.length > longestTurns
    ? Number.POSITIVE_INFINITY
    : Math.min(
        ...turns.map(({ count, taken }) => {
          if (part.length < count * shortestRun) return Number.POSITIVE_INFINITY;
          const texts = Array.from({ length: count }, (_, turn) =>
            [...part].filter((_character, index) => Math.floor(index / taken) % count === turn).join(''),
          );
          return texts.reduce((cost, text) => cost + Math.min(costOfWalk(text), costOfSequence(text)), turnCost);
        }),
      );

/** `ababab`: the cost of the repeated part and of the number of repetitions. */
const costOfRepetition = (part: string, ranks: WordRanks, limit: number): number => {
  const [, beginning = ''] = /^(.{2,8}?)\1+$/i.exec(part) ?? [];
  if (beginning === '') return Number.POSITIVE_INFINITY;
  return guessCost(beginning, ranks, limit) + Math.log10(part.length / beginning.length) + costOfCase(part) / 2;
};

/** `11223344`, `aaabbb`: the cost of a text of which each character is typed as often. */
const costOfRuns = (part: string, ranks: WordRanks, limit: number): number => {
  const times = /^(.)\1+/i.exec(part)?.[0].length ?? 1;
  if (times === 1 || times === part.length || part.length % times !== 0) return Number.POSITIVE_INFINITY;
  const runs = Array.from({ length: part.length / times }, (_, run) => part.slice(run * times, (run + 1) * times));
  const typed = runs.map((run) => run.charAt(0));
  const isOfRuns = runs.every((run, index) => run.toLowerCase() === typed[index]?.toLowerCase().repeat(times));
  return isOfRuns ? guessCost(typed.join(''), ranks, limit) + turnCost : Number.POSITIVE_INFINITY;
};

const costOfYear = (part: string): number =>
  /^(?:19[4-9][0-9]|20[0-4][0-9])$/.test(part) ? 1.4 : Number.POSITIVE_INFINITY;
