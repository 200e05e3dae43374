/** A sign-in provider by https, in a process that trusts one authority. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ProviderBrowser } from '../../support/clients/provider-browser.ts';
import { createTestDatabase } from '../../support/database/databases.ts';
import { environmentFor, serve } from '../../support/gatehouse/gatehouse-process.ts';
import { expectRefusalPage } from '../../support/servers/external-refusals.ts';
import { startHostileIssuer } from '../../support/servers/hostile-issuer.ts';

const fixturePath = (name: string): string => fileURLToPath(new URL(`../../support/fixtures/${name}`, import.meta.url));
const fixture = (name: string): Promise<string> => readFile(fixturePath(name), 'utf8');

it('A provider by https is refused with an expired certificate, and accepted with a new one', async () => {
  const stored = await createTestDatabase();
  const issuer = await startHostileIssuer({ certificate: await fixture('tls-expired.pem') });
  const serving = await serve({
    ...environmentFor(stored),
    ...issuer.environment(),
    NODE_EXTRA_CA_CERTS: fixturePath('tls-authority.pem'),
  });
  const service = { url: serving.url, portalUrl: serving.url };
  try {
    const browser = new ProviderBrowser();
    const answer = await browser.get(`${serving.url}/auth/google`);
    const query = expectRefusalPage(service, ['PROVIDER_UNAVAILABLE'], answer);
    await serving.printed(/auth\.external_refused/);
    const lines = serving
      .stdout()
      .split('\n')
      .filter((line) => line.includes('auth.external_refused'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        code: 'PROVIDER_UNAVAILABLE',
        detail: 'CERT_HAS_EXPIRED',
        correlationId: query.get('id'),
      }),
    ]);
    expect(issuer.asked).toEqual([]);

    issuer.renew(await fixture('tls-valid.pem'));
    const { location } = await browser.get(`${serving.url}/auth/google`);
    const callback = issuer.authorize(location ?? '');
    expect((await browser.get(callback)).location).toBe(`${serving.url}/signin?oauth_exchange=1`);
  } finally {
    await serving.stop();
    await issuer.close();
    await stored.drop();
  }
});
