/** What a message is filled in with, where it is written in the other direction than the message. */
import compile from 'icu-minify/compile';
import { _createCache, _createIntlFormatters } from 'use-intl/core';
import { describe, expect, it } from 'vitest';
import formatMessage from '../../src/languages/format-message.ts';

const cache = _createCache();
const options = { cache, formatters: _createIntlFormatters(cache), locale: 'en' };
const shown = (message: string, values: Parameters<typeof formatMessage>[2]) =>
  formatMessage('members.intro', compile(message), values, options);

describe('a message of a left-to-right language', () => {
  it('isolates a name with letters or marks of the other direction', () => {
    expect(shown('Who belongs to {name}.', { name: 'شركة\u200f (A)' })).toBe(
      'Who belongs to \u2068شركة\u200f (A)\u2069.',
    );
    expect(shown('Role of {name}', { name: 'Ada\u200f' })).toBe('Role of \u2068Ada\u200f\u2069');
  });

  it('leaves all else as it is: other names, numbers and branches', () => {
    expect(shown('{name} has {count, plural, one {# day} other {# days}}', { name: 'Ada (A)', count: 2 })).toBe(
      'Ada (A) has 2 days',
    );
    expect(shown('Plain', undefined)).toBe('Plain');
  });
});
