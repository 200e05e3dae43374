/**
 * Sign-in journeys with a provider on another site than the portal, as real ones are, in a browser that enforces every
 * header and cookie attribute; and journeys with interruptions. `external-sign-in.test.ts` has the pages themselves.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createSuperAdminAccount } from '../../support/actors/super-admins.ts';
import { findings, overflowAt360 } from '../../support/browser/accessibility.ts';
import {
  button,
  expireAccess,
  fillSignIn,
  heading,
  isHome,
  isSignInPage,
  liveFamilies,
  openStage,
  type Stage,
  signInNewPerson,
} from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { operationOf, type Visitor } from '../../support/browser/visitors.ts';
import { authorizationQuery, registerClient } from '../../support/clients/authorization.ts';
import { newAddress, register } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import {
  type Claims,
  type IdentityProviderUnderTest,
  startIdentityProvider,
} from '../../support/servers/identity-provider.ts';

/** Creates a person at the provider; returns their address. */
const newPerson = (provider: IdentityProviderUnderTest, email = newAddress()): string => {
  provider.newPerson({ name: 'Test Person', email });
  return email;
};

const leaveForProvider = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Continue with Google', exact: true }).click();
  await isAsked(page);
};

const isAsked = (page: Page): Promise<void> => page.getByRole('link', { name: 'Cancel', exact: true }).waitFor();

const choose = (page: Page, email: string): Promise<void> =>
  page.getByRole('link', { name: email, exact: true }).click();

/** From a page with the button through the provider to the final page. */
const comeInAs = async (page: Page, email: string, start = '/signin'): Promise<void> => {
  await page.goto(start);
  await leaveForProvider(page);
  await choose(page, email);
};

const problem = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).waitFor();

/** Every URL that a browser requests, and every one it sends as Referer. */
const watchAddresses = (context: BrowserContext): readonly string[] => {
  const seen: string[] = [];
  context.on('request', (request) => {
    seen.push(request.url(), request.headers()['referer'] ?? '');
  });
  return seen;
};

const valuesAt = async (context: BrowserContext, url: string): Promise<readonly string[]> =>
  (await context.cookies(url)).map(({ value }) => value);

const namesIn = async (context: BrowserContext): Promise<readonly string[]> =>
  (await context.cookies()).map(({ name }) => name);

interface Held {
  /** Resolves once the exchange is about to leave. */
  readonly begun: Promise<void>;
  readonly release: () => void;
}

/** Keeps exchanges of a tab from leaving the browser until they are released. */
const holdExchange = async (page: Page): Promise<Held> => {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/graphql', async (route) => {
    if (operationOf(route.request()) !== 'ExchangeAuthTokens') return route.fallback();
    begun.resolve();
    await released.promise;
    return route.continue();
  });
  return { begun: begun.promise, release: () => released.resolve() };
};

const comeBackHeld = async (stage: Stage, email: string, start = '/signin') => {
  const visitor = await stage.newVisitor();
  await visitor.page.goto(start);
  await leaveForProvider(visitor.page);
  const before = visitor.requests.length;
  const held = await holdExchange(visitor.page);
  await choose(visitor.page, email);
  await held.begun;
  return { visitor, release: held.release, sent: () => visitor.operations().slice(before) };
};

const usersWith = ({ service }: Stage, email: string) =>
  service.sql<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);

