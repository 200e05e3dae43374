/** Which language a tag or an Accept-Language header asks for, by RFC 4647 lookup, and that bad input asks for none. */
import { describe, expect, it } from 'vitest';
import { acceptedLanguage, isLanguage, languageOf, languages, languageTraits } from '../../src/kernel/languages.ts';

describe('The language of a tag', () => {
  it.each([
    ['de', 'de'],
    ['DE', 'de'],
    [' pt ', 'pt'],
    ['pt-BR', 'pt'],
    ['pt-Latn-BR-x-mine', 'pt'],
    ['ar-EG-u-nu-arab', 'ar'],
    ['en-001', 'en'],
    ['ja-JP-u-ca-japanese', 'ja'],
  ])('%j is %s', (tag, language) => {
    expect(languageOf(tag)).toBe(language);
  });

  it.each([
    '',
    ' ',
    '-',
    '-de',
    '*',
    'deu',
    'pt_BR',
    'xx',
    'xx-de',
    'constructor',
    '__proto__',
    'toString',
    '<b>de</b>',
    "de'; DROP TABLE users; --",
    'd\u0000e',
    `de${'-x'.repeat(5000)}`,
    'x'.repeat(10_000),
  ])('%j is none', (tag) => {
    expect(languageOf(tag)).toBeNull();
  });
});

describe('Accept-Language', () => {
  it.each([
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en;q=0.5, fr', 'fr'],
    ['en;q=0.5,es;q=0.51', 'es'],
    ['ko, pt-BR;q=0.3, en;q=0.2', 'pt'],
    // Equal weights keep their order.
    ['ar;q=0.7,de;q=0.7', 'ar'],
    ['*, fr;q=0.1', 'fr'],
    ['fr ; Q=0.4 , de ; q=0.6', 'de'],
    ['de;q=0,en;q=0.1', 'en'],
    // A language that is refused is not reached by a longer range either.
    ['de-AT, de;q=0, fr;q=0.2', 'fr'],
    ['fr;q=1.000', 'fr'],
    [',,;q=1,, es ,', 'es'],
    // Parts that are malformed are passed over.
    ['de;q=abc, fr;q=0.1', 'fr'],
    ['de;q=2, fr;q=0.1', 'fr'],
    ['de;q=-1, fr;q=0.1', 'fr'],
    ['de;q=0.12345, fr;q=0.1', 'fr'],
    ['de;q=, fr;q=0.1', 'fr'],
    ['de;level=1, fr;q=0.1', 'fr'],
    ['de;q=1;q=1, fr;q=0.1', 'fr'],
    ['<script>alert(1)</script>, ar', 'ar'],
  ])('%j asks for %s', (header, language) => {
    expect(acceptedLanguage(header)).toBe(language);
  });

  it.each([
    '',
    '*',
    'ko',
    ';',
    ';q=1',
    'q=abc',
    'de;q=0',
    '<b>de</b>',
    '__proto__, constructor;q=0.5',
    `${'de,'.repeat(4000)}`,
    'x'.repeat(10_000),
    `de;q=${'0'.repeat(10_000)}`,
  ])('%j asks for none', (header) => {
    expect(acceptedLanguage(header)).toBeNull();
  });

  it('asks for none where it is absent', () => {
    expect(acceptedLanguage(undefined)).toBeNull();
  });
});

it('Every language has a name, a direction and a locale of its own, with Latin digits and the Gregorian calendar', () => {
  for (const language of languages) {
    const { name, direction, locale } = languageTraits(language);
    expect(name).not.toBe('');
    expect(direction).toBe(new Set(['ar']).has(language) ? 'rtl' : 'ltr');
    expect(Intl.DateTimeFormat.supportedLocalesOf(locale)).toEqual([locale]);
    expect(new Intl.NumberFormat(locale).format(7)).toBe('7');
    expect(new Intl.DateTimeFormat(locale).resolvedOptions()).toMatchObject({
      calendar: 'gregory',
      numberingSystem: 'latn',
    });
  }
  expect(isLanguage('toString')).toBe(false);
});
