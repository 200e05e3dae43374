/** The application's texts of the portal over HTTP: the page names their files, which caches may keep for ever. */
import { describe, expect, it } from 'vitest';
import { sendPlainly } from '../support/clients/plain-http.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const long = 'Willkommen bei Acme. '.repeat(100).trim();
const service = serviceFixture({}, 'one origin', {
  application: {
    messages: {
      de: { portal: { 'signIn.title': 'Willkommen bei Acme', 'signIn.lead': long } },
      fr: { portal: { 'signIn.title': 'Bienvenue' }, mails: { 'verification.subject': 'Bienvenue' } },
      es: { portal: {}, mails: { 'verification.subject': 'Hola' } },
    },
  },
});
const plain = serviceFixture({}, 'one origin');

const pathsOf = async (url: string): Promise<readonly string[]> => {
  const page = await (await fetch(`${url}/signin`)).text();
  return /<meta name="gatehouse-texts" content="([^"]*)"/.exec(page)?.[1]?.split(' ') ?? [];
};

const pathOf = async (language: string): Promise<string> =>
  `${(await pathsOf(service.url)).find((path) => path.endsWith(`.${language}`))}.json`;

describe('Replaced texts of the portal', () => {
  // Contract: application#replaced-texts — Texts of the portal are files of the languages that have some, named by the
  //   page
  it('are named by the page for the languages that have some', async () => {
    const paths = await pathsOf(service.url);
    expect(paths.map((path) => path.replace(/[0-9a-f]{16}/, '…'))).toEqual([
      '/assets/own-texts-….de',
      '/assets/own-texts-….fr',
    ]);
  });

  it('are in no page and at no path without a definition', async () => {
    expect(await (await fetch(`${plain.url}/signin`)).text()).not.toContain('gatehouse-texts');
    const { status, headers } = await fetch(`${plain.url}${await pathOf('de')}`);
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
  });

  it('are JSON that caches keep, at the path of its content alone', async () => {
    const path = await pathOf('fr');
    const answer = await fetch(`${service.url}${path}`);
    expect(await answer.json()).toEqual({ signIn: { title: 'Bienvenue' } });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const other = await fetch(`${service.url}${path.replace(/.\.fr/, 'x.fr')}`);
    expect([other.status, other.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });

  it('have the headers of the files of the portal', async () => {
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await fetch(service.url)).text()) ?? [];
    const headers = { 'accept-encoding': 'br' };
    const [own, built] = await Promise.all(
      [await pathOf('de'), script].map((path) => fetch(`${service.url}${path}`, { headers })),
    );
    for (const name of ['cache-control', 'content-encoding', 'vary', 'content-security-policy'])
      expect(own?.headers.get(name), name).toBe(built?.headers.get(name));
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1, br;q=0', 'gzip'],
    ['identity', undefined],
  ] as const)('are sent as a client accepts: %s', async (accepted, encoding) => {
    const url = `${service.url}${await pathOf('de')}`;
    const answer = await fetch(url, { headers: { 'accept-encoding': accepted } });
    expect(answer.headers.get('content-encoding')).toBe(encoding ?? null);
    expect(answer.headers.get('vary')).toBe('accept-encoding');
    expect(await answer.json()).toEqual({ signIn: { title: 'Willkommen bei Acme', lead: long } });
  });

  it('are sent as they are when that is not larger, and to HEAD without content', async () => {
    const small = await fetch(`${service.url}${await pathOf('fr')}`, { headers: { 'accept-encoding': 'br' } });
    expect(small.headers.get('content-encoding')).toBeNull();
    const head = { method: 'HEAD', headers: {}, body: null };
    const answer = await sendPlainly(`${service.url}${await pathOf('fr')}`, head);
    expect([answer.status, answer.text]).toEqual([200, '']);
  });
});
