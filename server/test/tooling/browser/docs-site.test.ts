/** The site of the documentation in Chromium, opened as files: no axe findings, search, copying, and no requests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildSite } from '../../../../scripts/docs/site.ts';
import { repositoryRoot } from '../../../../scripts/report.ts';
import { findings, overflowAt360 } from '../../support/browser/accessibility.ts';
import { openBrowser } from '../../support/browser/browsing.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { fixture } from '../../support/fixture.ts';

/** One of each kind: cards and an image, code, tables, a list of all decisions, a source. */
const kinds = [
  'index.html',
  'docs/afternoon.html',
  'docs/configuration.html',
  'docs/comparison.html',
  'docs/decisions/index.html',
  'source/server/package.json.html',
];

describe.skipIf(chromiumPath === null)('The site of the documentation', () => {
  const built = fixture(
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'gatehouse-site-'));
      const site = join(folder, 'site');
      await buildSite({ root: repositoryRoot, site, pictures: join(folder, 'no-pictures') });
      return { folder, url: `${pathToFileURL(site).href}/` };
    },
    ({ folder }) => rmSync(folder, { recursive: true }),
  );
  const browsing = fixture(openBrowser);

  const open = async (place: string): Promise<Page> => {
    const { page } = await browsing.newVisitor(built.url);
    await page.goto(place);
    return page;
  };

  it.each(kinds)('has no findings and is not wider than a phone: %s', async (place) => {
    const page = await open(place);
    expect(await findings(page)).toEqual([]);
    expect(await overflowAt360(page)).toBe(0);
  });

  it('loads nothing but its own files', async () => {
    const { page, context } = await browsing.newVisitor(built.url);
    const urls: string[] = [];
    context.on('request', (request) => urls.push(request.url()));
    await page.goto('docs/operations.html');
    await page.keyboard.press('/');
    await page.getByRole('searchbox').fill('backup');
    await page.getByRole('dialog').getByRole('link').first().waitFor();
    expect(urls.filter((url) => !url.startsWith(built.url) && !url.startsWith('data:'))).toEqual([]);
  });

  it('finds a section by its words, and leads there by keyboard alone', async () => {
    const page = await open('docs/afternoon.html');
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill('person locked out');
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /^A person who is locked out/ })
      .first()
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/operations.html#a-person-who-is-locked-out');
    await page.getByRole('heading', { level: 2, name: 'A person who is locked out' }).waitFor();
  });

  it('says when nothing is found', async () => {
    const page = await open('index.html');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('xylophonist');
    await page.getByRole('status').getByText('0 sections').waitFor();
  });

  it('copies a command', async () => {
    const { page, context } = await browsing.newVisitor(built.url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('index.html');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm start');
  });

  it('has its pages behind a button on a phone', async () => {
    const page = await open('docs/limits.html');
    await page.setViewportSize({ width: 390, height: 844 });
    const link = page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Upgrading' });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Upgrading' }).waitFor();
  });
});
