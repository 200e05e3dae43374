/** A person of a world in Chromium, by Playwright's storageState. */
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath } from '../../../../server/test/support/browser/chromium.ts';
import { createWorld, type Person, type World } from '../../src/index.ts';
import { notes } from '../support/applications.ts';

const timeLimit = 15_000;

describe.skipIf(chromiumPath === null)('storageState in Chromium', () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    world = await createWorld({ application: notes });
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** The portal in a browser that holds the person's session. */
  const openAs = async (person: Person) => {
    const context = await browser.newContext({ baseURL: world.frontendUrl, storageState: await person.storageState() });
    context.setDefaultTimeout(timeLimit);
    onTestFinished(() => context.close());
    return { context, page: await context.newPage() };
  };

  it('is signed in on the first page, and the portal renews the session when its access token has expired', async () => {
    const person = await world.person({ name: 'Robin Tester', role: 'EDITOR' });
    const { context, page } = await openAs(person);
    await page.goto('/');
    await page.getByText('Robin Tester').first().waitFor();
    const cookieNow = async () => (await context.cookies()).find(({ name }) => name === 'auth_access')?.value;
    const first = await cookieNow();

    await world.clock.advance(16 * 60);
    await page.reload();
    await page.getByText('Robin Tester').first().waitFor();
    expect(await cookieNow()).not.toBe(first);
  });

  it('is led to the sign-in page once the person has signed out elsewhere', async () => {
    const person = await world.person({ name: 'Sam Tester' });
    const { page } = await openAs(person);
    await person.signOut();
    await page.goto('/');
    await page.waitForURL(/\/signin/);
    expect(await page.getByText('Sam Tester').count()).toBe(0);
  });

  it('lets a new person sign in with the demo provider', async () => {
    const context = await browser.newContext({ baseURL: world.frontendUrl });
    context.setDefaultTimeout(timeLimit);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto('/signin');
    await page.getByRole('link', { name: 'demo Google' }).click();
    await page.getByRole('button', { name: 'Nina Castell' }).click();
    await page.waitForURL(`${world.frontendUrl}/**`);
    await page.getByText('Nina Castell').first().waitFor();
  });
});
