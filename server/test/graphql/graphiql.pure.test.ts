/** GraphiQL in development: complete without the network, with its own policy; absent in production. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { firstQuery } from '../../src/graphql/graphiql.ts';
import { fixture } from '../support/fixture.ts';
import { endpointForAll, endpointForTest } from './endpoint-under-test.ts';

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('GraphiQL', () => {
  const endpoint = endpointForAll({ graphiql: true });
  let html: string;
  /** Nine megabytes, which are fetched once. */
  const response = fixture(() => fetch(endpoint.url, { headers: browser }));
  beforeAll(async () => {
    html = await response.text();
  });

  it('is a page with its own policy, which allows its single script by hash', () => {
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

  it('opens with a query that the tests of the visitor run', () => {
    expect(html).toContain(`"defaultQuery":${JSON.stringify(firstQuery)}`);
  });

  it('is not served for an operation or to a client other than a browser', async () => {
    const answered = await fetch(`${endpoint.url}?query={me{id}}`, { headers: browser });
    expect(await answered.json()).toEqual({ data: { me: { id: '1' } } });
    const refused = await fetch(endpoint.url, { headers: { accept: 'application/json' } });
    expect(refused.status).toBe(400);
  });

  it('is absent when it is off', async () => {
    const endpoint = await endpointForTest({ graphiql: false });
    const response = await fetch(endpoint.url, { headers: browser });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});
