/** "Link to this account?": the question to a browser that returns without the session that prepared the link. */
import { describe, expect, it } from 'vitest';
import { loadPageTexts } from '../../src/http/pages/words.ts';
import { languages, languageTraits } from '../../src/kernel/languages.ts';
import { familyOf } from '../support/actors/credentials.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { operations, post } from '../support/clients/clients.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { ProviderBrowser } from '../support/clients/provider-browser.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { identitiesOf } from '../support/servers/external.ts';
import { expectExternalRefusal, expectRefusalPage } from '../support/servers/external-refusals.ts';
import { startIssuerOfPeople } from '../support/servers/issuer-with-accounts.ts';

type Headers_ = Readonly<Record<string, string>>;

const provider = fixture(startIssuerOfPeople);
const service = serviceFixture(() => provider.environment());

const json = { accept: 'application/json' };

interface Asked {
  readonly owner: Tenant;
  readonly browser: ProviderBrowser;
  readonly subject: string;
  readonly url: string;
}

/** Prepares a link by a Bearer in a browser without a session; returns the callback URL. */
const comeBack = async (query = '', email = 'outside@elsewhere.example') => {
  const owner = await newOwner(service);
  const browser = new ProviderBrowser();
  const headers = { ...json, authorization: `Bearer ${owner.tokens.accessToken}` };
  await browser.get(`${service.portalUrl}/auth/google/prepare-link${query}`, headers);
  const subject = provider.newPerson({ email });
  const callback = await provider.signIn(browser, `${service.portalUrl}/auth/google`, subject);
  return { owner, browser, subject, callback };
};

/** The same, with the question shown, nothing linked and no mail sent. */
const beAsked = async (query = '', email?: string): Promise<Asked> => {
  const { callback, ...asked } = await comeBack(query, email);
  const { location } = await asked.browser.get(callback);
  expect(location).toMatch(new RegExp(`^${service.portalUrl}/auth/google/link/[\\w-]{22}$`));
  await expectUnlinked(asked.owner);
  return { ...asked, url: location ?? '' };
};

const linkMails = async ({ email }: Tenant): Promise<number> =>
  (await service.mailsTo(email)).filter(({ subject }) => subject.startsWith('You can now sign in')).length;

const expectUnlinked = async (owner: Tenant): Promise<void> => {
  expect(await identitiesOf(service, owner.email)).toEqual([]);
  expect(await linkMails(owner)).toBe(0);
};

const tokenIn = ({ text }: PageAnswer): string => /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? '';

const submit = async (
  { browser, url }: Pick<Asked, 'browser' | 'url'>,
  decision: string,
  headers: Headers_ = { origin: service.portalUrl },
): Promise<PageAnswer> => browser.submit(url, { csrf_token: tokenIn(await browser.get(url)), decision }, headers);

const expectSessionEnded = async ({ browser, url }: Asked): Promise<void> => {
  expectRefusalPage(service, ['ATTEMPT_OVER'], await expectNothingStored(service, () => browser.get(url)));
};

