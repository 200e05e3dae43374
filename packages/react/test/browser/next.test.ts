/** examples/next in Chromium, over a world. Next.js is no dependency of this repository: TEST_NEXT names one. */
import { createWorld } from '@gatehouse/testing';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import application from '../../../../examples/application.ts';
import { chromiumPath } from '../../../../server/test/support/browser/chromium.ts';
import { fixture } from '../../../../server/test/support/fixture.ts';
import { freePort } from '../../../../server/test/support/servers/listen.ts';
import { nextExample, startExample } from '../../../node/test/examples/start-example.ts';

const accessSeconds = 15 * 60;

describe.skipIf(chromiumPath === null || nextExample.missing !== null)('Notes on Next.js (needs TEST_NEXT)', () => {
  const own = fixture(async () => {
    const port = String(await freePort());
    return { port, url: `http://localhost:${port}` };
  });
  const world = fixture(() => createWorld({ application: { ...application, origins: [own.url] } }));
  const app = fixture(() =>
    startExample(nextExample, {
      PORT: own.port,
      NEXT_PUBLIC_GATEHOUSE_URL: world.url,
      NEXT_PUBLIC_OWN_URL: own.url,
      NEXT_TELEMETRY_DISABLED: '1',
    }),
  );

  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser.close());

  const newContext = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> => {
    const context = await browser.newContext(options);
    // The first page of each kind is compiled when it is asked for.
    context.setDefaultTimeout(100_000);
    onTestFinished(() => context.close());
    return context;
  };

  const openAt = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${app.url}${path}`);
    return page;
  };

  const write = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Note').fill(text);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('listitem').filter({ hasText: text }).waitFor();
  };

  it('leads a visitor from a link to the portal and back to the page, which the server renders', async () => {
    const person = await world.person({ role: 'EDITOR', organization: 'Acme', name: 'Robin Tester' });
    const page = await openAt(await newContext(), '/');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('link', { name: 'Your notes' }).click();
    await page.waitForURL(`${world.frontendUrl}/signin?redirect=**`);
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${app.url}/notes`);
    await page.getByRole('heading', { name: 'Acme' }).waitFor();
    await page.getByText('Robin Tester').waitFor();
    await write(page, 'From a route handler');
  });

  it('renews an expired session: by the client for a script, by the portal for a page', async () => {
    const person = await world.person({ role: 'EDITOR', organization: 'Expired' });
    const page = await openAt(await newContext({ storageState: await person.storageState() }), '/notes');
    await page.getByText('Nobody has written a note yet.').waitFor();
    await world.clock.advance(accessSeconds + 60);
    await write(page, 'After the expiry');
    await world.clock.advance(accessSeconds + 60);
    await page.goto(`${app.url}/notes?from=mail`);
    await page.waitForURL(`${app.url}/notes?from=mail`);
    await page.getByRole('listitem').filter({ hasText: 'After the expiry' }).waitFor();
  });

  it('shows no form without the scope, and refuses the route', async () => {
    const person = await world.person({ role: 'MEMBER', organization: 'Readers' });
    const page = await openAt(await newContext({ storageState: await person.storageState() }), '/notes');
    await page.getByText('Nobody has written a note yet.').waitFor();
    expect(await page.getByLabel('Note').count()).toBe(0);
    const refused = await fetch(`${app.url}/api/notes`, {
      method: 'POST',
      headers: { authorization: await person.bearer() },
      body: '{"text":"x"}',
    });
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: { missingScopes: ['notes:write'] } }]);
  });

  it('follows a sign-out in the other tab', async () => {
    const person = await world.person({ role: 'EDITOR', organization: 'Tabs' });
    const context = await newContext({ storageState: await person.storageState() });
    const [here, there] = [await openAt(context, '/'), await openAt(context, '/notes')];
    await there.getByRole('heading', { name: 'Tabs' }).waitFor();
    await here.getByRole('button', { name: 'Sign out' }).click();
    await here.getByRole('button', { name: 'Sign in' }).waitFor();
    await there.waitForURL(`${world.frontendUrl}/signin?redirect=**`);
  });
});
