/** GraphiQL in a browser, over the real endpoint. */
import { chromium } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { endpointForTest } from '../../graphql/endpoint-under-test.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';

it.skipIf(chromiumPath === null)('GraphiQL reads the schema without an error or another host', async () => {
  const endpoint = await endpointForTest({ graphiql: true });
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => (message.type() === 'error' ? complaints.push(message.text()) : undefined));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(endpoint.url).origin) complaints.push(request.url());
  });
  await page.goto(endpoint.url);
  // The types are listed: the editor has started its workers and has fetched the schema.
  await page.locator('.graphiql-query-editor .monaco-editor').first().waitFor();
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await page.getByRole('link', { name: 'Mutation', exact: true }).first().waitFor();
  expect(complaints).toEqual([]);
  expect(endpoint.operations.map(({ rootFields }) => rootFields)).toEqual([['__schema']]);
});
