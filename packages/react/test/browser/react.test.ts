/** The hooks and components in Chromium, with both versions of React that they are for. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath } from '../../../../server/test/support/browser/chromium.ts';
import { bundlePage } from './page/bundle.ts';
import type { Scenarios } from './page/scenarios.tsx';

const site = 'http://localhost:9';

describe.skipIf(chromiumPath === null).each(['18', '19'] as const)('With React %s', (major) => {
  let browser: Browser;
  let script: string;
  let page: Page;
  beforeAll(async () => {
    [browser, script] = await Promise.all([
      chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', '--disable-gpu'] }),
      bundlePage('test/browser/page/scenarios.tsx', major),
    ]);
    page = await openPage();
  });
  afterAll(() => browser.close());

  const openPage = async (): Promise<Page> => {
    const opened = await browser.newPage();
    await opened.route(`${site}/**`, (route) => {
      const isScript = route.request().url().endsWith('.js');
      const html = '<!doctype html><title>Test</title><body><script type="module" src="/page.js"></script>';
      return route.fulfill({ contentType: isScript ? 'text/javascript' : 'text/html', body: isScript ? script : html });
    });
    await opened.goto(`${site}/notes?page=2`);
    return opened;
  };

  /** Runs a scenario in the page; React has nothing to complain of. */
  const run = async <Name extends keyof Scenarios>(
    name: Name,
    ...given: Parameters<Scenarios[Name]>
  ): Promise<Awaited<ReturnType<Scenarios[Name]>>> => {
    const seen: unknown = await page.evaluate(`scenarios.${name}(...${JSON.stringify(given)})`);
    expect(await page.evaluate('scenarios.complaints()')).toEqual([]);
    return seen as Awaited<ReturnType<Scenarios[Name]>>;
  };

  it('is that React', async () => {
    expect(await run('version')).toMatch(new RegExp(`^${major}\\.`));
  });

  it('shows nothing of either side before the answer', async () => {
    expect(await run('visitor')).toEqual(['', 'waiting', 'out']);
    expect(await run('signedIn')).toEqual(['', 'waiting', 'in as Ada']);
  });

  it('asks once for each client in StrictMode', async () => {
    expect(await run('strictMode')).toEqual({ last: 'in as Adain as Ada', questions: 2 });
  });

  it('follows another tab out and in, and hides the person at once', async () => {
    expect(await run('otherTab')).toEqual(['', 'waiting', 'in as Ada', 'waiting', 'out', 'in as Ada']);
  });

  it('shows why the first question failed, and asks again', async () => {
    expect(await run('retry')).toEqual(['', 'waiting', 'OFFLINE', 'in']);
  });

  it('answers organization and scopes, and renders a scope again only when it changes', async () => {
    expect(await run('hooks')).toEqual({
      seen: [
        '',
        'none;notes:read false;notes:write false;',
        'Acme;notes:read true;notes:write false;',
        'Harbor;notes:read true;notes:write true;',
      ],
      afterSameAnswer: 0,
      afterSwitch: 1,
    });
  });

  it('never shows two states at once, when one changes during a concurrent render', async () => {
    const { isInterrupted, pages } = await run('tearing', 'hooks');
    expect(isInterrupted).toBe(true);
    expect(pages.every((page) => page.length === 1)).toBe(true);
    expect(pages.at(-1)).toEqual(['signedOut']);
  });

  it('would show two states at once without the hooks', async () => {
    const { pages } = await run('tearing', 'read without the hooks');
    expect(pages[0]?.toSorted()).toEqual(['signedIn', 'signedOut']);
  });

  it.each(['visitor', 'person'] as const)('takes over the text of a server for a %s without a warning', async (who) => {
    const last = who === 'visitor' ? 'out' : 'in as Ada';
    for (const isStrict of [false, true]) {
      expect(await run('hydration', who, isStrict)).toEqual({ seen: ['waiting', last], errors: [] });
    }
  });

  it.each([
    [null, `${site}/notes?page=2`],
    ['/other', `${site}/other`],
  ])('leads to the sign-in page once, and back to %s', async (returnTo, back) => {
    const leaving = await openPage();
    onTestFinished(() => leaving.close());
    const opened: string[] = [];
    await leaving.route('https://id.example/**', (route) => {
      opened.push(route.request().url());
      return route.fulfill({ contentType: 'text/html', body: '<h1>Sign in</h1>' });
    });
    await leaving.evaluate(`void scenarios.redirect(${JSON.stringify(returnTo)})`);
    await leaving.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(opened).toEqual([`https://id.example/signin?redirect=${encodeURIComponent(back)}`]);
  });
});
