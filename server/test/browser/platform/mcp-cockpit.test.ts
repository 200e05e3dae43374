/** The cockpit of Platform MCP: connecting a client, finding a failure, revoking a client. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { storeDocument } from '../../../src/domain/oauth/document-clients-store.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { record } from '../../support/actors/connections.ts';
import { connectClient, recordCall } from '../../support/actors/mcp-records.ts';
import { createSuperAdminAccount } from '../../support/actors/super-admins.ts';
import {
  answerInstead,
  button,
  field,
  heading,
  isHome,
  openStage,
  signInNewPerson,
  signInSuperAdmin,
} from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { register } from '../../support/clients/oauth.ts';
import { fixture, testFixture } from '../../support/fixture.ts';

const path = '/admin/super/mcp';

const region = (page: Page, name: string) => page.getByRole('region', { name });

const rows = (page: Page, name: string, text: string) =>
  region(page, name).getByRole('listitem').filter({ hasText: text });

const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Platform MCP' }).getByRole('link', { name });

const said = (page: Page, words: string) => page.getByText(words, { exact: true }).first().waitFor();

const choose = async (page: Page, menu: RegExp, choice: string): Promise<void> => {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitemradio', { name: choice, exact: true }).click();
};

const address = (page: Page): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams);

describe.skipIf(chromiumPath === null)('The cockpit of Platform MCP', () => {
  const stage = fixture(openStage);

  const openCockpit = (query = '', scopes?: readonly string[], at = stage) =>
    signInSuperAdmin(at, { path: `${path}${query}`, title: 'Platform MCP' }, scopes);

  // Contract: portal#cockpit-of-platform-mcp — /admin/super/mcp: super-admin MCP cockpit, with the server's real
  //   address
  it('explains how each client connects to this server, and copies it', async () => {
    const { visitor, page } = await openCockpit();
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Console' }).click();
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Platform MCP' }).click();
    await said(page, `${stage.service.url}/mcp`);
    await said(page, 'Never paste a token into a client');
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('Claude Code', { exact: true }).click();
    await button(page, 'Copy for Claude Code: In a terminal:').click();
    await button(page, 'Copy for Claude Code: In a terminal:').getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `claude mcp add --transport http gatehouse ${stage.service.url}/mcp`,
    );
  });

  // Contract: portal#cockpit-of-platform-mcp — /admin/super/mcp: where mcp.enabled is false
  it('explains that it is switched off, and still shows the recorded calls', async () => {
    const off = await testFixture(openStage({ environment: { MCP_ENABLED: 'false' } }));
    const { page } = await openCockpit('', undefined, off);
    await said(page, 'Platform MCP is switched off');
    expect(await page.getByText('Connect a client').count()).toBe(0);
    await section(page, 'Audits').click();
    await said(page, 'No calls yet.');
  });

  // Contract: portal#cockpit-of-platform-mcp — /admin/super/mcp: why a client cannot connect
  it('shows the step at which a client was refused, the reason, and what to allow', async () => {
    const refused = 'https://agent.example.com/callback';
    await register(stage.service, { client_name: 'Refused Agent', redirect_uris: [refused] });
    await record(stage.service, { ip: '203.0.113.7', userAgent: 'agent/1.0' }, [
      { step: 'challenge' },
      { step: 'registration', rule: 'redirect_uri_not_allowed', detail: refused },
      { step: 'registration', rule: 'redirect_uri_not_allowed', detail: refused },
    ]);
    const { visitor, page } = await openCockpit('?section=connections&search=agent%2F1.0');
    const row = rows(page, 'Attempts to connect', '203.0.113.7').first();
    await row.getByText('Refused', { exact: true }).waitFor();
    await row.getByText('2 steps, and what helps').click();
    await row.getByText('Called without a valid token, passed').waitFor();
    await row.getByText('Registered, refused').waitFor();
    expect(await row.textContent()).toMatch(/2 times.*How to fix it:.*MCP_REDIRECT_ALLOW_LIST/s);
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = row.getByRole('button', { name: `Copy ${refused}` });
    await copy.click();
    await copy.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(refused);

    await choose(page, /^Outcome:/, 'Connected');
    await said(page, 'Nothing matches these filters.');
    await page.reload();
    await said(page, 'Nothing matches these filters.');
    expect(address(page)).toEqual({ section: 'connections', search: 'agent/1.0', status: 'CONNECTED' });
    await button(page, 'Clear filters').click();
    await row.waitFor();
    expect(address(page)).toEqual({ section: 'connections' });
  });

  // Contract: portal#cockpit-of-platform-mcp — /admin/super/mcp: mcpToolAudits, its filters kept in the address
  it('finds a call by its correlation id, its outcome and its caller, and keeps the filters over a reload', async () => {
    const { page, email } = await openCockpit('?section=audits');
    const client = await connectClient(stage.service, email, 'Auditing Agent');
    const denied = await recordCall(stage.service, email, client, { tool: 'sessions_revoke', outcome: 'deny' });
    await recordCall(stage.service, email, client);
    const someone = await createSuperAdminAccount(stage.service);
    await recordCall(stage.service, someone, client);
    await region(page, 'Tool calls').getByRole('button', { name: 'Refresh' }).click();
    const calls = page.getByRole('table', { name: 'Tool calls' }).getByRole('row');
    await calls.filter({ hasText: someone }).waitFor();
    await calls
      .getByRole('link', { name: `Only ${email}` })
      .first()
      .click();
    await button(page, `Remove filter: Only ${email}`).waitFor();
    await said(page, '2 calls');
    await choose(page, /^Outcome:/, 'Denied');
    await said(page, '1 call');
    await choose(page, /^Tool:/, 'sessions_revoke');
    const correlation = field(page, 'Correlation id');
    await correlation.fill(denied.toUpperCase());
    await page.waitForURL(/correlation=/);
    expect(await correlation.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.reload();
    await said(page, '1 call');
    expect(await calls.last().textContent()).toMatch(
      new RegExp(`with Auditing Agent.*sessions_revoke.*Denied.*${denied}`),
    );
    expect(address(page)).toMatchObject({ outcome: 'deny', tool: 'sessions_revoke', correlation: denied });
    const plot = page.getByRole('heading', { name: 'Denied calls over time' });
    expect(await plot.count()).toBe(0);
    await field(page, 'Correlation id').fill('no id');
    await page.keyboard.press('Enter');
    await page.getByText('A correlation id looks like').waitFor();
    await field(page, 'Correlation id').fill('');
    await plot.waitFor();
    await field(page, 'From').fill('2020-01-01T10:00');
    await field(page, 'To').fill('2020-01-02T10:00');
    await said(page, 'Nothing matches these filters.');
    expect(address(page)).toMatchObject({ from: '2020-01-01T10:00:00.000Z', to: '2020-01-02T10:00:00.000Z' });
    await page.getByText('There were no calls from 1 Jan 2020').waitFor();
  });

  it('leads from a call to its client and to the sessions of its caller, which can be revoked there', async () => {
    const { page, email } = await openCockpit();
    const client = await connectClient(stage.service, email, 'Traced Agent');
    const call = await recordCall(stage.service, email, client, { outcome: 'deny' });
    await page.goto(`${path}?section=audits&correlation=${call}`);
    await page.getByRole('link', { name: 'Traced Agent, among the clients' }).click();
    await page.getByRole('button', { name: /^Revoke client Traced Agent/ }).waitFor();
    await said(page, '1 client');
    await expect.poll(() => page.title()).toMatch(/^Clients · Platform MCP/);
    await page.waitForFunction(() => document.activeElement?.textContent === 'Platform MCP');
    await page.goBack();
    await page.getByRole('link', { name: `Their sessions: those of the MCP clients of ${email}` }).click();
    await heading(page, 'Sessions').waitFor();
    await said(page, '1 active session');
    await page
      .getByRole('button', { name: /^Actions for the session of .*Traced Agent/ })
      .first()
      .waitFor();
  });

  // Contract: portal#cockpit-of-platform-mcp — /admin/super/mcp: mcpToolOutcomes, as a plot and as a table
  it('plots the share of denied calls, and repeats it in words and as a table', async () => {
    const { page, email } = await openCockpit();
    const client = await connectClient(stage.service, email, 'Plotted Agent');
    await recordCall(stage.service, email, client, { outcome: 'deny' });
    const [counts] = await stage.service.sql<{ calls: number; denied: number }>(
      `SELECT count(*)::integer AS calls, count(*) FILTER (WHERE outcome = 'deny')::integer AS denied
       FROM mcp_tool_audits`,
    );
    await section(page, 'Audits').click();
    await page.getByText(`${counts?.denied} of ${counts?.calls} call`).waitFor();
    const plot = page.getByRole('img', { name: 'Share of calls that were denied' });
    await plot.waitFor();
    expect(await plot.locator('desc').textContent()).toContain('The table below has the same numbers.');
    await page.getByText('Show the numbers as a table').click();
    const table = page.getByRole('table', { name: 'Days with calls' });
    await table.waitFor();
    const cells = await table.getByRole('row').last().getByRole('cell').allTextContents();
    expect(cells.slice(0, 2)).toEqual([String(counts?.calls), String(counts?.denied)]);
  });

  // Contract: portal#cockpit-of-platform-mcp — /admin/super/mcp: platformMcpCatalog
  it('shows each tool with its input, its effects, and which of its scopes the person holds', async () => {
    const { page } = await openCockpit('?section=catalogue', ['mcp:catalog:view', 'mcp:whoami']);
    const whoami = rows(page, 'Tools', 'mcp_whoami');
    await whoami.getByText('Only reads').waitFor();
    await whoami.getByText('you hold it').waitFor();
    const revoking = rows(page, 'Tools', 'sessions_revoke_user');
    await revoking.getByText('Ends or removes things').waitFor();
    await revoking.getByText('you do not hold it').waitFor();
    await revoking.getByText('Input', { exact: true }).click();
    await revoking.getByText('"dryRun"').waitFor();
  });

  // Contract: portal#cockpit-of-platform-mcp — /admin/super/mcp: platformMcpUsers
  it('shows the users of Platform MCP, and leads to their tokens in the list of sessions and to their calls', async () => {
    const { page, email } = await openCockpit();
    await connectClient(stage.service, email, 'Session Agent');
    await section(page, 'Users').click();
    await field(page, 'Search by name or e-mail address').fill(email);
    await said(page, '1 person');
    await rows(page, 'People', email).getByText('This is you').waitFor();
    await page.getByRole('link', { name: `2 active tokens of ${email}` }).click();
    await heading(page, 'Sessions').waitFor();
    await said(page, '1 active session');
    await page.getByRole('row').filter({ hasText: 'Session Agent' }).getByText('MCP · MCP client').first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: `Calls of ${email}` }).click();
    await said(page, 'Nothing matches these filters.');
    expect(address(page)).toMatchObject({ section: 'audits' });
  });

  // Contract: portal#cockpit-of-platform-mcp — /admin/super/mcp: revokeMcpClient
  it('revokes a client that the dialog names, with the tokens it counts', async () => {
    const { page, email } = await openCockpit('?section=clients');
    const client = await connectClient(stage.service, email, 'Doomed Agent');
    await field(page, 'Search by name').fill('doomed');
    await said(page, '1 client');
    await page.getByRole('button', { name: /^Revoke client Doomed Agent/ }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Revoke Doomed Agent?' });
    await dialog.getByText('Its 2 active tokens end at once').waitFor();
    await dialog.getByText('You are connected through a client of this name.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    const live = () =>
      stage.service.sql('SELECT id FROM credentials WHERE client_id = $1 AND revoked_at IS NULL', [client]);
    expect(await live()).toHaveLength(2);

    await page.getByRole('button', { name: /^Revoke client Doomed Agent/ }).click();
    await dialog.getByRole('button', { name: 'Revoke client' }).click();
    await page.getByText('Doomed Agent is revoked, and 2 tokens have ended. Effective since').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Doomed Agent is revoked') === true);
    await rows(page, 'Registered clients', 'Doomed Agent').getByText('Revoked').first().waitFor();
    expect(await page.getByRole('button', { name: /^Revoke client Doomed Agent/ }).count()).toBe(0);
    expect(await live()).toEqual([]);
  });

  // Contract: portal#cockpit-of-platform-mcp — /admin/super/mcp: clients with a metadata document
  it('shows the metadata document of a client, and warns that its URL stays revoked', async () => {
    const { page } = await openCockpit('?section=clients');
    const url = 'https://client.example/client.json';
    const document = ['http://127.0.0.1/callback'];
    await stage.service.database.one(storeDocument, [newId(), 'Documented Agent', document, url, 300]);
    await field(page, 'Search by name').fill('documented');
    await said(page, '1 client');
    const row = rows(page, 'Registered clients', 'Documented Agent');
    expect(await row.textContent()).toMatch(/Known since.*Metadata document.*https:\/\/client\.example\/client\.json/s);
    await page.getByRole('button', { name: /^Revoke client Documented Agent/ }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Revoke Documented Agent?' });
    await dialog.getByText(`Its metadata document is ${url}. This URL stays revoked for everyone`).waitFor();
    await dialog.getByRole('button', { name: 'Revoke client' }).click();
    await page.getByText('Documented Agent is revoked. It held no active token.').waitFor();
    const revoked = 'SELECT FROM oauth_clients WHERE metadata_url = $1 AND revoked_at IS NOT NULL';
    expect(await stage.service.sql(revoked, [url])).toHaveLength(1);
  });

  // Contract: portal#cockpit-of-platform-mcp — /admin/super/mcp: each section's scope
  it('names the scope of each section, and sends no query without it', async () => {
    const { visitor, page } = await openCockpit('', ['mcp:whoami']);
    for (const [name, scope] of [
      ['Connections', 'mcp:access:view'],
      ['Audits', 'mcp:audit:view'],
      ['Tools', 'mcp:catalog:view'],
      ['Users', 'mcp:access:view'],
      ['Clients', 'mcp:access:view'],
    ] as const) {
      await section(page, name).click();
      await said(page, `This needs the scope ${scope}.`);
      await page.getByText(`You were not granted ${scope}: the operator of this service can grant it.`).waitFor();
    }
    expect(visitor.operations().filter((name) => /^Fetch(Mcp|Console)/.test(name))).toEqual([
      'FetchConsolePermissions',
    ]);
  });

  it('shows clients without the scope to revoke, and explains why it revokes none', async () => {
    const { page, email } = await openCockpit('?section=clients', ['mcp:access:view']);
    await connectClient(stage.service, email, 'Kept Agent');
    await button(page, 'Refresh').click();
    await rows(page, 'Registered clients', 'Kept Agent').first().waitFor();
    await said(page, 'You can view clients, but not revoke them');
    expect(await page.getByRole('button', { name: /^Revoke client/ }).count()).toBe(0);
  });

  // Contract: portal#cockpit-of-platform-mcp — /admin/super/mcp: a withdrawn scope
  it('names the scope that a super admin has lost, and hides everything that needs it', async () => {
    const { page, email } = await openCockpit('?section=users');
    await page.getByText('This is you').waitFor();
    await stage.service.sql("UPDATE users SET platform_scopes = '{}' WHERE email = $1", [email]);
    await button(page, 'Refresh').click();
    await said(page, 'This needs the scope mcp:access:view.');
    expect(await page.getByRole('region', { name: 'People' }).count()).toBe(0);
  });

  it.each([
    ['FetchMcpConnections', 'connections'],
    ['FetchMcpToolAudits', 'audits'],
    ['FetchMcpUsers', 'users'],
    ['FetchMcpClients', 'clients'],
  ])('can be loaded again after %s failed', async (operation, name) => {
    const { visitor, page } = await openCockpit();
    const restore = await answerInstead(page, operation, { status: 500, body: '' });
    await section(
      page,
      name.replace(/^./, (letter) => letter.toUpperCase()),
    ).click();
    await said(page, 'Something went wrong');
    await restore();
    await button(page, 'Try again').click();
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    expect(visitor.count(operation)).toBe(2);
  });

  it('downloads the calls that the filters show', async () => {
    const { page, email } = await openCockpit('?section=audits');
    const clientId = await connectClient(stage.service, email, 'Exporter');
    const correlationId = await recordCall(stage.service, email, clientId);
    await recordCall(stage.service, email, await connectClient(stage.service, email, 'Another'));
    await page.goto(`${path}?section=audits&client=${clientId}`);
    const download = page.waitForEvent('download');
    await button(page, 'Download these calls as CSV').click();
    await page.getByText('1 call is in the file.').waitFor();
    const file = await (await download).path();
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^createdAt,.*\r\n.*,Exporter,.*,${correlationId},.*\r\n$`));
  });

  // Contract: portal#pages-for-super-admins-alone — /admin/super/mcp: a person who is not a super admin
  it('explains to other users that it is for super admins, and sends no query', async () => {
    const { visitor, page } = await signInNewPerson(stage);
    expect(await page.getByRole('link', { name: 'Console' }).count()).toBe(0);
    await page.goto(path);
    await heading(page, 'For super admins').waitFor();
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await isHome(page);
    expect(visitor.operations().filter((name) => name.startsWith('FetchMcp'))).toEqual([]);
  });
});
