/** The redirect of `/auth/google`: paths and URLs of the front ends for a sign-in, paths of the portal for a link. */
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newOwner } from '../support/actors/tenants.ts';
import { ProviderBrowser } from '../support/clients/provider-browser.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { appOrigin, droppedRedirects, internalPaths, plainOrigin, returnUrls } from '../support/redirect-cases.ts';
import { startIssuerOfPeople } from '../support/servers/issuer-with-accounts.ts';

const provider = fixture(startIssuerOfPeople);
const service = serviceFixture(() => provider.environment(), 'none', {
  application: { name: 'Acme Notes', origins: [appOrigin, plainOrigin] },
});

const start = (redirect?: string): string =>
  `${service.portalUrl}/auth/google${redirect === undefined ? '' : `?redirect=${encodeURIComponent(redirect)}`}`;

const prepareLink = (redirect: string): string =>
  `${service.portalUrl}/auth/google/prepare-link?redirect=${encodeURIComponent(redirect)}`;

const followed = `${appOrigin}/notes/7?x=1#part`;

/** The redirect in the cookie that the browser keeps for its attempt, or null. */
const keptRedirect = async (redirect: string): Promise<unknown> => {
  const browser = new ProviderBrowser();
  await browser.get(start(redirect));
  const [body] = browser.valueOf('oauth_post_auth_redirect')?.split('.') ?? [];
  if (body === undefined) return null;
  const bytes = Buffer.from(body.replace('!', ''), 'base64url');
  const value: unknown = JSON.parse((body.startsWith('!') ? inflateRawSync(bytes) : bytes).toString());
  return value;
};

describe('A sign-in', () => {
  it.each(internalPaths)('keeps the path %j', async (path) => {
    expect(await keptRedirect(path)).toEqual({ redirect: path });
  });

  // Contract: application#absolute-urls-of-a-front-end — /auth/google leads to an absolute URL of an allowed origin
  it.each(returnUrls)('keeps %j as %j', async (given, parsed) => {
    expect(await keptRedirect(given)).toEqual({ redirect: parsed });
  });

  it('keeps a URL of the portal', async () => {
    expect(await keptRedirect(`${service.portalUrl}/members`)).toEqual({ redirect: `${service.portalUrl}/members` });
  });

  it.each(droppedRedirects)('drops %j', async (redirect) => {
    expect(await keptRedirect(redirect)).toBeNull();
  });

  it('leads to the sign-in page with the URL, also after a refusal', async () => {
    const browser = new ProviderBrowser();
    const { location } = await provider.comeBack(browser, start(followed), provider.newPerson());
    const target = `redirect=${encodeURIComponent(followed)}`;
    expect(location).toBe(`${service.portalUrl}/signin?oauth_exchange=1&${target}`);
    const cancelled = await browser.get(await provider.cancel(browser, start(followed)));
    expect(cancelled.location).toMatch(/\/signin\?error=PROVIDER_CANCELLED&/);
    expect(cancelled.location).toContain(target);
  });
});

describe('A link', () => {
  const person = async (): Promise<ProviderBrowser> => {
    const { tokens } = await newOwner(service);
    const browser = new ProviderBrowser();
    browser.keep(service.url, 'auth_access', tokens.accessToken);
    browser.keep(service.url, 'auth_refresh', tokens.refreshToken);
    return browser;
  };

  // Contract: application#dropped-redirects — A link leads to paths of the portal alone
  it('leads to no URL that is given to prepare-link', async () => {
    const answer = await provider.comeBack(await person(), prepareLink(followed), provider.newPerson());
    expect(answer.location).toBe(`${service.portalUrl}/`);
  });

  it.each([
    [followed, '/'],
    ['/members', '/members'],
  ])('leads from %j, given to /auth/google, to %s', async (redirect, path) => {
    const browser = await person();
    await browser.get(`${service.portalUrl}/auth/google/prepare-link`);
    const callback = await provider.signIn(browser, start(redirect), provider.newPerson());
    expect(browser.valueOf('oauth_post_auth_redirect') === undefined).toBe(redirect === followed);
    expect((await browser.get(callback)).location).toBe(`${service.portalUrl}${path}`);
  });

  it('without a session asks for a sign-in, and leads to no URL after it', async () => {
    const answer = await new ProviderBrowser().get(prepareLink(followed), { accept: 'text/html' });
    expect(answer.location).toBe(`${service.portalUrl}/signin?redirect=%2F`);
  });
});
