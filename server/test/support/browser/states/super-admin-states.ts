/** The pages for super admins in every state with a different look; page-states.ts has the others. */
import type { Page } from 'playwright-core';
import { storePersonalToken } from '../../actors/machines/machine-secrets.ts';
import { whileScopesAre } from '../../actors/super-admins.ts';
import { newOwner } from '../../actors/tenants.ts';
import { registerAndSignIn } from '../../clients/clients.ts';
import { answerInstead, button, heading } from '../browser.ts';
import { defect, type Show, unavailable } from './page-states.ts';

const openSessions = async (page: Page, query = ''): Promise<void> => {
  await page.goto(`/admin/super/sessions${query}`);
  await heading(page, 'Sessions').waitFor();
};

/** Presses an item of the menu of the first session. */
const act = async (page: Page, item: string): Promise<void> => {
  await page
    .getByRole('button', { name: /^Actions for the session/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: item }).click();
};

export const superAdminStates: Readonly<Record<string, Show>> = {
  sessions: async (page) => {
    await openSessions(page);
    await page.getByText('You', { exact: true }).waitFor();
  },
  'sessions, of one person': async (page) => {
    await openSessions(page);
    await act(page, 'Only this person');
    await page.getByRole('button', { name: /^Remove filter/ }).waitFor();
  },
  'sessions, with all filters shown': async (page) => {
    await openSessions(page);
    await button(page, 'More filters').click();
    await page.getByLabel('Issued after').waitFor();
  },
  'sessions, some chosen, sorted': async (page) => {
    await openSessions(page, '?sort=person&direction=asc');
    await page
      .getByRole('checkbox', { name: /^Choose the session/ })
      .first()
      .check();
    await page.getByRole('button', { name: /^End 1 session/ }).waitFor();
  },
  'sessions, a menu open': async (page) => {
    await openSessions(page);
    await page
      .getByRole('button', { name: /^Actions for the session/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'End this session' }).waitFor();
  },
  'sessions, none found': async (page) => {
    await openSessions(page, '?email=no-such-person');
    await page.getByText('No active session matches these filters.').waitFor();
  },
  'sessions, by a wrong filter': async (page) => {
    await openSessions(page, '?user=x&audience=bogus');
    await page.getByText('This must be an id').waitFor();
  },
  'sessions, choosing an audience': async (page) => {
    await openSessions(page);
    await page.getByRole('button', { name: /^For:/ }).click();
    await page.getByRole('menuitemradio', { name: 'MCP', exact: true }).waitFor();
  },
  'sessions unavailable': async (page) => {
    const restore = await answerInstead(page, 'FetchSessionFamilies', defect);
    await openSessions(page);
    await page.getByText('Reference: a1b2c3').waitFor();
    await restore();
  },
  'sessions, without the scope to revoke': (page, { service }) =>
    whileScopesAre(service, ['sessions:view'], async () => {
      await openSessions(page);
      await page.getByText('You can view sessions, but not end them').waitFor();
    }),
  'end a session, refused': async (page) => {
    const restore = await answerInstead(page, 'RevokeSessionFamilies', unavailable);
    await openSessions(page);
    await act(page, 'End this session');
    await page.getByText('Not available right now').waitFor();
    await restore();
  },
  'end sessions, asking before': async (page, { service }) => {
    const { email } = await registerAndSignIn(service);
    await openSessions(page, `?email=${encodeURIComponent(email)}`);
    await button(page, 'End all that match').click();
    await page.getByRole('alertdialog', { name: 'End 1 session?' }).waitFor();
  },
  'end a token of a machine, asking before': async (page, { service }) => {
    const owner = await newOwner(service);
    await storePersonalToken(service, owner, { name: 'Nightly backup' });
    await openSessions(page, `?kind=machine&organization=${owner.organizationId}`);
    await button(page, 'End all that match').click();
    await page.getByRole('alertdialog', { name: 'End 1 token?' }).waitFor();
  },
  'sessions ended': async (page, { service }) => {
    const { email } = await registerAndSignIn(service);
    await openSessions(page, `?email=${encodeURIComponent(email)}`);
    await button(page, 'End all that match').click();
    await button(page, 'End 1 session').click();
    await page.getByText('Effective since').waitFor();
  },
};
