/** examples/react-vite as its README starts it, over a world and the example on Express, in Chromium. */
import { createWorld } from '@gatehouse/testing';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import application from '../../../../examples/application.ts';
import { chromiumPath } from '../../../../server/test/support/browser/chromium.ts';
import { fixture } from '../../../../server/test/support/fixture.ts';
import { freePort } from '../../../../server/test/support/servers/listen.ts';
import { notesExamples, startExample, viteExample } from '../../../node/test/examples/start-example.ts';

const accessSeconds = 15 * 60;

describe.skipIf(chromiumPath === null)('The React front end on an origin of its own', () => {
  const ports = fixture(async () => ({ app: String(await freePort()), notes: String(await freePort()) }));
  const origins = fixture(() => ({
    app: `http://localhost:${ports.app}`,
    notes: `http://localhost:${ports.notes}`,
  }));
  const world = fixture(() => createWorld({ application: { ...application, origins: [origins.app, origins.notes] } }));
  fixture(async () => {
    const express = notesExamples.find(({ name }) => name === 'express');
    if (express === undefined) throw new Error('There is no example on Express');
    const { url: GATEHOUSE_URL } = world;
    return startExample(express, { GATEHOUSE_URL, APP_ORIGIN: origins.app, PORT: ports.notes });
  });
  const app = fixture(() =>
    startExample(viteExample, { VITE_GATEHOUSE_URL: world.url, VITE_NOTES_URL: origins.notes, PORT: ports.app }),
  );

  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser.close());

  const newContext = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(30_000);
    onTestFinished(() => context.close());
    return context;
  };

  const openAt = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(app.url);
    return page;
  };

  const write = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Note').fill(text);
    await page.getByRole('button', { name: 'Add' }).click();
  };

  it('leads a visitor to the portal and back, reads and writes', async () => {
    const person = await world.person({ role: 'EDITOR', organization: 'Acme', name: 'Robin Tester' });
    const page = await openAt(await newContext());
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL(`${world.frontendUrl}/signin?redirect=**`);
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${app.url}/`);
    await page.getByRole('heading', { name: 'Acme' }).waitFor();
    await page.getByText('Robin Tester').waitFor();
    await write(page, 'From another origin');
    await page.getByRole('listitem').filter({ hasText: 'From another origin' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('renews an expired session on the next click, without a sign that it had', async () => {
    const person = await world.person({ role: 'EDITOR', organization: 'Expired' });
    const context = await newContext({ storageState: await person.storageState() });
    const page = await openAt(context);
    await page.getByText('Nobody has written a note yet.').waitFor();
    await world.clock.advance(accessSeconds + 60);
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().startsWith(origins.notes)) statuses.push(response.status());
    });
    await write(page, 'After the expiry');
    await page.getByRole('listitem').filter({ hasText: 'After the expiry' }).waitFor();
    // Refused, sent again, and then the list.
    expect(statuses.filter((status) => status !== 204)).toEqual([401, 201, 200]);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows no form without the scope', async () => {
    const person = await world.person({ role: 'MEMBER', organization: 'Readers' });
    const page = await openAt(await newContext({ storageState: await person.storageState() }));
    await page.getByText('You may read these notes.').waitFor();
    await page.getByText('Nobody has written a note yet.').waitFor();
    expect(await page.getByLabel('Note').count()).toBe(0);
  });

  it('lets pages of no other origin read what the back end answers', async () => {
    const answer = await fetch(`${origins.notes}/notes`, { headers: { origin: 'http://localhost:1' } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, null]);
    expect(answer.headers.get('vary')).toBe('origin');
  });

  it('follows a switch of the organization and a sign-out in the other tab', async () => {
    const person = await world.person({ role: 'EDITOR', organization: 'First' });
    const context = await newContext({ storageState: await person.storageState() });
    const [here, there] = [await openAt(context), await openAt(context)];
    for (const page of [here, there]) await page.getByRole('heading', { name: 'First' }).waitFor();
    await write(here, 'Of the first');
    await here.getByRole('listitem').waitFor();

    await here.evaluate(createOrganization, world.url);
    await here.reload();
    await here.getByLabel('Organization').selectOption({ label: 'Second' });
    for (const page of [here, there]) {
      await page.getByRole('heading', { name: 'Second' }).waitFor();
      await page.getByText('Nobody has written a note yet.').waitFor();
    }
    await here.getByLabel('Organization').selectOption({ label: 'First' });
    for (const page of [here, there]) {
      await page.getByRole('heading', { name: 'First' }).waitFor();
      await page.getByRole('listitem').filter({ hasText: 'Of the first' }).waitFor();
    }

    await here.getByRole('button', { name: 'Sign out' }).click();
    for (const page of [here, there]) await page.getByRole('link', { name: 'Sign in' }).waitFor();
  });
});

const createOrganization = async (url: string): Promise<void> => {
  const query = 'mutation { createOrganization(input: { name: "Second" }) { id } }';
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/graphql`, { method: 'POST', credentials: 'include', headers, body: JSON.stringify({ query }) });
};
