/**
 * Passwords that guessing tries first. The composition rules leave few of the usual lists standing, and what is left
 * is nearly always a common word dressed up: `Password1!`, `Qwerty123.`, `W3lcome!`. So the word below the dress is
 * what is looked up.
 */

const commonWords = new Set(
  `password passwort passw0rd qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc abc abcd
  abcdef abcdefg abcdefgh letmein welcome welcometo admin administrator root login logon master hello monkey dragon
  sunshine princess football baseball basketball superman batman spiderman starwars pokemon iloveyou trustno shadow
  michael jennifer jordan michelle daniel thomas robert charlie ashley jessica nicole hannah andrew matthew joshua
  anthony amanda samantha summer winter spring autumn january february march april june july august september october
  november december monday tuesday wednesday thursday friday saturday sunday test tester testing testtest demo guest
  user username changeme change default secret mysecret access internet computer server service system office company
  business google facebook apple microsoft windows samsung love lovely hunter ranger buster soccer hockey killer george
  andrea maggie ginger cookie cheese banana orange pepper flower silver golden purple freedom whatever computer pass
  passwd pwd mypassword newpassword mypass temp temporary money lucky family forever angel angels heaven jesus christ
  gatehouse security secure private nothing something blink nintendo playstation liverpool chelsea arsenal barcelona
  london paris berlin newyork america canada australia germany france england`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const leet: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const lettersOnly = (text: string): string => text.replaceAll(/[^a-z]/g, '');
const undressed = (text: string): string => text.replaceAll(/[01345780@$!]/g, (sign) => leet[sign] ?? sign);

/** Whether a password is a common word with digits, signs or look-alike letters around or in it, or a mere repetition. */
export const isCommonPassword = (password: string): boolean => {
  const lower = password.toLowerCase();
  const core = lower.replace(/^[^a-z@$]+/, '').replace(/[^a-z]+$/, '');
  const candidates = [lettersOnly(lower), lettersOnly(undressed(core)), lettersOnly(undressed(lower))];
  return candidates.some((candidate) => commonWords.has(candidate)) || new Set(lower).size < 5;
};
