/** The page of one's own data in Chromium: the copy as a file, and the deletion of the account. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { button, isSignInPage, openStage, signInNewPerson } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('One’s own data', () => {
  const stage = fixture(openStage);

  // Contract: account#export-of-personal-data — exportMyData in the portal
  it('is downloaded as a file of JSON', async () => {
    const { page, email } = await signInNewPerson(stage);
    await page.goto('/account/data');
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()]);
    expect(download.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.json$/);
    expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toMatchObject({ account: { email } });
  });

  // Contract: account#deletion-of-an-account — deleteAccount in the portal
  it('goes with the account, after the person typed its address', async () => {
    const { visitor, page, email } = await signInNewPerson(stage);
    visitor.forgiveComplaints();
    await page.goto('/account/data');
    await button(page, 'Delete account').click();
    const typed = page.getByLabel(`Type ${email} to confirm`);
    await typed.fill('somebody@example.com');
    await button(page, 'Delete my account').click();
    await page.getByText('This is not the address of your account.').waitFor();
    await typed.fill(email);
    await button(page, 'Delete my account').click();
    await isSignInPage(page);
    await page.getByText('Your account is deleted.').waitFor();
    expect(await stage.service.sql('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([]);
  });
});
