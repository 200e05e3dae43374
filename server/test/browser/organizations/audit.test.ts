/** /organization/audit in Chromium: the entries, their filters in the address, the file, and who sees none of it. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seedAudits } from '../../support/actors/organization-audits.ts';
import { findings, overflowAt360 } from '../../support/browser/accessibility.ts';
import { answerInstead, button, heading, openStage, signInNewPerson } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { focused, tabTo } from '../../support/browser/keyboard.ts';
import { fixture } from '../../support/fixture.ts';

const path = '/organization/audit';
const title = "Audit log of Test Person's organization";

const entries = (page: Page) => page.getByRole('table', { name: 'Entries' }).locator('tbody tr');

const address = (page: Page): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams);

describe.skipIf(chromiumPath === null)('The audit log of an organization', () => {
  const stage = fixture(openStage);

  /** A new person, whose organization has five entries. */
  const open = async (at = path) => {
    const person = await signInNewPerson(stage);
    const seeded = await seedAudits(stage.service, person.email);
    await person.page.goto(at);
    await heading(person.page, title).waitFor();
    return { ...person, ...seeded };
  };

  it('is reached from the members page, and says what was done, by whom and about what', async () => {
    const { page, email, subjectId } = await open();
    await page.goto('/members');
    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await heading(page, title).waitFor();
    await page.getByText('5 entries').waitFor();
    const texts = await entries(page).allInnerTexts();
    for (const [index, words] of [
      ['Token reported as leaked', 'Without a sign-in'],
      ['MCP tool called', 'Tool: notes_write', 'Dry run', 'Denied', 'Service account'],
      ['Token rotated', email, 'with a personal token', subjectId],
      ['Token created', email, subjectId, 'Details'],
      ['Policy on second factors changed', email, 'The organization'],
    ].entries())
      for (const word of words) expect(texts[index]).toContain(word);
    expect(await entries(page).getByText('Dry run', { exact: true }).count()).toBe(1);
    await entries(page).nth(3).getByText('Details', { exact: true }).click();
    await page.getByText('"name": "Nightly build"').waitFor();
    expect([await findings(page), await overflowAt360(page)]).toEqual([[], 0]);
  });

  // Contract: machine-credentials#reading-the-audit — Audit: /organization/audit, its filters kept in the address
  it('is filtered by keyboard, and keeps the filters in the address', async () => {
    const { page, email, userId, subjectId } = await open();
    const menu = page.getByRole('button', { name: /^Event:/ });
    await page.getByLabel('To', { exact: true }).focus();
    await tabTo(page, menu);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Token created' }).waitFor();
    await page.keyboard.type('token');
    await focused(page.getByRole('menuitemradio', { name: 'Token created' }));
    await page.keyboard.press('Enter');
    await page.getByText('1 entry').waitFor();
    expect(address(page)).toEqual({ event: 'TOKEN_CREATED' });
    await page.reload();
    await page.getByText('1 entry').waitFor();

    const person = button(page, `Only by ${email}`);
    await menu.focus();
    await tabTo(page, person);
    await page.keyboard.press('Enter');
    const chip = button(page, `Remove filter: Only by ${email}`);
    await chip.waitFor();
    expect(address(page)).toEqual({ event: 'TOKEN_CREATED', actor: userId });
    await chip.focus();
    await page.keyboard.press('Enter');
    await chip.waitFor({ state: 'detached' });
    await focused(page.getByLabel('From', { exact: true }));

    await page.goto(`${path}?subject=${subjectId}`);
    await page.getByText('2 entries').waitFor();
    await page.goto(`${path}?to=2020-01-01T00:00:00.000Z`);
    await page.getByText('Nothing matches these filters.').waitFor();
    expect(await page.getByRole('button', { name: 'Download these entries as CSV' }).count()).toBe(0);
    await button(page, 'Clear filters').focus();
    await page.keyboard.press('Enter');
    await page.getByText('5 entries').waitFor();
    await focused(page.getByLabel('From', { exact: true }));
    expect(address(page)).toEqual({});
  });

  it('copies a correlation id, and downloads the entries that the filters show', async () => {
    const { visitor, page, correlationId } = await open(`${path}?event=TOKEN_ROTATED`);
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = button(page, `Copy the correlation id ${correlationId}`);
    await copy.click();
    await copy.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(correlationId);
    const download = page.waitForEvent('download');
    await button(page, 'Download these entries as CSV').click();
    await page.getByText('1 entry is in the file.').waitFor();
    const file = await (await download).path();
    expect(readFileSync(file, 'utf8')).toMatch(
      new RegExp(`^position,.*\r\n3,.*,TOKEN_ROTATED,.*,${correlationId},.*\r\n$`),
    );
  });

  it('says so while nothing has been recorded', async () => {
    const { page } = await signInNewPerson(stage);
    await page.goto(path);
    await page.getByText('Nothing has been recorded yet.').waitFor();
    expect(await button(page, 'Clear filters').count()).toBe(0);
    expect(await findings(page)).toEqual([]);
  });

  it('can be loaded again after a failure', async () => {
    const { visitor, page } = await signInNewPerson(stage);
    visitor.forgiveComplaints();
    const restore = await answerInstead(page, 'FetchOrganizationAudit', { status: 500, body: '' });
    await page.goto(path);
    await page.getByText('Something went wrong').waitFor();
    await restore();
    await button(page, 'Try again').click();
    await page.getByText('Nothing has been recorded yet.').waitFor();
  });

  it('tells a member without the scope why they see none, and asks for no entry', async () => {
    const { visitor, page, email } = await signInNewPerson(stage);
    await stage.service.sql(
      `UPDATE organization_members m SET role = 'MEMBER' FROM users u WHERE u.id = m.user_id AND u.email = $1`,
      [email],
    );
    await page.goto('/members');
    await page.getByText('1 person').waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await page.goto(path);
    await page.getByRole('heading', { name: 'You cannot see the audit log' }).waitFor();
    await page.getByText('Why:').waitFor();
    expect(visitor.count('FetchOrganizationAudit')).toBe(0);
    expect([await findings(page), await overflowAt360(page)]).toEqual([[], 0]);
  });
});
