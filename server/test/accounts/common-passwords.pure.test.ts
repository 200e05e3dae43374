/** The block-list of passwords: it refuses the most common ones, and none that is hard to guess. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { demoPassword } from '../../src/cli/demo/demo-data.ts';
import { passwordReason } from '../../src/domain/users/text-rules.ts';

const fits = (password: string): boolean => passwordReason(password, false) === null;
const isRefused = (password: string): boolean => passwordReason(password, true) !== null;

/** Beginnings that published lists of leaked passwords share, most frequent first. */
const beginnings = `password welcome qwerty admin abc india summer winter hello test football michael passw0rd p@ssword
  p@ssw0rd monkey dragon iloveyou letmein sunshine princess baseball master shadow superman spring autumn jordan jennifer
  hunter charlie daniel thomas robert andrew joshua ashley jessica nicole amanda michelle matthew anthony william
  liverpool chelsea arsenal london america canada computer internet samsung google apple microsoft facebook starwars
  pokemon batman killer soccer hockey tigger ginger pepper cookie cheese banana orange purple flower silver golden diamond
  freedom whatever secret access login user guest system server changeme january february march april june july august
  september october november december monday friday saturday sunday krishna maria carlos fernando alexander qwertyuiop
  asdfgh zxcvbn`.split(/\s+/);

/** How people extend them to satisfy the rules, most frequent first. */
const endings =
  `1! 123! @123 1. @1 123. #1 1@ 1234! @1234 12! 123@ 01! 2023! 2024! @2023 @2024 2022! @2022 2021! 2020! @2020
  @12 11! 12345! @12345 1# 123# $1 7!`.split(/\s+/);

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const common = beginnings
  .flatMap((word) => endings.map((ending) => capitalized(word) + ending))
  .filter((password) => password.length >= 8)
  .slice(0, 3000);

const walks = `!QAZ2wsx 1qaz@WSX !QAZ@WSX1qaz Zaq1@wsx ZAQ!2wsx zaq1@WSX 1qaz!QAZ @WSX3edc 3edc$RFV 4rfv%TGB Qwer1234!
  Qwer!234 Qwert123! Qwerty1! Qwertyuiop1! Asdf1234! Asdf@123 Asdfgh1! Asdfghjkl1! Zxcvbnm1! Zxcv1234! 1q2w3e4R! Q1w2e3r4!
  !Q2w3e4r !Q2w#E4r 1Q2w3e4r5t! Qazwsx1! Qazwsx123! Qaz123!@# !QAZ2wsx#EDC4rfv Poiuyt1! Mnbvcxz1! Abcd1234! Abcd@1234
  Abc12345! Abcdef1! A1b2c3d4! Aa123456! Aa@123456 Aaaaaa1! Aa12345678. Qq123456! Qweasd123! Qweasdzxc1! Azerty123! Qwertz123!
  1234Qwer! 1234Abcd! Covid2020! Bitcoin1! Fortnite1! Contraseña1! 123456Aa! 12345678Aa. Zz123456! !@#QWE123qwe`.split(
  /\s+/,
);

/** Walks and sequences that take turns, with signs by shift, and characters that are each typed as often. */
const decorated =
  `Q!w2e3r4 q!W2e3r4 Q1w@e3r4 Q!w@e#r4 1Q@w3e4r A!s2d3f4 Z1x2c3v! Qw12er34! Qw!@er34 12Qw34er! Q1!w2@e3# 1Qa!2ws@
  A1!b2@c3# Aa11223344! Aa1122334! Qq11223344. Aa112233!! Aabbcc112233! 11223344Aa! Aa111222333! Zz998877! Aa00112233#
  Qqwwee112233! AA11bb22! Password1122! Aa22446688! 1122!!Qq`.split(/\s+/);

const mostTried = 500;
const fewestTried = 100;

