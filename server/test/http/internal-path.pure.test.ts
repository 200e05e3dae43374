/**
 * Accepted redirect parameters (contract/requests.md#redirect-parameters): paths of this service, and URLs of the front
 * ends for some.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { internalPath, redirectOf, returnUrlOf } from '../../src/kernel/redirects.ts';
import { anyText } from '../support/random/any-text.ts';
import {
  appOrigin,
  droppedRedirects,
  droppedValues,
  internalPaths,
  plainOrigin,
  returnUrls,
} from '../support/redirect-cases.ts';

const base = 'https://id.example.com';

const encoded = (text: string, times: number): string =>
  times === 0 ? text : encoded(encodeURIComponent(text), times - 1);

const accepted = [
  '/',
  '/devices',
  '/auth/mcp/continue/0190f0a0-0000-7000-8000-000000000000',
  '/invitation/abc?x=1&y=a%20b#part',
  '/a%2Fb',
  '/über/🙂',
  '/@name',
  '/a:b',
];

const tricks = [
  '',
  ' ',
  'devices',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\nLocation: https://evil.example',
  '/\u0000',
  '/\u0085',
  '/\u2028',
  ' /devices',
  '\u0000/devices',
  'https://evil.example',
  'HTTPS:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '?x=1',
  '#x',
  './devices',
  '/a//evil.example',
  '/?next=//evil.example',
  '/%2f/evil.example',
  '/%2F%2Fevil.example',
  '/%5cevil.example',
  '/%5Cevil.example',
  '/%09/evil.example',
  '/%00',
  '/%0d%0aSet-Cookie:x=y',
  '/%252f/evil.example',
  '/%25255cevil.example',
  '/%',
  '/%zz',
  // Decoded until it holds a lone percent sign, which the next decoder may read in another way.
  '/search?q=50%25',
  '/%c0%af/evil.example',
  // A lone surrogate cannot be percent-encoded: encodeURIComponent throws.
  '/\ud800',
  '/%61\udc00',
  '/%E0%A4%A',
  '%2Fdevices',
  `/${'a'.repeat(2048)}`,
];

const telling = [
  '/',
  '\\',
  '%',
  '%2f',
  '%5C',
  '%25',
  '.',
  '..',
  ':',
  '@',
  '?',
  '#',
  '\t',
  '\r',
  'a',
  'evil.example',
  'http:',
];

describe('Internal path', () => {
  it.each(accepted)('follows %j', (path) => {
    expect(internalPath(path)).toBe(path);
  });

  it.each(tricks)('drops %j', (trick) => {
    expect(internalPath(trick)).toBeNull();
  });

  it('drops a value that is not text', () => {
    for (const value of [undefined, null, 1, true, {}, ['/devices'], Object('/devices')]) {
      expect(internalPath(value)).toBeNull();
    }
  });

  it('drops a hostile URL after any number of encodings', () => {
    for (const hidden of ['/evil.example', '\\evil.example', '\n', '\u0000']) {
      for (let times = 0; times <= 15; times += 1) expect(internalPath(`/${encoded(hidden, times)}`)).toBeNull();
    }
  });

  // Contract: requests#redirect-parameters — Every redirect parameter is an internal path
  it('keeps accepted paths on this origin, however often a browser or proxy decodes them', () => {
    const parts = fc.constantFrom(...telling);
    const pieces = fc.array(fc.oneof(parts, anyText(3)), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, ([...texts]) => {
        let path = internalPath(`/${texts.join('')}`);
        while (path !== null) {
          expect(new URL(path, base).origin).toBe(base);
          const decoded = decodeURIComponent(path);
          if (decoded === path) return;
          path = decoded;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('never throws, and returns its own input or null', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect([text, null]).toContain(internalPath(text));
      }),
    );
  });
});

describe('Redirect of a page or a sign-in', () => {
  const origins = ['https://id.acme.example', 'https://api.acme.example', appOrigin, plainOrigin];

  it.each(internalPaths)('follows the path %j', (path) => {
    expect(redirectOf(path, origins)).toBe(path);
    expect(returnUrlOf(path, origins)).toBeNull();
  });

  // Contract: application#absolute-urls-of-a-front-end — An absolute URL of an allowed origin is followed in its parsed
  //   form
  it.each(returnUrls)('follows %j as %j', (given, followed) => {
    expect(redirectOf(given, origins)).toBe(followed);
    expect(redirectOf(followed, origins)).toBe(followed);
  });

  // Contract: application#dropped-redirects — Anything else is dropped
  it.each([...droppedRedirects, ...droppedValues])('drops %j', (candidate) => {
    expect(redirectOf(candidate, origins)).toBeNull();
  });

  it.each(returnUrls)('of another parameter drops %j', (given) => {
    expect(internalPath(given)).toBeNull();
  });

  it.each(returnUrls)('drops %j where its origin is not allowed', (given) => {
    expect(redirectOf(given, origins.slice(0, 2))).toBeNull();
  });
});
