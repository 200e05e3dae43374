/** The analytics question: asked once, answered and withdrawn with equal effort, never in the way of the page. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  answerInstead,
  button,
  field,
  fillSignIn,
  heading,
  isHome,
  isSignInPage,
  openStage,
  type Stage,
  signInNewPerson,
} from '../support/browser/browser.ts';
import { chromiumPath } from '../support/browser/chromium.ts';
import { focused } from '../support/browser/keyboard.ts';
import { privacySection, consentQuestion as question } from '../support/browser/states/consent-states.ts';
import { unavailable } from '../support/browser/states/page-states.ts';
import { operationOf, type Visitor } from '../support/browser/visitors.ts';
import { register } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';

const asking = { CONSENT_BANNER: 'true' };
const undecided = { analyticsConsent: null, anonymousId: null };
const declined = { analyticsConsent: false, anonymousId: null };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface Decision {
  readonly analyticsConsent: boolean | null;
  readonly anonymousId: string | null;
}

/** What the page of an embedding application would read about this browser. */
const decisionOf = async (stage: Stage, { context }: Visitor): Promise<Decision> => {
  const data = { query: '{ visitor { analyticsConsent anonymousId } }' };
  const response = await context.request.post(`${stage.service.url}/graphql`, { data });
  const answer = (await response.json()) as { readonly data: { readonly visitor: Decision } };
  return answer.data.visitor;
};

const helperCookieOf = async ({ context }: Visitor) =>
  (await context.cookies()).find(({ name }) => name === 'helper_session');

const answer = (place: Locator, name: 'Allow' | 'Decline' | 'Withdraw' | 'Allow analytics'): Promise<void> =>
  place.getByRole('button', { name, exact: true }).click();

const openSignIn = async (visitor: Visitor): Promise<Page> => {
  await visitor.page.goto('/signin');
  await question(visitor.page).waitFor();
  return visitor.page;
};

