/** What the portal shows while an answer takes long, and how it finds out what became of a request without one. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, fillSignIn, fillSignUp, heading, isHome, openStage } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { operationOf, type Visitor } from '../../support/browser/visitors.ts';
import { newAddress, newestVerificationToken, register } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

/** Longer than the page waits for an answer. */
const expire = (page: Page): Promise<void> => page.clock.fastForward(60_000);

/** Loses the answer of an operation, after the service has or has not taken it. */
const loseAnswer = async (
  { page }: Visitor,
  operation: string,
  { isTaken, how }: { readonly isTaken: boolean; readonly how: 'silence' | 'reset' },
): Promise<{ readonly asked: Promise<void> }> => {
  const asked = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (operationOf(route.request()) !== operation) return route.fallback();
    if (isTaken) await route.fetch();
    if (how === 'reset') await route.abort('connectionreset');
    asked.resolve();
  });
  return { asked: asked.promise };
};

describe.skipIf(chromiumPath === null)('An answer that takes long', () => {
  const stage = fixture(() => openStage({ browser: 'own' }));

  const open = async (path: string): Promise<Visitor> => {
    const visitor = await stage.newVisitor();
    await visitor.page.clock.install();
    await visitor.page.goto(path);
    return visitor;
  };

  const accounts = (email: string): Promise<readonly unknown[]> =>
    stage.service.sql('SELECT 1 FROM users WHERE email = $1', [email]);

  it('is told to the person, and a sign-up without one may have made the account', async () => {
    const visitor = await open('/signup');
    const { page } = visitor;
    const { asked } = await loseAnswer(visitor, 'SignUp', { isTaken: true, how: 'silence' });
    const email = newAddress();
    await fillSignUp(page, email);
    await asked;
    expect(await page.getByText('This takes longer than usual').count()).toBe(0);
    await page.clock.fastForward(5000);
    await page.getByText('This takes longer than usual').waitFor();
    await expire(page);
    await heading(page, 'We may have created your account').waitFor();
    await page.getByText(email).waitFor();
    expect(await page.getByText('No connection').count()).toBe(0);
    expect(await newestVerificationToken(stage.service, email)).not.toBe('');
    await page.getByText('the password of that first time counts').waitFor();
    await button(page, 'Send again').waitFor();
    await button(page, 'Sign up again').click();
    await heading(page, 'Create your account').waitFor();
  });

  it('counts as lost when the connection breaks while the service can be reached', async () => {
    const visitor = await open('/signup');
    visitor.forgiveComplaints();
    await loseAnswer(visitor, 'SignUp', { isTaken: true, how: 'reset' });
    const email = newAddress();
    await fillSignUp(visitor.page, email);
    await heading(visitor.page, 'We may have created your account').waitFor();
    expect(await accounts(email)).toHaveLength(1);
  });

  it('leads in where the sign-in was done', async () => {
    const visitor = await open('/signin');
    const { asked } = await loseAnswer(visitor, 'SignIn', { isTaken: true, how: 'silence' });
    await fillSignIn(visitor.page, await register(stage.service));
    await asked;
    await expire(visitor.page);
    await isHome(visitor.page);
  });

  it('says that the person may not be signed in where the sign-in was not done', async () => {
    const visitor = await open('/signin');
    const { page } = visitor;
    const { asked } = await loseAnswer(visitor, 'SignIn', { isTaken: false, how: 'silence' });
    await fillSignIn(page, await register(stage.service));
    await asked;
    const before = visitor.count('FetchMe');
    await expire(page);
    await page.getByText('The service has not answered in time. You may not be signed in').waitFor();
    expect(visitor.count('FetchMe')).toBeGreaterThan(before);
    expect(await page.getByText('No connection').count()).toBe(0);
    await button(page, 'Sign in').waitFor();
  });
});
