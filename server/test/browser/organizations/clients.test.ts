/** Connected clients in Chromium: a person's own, those of an organization, and its policy for them. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { connect } from '../../support/actors/connected-clients.ts';
import { isAccepted } from '../../support/actors/grants.ts';
import { addTo, getTenant, type RoleName, setActive, type Tenant } from '../../support/actors/tenants.ts';
import { button, field, heading, openStage, signInNewPerson, signInPerson } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { goodPassword, register } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

const openOwn = async (page: Page): Promise<void> => {
  await page.goto('/account/clients');
  await heading(page, 'Connected clients').waitFor();
};

const openOfOrganization = async (page: Page): Promise<void> => {
  await page.goto('/organization/clients');
  await page.getByRole('heading', { name: 'Policy for clients' }).waitFor();
};

describe.skipIf(chromiumPath === null)('Connected clients', () => {
  const stage = fixture(openStage);

  type Member = Pick<Tenant, 'userId' | 'organizationId' | 'memberId'>;

  const memberOf = async (email: string): Promise<Member> => {
    const tenant = await getTenant(stage.service, email);
    const memberId = await stage.service.sql.value<string>('SELECT current_membership FROM users WHERE id = $1', [
      tenant.userId,
    ]);
    return { ...tenant, memberId: memberId ?? '' };
  };

  /** A signed-in owner, and a member of their organization who is signed in too. */
  const ownerAndMember = async (role: RoleName = 'MEMBER') => {
    const owner = await signInNewPerson(stage);
    const { organizationId } = await getTenant(stage.service, owner.email);
    const email = await register(stage.service);
    const { userId } = await getTenant(stage.service, email);
    const memberId = await addTo(stage.service, userId, organizationId, role);
    await setActive(stage.service, userId, memberId);
    const { page } = await signInPerson(stage, email);
    return { owner, member: { page, email, userId, organizationId, memberId } };
  };

  const policyOf = async (organizationId: string) => {
    const [row] = await stage.service.sql(
      'SELECT mcp_clients AS clients, mcp_client_ids AS ids, mcp_redirect_hosts AS hosts FROM organizations WHERE id = $1',
      [organizationId],
    );
    return row;
  };

  // Contract: organization-mcp#connected-clients — /account/clients: a person ends an own connection in the portal
  it('of a person are listed with host, organization and resource, and ended after a question', async () => {
    const { page, email } = await signInNewPerson(stage);
    await openOwn(page);
    await page.getByText('You have connected no client.').waitFor();
    const connected = await connect(stage.service, await memberOf(email), {
      clientName: 'Editor',
      redirectHost: '127.0.0.1',
    });
    await page.goto('/account');
    await page.getByRole('link', { name: 'Connected clients' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Editor' });
    await row.getByText('127.0.0.1', { exact: true }).waitFor();
    await row.getByText('A program on the person’s own machine').waitFor();
    await row.getByText(`${stage.service.url}/mcp/organization`).waitFor();
    await row.getByText('See who belongs to the organization').waitFor();
    await button(page, 'End the connection of Editor by 127.0.0.1').click();
    await button(page, 'Cancel').click();
    expect(await isAccepted(stage.service, connected)).toBe(true);
    await button(page, 'End the connection of Editor by 127.0.0.1').click();
    await button(page, 'End connection').click();
    await page.getByText('The connection of Editor is ended.').waitFor();
    await page.getByText('You have connected no client.').waitFor();
    expect(await isAccepted(stage.service, connected)).toBe(false);
  });

  // Contract: organization-mcp#connected-clients — /organization/clients: everybody's, for those with MCP_MANAGE
  it('of everybody are listed and ended by those who manage MCP', async () => {
    const { owner, member } = await ownerAndMember();
    const connected = await connect(stage.service, member, { clientName: 'Editor', redirectHost: 'editor.example' });
    await owner.page.goto('/members');
    await owner.page.getByRole('link', { name: 'Connected clients' }).click();
    const row = owner.page.getByRole('listitem').filter({ hasText: member.email });
    await row.getByText('editor.example').waitFor();
    await row.getByText(connected.clientId).waitFor();
    await button(owner.page, 'End the connection of Editor by editor.example').click();
    await button(owner.page, 'End connection').click();
    await owner.page.getByText('No member has connected a client.').waitFor();
    expect(await isAccepted(stage.service, connected)).toBe(false);
  });

  it('are on no page of a member who does not manage them', async () => {
    const { member } = await ownerAndMember();
    await member.page.goto('/members');
    await heading(member.page, 'Members').waitFor();
    expect(await member.page.getByRole('link', { name: 'Connected clients' }).count()).toBe(0);
    await member.page.goto('/organization/clients');
    await member.page.getByText('does not let you manage its connected clients').waitFor();
  });

  // Contract: organization-mcp#entries-of-the-policy — the page says what a loopback host lets in
  it('have a policy, which is kept, and a warning for a loopback host', async () => {
    const { page, email } = await signInNewPerson(stage);
    const { organizationId } = await getTenant(stage.service, email);
    await openOfOrganization(page);
    await page.getByRole('radio', { name: 'Listed ones' }).check();
    await field(page, 'Client IDs').fill('https://editor.example/client.json');
    await field(page, 'Hosts').fill('editor.example');
    const warning = page.getByRole('alert').filter({ hasText: 'lets in every program' });
    expect(await warning.count()).toBe(0);
    await field(page, 'Hosts').fill('editor.example, localhost');
    await warning.waitFor();
    await button(page, 'Save policy').click();
    await page.getByText('The policy is saved.').waitFor();
    const saved = {
      clients: 'LISTED',
      ids: ['https://editor.example/client.json'],
      hosts: ['editor.example', 'localhost'],
    };
    expect(await policyOf(organizationId)).toEqual(saved);
    await page.reload();
    expect(await field(page, 'Hosts').inputValue()).toBe('editor.example\nlocalhost');
    // Without a list to be in, the lists are not shown, and stay.
    await page.getByRole('radio', { name: 'None' }).check();
    await field(page, 'Hosts').waitFor({ state: 'detached' });
    await button(page, 'Save policy').click();
    await page.getByText('The policy is saved.').waitFor();
    expect(await policyOf(organizationId)).toEqual({ ...saved, clients: 'NONE' });
  });

  it('have a policy whose problems stand at their fields, and change nothing', async () => {
    const { page, email } = await signInNewPerson(stage);
    const { organizationId } = await getTenant(stage.service, email);
    await openOfOrganization(page);
    await page.getByRole('radio', { name: 'Listed ones' }).check();
    await field(page, 'Hosts').fill('https://editor.example');
    await button(page, 'Save policy').click();
    await page.getByText('Write each host as in the redirect URI').waitFor();
    await focused(field(page, 'Hosts'));
    expect(await policyOf(organizationId)).toEqual({ clients: 'ANY', ids: [], hosts: [] });
  });

  it('have a policy that is saved after a proof where the session is not fresh', async () => {
    const { visitor, page, email } = await signInNewPerson(stage);
    visitor.forgiveComplaints();
    const { organizationId } = await getTenant(stage.service, email);
    await openOfOrganization(page);
    await stage.service.sql("UPDATE credentials SET authenticated_at = now() - interval '11 minutes'");
    await page.getByRole('radio', { name: 'None' }).check();
    await button(page, 'Save policy').click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Your password', { exact: true }).fill(goodPassword);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('The policy is saved.').waitFor();
    expect(await policyOf(organizationId)).toMatchObject({ clients: 'NONE' });
  });
});

describe.skipIf(chromiumPath === null)('Without MCP for organizations', () => {
  const stage = fixture(() => openStage({ environment: { ORGANIZATION_MCP_ENABLED: 'false' } }));

  it('no page and no link is there', async () => {
    const { page } = await signInNewPerson(stage);
    await page.goto('/account');
    await page.getByRole('link', { name: 'Your data' }).waitFor();
    expect(await page.getByRole('link', { name: 'Connected clients' }).count()).toBe(0);
    await page.goto('/members');
    await page.getByRole('link', { name: 'Security of the organization' }).waitFor();
    expect(await page.getByRole('link', { name: 'Connected clients' }).count()).toBe(0);
    for (const path of ['/account/clients', '/organization/clients']) {
      await page.goto(path);
      await heading(page, 'Page not found').waitFor();
    }
  });
});
