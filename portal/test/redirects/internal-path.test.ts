/** Redirect parameters: accepted and dropped values, by the table of the server, and where they lead. */
import { describe, expect, it } from 'vitest';
import {
  appOrigin,
  droppedRedirects,
  droppedValues,
  internalPaths,
  plainOrigin,
  returnUrls,
} from '../../../server/test/support/redirect-cases.ts';
import { redirectTarget } from '../../src/redirects/redirect-target.ts';
import { linkedPath, readRedirect, readRedirectSearch, readSignInSearch } from '../../src/url-parameters.ts';

const portalOrigin = 'https://id.acme.example';
const serviceOrigin = 'https://api.acme.example';
const origins = [portalOrigin, serviceOrigin, appOrigin, plainOrigin];

const read = (candidate: unknown): string | undefined => readRedirect(candidate, origins);
const targetOf = (redirect: string | undefined): string => redirectTarget(redirect, origins);

describe('a redirect parameter', () => {
  it.each([...internalPaths, '/signin', '/a/b?c=d&e=%20f#g', '/caf%C3%A9'])('keeps %j', (path) => {
    expect(read(path)).toBe(path);
  });

  // Contract: application#dropped-redirects — Portal and server share one table of cases
  it.each(returnUrls)('keeps %j as %j', (given, followed) => {
    expect(read(given)).toBe(followed);
    expect(targetOf(read(given))).toBe(followed);
  });

  it.each([...droppedRedirects, ...droppedValues])('drops %j', (candidate) => {
    expect(read(candidate)).toBeUndefined();
    expect(readSignInSearch({ redirect: candidate }, origins).redirect).toBeUndefined();
  });

  it.each([portalOrigin, serviceOrigin])('of %s is a path, by the rules of paths', (own) => {
    expect(read(own)).toBe('/');
    expect(read(`${own}/members?a=b#c`)).toBe('/members?a=b#c');
    expect(read(`${own}//evil.example`)).toBeUndefined();
    expect(targetOf(read(`${own}/auth/google/prepare-link`))).toBe('/');
    expect(targetOf(read(`${own}/notes/..%2fauth/google`))).toBe('/');
    expect(readSignInSearch({ redirect: `${own}${linkedPath}` }, origins).redirect).toBeUndefined();
  });

  // Contract: application#absolute-urls-of-a-front-end — The query of a URL of the portal or the service is data, as of
  //   any other URL
  it.each([portalOrigin, serviceOrigin])('of %s keeps its query', (own) => {
    const given = `${own}/notes?next=https://evil.example&q=100%#part`;
    expect(read(given)).toBe(given);
    expect(read(read(given))).toBe(given);
    expect(readSignInSearch({ redirect: given }, origins).redirect).toBe(given);
    expect(targetOf(read(given))).toBe('/notes?next=https://evil.example&q=100%#part');
    expect(targetOf(read(`${own}/auth/google/prepare-link?next=//evil.example`))).toBe('/');
    expect(read(`${own}//evil.example/?next=//evil.example`)).toBeUndefined();
    expect(read(`${own}/%2Fevil.example/?next=//evil.example`)).toBeUndefined();
  });

  it('has its key in what the router gets, also when it is dropped', () => {
    expect(Object.keys(readRedirectSearch({ redirect: '//evil.example' }, origins))).toEqual(['redirect']);
  });

  it('of a page without settings is a path alone', () => {
    expect(readRedirect('/members', [''])).toBe('/members');
    expect(readRedirect(`${appOrigin}/`, [''])).toBeUndefined();
  });
});

describe('where a redirect leads', () => {
  it.each(['/', '/members?a=b#c', '/auth/mcp/continue/0197?a=b', '/dev/mailbox', '/authors', '/caf%C3%A9', '/notes/7'])(
    'is %s',
    (path) => {
      expect(targetOf(path)).toBe(path);
    },
  );

  it('is the home page without one', () => {
    expect(targetOf(undefined)).toBe('/');
  });

  // A server or a proxy may decode and resolve a path before it is routed.
  it.each([
    '/auth',
    '/auth/google',
    '/auth/google?redirect=/',
    '/auth/google/prepare-link',
    '/auth/identity',
    '/auth/mcp/../google/prepare-link',
    '/auth/mcp/continue/..%2F..%2Fgoogle',
    '/auth/%67oogle/prepare-link',
    '/%61uth/google',
    '/%2561uth/google',
    '/dev/%2e%2e/auth/google/prepare-link',
    '/notes/..%2Fauth%2Fgoogle',
    '/notes%2F..%2Fauth%2Fgoogle/prepare-link',
    '/notes/.%252e/auth/google',
    '/notes%3f/..%2Fauth/google',
    '/./auth/google',
    '/.%2Fauth/google',
  ])('is the home page instead of %j', (path) => {
    expect(targetOf(path)).toBe('/');
  });
});
