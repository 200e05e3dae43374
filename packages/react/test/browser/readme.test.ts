/** The examples of the README and of docs/react.md in Chromium, over a Gatehouse in memory. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath } from '../../../../server/test/support/browser/chromium.ts';
import { GatehouseInMemory, noConnection } from '../../../client/test/support/gatehouse.ts';
import { bundlePage } from './page/bundle.ts';

const site = 'https://app.acme.example';
const service = 'https://id.acme.example';

describe.skipIf(chromiumPath === null)('The README', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser.close());

  /** A page with the example, whose requests to the service the one in memory answers. */
  const open = async (entry: string, gatehouse: GatehouseInMemory): Promise<Page> => {
    const script = await bundlePage(entry, '19');
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.route(`${site}/**`, (route) => {
      const isScript = route.request().url().endsWith('.js');
      const html =
        '<!doctype html><title>Test</title><div id="root"></div><script type="module" src="/page.js"></script>';
      return route.fulfill({ contentType: isScript ? 'text/javascript' : 'text/html', body: isScript ? script : html });
    });
    await page.route(`${service}/signin**`, (route) => route.fulfill({ body: 'The sign-in page' }));
    const { fetch = globalThis.fetch } = gatehouse.browser();
    await page.route(`${service}/graphql`, async (route) => {
      const headers = {
        'access-control-allow-origin': site,
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': 'content-type',
      };
      const body = route.request().postData();
      if (body === null) return route.fulfill({ status: 204, headers });
      const answer = await fetch(service, { method: 'POST', body }).catch(() => null);
      if (answer === null) return route.abort();
      const { status } = answer;
      return route.fulfill({ status, headers, contentType: 'application/json', body: await answer.text() });
    });
    await page.goto(site);
    return page;
  };

  const inAcme = (scopes: readonly string[]): GatehouseInMemory => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.organization = 'Acme';
    gatehouse.scopes = scopes;
    return gatehouse;
  };

  it('shows the notes of a person, a button by scope, and leads out by a sign-out', async () => {
    const page = await open('examples/app.tsx', inAcme(['notes:write']));
    await page.getByRole('heading', { name: 'Notes of Ada' }).waitFor();
    expect(await page.getByRole('button', { name: 'New note' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${service}/signin?redirect=${encodeURIComponent(`${site}/`)}`);
  });

  it('shows no button without the scope', async () => {
    const page = await open('examples/app.tsx', inAcme([]));
    await page.getByRole('heading', { name: 'Notes of Ada' }).waitFor();
    expect(await page.getByRole('button', { name: 'New note' }).count()).toBe(0);
  });

  it('leads a visitor to the sign-in page', async () => {
    const page = await open('examples/app.tsx', new GatehouseInMemory());
    await page.waitForURL(`${service}/signin?redirect=${encodeURIComponent(`${site}/`)}`);
  });

  it('tries again after a failure', async () => {
    const gatehouse = inAcme([]);
    gatehouse.nextResponse('FetchMe', noConnection);
    const page = await open('examples/app.tsx', gatehouse);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Notes of Ada' }).waitFor();
  });

  it('has a header with the organization, or links that lead back', async () => {
    const person = await open('test/browser/page/header.tsx', inAcme([]));
    expect(await person.getByLabel('Organization').inputValue()).toBe('Acme');
    const visitor = await open('test/browser/page/header.tsx', new GatehouseInMemory());
    const back = encodeURIComponent(`${site}/`);
    expect(await visitor.getByText('Sign in').getAttribute('href')).toBe(`${service}/signin?redirect=${back}`);
    expect(await visitor.getByText('create an account').getAttribute('href')).toBe(
      `${service}/signup?redirect=${back}`,
    );
  });
});
