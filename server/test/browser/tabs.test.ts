/** Many tabs of one browser: one rotation for all of them, and notifications of the signed-in user. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  button,
  expireAccess,
  fillSignIn,
  isHome,
  isSignInPage,
  liveFamilies,
  openStage,
  signInNewPerson,
} from '../support/browser/browser.ts';
import { chromiumPath } from '../support/browser/chromium.ts';
import type { Visitor } from '../support/browser/visitors.ts';
import { goodPassword, operations, post, register } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';

const tabCount = 8;
const rounds = 5;

describe.skipIf(chromiumPath === null)('Eight tabs', () => {
  const stage = fixture(() => openStage({ browser: 'own' }));

  const fillTabs = async (visitor: Visitor): Promise<readonly Page[]> => {
    const more = Array.from({ length: tabCount - 1 }, () => visitor.newTab());
    const tabs = [visitor.page, ...(await Promise.all(more))];
    await Promise.all(tabs.map((tab) => tab.goto('/')));
    await Promise.all(tabs.map(isHome));
    return tabs;
  };

  /** Expires the access token and returns how often it was renewed while the tabs acted. */
  const rotationsDuring = async (visitor: Visitor, email: string, act: () => Promise<unknown>): Promise<number> => {
    const before = { sent: visitor.count('RefreshAccess'), issued: await issuedPairs(email) };
    await expireAccess(stage.service);
    await act();
    const issued = (await issuedPairs(email)) - before.issued;
    expect(visitor.count('RefreshAccess') - before.sent).toBe(issued);
    return issued;
  };

  const issuedPairs = async (email: string): Promise<number> =>
    (await stage.service.sql.value<number>(
      `SELECT count(*)::integer AS pairs FROM credentials JOIN users ON users.id = user_id
       WHERE email = $1 AND kind = 'user_refresh'`,
      [email],
    )) ?? 0;

  const livePairOf = (email: string) =>
    stage.service.sql<{ kind: string }>(
      `SELECT kind FROM credentials JOIN users ON users.id = user_id
       WHERE email = $1 AND revoked_at IS NULL AND expires_at > now() ORDER BY kind`,
      [email],
    );

  const onePair = [{ kind: 'user_refresh' }, { kind: 'user_session' }];

  // Contract: portal#tabs-of-the-portal — Single-flight refresh across tabs: eight tabs with an expired access token
  //   make one refresh and lose none
  it('send one refresh and lose no session when all reload with an expired access token', {
    timeout: 180_000,
  }, async () => {
    const { visitor, email } = await signInNewPerson(stage);
    const tabs = await fillTabs(visitor);
    for (let round = 0; round < rounds; round += 1) {
      const rotations = await rotationsDuring(visitor, email, async () => {
        await Promise.all(tabs.map((tab) => tab.reload()));
        await Promise.all(tabs.map(isHome));
        await Promise.all(tabs.map((tab) => tab.getByText('This device').waitFor()));
      });
      expect(rotations).toBe(1);
      expect(await livePairOf(email)).toEqual(onePair);
    }
  });

  // Contract: portal#tabs-of-the-portal — Single-flight refresh across tabs: tabs that are already open
  it('send one refresh and lose no session when all act on it at once', { timeout: 180_000 }, async () => {
    const { visitor, email } = await signInNewPerson(stage);
    const tabs = await fillTabs(visitor);
    for (let round = 0; round < rounds; round += 1) {
      const asked = visitor.count('FetchMe');
      const rotations = await rotationsDuring(visitor, email, async () => {
        // A tab that becomes visible queries its session.
        const answered = tabs.map((tab) => answerOfMe(tab));
        await Promise.all(tabs.map((tab) => tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))));
        await Promise.all(answered);
      });
      expect(rotations).toBe(1);
      expect(visitor.count('FetchMe') - asked).toBeGreaterThanOrEqual(tabCount);
      expect(await livePairOf(email)).toEqual(onePair);
      await Promise.all(tabs.map(isHome));
    }
  });

  // Contract: portal#tabs-of-the-portal — Single-flight refresh across tabs: mutations
  it('each sign out another device at once with an expired access token', { timeout: 180_000 }, async () => {
    const { visitor, email } = await signInNewPerson(stage);
    const names = Array.from({ length: tabCount }, (_, index) => `Client${index}`);
    for (const name of names) {
      const input = { email, password: goodPassword };
      await post(stage.service.url, operations.signIn, { input }, { 'user-agent': `${name}/1.0` });
    }
    const tabs = await fillTabs(visitor);
    const rotations = await rotationsDuring(visitor, email, () =>
      Promise.all(
        tabs.map(async (tab, index) => {
          await button(tab, `Sign out ${names[index]}`).click();
          await tab.getByRole('alertdialog').getByRole('button', { name: 'Sign out device' }).click();
          await tab.getByText(`${names[index]} is signed out.`).waitFor();
        }),
      ),
    );
    expect(rotations).toBe(1);
    expect(await liveFamilies(stage.service, email)).toBe(1);
    expect(await livePairOf(email)).toEqual(onePair);
  });

  // Contract: portal#tabs-of-the-portal — A sign-in or sign-out reaches the other tabs
  it('are notified of a sign-out and a sign-in in one of them', { timeout: 60_000 }, async () => {
    const { visitor, email } = await signInNewPerson(stage);
    const tabs = await fillTabs(visitor);
    await button(visitor.page, 'Sign out').click();
    await Promise.all(tabs.map(isSignInPage));
    await fillSignIn(visitor.page, email);
    await Promise.all(tabs.map(isHome));
    const other = await register(stage.service);
    await button(visitor.page, 'Sign out').click();
    await Promise.all(tabs.map(isSignInPage));
    await fillSignIn(visitor.page, other);
    await Promise.all(tabs.map((tab) => tab.getByText(other).first().waitFor()));
    expect(await visitor.page.getByText(email).count()).toBe(0);
  });

  it('keep the input of another tab when a user signs in to none of them', async () => {
    const visitor = await stage.newVisitor();
    await visitor.page.goto('/signin');
    await isSignInPage(visitor.page);
    await visitor.page.getByLabel('E-mail address').fill('half@typed');
    const second = await visitor.newTab();
    await second.goto('/signin');
    await fillSignIn(second, 'nobody@example.com');
    await second.getByText('The e-mail address or the password is wrong.').waitFor();
    expect(await visitor.page.getByLabel('E-mail address').inputValue()).toBe('half@typed');
  });
});

/** Resolves once the tab has had an answer to FetchMe with a signed-in user. */
const answerOfMe = (tab: Page): Promise<unknown> =>
  tab.waitForResponse(
    (response) => response.status() === 200 && (response.request().postData() ?? '').includes('query FetchMe'),
  );
