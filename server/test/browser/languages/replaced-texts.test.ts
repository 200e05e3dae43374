/** What a browser shows of texts of the portal that an application replaces. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { heading, openStage, signInNewPerson } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('Texts of an application', () => {
  const opened = fixture(() =>
    openStage({
      application: {
        name: 'Acme',
        brand: { color: '#5b2ee5' },
        messages: {
          de: {
            portal: {
              'signIn.title': 'Willkommen bei Acme',
              'home.greeting': 'Schön, dass du da bist, {name}',
              'home.scopes': '{count, plural, one {# Recht} other {# Rechte}}',
            },
          },
        },
      },
    }),
  );
  afterAll(() => opened.close());

  const ownFiles = (page: Page): Promise<readonly string[]> =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .flatMap(({ name }) => (name.includes('own-texts') ? [name.split('.').at(-2) ?? ''] : [])),
    );

  // Contract: application#replaced-texts — The portal shows replaced texts in their language and in every part, its own
  //   in others
  it('are shown in their language; its other texts, and other languages, are the built-in ones', async () => {
    const { page } = await opened.newVisitor();
    await page.goto('/signin');
    await heading(page, 'Sign in').waitFor();
    expect(await ownFiles(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await heading(page, 'Willkommen bei Acme').waitFor();
    await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
    await expect.poll(() => ownFiles(page)).toEqual(['de']);
    await page.goto('/signin?lang=en');
    await heading(page, 'Sign in').waitFor();
  });

  it('are shown in parts that are loaded later, and filled in', async () => {
    const { visitor } = await signInNewPerson(opened);
    await visitor.page.goto('/?lang=de');
    await heading(visitor.page, 'Schön, dass du da bist, Test Person').waitFor();
    await visitor.page.goto('/signup?lang=de');
    await expect.poll(() => ownFiles(visitor.page)).toEqual(['de']);
  });

  it('are the built-in ones while theirs cannot be loaded', async () => {
    const visitor = await opened.newVisitor({ locale: 'de' });
    visitor.forgiveComplaints();
    const { page } = visitor;
    await page.route('**/own-texts-*', (route) => route.abort());
    await page.goto('/signin');
    await heading(page, 'Anmelden').waitFor();
    await page.unroute('**/own-texts-*');
    await page.reload();
    await heading(page, 'Willkommen bei Acme').waitFor();
  });
});
