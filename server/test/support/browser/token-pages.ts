/** What the browser tests of tokens do on the pages, and what a token may do at the API. */
import type { Page } from 'playwright-core';
import { post } from '../clients/clients.ts';
import { button, field, heading, type Stage } from './browser.ts';

export const openOwnTokens = async (page: Page): Promise<void> => {
  await page.goto('/account/tokens');
  await heading(page, 'Personal tokens').waitFor();
};

/** Fills in the form of a personal token, and sends it. */
export const fillToken = async (page: Page, name: string, scopes: readonly string[]): Promise<void> => {
  await button(page, 'Create a token').click();
  await field(page, 'Name').fill(name);
  for (const scope of scopes) await page.getByRole('checkbox', { name: scope }).check();
  await button(page, 'Create token').click();
};

/** The secret that the page shows; once it is taken, the page shows it no more. */
export const takeSecret = async (page: Page): Promise<string> => {
  const secret = page.getByText(/^gate_[ps]_/);
  const text = await secret.innerText();
  await button(page, 'I have stored it').click();
  await secret.waitFor({ state: 'detached' });
  return text;
};

/** Creates a personal token that may see the members. @returns its secret */
export const createToken = async (page: Page, name: string): Promise<string> => {
  await openOwnTokens(page);
  await fillToken(page, name, ['See who belongs']);
  return takeSecret(page);
};

/** @returns `works` where the members are shown, else the code of the refusal */
export const outcomeOf = async ({ service }: Stage, secret: string): Promise<string> => {
  const headers = { authorization: `Bearer ${secret}` };
  const { code, data } = await post(service.url, '{ members(first: 1) { totalCount } }', {}, headers);
  return code ?? (data === null ? 'nothing' : 'works');
};

export const liveTokens = async ({ service }: Stage): Promise<number> =>
  (await service.sql.value<number>(
    "SELECT count(*)::integer FROM credentials WHERE kind = 'machine' AND revoked_at IS NULL",
  )) ?? 0;
