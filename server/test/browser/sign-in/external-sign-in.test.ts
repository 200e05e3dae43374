/** Sign-in by the external provider in a browser: the whole way, the first request afterwards, and every result. */
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { externalRefusalCodes } from '../../../src/kernel/errors.ts';
import { me } from '../../support/actors/credentials.ts';
import { inviteByMail } from '../../support/actors/invitations.ts';
import {
  answerInstead,
  button,
  expireAccess,
  fillSignIn,
  heading,
  isHome,
  isSignInPage,
  liveFamilies,
  openStage,
  signInNewPerson,
} from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { operationOf, type Visitor } from '../../support/browser/visitors.ts';
import { newAddress, register, registerAndSignIn, signIn } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import { startIdentityProvider } from '../../support/servers/identity-provider.ts';

const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';

describe.skipIf(chromiumPath === null)('Signing in with the external provider', () => {
  // Another site than the service, as real ones are.
  const provider = fixture(() => startIdentityProvider('localhost'));
  const stage = fixture(() => openStage({ environment: provider.environment() }));

  /** Creates a person at the provider, by their address there. */
  const newPerson = (email = newAddress()): string => {
    provider.newPerson({ email, name: 'Test Person' });
    return email;
  };

  const goOn = (page: Page) => page.getByRole('link', { name: 'Continue with Google' });

  /** Chooses an account at the provider, whose page is open or loading. */
  const choose = (page: Page, email: string): Promise<void> =>
    page.getByRole('link', { name: email, exact: true }).click();

  const signInAs = async (page: Page, email: string, address = '/signin'): Promise<void> => {
    await page.goto(address);
    await goOn(page).click();
    await choose(page, email);
  };

  const question = (page: Page) => page.getByRole('region', { name: 'Did you set the password of this account?' });

  const sessionsOf = (email: string): Promise<number> => liveFamilies(stage.service, email);

  // Contract: accounts#portal-during-an-exchange — External sign-in handoff 2: nothing before the exchange
  it('sends the exchange before any other request, and removes its marker', async () => {
    const email = newPerson();
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    await page.goto('/signin');
    await goOn(page).click();
    const before = visitor.operations().length;
    await choose(page, email);
    await isHome(page);
    expect(visitor.operations()[before]).toBe('ExchangeAuthTokens');
    expect(visitor.count('ExchangeAuthTokens')).toBe(1);
    expect(visitor.count('RefreshAccess')).toBe(0);
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(await sessionsOf(email)).toBe(1);
    const cookies = await visitor.context.cookies(stage.service.url);
    expect(cookies.map(({ name }) => name)).not.toContain('auth_exchange');
  });

  it('leads to the requested page', async () => {
    const { page } = await stage.newVisitor();
    await signInAs(page, newPerson(), '/members');
    await page.getByText('1 person').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/members');
  });

  it('leads to a page of the server with a page load, and the back button does not return to the sign-in page', async () => {
    const { page } = await stage.newVisitor();
    await signInAs(page, newPerson(), '/signin?redirect=/dev/mailbox');
    await heading(page, 'Development mailbox').waitFor();
    expect(await page.evaluate(() => history.length)).toBeGreaterThan(1);
    await page.goBack();
    expect(new URL(page.url()).pathname).not.toBe('/signin');
  });

  it('leads from the sign-up page and from an invitation back to where it began', async () => {
    const { page } = await stage.newVisitor();
    await signInAs(page, newPerson(), '/signup?redirect=/members');
    await page.getByText('1 person').waitFor();

    const email = await register(stage.service);
    provider.newPerson({ email });
    const { tokens } = await registerAndSignIn(stage.service);
    const { token } = await inviteByMail(stage.service, tokens, email);
    const invited = await stage.newVisitor();
    await signInAs(invited.page, email, `/invitation/${token}`);
    await button(invited.page, 'Accept the invitation').waitFor();
  });

  // Contract: accounts#password-before-a-link — A password that may be another person's, on the portal's pages
  it('asks once, after a link by the address, whether the person set the password of the account, and removes it', async () => {
    const email = await register(stage.service);
    const outsider = await signIn(stage.service, email);
    const { page } = await stage.newVisitor();
    await signInAs(page, newPerson(email), '/signin?redirect=/members');
    await question(page).waitFor();
    await page.reload();
    await button(page, 'Remove the password').click();
    await page.getByText('The password is removed').waitFor();
    expect((await me(stage.service, outsider.accessToken)).code).toBe('UNAUTHENTICATED');
    await page.goto('/account');
    await page.getByText('Not set').waitFor();
    expect(await question(page).count()).toBe(0);

    const other = await stage.newVisitor();
    const own = await register(stage.service);
    await signInAs(other.page, newPerson(own));
    await button(other.page, 'I set it: keep it').click();
    await other.page.getByText('The password stays.').waitFor();
    await other.page.reload();
    await isHome(other.page);
    expect(await question(other.page).count()).toBe(0);
    await signIn(stage.service, own);
  });

  it('starts once after a double click', async () => {
    const visitor = await stage.newVisitor();
    const begun: string[] = [];
    visitor.context.on('request', (request) => {
      if (new URL(request.url()).pathname === '/auth/google') begun.push(request.url());
    });
    await visitor.page.goto('/signin?redirect=/members');
    await goOn(visitor.page).dblclick();
    await visitor.page.getByRole('link', { name: 'Cancel' }).waitFor();
    expect(begun).toEqual([`${stage.service.url}/auth/google?redirect=%2Fmembers`]);
  });

  const hold = async (page: Page, operation: string) => {
    const held: Route[] = [];
    let isHeld = true;
    await page.context().route('**/graphql', async (route) => {
      if (isHeld && operationOf(route.request()) === operation) held.push(route);
      else await route.fallback();
    });
    return {
      waitFor: () => expect.poll(() => held.length, { timeout: 15_000 }).toBeGreaterThan(0),
      release: async () => {
        isHeld = false;
        await Promise.all(held.map((route) => route.continue()));
      },
    };
  };

  // Contract: accounts#portal-during-an-exchange — In a browser: until exchangeAuthTokens has ended, no refresh in any
  //   tab
  it('blocks queries of this tab and rotations of other tabs until it has completed', async () => {
    const { visitor, email } = await signInNewPerson(stage);
    provider.newPerson({ email });
    await expireAccess(stage.service);
    const second = await visitor.newTab();
    const held = await hold(second, 'ExchangeAuthTokens');
    await second.goto('/auth/google');
    await choose(second, email);
    await held.waitFor();
    const [asked, renewed] = [visitor.count('FetchMe'), visitor.count('RefreshAccess')];
    await visitor.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    // The first tab sent a query, which was refused with an expired credential, and waits for the lock.
    await expect.poll(() => visitor.count('FetchMe')).toBe(asked + 1);
    await held.release();
    await isHome(second);
    await expect.poll(() => visitor.count('FetchMe')).toBeGreaterThan(asked + 1);
    await isHome(visitor.page);
    expect(visitor.count('RefreshAccess')).toBe(renewed);
    expect(visitor.count('ExchangeAuthTokens')).toBe(1);
    expect(await sessionsOf(email)).toBe(1);
  });

  // Contract: accounts#portal-during-an-exchange — External sign-in handoff 2: a reload in the middle
  it('continues after a reload during the exchange', async () => {
    const email = newPerson();
    const visitor = await stage.newVisitor();
    const held = await hold(visitor.page, 'ExchangeAuthTokens');
    await signInAs(visitor.page, email);
    await held.waitFor();
    expect(new URL(visitor.page.url()).searchParams.get('oauth_exchange')).toBe('1');
    await visitor.page.reload();
    await expect.poll(() => visitor.count('ExchangeAuthTokens')).toBe(2);
    await held.release();
    await isHome(visitor.page);
    expect(await sessionsOf(email)).toBe(1);
  });

  it('updates other tabs on the sign-in page', async () => {
    const visitor = await stage.newVisitor();
    await visitor.page.goto('/signin');
    await isSignInPage(visitor.page);
    await signInAs(await visitor.newTab(), newPerson());
    await isHome(visitor.page);
  });

  // Contract: accounts#portal-during-an-exchange — External sign-in handoff 2: the service is unreachable
  it('is repeated on request after the service was unreachable', async () => {
    const email = newPerson();
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    const restore = await answerInstead(page, 'ExchangeAuthTokens', { status: 503, body: '' });
    await signInAs(page, email, '/signin?redirect=/members');
    await page.getByText('Not available right now').waitFor();
    expect(visitor.count('ExchangeAuthTokens')).toBe(1);
    expect(await sessionsOf(email)).toBe(0);
    await restore();
    const asked = visitor.count('FetchMe');
    await button(page, 'Try again').click();
    await page.getByText('1 person').waitFor();
    expect(visitor.count('ExchangeAuthTokens')).toBe(2);
    expect(visitor.count('FetchMe')).toBe(asked);
    expect(await sessionsOf(email)).toBe(1);
  });

  it('reports a used secret, and leads a signed-in user on', async () => {
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    await page.goto('/signin?oauth_exchange=1&redirect=/members');
    await page.getByText('Signing in took too long, or was already completed.').waitFor();
    await isSignInPage(page);
    await expect.poll(() => new URL(page.url()).search).toBe('?redirect=%2Fmembers&error=EXCHANGE_REFUSED');
    expect(visitor.operations().slice(0, 2)).toEqual(['ExchangeAuthTokens', 'FetchMe']);
    expect(await goOn(page).getAttribute('href')).toBe('/auth/google?redirect=%2Fmembers');

    const { visitor: person } = await signInNewPerson(stage);
    await person.page.goto('/signin?oauth_exchange=1&redirect=/members');
    await person.page.getByText('1 person').waitFor();
    expect(person.count('ExchangeAuthTokens')).toBe(1);
  });

  it('ignores the marker anywhere but at the sign-in page', async () => {
    const visitor = await stage.newVisitor();
    await visitor.page.goto('/signup?oauth_exchange=1');
    await heading(visitor.page, 'Create your account').waitFor();
    await visitor.page.goto('/?oauth_exchange=1');
    await isSignInPage(visitor.page);
    expect(visitor.count('ExchangeAuthTokens')).toBe(0);
  });

  /** A user who signed in with a password returns from the provider as another user. */
  const comeBackAsAnother = async (): Promise<{ visitor: Visitor; email: string; other: string }> => {
    const { visitor, email } = await signInNewPerson(stage);
    const other = newPerson();
    await visitor.page.goto('/auth/google?redirect=/members');
    await choose(visitor.page, other);
    await heading(visitor.page, 'You are signed in already').waitFor();
    return { visitor, email, other };
  };

  // Contract: accounts#refused-exchange — In a browser: the portal explains ACCOUNT_MISMATCH
  it('keeps the signed-in user when another one returns, and lets them continue', async () => {
    const { visitor, email, other } = await comeBackAsAnother();
    await visitor.page.getByText(email).first().waitFor();
    expect([await sessionsOf(email), await sessionsOf(other)]).toEqual([1, 0]);
    await button(visitor.page, 'Continue as Test Person').click();
    await visitor.page.getByText('1 person').waitFor();
    expect(visitor.count('ExchangeAuthTokens')).toBe(1);
  });

  it('lets the returning user sign out, and sign in as that user', async () => {
    const { visitor, email, other } = await comeBackAsAnother();
    const { page } = visitor;
    await button(page, 'Sign out').click();
    await page.getByText('You have signed out.').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?redirect=%2Fmembers');
    expect(await sessionsOf(email)).toBe(0);
    await goOn(page).click();
    await choose(page, other);
    await page.getByText('1 person').waitFor();
    expect(await sessionsOf(other)).toBe(1);
  });

  it('reports calmly that the person cancelled', async () => {
    const { page } = await stage.newVisitor();
    await page.goto('/signin?redirect=/members');
    await goOn(page).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('status').getByText('You cancelled at Google.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await goOn(page).getAttribute('href')).toBe('/auth/google?redirect=%2Fmembers');
  });

  const someProblem = 'Continuing with Google failed.';

  // Contract: accounts#refused-browser-routes — /signin?error=CODE: a sentence for each code
  it('has its own sentence for every refusal of the server', { timeout: 60_000 }, async () => {
    const { page } = await stage.newVisitor();
    const sentences = new Set<string | null>();
    for (const code of externalRefusalCodes) {
      await page.goto(`/signin?error=${code}&id=${uuid}`);
      // A cancellation is not an error, and needs no reference.
      const isDecision = code === 'PROVIDER_CANCELLED' || code === 'LINK_DECLINED';
      const notice = page.getByRole(isDecision ? 'status' : 'alert').filter({ hasText: /./ });
      await notice.waitFor();
      sentences.add(await notice.locator('p').first().textContent());
      expect(await page.getByText(`Reference: ${uuid}`).count()).toBe(isDecision ? 0 : 1);
      await button(page, 'Sign in').waitFor();
    }
    expect(sentences.size).toBe(externalRefusalCodes.length);
    expect([...sentences].filter((sentence) => sentence?.startsWith(someProblem))).toEqual([]);
  });

  it('has a sentence for an unknown code, and shows no text of the URL', async () => {
    const { page } = await stage.newVisitor();
    await page.goto('/signin?error=CALL+0800+1234&id=call+0800+1234');
    await page.getByText(someProblem).waitFor();
    expect(await page.getByText('0800').count()).toBe(0);
    expect(await page.getByText('Reference').count()).toBe(0);
  });

  it('drops the problem at the next attempt, but keeps the redirect', async () => {
    const email = await register(stage.service);
    const { page } = await stage.newVisitor();
    await page.goto(`/signin?error=PROVIDER_REFUSED&id=${uuid}&redirect=/members`);
    await fillSignIn(page, email, 'Wrong.horse7');
    await page.getByText('The e-mail address or the password is wrong.').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?redirect=%2Fmembers');
    expect(await page.getByText(uuid).count()).toBe(0);
    await fillSignIn(page, email);
    await page.getByText('1 person').waitFor();
  });

  it('shows a refusal to the signed-in user before they continue, and continues after the cause was fixed', async () => {
    const { page } = await signInNewPerson(stage);
    await page.goto(`/signin?error=IDENTITY_TAKEN&id=${uuid}&redirect=%2F%3Fexternal%3Dlinked`);
    await page.getByText('is connected to another account here').waitFor();
    await page.getByText(uuid).waitFor();
    await button(page, 'Continue as Test Person').click();
    await page.goto('/account');
    await page.getByText('Not connected').waitFor();
    expect(await page.getByText('Google is connected.').count()).toBe(0);
    await page.goto(`/signin?error=ATTEMPT_OVER&id=${uuid}&redirect=/members`);
    await page.getByText('1 person').waitFor();
  });
});

describe.skipIf(chromiumPath === null)('Sign-in methods', () => {
  const provider = fixture(startIdentityProvider);
  const stage = fixture(() =>
    openStage({ environment: { ...provider.environment(), GOOGLE_DISPLAY_NAME: 'Example Login' } }),
  );

  const connect = async (page: Page, address: string): Promise<void> => {
    await button(page, 'Connect Example Login').click();
    await page.getByRole('link', { name: address, exact: true }).click();
    await page.getByText('Example Login is connected.').waitFor();
  };

  it('lets a person connect the provider, sign in with it, and disconnect it', { timeout: 60_000 }, async () => {
    const { page, email } = await signInNewPerson(stage);
    const address = newAddress();
    provider.newPerson({ email: address });
    await page.goto('/account');
    await page.getByText('Not connected').waitFor();
    // A page load cannot renew an access credential.
    await expireAccess(stage.service);
    await connect(page, address);
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.getByText(`Connected as ${address} since`).waitFor();
    await page.reload();
    await page.getByText(`Connected as ${address} since`).waitFor();
    expect(await page.getByText('Example Login is connected.').count()).toBe(0);

    const elsewhere = await stage.newVisitor();
    await elsewhere.page.goto('/signin');
    await elsewhere.page.getByRole('link', { name: 'Continue with Example Login' }).click();
    await elsewhere.page.getByRole('link', { name: address, exact: true }).click();
    await isHome(elsewhere.page);
    await elsewhere.page.getByText(email).first().waitFor();

    await button(page, 'Disconnect Example Login').click();
    const dialog = page.getByRole('alertdialog', { name: 'Disconnect Example Login?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await button(page, 'Disconnect Example Login').click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Example Login is disconnected.').waitFor();
    await page.getByText('Not connected').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('is disconnected.') === true);
  });

  // Contract: accounts#prepared-link — A foreign page never causes a link, also through the portal's redirect
  it('cannot be started by a URL of another site', { timeout: 60_000 }, async () => {
    const { visitor, email } = await signInNewPerson(stage);
    provider.newPerson({ email: newAddress() });
    const { page } = visitor;
    const ways = [
      '/auth/google/prepare-link',
      '/auth/google',
      '/auth/mcp/../google/prepare-link',
      '/dev/%2e%2e/auth/google/prepare-link',
      '/auth/%67oogle/prepare-link',
    ];
    for (const way of ways) {
      await page.goto(`/signin?redirect=${encodeURIComponent(way)}`);
      await isHome(page);
      await page.getByText(email).first().waitFor();
      const cookies = await visitor.context.cookies(`${stage.service.portalUrl}/auth/google`);
      expect(cookies.map(({ name }) => name).filter((name) => name.startsWith('oauth_'))).toEqual([]);
    }
  });

  // Contract: accounts#unlinking-an-identity — Unlinking never removes the last sign-in method, in the portal
  it('does not offer to disconnect the last one', async () => {
    const address = newAddress();
    provider.newPerson({ email: address, name: 'Test Person' });
    const { page } = await stage.newVisitor();
    await page.goto('/signin');
    await page.getByRole('link', { name: 'Continue with Example Login' }).click();
    await page.getByRole('link', { name: address, exact: true }).click();
    await isHome(page);
    await page.goto('/account');
    await page.getByText('Not set').waitFor();
    await page.getByText('You cannot disconnect it').waitFor();
    expect(await button(page, 'Disconnect Example Login').isDisabled()).toBe(true);
  });

  it('shows no other brand with a custom provider name', async () => {
    const { page } = await stage.newVisitor();
    await page.goto('/signin');
    const link = page.getByRole('link', { name: 'Continue with Example Login' });
    await link.waitFor();
    expect(await link.locator('img').count()).toBe(0);
  });
});

describe.skipIf(chromiumPath === null)('A portal at another origin than the service', () => {
  const provider = fixture(startIdentityProvider);
  const stage = fixture(() => openStage({ portal: 'two origins', environment: provider.environment() }));

  it('starts and ends the sign-in at the portal', { timeout: 60_000 }, async () => {
    const address = newAddress();
    provider.newPerson({ email: address, name: 'Test Person' });
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    await page.goto('/signin');
    await page.getByRole('link', { name: 'Continue with Google' }).click();
    await page.getByRole('link', { name: address, exact: true }).click();
    await isHome(page);
    await expect.poll(() => new URL(page.url()).origin).toBe(stage.service.portalUrl);
    expect(visitor.count('ExchangeAuthTokens')).toBe(1);

    const { visitor: person } = await signInNewPerson(stage);
    const other = newAddress();
    provider.newPerson({ email: other });
    await person.page.goto('/account');
    await button(person.page, 'Connect Google').click();
    await person.page.getByRole('link', { name: other, exact: true }).click();
    await person.page.getByText(`Connected as ${other} since`).waitFor();
    expect(new URL(person.page.url()).origin).toBe(stage.service.portalUrl);
  });
});

describe.skipIf(chromiumPath === null)('A service without an external provider', () => {
  const stage = fixture(openStage);

  it('does not mention one', async () => {
    const { visitor } = await signInNewPerson(stage);
    await visitor.page.goto('/account');
    await button(visitor.page, 'Change name').waitFor();
    expect(await visitor.page.getByText('Ways to sign in').count()).toBe(0);
    const { page } = await stage.newVisitor();
    for (const [path, title] of [
      ['/signin', 'Sign in'],
      ['/signup', 'Create your account'],
    ] as const) {
      await page.goto(path);
      await heading(page, title).waitFor();
      expect(await page.getByRole('link', { name: /^Continue with/ }).count()).toBe(0);
    }
  });
});
