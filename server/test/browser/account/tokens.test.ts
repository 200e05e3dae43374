/** Personal tokens in Chromium: created and used, rotated, revoked; and absent where the installation has none. */
import { describe, expect, it } from 'vitest';
import { button, field, heading, openStage, signInNewPerson } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { focused } from '../../support/browser/keyboard.ts';
import {
  createToken,
  fillToken,
  liveTokens,
  openOwnTokens,
  outcomeOf,
  takeSecret,
} from '../../support/browser/token-pages.ts';
import { goodPassword, post } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('Personal tokens', () => {
  const stage = fixture(openStage);

  // Contract: machine-credentials#personal-token — a personal token in the portal, its secret shown once
  it('are created with chosen scopes, shown once, and work at the API within them', async () => {
    const { page } = await signInNewPerson(stage);
    const secret = await createToken(page, 'Backup');
    expect(await outcomeOf(stage, secret)).toBe('works');
    // The query of the example beside the secret.
    const actor = await post(stage.service.url, '{ actor { name scopes } }', {}, { authorization: `Bearer ${secret}` });
    expect(actor.data).toMatchObject({ actor: { scopes: ['MEMBERS_VIEW'] } });
    const rename = 'mutation { renameOrganization(name: "Taken over") { name } }';
    const refused = await post(stage.service.url, rename, {}, { authorization: `Bearer ${secret}` });
    expect(refused.code).toBe('FORBIDDEN');
    await page.reload();
    const row = page.getByRole('listitem').filter({ hasText: 'Backup' });
    await row.getByText('See who belongs to the organization').waitFor();
    await row.getByText(`ends in ${secret.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('are not created while a field has a problem, which the first field in question shows', async () => {
    const { page } = await signInNewPerson(stage);
    const before = await liveTokens(stage);
    await openOwnTokens(page);
    await fillToken(page, '', []);
    await page.getByText('Enter a name for the token.').waitFor();
    await page.getByText('Choose at least one.').waitFor();
    await focused(field(page, 'Name'));
    await field(page, 'Name').fill('Too long');
    await page.getByRole('checkbox', { name: 'Invite people' }).check();
    await page.getByLabel('On a date of your choice').check();
    await field(page, 'Date of expiry').fill('2199-01-01');
    await button(page, 'Create token').click();
    await page.getByText('The organization allows its tokens at most 366 days.').waitFor();
    expect(await liveTokens(stage)).toBe(before);
  });

  it('are rotated: the secret of before lives on as long as was chosen', async () => {
    const { page } = await signInNewPerson(stage);
    const first = await createToken(page, 'Rotated');
    await page.getByRole('button', { name: /^Rotate Rotated/ }).click();
    await button(page, 'Rotate token').click();
    const second = await takeSecret(page);
    await page.getByText('The previous secret also works until').waitFor();
    expect([await outcomeOf(stage, first), await outcomeOf(stage, second)]).toEqual(['works', 'works']);
    await page.getByRole('button', { name: /^Rotate Rotated/ }).click();
    await page.getByLabel('Not at all: it ends at once').check();
    await button(page, 'Rotate token').click();
    const third = await takeSecret(page);
    expect(await outcomeOf(stage, second)).toBe('UNAUTHENTICATED');
    expect(await outcomeOf(stage, third)).toBe('works');
  });

  it('are revoked after a question, and stay listed', async () => {
    const { page } = await signInNewPerson(stage);
    const secret = await createToken(page, 'Doomed');
    await page.getByRole('button', { name: /^Revoke Doomed/ }).click();
    await button(page, 'Cancel').click();
    expect(await outcomeOf(stage, secret)).toBe('works');
    await page.getByRole('button', { name: /^Revoke Doomed/ }).click();
    await button(page, 'Revoke token').click();
    await page.getByText('Doomed is revoked. It does not work any more.').waitFor();
    expect(await outcomeOf(stage, secret)).toBe('UNAUTHENTICATED');
    const ended = page.getByRole('region', { name: 'Ended in the last 90 days' });
    await ended.getByText('Revoked').first().waitFor();
    expect(await ended.getByRole('button').count()).toBe(0);
  });

  it('are rotated after a proof where the session is not fresh', async () => {
    const { visitor, page } = await signInNewPerson(stage);
    visitor.forgiveComplaints();
    const first = await createToken(page, 'Stale');
    await stage.service.sql("UPDATE credentials SET authenticated_at = now() - interval '11 minutes'");
    await page.getByRole('button', { name: /^Rotate Stale/ }).click();
    await button(page, 'Rotate token').click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Your password', { exact: true }).fill(goodPassword);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    const second = await takeSecret(page);
    expect([await outcomeOf(stage, first), await outcomeOf(stage, second)]).toEqual(['works', 'works']);
  });

  // Contract: machine-credentials#end-of-a-token — sign-out everywhere ends personal tokens, and the portal says so
  it('end with a sign-out everywhere, which says so', async () => {
    const { page } = await signInNewPerson(stage);
    const secret = await createToken(page, 'Everywhere');
    await page.goto('/');
    await button(page, 'Sign out everywhere').click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('your personal tokens').waitFor();
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
    await heading(page, 'Sign in').waitFor();
    expect(await outcomeOf(stage, secret)).toBe('UNAUTHENTICATED');
  });

  it('stay with a new password, and the form says so', async () => {
    const { page } = await signInNewPerson(stage);
    const secret = await createToken(page, 'Kept');
    await page.goto('/account');
    await button(page, 'Change password').click();
    await page.getByText('Your personal tokens go on working.').waitFor();
    await field(page, 'Current password').fill(goodPassword);
    await field(page, 'New password').fill('Another.horse7');
    await button(page, 'Change password').click();
    await page.getByText('Your password is changed.').waitFor();
    expect(await outcomeOf(stage, secret)).toBe('works');
  });
});

describe.skipIf(chromiumPath === null)('Without machine tokens', () => {
  const stage = fixture(() => openStage({ environment: { MACHINE_TOKENS_ENABLED: 'false' } }));

  it('no page and no link is there, and no text names them', async () => {
    const { page } = await signInNewPerson(stage);
    await page.goto('/account');
    await page.getByRole('link', { name: 'Your data' }).waitFor();
    expect(await page.getByRole('link', { name: 'Personal tokens' }).count()).toBe(0);
    await page.goto('/members');
    await page.getByRole('link', { name: 'Security of the organization' }).waitFor();
    expect(await page.getByRole('link', { name: 'Tokens and service accounts' }).count()).toBe(0);
    for (const path of ['/account/tokens', '/organization/tokens']) {
      await page.goto(path);
      await heading(page, 'Page not found').waitFor();
    }
    await page.goto('/');
    await button(page, 'Sign out everywhere').click();
    await page.getByRole('alertdialog').getByText('including this one and API clients').waitFor();
  });
});
