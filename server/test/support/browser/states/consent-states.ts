/** The analytics question and its answers in every state with a different look: see page-states.ts. */
import type { Locator, Page } from 'playwright-core';
import { answerInstead, button } from '../browser.ts';
import { type Show, unavailable } from './page-states.ts';

export const consentQuestion = (page: Page): Locator => page.getByRole('region', { name: 'May analytics be used?' });

export const privacySection = (page: Page): Locator => page.getByRole('region', { name: 'Privacy', exact: true });

/** From here on the pages are those of an installation with the question. */
const askFromNowOn = async (page: Page): Promise<void> => {
  await page.route('**/*', async (route) => {
    if (!route.request().isNavigationRequest()) return route.fallback();
    const response = await route.fetch();
    const text = await response.text();
    return route.fulfill({ response, body: text.replace('name="gatehouse-consent" content=""', asking) });
  });
};

const asking = 'name="gatehouse-consent" content="ask"';

const openAsking = async (page: Page, path: string): Promise<void> => {
  await askFromNowOn(page);
  await page.goto(path);
  await consentQuestion(page).waitFor();
};

const answerBelow = (page: Page, answer: string): Promise<void> =>
  consentQuestion(page).getByRole('button', { name: answer }).click();

export const visitorConsentStates: Readonly<Record<string, Show>> = {
  'sign-in with the analytics question': (page) => openAsking(page, '/signin'),
  'analytics answer not recorded': async (page) => {
    await openAsking(page, '/signup');
    const restore = await answerInstead(page, 'RecordConsent', unavailable);
    await answerBelow(page, 'Allow');
    await page.getByText('Your answer was not saved.').waitFor();
    await restore();
  },
  'analytics declined': async (page) => {
    await openAsking(page, '/signin');
    await answerBelow(page, 'Decline');
    await button(page, 'Privacy choice').waitFor();
  },
  'analytics question opened again': async (page) => {
    await openAsking(page, '/signin');
    await answerBelow(page, 'Allow');
    await button(page, 'Privacy choice').click();
    await page.getByText('You currently allow it').waitFor();
  },
};

export const personConsentStates: Readonly<Record<string, Show>> = {
  'home with the analytics question': async (page) => {
    await openAsking(page, '/');
    await page.getByText('You have not answered yet').waitFor();
  },
  'home, analytics allowed': async (page) => {
    await openAsking(page, '/');
    await privacySection(page).getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Your id:').waitFor();
  },
  'home, analytics decision unavailable': async (page) => {
    await askFromNowOn(page);
    const restore = await answerInstead(page, 'FetchVisitor', unavailable);
    await page.goto('/');
    await privacySection(page).getByText('Not available right now').waitFor();
    await restore();
  },
};