describe.skipIf(chromiumPath === null).each(['one origin', 'two origins'] as const)(
  'A provider of another site, %s',
  (portal) => {
    const provider = fixture(() => startIdentityProvider('localhost'));
    const stage = fixture(() => openStage({ portal, environment: provider.environment() }));

    const hasArrived = async ({ page }: Visitor, path = '/'): Promise<void> => {
      await isHome(page);
      await page.waitForURL(`${stage.service.portalUrl}${path}`);
    };

    // Contract: accounts#account-of-an-identity — In a browser: the provider is another site than the portal, on one
    //   origin and on two
    it('creates an account for a new person, who is recognized at the next sign-in', async () => {
      const email = newPerson(provider);
      const visitor = await stage.newVisitor();
      await comeInAs(visitor.page, email, '/signup');
      await hasArrived(visitor);
      const made = await usersWith(stage, email);
      expect(made).toHaveLength(1);
      // The provider vouches for the address: no confirmation is needed.
      expect(await stage.service.mailsTo(email)).toEqual([]);
      const again = await stage.newVisitor();
      await comeInAs(again.page, email);
      await hasArrived(again);
      expect(await usersWith(stage, email)).toEqual(made);
      expect(await liveFamilies(stage.service, email)).toBe(2);
    });

    // Contract: accounts#portal-during-an-exchange — In a browser: until exchangeAuthTokens has ended, no current-user
    //   query and no refresh
    it('completes the exchange before any request asks for the signed-in user or refreshes', async () => {
      const email = newPerson(provider);
      const { visitor, release, sent } = await comeBackHeld(stage, email);
      const { page, context } = visitor;
      expect(await usersWith(stage, email)).toEqual([]);
      // Events after which a portal queries again: visible, online, and restored from the history.
      await page.evaluate(() => {
        for (const name of ['focus', 'online', 'pageshow']) window.dispatchEvent(new Event(name));
        document.dispatchEvent(new Event('visibilitychange'));
      });
      expect(page.url()).toBe(`${stage.service.portalUrl}/signin?oauth_exchange=1`);
      expect(sent()).toEqual(['ExchangeAuthTokens']);
      release();
      await hasArrived(visitor);
      expect(sent()[0]).toBe('ExchangeAuthTokens');
      expect([visitor.count('ExchangeAuthTokens'), visitor.count('RefreshAccess')]).toEqual([1, 0]);
      expect(await namesIn(context)).not.toContain('auth_exchange');
      expect(await liveFamilies(stage.service, email)).toBe(1);
    });

    // Contract: accounts#callback-of-the-provider — In a browser: no secret in any URL; the marker is removed
    it('has no secret in a URL or in the storage of the page, and removes the marker of the exchange', async () => {
      const email = newPerson(provider);
      const { portalUrl } = stage.service;
      const visitor = await stage.newVisitor();
      const { page, context } = visitor;
      const addresses = watchAddresses(context);
      await page.goto('/signin?redirect=%2F%3Fone%3Dtwo');
      await leaveForProvider(page);
      const secrets = new Set(await valuesAt(context, `${portalUrl}/auth/google/callback`));
      const held = await holdExchange(page);
      await choose(page, email);
      await held.begun;
      const waiting = await context.cookies(portalUrl);
      expect(waiting.find(({ name }) => name === 'auth_exchange')).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
      for (const { value } of waiting) secrets.add(value);
      held.release();
      await hasArrived(visitor, '/?one=two');
      for (const value of await valuesAt(context, portalUrl)) secrets.add(value);
      // Helper session, redirect, exchange and its marker, access and refresh.
      expect(secrets.size).toBe(6);
      const readable = addresses.map((address) => decodeURIComponent(address));
      for (const secret of secrets) expect(readable.filter((address) => address.includes(secret))).toEqual([]);
      // The code appears only in the URL of the callback, as the protocol requires.
      const withCode = readable.filter((address) => /[?&]code=/.test(address));
      expect(withCode.map((address) => address.split('?')[0])).toEqual([`${portalUrl}/auth/google/callback`]);
      const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
      for (const secret of secrets) expect(stored).not.toContain(secret);
      await page.reload();
      await hasArrived(visitor, '/?one=two');
      expect(visitor.count('ExchangeAuthTokens')).toBe(1);
    });

    // Contract: platform-mcp#signed-out-browser — In a browser: MCP authorize →
    //   /signin?redirect=/auth/mcp/continue/:requestId → provider → consent
    it('leads a super admin to the consent that an MCP client waits for', async () => {
      const email = newPerson(provider, await createSuperAdminAccount(stage.service));
      const clientId = await registerClient(stage.service);
      const { page } = await stage.newVisitor();
      await page.goto(`${stage.service.url}/auth/mcp/authorize?${authorizationQuery(clientId)}`);
      await isSignInPage(page);
      await leaveForProvider(page);
      await choose(page, email);
      await heading(page, 'Allow Test Client to act for you?').waitFor();
      expect(page.url()).toContain(`${stage.service.url}/auth/mcp/continue/`);
      await page.getByText(email).first().waitFor();
    });

    // Contract: accounts#refused-exchange — In a browser: a different signed-in user is never swapped
    it('changes nothing for another signed-in user, and the fragment then has no effect', async () => {
      const other = newPerson(provider);
      const { visitor, email } = await signInNewPerson(stage);
      const { page, context } = visitor;
      const before = await valuesAt(context, stage.service.portalUrl);
      await page.goto('/auth/google');
      await choose(page, other);
      await heading(page, 'You are signed in already').waitFor();
      await expect.poll(() => new URL(page.url()).search).toBe('?error=ACCOUNT_MISMATCH');
      expect(await usersWith(stage, other)).toEqual([]);
      const after = (await context.cookies(stage.service.portalUrl)).filter(
        ({ name }) => !['helper_session', 'exchange_marker'].includes(name),
      );
      expect(after.map(({ value }) => value)).toEqual(before);
      await page.goto('/signin?oauth_exchange=1');
      await hasArrived(visitor);
      await page.getByText(email).first().waitFor();
      expect(await liveFamilies(stage.service, email)).toBe(1);
      expect(await liveFamilies(stage.service, other)).toBe(0);
    });

    it('changes nothing either where the exchange takes longer than the page waits for the session', async () => {
      const other = newPerson(provider);
      const { visitor } = await signInNewPerson(stage);
      const { page } = visitor;
      await page.goto('/auth/google');
      const held = await holdExchange(page);
      await choose(page, other);
      await held.begun;
      await page.getByRole('status').getByText('Loading').waitFor();
      held.release();
      await heading(page, 'You are signed in already').waitFor();
      expect(new URL(page.url()).search).toBe('?error=ACCOUNT_MISMATCH');
      expect(await usersWith(stage, other)).toEqual([]);
    });

    // Contract: accounts#link-at-the-callback — In a browser: link and unlink
    it('is connected to the account of the signed-in user, whatever its address at the provider, and disconnected again', async () => {
      const { page, email } = await signInNewPerson(stage);
      const address = newPerson(provider);
      await page.goto('/account');
      await button(page, 'Connect Google').click();
      await choose(page, address);
      await problem(page, 'Google is connected.');
      await page.waitForURL(`${stage.service.portalUrl}/account`);
      const elsewhere = await stage.newVisitor();
      await comeInAs(elsewhere.page, address);
      await hasArrived(elsewhere);
      await elsewhere.page.getByText(email).first().waitFor();
      await button(page, 'Disconnect Google').click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
      await problem(page, 'Google is disconnected.');
      const [person] = await usersWith(stage, email);
      const identities = 'SELECT 1 FROM external_identities WHERE user_id = $1';
      expect(await stage.service.sql(identities, [person?.id ?? ''])).toEqual([]);
      const mails = (await stage.service.mailsTo(email)).map(({ subject }) => subject);
      expect(mails.filter((subject) => subject.includes('Google'))).toHaveLength(2);
    });
  },
);

