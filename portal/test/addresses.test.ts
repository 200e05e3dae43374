/** What a person pastes into the form that invites many. */
import { describe, expect, it } from 'vitest';
import { readAddresses } from '../src/pages/members/bulk/addresses.ts';

describe('readAddresses', () => {
  it.each([
    ['a column', 'a@x.test\nb@x.test\r\n\r\nc@x.test\n', ['a@x.test', 'b@x.test', 'c@x.test']],
    [
      'a list',
      'a@x.test, b@x.test;c@x.test\td@x.test e@x.test',
      ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test', 'e@x.test'],
    ],
    ['recipients', '"Ada, Countess" <a@x.test>, Grace Hopper <b@x.test>', ['a@x.test', 'b@x.test']],
    ['quotes and brackets', '"a@x.test", (b@x.test), c@x.test.', ['a@x.test', 'b@x.test', 'c@x.test']],
    ['what is no address', 'a@x.test\nnot an address', ['a@x.test', 'not', 'an', 'address']],
    ['nothing', ' \n ,; ', []],
  ])('reads %s', (_what, text, expected) => {
    expect(readAddresses(text)).toEqual(expected);
  });
});
