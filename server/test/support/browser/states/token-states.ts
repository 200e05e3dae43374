/**
 * The pages of tokens in every state with a different look: see page-states.ts. Lists and secrets are invented answers.
 */
import type { Page } from 'playwright-core';
import { answerInstead, button, field, heading } from '../browser.ts';
import { answering, idOf, inDays, listing } from '../invented-answers.ts';
import { defect, type Show } from './page-states.ts';

/** A token as the API returns it. */
const token = (number: number, facts: Readonly<Record<string, unknown>> = {}) => ({
  id: idOf(number),
  kind: 'PERSONAL',
  name: `Backup script ${number}`,
  scopes: ['MEMBERS_VIEW', 'MEMBERS_INVITE'],
  status: 'ACTIVE',
  organizationId: idOf(900),
  organizationName: 'An organization with quite a long name for a narrow screen',
  userId: idOf(800),
  userEmail: 'a.person.with.a.long.name@example.com',
  serviceAccount: null,
  lastCharacters: 'x7Qz',
  createdAt: inDays(-20),
  expiresAt: inDays(60),
  revokedAt: null,
  previousSecretEndsAt: null,
  lastUsedAt: inDays(-2),
  lastUsedIp: '2001:db8:85a3::8a2e:370:7334',
  ...facts,
});

const ownTokens = [
  token(1, { previousSecretEndsAt: inDays(1) }),
  token(2, { status: 'PENDING', lastUsedAt: null, lastUsedIp: null }),
  token(3, { status: 'BLOCKED', lastUsedIp: null }),
  token(4, { status: 'EXPIRED', expiresAt: inDays(-3) }),
  token(5, { status: 'REVOKED', revokedAt: inDays(-4) }),
];

const account = (number: number, facts: Readonly<Record<string, unknown>> = {}) => ({
  id: idOf(700 + number),
  name: `Billing export ${number}`,
  description: 'Exports the invoices of each month to the accountants.',
  scopes: ['MEMBERS_VIEW'],
  createdAt: inDays(-90),
  createdByEmail: 'a.person.with.a.long.name@example.com',
  lastUsedAt: inDays(-1),
  liveTokens: 2,
  ...facts,
});

const serviceToken = (number: number) =>
  token(number, {
    kind: 'SERVICE',
    name: 'Billing export 1',
    userId: null,
    userEmail: null,
    serviceAccount: { id: idOf(701) },
  });

const listed = (nodes: readonly unknown[], totalCount?: number) => listing('organizationTokens', nodes, totalCount);

const openOwn = async (page: Page): Promise<void> => {
  await page.goto('/account/tokens');
  await heading(page, 'Personal tokens').waitFor();
};

const openOfOrganization = async (page: Page, query = ''): Promise<void> => {
  await page.goto(`/organization/tokens${query}`);
  await page.getByRole('navigation', { name: 'Tokens' }).waitFor();
};

const ownStates: Readonly<Record<string, Show>> = {
  'personal tokens, none': async (page) => {
    await openOwn(page);
    await page.getByText('You have no personal tokens.').waitFor();
  },
  'personal tokens of every status': async (page) => {
    const restore = await answerInstead(page, 'FetchMyTokens', answering({ myTokens: ownTokens }));
    await openOwn(page);
    await page.getByText('Waiting for approval').waitFor();
    await restore();
  },
  'personal tokens unavailable': async (page) => {
    const restore = await answerInstead(page, 'FetchMyTokens', defect);
    await openOwn(page);
    await page.getByText('Reference: a1b2c3').waitFor();
    await restore();
  },
  'a new personal token, with problems': async (page) => {
    await openOwn(page);
    await button(page, 'Create a token').click();
    await page.getByLabel('On a date of your choice').check();
    await button(page, 'Create token').click();
    await page.getByText('Choose a date in the future.').waitFor();
  },
  'a new personal token, refused': async (page) => {
    const refusal = { code: 'FORBIDDEN', missingScopes: ['MEMBERS_INVITE'] };
    const body = JSON.stringify({ errors: [{ message: '', extensions: refusal }] });
    const restore = await answerInstead(page, 'CreatePersonalToken', { ...answering({}), body });
    await openOwn(page);
    await button(page, 'Create a token').click();
    await field(page, 'Name').fill('Backup script');
    await page.getByRole('checkbox', { name: 'Invite people' }).check();
    await button(page, 'Create token').click();
    await page.getByText('You do not hold this yourself').waitFor();
    await restore();
  },
  'a personal token, its secret shown once': async (page) => {
    const secret = { secret: `gate_p_${'x'.repeat(60)}x7Qz`, token: token(6, { status: 'PENDING' }) };
    const restore = await answerInstead(page, 'CreatePersonalToken', answering({ createPersonalToken: secret }));
    await openOwn(page);
    await button(page, 'Create a token').click();
    await field(page, 'Name').fill('Backup script');
    await page.getByRole('checkbox', { name: 'Invite people' }).check();
    await button(page, 'Create token').click();
    await page.getByText('It is shown only this once.').waitFor();
    await restore();
  },
  'rotate a token?': async (page) => {
    const restore = await answerInstead(page, 'FetchMyTokens', answering({ myTokens: ownTokens.slice(0, 1) }));
    await openOwn(page);
    await button(page, 'Rotate Backup script 1, ending in x7Qz').click();
    await page.getByRole('alertdialog').getByText('For 7 days').waitFor();
    await restore();
  },
};

