/** Where the portal leads: who is sent where, which redirect is followed, and what a page tells on arrival. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  fillSignIn,
  heading,
  isHome,
  isSignInPage,
  openStage,
  type Stage,
  signInNewPerson,
} from '../support/browser.ts';
import { chromiumPath } from '../support/chromium.ts';
import { register } from '../support/clients.ts';

const dropped = [
  '//evil.example',
  '/\\evil.example',
  '%2f%2fevil.example',
  '/%2fevil.example',
  '/%5cevil.example',
  '/%255c%252fevil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/\tevil.example//',
];

describe.skipIf(chromiumPath === null)('Ways through the portal', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);

  it('lead a visitor from the home page to sign-in with few requests and no loop', async () => {
    const visitor = await stage.newVisitor();
    await visitor.page.goto('/');
    await isSignInPage(visitor.page);
    await visitor.page.waitForLoadState('networkidle');
    expect(visitor.page.url()).toBe(`${stage.service.portalUrl}/signin?redirect=%2F`);
    // The first answer is believed only with the lock of all tabs held, so it is asked for twice.
    expect(visitor.operations()).toEqual(['FetchMe', 'FetchMe']);
  });

  it('ask nothing at all about a visitor who opens a verification link', async () => {
    const visitor = await stage.newVisitor();
    await visitor.page.goto(`/verify/${'0'.repeat(64)}`);
    await heading(visitor.page, 'Confirm your e-mail address').waitFor();
    await visitor.page.waitForLoadState('networkidle');
    expect(visitor.operations()).toEqual([]);
  });

  it('follow an internal redirect after sign-in', async () => {
    const email = await register(stage.service);
    const { page } = await stage.newVisitor();
    await page.goto(`/signin?redirect=${encodeURIComponent('/nowhere?a=1&b=2#c')}`);
    await fillSignIn(page, email);
    await heading(page, 'Page not found').waitFor();
    expect(page.url()).toBe(`${stage.service.portalUrl}/nowhere?a=1&b=2#c`);
  });

  it('keep the redirect on the way from sign-in to sign-up and back', async () => {
    const { page } = await stage.newVisitor();
    await page.goto('/signin?redirect=%2Fnowhere');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await heading(page, 'Create your account').waitFor();
    expect(new URL(page.url()).searchParams.get('redirect')).toBe('/nowhere');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await isSignInPage(page);
    expect(new URL(page.url()).searchParams.get('redirect')).toBe('/nowhere');
  });

  it('drop every redirect that is not internal', { timeout: 90_000 }, async () => {
    const { visitor } = await signInNewPerson(stage);
    const { page } = visitor;
    for (const candidate of dropped) {
      await page.goto(`/signin?redirect=${encodeURIComponent(candidate)}`);
      await isHome(page);
      expect(page.url(), candidate).toBe(`${stage.service.portalUrl}/`);
    }
    // As it stands in a link somebody was sent, without another encoding.
    await page.goto('/signin?redirect=//evil.example');
    await isHome(page);
    expect(page.url()).toBe(`${stage.service.portalUrl}/`);
  });

  it('leave by a full page load for a path that the server answers itself', async () => {
    const email = await register(stage.service);
    const { page } = await stage.newVisitor();
    const documents: string[] = [];
    await page.route(
      ({ pathname }) => pathname.startsWith('/auth/'),
      async (route) => {
        if (route.request().isNavigationRequest()) documents.push(new URL(route.request().url()).pathname);
        await route.fulfill({ contentType: 'text/html', body: '<h1>Consent</h1>' });
      },
    );
    await page.goto('/signin?redirect=/auth/mcp/continue/1234');
    await fillSignIn(page, email);
    await heading(page, 'Consent').waitFor();
    expect(documents).toEqual(['/auth/mcp/continue/1234']);
  });

  it('name every page and put the focus on its heading after a navigation', async () => {
    const { page } = await stage.newVisitor();
    await page.goto('/signin');
    await isSignInPage(page);
    expect(await page.title()).toBe('Sign in · Gatehouse');
    expect(await focused(page)).toMatch(/^BODY/);

    await page.getByRole('link', { name: 'Create an account' }).click();
    await heading(page, 'Create your account').waitFor();
    expect(await page.title()).toBe('Create your account · Gatehouse');
    expect(await focused(page)).toBe('H1 Create your account');

    const email = await register(stage.service);
    await page.goBack();
    await isSignInPage(page);
    expect(await focused(page)).toBe('H1 Sign in');
    await fillSignIn(page, email);
    await isHome(page);
    expect(await page.title()).toBe('Your account · Gatehouse');
    expect(await focused(page)).toBe('H1 Hello, Test Person');

    await page.goto('/nowhere');
    await heading(page, 'Page not found').waitFor();
    expect(await page.title()).toBe('Page not found · Gatehouse');
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await isHome(page);

    await page.goto(`/verify/${'0'.repeat(64)}`);
    await heading(page, 'Confirm your e-mail address').waitFor();
    expect(await page.title()).toBe('Confirm your e-mail address · Gatehouse');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await heading(page, 'This link does not work').waitFor();
    expect(await page.title()).toBe('This link does not work · Gatehouse');
    expect(await focused(page)).toBe('H1 This link does not work');
  });

  it('take who is signed in already from the entrance pages to the home page', async () => {
    const { visitor } = await signInNewPerson(stage);
    for (const path of ['/signin', '/signup']) {
      await visitor.page.goto(path);
      await isHome(visitor.page);
      expect(new URL(visitor.page.url()).pathname).toBe('/');
    }
  });
});
