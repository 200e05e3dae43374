/**
 * Digests of a call's arguments: equal for equal arguments, different for others, and neither readable nor guessable.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentDigest, canonicalJson } from '../../src/domain/audit/tool-audits.ts';
import { Keyring } from '../../src/kernel/secrets.ts';
import { range } from '../support/checks/concurrency.ts';

const keyring = new Keyring(['a secret of the tests that has thirty-two bytes and more']);
const digest = (args: unknown): string => argumentDigest(keyring, args);

/** The same value with the members of every object in another order. */
const reordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return JSON.parse(
    `{${Object.entries(value)
      .reverse()
      .map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(reordered(member))}`)
      .join(',')}}`,
  );
};

const fromWire = fc.json().map((text): unknown => JSON.parse(text));

describe('argumentDigest', () => {
  // Contract: incidents#argument-digest — Raw arguments are never stored: equal arguments, equal digests
  it('is equal for equal arguments, in any order of their members', () => {
    fc.assert(
      fc.property(fromWire, (args) => {
        expect(digest(reordered(args))).toBe(digest(args));
      }),
    );
  });

  // Contract: incidents#argument-digest — Raw arguments are never stored: other arguments, other digests
  it('differs for other arguments', () => {
    fc.assert(
      fc.property(fromWire, fromWire, (left, right) => {
        const areEqual = canonicalJson(left) === canonicalJson(right);
        expect(digest(left) === digest(right)).toBe(areEqual);
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), fc.string(), fc.string(), (members, name, value) => {
        const changed = { ...members, [name]: value };
        if (Object.hasOwn(members, name) && members[name] === value) return;
        expect(digest(changed)).not.toBe(digest(members));
      }),
    );
  });

  it('equates absent arguments with an empty object', () => {
    expect(digest(undefined)).toBe(digest({}));
    for (const other of [null, [], '', 0, false]) expect(digest(other)).not.toBe(digest({}));
  });

  // Contract: incidents#argument-digest — Raw arguments are never stored: no digest can be guessed
  it('is keyed: without GATEHOUSE_SECRET a guess cannot be verified', () => {
    const other = new Keyring(['another secret of the tests that has thirty-two bytes and more']);
    expect(argumentDigest(other, { userId: 'a' })).not.toBe(digest({ userId: 'a' }));
    expect(digest({ userId: 'a' })).toMatch(/^[\w-]{43}$/);
  });

  it('accepts any JSON: special member names, any depth, any breadth', () => {
    const hostile = ['{"__proto__":{"a":1}}', '{"constructor":1}', '{"toJSON":"x"}', '{"":null}', '{"length":1}'];
    expect(new Set(hostile.map((text) => digest(JSON.parse(text)))).size).toBe(hostile.length);
    const nested = (text: string, depth: number): string => '['.repeat(depth) + text + ']'.repeat(depth);
    expect(digest(JSON.parse(nested('1', 5000)))).not.toBe(digest(JSON.parse(nested('2', 5000))));
    // More elements than a call can have arguments: an array must not be spread into them.
    const broad = range(150_000);
    expect(canonicalJson(broad)).toBe(JSON.stringify(broad));
  });
});

describe('canonicalJson', () => {
  it.each([
    ['{"b":1,"a":[true,null,"x"]}', '{"a":[true,null,"x"],"b":1}'],
    // RFC 8785 section 3.2.3: by UTF-16 code units, not by code points.
    ['{"\\ufb33":1,"\\ud83d\\ude00":2,"\\u20ac":3,"1":4,"\\r":5}', '{"\\r":5,"1":4,"€":3,"😀":2,"\ufb33":1}'],
    ['{"10":1,"9":2}', '{"10":1,"9":2}'],
    ['[1e21,1.0,-0,0.000001,1e-7,333333333.33333329]', '[1e+21,1,0,0.000001,1e-7,333333333.3333333]'],
    ['"\\u000f\\u0041\\"\\\\\\/"', '"\\u000fA\\"\\\\/"'],
    ['{"a":{},"b":[]}', '{"a":{},"b":[]}'],
  ])('writes %s as RFC 8785 does', (text, canonical) => {
    expect(canonicalJson(JSON.parse(text))).toBe(canonical);
  });

  it('omits values that JSON cannot express', () => {
    expect(canonicalJson({ a: undefined, b: [undefined], c: Number.NaN })).toBe('{"b":[null],"c":null}');
  });
});
