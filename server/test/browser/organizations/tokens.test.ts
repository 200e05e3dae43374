/** The tokens of an organization in Chromium: approval, policy, service accounts, and filters in the address. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addTo, getTenant, type RoleName, setActive } from '../../support/actors/tenants.ts';
import { button, field, heading, openStage, signInNewPerson, signInPerson } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { createToken, fillToken, outcomeOf, takeSecret } from '../../support/browser/token-pages.ts';
import { register } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

const open = async (page: Page, query = ''): Promise<void> => {
  await page.goto(`/organization/tokens${query}`);
  await page.getByRole('navigation', { name: 'Tokens' }).waitFor();
};

const savePolicy = async (page: Page, choice: string): Promise<void> => {
  await open(page, '?section=policy');
  await page.getByRole('radio', { name: choice }).check();
  await button(page, 'Save policy').click();
  await page.getByText('The policy is saved.').waitFor();
};

describe.skipIf(chromiumPath === null)('The tokens of an organization', () => {
  const stage = fixture(openStage);

  /** A signed-in owner, and a member of their organization who is signed in too. */
  const ownerAndMember = async (role: RoleName = 'MEMBER') => {
    const owner = await signInNewPerson(stage);
    const { organizationId } = await getTenant(stage.service, owner.email);
    const email = await register(stage.service);
    const { userId } = await getTenant(stage.service, email);
    await setActive(stage.service, userId, await addTo(stage.service, userId, organizationId, role));
    const member = await signInPerson(stage, email);
    return { owner: owner.page, member: member.page, email, organizationId };
  };

  // Contract: machine-credentials#approval-of-a-token — approval by a person who manages tokens
  it('wait for an approval where the policy says so, and work after it', async () => {
    const { owner, member, email } = await ownerAndMember();
    await savePolicy(owner, 'With approval');
    const secret = await createToken(member, 'Awaited');
    await member.getByText('Waiting for approval').waitFor();
    expect(await outcomeOf(stage, secret)).toBe('FORBIDDEN');
    await open(owner, '?status=PENDING');
    await button(owner, `Approve Awaited of ${email}`).click();
    await owner.getByText(`Awaited of ${email} is approved and works now.`).waitFor();
    expect(await outcomeOf(stage, secret)).toBe('works');
  });

  it('are revoked when they are refused', async () => {
    const { owner, member, email } = await ownerAndMember();
    await savePolicy(owner, 'With approval');
    const secret = await createToken(member, 'Unwanted');
    await open(owner);
    await button(owner, `Refuse Unwanted of ${email}`).click();
    await button(owner, 'Refuse token').click();
    await owner.getByText(`Unwanted of ${email} is refused.`).waitFor();
    expect(await outcomeOf(stage, secret)).toBe('UNAUTHENTICATED');
  });

  it('are not decided on by an administrator whose own they are', async () => {
    const { owner, member } = await ownerAndMember('ADMIN');
    await savePolicy(owner, 'With approval');
    const secret = await createToken(member, 'Own');
    await open(member);
    await member.getByText('Another person has to decide on your own token.').waitFor();
    expect(await member.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    expect(await outcomeOf(stage, secret)).toBe('FORBIDDEN');
  });

  // Contract: machine-credentials#policy-of-an-organization — a policy blocks and unblocks, and revokes nothing
  it('are blocked by the policy and work again when it allows them', async () => {
    const { owner, member, organizationId } = await ownerAndMember();
    const secret = await createToken(member, 'Blocked');
    expect(await outcomeOf(stage, secret)).toBe('works');
    await savePolicy(owner, 'Forbidden');
    expect(await outcomeOf(stage, secret)).toBe('FORBIDDEN');
    await member.reload();
    await member.getByText('Blocked by the policy').waitFor();
    await fillToken(member, 'Another', ['See who belongs']);
    await member.getByText('does not allow personal tokens at the moment').waitFor();
    const count = 'SELECT count(*)::integer FROM machine_tokens WHERE organization_id = $1';
    expect(await stage.service.sql.value<number>(count, [organizationId])).toBe(1);
    await savePolicy(owner, 'Allowed');
    expect(await outcomeOf(stage, secret)).toBe('works');
  });

  it('have a policy whose problems stand at their fields, and change nothing', async () => {
    const { page, email } = await signInNewPerson(stage);
    const { organizationId } = await getTenant(stage.service, email);
    await open(page, '?section=policy');
    await page.getByRole('radio', { name: 'Forbidden' }).check();
    await field(page, 'Allowed networks').fill('192.0.2.0/24\nnot a network');
    await button(page, 'Save policy').click();
    await page.getByText('Write each network as an address or a CIDR').waitFor();
    const policy = 'SELECT personal_tokens FROM organizations WHERE id = $1';
    expect(await stage.service.sql.value(policy, [organizationId])).toBe('ALLOWED');
  });

  // Contract: machine-credentials#service-account — two live tokens of a service account at most
  it('are two at most for a service account, which ends with them', async () => {
    const { visitor, page, email } = await signInNewPerson(stage);
    visitor.forgiveComplaints();
    const { organizationId } = await getTenant(stage.service, email);
    await open(page, '?section=accounts');
    await button(page, 'Create a service account').click();
    await field(page, 'Name').fill('Exporter');
    await page.getByRole('checkbox', { name: 'See who belongs' }).check();
    await button(page, 'Create service account').click();
    await page.getByText('Exporter is created.').waitFor();
    const create = async (on: Page): Promise<void> => {
      await button(on, 'Create token for Exporter').click();
      await button(on, 'Create token').click();
    };
    await create(page);
    const first = await takeSecret(page);
    // Both pages begin with one live token, and the other one is faster.
    await button(page, 'Create token for Exporter').click();
    const other = await page.context().newPage();
    await open(other, '?section=accounts');
    await create(other);
    const second = await takeSecret(other);
    await button(page, 'Create token').click();
    await page.getByText('There are as many as allowed').waitFor();
    const count = 'SELECT count(*)::integer FROM machine_tokens WHERE organization_id = $1';
    expect(await stage.service.sql.value<number>(count, [organizationId])).toBe(2);
    expect([await outcomeOf(stage, first), await outcomeOf(stage, second)]).toEqual(['works', 'works']);
    await page.reload();
    await page.getByText('2 live tokens').waitFor();
    const more = button(page, 'Create token for Exporter');
    expect(await more.isDisabled()).toBe(true);
    const reason = page.locator(`[id="${await more.getAttribute('aria-describedby')}"]`);
    expect(await reason.innerText()).toContain('A service account has at most two live tokens.');
    await button(page, 'Delete Exporter').click();
    await button(page, 'Delete service account').click();
    await page.getByText('Exporter is deleted').waitFor();
    expect(await outcomeOf(stage, first)).toBe('UNAUTHENTICATED');
  });

  it('of a service account take its new scopes, and are rotated and revoked there', async () => {
    const { page } = await signInNewPerson(stage);
    await open(page, '?section=accounts');
    await button(page, 'Create a service account').click();
    await field(page, 'Name').fill('Worker');
    await page.getByRole('checkbox', { name: 'Invite people' }).check();
    await button(page, 'Create service account').click();
    await button(page, 'Create token for Worker').click();
    await button(page, 'Create token').click();
    const first = await takeSecret(page);
    expect(await outcomeOf(stage, first)).toBe('FORBIDDEN');
    await button(page, 'Change Worker').click();
    await page.getByRole('checkbox', { name: 'See who belongs' }).check();
    await button(page, 'Save changes').click();
    await page.getByText('Worker is changed.').waitFor();
    expect(await outcomeOf(stage, first)).toBe('works');
    await button(page, 'Tokens of Worker').click();
    await page.getByRole('button', { name: /^Rotate Worker/ }).click();
    await page.getByLabel('Not at all: it ends at once').check();
    await button(page, 'Rotate token').click();
    const second = await takeSecret(page);
    expect([await outcomeOf(stage, first), await outcomeOf(stage, second)]).toEqual(['UNAUTHENTICATED', 'works']);
    await page.getByRole('button', { name: /^Revoke Worker/ }).click();
    await button(page, 'Revoke token').click();
    await page.getByText('Worker is revoked.').waitFor();
    expect(await outcomeOf(stage, second)).toBe('UNAUTHENTICATED');
  });

  it('are filtered by the address, and by what is chosen on the page', async () => {
    const { owner, member, email } = await ownerAndMember();
    await createToken(member, 'Of the member');
    await createToken(owner, 'Of the owner');
    await open(owner);
    await owner.getByText('2 tokens').waitFor();
    await button(owner, `Show only tokens of ${email}`).click();
    await owner.getByText('1 token', { exact: true }).waitFor();
    expect(await owner.getByText('Of the owner').count()).toBe(0);
    await owner.reload();
    await owner.getByText('1 token', { exact: true }).waitFor();
    await button(owner, `Remove filter: Only ${email}`).click();
    await owner.getByText('2 tokens').waitFor();
    await owner.getByRole('button', { name: /^Kind:/ }).click();
    await owner.getByRole('menuitemradio', { name: 'Of service accounts' }).click();
    await owner.getByText('No token matches these filters.').waitFor();
    await button(owner, 'Clear filters').click();
    await owner.getByText('2 tokens').waitFor();
    expect(new URL(owner.url()).search).toBe('');
  });

  it('are on a page of the organization: the navigation marks Members as current', async () => {
    const { page } = await signInNewPerson(stage);
    const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]');
    for (const [path, entry] of [
      ['/organization/tokens', 'Members'],
      ['/organization/tokens?section=policy', 'Members'],
      ['/organization/audit', 'Members'],
      ['/organization/security', 'Members'],
      ['/members', 'Members'],
      ['/account/tokens', 'Account'],
      ['/plan', 'Plan'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([path, await current.allInnerTexts()]).toEqual([path, [entry]]);
    }
  });

  it('are on no page of a member who does not manage them', async () => {
    const { member } = await ownerAndMember();
    await member.goto('/members');
    await heading(member, 'Members').waitFor();
    expect(await member.getByRole('link', { name: 'Tokens and service accounts' }).count()).toBe(0);
    await member.goto('/organization/tokens');
    await member.getByText('does not let you manage its tokens').waitFor();
  });
});