describe('A link that returns without the session that prepared it', () => {
  // Contract: accounts#question-before-a-link — Link mode: a browser without the preparing session is asked first
  it('leads to a page that names both accounts, with the addresses masked', async () => {
    const { owner, browser, url } = await beAsked();
    const page = await browser.get(url);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<h1>Link to this account?</h1>');
    expect(page.text).toContain('outside@elsewhere.example');
    expect(page.text).toContain(`${owner.email[0]}•••@${owner.email.split('@')[1]}`);
    expect(page.text).not.toContain(owner.email);
    expect(page.text).toContain('It has another address than your account');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('content-security-policy')).not.toMatch(/script-src|form-action/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    const [, stylesheet = ''] = /rel="stylesheet" href="([^"]+)"/.exec(page.text) ?? [];
    expect((await fetch(new URL(stylesheet, url))).headers.get('content-type')).toBe('text/css; charset=utf-8');
  });

  it.each(languages)('is asked in the language of the browser: %s', async (language) => {
    const { browser, url } = await beAsked();
    const page = await expectNothingStored(service, () => browser.get(url, { 'accept-language': language }));
    const { link } = await loadPageTexts(language);
    for (const text of [link.title, link.lead, link.account, link.effect, link.refuse, link.connect])
      expect(page.text).toContain(text);
    expect(page.text).toContain(`<html lang="${language}" dir="${languageTraits(language).direction}">`);
    expect(page.headers.get('content-language')).toBe(language);
    expect(page.headers.get('vary')).toBe('Accept-Language, Cookie');
  });

  it('shows the account’s address in full when the identity has the same', async () => {
    const owner = await newOwner(service);
    const browser = new ProviderBrowser();
    const headers = { ...json, authorization: `Bearer ${owner.tokens.accessToken}` };
    await browser.get(`${service.portalUrl}/auth/google/prepare-link`, headers);
    const subject = provider.newPerson({ email: owner.email });
    const callback = await provider.signIn(browser, `${service.portalUrl}/auth/google`, subject);
    const page = await browser.get((await browser.get(callback)).location ?? '');
    expect(page.text.split(owner.email)).toHaveLength(3);
    expect(page.text).not.toContain('another address');
  });

  // Contract: accounts#question-before-a-link — The answer to the question of a link counts once
  it('is linked by a yes, which leads to the requested page, and counts once', async () => {
    const asked = await beAsked('?redirect=/members');
    const token = tokenIn(await asked.browser.get(asked.url));
    const answer = await submit(asked, 'connect');
    expect({ status: answer.status, location: answer.location }).toEqual({
      status: 303,
      location: `${service.portalUrl}/members`,
    });
    const linked = [`${provider.issuer} ${asked.subject} outside@elsewhere.example`];
    expect(await identitiesOf(service, asked.owner.email)).toEqual(linked);
    expect(await linkMails(asked.owner)).toBe(1);
    const again = await expectNothingStored(service, () =>
      asked.browser.submit(asked.url, { csrf_token: token, decision: 'connect' }, { origin: service.portalUrl }),
    );
    expectRefusalPage(service, ['ATTEMPT_OVER'], again, 303);
    await expectSessionEnded(asked);
  });

  // Contract: accounts#question-before-a-link — A no to the question of a link links nothing
  it('is not linked by a no, which ends the question', async () => {
    const asked = await beAsked('?redirect=/members');
    const answer = await submit(asked, 'refuse');
    expectRefusalPage(service, ['LINK_DECLINED'], answer, 303);
    expect(answer.location).not.toContain('members');
    await expectUnlinked(asked.owner);
    await expectSessionEnded(asked);
  });

  // Contract: accounts#question-before-a-link — The question of a link is answered only from its own page
  it('is answered only from its own page; requests from elsewhere do not end the question', async () => {
    const asked = await beAsked();
    const token = tokenIn(await asked.browser.get(asked.url));
    const form = { csrf_token: token, decision: 'connect' };
    const own = { origin: service.portalUrl };
    const refused: readonly (readonly [number, Headers_, Headers_])[] = [
      [403, {}, form],
      [403, { origin: 'null' }, form],
      [403, { origin: 'https://neighbour.example' }, form],
      [403, { ...own, origin: `${service.portalUrl}.evil.example` }, form],
      [403, own, { decision: 'connect' }],
      [403, own, { ...form, csrf_token: `${token.slice(1)}A` }],
      [400, own, { csrf_token: token }],
      [400, own, { ...form, decision: 'yes' }],
      [400, { ...own, 'content-type': 'application/json' }, form],
    ];
    for (const [status, headers, body] of refused) {
      const answer = await expectNothingStored(service, () => asked.browser.submit(asked.url, body, headers));
      expect({ status: answer.status, setCookies: answer.setCookies }).toEqual({ status, setCookies: [] });
    }
    expect((await submit(asked, 'connect')).location).toBe(`${service.portalUrl}/`);
  });

  // Contract: accounts#question-before-a-link — The question of a link is answered only in the browser that was asked
  it('is answered only in the browser that was asked', async () => {
    const [asked, other] = [await beAsked(), await beAsked()];
    const token = tokenIn(await asked.browser.get(asked.url));
    for (const browser of [other.browser, new ProviderBrowser()]) {
      await expectSessionEnded({ ...asked, browser });
      const foreign = await expectNothingStored(service, () =>
        browser.submit(asked.url, { csrf_token: token, decision: 'connect' }, { origin: service.portalUrl }),
      );
      expect(foreign.status === 403 || foreign.location?.includes('ATTEMPT_OVER')).toBe(true);
    }
    for (const { owner } of [asked, other]) await expectUnlinked(owner);
    expect((await submit(asked, 'connect')).location).toBe(`${service.portalUrl}/`);
  });

  // Contract: accounts#question-before-a-link — A yes to the question of a link is checked again
  it('is refused after a yes when the session has ended or another person has signed in', async () => {
    const ended = await beAsked();
    await post(service.url, operations.signOut, {}, { authorization: `Bearer ${ended.owner.tokens.accessToken}` });
    const occupied = await beAsked();
    const other = await newOwner(service);
    occupied.browser.keep(service.url, 'auth_access', other.tokens.accessToken);
    for (const asked of [ended, occupied]) {
      const answer = await submit(asked, 'connect');
      expectRefusalPage(service, ['LINK_SESSION_OVER'], answer, 303);
      await expectUnlinked(asked.owner);
    }
    expect(await identitiesOf(service, other.email)).toEqual([]);
  });

  it('shows the question in another session of the same person, but not after a switch or refresh', async () => {
    const { owner, browser, callback } = await comeBack();
    const another = await seedSession(service.database, owner.userId);
    expect(await familyOf(service, another.accessToken)).not.toBe(await familyOf(service, owner.tokens.accessToken));
    browser.keep(service.url, 'auth_access', another.accessToken);
    expect((await browser.get(callback)).location).toContain('/auth/google/link/');
    await expectUnlinked(owner);

    const same = await comeBack();
    const refreshed = await post(service.url, operations.refresh, { ...same.owner.tokens });
    expect(refreshed.code).toBeNull();
    same.browser.keep(service.url, 'auth_refresh', same.owner.tokens.refreshToken);
    expect((await same.browser.get(same.callback)).location).toBe(`${service.portalUrl}/`);
    expect(await identitiesOf(service, same.owner.email)).toHaveLength(1);
  });

  it('is refused without a question when it could not be linked anyway', async () => {
    const first = await beAsked();
    await submit(first, 'connect');
    const owner = await newOwner(service);
    const browser = new ProviderBrowser();
    const headers = { ...json, authorization: `Bearer ${owner.tokens.accessToken}` };
    await browser.get(`${service.portalUrl}/auth/google/prepare-link`, headers);
    const callback = await provider.signIn(browser, `${service.portalUrl}/auth/google`, first.subject);
    const secrets = () => [provider.clientSecret];
    await expectExternalRefusal(service, { codes: ['IDENTITY_TAKEN'], secrets }, () => browser.get(callback));
    await expectUnlinked(owner);
  });
});
