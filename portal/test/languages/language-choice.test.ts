/** Which language the portal begins with. */
import { describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../src/languages/preference.ts';

const nothing = { asked: null, remembered: null, accepted: [] };

describe('the language at the start', () => {
  it.each([
    {
      wish: 'that of ?lang, before every other',
      wishes: { asked: 'de', remembered: 'en', accepted: ['en'] },
      is: 'de',
    },
    {
      wish: 'the remembered one, before those of the browser',
      wishes: { remembered: 'de', accepted: ['en'] },
      is: 'de',
    },
    { wish: 'the first of the browser that exists', wishes: { accepted: ['xx', 'de-CH', 'en-GB'] }, is: 'de' },
    { wish: 'English without any wish', wishes: {}, is: 'en' },
    { wish: 'that of a region', wishes: { asked: 'de-AT' }, is: 'de' },
    { wish: 'that of a POSIX locale', wishes: { accepted: ['de_DE.UTF-8', 'en'] }, is: 'de' },
    { wish: 'Japanese', wishes: { accepted: ['ja-JP', 'en'] }, is: 'ja' },
    { wish: 'found in any case', wishes: { asked: 'DE' }, is: 'de' },
    { wish: 'the next when ?lang does not exist', wishes: { asked: 'tlh', accepted: ['de'] }, is: 'de' },
    { wish: 'the next when ?lang is no tag', wishes: { asked: '../de', remembered: 'de' }, is: 'de' },
    { wish: 'the next when the remembered one is gone', wishes: { remembered: 'xx', accepted: ['de'] }, is: 'de' },
    { wish: 'the pseudo-language when it is asked for', wishes: { asked: 'en-XA' }, is: 'en-XA' },
    { wish: 'never the pseudo-language for the browser’s wish', wishes: { accepted: ['en-XA'] }, is: 'en' },
    { wish: 'English for a name of an object’s own', wishes: { asked: 'constructor' }, is: 'en' },
  ])('is $wish', ({ wishes, is }) => {
    expect(chooseLanguage({ ...nothing, ...wishes })).toBe(is);
  });
});
