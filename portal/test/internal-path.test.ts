/** Redirect parameters: accepted and rejected values. */
import { describe, expect, it } from 'vitest';
import { internalPath, isServerPath, redirectTarget } from '../src/url-parameters.ts';

describe('a redirect parameter', () => {
  it.each(['/', '/signin', '/auth/mcp/continue/0197', '/a/b?c=d&e=%20f#g', '/caf%C3%A9'])('keeps %s', (path) => {
    expect(internalPath(path)).toBe(path);
  });

  it.each([
    '',
    'signin',
    'https://evil.example',
    '//evil.example',
    '/%2Fevil.example',
    '/%252Fevil.example',
    `/${'%25'.repeat(30)}2Fevil.example`,
    '/\\evil.example',
    '/%5Cevil.example',
    '/%255Cevil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/%09/evil.example',
    '/a%00b',
    '/a%C2%85b',
    '/a\u2028b',
    '/\ud800',
    '/next?to=https://evil.example',
    ' /signin',
    'javascript:alert(1)',
    '/100%',
    `/${'a'.repeat(3000)}`,
    ['/signin'],
    undefined,
    12,
  ])('drops %j', (candidate) => {
    expect(internalPath(candidate)).toBeUndefined();
  });

  it('is a server path for pages of the server only', () => {
    expect(isServerPath('/auth/mcp/continue/1')).toBe(true);
    expect(isServerPath('/dev/mailbox')).toBe(true);
    expect(isServerPath('/authors')).toBe(false);
    expect(isServerPath('/devices')).toBe(false);
    expect(isServerPath('/invitation/dev/')).toBe(false);
    expect(isServerPath('/dev/..%2Fauth%2Fgoogle')).toBe(false);
    expect(isServerPath('/auth/mcp/continue/..%2F..%2Fgoogle')).toBe(false);
  });

  it.each(['/', '/members?a=b#c', '/auth/mcp/continue/0197?a=b', '/dev/mailbox', '/authors', '/caf%C3%A9'])(
    'leads to %s',
    (path) => {
      expect(redirectTarget(path)).toBe(path);
    },
  );

  it.each([
    '/auth/google',
    '/auth/google?redirect=/',
    '/auth/google/prepare-link',
    '/auth/mcp/../google/prepare-link',
    '/dev/%2e%2e/auth/google/prepare-link',
    '/auth/%67oogle/prepare-link',
    '/%61uth/google',
    '/auth/mcp/continue/..%2F..%2Fgoogle',
    '/auth',
    '//evil.example',
    undefined,
  ])('leads to the home page instead of %j', (candidate) => {
    expect(redirectTarget(candidate)).toBe('/');
  });
});