describe.skipIf(chromiumPath === null)('An interrupted sign-in by the provider', () => {
  const provider = fixture(() => startIdentityProvider('localhost'));
  const stage = fixture(() => openStage({ environment: provider.environment() }));

  const tooLate = 'Signing in took too long, or was already completed. Please try again.';

  it('starts again after a cancel, and leads to the page requested at first', async () => {
    const email = newPerson(provider);
    const { page } = await stage.newVisitor();
    await page.goto('/signin?redirect=%2F%3Fkept%3D1');
    await leaveForProvider(page);
    await page.getByRole('link', { name: 'Cancel', exact: true }).click();
    await problem(page, 'You cancelled at Google. Nothing has changed.');
    expect(page.url()).toMatch(/\/signin\?error=PROVIDER_CANCELLED&id=[0-9a-f-]{36}&redirect=%2F%3Fkept%3D1$/);
    await leaveForProvider(page);
    await choose(page, email);
    await isHome(page);
    await expect.poll(() => new URL(page.url()).search).toBe('?kept=1');
  });

  it.each<{ readonly what: string; readonly claims: Claims; readonly sentence: RegExp }>([
    { what: 'no address', claims: { email: undefined }, sentence: /^An account needs an e-mail address/ },
    {
      what: 'an address that is not verified',
      claims: { email_verified: false },
      sentence: /^Your e-mail address is not confirmed at Google yet/,
    },
  ])('creates no account for a person with $what, and explains it', async ({ claims, sentence }) => {
    const subject = provider.newPerson({ name: 'Test Person', ...claims });
    const countUsers = () => stage.service.sql('SELECT count(*)::integer AS users FROM users');
    const before = await countUsers();
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    await page.goto('/signin');
    await leaveForProvider(page);
    await page.goto(`${page.url()}/login?subject=${subject}`);
    await problem(page, sentence);
    expect(visitor.count('ExchangeAuthTokens')).toBe(0);
    expect(await countUsers()).toEqual(before);
  });

  it('signs in a person with a password by the same verified address, mails them, and keeps the password', async () => {
    const email = newPerson(provider, await register(stage.service));
    const known = (await stage.service.mailsTo(email)).length;
    const { page } = await stage.newVisitor();
    await comeInAs(page, email);
    await isHome(page);
    expect(await stage.service.mailsTo(email)).toHaveLength(known + 1);
    const elsewhere = await stage.newVisitor();
    await elsewhere.page.goto('/signin');
    await fillSignIn(elsewhere.page, email);
    await isHome(elsewhere.page);
  });

  // Contract: accounts#exchange-of-the-secret — In a browser: an expired exchange
  it('refuses an expired exchange, and signs the person in by the next attempt', async () => {
    const email = newPerson(provider);
    const { visitor, release } = await comeBackHeld(stage, email);
    const { page, context } = visitor;
    await stage.service.sql("UPDATE external_exchanges SET expires_at = now() - interval '1 second'");
    release();
    await problem(page, tooLate);
    await expect.poll(() => new URL(page.url()).search).toBe('?error=EXCHANGE_REFUSED');
    expect(await usersWith(stage, email)).toEqual([]);
    expect(await namesIn(context)).not.toContain('auth_exchange');
    await leaveForProvider(page);
    await choose(page, email);
    await isHome(page);
  });

  // Contract: accounts#exchange-of-the-secret — In a browser: a copied exchange
  it('refuses a copy of a used exchange cookie in another browser', async () => {
    const email = newPerson(provider);
    const { visitor, release } = await comeBackHeld(stage, email);
    const copies = (await visitor.context.cookies()).filter(({ name }) => name === 'auth_exchange');
    expect(copies).toHaveLength(1);
    release();
    await isHome(visitor.page);
    const thief = await stage.newVisitor();
    await thief.context.addCookies(copies);
    await thief.page.goto('/signin?oauth_exchange=1');
    await problem(thief.page, tooLate);
    const kept = await namesIn(thief.context);
    for (const name of ['auth_exchange', 'auth_access', 'auth_refresh']) expect(kept).not.toContain(name);
    expect(await liveFamilies(stage.service, email)).toBe(1);
  });

  // Contract: accounts#repeated-callback — In a browser: a callback opened again
  it('refuses a callback URL that is opened again, signed in or not', async () => {
    const email = newPerson(provider);
    const visitor = await stage.newVisitor();
    const { page, context } = visitor;
    const addresses = watchAddresses(context);
    await comeInAs(page, email);
    await isHome(page);
    const callback = addresses.find((address) => address.includes('/auth/google/callback?')) ?? '';
    expect(callback).toContain('code=');
    await page.goto(callback);
    await isHome(page);
    expect(visitor.count('ExchangeAuthTokens')).toBe(1);
    const thief = await stage.newVisitor();
    await thief.page.goto(callback);
    await problem(thief.page, /^This attempt has ended:/);
    expect(thief.count('ExchangeAuthTokens')).toBe(0);
    expect(await liveFamilies(stage.service, email)).toBe(1);
  });

  // Contract: accounts#portal-during-an-exchange — In a browser: the back button after sign-in
  it('goes back through the history without a second exchange, and without a sign-out', async () => {
    const email = newPerson(provider);
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    await comeInAs(page, email);
    await isHome(page);
    await page.goBack();
    await isAsked(page);
    await page.goBack();
    // The cached page with the button shows the signed-in user.
    await isHome(page);
    expect(visitor.count('ExchangeAuthTokens')).toBe(1);
    expect(await liveFamilies(stage.service, email)).toBe(1);
  });

  it('completes in each of two tabs, with its own redirect', async () => {
    const email = newPerson(provider);
    const visitor = await stage.newVisitor();
    const tabs = [visitor.page, await visitor.newTab()] as const;
    for (const [index, tab] of tabs.entries()) {
      await tab.goto(`/signin?redirect=${encodeURIComponent(`/?tab=${index}`)}`);
      await leaveForProvider(tab);
    }
    for (const tab of tabs) {
      await choose(tab, email);
      await isHome(tab);
    }
    expect(tabs.map((tab) => new URL(tab.url()).search)).toEqual(['?tab=0', '?tab=1']);
    expect(await usersWith(stage, email)).toHaveLength(1);
  });

  // Contract: accounts#exchange-of-the-secret — In a browser: two tabs at once
  it('is one person in two tabs that return at once', async () => {
    const emails = [newPerson(provider), newPerson(provider)] as const;
    const visitor = await stage.newVisitor();
    const tabs = [visitor.page, await visitor.newTab()] as const;
    for (const tab of tabs) {
      await tab.goto('/signin');
      await leaveForProvider(tab);
    }
    const held = await holdExchange(tabs[0]);
    await choose(tabs[0], emails[0]);
    await held.begun;
    await choose(tabs[1], emails[1]);
    await tabs[1].waitForURL('**/signin?oauth_exchange=1');
    held.release();
    await Promise.all(tabs.map(isHome));
    const families = await Promise.all(emails.map((email) => liveFamilies(stage.service, email)));
    expect(families.toSorted((one, other) => one - other)).toEqual([0, 1]);
    const known = emails[families.indexOf(1)] ?? '';
    for (const tab of tabs) await tab.getByText(known).first().waitFor();
  });

  it('starts a session that is refreshed like any other', async () => {
    const email = newPerson(provider);
    const visitor = await stage.newVisitor();
    await comeInAs(visitor.page, email);
    await isHome(visitor.page);
    await expireAccess(stage.service);
    await visitor.page.reload();
    await isHome(visitor.page);
    expect(visitor.count('RefreshAccess')).toBe(1);
    expect(await liveFamilies(stage.service, email)).toBe(1);
  });

  const identitiesOf = (email: string) =>
    stage.service.sql('SELECT 1 FROM external_identities i JOIN users u ON u.id = i.user_id WHERE u.email = $1', [
      email,
    ]);

  it('connects nothing after a sign-out in another tab', async () => {
    const { visitor, email } = await signInNewPerson(stage);
    const address = newPerson(provider);
    const other = await visitor.newTab();
    await other.goto('/');
    await isHome(other);
    await visitor.page.goto('/account');
    await button(visitor.page, 'Connect Google').click();
    await isAsked(visitor.page);
    await button(other, 'Sign out').first().click();
    await isSignInPage(other);
    await choose(visitor.page, address);
    await problem(visitor.page, /^Your session ended before Google was connected/);
    expect(await identitiesOf(email)).toEqual([]);
  });

  // Contract: accounts#question-before-a-link — Link mode without the preparing session: the question, in a browser
  it('asks before it connects when the browser lost the session that prepared it, and follows the answer', async () => {
    const { visitor, email } = await signInNewPerson(stage);
    const { page, context } = visitor;
    const addresses = [newPerson(provider), newPerson(provider)];
    for (const [index, address] of addresses.entries()) {
      await page.goto('/account');
      const kept = await context.cookies();
      await button(page, 'Connect Google').click();
      await isAsked(page);
      for (const name of ['auth_access', 'auth_refresh']) await context.clearCookies({ name });
      await choose(page, address);
      await heading(page, 'Link to this account?').waitFor();
      await page.getByText(address).waitFor();
      expect(await identitiesOf(email)).toEqual([]);
      if (index === 0) {
        expect([await findings(page), await overflowAt360(page)]).toEqual([[], 0]);
        await button(page, 'Do not link').click();
        await problem(page, 'You did not link your account at Google');
        await context.addCookies(kept);
      } else {
        await button(page, 'Link').click();
        await isSignInPage(page);
      }
    }
    expect(await identitiesOf(email)).toEqual([expect.anything()]);
  });

  it('refuses an identity that is connected to another account, and explains it', async () => {
    const taken = newPerson(provider);
    const owner = await stage.newVisitor();
    await comeInAs(owner.page, taken);
    await isHome(owner.page);
    const { visitor, email } = await signInNewPerson(stage);
    await visitor.page.goto('/account');
    await button(visitor.page, 'Connect Google').click();
    await choose(visitor.page, taken);
    await problem(visitor.page, /is connected to another account here/);
    await button(visitor.page, 'Continue as Test Person').click();
    await isHome(visitor.page);
    await visitor.page.goto('/account');
    await problem(visitor.page, 'Not connected');
    expect([await identitiesOf(email), await identitiesOf(taken)]).toEqual([[], [expect.anything()]]);
  });
});
