/** The console's pages of people and organizations, and its search, in every state with a different look. */
import type { Page } from 'playwright-core';
import { newId } from '../../../../src/kernel/ids.ts';
import { inviteTo, newOwner } from '../../actors/tenants.ts';
import { answerInstead, heading } from '../browser.ts';
import { defect, type Show } from './page-states.ts';

const open = async (page: Page, path: string, title: string): Promise<void> => {
  await page.goto(`/admin/super/${path}`);
  await heading(page, title).waitFor();
};

const search = async (page: Page, text: string): Promise<void> => {
  await open(page, 'people', 'People');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(text);
};

export const consoleStates: Readonly<Record<string, Show>> = {
  overview: async (page) => {
    await open(page, '', 'Overview');
    await page.getByRole('region', { name: 'Sign-ins', exact: true }).getByText('The numbers as a table').click();
  },
  'overview unavailable': async (page) => {
    const restore = await answerInstead(page, 'FetchOverview', defect);
    await open(page, '', 'Overview');
    await page.getByText('Reference: a1b2c3').waitFor();
    await restore();
  },
  'sign-ins': async (page) => {
    await open(page, 'sign-ins', 'Sign-ins');
    await page.getByRole('table', { name: 'Sign-ins' }).waitFor();
  },
  'sign-ins, none found': async (page) => {
    await open(page, 'sign-ins?network=203.0.113.1', 'Sign-ins');
    await page.getByText('No attempt matches these filters.').waitFor();
  },
  'a person, asking before the suspension': async (page, { service }) => {
    const { userId, email } = await newOwner(service);
    await open(page, `people/${userId}`, email);
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByLabel('Reason, for super admins').waitFor();
  },
  'a suspended person': async (page, { service }) => {
    const { userId, email } = await newOwner(service);
    await open(page, `people/${userId}`, email);
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByLabel('Reason, for super admins').fill('A reason');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('table', { name: 'Suspensions' }).waitFor();
  },
  people: async (page) => {
    await open(page, 'people', 'People');
    await page.getByRole('table', { name: 'People' }).waitFor();
  },
  'people, none found': async (page) => {
    await open(page, 'people?search=no-such-person', 'People');
    await page.getByText('Nothing matches this search.').waitFor();
  },
  'people unavailable': async (page) => {
    const restore = await answerInstead(page, 'FetchPeople', defect);
    await open(page, 'people', 'People');
    await page.getByText('Reference: a1b2c3').waitFor();
    await restore();
  },
  'a person': async (page, { service }) => {
    const { userId, email } = await newOwner(service);
    await open(page, `people/${userId}`, email);
    await page.getByRole('table', { name: 'Organizations' }).waitFor();
  },
  'a person, with what they may do in their organization': async (page, { service }) => {
    const { userId, email, organizationId } = await newOwner(service);
    await service.sql('UPDATE organizations SET require_second_factor = true WHERE id = $1', [organizationId]);
    await service.sql("UPDATE organization_members SET role = 'ADMIN' WHERE organization_id = $1", [organizationId]);
    await open(page, `people/${userId}`, email);
    await page.getByRole('button', { name: /^What they may do in / }).click();
    await page.getByRole('heading', { name: 'May not', exact: true }).waitFor();
  },
  'a person, asking before the sign-out': async (page, { service }) => {
    const { userId, email } = await newOwner(service);
    await open(page, `people/${userId}`, email);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('alertdialog').waitFor();
  },
  'no such person': (page) => open(page, `people/${newId()}`, 'No such person'),
  organizations: async (page) => {
    await open(page, 'organizations', 'Organizations');
    await page.getByRole('table', { name: 'Organizations' }).waitFor();
  },
  'an organization with an invitation': async (page, { service }) => {
    const [owner, invited] = [await newOwner(service), await newOwner(service)];
    await inviteTo(service, invited.userId, owner.organizationId);
    await page.goto(`/admin/super/organizations/${owner.organizationId}`);
    await page.getByRole('table', { name: 'Invitations' }).waitFor();
  },
  'an organization whose price cannot be read': async (page, { service }) => {
    const { organizationId } = await newOwner(service);
    const mark = 'UPDATE subscriptions SET unread_subscription = $2 WHERE organization_id = $1';
    await service.sql(mark, [organizationId, 'sub_1SLut2FUCobZzZgno4CsI0CY']);
    await page.goto(`/admin/super/organizations/${organizationId}`);
    await page.getByText('Price not read').waitFor();
  },
  'no such organization': (page) => open(page, `organizations/${newId()}`, 'No such organization'),
  'search everything': async (page, { service }) => {
    const { email } = await newOwner(service);
    await search(page, email);
    await page.getByRole('option').first().waitFor();
  },
  'search everything, nothing found': async (page) => {
    await search(page, 'no such text');
    await page.getByText('Nothing has this address, name or id.').waitFor();
  },
};
