/** Tokens of pasted invitation links. */
import { describe, expect, it } from 'vitest';
import { extractToken } from '../../src/url-parameters.ts';

const invitation = '0190f0a0-0000-7000-8000-000000000001';
const verification = '0f'.repeat(32);

describe.each([
  ['an invitation', invitation],
  ['a verification mail', verification],
])('the token of a pasted link of %s', (_kind, token) => {
  // Contract: operation#dates-and-pasted-links — A pasted invitation link is trimmed
  it.each([
    ['as it was sent', token],
    ['with blanks about it', ` ${token}\t`],
    ['with a line end', `${token}\r\n`],
    ['with a line end inside', `${token.slice(0, 20)}\n ${token.slice(20)}`],
    ['with invisible characters', `\u200b${token}\ufeff`],
    ['with the brackets of a mail', `<${token}>`],
    ['with the punctuation of a sentence', `(${token}).`],
    ['with quotes', `“${token}”`],
    ['with the marks of emphasis', `_*${token}*_`],
    ['with the code of a blank in a mail', `${token}=20`],
    ['with the code of a blank in an address', `${token}%20`],
    ['with a word behind it', `${token}_thanks`],
  ])('is extracted, %s', (_how, text) => {
    expect(extractToken(text)).toBe(token);
  });

  it('is not extracted from two tokens, or from a longer one', () => {
    expect(extractToken(`${token}_${token}`)).toBe(`${token}_${token}`);
    expect(extractToken(`${token}0.`)).toBe(`${token}0`);
  });
});

describe('text without a token', () => {
  it('is only trimmed', () => {
    expect(extractToken('a%b')).toBe('a%b');
    expect(extractToken(' . ')).toBe('');
  });
});
