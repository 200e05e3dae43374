/** The logo of an application: where it is served, and what a browser may do with it. */
import { describe, expect, it } from 'vitest';
import { post } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture({}, 'none', { application: { brand: { logo: './logo.svg' } } });

describe('The logo', () => {
  // Contract: application#logo-of-an-application — The logo is an image alone: an SVG that is opened as a page runs
  //   nothing
  it('is served at the address that the query application names, for good, and without any right as a page', async () => {
    const { text } = await post(service.url, '{ application { brand { logoUrl } } }');
    const { data } = JSON.parse(text) as { data: { application: { brand: { logoUrl: string } } } };
    const { logoUrl } = data.application.brand;
    expect(logoUrl.startsWith(`${service.url}/brand/logo-`)).toBe(true);
    const answer = await fetch(logoUrl);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toContain('<svg');
  });

  it('is not served at another address', async () => {
    const answer = await fetch(`${service.url}/brand/logo-other`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });
});
