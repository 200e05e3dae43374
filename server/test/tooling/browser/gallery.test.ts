/** The gallery's pictures: those of an unchanged page are equal, whatever the run, and a changed page is found. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { compareFolders } from '../../../../scripts/gallery/compare.ts';
import { picturesIn } from '../../../../scripts/gallery/pictures.ts';
import { openBrowser } from '../../support/browser/browsing.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { photograph, speak } from '../../support/browser/photographs.ts';
import { type Audience, states } from '../../support/browser/states/all-states.ts';
import type { Show } from '../../support/browser/states/page-states.ts';
import { steadyDates, steadyTexts } from '../../support/browser/steady-page.ts';
import { fixture } from '../../support/fixture.ts';

/** Random addresses and ports, ids, dates of now, and a mail with a link. */
const subjects: readonly (readonly [Audience, string])[] = [
  ['super-admin', 'sessions'],
  ['visitor', 'invitation mail'],
];

describe.skipIf(chromiumPath === null)('The gallery', () => {
  const browsing = fixture(openBrowser);
  const folders = fixture(
    async () => ({ root: await mkdtemp(join(tmpdir(), 'gatehouse-pictures-')) }),
    ({ root }) => rm(root, { recursive: true }),
  );
  const named = (name: string): string => join(folders.root, name);

  /** @param after what is done to a page before its pictures */
  const take = async (into: string, after?: (page: Page) => Promise<unknown>): Promise<void> => {
    for (const [audience, title] of subjects) {
      const show: Show = async (page, stage) => {
        await states[audience][title]?.(page, stage);
        await after?.(page);
      };
      await photograph(browsing, { audience, title, show }, { folder: named(into), language: 'en' });
    }
  };

  const compare = (before: string, after: string) =>
    compareFolders({ before: named(before), after: named(after), differences: named('differences') });

  it('has equal pictures of an unchanged page, in four looks', async () => {
    await take('first');
    await take('second');
    expect(picturesIn(named('first'))).toHaveLength(8);
    expect(compare('first', 'second')).toEqual([]);
  });

  it('finds a changed page in every look', async () => {
    await take('changed', (page) =>
      page.evaluate(() => {
        for (const title of document.querySelectorAll<HTMLElement>('h1')) title.textContent = 'Another title';
      }),
    );
    const differences = compare('first', 'changed');
    expect(differences.map(({ picture, kind }) => [picture, kind])).toEqual(
      picturesIn(named('first')).map((picture) => [picture, 'changed']),
    );
    for (const { share } of differences) expect(share).toBeGreaterThan(0);
  });

  it('chooses the language where the page offers the choice, and keeps the page', async () => {
    const { page } = await browsing.newVisitor('http://127.0.0.1:1');
    await page.setContent(
      `<html lang="en"><h1>Title</h1><footer><select><option value="en">English</select></footer></html>`,
    );
    await page.evaluate(() => {
      document.querySelector('select')?.addEventListener('change', ({ target }) => {
        if (target instanceof HTMLSelectElement) document.documentElement.lang = target.value;
      });
    });
    await speak(page, 'de');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  });

  it('shows instants near now as near a fixed one, and others as they are', async () => {
    const { page, context } = await browsing.newVisitor('http://127.0.0.1:1');
    await steadyDates(context);
    await page.goto('about:blank');
    const shown = await page.evaluate(() => {
      const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' });
      const now = Date.now();
      return [now, now - 7_200_000 + 1000, Date.UTC(2020, 0, 1)].map((at) => format.format(at));
    });
    expect(shown).toEqual(['15/01/2027, 10:20', '15/01/2027, 08:20', '01/01/2020, 00:00']);
  });

  it('shows random texts alike, and tells people apart', async () => {
    const { page } = await browsing.newVisitor('http://127.0.0.1:1');
    await page.setContent(
      `<p>person-12-3-a1b2c3@example.com</p><p>person-12-4-zzzzzz@example.com</p><p>person-12-3-a1b2c3@example.com</p>
       <p>http://127.0.0.1:45678/mcp</p><input value="0190a0b0-0000-7000-8000-00000000abcd">`,
    );
    await steadyTexts(page);
    expect(await page.locator('p').allTextContents()).toEqual([
      'person-1@example.com',
      'person-2@example.com',
      'person-1@example.com',
      'http://gatehouse.example/mcp',
    ]);
    expect(await page.locator('input').inputValue()).toBe('01890a5d-ac96-774b-bcce-b302099a8057');
  });
});
