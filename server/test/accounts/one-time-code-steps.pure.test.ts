/** One-time codes and recovery codes as texts: RFC 6238, the window of time steps, and what people type. */
import { Secret, URI } from 'otpauth';
import { describe, expect, it } from 'vitest';
import {
  hashRecoveryCode,
  isOneTimeCode,
  keyUriOf,
  newRecoveryCodes,
  newTotpSecret,
  timeStepOf,
  typedCode,
} from '../../src/domain/factors/codes.ts';
import { codeOfStep, periodSeconds } from '../support/actors/one-time-codes.ts';

/** RFC 6238, appendix B: the SHA-1 secret, ASCII `12345678901234567890`, as base32. */
const secretOfTheRfc = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('A one-time code', () => {
  // Contract: account#accepted-codes — RFC 6238, SHA-1, 6 digits, 30 s, one step either way
  it.each([
    [59, '94287082', 0x1],
    [1_111_111_109, '07081804', 0x23523ec],
    [1_111_111_111, '14050471', 0x23523ed],
    [1_234_567_890, '89005924', 0x273ef07],
    [2_000_000_000, '69279037', 0x3f940aa],
    [20_000_000_000, '65353130', 0x27bc86aa],
  ])('of RFC 6238 at second %i is accepted for its step', (seconds, eightDigits, step) => {
    // Six digits are the last ones of eight (RFC 4226, section 5.3).
    expect(timeStepOf(secretOfTheRfc, eightDigits.slice(-6), new Date(seconds * 1000))).toBe(step);
  });

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('%i steps away is accepted: %s', (distance, isAccepted) => {
    const secret = newTotpSecret();
    const step = 60_000_000;
    for (const second of [0, periodSeconds - 1]) {
      const at = new Date((step * periodSeconds + second) * 1000);
      expect(timeStepOf(secret, codeOfStep(secret, step + distance), at)).toBe(isAccepted ? step + distance : null);
    }
  });

  it.each([
    '123456',
    ' 123 456\n',
    '123-456',
    '12\u201134\u201356',
    '123 \u2014 456',
    '123\u2212456',
    '\u200e123\u200b456\ufeff',
    '\u0661\u0662\u0663\u0664\u0665\u0666',
    '\u06f1\u06f2\u06f3-\u06f4\u06f5\u06f6',
    '\u0967\u0968\u0969 \u096a\u096b\u096c',
    '\uff11\uff12\uff13\uff0d\uff14\uff15\uff16',
    '\u{1d7d9}\u{1d7da}\u{1d7db}456',
  ])('is taken as typed or pasted: %j', (text) => {
    expect(typedCode(text)).toBe('123456');
    expect(isOneTimeCode(typedCode(text))).toBe(true);
  });

  it.each(['12345', '1234567', '12345a', '12345\u00b2', '\u2460\u2461\u2462\u2463\u2464\u2465', '123.456', ''])(
    'is not %j',
    (text) => {
      expect(isOneTimeCode(typedCode(text))).toBe(false);
    },
  );

  it('is taken in the digits of every script', () => {
    for (const numberingSystem of Intl.supportedValuesOf('numberingSystem')) {
      const text = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(9_876_543_210);
      if (/^\p{Decimal_Number}{10}$/u.test(text)) expect(typedCode(text), numberingSystem).toBe('9876543210');
    }
    const digits = Array.from({ length: 0x11_0000 }, (_, place) => String.fromCodePoint(place)).filter((sign) =>
      /\p{Decimal_Number}/u.test(sign),
    );
    // Ten of each script, in order.
    expect(digits.map(typedCode).join('')).toBe('0123456789'.repeat(digits.length / 10));
  });

  it('comes from a secret of 160 bits, which the key URI hands to an app', () => {
    const secret = newTotpSecret();
    expect(Secret.fromBase32(secret).bytes.length).toBe(20);
    const uri = keyUriOf(secret, 'Notes & Co', 'ada+x@example.com');
    expect(uri).toMatch(/^otpauth:\/\/totp\//);
    expect(URI.parse(uri)).toMatchObject({
      issuer: 'Notes & Co',
      label: 'ada+x@example.com',
      algorithm: 'SHA1',
      digits: 6,
      period: 30,
      secret: { base32: secret },
    });
  });
});

it.each([
  ['Acme: Notes', 'Acme Notes'],
  ['Acme:Notes :', 'Acme Notes'],
])('The label of a key URI has one colon, whatever the name %s of the application has', (name, issuer) => {
  const uri = keyUriOf(newTotpSecret(), name, 'ada@example.com');
  expect(decodeURIComponent(uri.split('?', 1)[0] ?? '')).toBe(`otpauth://totp/${issuer}:ada@example.com`);
  expect(URI.parse(uri)).toMatchObject({ issuer, label: 'ada@example.com' });
});

describe('Recovery codes', () => {
  it('are ten, of 80 bits each, and different', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
  });

  it('are found however they are typed', () => {
    const typed = [
      '0123-ABCD-EFGH-1101',
      '0123 abcd efgh 1101',
      'O123-abcd-efgh-ilo1',
      '0123ABCDEFGH1101',
      '\u0660\u0661\u0662\u0663 \u2013 ABCD \u2013 EFGH \u2013 \u0661\u0661\u0660\u0661',
      '\uff10\uff11\uff12\uff13\uff0dabcd\u2011efgh\u22121101',
    ];
    const hashes = typed.map((text) => hashRecoveryCode(typedCode(text)).toString('hex'));
    expect(new Set(hashes).size).toBe(1);
  });
});
