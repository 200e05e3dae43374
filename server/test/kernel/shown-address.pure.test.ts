/** Domains of addresses in their own letters: which are shown so, and which stay in ASCII because others look alike. */
import { domainToASCII, domainToUnicode } from 'node:url';
import { describe, expect, it } from 'vitest';
import { normalizeEmail } from '../../src/domain/users/text-rules.ts';
import { shownAddress } from '../../src/kernel/shown-address.ts';

describe('An address', () => {
  it.each([
    'bücher.example',
    'straße.de',
    'łódź.pl',
    'việtnam.vn',
    '例え.jp',
    'ドメイン.テスト',
    'ローマ.jp',
    'らーめん.jp',
    '東京タワー.jp',
    'ニコニコ.jp',
    '二.jp',
    '工口.cn',
    '一つ.jp',
    '实例.中国',
    '실례.한국',
    'مثال.com',
    'דוגמה.il',
    'ตัวอย่าง.ไทย',
    'пример.рф',
    'παράδειγμα.ελ',
    'bücher.łódź.example',
  ])('is shown with its domain in its own letters: %s', (domain) => {
    const stored = normalizeEmail(`ada@${domain}`);
    expect(stored).toBe(`ada@${domainToASCII(domain)}`);
    expect(shownAddress(stored)).toBe(`ada@${domain}`);
    expect(domainToUnicode(domainToASCII(domain))).toBe(domain);
    expect(normalizeEmail(shownAddress(stored))).toBe(stored);
  });

  it.each([
    ['Cyrillic below a domain of Latin', 'аррӏе.com'],
    ['one letter of Cyrillic', 'еxample.com'],
    ['Greek in Latin', 'gοοgle.com'],
    ['Greek below a domain of Latin', 'ελλάδα.com'],
    ['a dotless i', 'kıng.com'],
    ['an alpha of phonetics', 'ɑpple.com'],
    ['Armenian', 'օօօ.com'],
    ['Cherokee', 'ꮯꮓ.com'],
    ['Latin among Chinese', 'a例.com'],
    ['two scripts in two labels, one of which looks alike', 'bücher.еxample'],
    ['a letter that is no letter of a name', 'bücher😀.com'],
    ['Hebrew letters that all look like Latin ones', 'סו.com'],
    ['Arabic letters that all look like Latin ones', 'اا.com'],
    ['Thai letters that all look like Latin ones', 'ทน.com'],
    ['digits of another script', '۱۱.com'],
    ['a Han zero', '1〇〇.com'],
    ['a part of a syllable of Hangul', 'ㅇㅇ.kr'],
    ['a Han sign among katakana', '東京夕ワー.jp'],
    ['a Han sign for the length of a vowel', 'ら一めん.jp'],
    ['a katakana by itself, which the Han sign looks like', 'ニ.jp'],
    ['a hiragana among katakana', 'へア.jp'],
  ])('stays in ASCII where other letters look alike: %s', (_what, domain) => {
    const stored = normalizeEmail(`ada@${domain}`);
    expect(stored).toMatch(/^ada@[\x21-\x7e]+$/);
    expect(shownAddress(stored)).toBe(stored);
  });

  it('is shown in its letters for one of the domains of Han and kana that look alike, and no second one', () => {
    const signs = ['ニ', '二', 'ロ', '口', 'ー', '一', 'へ', 'ヘ', 'え', 'コ', '例'];
    const more = (labels: readonly string[]) => labels.flatMap((label) => signs.map((sign) => label + sign));
    const labels = more(more(more(more(['']))));
    const look = (label: string) =>
      label.replaceAll('二', 'ニ').replaceAll('口', 'ロ').replaceAll('一', 'ー').replaceAll('へ', 'ヘ');
    const shown = labels.filter((label) => shownAddress(`ada@${domainToASCII(label)}.jp`) === `ada@${label}.jp`);
    expect(shown.map(look).sort()).toEqual([...new Set(labels.map(look))].sort());
  });

  it.each([
    'ada@example.com',
    'ada@xn--.com',
    'ada@xn--a.com',
    'ada@xn--999999999.com',
    'ada@xn--zz-zz-zz.com',
    'ada',
    '',
  ])('without other letters, or with an invalid form of them, stays as it is: %j', (email) => {
    expect(shownAddress(email)).toBe(email);
  });

  it('keeps a joiner that makes its domain another one, and no other invisible sign', () => {
    const joined = domainToASCII('نامه\u200cای.com');
    expect(joined).not.toBe(domainToASCII('نامهای.com'));
    for (const typed of ['ada@نامه\u200cای.com', ' \u200bAda@نامه\u200cای.com\u200b ', 'a\u200cda@نامه\u200cای.com']) {
      expect(normalizeEmail(typed)).toBe(`ada@${joined}`);
    }
    expect(shownAddress(`ada@${joined}`)).toBe(`ada@${joined}`);
    for (const pasted of [
      'b\u200cücher.de',
      'b\u200eücher.de',
      'bü\u00adcher.de',
      'bücher.de\t\u200b',
      'bücher.de \u200d',
    ]) {
      expect(normalizeEmail(`ada@${pasted}`)).toBe('ada@xn--bcher-kva.de');
    }
    expect(normalizeEmail('ada@exam\u200cple.com')).toBe('ada@example.com');
  });

  it('is not taken off its domain by a local part in other letters', () => {
    expect(normalizeEmail('Ädа@Example.com')).toBe('ädа@example.com');
  });
});