/** Rows of as many pseudo-random numbers below 256, identical in every run. */
const randomRows = (width: number, count: number): number[][] => {
  const bytes = createHash('shake256', { outputLength: width * count })
    .update(`rows of ${width}`)
    .digest();
  return Array.from({ length: count }, (_, row) => [...bytes.subarray(row * width, (row + 1) * width)]);
};

const picked = <T>(from: readonly [T, ...T[]], number: number | undefined): T =>
  from[(number ?? 0) % from.length] ?? from[0];

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@.#$!%*?&';
const random = (length: number, most: number): string[] =>
  randomRows(length, mostTried * 10)
    .map((row) => row.map((number) => alphabet[number % alphabet.length]).join(''))
    .filter(fits)
    .slice(0, most);

const words =
  `anchor biscuit cactus ember fjord granite harvest igloo jasmine kettle lantern meadow nickel oyster parsnip
  quarry ribbon saddle thicket umbrella velvet walnut yonder zephyr`.split(/\s+/);
const passphrases = (): string[] =>
  randomRows(4, mostTried * 2)
    .map(([first, second, digits = 0, sign]) => ({
      first: words[(first ?? 0) % words.length] ?? '',
      second: words[(second ?? 0) % words.length] ?? '',
      end: digits % 100,
      sign: picked(['.', '!', '#', '&'], sign),
    }))
    .filter(({ first, second }) => first !== second)
    .map(({ first, second, end, sign }) => `${capitalized(first)}${sign}${second}${end}`)
    .slice(0, mostTried);

const expectPassed = (passwords: readonly string[]): void => {
  expect(passwords.length).toBeGreaterThanOrEqual(fewestTried);
  expect(passwords.filter(isRefused)).toEqual([]);
};

describe('The block-list of passwords', () => {
  // Contract: accounts#common-passwords — PASSWORD_BLOCKLIST: the 3,000 most common passwords that fit the rules
  it('refuses 3,000 common words with the usual substitutions and endings', () => {
    expect(new Set(common).size).toBe(3000);
    expect(common.filter((password) => !fits(password))).toEqual([]);
    expect(common.filter((password) => !isRefused(password))).toEqual([]);
  });

  // Contract: accounts#common-passwords — PASSWORD_BLOCKLIST: keyboard walks
  it('refuses keyboard walks, sequences and repetitions', () => {
    expect(walks.filter((password) => !fits(password))).toEqual([]);
    expect(walks.filter((password) => !isRefused(password))).toEqual([]);
  });

  it('refuses walks and sequences that take turns, and repeated digits', () => {
    expect(decorated.filter((password) => !fits(password))).toEqual([]);
    expect(decorated.filter((password) => !isRefused(password))).toEqual([]);
  });

  it.each(['Mango!48rivet', 'Tr4in.window', 'k7#Lpw2Qx', 'Heron22&maple', 'Blue!1133fox', 'Otter.77lake', '9Gj!vm4Rt'])(
    'accepts a good password with a pair or a sign in it: %s',
    (password) => {
      expect({ fits: fits(password), isRefused: isRefused(password) }).toEqual({ fits: true, isRefused: false });
    },
  );

  // Contract: accounts#common-passwords — PASSWORD_BLOCKLIST: the demo password
  it('refuses the password of the demo accounts and its variations', () => {
    for (const password of [demoPassword, demoPassword.toUpperCase().replace('MO', 'mo'), `${demoPassword}!`]) {
      expect({ fits: fits(password), isRefused: isRefused(password) }).toEqual({ fits: true, isRefused: true });
    }
  });

  // Contract: accounts#common-passwords — PASSWORD_BLOCKLIST refuses no good password
  it.each([
    [8, mostTried],
    [12, mostTried],
    // The longer the password, the smaller the probability of a false refusal.
    [40, fewestTried],
  ])('accepts random passwords of %i characters', (length, most) => expectPassed(random(length, most)));

  it('accepts two uncommon words with a special character and a digit', () => expectPassed(passphrases()));
});
