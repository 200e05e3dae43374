/** The console's page of a person: what they may do in each organization and why not, by keyboard alone. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addTo, inviteTo, newOwner, type Tenant } from '../../support/actors/tenants.ts';
import { findings } from '../../support/browser/accessibility.ts';
import { button, heading, openStage, signInSuperAdmin } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { focused, tabTo } from '../../support/browser/keyboard.ts';
import { fixture } from '../../support/fixture.ts';

const application = {
  scopes: { 'notes:read': 'Read notes', 'notes:share': 'Share notes with guests' },
  roles: { EDITOR: { title: 'Editor', scopes: ['MEMBERS_VIEW', 'MEMBERS_INVITE', 'notes:read', 'notes:share'] } },
  products: {
    free: { title: 'Starter', scopes: ['notes:read'], without: ['MEMBERS_REMOVE'] },
    team: { title: 'Team', scopes: '*' },
  },
} as const;

describe.skipIf(chromiumPath === null)('What a person may do, in the console', () => {
  const stage = fixture(() => openStage({ application }));

  /** An organization with this name, in which the person is an editor. */
  const newEditorship = async ({ userId }: Tenant, name: string): Promise<Tenant> => {
    const owner = await newOwner(stage.service);
    await stage.service.sql('UPDATE organizations SET name = $2 WHERE id = $1', [owner.organizationId, name]);
    await addTo(stage.service, userId, owner.organizationId, 'EDITOR');
    return owner;
  };

  const openPerson = async ({ userId, email }: Tenant): Promise<Page> =>
    (await signInSuperAdmin(stage, { path: `/admin/super/people/${userId}`, title: email })).page;

  const disclosure = (page: Page, name: string) => button(page, `What they may do in ${name}`);

  /** The texts of the list under a heading. */
  const listed = (page: Page, title: string): Promise<string[]> =>
    page.getByRole('list', { name: title, exact: true }).getByRole('listitem').allInnerTexts();

  it('is opened and closed by keyboard, in words, with the reason for each scope that they lack', async () => {
    const person = await newOwner(stage.service);
    await newEditorship(person, 'Harbour Notes');
    const { page } = await signInSuperAdmin(stage, { path: '/admin/super/people', title: 'People' });
    await page.keyboard.press('Control+k');
    await focused(page.getByRole('combobox', { name: 'Address, name, id' }));
    await page.keyboard.type(person.userId);
    await page.keyboard.press('Enter');
    await focused(heading(page, person.email));
    const row = page.getByRole('row').filter({ hasText: 'Harbour Notes' });
    await row.getByText('Starter', { exact: true }).waitFor();
    const opener = disclosure(page, 'Harbour Notes');
    // As docs/console.md counts them, and the link and the button of the first organization.
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('Tab');
    await focused(disclosure(page, "Test Person's organization"));
    await tabTo(page, opener);
    expect(await opener.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'May', exact: true }).waitFor();
    await focused(opener);
    expect(await opener.getAttribute('aria-expanded')).toBe('true');
    expect(await listed(page, 'May')).toEqual(['See who belongs to the organization', 'Invite people', 'Read notes']);
    expect(await listed(page, 'May not')).toEqual([
      'Change roles\nThe role does not grant it.',
      'Remove people\nNeither the role nor the plan grants it.',
      'Rename the organization\nThe role does not grant it.',
      'Pay and manage billing\nThe role does not grant it.',
      'Manage tokens and service accounts\nThe role does not grant it.',
      'Manage connected MCP clients\nThe role does not grant it.',
      'See the audit log of the organization\nThe role does not grant it.',
      'Share notes with guests\nThe plan does not grant it.',
    ]);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Space');
    await page.getByRole('heading', { name: 'May', exact: true }).waitFor({ state: 'detached' });
    await focused(opener);
  });

  it('says that the subscription is not paid for, or that there is no plan', async () => {
    const person = await newOwner(stage.service);
    const [owing, without] = [await newEditorship(person, 'Owing'), await newEditorship(person, 'Without')];
    await stage.service.sql("UPDATE subscriptions SET status = 'PAST_DUE' WHERE organization_id = $1", [
      owing.organizationId,
    ]);
    await stage.service.sql('DELETE FROM subscriptions WHERE organization_id = $1', [without.organizationId]);
    const page = await openPerson(person);
    await disclosure(page, 'Owing').press('Enter');
    await page.getByText('This person may do nothing here that takes a scope.').waitFor();
    expect(await listed(page, 'May not')).toContain('Read notes\nThe subscription is not paid for.');
    expect(await listed(page, 'May not')).toContain(
      'Change roles\nThe role does not grant it, and the subscription is not paid for.',
    );
    await disclosure(page, 'Owing').press('Enter');
    await disclosure(page, 'Without').press('Enter');
    await page.getByText('The organization has no plan.').first().waitFor();
    expect(await listed(page, 'May not')).toContain('Read notes\nThe organization has no plan.');
  });

  it('names what withholds everything: a deletion, and a second factor that the organization requires', async () => {
    const person = await newOwner(stage.service);
    const [gone, guarded] = [await newEditorship(person, 'Gone'), await newEditorship(person, 'Guarded')];
    await stage.service.sql("UPDATE organizations SET deletes_at = '2040-01-02' WHERE id = $1", [gone.organizationId]);
    await stage.service.sql('UPDATE organizations SET require_second_factor = true WHERE id = $1', [
      guarded.organizationId,
    ]);
    const page = await openPerson(person);
    await disclosure(page, 'Gone').press('Enter');
    await page.getByText(/^The organization was deleted and is gone for good on 2 Jan 2040\./).waitFor();
    expect(await listed(page, 'May not')).toContain('Read notes\nThe organization was deleted.');
    await disclosure(page, 'Gone').press('Enter');
    await disclosure(page, 'Guarded').press('Enter');
    await page.getByText(/^The organization requires a second factor: in a session without one/).waitFor();
    expect(await listed(page, 'May')).toContain('Read notes');
  });

  it('is not asked of an invitation, which grants nothing', async () => {
    const [person, host] = [await newOwner(stage.service), await newOwner(stage.service)];
    await inviteTo(stage.service, person.userId, host.organizationId, 'EDITOR');
    const page = await openPerson(person);
    const invited = page.getByRole('row').filter({ hasText: 'Invited, until' });
    await invited.getByText('Editor').waitFor();
    expect(await invited.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^What they may do in / }).count()).toBe(1);
  });
});