const organizationStates: Readonly<Record<string, Show>> = {
  'tokens of the organization': async (page) => {
    const tokens = [...ownTokens, serviceToken(7)];
    const restore = await answerInstead(page, 'FetchOrganizationTokens', listed(tokens, 40));
    await openOfOrganization(page, `?user=${idOf(800)}`);
    await page.getByText('6 of 40 shown').waitFor();
    await restore();
  },
  'tokens of the organization, of a person who left': async (page) => {
    const ended = { status: 'REVOKED', revokedAt: inDays(-4) };
    const left = token(9, { ...ended, userId: idOf(801), userEmail: null });
    const restore = await answerInstead(page, 'FetchOrganizationTokens', listed([left, token(5, ended)]));
    await openOfOrganization(page);
    await button(page, 'A person who left: show only their tokens').waitFor();
    await restore();
  },
  'tokens of the organization, none match': async (page) => {
    await openOfOrganization(page, '?status=BLOCKED');
    await page.getByText('No token matches these filters.').waitFor();
  },
  'refuse a token?': async (page) => {
    const restore = await answerInstead(page, 'FetchOrganizationTokens', listed(ownTokens.slice(1, 2)));
    await openOfOrganization(page);
    await page.getByRole('button', { name: /^Refuse Backup/ }).click();
    await page.getByRole('alertdialog').waitFor();
    await restore();
  },
  'service accounts, none': async (page) => {
    await openOfOrganization(page, '?section=accounts');
    await page.getByText('There are no service accounts yet.').waitFor();
  },
  'service accounts, one with its tokens': async (page) => {
    const accounts = [
      account(1),
      account(2, { liveTokens: 0, lastUsedAt: null, createdByEmail: null, description: '' }),
    ];
    const restore = await answerInstead(page, 'FetchServiceAccounts', answering({ serviceAccounts: accounts }));
    const restoreTokens = await answerInstead(page, 'FetchOrganizationTokens', listed([serviceToken(8)]));
    await openOfOrganization(page, '?section=accounts');
    await button(page, 'Tokens of Billing export 1').click();
    await page.getByText('ends in').waitFor();
    await button(page, 'Create token for Billing export 2').click();
    await heading3(page, 'New token for Billing export 2').waitFor();
    await restore();
    await restoreTokens();
  },
  'a new service account, with problems': async (page) => {
    await openOfOrganization(page, '?section=accounts');
    await button(page, 'Create a service account').click();
    await button(page, 'Create service account').click();
    await page.getByText('Enter a name for the service account.').waitFor();
  },
  'policy for tokens, with a problem': async (page) => {
    await openOfOrganization(page, '?section=policy');
    await field(page, 'Longest lifetime in days').fill('400');
    await button(page, 'Save policy').click();
    await page.getByText('Enter a whole number from 1 to 366.').waitFor();
  },
};

const heading3 = (page: Page, name: string) => page.getByRole('heading', { level: 3, name });

export const tokenStates: Readonly<Record<string, Show>> = { ...ownStates, ...organizationStates };
