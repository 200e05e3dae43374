/** Links to invitations as people paste them. */
import { describe, expect, it } from 'vitest';
import { pastedToken } from '../src/pages/pasted-token.ts';

const token = '0190f0a0-0000-7000-8000-000000000001';

describe('the token of a pasted link', () => {
  // Specification: Many processes and starts — A pasted invitation link is trimmed
  it.each([
    ['as it was sent', token],
    ['with blanks about it', ` ${token}\t`],
    ['with a line end', `${token}\r\n`],
    ['with a line end inside', `${token.slice(0, 20)}\n ${token.slice(20)}`],
    ['with invisible characters', `\u200b${token}\ufeff`],
    ['with the brackets of a mail', `<${token}>`],
    ['with the punctuation of a sentence', `(${token}).`],
    ['with quotes', `“${token}”`],
  ])('is itself, %s', (_how, text) => {
    expect(pastedToken(text)).toBe(token);
  });

  it('is not made of what is none', () => {
    expect(pastedToken('a%b')).toBe('a%b');
    expect(pastedToken(' . ')).toBe('');
  });
});
