/** What one visitor leaves in a browser: nothing that the next one of the test process finds. */
import { describe, expect, it } from 'vitest';
import { openStage } from '../support/browser/browser.ts';
import { chromiumPath } from '../support/browser/chromium.ts';
import type { Visitor } from '../support/browser/visitors.ts';
import { fixture } from '../support/fixture.ts';

/** Runs in a page: what it has stored at its origin, and whether it may ask for the clipboard. */
const readStored = async () => ({
  local: localStorage.getItem('left'),
  session: sessionStorage.getItem('left'),
  databases: (await indexedDB.databases()).length,
  caches: await caches.keys(),
  cookies: (await cookieStore.getAll()).length,
  clipboard: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
  isOnline: navigator.onLine,
});

/** Runs in a page. */
const store = async () => {
  localStorage.setItem('left', 'here');
  sessionStorage.setItem('left', 'here');
  await cookieStore.set('left', 'here');
  await caches.open('left');
  const opening = indexedDB.open('left');
  await new Promise((done) => {
    opening.onsuccess = done;
  });
};

describe.skipIf(chromiumPath === null)('A visitor', () => {
  const stage = fixture(openStage);
  /** The same service by another name, whose storage is another. */
  const elsewhere = () => stage.service.portalUrl.replace('127.0.0.1', 'localhost');
  const origins = () => [stage.service.portalUrl, elsewhere()];
  let before: Visitor['context'] | null = null;

  it('has what it stores, is permitted and routes', async () => {
    const { page, context } = await stage.newVisitor();
    before = context;
    await context.grantPermissions(['clipboard-read']);
    await context.route('**/healthz', (route) => route.fulfill({ contentType: 'text/html', body: 'Routed' }));
    for (const origin of origins()) {
      await page.goto(`${origin}/healthz`);
      await page.evaluate(store);
      expect(await page.evaluate(readStored)).toMatchObject({
        local: 'here',
        session: 'here',
        databases: 1,
        caches: ['left'],
        cookies: 1,
        clipboard: 'granted',
      });
      expect(await page.textContent('body')).toBe('Routed');
    }
    await context.setOffline(true);
    expect(await page.evaluate(() => navigator.onLine)).toBe(false);
  });

  it('finds nothing of the one before, in the same context', async () => {
    const { page, context } = await stage.newVisitor();
    expect(context).toBe(before);
    expect(await context.cookies()).toEqual([]);
    for (const origin of origins()) {
      await page.goto(`${origin}/healthz`);
      expect(await page.evaluate(readStored)).toEqual({
        local: null,
        session: null,
        databases: 0,
        caches: [],
        cookies: 0,
        clipboard: 'prompt',
        isOnline: true,
      });
      expect(await page.textContent('body')).not.toBe('Routed');
    }
  });

  it('shares no context with one that is there at the same time, nor with one whose browser differs', async () => {
    const [first, second] = [await stage.newVisitor(), await stage.newVisitor()];
    const other = await stage.newVisitor({ locale: 'fr-CA' });
    expect(new Set([first.context, second.context, other.context]).size).toBe(3);
    expect(() => first.context.addInitScript(() => undefined)).toThrow('own');
    expect(() => first.page.clock.install()).toThrow('own');
  });
});
