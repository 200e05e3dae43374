/** Addresses of the portal's pages, and what they lead back to. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient } from '../src/index.ts';

const options: ClientOptions = { baseUrl: 'https://id.example', frontendUrl: 'https://portal.example' };
const page = 'https://app.example/notes?sort=new#top';

const openPage = (given = options) => {
  vi.stubGlobal('location', new URL(page));
  return createClient(given, { fetch: () => expect.unreachable('nothing is sent') });
};

const redirectOf = (url: string): string | null => new URL(url).searchParams.get('redirect');

describe('the address of the sign-in page', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('leads back to this page', () => {
    const { signInUrl, signUpUrl } = openPage();
    expect(signInUrl()).toBe(`https://portal.example/signin?redirect=${encodeURIComponent(page)}`);
    expect(signUpUrl()).toBe(`https://portal.example/signup?redirect=${encodeURIComponent(page)}`);
  });

  it.each([
    ['/notes/1', 'https://app.example/notes/1'],
    ['?sort=old', 'https://app.example/notes?sort=old'],
    ['https://other.example/notes', 'https://other.example/notes'],
    ['https://portal.example/members', 'https://portal.example/members'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['https://user:password@app.example/', null],
    ['https://', null],
  ])('leads from %s back to %s', (returnTo, redirect) => {
    expect(redirectOf(openPage().signInUrl({ returnTo }))).toBe(redirect);
  });

  it('is of the service where the portal has no origin of its own', () => {
    const { signInUrl } = openPage({ baseUrl: 'https://id.example/' });
    expect(signInUrl({ returnTo: '/a' })).toBe('https://id.example/signin?redirect=https%3A%2F%2Fapp.example%2Fa');
  });

  it('leads nowhere on a server that does not say where', () => {
    const { signInUrl } = createClient(options);
    expect(signInUrl()).toBe('https://portal.example/signin');
    expect(redirectOf(signInUrl({ returnTo: page }))).toBe(page);
  });
});
