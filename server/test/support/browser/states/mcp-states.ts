/** The cockpit of Platform MCP in every state with a different look; super-admin-states.ts has the other pages. */
import type { Page } from 'playwright-core';
import { record } from '../../actors/connections.ts';
import { connectClient, recordCall } from '../../actors/mcp-records.ts';
import { whileScopesAre } from '../../actors/super-admins.ts';
import { answerInstead, button, heading, type Stage } from '../browser.ts';
import { defect, type Show, unavailable } from './page-states.ts';

const cockpit = async (page: Page, query = ''): Promise<void> => {
  await page.goto(`/admin/super/mcp${query}`);
  await heading(page, 'Platform MCP').waitFor();
};

const admin = async ({ service }: Stage): Promise<string> =>
  (await service.sql.value<string>('SELECT email FROM users WHERE is_super_admin LIMIT 1')) ?? '';

export const mcpStates: Readonly<Record<string, Show>> = {
  'mcp, connecting a client': async (page) => {
    await cockpit(page);
    for (const client of ['Claude Code', 'Claude (claude.ai and Claude Desktop)', 'Cursor']) {
      await page.getByText(client, { exact: true }).click();
    }
    await page.getByText('auth_callback').first().waitFor();
  },
  'mcp, no attempts': async (page) => {
    await cockpit(page, '?section=connections&search=nobody-at-all');
    await page.getByText('Nothing matches these filters.').waitFor();
  },
  'mcp, a refused attempt': async (page, { service }) => {
    const origin = { ip: '203.0.113.7', userAgent: 'agent/1.0' };
    const detail = 'https://agent.example.com/a-callback-with-quite-a-long-path';
    await record(service, origin, [
      { step: 'challenge' },
      { step: 'registration', rule: 'redirect_uri_not_allowed', detail },
    ]);
    await cockpit(page, '?section=connections');
    await page.getByText('2 steps').first().click();
    await page.getByText('How to fix it:').first().waitFor();
  },
  'mcp, no calls': async (page) => {
    await cockpit(page, '?section=audits&from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z');
    await page.getByText('There were no calls').waitFor();
    await page.getByText('Nothing matches these filters.').waitFor();
  },
  'mcp, calls': async (page, stage) => {
    const email = await admin(stage);
    const client = await connectClient(stage.service, email, 'Accessible Agent');
    await recordCall(stage.service, email, client, { outcome: 'deny', tool: 'a_tool_with_quite_a_long_name_to_break' });
    await recordCall(stage.service, email, client, { outcome: 'error' });
    await recordCall(stage.service, email, client);
    await cockpit(page, `?section=audits&client=${client}`);
    await page.getByText('Show the numbers as a table').click();
    await page.getByText('3 calls', { exact: true }).waitFor();
  },
  'mcp, an invalid correlation id': async (page) => {
    await cockpit(page, '?section=audits');
    await page.getByLabel('Correlation id', { exact: true }).fill('no id');
    await page.keyboard.press('Enter');
    await page.getByText('A correlation id looks like').waitFor();
  },
  'mcp, calls unavailable': async (page) => {
    const restore = await answerInstead(page, 'FetchMcpToolAudits', defect);
    await cockpit(page, '?section=audits');
    await page.getByText('Reference: a1b2c3').waitFor();
    await restore();
  },
  'mcp, tools': async (page) => {
    await cockpit(page, '?section=catalogue');
    await page.getByText('Input', { exact: true }).first().click();
    await page.getByText('you hold it').first().waitFor();
  },
  'mcp, people': async (page) => {
    await cockpit(page, '?section=users');
    await page.getByText('This is you').waitFor();
  },
  'mcp, without a scope': (page, stage) =>
    whileScopesAre(stage.service, [], async () => {
      await cockpit(page, '?section=users');
      await page.getByText('You lack a scope for this').waitFor();
    }),
  'mcp, clients without the scope to revoke': (page, stage) =>
    whileScopesAre(stage.service, ['mcp:access:view'], async () => {
      await cockpit(page, '?section=clients');
      await page.getByText('You can view clients, but not revoke them').waitFor();
    }),
  'mcp, revoke a client, refused': async (page, stage) => {
    await connectClient(stage.service, await admin(stage), 'Doomed Agent');
    const restore = await answerInstead(page, 'RevokeMcpClient', unavailable);
    await cockpit(page, '?section=clients&search=doomed');
    await page.getByRole('button', { name: /^Revoke client Doomed/ }).click();
    await page.getByText('You are connected through a client of this name.').waitFor();
    await button(page, 'Revoke client').click();
    await page.getByText('Not available right now').waitFor();
    await restore();
  },
  'mcp, client revoked': async (page, stage) => {
    await connectClient(stage.service, await admin(stage), 'Ended Agent');
    await cockpit(page, '?section=clients&search=ended');
    await page.getByRole('button', { name: /^Revoke client Ended/ }).click();
    await button(page, 'Revoke client').click();
    await page.getByText('Effective since').waitFor();
  },
};
