/** Deleting an organization in the portal, and restoring it. */
import { describe, expect, it } from 'vitest';
import { findings, overflowAt360 } from '../../support/browser/accessibility.ts';
import { button, heading, openStage, signInNewPerson } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('An organization', () => {
  const stage = fixture(openStage);

  // Contract: account#deletion-of-an-organization — deleteOrganization and restoreOrganization in the portal
  it('is deleted after its owner typed its name, and restored from the home page', async () => {
    const { visitor, page, email } = await signInNewPerson(stage);
    visitor.forgiveComplaints();
    const name = "Test Person's organization";
    await page.goto('/members');
    await page.getByRole('link', { name: 'Delete this organization' }).click();
    await heading(page, `Delete ${name}`).waitFor();
    expect([await findings(page), await overflowAt360(page)]).toEqual([[], 0]);
    const typed = page.getByLabel(`Type ${name} to confirm`);
    await typed.fill('Another name');
    await button(page, 'Delete the organization').click();
    await page.getByText('This is not the name of the organization.').waitFor();
    await typed.fill(name);
    await button(page, 'Delete the organization').click();
    await page.getByText('No organization is active').waitFor();
    await button(page, `Restore ${name}`).waitFor();
    expect([await findings(page), await overflowAt360(page)]).toEqual([[], 0]);
    expect((await stage.service.mailsTo(email)).map(({ subject }) => subject)).toContain(`${name} was deleted`);
    await button(page, `Restore ${name}`).click();
    await page.getByText('No organization is active').waitFor({ state: 'detached' });
    await page.goto('/members');
    await page.getByText('1 person').waitFor();
  });
});
