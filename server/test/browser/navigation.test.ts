/**
 * Navigation of the portal: redirects between pages, accepted redirect parameters, and the state of a page on arrival.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  emptyCache,
  field,
  fillSignIn,
  heading,
  isHome,
  isSignInPage,
  openStage,
  signInNewPerson,
  signInPerson,
} from '../support/browser/browser.ts';
import { chromiumPath } from '../support/browser/chromium.ts';
import { newAddress, register, signUp } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';

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

describe.skipIf(chromiumPath === null)('Navigation', () => {
  const stage = fixture(openStage);

  const focusedElement = (page: Page): Promise<string> =>
    page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);

  // Contract: portal#signed-out-visitor — current-user query while logged out: 401, and no loop
  it('leads a visitor from the home page to sign-in with few requests and no loop', async () => {
    const visitor = await stage.newVisitor();
    await visitor.page.goto('/');
    await isSignInPage(visitor.page);
    await visitor.page.waitForLoadState('networkidle');
    expect(visitor.page.url()).toBe(`${stage.service.portalUrl}/signin?redirect=%2F`);
    // A refusal counts only under the lock of all tabs, so there are two queries.
    expect(visitor.operations()).toEqual(['FetchMe', 'FetchMe']);
  });

  it('only queries the link when a visitor opens that of a verification mail', async () => {
    const visitor = await stage.newVisitor();
    await visitor.page.goto(`/verify/${'0'.repeat(64)}`);
    await heading(visitor.page, 'This link does not work').waitFor();
    await visitor.page.goto(`/verify/${'0'.repeat(64)}/reject`);
    await heading(visitor.page, 'This link does not work').waitFor();
    await visitor.page.waitForLoadState('networkidle');
    expect(visitor.operations()).toEqual(['FetchVerificationLink', 'FetchVerificationLink']);
  });

  // Contract: portal#redirect-after-sign-in — Redirect query parameter accepted: an internal path
  it('follows an internal redirect after sign-in', async () => {
    const email = await register(stage.service);
    const { page } = await stage.newVisitor();
    await page.goto(`/signin?redirect=${encodeURIComponent('/nowhere?a=1&b=2#c')}`);
    await fillSignIn(page, email);
    await heading(page, 'Page not found').waitFor();
    expect(page.url()).toBe(`${stage.service.portalUrl}/nowhere?a=1&b=2#c`);
  });

  it('keeps the redirect between sign-in and sign-up', async () => {
    const { page } = await stage.newVisitor();
    await page.goto('/signin?redirect=%2Fnowhere');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await heading(page, 'Create your account').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('redirect')).toBe('/nowhere');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await isSignInPage(page);
    await expect.poll(() => new URL(page.url()).searchParams.get('redirect')).toBe('/nowhere');
  });

  // Contract: portal#redirect-after-sign-in — Every other redirect parameter is dropped
  it('drops every redirect that is not internal', { timeout: 90_000 }, async () => {
    const { page } = await signInNewPerson(stage);
    for (const candidate of dropped) {
      await page.goto(`/signin?redirect=${encodeURIComponent(candidate)}`);
      await isHome(page);
      expect(page.url(), candidate).toBe(`${stage.service.portalUrl}/`);
    }
    // Unencoded, as in a received link.
    await page.goto('/signin?redirect=//evil.example');
    await isHome(page);
    expect(page.url()).toBe(`${stage.service.portalUrl}/`);
  });

  /** A visitor who is to sign in, and whose browser gets a chunk only when it is released. */
  const visitorWithout = async (heldChunk: string) => {
    const email = await register(stage.service);
    const { page } = await stage.newVisitor();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**/assets/${heldChunk}-*.js`, async (route) => {
      await isReleased;
      await route.continue();
    });
    const loading = page.getByRole('status').filter({ hasText: 'Loading' });
    return { page, email, release, loading };
  };

  it('shows that it loads while the next layout is on its way, and nothing of the one before', async () => {
    const { page, email, release, loading } = await visitorWithout('signed-in-layout');
    await page.goto('/signin?error=PROVIDER_REFUSED&redirect=/members');
    await fillSignIn(page, email);
    await page.getByRole('contentinfo').waitFor({ state: 'detached' });
    await loading.waitFor();
    release();
    await heading(page, 'Members').waitFor();
  });

  it('shows that it loads while the next page is on its way, within its layout', async () => {
    const { page, email, release, loading } = await visitorWithout('members-page');
    await page.goto('/signin');
    await fillSignIn(page, email);
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('main').filter({ has: loading }).waitFor();
    expect(await navigation.isVisible()).toBe(true);
    release();
    await heading(page, 'Members').waitFor();
  });

  it('renders the first page when its code arrives before the browser has painted anything', async () => {
    const { page } = await stage.newVisitor();
    // Effects run after a paint, or after a short timer: both are late.
    await page.addInitScript(() => {
      const setTimer = window.setTimeout;
      Object.assign(window, {
        requestAnimationFrame: () => 0,
        setTimeout: (run: () => void, milliseconds = 0) => setTimer(run, milliseconds < 100 ? 2_000 : milliseconds),
      });
    });
    const hasMessages = page.waitForResponse(/\/assets\/main-\w+\.en\.json$/);
    await page.route('**/assets/sign-up-page-*.js', async (route) => {
      const messages = await hasMessages;
      await messages.finished();
      // Answered after the portal's own request.
      await page.evaluate(async (url) => {
        await (await fetch(url)).text();
      }, messages.url());
      await route.continue();
    });
    await page.goto('/signup');
    await heading(page, 'Create your account').waitFor();
  });

  // Contract: portal#redirect-after-sign-in — /signin?redirect=/auth/mcp/continue/:requestId: a full page load, not
  //   in-app routing
  it('leaves by a full page load for a path of the server', async () => {
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

  it('names every page and focuses its heading after a navigation', async () => {
    const { page } = await stage.newVisitor();
    await page.goto('/signin');
    await isSignInPage(page);
    await expect.poll(() => page.title()).toBe('Sign in · Gatehouse');
    await expect.poll(() => focusedElement(page)).toMatch(/^BODY/);

    await page.getByRole('link', { name: 'Create an account' }).click();
    await heading(page, 'Create your account').waitFor();
    await expect.poll(() => page.title()).toBe('Create your account · Gatehouse');
    await expect.poll(() => focusedElement(page)).toBe('H1 Create your account');

    const email = await register(stage.service);
    await page.goBack();
    await isSignInPage(page);
    await expect.poll(() => focusedElement(page)).toBe('H1 Sign in');
    await fillSignIn(page, email);
    await isHome(page);
    await expect.poll(() => page.title()).toBe('Your account · Gatehouse');
    await expect.poll(() => focusedElement(page)).toBe('H1 Hello, Test Person');

    await page.goto('/nowhere');
    await heading(page, 'Page not found').waitFor();
    await expect.poll(() => page.title()).toBe('Page not found · Gatehouse');
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await isHome(page);

    const token = await signUp(stage.service, newAddress());
    await page.goto(`/verify/${token}/reject`);
    await heading(page, 'Delete this account?').waitFor();
    await expect.poll(() => page.title()).toBe('Delete this account? · Gatehouse');
    await page.getByRole('button', { name: 'Delete the account' }).click();
    await heading(page, 'The account is deleted').waitFor();
    await expect.poll(() => page.title()).toBe('The account is deleted · Gatehouse');
    await expect.poll(() => focusedElement(page)).toBe('H1 The account is deleted');
  });

  // Contract: operation#portal-before-its-code — The portal's shell within 1 s on a slow network: the page alone draws
  //   it
  it('renders a small page before any style or script is loaded', async () => {
    const { page } = await stage.newVisitor({ javaScriptEnabled: false });
    await page.route('**/assets/**', () => new Promise(() => undefined));
    const answer = await page.goto('/members', { waitUntil: 'commit' });
    await page.getByRole('img', { name: 'Gatehouse' }).waitFor();
    const html = (await answer?.text()) ?? '';
    // Only the page itself is needed: at 400 Kbit/s it takes a fraction of a round trip.
    expect(Buffer.byteLength(html)).toBeLessThan(6_000);
    expect(html.indexOf('</svg>')).toBeLessThan(html.indexOf('rel="stylesheet"'));
    expect(html.slice(html.indexOf('<body'))).not.toMatch(/<script|style=|onload/);
  });

  it('keeps the static page until the first page is rendered, and always shows the brand', async () => {
    const { page } = await signInNewPerson(stage);
    // Whether the brand was visible, frame by frame.
    await page.addInitScript(() => {
      const frames: boolean[] = Object.assign(window, { frames: [] }).frames;
      const look = () => {
        const portal = document.getElementById('portal');
        if (portal !== null) frames.push(portal.textContent.includes('Gatehouse'));
        requestAnimationFrame(look);
      };
      look();
    });
    const framesShown = () => page.evaluate(() => Object.assign({ frames: [] as boolean[] }, window).frames);
    // The code of the page and its answers come when some frames without them have been shown.
    for (const pattern of ['**/graphql', '**/assets/*-page-*.js']) {
      await page.route(pattern, async (route) => {
        const before = (await framesShown()).length;
        await expect.poll(async () => (await framesShown()).length).toBeGreaterThan(before + 5);
        await route.continue();
      });
    }
    await page.goto('/members');
    await heading(page, 'Members').waitFor();
    const frames = await framesShown();
    // A later query may still be held when the page closes.
    await page.unrouteAll({ behavior: 'wait' });
    expect(frames.length).toBeGreaterThan(5);
    expect(frames).not.toContain(false);
  });

  // Contract: operation#portal-before-its-code — The portal's 404 keeps the navigation, and the signed-in user is shown
  it('keeps the navigation at an unknown path, and shows the signed-in user', async () => {
    const { page, email } = await signInNewPerson(stage);
    await page.goto('/nowhere');
    await heading(page, 'Page not found').waitFor();
    await page.getByText(`Signed in as ${email}`).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Members' }).click();
    await heading(page, 'Members').waitFor();
    expect(await page.getByRole('banner').count()).toBe(1);
  });

  it('opens pasted links of a sign-up mail with trailing text', async () => {
    const { page } = await stage.newVisitor();
    const token = await signUp(stage.service, newAddress());
    for (const behind of ['%20', '.', '=20', '%250A', '%0A']) {
      await page.goto(`/verify/${token}${behind}`);
      await heading(page, 'Confirm your e-mail address').waitFor();
      await field(page, 'Password').waitFor();
      for (const path of [`${token}/reject${behind}`, `${token}${behind}/reject`]) {
        await page.goto(`/verify/${path}`);
        await heading(page, 'Delete this account?').waitFor();
      }
    }
    await page.goto(`/verify/${token}/rejected`);
    await heading(page, 'Page not found').waitFor();
  });

  it('opens a pasted invitation link with blanks and punctuation around it', async () => {
    const visitor = await stage.newVisitor();
    const token = '0190f0a0-0000-7000-8000-000000000001';
    await visitor.page.goto(`/invitation/${encodeURIComponent(` ${token}>.\n`)}`);
    await heading(visitor.page, 'This invitation does not work').waitFor();
    const asked = visitor.requests.map((request) => request.postDataJSON() as { variables?: { token?: string } });
    expect(asked.flatMap(({ variables }) => variables?.token ?? [])).toEqual([token]);
  });

  // Contract: operation#portal-without-a-connection — Navigation without a connection keeps the portal
  it('reports that a page cannot be fetched without a connection, keeps the portal, and continues automatically', async () => {
    const { visitor } = await signInNewPerson(stage, emptyCache);
    visitor.forgiveComplaints();
    const { page, context } = visitor;
    await context.setOffline(true);
    const members = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Members' });
    await members.click();
    await heading(page, 'No connection').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'No connection').waitFor();
    expect(await page.getByRole('banner').count()).toBe(1);
    await members.waitFor();
    await context.setOffline(false);
    await heading(page, 'Members').waitFor();
  });

  it('reports a missing connection once, and drops the failed sign-out on navigation', async () => {
    const { visitor } = await signInNewPerson(stage, emptyCache);
    visitor.forgiveComplaints();
    const { page, context } = visitor;
    const kept = page.getByText('You are still signed in');
    const signOut = async () => {
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await kept.waitFor();
    };
    await context.setOffline(true);
    await signOut();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Members' }).click();
    await heading(page, 'No connection').waitFor();
    await kept.waitFor({ state: 'detached' });
    await signOut();
    expect(await page.getByText('The service could not be reached.').count()).toBe(1);
    await context.setOffline(false);
    await heading(page, 'Members').waitFor();
    await kept.waitFor({ state: 'detached' });
  });

  // Contract: operation#drafts-of-forms — Text in a form is kept when the session ends in it
  it('restores the draft of the person whose session ended in a form, and of no other person', async () => {
    const { visitor, page, email } = await signInNewPerson(stage);
    visitor.forgiveComplaints();
    const fill = async () => {
      await page.goto('/members');
      await page.getByRole('button', { name: 'Invite a member' }).click();
      await page.getByLabel('E-mail address').fill('noor@example.com');
      await page.getByRole('radio', { name: /Administrator/ }).check();
      await stage.service.sql('UPDATE users SET credentials_revision = credentials_revision + 1');
      await page.getByRole('button', { name: 'Send invitation' }).click();
      await isSignInPage(page);
    };
    await fill();
    await fillSignIn(page, email);
    await heading(page, 'Members').waitFor();
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('noor@example.com');
    expect(await page.getByRole('radio', { name: /Administrator/ }).isChecked()).toBe(true);
    // It is restored once.
    await page.reload();
    await page.getByRole('button', { name: 'Invite a member' }).waitFor();

    await fill();
    await fillSignIn(page, await register(stage.service));
    await heading(page, 'Members').waitFor();
    await page.getByRole('button', { name: 'Invite a member' }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('noor@example.com');
  });

  it('formats dates in the language of the browser', async () => {
    const email = await register(stage.service);
    const at = { path: '/', title: 'Hallo, Test Person' };
    const visitor = await signInPerson(stage, email, { at, locale: 'de-DE' });
    const since = visitor.page.locator('time').first();
    await since.waitFor();
    expect(await since.textContent()).toMatch(/\d{2}\.\d{2}\.\d{4}/);
    expect(await since.getAttribute('datetime')).toMatch(/^\d{4}-\d{2}-\d{2}T/);
  });

  it('redirects a signed-in user from the sign-in pages to the home page', async () => {
    const { visitor } = await signInNewPerson(stage);
    for (const path of ['/signin', '/signup']) {
      await visitor.page.goto(path);
      await isHome(visitor.page);
      expect(new URL(visitor.page.url()).pathname).toBe('/');
    }
  });
});
