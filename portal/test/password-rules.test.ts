/** The password rules of the checklist. */
import { describe, expect, it } from 'vitest';
import { brokenRules } from '../src/forms/password-rules.ts';

describe('a password', () => {
  it.each([
    ['Secret.12', []],
    ['Sécrét.12', []],
    ['Aa1.😀😀😀😀', []],
    ['', ['length', 'upperCase', 'lowerCase', 'digit', 'symbol']],
    ['Aa1.aaa', ['length']],
    [`Aa1.${'a'.repeat(36)}`, []],
    [`Aa1.${'a'.repeat(37)}`, ['length']],
    ['secret.12', ['upperCase']],
    ['SECRET.12', ['lowerCase']],
    ['Secret.xy', ['digit']],
    ['Secret-12', ['symbol']],
    [`Aa1.${'😀'.repeat(17)}`, []],
    [`Aa1.${'😀'.repeat(18)}`, ['bytes']],
  ])('%j breaks %j', (password, broken) => {
    expect(brokenRules(password)).toEqual(broken);
  });
});