describe.skipIf(chromiumPath === null).each(['one origin', 'two origins'] as const)(
  'The question about analytics, %s',
  (portal) => {
    const stage = fixture(() => openStage({ portal, environment: asking }));

    // Contract: accounts#visitor-decision — The question in the portal
    it('appears for a signed-out visitor, stores nothing by itself, and a refusal stores no id', async () => {
      const visitor = await stage.newVisitor();
      const page = await openSignIn(visitor);
      expect(await visitor.context.cookies()).toEqual([]);
      expect(await decisionOf(stage, visitor)).toEqual(undecided);

      await answer(question(page), 'Decline');
      await question(page).waitFor({ state: 'detached' });
      await page.getByText('Analytics declined. No id is kept.').waitFor();
      expect(await decisionOf(stage, visitor)).toEqual(declined);

      await page.reload();
      await button(page, 'Privacy choice').waitFor();
      expect(await question(page).count()).toBe(0);
      expect(visitor.count('RecordConsent')).toBe(1);
    });

    // Contract: accounts#visitor-decision — An id exists only after consent, in a browser; httpOnly, 30 days
    it('sets a random id after consent, in a cookie that scripts cannot read, for thirty days', async () => {
      const visitor = await stage.newVisitor();
      const page = await openSignIn(visitor);
      const before = Date.now();
      await answer(question(page), 'Allow');
      await question(page).waitFor({ state: 'detached' });
      const decision = await decisionOf(stage, visitor);
      expect(decision.analyticsConsent).toBe(true);
      expect(decision.anonymousId).toMatch(uuid);

      const cookie = await helperCookieOf(visitor);
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', domain: '127.0.0.1' });
      const days = ((cookie?.expires ?? 0) * 1000 - before) / (24 * 3600 * 1000);
      expect(Math.round(days)).toBe(30);
      expect(cookie?.value).not.toContain(decision.anonymousId);
      expect(await page.evaluate(() => document.cookie)).toBe('');
      expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);

      await page.reload();
      await button(page, 'Privacy choice').waitFor();
      expect(await question(page).count()).toBe(0);
      expect(await decisionOf(stage, visitor)).toEqual(decision);
    });

    // Contract: accounts#visitor-decision — Withdrawal deletes the id, for a signed-out visitor
    it('can be answered anew by a signed-out visitor: the id is deleted, and new consent sets a new one', async () => {
      const visitor = await stage.newVisitor();
      const page = await openSignIn(visitor);
      await answer(question(page), 'Allow');
      const { anonymousId: first } = await decidedAs(true, visitor);

      await button(page, 'Privacy choice').click();
      await question(page).getByText('You currently allow it. If you decline now, the id is deleted.').waitFor();
      await answer(question(page), 'Decline');
      await page.getByText('Withdrawn. The id has been deleted.').waitFor();
      expect(await decisionOf(stage, visitor)).toEqual(declined);

      await button(page, 'Privacy choice').click();
      await answer(question(page), 'Allow');
      const { anonymousId: second } = await decidedAs(true, visitor);
      expect(second).toMatch(uuid);
      expect(second).not.toBe(first);
    });

    /** The decision, once the page shows it. */
    const decidedAs = async (analytics: boolean, visitor: Visitor): Promise<Decision> => {
      await question(visitor.page).waitFor({ state: 'detached' });
      const decision = await decisionOf(stage, visitor);
      expect(decision.analyticsConsent).toBe(analytics);
      return decision;
    };

    // Contract: accounts#visitor-decision — Consent is changed and withdrawn on the start page
    it('appears for a signed-in user, who changes and withdraws the answer on the start page', async () => {
      const { visitor, page } = await signInNewPerson(stage);
      await question(page).waitFor();
      const section = privacySection(page);
      await section.getByText('You have not answered yet').waitFor();

      await answer(question(page), 'Allow');
      const { anonymousId: first } = await decidedAs(true, visitor);
      await section.getByText('You allow analytics').waitFor();
      expect(await section.getByRole('code').textContent()).toBe(first);
      // The button that reopens the question is absent where the section is.
      expect(await button(page, 'Privacy choice').count()).toBe(0);

      await answer(section, 'Withdraw');
      await section.getByText('Withdrawn. The id has been deleted.').waitFor();
      expect(await decisionOf(stage, visitor)).toEqual(declined);
      expect(await section.getByRole('code').count()).toBe(0);

      await page.reload();
      await section.getByText('You decline analytics').waitFor();
      await answer(section, 'Allow analytics');
      await section.getByText('Analytics allowed.').waitFor();
      const { anonymousId: second } = await decidedAs(true, visitor);
      expect(await section.getByRole('code').textContent()).toBe(second);
      expect(second).not.toBe(first);
    });

    it('remains until it is answered, across a sign-in and a sign-out, and the answer applies to the browser', async () => {
      const email = await register(stage.service);
      const visitor = await stage.newVisitor();
      const page = await openSignIn(visitor);
      await fillSignIn(page, email);
      await isHome(page);
      await question(page).waitFor();
      await answer(question(page), 'Decline');
      await question(page).waitFor({ state: 'detached' });
      await button(page, 'Sign out').first().click();
      await isSignInPage(page);
      await button(page, 'Privacy choice').waitFor();
      expect(await decisionOf(stage, visitor)).toEqual(declined);
    });
  },
);

