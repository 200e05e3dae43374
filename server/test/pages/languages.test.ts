/** The language of the server's own pages: which one a request gets, and that each page is in each of them. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { PageTexts } from '../../src/http/pages/page-texts.ts';
import { loadPageTexts } from '../../src/http/pages/words.ts';
import { type Language, languages, languageTraits } from '../../src/kernel/languages.ts';
import { createSuperAdminAccount } from '../support/actors/super-admins.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import {
  authorizationQuery,
  beginAuthorization,
  PageBrowser,
  registerClient,
} from '../support/clients/authorization.ts';
import { register } from '../support/clients/clients.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { answering, startDocumentSite } from '../support/servers/document-site.ts';

const site = fixture(startDocumentSite);
const service = serviceFixture(() => ({ MCP_CLIENT_METADATA_ALLOW_LIST: site.allowList }));
let clientId: string;

beforeAll(async () => {
  clientId = await registerClient(service);
});

const missingId = '0190f0a0-0000-7000-8000-000000000001';
const unknownRequest = `/auth/mcp/continue/${missingId}`;

/** A browser that is signed in to an account of this language, and the consent page of a new request. */
const askIn = async (email: string, language: Language | null, id = clientId) => {
  await service.sql('UPDATE users SET language = $2 WHERE email = $1', [email, language]);
  const browser = new PageBrowser(service);
  await browser.signIn(service, email);
  return { browser, path: await beginAuthorization(browser, id) };
};

const expectLanguage = ({ headers, text }: PageAnswer, language: Language): void => {
  expect(text).toContain(`<html lang="${language}" dir="${languageTraits(language).direction}">`);
  expect(headers.get('content-language')).toBe(language);
  expect(headers.get('vary')).toBe('Accept-Language, Cookie');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  );
};

const ask = (query: string, headers: Readonly<Record<string, string>>): Promise<PageAnswer> =>
  new PageBrowser(service).get(`/auth/mcp/authorize?${query}`, headers);

type Headers_ = Readonly<Record<string, string>>;

/** Refused requests, with the text of the page that each of them gets. */
const refused: readonly (readonly [keyof PageTexts, (headers: Headers_) => Promise<PageAnswer>])[] = [
  ['clientUnknown', (headers) => ask(authorizationQuery(missingId), headers)],
  ['clientDocument', (headers) => ask(authorizationQuery(site.publish(answering('{}'))), headers)],
  ['redirectUri', (headers) => ask(authorizationQuery(clientId, { redirect_uri: 'https://evil.example/' }), headers)],
  ['malformed', (headers) => ask(authorizationQuery(clientId, { redirect_uri: null }), headers)],
  ['expired', (headers) => new PageBrowser(service).get(unknownRequest, headers)],
  [
    'otherPage',
    (headers) => new PageBrowser(service).post(unknownRequest, '', { ...headers, origin: 'https://evil.example' }),
  ],
  ['misread', (headers) => new PageBrowser(service).post(unknownRequest, 'x'.repeat(30_000), headers)],
];

/** The title of a page in English, and in this language. */
const titles = async (key: keyof PageTexts, language: Language): Promise<readonly [english: string, own: string]> => {
  const titleIn = async (of: Language) => {
    const parts: Readonly<Record<string, string>> = (await loadPageTexts(of))[key];
    return parts['title'] ?? '';
  };
  return [await titleIn('en'), await titleIn(language)];
};

