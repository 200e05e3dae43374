/** GraphiQL in development: whole without the network, under a policy of its own; nothing of it in production. */
import { createHash } from 'node:crypto';
import { chromium } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { firstQuery } from '../../src/graphql/graphiql.ts';
import { chromiumPath } from '../support/chromium.ts';
import { endpointForTest } from './endpoint-under-test.ts';

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('GraphiQL', () => {
  it('is a page with its own policy, which allows its one script by hash', async () => {
    const endpoint = await endpointForTest({ graphiql: true });
    const response = await fetch(endpoint.url, { headers: browser });
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(html).toContain('Gatehouse GraphiQL');
    const policy = response.headers.get('content-security-policy') ?? '';
    const script = html.slice(html.indexOf('<script>') + '<script>'.length, html.indexOf('</script>'));
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}';`);
    expect(policy).toContain("default-src 'none'");
    expect(html).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="https?:/);
  });

  it('opens with a query, which the tests of the visitor ask', async () => {
    const endpoint = await endpointForTest({ graphiql: true });
    const html = await (await fetch(endpoint.url, { headers: browser })).text();
    expect(html).toContain(`"defaultQuery":${JSON.stringify(firstQuery)}`);
  });

  it('gives way to an operation and to every client that is no browser', async () => {
    const endpoint = await endpointForTest({ graphiql: true });
    const answered = await fetch(`${endpoint.url}?query={me{id}}`, { headers: browser });
    expect(await answered.json()).toEqual({ data: { me: { id: '1' } } });
    const refused = await fetch(endpoint.url, { headers: { accept: 'application/json' } });
    expect(refused.status).toBe(400);
  });

  it('is not there when it is off', async () => {
    const endpoint = await endpointForTest({ graphiql: false });
    const response = await fetch(endpoint.url, { headers: browser });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

describe.skipIf(chromiumPath === null)('GraphiQL in a browser', () => {
  it('reads the schema, without a complaint and without another host', async () => {
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
    // The editor has started its workers and the schema has come over the real endpoint once its types are listed.
    await page.locator('.graphiql-query-editor .monaco-editor').first().waitFor();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'Mutation', exact: true }).first().waitFor();
    expect(complaints).toEqual([]);
    expect(endpoint.operations.map(({ rootFields }) => rootFields)).toEqual([['__schema']]);
  });
});
