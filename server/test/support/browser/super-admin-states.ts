/** The pages for super admins in every state with a different look; page-states.ts has the others. */
import type { Page } from 'playwright-core';
import { whileScopesAre } from '../actors/super-admins.ts';
import { registerAndSignIn } from '../clients/clients.ts';
import { answerInstead, button, heading } from './browser.ts';
import { defect, type Show, unavailable } from './page-states.ts';

const governance = async (page: Page, query = ''): Promise<void> => {
  await page.goto(`/admin/super/sessions${query}`);
  await heading(page, 'Sessions').waitFor();
};

export const superAdminStates: Readonly<Record<string, Show>> = {
  sessions: async (page) => {
    await governance(page);
    await page.getByText('This is you').waitFor();
  },
  'sessions, of one person': async (page) => {
    await governance(page);
    await page
      .getByRole('link', { name: /^Only .*@/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Remove filter/ }).waitFor();
  },
  'sessions, none found': async (page) => {
    await governance(page, '?email=nobody-at-all');
    await page.getByText('No active session matches these filters.').waitFor();
  },
  'sessions, by an invalid filter': async (page) => {
    await governance(page, '?user=x&audience=bogus');
    await page.getByText('This is not an id.').waitFor();
  },
  'sessions, choosing an audience': async (page) => {
    await governance(page);
    await page.getByRole('button', { name: /^For:/ }).click();
    await page.getByRole('menuitemradio', { name: 'MCP' }).waitFor();
  },
  'sessions unavailable': async (page) => {
    const restore = await answerInstead(page, 'FetchActiveSessions', defect);
    await governance(page);
    await page.getByText('Reference: a1b2c3').waitFor();
    await restore();
  },
  'sessions, without the scope to revoke': (page, { service }) =>
    whileScopesAre(service, [], async () => {
      await governance(page);
      await page.getByText('You can view sessions, but not end them').waitFor();
    }),
  'revoke the session in use, refused': async (page) => {
    const restore = await answerInstead(page, 'RevokeSession', unavailable);
    await governance(page);
    await page
      .getByRole('button', { name: /^Revoke session of/ })
      .first()
      .click();
    await page.getByText('You will be signed out here.').waitFor();
    await button(page, 'Revoke session').click();
    await page.getByText('Not available right now').waitFor();
    await restore();
  },
  'session revoked': async (page, { service }) => {
    const { email } = await registerAndSignIn(service);
    await governance(page, `?email=${encodeURIComponent(email)}`);
    await page
      .getByRole('button', { name: /^Revoke session of/ })
      .first()
      .click();
    await button(page, 'Revoke session').click();
    await page.getByText('Effective since').waitFor();
  },
};