describe.each(languages)('In %s', (language) => {
  // Contract: platform-mcp#consent-page — The pages are in the language of the person
  it('a super admin is asked for consent, and a name that is hostile stays inert', async () => {
    const name = '</h1><script>alert(1)</script><form action="https://evil.example">\u202eelgooG';
    const hostile = await registerClient(service);
    await service.sql('UPDATE oauth_clients SET name = $2 WHERE id = $1', [hostile, name]);
    const { browser, path } = await askIn(await createSuperAdminAccount(service), language, hostile);
    const page = await expectNothingStored(service, () => browser.get(path));
    expectLanguage(page, language);
    const { consent, scopes } = await loadPageTexts(language);
    const shown = [consent.title, consent.unverified, consent.scopes, consent.refuse, ...Object.values(scopes)];
    for (const text of shown) expect(page.text).toContain(text);
    expect(page.text).toContain('<bdi>&lt;/h1&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;form');
    expect(page.text).not.toContain('\u202e');
    expect(page.text.match(/<(form|script|img)\b/g)).toEqual(['<form']);
  });

  it('the consent page names the host of a metadata document, and warns of loopback', async () => {
    const url = site.publish();
    const { browser, path } = await askIn(await createSuperAdminAccount(service), language, url);
    const { text } = await browser.get(path);
    const { consent } = await loadPageTexts(language);
    const host = `<bdi>${new URL(url).host}</bdi>`;
    for (const shown of [consent.document, consent.documentOfLoopback]) {
      expect(text).toContain(shown.replace('{host}', host));
    }
    expect(text).not.toContain(consent.unverified);
  });

  it('a person who is not a super admin reads why', async () => {
    const { browser, path } = await askIn(await register(service), language);
    const page = await browser.get(path);
    expectLanguage(page, language);
    const { account } = await loadPageTexts(language);
    for (const text of [account.title, account.effect, account.other]) expect(page.text).toContain(text);
  });

  it.each(refused)('a refused request is explained: %s', async (key, send) => {
    const page = await expectNothingStored(service, () => send({ 'accept-language': `${language}-x-mine, en;q=0.1` }));
    expect(page.status).toBeGreaterThanOrEqual(400);
    expectLanguage(page, language);
    const [english, own] = await titles(key, language);
    expect(page.text).toContain(`<h1>${own}</h1>`);
    if (language !== 'en') expect(page.text).not.toContain(english);
  });
});

describe('The language of a page', () => {
  const refusedPage = (query: string, headers: Headers_, browser = new PageBrowser(service)): Promise<PageAnswer> =>
    browser.get(`${unknownRequest}${query}`, headers);

  const cookie = 'gatehouse_language';

  it.each([
    ['?lang, before every other', '?lang=ja', `${cookie}=fr`, 'de', 'ja'],
    ['a region of it', '?lang=pt-BR', `${cookie}=fr`, 'de', 'pt'],
    ['the one that the portal remembers', '', `other=x; ${cookie}=fr`, 'de', 'fr'],
    ['that of the browser', '', 'other=x', 'ko, de;q=0.5', 'de'],
    ['English, without any', '', '', '', 'en'],
    ['the next when ?lang does not exist', '?lang=tlh', `${cookie}=ar`, 'de', 'ar'],
    ['the next when ?lang is given twice', '?lang=ja&lang=fr', '', 'de', 'de'],
    ['the next when the remembered one does not exist', '', `${cookie}=../xx`, 'es', 'es'],
    ['English, when none exists', '?lang=constructor', `${cookie}="><script>`, 'tlh', 'en'],
  ] as const)('is %s', async (_wish, query, cookies, accepted, language) => {
    const page = await refusedPage(query, { cookie: cookies, 'accept-language': accepted });
    expectLanguage(page, language);
    expect(page.text).not.toContain('<script');
  });

  it('is that of the account, before what the browser asks for, also where a request is refused', async () => {
    const { browser, path } = await askIn(await createSuperAdminAccount(service), 'ar');
    const headers = { 'accept-language': 'de' };
    expectLanguage(await browser.get(`${path}?lang=ja`, headers), 'ar');
    expectLanguage(await refusedPage('?lang=ja', headers, browser), 'ar');
  });

  it('is that of the browser for an account that has chosen none', async () => {
    const { browser, path } = await askIn(await createSuperAdminAccount(service), null);
    expectLanguage(await browser.get(path, { 'accept-language': 'fr' }), 'fr');
  });
});