describe.skipIf(chromiumPath === null)('The question about analytics', () => {
  const stage = fixture(() => openStage({ environment: asking }));

  it('disappears from every tab when one of them answers it, and keeps the input of forms', async () => {
    const visitor = await stage.newVisitor();
    const page = await openSignIn(visitor);
    const second = await visitor.newTab();
    await second.goto('/signin');
    await question(second).waitFor();
    await field(page, 'E-mail address').fill('half@typed');
    await answer(question(second), 'Decline');
    await question(page).waitFor({ state: 'detached' });
    expect(await field(page, 'E-mail address').inputValue()).toBe('half@typed');
    await focused(field(page, 'E-mail address'));
    expect(visitor.count('RecordConsent')).toBe(1);
  });

  it('does not appear while the service cannot say whether it was answered', async () => {
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    const restore = await answerInstead(page, 'FetchVisitor', unavailable);
    const answered = page.waitForResponse((response) => operationOf(response.request()) === 'FetchVisitor');
    await page.goto('/signin');
    await isSignInPage(page);
    await answered;
    // The page has rendered the effect of the answer.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(visitor.count('FetchVisitor')).toBe(1);
    expect(await question(page).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    await restore();
    await page.reload();
    await question(page).waitFor();
  });

  it('reports an answer that was not recorded, and accepts it again', async () => {
    const visitor = await stage.newVisitor();
    const page = await openSignIn(visitor);
    const restore = await answerInstead(page, 'RecordConsent', unavailable);
    await answer(question(page), 'Allow');
    await question(page).getByRole('alert').getByText('Your answer was not saved.').waitFor();
    expect(await decisionOf(stage, visitor)).toEqual(undecided);
    expect(await helperCookieOf(visitor)).toBeUndefined();
    await restore();
    await answer(question(page), 'Decline');
    await question(page).waitFor({ state: 'detached' });
    expect(await decisionOf(stage, visitor)).toEqual(declined);
  });

  it('never delays a sign-in, even when its request gets no answer', async () => {
    const email = await register(stage.service);
    const { page } = await stage.newVisitor();
    const held: (() => Promise<void>)[] = [];
    await page.route('**/graphql', async (route) => {
      if (operationOf(route.request()) === 'FetchVisitor') held.push(() => route.fallback());
      else await route.fallback();
    });
    await page.goto('/signin');
    await expect.poll(() => held.length).toBe(1);
    await fillSignIn(page, email);
    await isHome(page);
    expect(await question(page).count()).toBe(0);
    for (const release of held) await release();
    await question(page).waitFor();
  });

  it('leaves the portal usable when its code cannot be loaded', async () => {
    const email = await register(stage.service);
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    visitor.forgiveComplaints();
    const failures: unknown[] = [];
    page.on('pageerror', (error) => failures.push(error));
    await page.route('**/assets/consent-banner*', (route) => route.abort());
    await page.goto('/signin');
    await fillSignIn(page, email);
    await isHome(page);
    expect(await question(page).count()).toBe(0);
    expect(visitor.count('FetchVisitor')).toBeLessThanOrEqual(1);
    expect(failures).toEqual([]);
  });

  it('waits until another tab has replaced the cookies', async () => {
    const visitor = await stage.newVisitor();
    const other = await visitor.newTab();
    await other.goto('/nowhere');
    // Its only request has been sent by then.
    await question(other).waitFor();
    await other.evaluate(
      () =>
        new Promise<void>((begun) => {
          const untilFinished = () => {
            begun();
            return new Promise((resolve) => addEventListener('finished', resolve));
          };
          navigator.locks.request(`gatehouse ${location.origin}`, untilFinished).catch(reportError);
        }),
    );
    const askedBefore = visitor.count('FetchVisitor');
    await visitor.page.goto(`/verify/${'0'.repeat(64)}`);
    await heading(visitor.page, 'This link does not work').waitFor();
    await visitor.page.waitForLoadState('networkidle');
    expect(visitor.count('FetchVisitor')).toBe(askedBefore);
    await other.evaluate(() => dispatchEvent(new Event('finished')));
    await question(visitor.page).waitFor();
  });

  it('waits until an external sign-in has completed or finally failed', async () => {
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    const restore = await answerInstead(page, 'ExchangeAuthTokens', unavailable);
    await page.goto('/signin?oauth_exchange=1');
    await button(page, 'Try again').waitFor();
    await page.waitForLoadState('networkidle');
    expect(visitor.operations()).toEqual(['ExchangeAuthTokens']);
    await restore();
    await button(page, 'Try again').click();
    await question(page).waitFor();
    const sent = visitor.operations();
    expect(sent.lastIndexOf('ExchangeAuthTokens')).toBeLessThan(sent.indexOf('FetchVisitor'));
  });

  it('shifts nothing on the page when it appears, at any width', async () => {
    for (const [width, height] of [
      [1280, 800],
      [800, 900],
      [390, 844],
    ] as const) {
      const { page } = await stage.newVisitor({ viewport: { width, height } });
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/graphql', async (route) => {
        if (operationOf(route.request()) === 'FetchVisitor') await isReleased;
        await route.fallback();
      });
      await page.goto('/signin');
      await isSignInPage(page);
      const before = await placesOf(page);
      release();
      await question(page).waitFor();
      expect(await placesOf(page), `${width} px`).toEqual(before);
      await focused(page.locator('body'));
    }
  });

  it.each([
    [1280, 600],
    [390, 844],
  ])('covers neither the focused element nor the end of the page: %i × %i', async (width, height) => {
    const { page } = await signInNewPerson(stage, { viewport: { width, height } });
    await privacySection(page).getByText('You have not answered yet').waitFor();
    await page.getByText('This device').waitFor();
    await question(page).waitFor();
    const reached: string[] = [];
    while (reached.length < 30) {
      await page.keyboard.press('Tab');
      const place = await focusAndBanner(page);
      if (place.isInBanner) break;
      reached.push(place.name);
      expect(place.bottom, place.name).toBeLessThanOrEqual(place.bannerTop);
    }
    // The choice of the language is the last control of the page.
    expect(reached.slice(-4, -1)).toEqual(['Sign out everywhere', 'Decline', 'Allow']);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const section = await privacySection(page).boundingBox();
    const banner = await question(page).boundingBox();
    expect((section?.y ?? 0) + (section?.height ?? 0)).toBeLessThanOrEqual(banner?.y ?? 0);
  });

  it.each(
    ['en-GB', 'de'].flatMap((locale) => [
      { locale, width: 1280, height: 800 },
      { locale, width: 390, height: 844 },
      { locale, width: 800, height: 360 },
    ]),
  )(
    'covers no control of a form, and is covered by nothing: $locale, $width × $height',
    async ({ locale, width, height }) => {
      const { page } = await stage.newVisitor({ locale, viewport: { width, height } });
      for (const path of ['/signin', '/signup']) {
        await page.goto(path);
        await page.locator('#consent section button').first().waitFor();
        for (const end of [0, 100_000]) {
          await page.evaluate((top) => scrollTo(0, top), end);
          expect(await controlsBelowBanner(page), `${path}, scrolled to ${end}`).toEqual([]);
        }
        expect(await coveredPlacesOfBanner(page), path).toEqual([]);
      }
    },
  );

  it('can be answered by keyboard alone, does not take the focus and passes it on', async () => {
    const visitor = await stage.newVisitor();
    const page = await openSignIn(visitor);
    await focused(page.locator('body'));
    const decline = question(page).getByRole('button', { name: 'Decline' });
    const allow = question(page).getByRole('button', { name: 'Allow' });
    // After all controls of the page itself.
    await page.getByRole('combobox', { name: 'Language' }).focus();
    await page.keyboard.press('Tab');
    await focused(decline);
    await page.keyboard.press('Tab');
    await focused(allow);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await question(page).waitFor({ state: 'detached' });
    const wayBack = button(page, 'Privacy choice');
    await focused(wayBack);

    await page.keyboard.press('Enter');
    await question(page).waitFor();
    await focused(question(page));
    await button(page, 'Close').focus();
    await page.keyboard.press('Enter');
    await question(page).waitFor({ state: 'detached' });
    await focused(wayBack);
    expect(visitor.count('RecordConsent')).toBe(1);
  });

  it('passes the focus of a signed-in user on to the heading or the notification', async () => {
    const { page } = await signInNewPerson(stage);
    await question(page).getByRole('button', { name: 'Decline' }).focus();
    await page.keyboard.press('Enter');
    await question(page).waitFor({ state: 'detached' });
    await focused(heading(page, 'Hello, Test Person'));

    await privacySection(page).getByRole('button', { name: 'Allow analytics' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Analytics allowed.');
  });

  it('gives both answers the same look and size', async () => {
    const page = await openSignIn(await stage.newVisitor());
    const [decline, allow] = await question(page)
      .getByRole('button')
      .evaluateAll((buttons) =>
        buttons.map((element) => {
          const { color, backgroundColor, borderColor, fontSize, fontWeight } = getComputedStyle(element);
          const { width, height } = element.getBoundingClientRect();
          return { color, backgroundColor, borderColor, fontSize, fontWeight, width, height };
        }),
      );
    expect(decline).toEqual(allow);
    expect(await question(page).getByRole('button').allTextContents()).toEqual(['Decline', 'Allow']);
  });

  // Contract: accounts#visitor-decision — CONSENT_BANNER=false
  it('is absent with CONSENT_BANNER=false, as are its code and its section', async () => {
    const silent = await openStage({ environment: { CONSENT_BANNER: 'false' } });
    onTestFinished(() => silent.close());
    const { visitor, page } = await signInNewPerson(silent);
    const files: string[] = [];
    page.on('request', (request) => files.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByText('This device').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await question(page).count()).toBe(0);
    expect(await privacySection(page).count()).toBe(0);
    expect(visitor.count('FetchVisitor')).toBe(0);
    expect(files.filter((file) => file.includes('consent-banner'))).toEqual([]);
  });
});

/** Places of the banner, in a grid, that show something else; the page is scrolled to its end. */
const coveredPlacesOfBanner = (page: Page): Promise<readonly string[]> =>
  page.locator('#consent section').evaluate((banner) => {
    const { left, top, width, height } = banner.getBoundingClientRect();
    const places = [0.05, 0.5, 0.95].flatMap((across) =>
      [0.2, 0.5, 0.8].map((down): [number, number] => [left + across * width, top + down * height]),
    );
    const isCovered = ([x, y]: [number, number]) => !banner.contains(document.elementFromPoint(x, y));
    return places.filter(isCovered).map(String);
  });

/** The controls of the page, by their words, that overlap with the banner. */
const controlsBelowBanner = (page: Page): Promise<readonly (string | null)[]> =>
  page.evaluate(() => {
    const banner = document.querySelector('#consent section')?.getBoundingClientRect();
    const controls = [...document.querySelectorAll('#portal :is(a, button, input, select, summary)')];
    if (banner === undefined || controls.length < 5) throw new Error('The page is not there');
    return controls
      .filter((control) => {
        const { top, bottom, left, right } = control.getBoundingClientRect();
        return bottom > banner.top && top < banner.bottom && right > banner.left && left < banner.right;
      })
      .map(({ textContent }) => textContent);
  });

/** Positions of the parts of the sign-in page, and how far it scrolls sideways. */
const placesOf = async (page: Page): Promise<unknown> => {
  const parts = [heading(page, 'Sign in'), field(page, 'E-mail address'), field(page, 'Password')];
  const boxes = await Promise.all([...parts, button(page, 'Sign in')].map((part) => part.boundingBox()));
  return { boxes, width: await page.evaluate(() => document.documentElement.scrollWidth) };
};

const focusAndBanner = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    const banner = document.querySelector('#consent section');
    return {
      name: focused?.textContent ?? '',
      isInBanner: banner?.contains(focused) ?? true,
      bottom: focused?.getBoundingClientRect().bottom ?? 0,
      bannerTop: banner?.getBoundingClientRect().top ?? 0,
    };
  });
